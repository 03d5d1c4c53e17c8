import { Writable } from 'node:stream';
import { runCommand } from '../run/run-command.ts';
import { Terminal } from '../terminal/terminal.ts';
import { cleanEnvironment, type Outcome } from './run-roster.ts';

interface TerminalOptions {
  readonly columns: number;
  readonly environment?: Record<string, string>;
  readonly hasColour?: boolean;
}

/** Runs the command in this process, on streams that say they are a terminal. */
export async function runOnTerminal(words: readonly string[], options: TerminalOptions): Promise<Outcome> {
  const { columns, hasColour = false } = options;
  const environment = { ...cleanEnvironment(), ...options.environment };
  const [stdout, stderr] = [capture(columns), capture(columns)];
  const env = { TERM: 'xterm', ...(hasColour ? {} : { NO_COLOR: '1' }) };
  const streams = { stdout: stdout.stream, stderr: stderr.stream, env } as unknown as NodeJS.Process;
  const code = await runCommand({ words, terminal: new Terminal(streams, words), environment });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function capture(columns: number) {
  let text = '';
  const stream = new Writable({
    write(part, _, done) {
      text += part;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: true, columns }), text: () => text };
}
