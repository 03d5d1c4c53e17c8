import type { SettingTrace } from '@roster/server';
import type { Command } from '../command.ts';
import { printRows, rowFlags, sortRows, type View } from '../output/rows.ts';
import { readServerSettings } from '../server-settings.ts';

const view: View<SettingTrace> = {
  columns: [
    { name: 'key', header: 'KEY', value: ({ key }) => key },
    { name: 'value', header: 'VALUE', value: ({ value }) => value },
    { name: 'from', header: 'FROM', value: ({ from }) => from },
  ],
  nameOf: ({ key }) => key,
  nothing: 'there are no settings',
};

export const configCheck: Command = {
  name: 'config check',
  usage: '[FILE] [FLAGS]',
  about:
    'Checks the settings that roster serve would run with here: those of the file, which is ROSTER_CONFIG or ' +
    './roster.yaml unless given, and those of the environment, which win over it. Tells everything that is wrong with ' +
    'its line and column and ends with 1, or shows every setting and where it comes from. Secrets are not shown.',
  takes: [0, 1],
  flags: rowFlags(view.columns.map(({ name }) => name)),
  examples: [
    ['roster config check', 'what roster serve would do here'],
    ['roster config check roster.yaml && systemctl restart roster', 'only if it is right'],
    ['roster config check -o json', 'for a script'],
  ],
  async run(call) {
    const [file] = call.given.positionals;
    const { traces } = await readServerSettings(call, file === undefined ? {} : { config: file });
    await printRows(sortRows(traces, view, call), view, call);
  },
};
