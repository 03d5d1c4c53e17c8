import { parseSummaryQuery } from '@roster/contract';
import type { Counts, Engine, Summary } from '@roster/engine';
import type { Handlers } from '../../http/answer.ts';
import { matchesEtag } from '../../http/headers.ts';
import type { HeavyReads } from '../../pipeline/shedding/heavy-reads.ts';
import { readStation } from '../snapshot/read-station.ts';

export function summaryOperations(
  engine: Engine,
  heavyReads: HeavyReads,
): Pick<Handlers, 'summariseResources'> {
  return {
    async summariseResources(exchange) {
      const query = parseSummaryQuery(exchange.search);
      const read = heavyReads.begin(exchange);
      const { snapshot, labels, localised } = await readStation(exchange, engine);
      const { headers, etag, locale } = localised;
      if (matchesEtag(exchange.request.headers['if-none-match'], etag)) return { status: 304, headers };
      await read.slicer.pause();
      const labelOf = (typeKey: string) => labels.labelOf(typeKey, locale);
      return { headers, body: viewSummary(snapshot.summarise(query), labelOf) };
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
