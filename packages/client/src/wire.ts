/** A resource type in a list. */
export interface ListedType {
  readonly key: string;
  readonly label: string;
}

/** A resource in a list. Undocumented fields are kept, but not typed. */
export interface Resource {
  readonly resource_type: ListedType;
  readonly resource_id: string;
  readonly create_time: string;
  readonly sku: string;
  /** An open set of tokens such as `ALERTSTATE_INACTIVE`. */
  readonly state: string;
  readonly display_name: string;
  /** A number, even if the server sends a string. */
  readonly alert_rules_count: number;
  readonly name: string;
  readonly gpu_model: string;
}

export interface Page {
  readonly offset: number;
  /** Its meaning is not documented; do not compute with it. */
  readonly size: number;
  readonly total: number;
}

export interface ListResponse {
  readonly resources: readonly Resource[];
  readonly page: Page | null;
}
