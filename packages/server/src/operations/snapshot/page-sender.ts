import { jsonType } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { joinHeaders } from '../../http/headers.ts';
import type { OperationOptions } from '../operation-options.ts';
import type { LocalisedSnapshot } from './localised-snapshot.ts';

export interface SentPage {
  readonly body: Buffer;
  /** Otherwise it was rendered into memory of the writer just now. */
  readonly isKept: boolean;
  /** Further header lines. */
  readonly lines: string;
}

/** Sends pages of resources raw, from reused memory: consoles and pollers ask for them all day. */
export class PageSender {
  readonly #options: Pick<OperationOptions, 'writer' | 'browserProtection'>;

  constructor(options: Pick<OperationOptions, 'writer' | 'browserProtection'>) {
    this.#options = options;
  }

  sendUnchanged(localised: LocalisedSnapshot, exchange: Exchange): void {
    const lines = this.#headerLines(localised, exchange);
    this.#options.writer.sendHead(exchange.response, { status: 304, lines });
  }

  sendPage(page: SentPage, localised: LocalisedSnapshot, exchange: Exchange): void {
    const { body, isKept, lines } = page;
    const { writer } = this.#options;
    const about = `Content-Type: ${jsonType}\r\nContent-Length: ${body.length}\r\n${lines}`;
    const head = { status: 200, lines: about + this.#headerLines(localised, exchange) } as const;
    if (exchange.request.method === 'HEAD') writer.sendHead(exchange.response, head);
    else {
      if (isKept) writer.take(body.length).set(body);
      writer.sendTaken(exchange.response, head);
    }
  }

  #headerLines(localised: LocalisedSnapshot, exchange: Exchange): string {
    const lines = localised.headerLines + this.#options.browserProtection.headerLinesFor(exchange);
    return lines + joinHeaders(exchange.rateHeaders);
  }
}
