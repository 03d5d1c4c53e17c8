import { type LabelMap, parseLabels, type Resource } from '@roster/contract';
import { labelPrefix, type TieRule } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { stripPort } from './strip-port.ts';

/** What labels are tied to: one resource, several that cannot be told apart, or none. */
export type Tie =
  | { readonly resourceId: string }
  | { readonly ambiguous: readonly string[] }
  | { readonly ambiguous: undefined };

/** The fields of a resource that a source may change. */
export type KnownResource = Pick<Resource, 'resourceId' | 'state' | 'alertRulesCount'>;

/** What is needed of a resource to find it, and to change it. */
export type TiedResource = KnownResource & Pick<Resource, 'name' | 'displayName' | 'typeKey' | 'labels'>;

const none: Tie = { ambiguous: undefined };
/** Enough to see that there are several. */
const maxAmbiguous = 20;

/** The resources of a station, found by the fields that tie rules name. */
export class TieIndex {
  readonly resources = new Map<string, KnownResource>();
  /** Grows whenever labels may be tied to another resource than before. */
  generation = 0;
  /** By the fields of a rule: the ids of the resources with these values. */
  readonly #byFields = new Map<string, Map<string, Set<string>>>();
  readonly #fieldLists: readonly (readonly string[])[];
  readonly #keys = new Map<string, readonly (string | undefined)[]>();

  constructor(rules: readonly TieRule[]) {
    const lists = new Map(rules.map(({ to }) => [to.join('\0'), to]));
    this.#fieldLists = [...lists.values()];
    for (const fields of lists.keys()) this.#byFields.set(fields, new Map());
  }

  put(resource: TiedResource): void {
    const { resourceId, state, alertRulesCount } = resource;
    this.resources.set(resourceId, { resourceId, state, alertRulesCount });
    const keys = this.#keysOf(resource);
    const before = this.#keys.get(resourceId);
    if (before !== undefined && keys.every((key, at) => key === before[at])) return;
    this.#forgetKeys(resourceId);
    this.#keys.set(resourceId, keys);
    for (const [at, fields] of this.#fieldLists.entries()) {
      const key = keys[at];
      const ids = this.#byFields.get(fields.join('\0'))!;
      if (key !== undefined) ids.getOrInsertComputed(key, () => new Set()).add(resourceId);
    }
    this.generation++;
  }

  remove(resourceId: string): void {
    this.resources.delete(resourceId);
    this.#forgetKeys(resourceId);
    this.generation++;
  }

  clear(): void {
    this.resources.clear();
    this.#keys.clear();
    for (const ids of this.#byFields.values()) ids.clear();
    this.generation++;
  }

  /** The first rule whose labels are there and match any resource decides. If it matches many, it returns some, sorted. */
  tie(labels: Labels, rules: readonly TieRule[]): Tie {
    for (const rule of rules) {
      const key = keyIn(labels, rule);
      const ids = key === undefined ? undefined : this.#byFields.get(rule.to.join('\0'))?.get(key);
      if (ids === undefined) continue;
      const [first] = ids;
      return ids.size === 1
        ? { resourceId: first! }
        : { ambiguous: [...ids.values().take(maxAmbiguous)].sort() };
    }
    return none;
  }

  #keysOf(resource: TiedResource): (string | undefined)[] {
    let labels: LabelMap | undefined;
    return this.#fieldLists.map((fields) => {
      const values = fields.map((field) => {
        if (field === 'name') return resource.name;
        if (field === 'resource_id') return resource.resourceId;
        if (field === 'display_name') return resource.displayName;
        labels ??= parseLabels(resource.labels);
        const key = field.slice(labelPrefix.length);
        return Object.hasOwn(labels, key) ? labels[key]! : '';
      });
      return values.includes('') ? undefined : values.join('\0');
    });
  }

  #forgetKeys(resourceId: string): void {
    const keys = this.#keys.get(resourceId);
    if (keys === undefined) return;
    this.#keys.delete(resourceId);
    for (const [at, fields] of this.#fieldLists.entries()) {
      const key = keys[at];
      if (key === undefined) continue;
      const ids = this.#byFields.get(fields.join('\0'))!;
      const others = ids.get(key)!;
      others.delete(resourceId);
      if (others.size === 0) ids.delete(key);
    }
  }
}

/** Undefined if a label is missing or empty, which is the same in Prometheus. */
function keyIn(labels: Labels, rule: TieRule): string | undefined {
  const values = rule.labels.map((name) => {
    const value = Object.hasOwn(labels, name) ? labels[name]! : '';
    return rule.stripPort ? stripPort(value) : value;
  });
  return values.includes('') ? undefined : values.join('\0');
}
