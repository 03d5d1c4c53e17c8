import type { IncomingMessage } from 'node:http';
import type { Engine } from '@roster/engine';
import type { Headers } from '../../http/headers.ts';

export interface NegotiatedLabels {
  readonly labelOf: (typeKey: string) => string;
  readonly locale: string;
  readonly headers: Headers;
}

/** The labels of types in the language of the request. */
export async function labelsForRequest(request: IncomingMessage, engine: Engine): Promise<NegotiatedLabels> {
  const labels = await engine.labels();
  const locale = labels.localeFor(request.headers['accept-language']);
  return {
    labelOf: (typeKey) => labels.labelOf(typeKey, locale),
    locale,
    headers: { 'Content-Language': locale, Vary: 'Accept-Language' },
  };
}
