import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandTable } from '../../run/command-table.ts';
import { printed, runRoster } from '../../testing/run-roster.ts';

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

describe.skipIf(!hasShell('bash'))('completion in bash', () => {
  let script: string;
  beforeAll(async () => {
    script = await printed(['completion', 'bash']);
  });

  function complete(...words: string[]): string[] {
    const line = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(roster ${line}); COMP_CWORD=${words.length}; _roster; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((word) => word !== '');
  }

  it('offers every command', () => {
    const first = new Set(Object.keys(commandTable).map((name) => name.split(' ')[0]!));
    expect(new Set(complete(''))).toEqual(new Set([...first, 'help', '--help', '--version']));
    expect(complete('sta')).toEqual(['stations', 'station']);
  });

  it('offers what follows the first word', () => {
    expect(complete('station', '')).toEqual(['create', 'delete']);
    expect(complete('context', 'u')).toEqual(['use']);
    expect(complete('completion', 'f')).toEqual(['fish']);
  });

  it('offers the flags of the command and the values of a flag', () => {
    expect(complete('list', '--un')).toEqual(['--uncovered']);
    expect(complete('station', 'delete', 'x', '--y')).toEqual(['--yes']);
    expect(complete('stations', '--y')).toEqual([]);
    expect(complete('list', '-o', 'n')).toEqual(['ndjson', 'name']);
    expect(complete('import', 'a.csv', '--mode', '')).toEqual(['merge', 'replace', 'patch']);
  });
});

describe.each(['zsh', 'fish'])('completion in %s', (shell) => {
  it('names every command and flag, and is understood by the shell where there is one', async () => {
    const script = await printed(['completion', shell]);
    for (const [name, { load }] of Object.entries(commandTable)) {
      for (const word of name.split(' ')) expect(script).toContain(word);
      for (const flag of Object.keys((await load()).flags)) expect(script).toContain(flag);
    }
    if (hasShell(shell)) expect(spawnSync(shell, ['-n'], { input: script }).status).toBe(0);
  });
});

it('is refused for other shells', async () => {
  const { code, stderr } = await runRoster(['completion', 'tcsh']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'roster: the shell must be one of bash, zsh, fish, got "tcsh"\n',
  });
});
