import { applyChange, type Replayed } from '../../testing/apply-change.ts';
import type { List, PastChange } from '../../testing/station-answers.ts';

/** What a write shall do, one entry for each resource: `put <id> <sku>` or `remove <id>`. No two writes may be alike. */
export type Intent = readonly string[];

/** Refused means that it must not have happened; uncertain, that it may have. */
export type WriteOutcome = { readonly acknowledged: string } | 'refused' | 'uncertain';

interface Place {
  /** Epochs are counted in the order in which anyone met them. */
  readonly epoch: number;
  readonly number: number;
}

interface Counts {
  /** Writes, by what their client knows of them. */
  readonly acknowledged: number;
  readonly refused: number;
  readonly uncertain: number;
  /** Reads, and those among them that were answered by 503. */
  readonly read: number;
  readonly unavailable: number;
  /** Revisions that listeners heard of, each for itself. */
  readonly heard: number;
}

interface Write {
  readonly intent: string;
  readonly outcome: WriteOutcome;
}

/**
 * What all clients of a station were told, on whichever node. It notes at once what cannot be: an answer that
 * is older than what someone knew before it was asked for. At the end it replays the history, and holds it
 * against every write, every list and everything that listeners heard.
 */
export class LinearHistory {
  readonly violations: string[] = [];
  readonly #epochs: string[] = [];
  readonly #writes: Write[] = [];
  /** By revision, what lists showed. */
  readonly #contents = new Map<string, string>();
  /** By revision, what listeners heard of it. */
  readonly #heard = new Map<string, string>();
  #newest: Place = { epoch: 0, number: 0 };
  #reads = 0;
  #hearings = 0;
  #unavailable = 0;

  get epochs(): readonly string[] {
    return this.#epochs;
  }

  /** To be called before a request is sent; returns what to call with its outcome. */
  beginWrite(intent: Intent): (outcome: WriteOutcome) => void {
    const before = this.#newest;
    return (outcome) => {
      this.#writes.push({ intent: [...intent].sort().join('\n'), outcome });
      if (typeof outcome === 'object') this.#meet('a write', outcome.acknowledged, before, true);
    };
  }

  /** To be called before a request is sent; returns what to call with the revision it showed, and its list if it did. */
  beginRead(): (revision: string, list?: List) => void {
    const before = this.#newest;
    return (revision, list) => {
      this.#reads++;
      this.#meet('a read', revision, before, false);
      if (list) this.#noteSame(this.#contents, revision, contentsOf(list.resources));
    };
  }

  /** One listener has heard all that a revision changed, and the revision before it last. */
  hear(revision: string, changes: readonly PastChange[], last: string | undefined): void {
    if (last !== undefined && numberOf(revision) !== numberOf(last) + 1) {
      this.violations.push(`a listener heard ${revision} after ${last}`);
    }
    this.#hearings++;
    this.#meet('a listener', revision, undefined, false);
    this.#noteSame(this.#heard, revision, intentOf(changes));
  }

  /** A read that was answered by 503, which says nothing. */
  noteUnavailable(): void {
    this.#unavailable++;
  }

  counts(): Counts {
    const outcomes = this.#writes.map(({ outcome }) => outcome);
    return {
      acknowledged: outcomes.filter((outcome) => typeof outcome === 'object').length,
      refused: outcomes.filter((outcome) => outcome === 'refused').length,
      uncertain: outcomes.filter((outcome) => outcome === 'uncertain').length,
      read: this.#reads,
      unavailable: this.#unavailable,
      heard: this.#hearings,
    };
  }

  /**
   * Holds everything against the whole history of a station, in its newest epoch. `kept` is the last revision of the
   * epoch before that a database which lost its tail still has.
   */
  check(history: readonly PastChange[], kept = Number.POSITIVE_INFINITY): void {
    const newest = this.#epochs.at(-1)!;
    const isLost = (revision: string) => epochOf(revision) !== newest && numberOf(revision) > kept;
    const revisions = Map.groupBy(history, ({ revision }) => numberOf(revision));
    this.#checkNumbers([...revisions.keys()]);
    this.#checkWrites(revisions, isLost);
    this.#checkContents(revisions, isLost);
    for (const [revision, heard] of this.#heard) {
      if (isLost(revision)) continue;
      const told = intentOf(revisions.get(numberOf(revision)) ?? []);
      if (told !== heard)
        this.violations.push(`listeners heard of ${revision}: ${heard}, which was: ${told}`);
    }
  }

