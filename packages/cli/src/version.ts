const { readFileSync } = process.getBuiltinModule('node:fs');

/** The version of the command, as its package says. */
export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
