import type { Socket } from 'node:net';
import type { OperationId } from '@roster/contract';
import { Counter, type Registry } from 'prom-client';
import type { Exchange } from '../http/exchange.ts';
import { type Distribution, Distributions } from './distributions.ts';

const countedBytes = Symbol('bytes sent when the last answer was counted');

interface MeasuredSocket extends Socket {
  [countedBytes]?: number;
}

interface Series {
  readonly durations: Distribution;
  readonly sizes: Distribution;
}

const turnedAwayReasons = ['overload', 'rate_limit'] as const;
type TurnedAwayReason = (typeof turnedAwayReasons)[number];

type Label = 'operation' | 'method' | 'status';

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts requests by operation, method and class of status, never by anything that a client can make up. */
export class RequestMetrics {
  readonly #durations: Distributions<Label>;
  readonly #sizes: Distributions<Label>;
  readonly #series = new Map<string, Series>();
  /** Completed lists, the most frequent requests, by class of status. */
  readonly #lists: (Series | undefined)[] = [];
  readonly #turnedAway: Counter<'reason'>;

  constructor(registry: Registry) {
    this.#durations = new Distributions(registry, {
      name: 'roster_http_request_duration_seconds',
      help: 'How long requests took, from their head to the end of their answer.',
      bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
    this.#sizes = new Distributions(registry, {
      name: 'roster_http_response_size_bytes',
      help: 'How large answers were as sent, headers included.',
      bounds: [2 ** 10, 2 ** 12, 2 ** 14, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 24, 2 ** 28],
    });
    this.#turnedAway = new Counter({
      name: 'roster_http_requests_turned_away_total',
      help: 'Requests refused unread, because of overload or a rate limit.',
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const reason of turnedAwayReasons) this.#turnedAway.inc({ reason }, 0);
  }

  /** Call this when the response is closed. */
  count(exchange: Exchange): void {
    const { durations, sizes } = this.#seriesOf(exchange);
    durations.observe((performance.now() - exchange.startedAtMs) / 1000);
    sizes.observe(sentSinceLastCount(exchange.request.socket));
  }

  turnAway(reason: TurnedAwayReason): void {
    this.#turnedAway.inc({ reason });
  }

  #seriesOf({ operation, request, response }: Exchange): Series {
    const { statusCode, writableFinished } = response;
    const method = request.method!;
    const statusClass = Math.floor(statusCode / 100);
    if (operation === 'listResources' && method === 'GET' && writableFinished) {
      this.#lists[statusClass] ??= this.#find('listResources', 'GET', `${statusClass}xx`);
      return this.#lists[statusClass];
    }
    const status = writableFinished ? `${statusClass}xx` : 'aborted';
    return this.#find(operation ?? 'other', methods.has(method) ? method : 'other', status);
  }

  #find(operation: OperationId | 'other', method: string, status: string): Series {
    return this.#series.getOrInsertComputed(`${operation} ${method} ${status}`, () => {
      const labels = { operation, method, status };
      return { durations: this.#durations.add(labels), sizes: this.#sizes.add(labels) };
    });
  }
}

/** A connection sends one answer after the other, and each is counted at its end. */
function sentSinceLastCount(socket: MeasuredSocket): number {
  const { bytesWritten, [countedBytes]: before = 0 } = socket;
  socket[countedBytes] = bytesWritten;
  return bytesWritten - before;
}
