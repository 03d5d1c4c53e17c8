/** A resource as Roster keeps it: the documented fields plus what the filters need. */
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
}

/** A resource as someone hands it in. What is absent keeps its stored value, or its default when new. */
export interface ResourceRecord extends Partial<Resource> {
  readonly resourceId: string;
  readonly name: string;
  readonly typeKey: string;
  /** The label that came with the type; it counts only for a type not seen before. */
  readonly typeLabel?: string;
}

export const resourceDefaults = {
  product: '',
  alertable: true,
  state: 'ALERTSTATE_INACTIVE',
  sku: '',
  gpuModel: '',
  alertRulesCount: 0,
} as const satisfies Partial<Resource>;

/** What is known of all resources of one type. */
export interface ResourceType {
  readonly key: string;
  /** By locale, such as `{en: 'GPU node', zh: 'GPU 节点'}`. */
  readonly labels: Readonly<Record<string, string>>;
  /** The product of a new resource that comes without one. */
  readonly product: string;
  /** Whether a new resource that does not say so itself can have alerts. */
  readonly alertable: boolean;
}

export const defaultLocale = 'en';
