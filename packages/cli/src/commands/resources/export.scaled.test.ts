import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scale, shortOnly } from '../../../../../testing/scale.ts';
import { startLocalServer } from '../../testing/local-server.ts';
import { cleanEnvironment, executable, printed, temporaryDirectory } from '../../testing/run-roster.ts';
import { file, record, useStations } from '../../testing/use-stations.ts';

const fixture = useStations();
const { run, fill } = fixture;

describe('roster export', () => {
  it.each(scale(['csv'], ['ndjson', 'json']))(
    'writes %s that can be imported again without any difference',
    async (format) => {
      await fill(record('vm-1', { display_name: '=1+1', gpu_model: 'Ä, "B"' }) + record('vm-2'));
      const destination = path.join(temporaryDirectory(), `all.${format}`);
      const { code, stdout, stderr } = await run(['export', '-o', destination]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toMatch(/ has revision \w+\.1\n$/);
      expect((await run(['diff', destination, '--mode', 'replace'])).code).toBe(0);
    },
  );

  shortOnly(it)('prints to standard output, with filters', async () => {
    await fill(record('vm-1') + record('vm-2'));
    const { stdout } = await run(['export', '--id', 'vm-2']);
    expect(JSON.parse(stdout)).toMatchObject({ resource_id: 'vm-2', alertable: true });
  });

  shortOnly(it)('leaves the file as it was when it fails', async () => {
    const destination = file('kept.ndjson', 'precious');
    const failed = await run(['export', '-o', destination]);
    expect(failed.code).toBe(3);
    expect(readFileSync(destination, 'utf8')).toBe('precious');
    expect(readdirSync(path.dirname(destination))).toEqual(['kept.ndjson']);
    await fill(record('vm-1'));
    const nowhere = await run(['export', '-o', '/nowhere/a.csv']);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toBe('roster: cannot write /nowhere/a.csv: no such file or directory\n');
    expect(existsSync('/nowhere')).toBe(false);
  });

  shortOnly(it)('follows links and replaces what they lead to', async () => {
    await fill(record('vm-1'));
    const directory = temporaryDirectory();
    const destination = (name: string) => path.join(directory, name);
    writeFileSync(destination('old.ndjson'), 'old', { mode: 0o600 });
    symlinkSync('old.ndjson', destination('link.ndjson'));
    symlinkSync('new.ndjson', destination('dangling.ndjson'));
    for (const [link, target] of [
      ['link.ndjson', 'old.ndjson'],
      ['dangling.ndjson', 'new.ndjson'],
    ] as const) {
      expect((await run(['export', '-o', destination(link)])).code).toBe(0);
      expect(readlinkSync(destination(link))).toBe(target);
      expect(JSON.parse(readFileSync(destination(target), 'utf8'))).toMatchObject({ resource_id: 'vm-1' });
    }
    expect(statSync(destination('old.ndjson')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toHaveLength(4);
  });

  shortOnly(it.skipIf(process.platform === 'win32'))(
    'writes into pipes and devices, and leaves them there',
    async () => {
      await fill(record('vm-1'));
      const directory = temporaryDirectory();
      const pipe = path.join(directory, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const [content, { code }] = await Promise.all([readFile(pipe, 'utf8'), run(['export', '-o', pipe])]);
      expect(code).toBe(0);
      expect(JSON.parse(content)).toMatchObject({ resource_id: 'vm-1' });
      expect(statSync(pipe).isFIFO()).toBe(true);
      expect(readdirSync(directory)).toEqual(['pipe']);
      // By a link of its own, so that a defect would not take the device of the machine away.
      const link = path.join(directory, 'full');
      symlinkSync('/dev/full', link);
      if (!existsSync(link)) return;
      const full = await run(['export', '-o', link]);
      expect(full.code).toBe(1);
      expect(full.stderr).toMatch(/^roster: cannot write .*full: no space left/);
      expect(readlinkSync(link)).toBe('/dev/full');
      expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
    },
  );

  shortOnly(it)('asks for the format when the extension is unknown', async () => {
    await fill(record('vm-1'));
    const destination = path.join(temporaryDirectory(), 'all.parquet');
    expect(await run(['export', '-o', destination])).toEqual({
      code: 2,
      stdout: '',
      stderr: `roster: cannot tell the format of ${destination}; pass --format ndjson|csv|json\n`,
    });
    expect(existsSync(destination)).toBe(false);
    expect((await run(['export', '-o', destination, '--format', 'csv'])).code).toBe(0);
    expect((await run(['export', '-o', `${destination}.gz`])).code).toBe(2);
  });

  shortOnly(
    it.each([
      ['csv', 'for CSV on standard output pass --format csv'],
      ['json', 'for JSON on standard output pass --format json'],
      ['NDJSON', 'for NDJSON on standard output pass --format ndjson'],
      ['yaml', 'export does not write YAML, but roster list -o yaml does'],
    ]),
  )('does not take the format %s for a file', async (name, advice) => {
    const cwd = temporaryDirectory();
    expect(await run(['export', '-o', name], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: `roster: -o takes a file here; ${advice}\n`,
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  shortOnly(it)('leaves nothing behind when the server breaks off, or someone interrupts it', async () => {
    const server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.write(record('vm-1'), () => {
        if (!isInterrupted) return response.destroy();
        setTimeout(() => child?.kill('SIGINT'), 200);
      });
    });
    let isInterrupted = false;
    let child: ChildProcess | undefined;
    const directory = temporaryDirectory();
    const words = ['export', 'a/b/c/d', '-o', path.join(directory, 'a.ndjson'), '--server', server.url];
    const broken = await run(words);
    expect(broken.code).toBe(5);
    expect(broken.stderr).toMatch(/^roster: cannot reach /);
    isInterrupted = true;
    child = spawn(process.execPath, [executable, ...words], { env: cleanEnvironment() });
    expect(await new Promise((resolve) => child?.once('exit', resolve))).toBe(130);
    expect(readdirSync(directory)).toEqual([]);
  });

  shortOnly(it)('agrees with roster list on what a cell of CSV is', async () => {
    await fill(record('vm-1', { display_name: "'=x", sku: ' 1 ', gpu_model: '+"A", B' }));
    const cells = async (words: string[]) => {
      const [header = '', row = ''] = (await printed(words, { environment: fixture.environment })).split(
        '\r\n',
      );
      const columns = row.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)!.map((cell) => cell.replace(/,$/, ''));
      return Object.fromEntries(header.split(',').map((name, at) => [name, columns[at]]));
    };
    const listed = await cells(['list', '-o', 'csv']);
    expect(await cells(['export', '--format', 'csv'])).toMatchObject(listed);
    expect(listed).toMatchObject({ display_name: "''=x", gpu_model: '"\'+""A"", B"' });
  });
});
