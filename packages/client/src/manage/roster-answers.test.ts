import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createClient } from '../client.ts';
import { isMalformed, isTimeout, isUnreachable } from '../guards.ts';
import { type Answer, sendJson, sendText, startLocalServer } from '../testing/local-server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

async function managed(answer: Answer, timeoutMs = 60_000) {
  const { url } = await startLocalServer(answer);
  return createClient({ baseUrl: url, retries: 0, timeoutMs }).station('a/b/c/d').manage;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Asks until it is answered in time: a machine may interrupt the process for longer than a short timeout. */
async function exportInTime(manage: Awaited<ReturnType<typeof managed>>) {
  for (;;) {
    try {
      return await manage.export();
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
  }
}

async function drain(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count++;
  return count;
}

const ndjson = 'application/x-ndjson';

describe('an export', () => {
  it('from a proxy is refused before its body is read', async () => {
    const manage = await managed((_, response) => sendText(response, 'text/html', '<html>'));
    const error = await failureOf(manage.export());
    expect(isMalformed(error)).toBe(true);
    expect(error).toMatchObject({
      message: expect.stringContaining('answered 200 with text/html instead of application/x-ndjson'),
    });
  });

  it('joins lines and characters split between two chunks', async () => {
    const bytes = Buffer.from('{"name":"中"}\n{"name":"b"}');
    const manage = await managed((_, response) => {
      response.writeHead(200, { 'Content-Type': `${ndjson}; charset=utf-8` });
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    const records = [];
    for await (const record of (await manage.export()).records()) records.push(record);
    expect(records).toEqual([{ name: '中' }, { name: 'b' }]);
  });

  it.each<[string, Answer, (error: unknown) => boolean]>([
    [
      'breaks off',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': ndjson });
        response.write('{}\n');
        setTimeout(() => response.destroy(), 20);
      },
      isUnreachable,
    ],
    ['is no JSON', (_, response) => sendText(response, ndjson, '{}\n{"a'), isMalformed],
  ])('that %s fails', async (_, answer, isExpected) => {
    const exported = await (await managed(answer)).export();
    expect(isExpected(await failureOf(drain(exported.records())))).toBe(true);
  });

  it('that falls silent fails', async () => {
    const manage = await managed((_, response) => {
      response.writeHead(200, { 'Content-Type': ndjson });
      response.write('{}\n');
    }, 200);
    const exported = await exportInTime(manage);
    expect(isTimeout(await failureOf(drain(exported.records())))).toBe(true);
  });

  it('may be read slowly', async () => {
    const manage = await managed((_, response) => sendText(response, ndjson, '{}\n{}\n'), 100);
    const exported = await exportInTime(manage);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await drain(exported.records())).toBe(2);
  });

  it('is not cut off by the garbage collector before it is read', async () => {
    const manage = await managed((_, response) => sendText(response, ndjson, '{}\n{}\n'));
    const exported = await manage.export();
    for (let turn = 0; turn < 3; turn++) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await drain(exported.records())).toBe(2);
  });

  it('has one of three formats', async () => {
    const manage = await managed((_, response) => sendText(response, 'application/xml', ''));
    await expect(manage.export({}, { format: 'xml' as never })).rejects.toThrow(
      'format must be one of ndjson, csv, json, got "xml"',
    );
  });
});

describe('an answer of another server than Roster', () => {
  it('is not taken for one of Roster', async () => {
    const manage = await managed((_, response) => sendJson(response, { ok: true }));
    await expect(manage.summary()).rejects.toThrow(
      'answered 200 with JSON without "total": not a Roster server, or another version',
    );
  });

  it('does not make a history go round', async () => {
    const page = { changes: [{}], next: 'e.1', has_more: true };
    const manage = await managed((_, response) => sendJson(response, page));
    const error = await failureOf(drain(manage.history()));
    expect(error).toMatchObject({ message: 'the history does not advance from e.1' });
  });
});
