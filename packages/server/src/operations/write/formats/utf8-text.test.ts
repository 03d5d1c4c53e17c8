import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkSizes } from './testing/arbitraries.ts';
import { findInvalid, Utf8Text } from './utf8-text.ts';

function decode(bytes: Buffer, sizes: readonly number[]): string {
  const utf8 = new Utf8Text();
  let text = '';
  for (let start = 0, at = 0; start < bytes.length; at++) {
    const end = start + sizes[at % sizes.length]!;
    text += utf8.push(bytes.subarray(start, end));
    start = end;
  }
  return text + utf8.end();
}

const filled = fc.string({ unit: 'binary' }).filter((text) => /[^ \t\r\n\ufeff]/.test(text));

describe('Utf8Text', () => {
  it('decodes valid text however it is cut, without its byte order mark', () => {
    fc.assert(
      fc.property(filled, chunkSizes, fc.boolean(), (text, sizes, hasMark) => {
        const expected = text.startsWith('\ufeff') && !hasMark ? text.slice(1) : text;
        expect(decode(Buffer.from(hasMark ? `\ufeff${text}` : text), sizes)).toBe(expected);
      }),
    );
  });

  it('marks what is invalid at the same offset however it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        chunkSizes,
        (before, behind, sizes) => {
          const bytes = Buffer.concat([Buffer.from(`a${before}`), Buffer.from([0xff]), Buffer.from(behind)]);
          expect(findInvalid(decode(bytes, sizes))).toBe(before.length + 1);
        },
      ),
    );
  });

  it.each([
    ['a lone continuation', [0x61, 0x80], 1],
    ['a character that ends too early', [0x61, 0xe8, 0x8a], 1],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 1],
    ['an overlong form', [0xc0, 0xaf], 0],
    ['something behind U+10000 and U+FFFD', [0xf0, 0x90, 0x80, 0x80, 0xef, 0xbf, 0xbd, 0xff], 3],
  ])('finds %s', (_, bytes, offset) => {
    for (const size of [1, 2, 100]) expect(findInvalid(decode(Buffer.from(bytes), [size]))).toBe(offset);
  });

  it('takes the replacement character for what it is', () => {
    expect(findInvalid(decode(Buffer.from('a\ufffdb'), [1]))).toBe(-1);
  });

  it('refuses UTF-16', () => {
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ]) {
      const bytes = Buffer.concat([Buffer.from(mark), Buffer.from('[]', 'utf16le')]);
      for (const size of [1, 100]) {
        expect(() => decode(bytes, [size])).toThrow('the body must be UTF-8; it is UTF-16');
      }
      expect(() => decode(Buffer.from(mark), [1])).toThrow('UTF-16');
    }
  });

  it.each([
    ['gzip', zlib.gzipSync('[]'), 'it is compressed: send it with Content-Encoding: gzip, or decompress it'],
    ['zstd', zlib.zstdCompressSync('[]'), 'it is compressed: send it with Content-Encoding: zstd'],
    ['a workbook', Buffer.from('PK\x03\x04\x14'), 'it is a workbook (.xlsx) or another zip file: save'],
  ])('refuses %s', (_, bytes, message) => {
    for (const size of [1, 3, 4, 100]) expect(() => decode(bytes, [size])).toThrow(message);
  });

  it('takes text that begins almost like something else', () => {
    for (const text of ['PK', 'PK,name', 'PK\x03', '(']) expect(decode(Buffer.from(text), [1])).toBe(text);
  });

  it('refuses what is empty or blank', () => {
    for (const text of ['', '\ufeff', ' ', '\ufeff\r\n', '\t\n'.repeat(9)]) {
      for (const size of [1, 4]) {
        expect(() => decode(Buffer.from(text), [size])).toThrow('the body is empty');
      }
    }
  });
});
