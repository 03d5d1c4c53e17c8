import { quote } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';
import type { RequestBody } from '../http/request.ts';
import type { ResourcePatch, ResourceRecord } from '../roster-wire.ts';
import type { RecordFormat } from './record-format.ts';

type Chunk<Item> = string | Uint8Array | Item;

/** Text or bytes in one of the formats, whole or as a stream, or records. A stream cannot be sent again. */
export type WriteInput = Input<ResourceRecord>;

/** The same with patches, as NDJSON or JSON. */
export type PatchInput = Input<ResourcePatch>;

type Input<Item> =
  | string
  | Uint8Array
  | readonly Item[]
  | ReadableStream<Uint8Array>
  | AsyncIterable<Chunk<Item>>;

export interface WriteBody {
  readonly body: RequestBody;
  readonly canRepeat: boolean;
  /** The error that the input threw, if that made the request fail. */
  readonly failure: () => unknown;
}

/** No records: an empty NDJSON body would look like an interrupted upload. */
export function isNothing(input: PatchInput): boolean {
  return Array.isArray(input) && input.length === 0;
}

export function openWriteBody(input: PatchInput, format: RecordFormat): WriteBody {
  if (isNothing(input)) return whole('[]');
  if (typeof input === 'string') return whole(input);
  if (input instanceof Uint8Array) return whole(input as Uint8Array<ArrayBuffer>);
  if (Array.isArray(input)) return whole(input.map((record) => encodeChunk(record, format)).join(''));
  if (input instanceof ReadableStream) return { body: input, canRepeat: false, failure: () => undefined };
  if (typeof input === 'object' && input !== null && Symbol.asyncIterator in input) {
    return streamed(input, format);
  }
  throw invalidArgument(`records must be text, bytes, a list of records or a stream, got ${quote(input)}`);
}

function whole(body: string | Uint8Array<ArrayBuffer>): WriteBody {
  return { body, canRepeat: true, failure: () => undefined };
}

function streamed(input: AsyncIterable<unknown>, format: RecordFormat): WriteBody {
  const iterator = input[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let failure: unknown;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done) return controller.close();
        const chunk = encodeChunk(value, format);
        controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      } catch (error) {
        failure = error;
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return { body, canRepeat: false, failure: () => failure };
}

/** Turns a record into a line; passes text and bytes through. */
function encodeChunk(chunk: unknown, format: RecordFormat): string | Uint8Array {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk;
  if (typeof chunk !== 'object' || chunk === null) {
    throw invalidArgument(`a record must be an object, got ${quote(chunk)}`);
  }
  if (format === 'ndjson') return `${JSON.stringify(chunk)}\n`;
  throw invalidArgument(`records are sent as ndjson; pass text or a stream for ${format}`);
}
