import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { type RunningServer, spawnServer, startServer } from '../testing/start-server.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const environment = { ROSTER_AUTH: 'on' };
const printedToken = (text: string) => /^ {2}(roster_[0-9A-Za-z]{49})$/m.exec(text)?.[1];

const asks = async (server: RunningServer, token: string) =>
  (await server.fetch('/roster/v1/tokens', { headers: { Authorization: `Bearer ${token}` } })).status;

shortOnly(it)('is printed by the first start, once, and lets its holder do everything', async () => {
  const first = await startServer({ environment });
  const token = printedToken(first.process.stdout)!;
  expect(await asks(first, token)).toBe(200);
  expect((await first.fetch('/roster/v1/tokens')).status).toBe(401);
  expect(first.process.stderr).toBe('');
  await first.process.stop();
  const again = await startServer({ environment, data: first.data });
  expect(again.process.stdout).not.toContain('roster_');
  expect(await asks(again, token)).toBe(200);
});

shortOnly(it)('is made by default, but for a sample on the loopback address', async () => {
  const plain = await startServer({ environment: { ROSTER_AUTH: '' } });
  expect(printedToken(plain.process.stdout)).toBeDefined();
  const sample = await startServer({ environment: { ROSTER_AUTH: '', ROSTER_SAMPLE: 'true' } });
  expect(printedToken(sample.process.stdout)).toBeUndefined();
  expect((await sample.fetch('/roster/v1/tokens')).status).toBe(200);
});

longOnly(it)('is not lost by a first start that fails', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as net.AddressInfo;
  const { process, data } = spawnServer({ environment: { ...environment, ROSTER_PORT: String(port) } });
  expect((await process.exited).code).toBe(1);
  other.close();
  const server = await startServer({ environment, data });
  expect(await asks(server, printedToken(server.process.stdout)!)).toBe(200);
});

longOnly(it)('can come from a file, and is then not printed', async () => {
  const maker = await startServer({ environment });
  const token = printedToken(maker.process.stdout)!;
  const file = join(temporaryDirectory(), 'token');
  writeFileSync(file, `${token}\n`);
  const withFile = { ...environment, ROSTER_BOOTSTRAP_TOKEN_FILE: file };
  const server = await startServer({ environment: withFile });
  expect(server.process.stdout).not.toContain('roster_');
  expect(await asks(server, token)).toBe(200);
  await server.process.stop();
  const again = await startServer({ environment: withFile, data: server.data });
  expect(await asks(again, token)).toBe(200);
});

longOnly(it)('is never brought back by its file once it was revoked', async () => {
  const maker = await startServer({ environment });
  const token = printedToken(maker.process.stdout)!;
  const file = join(temporaryDirectory(), 'token');
  writeFileSync(file, token);
  const withFile = { ...environment, ROSTER_BOOTSTRAP_TOKEN_FILE: file };
  const server = await startServer({ environment: withFile });
  const headers = { Authorization: `Bearer ${token}` };
  const { tokens } = (await (await server.fetch('/roster/v1/tokens', { headers })).json()) as {
    tokens: { id: string }[];
  };
  expect(
    (await server.fetch(`/roster/v1/tokens/${tokens[0]!.id}`, { method: 'DELETE', headers })).status,
  ).toBe(200);
  await server.process.stop();
  const again = await startServer({
    environment: { ...withFile, ROSTER_LOG_LEVEL: 'info' },
    data: server.data,
  });
  await expect.poll(() => again.process.stderr).toContain('the bootstrap token file is ignored');
  expect(await asks(again, token)).toBe(401);
});

longOnly(it)('must be a token, and its file must be there', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'token');
  writeFileSync(file, 'hunter2');
  for (const [path, reason] of [
    [file, 'must hold a token and nothing else'],
    [directory, 'cannot be read: EISDIR'],
    [join(directory, 'none'), 'cannot be read: ENOENT'],
  ]) {
    const { process } = spawnServer({ environment: { ...environment, ROSTER_BOOTSTRAP_TOKEN_FILE: path! } });
    expect((await process.exited).code).toBe(1);
    expect(process.stderr).toMatch(/^roster: the bootstrap token file [^\n]+\n$/);
    expect(process.stderr).toContain(reason);
    expect(process.stderr).not.toContain('hunter2');
  }
});
