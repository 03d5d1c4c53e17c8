import { backgroundSlicer } from '../background-slicer.ts';
import type { Endpoint } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import type { AlertingRule, Rules } from '../prometheus/read-rules.ts';
import type { SourceReader } from '../reader/source-reader.ts';
import { type Selector, selectorsOf } from './selectors-of.ts';

/** Prometheus may be starting, and a new rule may lack series: those read early are soon read again, then less often. */
const firstWaitMs = 5_000;
const longestWaitMs = 300_000;
const maxBatch = 20;
const atOnce = 2;
const maxRequestsPerMinute = 60;

/** What is known of the series of a selector. */
interface KnownSelector {
  readonly selector: Selector;
  /** Undefined while it is not known. */
  series: readonly Labels[] | undefined;
  /** Why it is not. */
  failure: string;
  /** When to ask next. */
  dueMs: number;
  /** How long to wait after that. */
  waitMs: number;
  /** It could not be read together with others. */
  isAlone: boolean;
}

/** Finds the resources that labels belong to. */
export type FindResources = (labels: Labels) => readonly string[];

/** The ids of the resources that a rule watches, or why they cannot be told. */
export type Coverage =
  | { readonly rule: AlertingRule; readonly ids: ReadonlySet<string> }
  | { readonly rule: AlertingRule; readonly cannotTell: string };

const unknownSyntax = 'Roster cannot parse its expression';
const notAskedYet = 'its series have not been read yet';

/** Which series the alerting rules of a Prometheus watch. */
export class RuleCoverage {
  /** Grows with every change of what is known. */
  version = 0;
  readonly #endpoint: Endpoint;
  readonly #labels: readonly string[];
  readonly #reader: SourceReader;
  readonly #now: () => number;
  #known: ReadonlyMap<string, KnownSelector> = new Map();
  readonly #parsed = new Map<string, readonly Selector[] | undefined>();
  #rules: Rules = { alerting: [], recording: [], warnings: [] };
  #requestTimes: number[] = [];

  /** `labels` are those that tie series to resources. */
  constructor(endpoint: Endpoint, labels: readonly string[], reader: SourceReader, now = Date.now) {
    this.#now = now;
    this.#endpoint = endpoint;
    this.#labels = labels;
    this.#reader = reader;
  }

  get alertingRules(): readonly AlertingRule[] {
    return this.#rules.alerting;
  }

