import { RosterClientError } from '../errors.ts';
import { revisionHeader } from '../http/request.ts';
import type { OpenAnswer } from '../http/transport.ts';
import type { RecordView } from '../roster-wire.ts';

export const exportFormats = ['ndjson', 'csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A stream of all matches in one snapshot. It can be read once, in one of three ways. */
export class Export {
  readonly revision: string | undefined;
  readonly language: string | undefined;
  readonly #answer: OpenAnswer;
  readonly #format: ExportFormat;

  constructor(answer: OpenAnswer, format: ExportFormat) {
    const { headers } = answer.response;
    this.revision = headers.get(revisionHeader) ?? undefined;
    this.language = headers.get('content-language') ?? undefined;
    this.#answer = answer;
    this.#format = format;
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    const { attempt, response } = this.#answer;
    const reader = response.body?.getReader();
    try {
      for (;;) {
        const chunk = await attempt.next(async () => reader?.read());
        if (chunk === undefined || chunk.done) return;
        yield chunk.value;
      }
    } finally {
      attempt.close();
      // A reader that stops early does not want the rest.
      await reader?.cancel().catch(() => {});
    }
  }

  /** In chunks that may end anywhere. */
  async *text(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    for await (const bytes of this.bytes()) yield decoder.decode(bytes, { stream: true });
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  }

  /** Needs the format `ndjson`. */
  async *records(): AsyncGenerator<RecordView, void, undefined> {
    if (this.#format !== 'ndjson') {
      throw new RosterClientError(
        'invalid_argument',
        `records() needs the format ndjson, not ${this.#format}`,
      );
    }
    let rest = '';
    for await (const text of this.text()) {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield parseLine(line);
    }
    if (rest !== '') yield parseLine(rest);
  }
}

function parseLine(line: string): RecordView {
  try {
    return JSON.parse(line) as RecordView;
  } catch (cause) {
    const message = `a line of the export is not JSON: ${JSON.stringify(line.slice(0, 120))}`;
    throw new RosterClientError('malformed_answer', message, { cause });
  }
}
