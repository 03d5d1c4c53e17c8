import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale } from '../../testing/scale.ts';
import { seed } from '../../testing/seed.ts';
import { applyChange, type Replayed } from '../testing/apply-change.ts';
import { expectProblem, toAnswer } from '../testing/check-answer.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { type Format, type Sending, Station } from '../testing/station.ts';
import type { PastChange, WriteResult } from '../testing/station-answers.ts';
import { labelOf, type Outcome, StationModel, type TypeDefaults } from '../testing/station-model.ts';
import { anySteps, type Condition, type Step, typeKeys } from './testing/step-arbitrary.ts';

type Steps<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

const ok = async (response: Response) => {
  expect(response.status, await response.clone().text()).toBe(200);
  return response;
};

/** A station and what it must be by now, at each of its revisions. */
class ModelledStation {
  readonly #server: RunningServer;
  readonly #station: Station;
  readonly #epoch: string;
  readonly #types = new Map<string, TypeDefaults>();
  /** By the number of the revision. */
  readonly #models = [new StationModel()];

  static async create(server: RunningServer, name: string): Promise<ModelledStation> {
    const station = await Station.create(server, name);
    const modelled = new ModelledStation(server, station, (await station.described()).revision);
    for (const key of typeKeys) await modelled.#putType(key, { product: '', alertable: true });
    return modelled;
  }

