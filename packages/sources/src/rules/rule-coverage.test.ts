import { describe, expect, it } from 'vitest';
import type { AlertingRule, RecordingRule } from '../prometheus/read-rules.ts';
import { directReader } from '../reader/source-reader.ts';
import { fakeServer, sendJson } from '../testing/fake-server.ts';
import { RuleCoverage } from './rule-coverage.ts';

type Series = Record<string, string>;

const alerting = (name: string, expression: string, labels: Series = {}): AlertingRule => ({
  name,
  expression,
  labels,
  alerts: [],
});
const find = ({ host }: Readonly<Series>) => (host === undefined ? [] : [host]);

/** Answers with the series of each `match[]` by its text, and notes the questions. */
async function prometheusWith(series: Record<string, Series[] | 'error'>, questions: string[][] = []) {
  return fakeServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const selectors = new URLSearchParams(body).getAll('match[]');
      questions.push(selectors);
      const found = selectors.map((selector) => series[selector] ?? []);
      if (found.includes('error')) response.statusCode = 422;
      sendJson(
        response,
        found.includes('error') ? { error: 'bad' } : { status: 'success', data: found.flat() },
      );
    });
  });
}

async function coverageOf(
  series: Record<string, Series[] | 'error'>,
  alertingRules: AlertingRule[],
  recording: RecordingRule[] = [],
): Promise<Record<string, string[] | string>> {
  const coverage = new RuleCoverage(await prometheusWith(series), ['host'], directReader);
  await coverage.setRules({ alerting: alertingRules, recording, warnings: [] });
  await coverage.refresh();
  await coverage.refresh();
  return Object.fromEntries(
    [...coverage.coverage(find)].map((each) => [
      each.rule.name,
      'ids' in each ? [...each.ids].sort() : each.cannotTell,
    ]),
  );
}

