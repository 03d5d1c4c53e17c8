import type { ResourcePatch } from '@roster/contract';
import type { OwnedFields } from '@roster/sources';

const fieldNames = {
  state: 'state',
  stateSinceMs: 'state_since',
  alertRulesCount: 'alert_rules_count',
} as const;

type SourcedField = keyof typeof fieldNames;

/** Removes the fields that the sources of a station own from the records of an import. */
export class SourcedFields {
  readonly #owned: OwnedFields;
  readonly #fields: readonly SourcedField[];
  readonly #found = new Set<SourcedField>();
  #records = 0;

  constructor(owned: OwnedFields) {
    this.#owned = owned;
    this.#fields = owned.hasRuleCounts
      ? ['state', 'stateSinceMs', 'alertRulesCount']
      : ['state', 'stateSinceMs'];
  }

  strip(record: ResourcePatch): ResourcePatch {
    const given = this.#fields.filter((field) => record[field] !== undefined);
    if (given.length === 0) return record;
    this.#records++;
    const kept: Partial<Record<string, unknown>> = { ...record };
    for (const field of given) {
      this.#found.add(field);
      delete kept[field];
    }
    return kept as unknown as ResourcePatch;
  }

  /** What was left alone, for the answer: nothing if no record had such a field. */
  view(): { left_alone?: object } {
    if (this.#records === 0) return {};
    const fields = this.#fields.filter((field) => this.#found.has(field)).map((field) => fieldNames[field]);
    return { left_alone: { fields, records: this.#records, sources: this.#owned.sources } };
  }
}
