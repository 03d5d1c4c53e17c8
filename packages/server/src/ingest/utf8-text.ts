import { isUtf8 } from 'node:buffer';
import { RosterError } from '@roster/contract';

/** Stands for bytes that are not UTF-8. No valid text decodes to it, so whoever finds it knows where they were. */
const invalidMark = '\udc00';
const loneSurrogate = /\p{Cs}/u;
const byteOrderMarkLength = 3;

/** Decodes UTF-8 that arrives in chunks, without its byte order mark. */
export class Utf8Text {
  #rest: Buffer = Buffer.alloc(0);
  #isAtStart = true;

  push(chunk: Buffer): string {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const isWaiting = this.#isAtStart && bytes.length < byteOrderMarkLength;
    const end = isWaiting ? 0 : completeLength(bytes);
    this.#rest = bytes.subarray(end);
    return this.#decode(bytes.subarray(0, end));
  }

  end(): string {
    return this.#decode(this.#rest);
  }

  #decode(bytes: Buffer): string {
    const text = isUtf8(bytes) ? bytes.toString() : markInvalid(bytes);
    if (!this.#isAtStart || bytes.length === 0) return text;
    this.#isAtStart = false;
    refuseUtf16(bytes);
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }
}

/** The offset of the first bytes that were not UTF-8 in text of `Utf8Text`, or -1. */
export function findInvalid(text: string): number {
  return text.isWellFormed() ? -1 : text.search(loneSurrogate);
}

/** How many bytes there are before a character that the next chunk may complete. */
function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The decoder writes U+FFFD for what is invalid; one that the text itself has must not be taken for it. */
function markInvalid(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .split('\xef\xbf\xbd')
    .map((part) => Buffer.from(part, 'latin1').toString().replaceAll('\ufffd', invalidMark))
    .join('\ufffd');
}

function refuseUtf16(bytes: Buffer): void {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16)
    throw new RosterError('invalid_body', 'the body must be UTF-8; it is UTF-16: save it as UTF-8');
}
