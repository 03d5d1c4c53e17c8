import type { Call } from '../command/command.ts';
import type { Flags } from '../command/flags.ts';
import { jsonText } from './json.ts';
import { yamlDocument } from './yaml.ts';

const valueFormats = ['text', 'json', 'yaml'] as const;

export const valueFlags: Flags = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    choices: valueFormats,
    about: `${valueFormats.join(', ')} (default text)`,
  },
};

/** Prints one value, for people or for programs. */
export async function printValue(
  value: unknown,
  render: () => string | Promise<string>,
  { given, terminal }: Call,
): Promise<void> {
  const format = given.text('output');
  if (format === 'json') return terminal.print(`${jsonText(value, 2)}\n`);
  await terminal.print(format === 'yaml' ? yamlDocument(value) : await render());
}
