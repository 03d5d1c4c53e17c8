import { writeFileSync } from 'node:fs';
import { formatQuery } from '../../dataset/format-query.ts';
import {
  type DocumentedCaseName,
  type ListCaseName,
  queriesOfCase,
  searchOfCase,
} from '../../dataset/list-cases.ts';
import type { StationData } from '../../dataset/station-data.ts';
import type { LoadTarget } from '../../load/load-slice.ts';
import { type Contender, listPath } from '../../servers/contender.ts';
import type { RawServer } from '../../servers/start-raw-server.ts';
import type { Workspace } from '../../workspace.ts';
import { searchWithAnswer, verifyAnswers, withAnswers } from '../verify-answers.ts';

const unrepeatedCount = 20_000;

/** The plain scan is slow, so only a sample of a large mix is checked. */
const scannedResources = 40_000_000;
const checkedOfSubject = { min: 40, max: 1000 };
const checkedOfOthers = 40;

/** One case at one size, checked and ready to be measured. */
export interface PreparedListCase {
  readonly name: ListCaseName;
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The set of responses in the raw server. */
  readonly rawSet: string;
  /** Some of the paths, for warming up. */
  readonly samplePaths: readonly string[];
  targetInRound(round: number): LoadTarget;
  /** The same query with URLs that never repeat, to bypass every cache. */
  readonly unrepeated: ((round: number) => LoadTarget) | undefined;
}

export interface PrepareOptions {
  readonly workspace: Workspace;
  readonly raw: RawServer;
  readonly data: StationData;
  /** All contenders with this station; the raw server copies the first. */
  readonly contenders: readonly Contender[];
}

/** Checks every contender's answers and hands the first one's to the raw server. */
export async function prepareListCase(
  name: ListCaseName,
  options: PrepareOptions,
): Promise<PreparedListCase | undefined> {
  const { data, raw, contenders } = options;
  const subject = contenders[0]!;
  const paths = await checkPaths(name, options);
  const headers = name === '304' ? await conditionalHeaders(subject, paths[0]!) : {};
  if (headers === undefined) return undefined;
  const rawSet = `${name}@${data.size}`;
  await raw.capture({
    set: rawSet,
    origin: subject.origin,
    paths,
    headers,
  });
  await expectSameBytes(raw, { rawSet, subject, path: paths[0]!, headers });
  const targetInRound = targetOf(options.workspace, rawSet, paths);
  const unrepeated =
    paths.length === 1 && name !== '304'
      ? targetOf(options.workspace, `${rawSet}-unrepeated`, unrepeatedPaths(paths[0]!))
      : undefined;
  return {
    name,
    size: data.size,
    headers,
    rawSet,
    samplePaths: paths.slice(0, 500),
    targetInRound,
    unrepeated,
  };
}

/** Checks the answers of a case, and returns its paths. */
async function checkPaths(name: ListCaseName, { data, contenders }: PrepareOptions): Promise<string[]> {
  const search = searchOfCase[name];
  const subject = contenders[0]!;
  if (search !== undefined) {
    const checked = searchWithAnswer(search, data.sorted);
    await verifyAnswers(subject, [checked]);
    return [checked.path];
  }
  const queries = queriesOfCase(name as DocumentedCaseName, data.resources);
  const checked = withAnswers(queries.slice(0, sampleSize(data.size)), data.sorted);
  for (const contender of contenders) {
    await verifyAnswers(contender, contender === subject ? checked : checked.slice(0, checkedOfOthers));
  }
  return queries.map((query) => listPath(formatQuery(query)));
}

function sampleSize(size: number): number {
  const { min, max } = checkedOfSubject;
  return Math.max(min, Math.min(max, Math.floor(scannedResources / size)));
}

/** `page.total` in a request changes nothing in the answer. */
function unrepeatedPaths(path: string): string[] {
  return Array.from({ length: unrepeatedCount }, (_, index) => `${path}&page.total=${10_000 + index}`);
}

function targetOf(workspace: Workspace, rawSet: string, paths: readonly string[]) {
  if (paths.length === 1) return () => ({ path: paths[0]! });
  const pathsFile = workspace.path(`${rawSet}.txt`);
  writeFileSync(pathsFile, `${paths.join('\n')}\n`);
  const stride = Math.floor(paths.length * 0.382);
  return (round: number) => ({ pathsFile, start: (round * stride) % paths.length });
}

async function conditionalHeaders(
  subject: Contender,
  path: string,
): Promise<Record<string, string> | undefined> {
  const response = await fetch(`${subject.origin}${path}`);
  await response.arrayBuffer();
  const etag = response.headers.get('etag');
  return etag === null ? undefined : { 'If-None-Match': etag };
}

interface SameBytesCheck {
  readonly rawSet: string;
  readonly subject: Contender;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The ratio is meaningful only if both servers send the same bytes. */
async function expectSameBytes(raw: RawServer, check: SameBytesCheck): Promise<void> {
  await raw.select(check.rawSet);
  const [ours, theirs] = await Promise.all(
    [check.subject.origin, raw.origin].map(async (origin) => {
      const response = await fetch(`${origin}${check.path}`, { headers: check.headers });
      const names = [...response.headers.keys()].sort().join();
      return `${response.status} ${names} ${await response.text()}`;
    }),
  );
  if (ours !== theirs) {
    const shown = [ours, theirs].map((text) => text?.slice(0, 300)).join('\n');
    throw new Error(
      `the raw server does not answer ${check.rawSet} as ${check.subject.name} does:\n${shown}`,
    );
  }
}
