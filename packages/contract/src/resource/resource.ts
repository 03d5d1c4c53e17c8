import { noLabels } from './labels.ts';

/** A stored resource: the documented fields plus those that filters use. */
export interface Resource {
  readonly resourceId: string;
  readonly name: string;
  readonly displayName: string;
  readonly typeKey: string;
  readonly product: string;
  readonly alertable: boolean;
  readonly state: string;
  readonly sku: string;
  readonly gpuModel: string;
  readonly alertRulesCount: number;
  readonly createTime: string;
  /** When it entered its state. */
  readonly stateSinceMs: number;
  /** JSON with sorted keys: see `readLabels`. */
  readonly labels: string;
}

/** Changes of a stored resource. Absent fields keep their value; without `stateSinceMs`, a new state begins now. */
export interface ResourcePatch extends Partial<Resource> {
  readonly resourceId: string;
  /** The label given with the type, used only for a new type. */
  readonly typeLabel?: string;
}

/** A resource to be written: a patch of a stored one, or a new one, whose absent fields get their defaults. */
export interface ResourceRecord extends ResourcePatch {
  readonly name: string;
  readonly typeKey: string;
}

/** The states of Prometheus and Alertmanager, worst first. Resources may have others. */
export const usualStates: readonly string[] = [
  'ALERTSTATE_FIRING',
  'ALERTSTATE_PENDING',
  'ALERTSTATE_SUPPRESSED',
  'ALERTSTATE_INACTIVE',
];

export const resourceDefaults = {
  product: '',
  alertable: true,
  state: 'ALERTSTATE_INACTIVE',
  sku: '',
  gpuModel: '',
  alertRulesCount: 0,
  labels: noLabels,
} as const satisfies Partial<Resource>;

/** Labels and defaults of a resource type. */
export interface ResourceType {
  readonly key: string;
  /** By locale, such as `{en: 'GPU node', zh: 'GPU 节点'}`. */
  readonly labels: Readonly<Record<string, string>>;
  /** Default product of new resources. */
  readonly product: string;
  /** Whether new resources can have alerts by default. */
  readonly alertable: boolean;
}

export const defaultLocale = 'en';