  #checkNumbers(numbers: readonly number[]): void {
    const wrong = numbers.find((number, at) => number !== at + 1);
    if (wrong !== undefined) this.violations.push(`the history has ${wrong} out of turn`);
  }

  #checkWrites(
    revisions: ReadonlyMap<number, readonly PastChange[]>,
    isLost: (revision: string) => boolean,
  ): void {
    const found = new Map<string, number[]>();
    for (const [number, changes] of revisions) found.getOrInsert(intentOf(changes), []).push(number);
    for (const { intent, outcome } of this.#writes) {
      const numbers = found.get(intent) ?? [];
      found.delete(intent);
      if (typeof outcome === 'object') {
        const { acknowledged } = outcome;
        const expected = isLost(acknowledged) ? '' : String(numberOf(acknowledged));
        if (String(numbers) === expected) continue;
        this.violations.push(`${intent}, acknowledged as ${acknowledged}, is in revisions [${numbers}]`);
      } else if (numbers.length > (outcome === 'refused' ? 0 : 1)) {
        this.violations.push(`${intent}, ${outcome}, is in revisions [${numbers}]`);
      }
    }
    for (const [intent, numbers] of found) {
      this.violations.push(`nobody wrote ${intent}, which is in revisions [${numbers}]`);
    }
  }

  #checkContents(
    revisions: ReadonlyMap<number, readonly PastChange[]>,
    isLost: (revision: string) => boolean,
  ): void {
    const shown = Map.groupBy(this.#contents, ([revision]) => (isLost(revision) ? -1 : numberOf(revision)));
    const state: Replayed = new Map();
    for (const [number, changes] of [[0, []] as const, ...revisions]) {
      for (const change of changes) applyChange(state, change);
      if (!shown.has(number)) continue;
      const expected = contentsOf([...state.values()]);
      for (const [revision, contents] of shown.get(number)!) {
        if (contents !== expected) this.violations.push(`a list at ${revision} showed something else`);
      }
      shown.delete(number);
    }
    shown.delete(-1);
    for (const number of shown.keys()) this.violations.push(`a list showed ${number}, which never was`);
  }

  /** Nothing is older than what was known before it was asked for, and a write is newer. */
  #meet(what: string, revision: string, before: Place | undefined, mustBeNewer: boolean): void {
    const epoch = epochOf(revision);
    if (!this.#epochs.includes(epoch)) this.#epochs.push(epoch);
    const place = { epoch: this.#epochs.indexOf(epoch), number: numberOf(revision) };
    if (before && (isOlder(place, before) || (mustBeNewer && !isOlder(before, place)))) {
      const known = `${this.#epochs[before.epoch]}.${before.number}`;
      this.violations.push(`${what} answered ${revision} when ${known} was known before`);
    }
    if (isOlder(this.#newest, place)) this.#newest = place;
  }

  #noteSame(notes: Map<string, string>, revision: string, text: string): void {
    if (notes.getOrInsert(revision, text) !== text) {
      this.violations.push(`${revision} was once ${notes.get(revision)} and once ${text}`);
    }
  }
}

function isOlder(one: Place, other: Place): boolean {
  return one.epoch < other.epoch || (one.epoch === other.epoch && one.number < other.number);
}

const epochOf = (revision: string) => revision.split('.')[0]!;
const numberOf = (revision: string) => Number(revision.split('.')[1]);

function intentOf(changes: readonly PastChange[]): string {
  const entries = changes.map(({ change, resource_id: id, resource }) =>
    change === 'removed' ? `remove ${id}` : `put ${id} ${resource.sku}`,
  );
  return entries.sort().join('\n');
}

function contentsOf(resources: readonly { readonly resource_id: string; readonly sku: string }[]): string {
  return resources
    .map(({ resource_id: id, sku }) => `${id} ${sku}`)
    .sort()
    .join('\n');
}
