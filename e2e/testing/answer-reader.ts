export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Reads HTTP/1.1 answers from a stream of bytes. Throws on bytes that are none. */
export class AnswerReader {
  #bytes: Buffer = Buffer.alloc(0);
  #chunks: Buffer[] = [];

  get pendingBytes(): number {
    return this.#joined().length;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  /** The next answer, or undefined while it is incomplete. An answer to HEAD has no body. */
  take(method: string): Answer | undefined {
    const bytes = this.#joined();
    const end = bytes.indexOf(headEnd);
    if (end === -1) return undefined;
    const { status, headers } = parseHead(bytes.toString('latin1', 0, end));
    const bodyStart = end + headEnd.length;
    const hasNoBody = method === 'HEAD' || status < 200 || status === 204 || status === 304;
    const read = hasNoBody ? { body: Buffer.alloc(0), end: bodyStart } : readBody(bytes, bodyStart, headers);
    if (read === undefined) return undefined;
    this.#bytes = bytes.subarray(read.end);
    return { status, headers, body: read.body };
  }

  #joined(): Buffer {
    if (this.#chunks.length > 0) {
      this.#bytes = Buffer.concat([this.#bytes, ...this.#chunks]);
      this.#chunks = [];
    }
    return this.#bytes;
  }
}

function parseHead(text: string): Pick<Answer, 'status' | 'headers'> {
  const [statusLine, ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]+$/.exec(statusLine!)?.[1];
  if (status === undefined) throw new Error(`not an HTTP answer: ${JSON.stringify(text.slice(0, 200))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

interface ReadBody {
  readonly body: Buffer;
  readonly end: number;
}

function readBody(bytes: Buffer, start: number, headers: Answer['headers']): ReadBody | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes, start);
  const length = headers.get('content-length');
  if (length === undefined) throw new Error('an answer with a body says neither its length nor its encoding');
  const end = start + Number(length);
  return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
}

function readChunks(bytes: Buffer, start: number): ReadBody | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), end: next };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
