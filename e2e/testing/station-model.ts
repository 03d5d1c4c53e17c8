import type { Figures, ListedResource, RecordView, Summary } from './station-answers.ts';

/** A resource type's part in what a new resource becomes. */
export interface TypeDefaults {
  readonly product: string;
  readonly alertable: boolean;
}

/** A record on its way in: what is left out keeps its value, or gets its default. */
export type ModelRecord = Partial<Omit<RecordView, 'resource_type'>> &
  Pick<RecordView, 'resource_id' | 'name' | 'create_time' | 'state_since'> & {
    readonly resource_type: string;
  };

export interface ModelBatch {
  readonly mode: 'merge' | 'replace';
  readonly records: readonly ModelRecord[];
  /** As in the query; undefined leaves it out. */
  readonly allowRemoval?: 'all' | number | undefined;
}

type Resources = ReadonlyMap<string, RecordView>;

/** What a batch does, or why it must do nothing. */
export type Outcome = { readonly refusedWith: 'invalid_records' | 'removal_refused' } | Difference;

export interface Difference {
  readonly after: StationModel;
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
}

const defaults = {
  labels: {},
  state: 'ALERTSTATE_INACTIVE',
  sku: '',
  gpu_model: '',
  alert_rules_count: 0,
};
export const labelOf = (typeKey: string) => `Label of ${typeKey}`;

/** A station as a plain map. Never changed: a write gives a new one. */
export class StationModel {
  readonly resources: Resources;

  constructor(resources: Resources = new Map()) {
    this.resources = resources;
  }

  apply(batch: ModelBatch, types: ReadonlyMap<string, TypeDefaults>): Outcome {
    const after = new Map(batch.mode === 'merge' ? this.resources : []);
    for (const record of batch.records) {
      after.set(record.resource_id, this.#merged(record, types.get(record.resource_type)!));
    }
    const names = new Set([...after.values()].map(({ name }) => name));
    const ids = new Set(batch.records.map(({ resource_id: id }) => id));
    if (ids.size < batch.records.length || names.size < after.size) return { refusedWith: 'invalid_records' };
    const difference = this.#differenceTo(new StationModel(after));
    const size = this.resources.size;
    const half = Math.max(Math.floor(size / 2), size > 20 ? 0 : size - 1);
    const allowed = batch.allowRemoval === 'all' ? size : (batch.allowRemoval ?? half);
    return difference.removed.length > allowed ? { refusedWith: 'removal_refused' } : difference;
  }

  without(resourceId: string): StationModel {
    return new StationModel(new Map([...this.resources].filter(([id]) => id !== resourceId)));
  }

  /** All resources in the order of a list. */
  get records(): RecordView[] {
    const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    return [...this.resources.values()].sort(
      (a, b) => order(a.display_name, b.display_name) || order(a.resource_id, b.resource_id),
    );
  }

  get listed(): ListedResource[] {
    return this.records.map(
      ({ product: _, alertable: __, state_since: ___, labels: ____, ...listed }) => listed,
    );
  }

  get figures(): Figures {
    return figuresOf(this.records);
  }

  get summary(): Summary {
    const keysInUse = [...new Set(this.records.map((each) => each.resource_type.key))].sort();
    const products = [...new Set(this.records.map((each) => each.product))].sort();
    return {
      ...this.figures,
      types: keysInUse.map((key) => ({
        key,
        label: labelOf(key),
        ...figuresOf(this.records.filter((each) => each.resource_type.key === key)),
      })),
      products: products.map((product) => ({
        product,
        ...figuresOf(this.records.filter((each) => each.product === product)),
      })),
    };
  }

  #merged({ resource_type: key, ...record }: ModelRecord, type: TypeDefaults): RecordView {
    const fresh = { ...defaults, ...type, display_name: record.name };
    const resource_type = { key, label: labelOf(key) };
    return { ...fresh, ...this.resources.get(record.resource_id), ...record, resource_type };
  }

  #differenceTo(after: StationModel): Difference {
    const ids = [...after.resources.keys()];
    const isUpdated = (id: string) =>
      this.resources.has(id) && !isSame(this.resources.get(id)!, after.resources.get(id)!);
    return {
      after,
      created: ids.filter((id) => !this.resources.has(id)),
      updated: ids.filter(isUpdated),
      removed: [...this.resources.keys()].filter((id) => !after.resources.has(id)),
    };
  }
}

function isSame(one: RecordView, other: RecordView): boolean {
  const { resource_type: type, ...fields } = one;
  return (
    type.key === other.resource_type.key &&
    Object.entries(fields).every(([name, value]) => isEqual(other[name as keyof RecordView], value))
  );
}

/** Labels are objects. */
function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function figuresOf(resources: readonly RecordView[]): Figures {
  const alertable = resources.filter((each) => each.alertable);
  const covered = alertable.filter((each) => each.alert_rules_count > 0).length;
  const states: Record<string, number> = {};
  for (const { state } of resources) states[state] = (states[state] ?? 0) + 1;
  return {
    total: resources.length,
    alertable: alertable.length,
    covered,
    uncovered: alertable.length - covered,
    states,
  };
}
