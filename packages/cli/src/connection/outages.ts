import type { WatchOptions } from '@roster/client';
import type { Call } from '../command/command.ts';
import { showTime } from '../terminal/format-numbers.ts';

/** Servers end streams now and then, and are back at once. */
const patienceMs = 3_000;

/** Says on stderr that a watch has lost its server, and that it has it back: silence would look like a calm night. */
export function tellOutages({ terminal }: Call): Pick<WatchOptions, 'onCurrent' | 'onInterrupted'> {
  let telling: NodeJS.Timeout | undefined;
  let isTold = false;
  return {
    onInterrupted: () => {
      const lostAt = showTime(new Date().toISOString());
      telling ??= setTimeout(() => {
        isTold = true;
        void terminal.tell(`roster: lost the connection to the server at ${lostAt} UTC; trying again`);
      }, patienceMs).unref();
    },
    onCurrent: () => {
      clearTimeout(telling);
      telling = undefined;
      if (isTold) void terminal.tell('roster: connected again; nothing has been missed');
      isTold = false;
    },
  };
}
