import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const program = `
import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
    if (name) loaded.add(name);
    return next(url, context);
  },
});
await import(process.argv[1]);
await import(process.argv[2]);
process.stdout.write(JSON.stringify([...loaded]));
`;

it('loads only what every server needs as it starts', () => {
  const sources = ['./run-server.ts', './serve.ts'].map((file) => new URL(file, import.meta.url).href);
  const words = ['--input-type=module', '--eval', program, ...sources];
  const loaded: string[] = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
  expect(loaded).toContain('pino');
  for (const rare of ['typebox', 'yaml', 'pg', 'pg-copy-streams', 'openid-client', '@fastify/send'])
    expect(loaded).not.toContain(rare);
});