  private constructor(server: RunningServer, station: Station, revision: string) {
    this.#server = server;
    this.#station = station;
    this.#epoch = revision.split('.')[0]!;
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'batch') await this.#takeBatch(step);
    else if (step.kind === 'remove') await this.#takeRemoval(step);
    else await this.#putType(step.key, step.defaults);
    expect(await this.#station.list()).toMatchObject({
      resources: this.#model.listed,
      revision: this.#revision,
    });
  }

  async checkEverything(): Promise<void> {
    const { records, figures, summary } = this.#model;
    const revision = this.#revision;
    expect(await this.#station.summary()).toEqual({ ...summary, revision });
    expect(await this.#station.described()).toMatchObject({ revision, resources: figures });
    expect(await this.#station.records()).toEqual(records);
    const lines = (await this.#station.export('ndjson')).split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(records);
    const csv = await this.#station.post(await this.#station.export('csv'), 'csv', {
      query: '?mode=replace&allow_removal=0',
    });
    expect(await csv.json()).toMatchObject({ created: 0, updated: 0, unchanged: records.length, revision });
    this.#replay(await this.#station.history(7));
  }

  get #model(): StationModel {
    return this.#models.at(-1)!;
  }

  get #revision(): string {
    return `${this.#epoch}.${this.#models.length - 1}`;
  }

  async #putType(key: string, defaults: TypeDefaults): Promise<void> {
    this.#types.set(key, defaults);
    const body = JSON.stringify({ ...defaults, labels: { en: labelOf(key) } });
    const headers = { 'Content-Type': 'application/json' };
    const path = `/roster/v1/resource-types/${key}`;
    expect((await this.#server.fetch(path, { method: 'PUT', body, headers })).ok).toBe(true);
  }

  async #takeBatch({ batch, isDryRun, format, condition }: Steps<'batch'>): Promise<void> {
    const allow = batch.allowRemoval === undefined ? '' : `&allow_removal=${batch.allowRemoval}`;
    const query = `?mode=${batch.mode}&dry_run=${isDryRun}${allow}`;
    const headers = this.#ifMatch(condition);
    const response = await this.#post(batch.records, format, { query, headers });
    if (!holds(condition)) {
      expectProblem(await toAnswer(response), 412, 'revision_mismatch');
      return;
    }
    const outcome = this.#model.apply(batch, this.#types);
    if (isDryRun) await this.#checkPlan(response, outcome, batch.records.length);
    else await this.#checkWrite(response, outcome, batch.records.length);
  }

  /** Only JSON has a form for no records here. */
  #post(records: readonly object[], format: Format, sending: Sending): Promise<Response> {
    const possible = records.length === 0 ? 'json' : format;
    return this.#station.post(render(records, possible), possible, sending);
  }

  async #checkWrite(response: Response, outcome: Outcome, sent: number): Promise<void> {
    if ('refusedWith' in outcome) {
      const status = outcome.refusedWith === 'invalid_records' ? 422 : 409;
      expectProblem(await toAnswer(response), status, outcome.refusedWith);
      return;
    }
    const { after, created, updated, removed } = outcome;
    const changed = created.length + updated.length;
    if (changed + removed.length > 0) this.#models.push(after);
    expect((await (await ok(response)).json()) as WriteResult).toEqual({
      revision: this.#revision,
      created: created.length,
      updated: updated.length,
      unchanged: sent - changed,
      removed: removed.length,
      new_types: [],
      new_states: [],
    });
  }

  async #checkPlan(response: Response, outcome: Outcome, sent: number): Promise<void> {
    if ('refusedWith' in outcome && outcome.refusedWith === 'invalid_records') {
      expectProblem(await toAnswer(response), 422, 'invalid_records');
      return;
    }
    const plan = (await (await ok(response)).json()) as WriteResult & {
      refusal: { code: string } | null;
      changes: PastChange[];
    };
    expect(plan.revision).toBe(this.#revision);
    expect(plan.refusal?.code).toBe('refusedWith' in outcome ? outcome.refusedWith : undefined);
    if ('refusedWith' in outcome) return;
    const { after, created, updated, removed } = outcome;
    expect(plan.unchanged).toBe(sent - created.length - updated.length);
    const planned = (kind: string) => plan.changes.filter(({ change }) => change === kind);
    const idsOf = (kind: string) => planned(kind).map(({ resource_id: id }) => id);
    expect(idsOf('created').sort()).toEqual(created.toSorted());
    expect(idsOf('updated').sort()).toEqual(updated.toSorted());
    expect(idsOf('removed')).toEqual(removed.toSorted());
    for (const { change, resource_id: id, resource } of plan.changes) {
      expect(resource).toEqual((change === 'removed' ? this.#model : after).resources.get(id));
    }
  }

  async #takeRemoval({ resourceId, condition }: Steps<'remove'>): Promise<void> {
    const response = await this.#station.remove(resourceId, this.#ifMatch(condition));
    if (!holds(condition)) expectProblem(await toAnswer(response), 412, 'revision_mismatch');
    else if (!this.#model.resources.has(resourceId)) {
      expectProblem(await toAnswer(response), 404, 'resource_not_found');
    } else {
      this.#models.push(this.#model.without(resourceId));
      expect(await (await ok(response)).json()).toMatchObject({ revision: this.#revision, removed: 1 });
    }
  }

  #ifMatch(condition: Condition): Record<string, string> {
    const number = this.#models.length - 1;
    const revisions = {
      right: this.#revision,
      earlier: number === 0 ? 'never.0' : `${this.#epoch}.${number - 1}`,
      later: `${this.#epoch}.${number + 1}`,
      'other epoch': `x${this.#epoch}.${number}`,
    };
    return condition === 'none' ? {} : { 'If-Match': `"${revisions[condition]}"` };
  }

  /** Follows the history from the first revision to the last, through every state in between. */
  #replay(changes: readonly PastChange[]): void {
    const state: Replayed = new Map();
    let at = 0;
    for (const [revision, model] of this.#models.entries()) {
      for (; changes[at]?.revision === `${this.#epoch}.${revision}`; at++) applyChange(state, changes[at]!);
      expect(new Map([...state].sort())).toEqual(new Map([...model.resources].sort()));
    }
    expect(at).toBe(changes.length);
  }
}

function holds(condition: Condition): boolean {
  return condition === 'none' || condition === 'right';
}

function render(records: readonly object[], format: Format): string {
  const lines = records.map((record) => JSON.stringify(record));
  if (format === 'json') return `[${lines.join()}]`;
  return lines.map((line) => (format === 'yaml' ? `- ${line}\n` : `${line}\n`)).join('');
}

it(`leaves a station equal to a plain model after any sequence of writes, seed ${seed}`, async () => {
  const server = await startServer();
  let run = 0;
  const follows = async (steps: readonly Step[]) => {
    const modelled = await ModelledStation.create(server, `run-${run++}`);
    for (const step of steps) await modelled.take(step);
    await modelled.checkEverything();
  };
  await fc.assert(fc.asyncProperty(anySteps, follows), { seed, numRuns: scale(6, 60) });
  expect(server.process.stderr).toBe('');
});
