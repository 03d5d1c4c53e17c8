import { parseSummaryQuery } from '@roster/contract';
import { type Counts, type Summary, summariseSearch } from '@roster/engine';
import type { Handlers } from '../../http/answer.ts';
import { matchesEtag } from '../../http/headers.ts';
import type { OperationOptions } from '../operation-options.ts';
import { readStation } from '../snapshot/localised-snapshot.ts';

export function summaryOperations({
  engine,
  heavyReads,
}: OperationOptions): Pick<Handlers, 'summariseResources'> {
  return {
    async summariseResources(exchange) {
      const query = parseSummaryQuery(exchange.search);
      const read = heavyReads.begin(exchange);
      const { snapshot, labelOf, localised } = await readStation(exchange, engine);
      const { headers, etag } = localised;
      if (matchesEtag(exchange.request.headers['if-none-match'], etag)) return { status: 304, headers };
      const slicer = read.endingSlicer;
      await slicer.pause();
      return { headers, body: viewSummary(await summariseSearch(snapshot, query, slicer), labelOf) };
    },
  };
}

function viewSummary(summary: Summary, labelOf: (typeKey: string) => string): object {
  return {
    ...viewCounts(summary),
    types: summary.byType.map((counts) => ({
      key: counts.typeKey,
      label: labelOf(counts.typeKey),
      ...viewCounts(counts),
    })),
    products: summary.byProduct.map((counts) => ({ product: counts.product, ...viewCounts(counts) })),
  };
}

function viewCounts({ total, alertable, covered, uncovered, byState }: Counts): object {
  return { total, alertable, covered, uncovered, states: byState };
}
