export interface ListedResource {
  readonly resource_type: { readonly key: string; readonly label: string };
  readonly resource_id: string;
  readonly create_time: string;
  readonly sku: string;
  readonly state: string;
  readonly display_name: string;
  readonly alert_rules_count: number;
  readonly name: string;
  readonly gpu_model: string;
}

export interface List {
  readonly resources: readonly ListedResource[];
  readonly page: { readonly offset: number; readonly size: number; readonly total: number } | null;
}

/** A resource as an export, a plan and the history show it. */
export interface RecordView extends ListedResource {
  readonly product: string;
  readonly alertable: boolean;
  readonly state_since: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface Figures {
  readonly total: number;
  readonly alertable: number;
  readonly covered: number;
  readonly uncovered: number;
  readonly states: Readonly<Record<string, number>>;
}

export interface Summary extends Figures {
  readonly types: readonly (Figures & { readonly key: string; readonly label: string })[];
  readonly products: readonly (Figures & { readonly product: string })[];
}

export interface WriteResult {
  readonly revision: string;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly new_types: readonly string[];
  readonly new_states: readonly string[];
}

export interface PastChange {
  readonly revision: string;
  readonly change: 'created' | 'updated' | 'removed';
  readonly resource_id: string;
  readonly resource: RecordView;
  readonly fields?: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
}

export interface HistoryPage {
  readonly changes: readonly PastChange[];
  readonly next: string;
  readonly has_more: boolean;
}
