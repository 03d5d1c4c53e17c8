import type { SettingTrace } from '@roster/server';
import type { Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { printRows, rowFlags, sortRows } from '../../output/rows.ts';
import type { View } from '../../output/view.ts';
import { configFlag, givenConfig, readServerSettings } from './server-settings.ts';

const view: View<SettingTrace> = {
  columns: [
    { name: 'key', header: 'KEY', value: ({ key }) => key },
    { name: 'value', header: 'VALUE', value: ({ value }) => value },
    { name: 'from', header: 'FROM', value: ({ from }) => from },
  ],
  nameOf: ({ key }) => key,
  nothing: 'no settings',
};

export const configCheck: Command = {
  name: 'config check',
  usage: '[FILE] [FLAGS]',
  about:
    'Checks the settings that roster serve would use: the file (FILE, ROSTER_CONFIG or ./roster.yaml) ' +
    'overridden by the environment. Shows each setting and its origin, without secrets; or reports every ' +
    'error with its line and column, and exits with 1.',
  takes: [0, 1],
  flags: { ...configFlag, ...rowFlags(view.columns.map(({ name }) => name)) },
  examples: [
    ['roster config check', 'the settings roster serve would use here'],
    ['roster config check roster.yaml && systemctl restart roster', 'restart only if valid'],
    ['roster config check -o json', 'for a script'],
  ],
  async run(call) {
    const [file] = call.given.positionals;
    if (file !== undefined && call.given.isSet('config'))
      throw new UsageError('FILE and --config are the same; give one of them');
    const { traces } = await readServerSettings(
      call,
      file === undefined ? givenConfig(call) : { config: file },
    );
    await printRows(sortRows(traces, view, call), view, call);
  },
};
