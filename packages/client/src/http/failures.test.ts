import { describe, expect, it } from 'vitest';
import { createClient } from '../client.ts';
import type { ClientOptions } from '../client-options.ts';
import { HttpError } from '../errors.ts';
import {
  isAborted,
  isDenied,
  isInvalidRecords,
  isMalformed,
  isNotFound,
  isTimeout,
  isUnreachable,
} from '../guards.ts';
import { type Answer, closedUrl, sendJson, sendText, startLocalServer } from '../testing/local-server.ts';

const token = 'a-very-secret-token';

async function failureOf(answer: Answer, options: Partial<ClientOptions> = {}, signal?: AbortSignal) {
  const { url } = await startLocalServer(answer);
  return failureAt(url, options, signal);
}

async function failureAt(baseUrl: string, options: Partial<ClientOptions> = {}, signal?: AbortSignal) {
  const client = createClient({ baseUrl, token, retries: 0, ...options });
  const error = await client
    .station('a/b/c/d')
    .list({}, { signal })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain(token);
  return error as Error & Record<string, unknown>;
}

const html = '<html>\n  <body>Sign in, please</body>\n</html>';
const listUrl = /^GET http:\/\/127\.0\.0\.1:\d+\/monitor\/\S+\/resources /;

describe('a refusal', () => {
  it('carries what a problem document says', async () => {
    const error = await failureOf((_, response) =>
      sendJson(
        response,
        {
          type: 'urn:roster:problem:invalid_parameter',
          title: 'Invalid parameter',
          status: 400,
          detail: 'page.size must be between 0 and 1000, got "abc"',
          code: 'invalid_parameter',
          request_id: 'id-1',
          parameter: 'page.size',
          hint: 'look',
        },
        400,
      ),
    );
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      name: 'HttpError',
      status: 400,
      code: 'invalid_parameter',
      detail: 'page.size must be between 0 and 1000, got "abc"',
      parameter: 'page.size',
      requestId: 'id-1',
      extensions: { hint: 'look' },
    });
    expect(error.message).toMatch(listUrl);
    expect(error.message).toContain('answered 400 invalid_parameter: page.size must be between');
  });

  it.each([
    [{ code: 5, message: 'not found', details: [] }, 'not found'],
    [{ error: { message: 'no such thing' } }, 'no such thing'],
    [{ error: 'plain' }, 'plain'],
    [{ title: 'Only a title' }, 'Only a title'],
    [['odd'], 'application/json "[\\"odd\\"]"'],
  ])('is understood as %j too', async (body, detail) => {
    const error = await failureOf((_, response) => sendJson(response, body, 404));
    expect(error).toMatchObject({ status: 404, detail });
    expect(isNotFound(error)).toBe(true);
  });

  it('shows the beginning of a page that a proxy sends', async () => {
    const error = await failureOf((_, response) => {
      response.writeHead(502, { 'Content-Type': 'text/html', 'X-Request-Id': 'proxy-7' });
      response.end(html + 'x'.repeat(1000));
    });
    expect(error).toMatchObject({ status: 502, code: 'http_error', requestId: 'proxy-7' });
    expect(error.message).toContain(
      'answered 502: text/html "<html> <body>Sign in, please</body> </html>xxx',
    );
    expect(error.message.length).toBeLessThan(500);
  });

  it('without a body names its status', async () => {
    const error = await failureOf((_, response) => {
      response.writeHead(403, 'Not for you').end();
    });
    expect(error.message).toContain('answered 403: Not for you');
    expect(isDenied(error)).toBe(true);
  });

  it('that repeats the token does not bring it into a message', async () => {
    const error = await failureOf(({ headers }, response) =>
      sendJson(response, { detail: `bad header ${headers.authorization}`, code: 'denied' }, 401),
    );
    expect(error).toMatchObject({ detail: 'bad header Bearer [redacted]' });
  });

  it('of records holds the error of each', async () => {
    const faults = [{ line: 3, field: 'name', reason: 'is required' }];
    const error = await failureOf((_, response) =>
      sendJson(response, { code: 'invalid_records', detail: 'x', faults, fault_count: 1 }, 422),
    );
    expect(isInvalidRecords(error) && error.extensions.faults).toEqual(faults);
  });
});

describe('a malformed answer', () => {
  it.each<[string, Answer, string]>([
    [
      'a page',
      (_, response) => sendText(response, 'text/html', html),
      'text/html instead of JSON: "<html> <body>Sign',
    ],
    [
      'another type',
      (_, response) => sendText(response, 'text/csv', 'a,b'),
      'text/csv instead of JSON: "a,b"',
    ],
    [
      'plain text',
      (_, response) => sendText(response, 'text/plain', 'OK'),
      'text/plain instead of JSON: "OK"',
    ],
    [
      'JSON that is cut off',
      (_, response) => sendText(response, 'application/json', `{"resources":[{"a":"${'x'.repeat(300)}`),
      'invalid or truncated JSON, which ends in: "xxx',
    ],
    [
      'the token again, where the excerpt is cut',
      ({ headers }, response) =>
        sendText(response, 'text/html', `${'x'.repeat(105)}${headers.authorization}`),
      'xxxBearer [redacte…',
    ],
    [
      'nothing',
      (_, response) => sendText(response, 'application/json', ''),
      'invalid or truncated JSON, which ends in: ""',
    ],
    [
      '304 out of nowhere',
      (_, response) => {
        response.writeHead(304).end();
      },
      'answered 304 with something instead of JSON',
    ],
  ])('is classified when it is %s', async (_, answer, reason) => {
    const error = await failureOf(answer);
    expect(error).toMatchObject({ code: 'malformed_answer' });
    expect(isMalformed(error)).toBe(true);
    expect(error.message).toMatch(listUrl);
    expect(error.message).toContain(reason);
  });
});

describe('no answer', () => {
  it('is a network failure when nothing listens', async () => {
    const error = await failureAt(await closedUrl());
    expect(error).toMatchObject({ code: 'network_failure' });
    expect(error.message).toMatch(/ failed: .*ECONNREFUSED/);
    expect(isUnreachable(error)).toBe(true);
  });

  it('is one when the name is not known', async () => {
    const error = await failureAt('http://nobody.invalid');
    expect(error).toMatchObject({ code: 'network_failure' });
    expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });

  it.each<[string, Answer]>([
    ['at once', (_, response) => response.destroy()],
    [
      'in the middle of the body',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
        response.write('{"resources":');
        setTimeout(() => response.destroy(), 20);
      },
    ],
  ])('is one when the connection breaks %s', async (_, answer) => {
    expect(await failureOf(answer)).toMatchObject({ code: 'network_failure' });
  });

  it.each<[string, Answer]>([
    ['hangs', () => {}],
    [
      'sends its body too slowly',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ])('is a timeout when the server %s', async (_, answer) => {
    const error = await failureOf(answer, { timeoutMs: 150 });
    expect(error).toMatchObject({ code: 'timeout' });
    expect(error.message).toContain('timed out: no complete response within 150 ms');
    expect(isTimeout(error) && isUnreachable(error)).toBe(true);
  });

  it('can be the wish of the caller, before and while it is awaited', async () => {
    const controller = new AbortController();
    const pending = failureOf(() => {}, {}, controller.signal);
    setTimeout(() => controller.abort('changed my mind'), 50);
    for (const error of [await pending, await failureOf(() => {}, {}, controller.signal)]) {
      expect(error).toMatchObject({ code: 'aborted', cause: 'changed my mind' });
      expect(isAborted(error)).toBe(true);
    }
  });
});
