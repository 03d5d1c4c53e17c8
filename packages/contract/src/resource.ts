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

/** A resource type's labels by locale, such as `{en: 'GPU node', zh: 'GPU 节点'}`. */
export interface ResourceType {
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const defaultLocale = 'en';