  /** Takes in the rules as they are now. Until it has read them all, those from before count. */
  async setRules(rules: Rules): Promise<void> {
    const slicer = backgroundSlicer();
    const expressions = new Set([...rules.alerting, ...rules.recording].map(({ expression }) => expression));
    const known = new Map<string, KnownSelector>();
    for (const expression of expressions) {
      const selectors = this.#parse(expression) ?? [];
      if (slicer.isDue) await slicer.pause();
      for (const selector of selectors) {
        known.set(selector.text, this.#known.get(selector.text) ?? unknownYet(selector));
      }
    }
    for (const parsed of this.#parsed.keys()) if (!expressions.has(parsed)) this.#parsed.delete(parsed);
    if (signatureOf(rules) !== signatureOf(this.#rules)) this.version++;
    this.#rules = rules;
    this.#known = known;
  }

  /** Reads the series of the selectors that are due, as many as the budget allows. */
  async refresh(signal?: AbortSignal): Promise<void> {
    const due = [...this.#known.values()].filter(({ dueMs }) => dueMs <= this.#now());
    // Those that have waited longest come first, so that none starves if the budget does not suffice for all.
    const batches = batchesOf(due.sort((a, b) => a.dueMs - b.dueMs));
    const next = batches.sort(([a], [b]) => a!.dueMs - b!.dueMs).values();
    const work = async () => {
      for (const batch of next) {
        if (!this.#takeBudget()) return;
        await this.#read(batch, signal);
        if (signal?.aborted) return;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  /** What each alerting rule watches. */
  *coverage(find: FindResources): Generator<Coverage> {
    const tied = new Map<string, readonly string[]>();
    // Others may come while this goes on.
    const { alerting, recording } = this.#rules;
    const known = this.#known;
    for (const rule of alerting) {
      const ids = new Set<string>();
      const added = this.#fixedLabels(rule.labels);
      // Few rules set a label that ties; all others share what is found for a selector.
      const tie: Walk['tie'] = ({ text, absentLabels }, series) =>
        added === undefined && absentLabels === undefined
          ? tied.getOrInsertComputed(text, () => series.flatMap(find))
          : [...series, absentLabels ?? {}].flatMap((labels) => find({ ...labels, ...added }));
      const cannotTell = this.#collect(rule.expression, { tie, ids, seen: new Set(), known, recording });
      // An alert proves what it is about, whatever the expression says.
      for (const { labels } of rule.alerts ?? []) for (const id of find(labels)) ids.add(id);
      yield cannotTell === undefined ? { rule, ids } : { rule, cannotTell };
    }
  }

  /** The labels of a rule override those of its series, unless they are templates. */
  #fixedLabels(ruleLabels: Labels): Labels | undefined {
    const fixed = Object.entries(ruleLabels).filter(
      ([name, value]) => this.#labels.includes(name) && !value.includes('{{'),
    );
    return fixed.length === 0 ? undefined : Object.fromEntries(fixed);
  }

  /** Adds the ids of the resources of an expression; returns why they cannot be told. */
  #collect(expression: string, walk: Walk): string | undefined {
    const selectors = this.#parse(expression);
    if (selectors === undefined) return unknownSyntax;
    for (const selector of selectors) {
      const failure = this.#collectSelector(selector, walk);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /** The series of a recording rule may have lost the labels that tie them; then what it is made from counts. */
  #collectSelector(selector: Selector, walk: Walk): string | undefined {
    const { series, failure } = walk.known.get(selector.text)!;
    if (series === undefined) return failure;
    const ids = walk.tie(selector, series);
    for (const id of ids) walk.ids.add(id);
    if (ids.length > 0 || selector.metric === undefined) return undefined;
    return this.#followRecording(selector.metric, walk);
  }

  #followRecording(metric: string, walk: Walk): string | undefined {
    if (walk.seen.has(metric)) return undefined;
    walk.seen.add(metric);
    for (const { name, expression } of walk.recording) {
      const failure = name === metric ? this.#collect(expression, walk) : undefined;
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  async #read(batch: readonly KnownSelector[], signal: AbortSignal | undefined): Promise<void> {
    try {
      const selectors = batch.map(({ selector }) => selector);
      const found = await this.#reader.series(this.#endpoint, { selectors, labels: this.#labels }, signal);
      for (const known of batch) this.#note(known, found.get(known.selector.text)!, '');
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      if (signal?.aborted) return;
      const isAlone = batch.length === 1;
      for (const known of batch) {
        known.isAlone = true;
        if (isAlone) this.#note(known, known.series, `Prometheus ${error.message}`);
      }
    }
  }

  #note(known: KnownSelector, series: readonly Labels[] | undefined, failure: string): void {
    if (!isSameSeries(series, known.series) || failure !== known.failure) this.version++;
    const hadSeries = hasSeries(known);
    known.series = series;
    known.failure = failure;
    if (failure === '') known.isAlone = known.selector.metric === undefined;
    if (!hadSeries && hasSeries(known)) known.waitMs = firstWaitMs;
    known.dueMs = this.#now() + known.waitMs;
    known.waitMs = Math.min(2 * known.waitMs, longestWaitMs);
  }

  #takeBudget(): boolean {
    const now = this.#now();
    this.#requestTimes = this.#requestTimes.filter((at) => at > now - 60_000);
    if (this.#requestTimes.length >= maxRequestsPerMinute) return false;
    this.#requestTimes.push(now);
    return true;
  }

  #parse(expression: string): readonly Selector[] | undefined {
    if (!this.#parsed.has(expression)) this.#parsed.set(expression, selectorsOf(expression));
    return this.#parsed.get(expression);
  }
}

function unknownYet(selector: Selector): KnownSelector {
  return {
    selector,
    series: undefined,
    failure: notAskedYet,
    dueMs: 0,
    waitMs: firstWaitMs,
    isAlone: selector.metric === undefined,
  };
}

function hasSeries({ series }: KnownSelector): boolean {
  return series !== undefined && series.length > 0;
}

function signatureOf({ alerting, recording }: Rules): string {
  return JSON.stringify(
    [...alerting, ...recording].map(({ name, expression, labels }) => [name, expression, labels]),
  );
}

type KnownSeries = KnownSelector['series'];

function isSameSeries(one: KnownSeries, other: KnownSeries): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && one.every((labels, at) => isSameLabels(labels, other[at]!));
}

function isSameLabels(one: Labels, other: Labels): boolean {
  for (const name in one) if (one[name] !== other[name]) return false;
  for (const name in other) if (!Object.hasOwn(one, name)) return false;
  return true;
}

interface Walk {
  readonly tie: (selector: Selector, series: readonly Labels[]) => readonly string[];
  readonly ids: Set<string>;
  /** The recorded metrics on the way, which may refer to each other. */
  readonly seen: Set<string>;
  readonly known: ReadonlyMap<string, KnownSelector>;
  readonly recording: Rules['recording'];
}

/** Selectors of the same metric go into different batches, and so do those that must be read alone. */
function batchesOf(due: readonly KnownSelector[]): KnownSelector[][] {
  const batches: KnownSelector[][] = [];
  /** The first selectors of all metrics, then the second ones, and so on. */
  const rounds: KnownSelector[][] = [];
  const counts = new Map<string | undefined, number>();
  for (const known of due) {
    if (known.isAlone) batches.push([known]);
    else {
      const { metric } = known.selector;
      const round = counts.get(metric) ?? 0;
      counts.set(metric, round + 1);
      if (rounds.length === round) rounds.push([]);
      rounds[round]!.push(known);
    }
  }
  for (const round of rounds) {
    for (let at = 0; at < round.length; at += maxBatch) batches.push(round.slice(at, at + maxBatch));
  }
  return batches;
}
