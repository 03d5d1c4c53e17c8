import { orderFields } from '@roster/client';
import type { Arguments } from '../../command/arguments.ts';
import type { Call } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import type { Flags } from '../../command/flags.ts';
import { printRows } from '../../output/rows.ts';
import type { View } from '../../output/view.ts';
import { formatCount } from '../../terminal/format-numbers.ts';
import { readSlice, type Slice, sliceTotal, viewOfSlice } from './slice.ts';

/** How to order what a search finds. */
export const orderFlags: Flags = {
  sort: {
    type: 'string',
    value: 'FIELD[:desc]',
    about: `order by ${orderFields.join(', ')}; state sorts worst first`,
  },
};

export const sliceFlags: Flags = {
  limit: { type: 'string', value: 'N', about: 'at most this many' },
  offset: { type: 'string', value: 'N', about: 'skip this many first' },
  'page-size': { type: 'string', value: 'N', about: 'resources per request (default 1000)' },
};

/** As a search takes it. */
export function readOrder(given: Arguments): string | undefined {
  const sort = given.text('sort');
  if (sort === undefined) return undefined;
  const [, field = '', direction] = /^(.*?)(?::(asc|desc))?$/.exec(sort)!;
  if (!(orderFields as readonly string[]).includes(field)) {
    const message = `--sort must be one of ${orderFields.join(', ')}, which may end in :desc, got ${JSON.stringify(field)}`;
    throw new UsageError(message, { given: field, known: [...orderFields] });
  }
  return direction === 'desc' ? `-${field}` : field;
}

/** What may have been meant, where nothing matches. */
export async function tellHints({ terminal }: Call, hints: readonly (string | undefined)[]): Promise<void> {
  for (const hint of hints) if (hint !== undefined) await terminal.tell(`roster: ${hint}`);
}

export function readPageSize(given: Arguments): number {
  return given.count('page-size', 1) ?? 1000;
}

interface AnsweredPage<Row> {
  readonly resources: readonly Row[];
  readonly page: { readonly total: number } | null;
  readonly revision?: string | undefined;
}

type ReadPage<Row> = (
  page: { readonly offset: number; readonly size: number },
  revision: string | undefined,
) => Promise<AnsweredPage<Row>>;

/** Rows that may be a part of more. */
export interface SlicedRows<Row> extends AsyncIterable<Row> {
  /** Of all rows, once some were read, if the server says it. */
  readonly total?: number | undefined;
}

/** Prints rows and says on a terminal if `--limit` and `--offset` cut some off. */
export async function printSlice<Row>(rows: SlicedRows<Row>, view: View<Row>, call: Call): Promise<void> {
  const { given, terminal } = call;
  const slice = readSlice(given);
  await printRows(rows, viewOfSlice(view, slice), call);
  const { total = 0 } = rows;
  const shown = sliceTotal(total, slice);
  if (!terminal.isTerminal || shown === total) return;
  await terminal.tell(`roster: ${formatCount(shown)} of ${formatCount(total)}`);
}

/** Reads a slice page by page; of one station, all from one snapshot. */
export function readPages<Row>(slice: Slice, pageSize: number, read: ReadPage<Row>): SlicedRows<Row> {
  let total: number | undefined;
  const rows = rowsOfPages<Row>(slice, pageSize, async (page, revision) => {
    const answer = await read(page, revision);
    total = answer.page?.total;
    return answer;
  });
  return {
    [Symbol.asyncIterator]: () => rows,
    get total() {
      return total;
    },
  };
}

async function* rowsOfPages<Row>(slice: Slice, pageSize: number, read: ReadPage<Row>): AsyncGenerator<Row> {
  let revision: string | undefined;
  for (let { offset, limit } = slice; limit > 0; ) {
    const size = Math.min(limit, pageSize);
    const answer = await read({ offset, size }, revision);
    const { length } = answer.resources;
    yield* answer.resources.slice(0, limit);
    offset += length;
    limit -= length;
    revision = answer.revision;
    // Some servers return short pages although more resources follow; only the total shows it.
    const isLast = answer.page === null ? length !== size : offset >= answer.page.total;
    if (isLast || length === 0) return;
  }
}
