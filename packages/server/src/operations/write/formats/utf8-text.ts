import { isUtf8 } from 'node:buffer';
import { RosterError } from '@roster/contract';

/** Replaces bytes that are not UTF-8. No valid text decodes to it. */
const invalidMark = '\udc00';
const loneSurrogate = /\p{Cs}/u;
const notBlank = /[^ \t\r\n]/;

export const notUtf8 = 'is not valid UTF-8; save the file as UTF-8';

const utf16 = 'the body must be UTF-8; it is UTF-16: save it as UTF-8';
const compressed = (encoding: string) =>
  `the body must be text; it is compressed: send it with Content-Encoding: ${encoding}, or decompress it`;

/** How other kinds of files begin, in Latin-1, and what to do. */
const signatures: Readonly<Record<string, string>> = {
  '\xff\xfe': utf16,
  '\xfe\xff': utf16,
  '\x1f\x8b': compressed('gzip'),
  '\x28\xb5\x2f\xfd': compressed('zstd'),
  'PK\x03\x04': 'the body must be text; it is a workbook (.xlsx) or another zip file: save the sheet as CSV',
};
const maxSignatureLength = 4;

/**
 * Decodes the UTF-8 of a body, which arrives in chunks, without its byte order mark. Refuses other known kinds of
 * files, and an empty body, which a broken pipe leaves.
 */
export class Utf8Text {
  #rest: Buffer = Buffer.alloc(0);
  #isAtStart = true;
  #isBlank = true;

  push(chunk: Buffer): string {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (!this.#isAtStart || bytes.length >= maxSignatureLength)
      return this.#decode(bytes, completeLength(bytes));
    this.#rest = bytes;
    return '';
  }

  end(): string {
    const text = this.#decode(this.#rest, this.#rest.length);
    if (this.#isBlank) throw new RosterError('invalid_body', 'the body is empty');
    return text;
  }

  #decode(bytes: Buffer, end: number): string {
    this.#rest = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    let text = isUtf8(whole) ? whole.toString() : markInvalid(whole);
    if (this.#isAtStart) {
      refuseOther(bytes);
      this.#isAtStart = false;
      if (text.startsWith('\ufeff')) text = text.slice(1);
    }
    this.#isBlank &&= !notBlank.test(text);
    return text;
  }
}

/** The offset of the first bytes that were not UTF-8 in text of `Utf8Text`, or -1. */
export function findInvalid(text: string): number {
  return text.isWellFormed() ? -1 : text.search(loneSurrogate);
}

/** How many bytes there are before a character that may continue in the next chunk. */
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

/** The decoder writes U+FFFD for invalid bytes, which must not be confused with a U+FFFD of the text itself. */
function markInvalid(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .split('\xef\xbf\xbd')
    .map((part) => Buffer.from(part, 'latin1').toString().replaceAll('\ufffd', invalidMark))
    .join('\ufffd');
}

function refuseOther(bytes: Buffer): void {
  const start = bytes.toString('latin1', 0, maxSignatureLength);
  for (const [signature, message] of Object.entries(signatures)) {
    if (start.startsWith(signature)) throw new RosterError('invalid_body', message);
  }
}