describe('RuleCoverage', () => {
  it('asks for selectors of one metric in turn, however many, and singly after a failure', async () => {
    const questions: string[][] = [];
    const series: Record<string, Series[] | 'error'> = { a: 'error' };
    const coverage = new RuleCoverage(await prometheusWith(series, questions), ['host'], directReader);
    const ofOne = Array.from({ length: 30_000 }, (_, at) => alerting(`R${at}`, `up{x="${at}"} == 0`));
    await coverage.setRules({ alerting: ofOne, recording: [], warnings: [] });
    await coverage.refresh();
    expect(new Set(questions.map((selectors) => selectors.length))).toEqual(new Set([1]));

    const others = new RuleCoverage(await prometheusWith(series, questions), ['host'], directReader);
    await others.setRules({
      alerting: ['a', 'b', 'c'].map((metric) => alerting(metric, `${metric} > 0`)),
      recording: [],
      warnings: [],
    });
    questions.length = 0;
    await others.refresh();
    await others.refresh();
    expect(questions.map((selectors) => selectors.join()).sort()).toEqual(['a', 'a,b,c', 'b', 'c']);
  });

  it('goes by the rules from before until new ones are taken in, and a count goes on with those it began with', async () => {
    const series = { old: [{ __name__: 'old', host: 'a' }] };
    const coverage = new RuleCoverage(await prometheusWith(series), ['host'], directReader);
    const rules = (...all: AlertingRule[]) => ({ alerting: all, recording: [], warnings: [] });
    const many = (metric: string) =>
      Array.from({ length: 300 }, (_, at) => alerting(`R${at}`, `${metric} > ${at}`));
    await coverage.setRules(rules(...many('old')));
    await coverage.refresh();
    const { version } = coverage;
    const names = (counted: Iterable<object>) => [...counted].map((each) => Object.keys(each).join());
    const before = names(coverage.coverage(find));
    const begun = coverage.coverage(find);
    begun.next();
    const taking = coverage.setRules(rules(...many('new'), alerting('More', 'more > 1')));
    expect(names(coverage.coverage(find))).toEqual(before);
    expect(coverage.version).toBe(version);
    await taking;
    expect(names(begun)).toEqual(before.slice(1));
    expect(coverage.version).toBe(version + 1);
    expect(names(coverage.coverage(find))).toEqual(Array(301).fill('rule,cannotTell'));
  });

  it('tells the resources whose series a rule selects', async () => {
    const series = {
      up: [
        { __name__: 'up', host: 'a' },
        { __name__: 'up', host: 'b' },
      ],
      'x{y="z"}': [
        { __name__: 'x', host: 'b', cpu: '0' },
        { __name__: 'x', host: 'b', cpu: '1' },
      ],
    };
    expect(
      await coverageOf(series, [alerting('Down', 'up == 0'), alerting('Both', 'x{y="z"} > on(host) up')]),
    ).toEqual({ Down: ['a', 'b'], Both: ['a', 'b'] });
  });

  it('follows recording rules whose series have lost the label', async () => {
    const series = {
      raw: [{ __name__: 'raw', host: 'a' }],
      kept: [{ __name__: 'kept', host: 'b' }],
      'job:raw:sum': [{ __name__: 'job:raw:sum' }],
    };
    const recording = [
      { name: 'job:raw:sum', expression: 'sum(raw) or again', labels: {} },
      { name: 'again', expression: 'job:raw:sum', labels: {} },
      { name: 'kept', expression: 'raw', labels: {} },
    ];
    const rules = [alerting('Sum', 'job:raw:sum > 1'), alerting('Kept', 'kept > 1')];
    expect(await coverageOf(series, rules, recording)).toEqual({ Sum: ['a'], Kept: ['b'] });
  });

  it('counts what absent() is about, and labels that a rule sets', async () => {
    const rules = [
      alerting('Gone', 'absent(up{host="c"})'),
      alerting('Set', 'total > 1', { host: 'd' }),
      alerting('Template', 'total > 1', { host: '{{ $labels.x }}' }),
    ];
    const series = { total: [{ __name__: 'total' }] };
    expect(await coverageOf(series, rules)).toEqual({ Gone: ['c'], Set: ['d'], Template: [] });
  });

  it('counts what an alert is about', async () => {
    const alert = { labels: { host: 'e' } } as unknown as NonNullable<AlertingRule['alerts']>[number];
    expect(await coverageOf({}, [{ ...alerting('A', 'x > 1'), alerts: [alert] }])).toEqual({ A: ['e'] });
  });

  it('says what it cannot tell, instead of zero', async () => {
    const rules = [
      alerting('Odd', 'unheard_of(x)'),
      alerting('Refused', 'refused > 1'),
      alerting('Fine', 'fine > 1'),
    ];
    const series = { refused: 'error', fine: [{ __name__: 'fine', host: 'a' }] } as const;
    expect(await coverageOf({ ...series, fine: [...series.fine] }, rules)).toEqual({
      Odd: 'Roster cannot parse its expression',
      Refused: 'Prometheus answered 422: "bad"',
      Fine: ['a'],
    });
  });

  it('asks for many selectors at once, for each metric apart, and not again for a while', async () => {
    const questions: string[][] = [];
    const coverage = new RuleCoverage(
      await prometheusWith({ 'm{a="1"}': [{ __name__: 'm', host: 'a' }] }, questions),
      ['host'],
      directReader,
    );
    const rules = [
      ...Array.from({ length: 30 }, (_, n) => alerting(`R${n}`, `metric_${n} > 1`)),
      alerting('One', 'm{a="1"} > 1'),
      alerting('Two', 'm{a="2"} > 1'),
      alerting('Any', '{job="x"} > 1'),
    ];
    await coverage.setRules({ alerting: rules, recording: [], warnings: [] });
    await coverage.refresh();
    expect(questions.map(({ length }) => length).sort((a, b) => b - a)).toEqual([20, 11, 1, 1]);
    for (const asked of questions)
      expect(asked.filter((text) => text.startsWith('m{')).length).toBeLessThan(2);
    const { version } = coverage;
    await coverage.setRules({ alerting: rules, recording: [], warnings: [] });
    await coverage.refresh();
    expect([questions.length, coverage.version]).toEqual([4, version]);
  });

  it('soon reads again what it has just begun to read, since hosts may still be missing, and then less often', async () => {
    const series: Record<string, Series[]> = { up: [{ __name__: 'up', host: 'a' }] };
    const questions: string[][] = [];
    let now = 0;
    const endpoint = await prometheusWith(series, questions);
    const coverage = new RuleCoverage(endpoint, ['host'], directReader, () => now);
    await coverage.setRules({ alerting: [alerting('Down', 'up == 0')], recording: [], warnings: [] });
    await coverage.refresh();
    series.up!.push({ __name__: 'up', host: 'b' });
    now = 5_000;
    await coverage.refresh();
    const [down] = coverage.coverage(find);
    expect(down).toMatchObject({ ids: new Set(['a', 'b']) });
    const readAt: number[] = [];
    for (; now < 1_300_000; now += 1_000) {
      const before = questions.length;
      await coverage.refresh();
      if (questions.length > before) readAt.push(now / 1_000);
    }
    expect(readAt).toEqual([15, 35, 75, 155, 315, 615, 915, 1215]);
  });

  it('reads first what has waited longest, if it may not read all', async () => {
    const questions: string[][] = [];
    let now = 0;
    const endpoint = await prometheusWith({}, questions);
    const coverage = new RuleCoverage(endpoint, ['host'], directReader, () => now);
    const alone = Array.from({ length: 80 }, (_, n) => alerting(`R${n}`, `{job="${n}"} > 1`));
    await coverage.setRules({ alerting: alone, recording: [], warnings: [] });
    await coverage.refresh();
    now = 61_000;
    await coverage.refresh();
    expect(new Set(questions.flat()).size).toBe(80);
  });

  it('asks at most sixty times a minute', async () => {
    const questions: string[][] = [];
    const coverage = new RuleCoverage(await prometheusWith({}, questions), ['host'], directReader);
    const alone = Array.from({ length: 80 }, (_, n) => alerting(`R${n}`, `{job="${n}"} > 1`));
    await coverage.setRules({ alerting: alone, recording: [], warnings: [] });
    await coverage.refresh();
    await coverage.refresh();
    expect(questions).toHaveLength(60);
    const untold = [...coverage.coverage(find)].filter((each) => 'cannotTell' in each);
    expect(untold).toHaveLength(20);
  });
});
