import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, shortOnly } from '../../../../../testing/scale.ts';
import { SeededRandom } from '../../../../../testing/seeded-random.ts';
import { decodeBody } from './decode-body.ts';

const encoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } }),
  zstd: zlib.zstdCompressSync,
};
const names = Object.keys(encoders);

async function* chunksOf(bytes: Buffer, size = 1000): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function decodeAll(bytes: Buffer, encoding: string | undefined, size?: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(decodeBody(chunksOf(bytes, size), encoding, { maxBytes: 1e9 })));
}

describe('decodeBody', () => {
  it('restores what was encoded, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3000 }),
        fc.constantFrom(...names),
        fc.integer({ min: 1, max: 700 }),
        async (bytes, name, size) => {
          expect(await decodeAll(encoders[name]!(Buffer.from(bytes)), name, size)).toEqual(
            Buffer.from(bytes),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(names)('decodes much of %s, in pieces', async (name) => {
    const body = Buffer.alloc(3_000_000, 'all work and no play ');
    const pieces = await Array.fromAsync(
      decodeBody(chunksOf(encoders[name]!(body)), name.toUpperCase(), { maxBytes: 3_000_000 }),
    );
    expect(Buffer.concat(pieces).equals(body)).toBe(true);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(300_000);
  });

  it('accepts gzip with several members', async () => {
    const body = Buffer.concat([zlib.gzipSync('a'), zlib.gzipSync(''), zlib.gzipSync('bc')]);
    for (const size of [1, 7, 1000]) expect(await decodeAll(body, 'gzip', size)).toEqual(Buffer.from('abc'));
  });

  it.each([[undefined], [''], ['identity'], [' Identity ']])('does not change %j', async (encoding) => {
    expect(await decodeAll(Buffer.from('abc'), encoding, 1)).toEqual(Buffer.from('abc'));
  });

  it.each([['compress'], ['gzip, br'], ['gzip,gzip'], ['constructor']])('does not know %j', (encoding) => {
    expect(() => decodeBody(chunksOf(Buffer.alloc(0)), encoding, { maxBytes: 1 })).toThrow(
      expect.objectContaining({
        code: 'unsupported_media_type',
        parameter: 'Content-Encoding',
        message: `Content-Encoding must be one of gzip, deflate, br, zstd and identity, got "${encoding}"`,
      }),
    );
  });

  shortOnly(it.each(names))(
    'refuses %s that is cut short, damaged or followed by something',
    async (name) => {
      const whole = encoders[name]!(Buffer.from(Array.from({ length: 2000 }, (_, at) => at * at).join()));
      const damaged = Buffer.from(whole).fill(0xa5, whole.length >> 1, (whole.length >> 1) + 20);
      const bodies = [
        whole.subarray(0, -3),
        damaged,
        Buffer.from('resource_id,name'),
        Buffer.concat([whole, Buffer.from('{}')]),
      ];
      for (const body of bodies) {
        for (const size of [1, 100_000]) {
          await expect(decodeAll(body, name, size)).rejects.toMatchObject({
            code: 'invalid_body',
            message: expect.stringMatching(/^the body is not complete and valid \w+ data: ./),
          });
        }
      }
    },
  );

  it('counts the bytes as they are sent and as they are decoded', async () => {
    const body = Buffer.alloc(10_000, 'a');
    const decoded = (encoding: string, bytes: Buffer, maxBytes: number) =>
      Array.fromAsync(decodeBody(chunksOf(bytes), encoding, { maxBytes }));
    await expect(decoded('gzip', zlib.gzipSync(body), 10_000)).resolves.toBeDefined();
    await expect(decoded('gzip', zlib.gzipSync(body), 9_999)).rejects.toMatchObject({
      code: 'body_too_large',
    });
    await expect(decoded('identity', body, 10_000)).resolves.toBeDefined();
    await expect(decoded('identity', body, 9_999)).rejects.toMatchObject({ code: 'body_too_large' });
    const manyEmptyMembers = Buffer.concat(Array.from({ length: 1000 }, () => zlib.gzipSync('')));
    await expect(decoded('gzip', manyEmptyMembers, 9_999)).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it.each(scale(names.slice(0, 2), names.slice(2)))(
    'refuses a decompression bomb in %s without taking memory',
    async (name) => {
      const bomb = encoders[name]!(Buffer.alloc(100_000_000));
      expect(bomb.length).toBeLessThan(400_000);
      const before = process.memoryUsage().rss;
      let decoded = 0;
      const read = async () => {
        for await (const chunk of decodeBody(chunksOf(bomb, 65_536), name, { maxBytes: 20_000_000 }))
          decoded += chunk.length;
      };
      await expect(read()).rejects.toMatchObject({ code: 'body_too_large' });
      expect(decoded).toBeLessThanOrEqual(20_000_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    },
  );

  shortOnly(it)('refuses a large body that was compressed too well', async () => {
    const guarded = 16 * 1024 * 1024;
    const decoded = async (body: Buffer, name: string) =>
      (await decodeAll(encoders[name]!(body), name)).length;
    const random = new SeededRandom(1);
    const incompressible = Buffer.from(Array.from({ length: guarded / 100 }, () => random.below(256)));
    const mixed = Buffer.concat([incompressible, Buffer.alloc(guarded)]);
    for (const name of ['gzip', 'zstd']) {
      expect(await decoded(Buffer.alloc(guarded), name)).toBe(guarded);
      await expect(decoded(Buffer.alloc(guarded + 1), name)).rejects.toMatchObject({
        code: 'body_too_large',
        message: expect.stringMatching(
          /^a body of more than 16777216 bytes may be at most 200 times as large as what was sent; \d+ bytes were sent so far: send it uncompressed$/,
        ),
      });
      expect(await decoded(mixed, name)).toBe(mixed.length);
    }
    expect((await decodeAll(Buffer.alloc(guarded + 1), undefined, 65_536)).length).toBe(guarded + 1);
  });

  it('refuses a zstd frame with a window of 128 MB', async () => {
    const wide = {
      params: { [zlib.constants.ZSTD_c_windowLog]: 27, [zlib.constants.ZSTD_c_contentSizeFlag]: 0 },
    };
    const stream = zlib.createZstdCompress(wide);
    stream.end(Buffer.alloc(1000, 'x'));
    const body = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>));
    await expect(decodeAll(body, 'zstd')).rejects.toMatchObject({ code: 'invalid_body' });
  });

  it('passes on errors of the sender, and leaves nothing open when reading ends early', async () => {
    const body = encoders.gzip!(Buffer.alloc(3_000_000, 'abcdefgh'));
    let open = 0;
    async function* abortedChunks(): AsyncGenerator<Buffer> {
      open++;
      try {
        yield body.subarray(0, 500);
        throw new Error('aborted');
      } finally {
        open--;
      }
    }
    for (let round = 0; round < 300; round++) {
      const name = names[round % names.length]!;
      const aborted = decodeBody(abortedChunks(), name === 'x-gzip' ? name : 'gzip', { maxBytes: 1e9 });
      await expect(Array.fromAsync(aborted)).rejects.toThrow('aborted');
      const bytes = encoders[name]!(Buffer.alloc(300_000, 'abcdefgh'));
      for await (const chunk of decodeBody(chunksOf(bytes, 50), name, { maxBytes: 1e9 }))
        if (chunk.length > 0) break;
    }
    expect(open).toBe(0);
    expect(process.getActiveResourcesInfo().filter((name) => /zlib|brotli|zstd/i.test(name))).toEqual([]);
  });
});
