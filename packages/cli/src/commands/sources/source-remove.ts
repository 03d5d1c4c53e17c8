import { removeSource } from '@roster/server';
import type { Command } from '../../command/command.ts';
import { configFlag } from '../server/server-settings.ts';
import { editConfig, noSource } from './config-file.ts';

export const sourceRemove: Command = {
  name: 'source remove',
  usage: 'NAME [FLAGS]',
  about:
    'Removes a source from a configuration file. Everything else in the file stays as it is, and nothing is ' +
    'written if roster config check would refuse the result. The server reads its sources when it starts; ' +
    'stations then keep their last states, and resources that the source discovered stay.',
  takes: [1, 1],
  flags: { ...configFlag },
  examples: [['roster source remove prom-east', 'from ./roster.yaml']],
  async run(call) {
    const name = call.given.positionals[0]!;
    const file = await editConfig(call, ({ text, names }) => {
      const at = names.indexOf(name);
      if (at !== -1) return removeSource(text, at);
      throw noSource(
        name,
        names.map((each) => ({ name: each })),
      );
    });
    await call.terminal.tell(`removed ${name} from ${file}; restart the server to stop using it`);
  },
};
