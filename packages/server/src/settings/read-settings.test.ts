import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { InvalidSettings } from './invalid-settings.ts';
import { readSettings, type SettingSources, traceSettings } from './read-settings.ts';
import { namedSettings } from './setting-names.ts';

const url = 'postgres://roster:secret@db.example:5433/inventory?sslmode=require';

describe('the database', () => {
  it('is SQLite in a directory unless a URL is set', () => {
    expect(readSettings({})).toMatchObject({ database: { pool: 20 }, data: './data' });
    expect(readSettings({ ROSTER_DATABASE_URL: '' }).database.url).toBeUndefined();
  });

  it('is PostgreSQL where a URL is set', () => {
    const environment = { ROSTER_DATABASE_URL: url, ROSTER_DATABASE_POOL: '8', ROSTER_DATA: '' };
    expect(readSettings(environment).database).toEqual({ url, pool: 8 });
  });

  it('must be one of the two', () => {
    const both = { ROSTER_DATABASE_URL: url, ROSTER_DATA: '/data' };
    expect(errorsOf({ environment: both })).toEqual([
      'ROSTER_DATA and ROSTER_DATABASE_URL are both set; set the one that has your data',
    ]);
  });

  it('is refused with a reason that does not show the password', () => {
    const environment = {
      ROSTER_DATABASE_URL: `${url}&sslmod=x`,
      ROSTER_DATABASE_POOL: '3',
      ROSTER_PORT: 'x',
    };
    const errors = errorsOf({ environment });
    expect(errors).toHaveLength(3);
    expect(errors).toContain('ROSTER_DATABASE_URL has an unknown parameter "sslmod"; did you mean sslmode?');
    expect(errors).toContain('ROSTER_DATABASE_POOL must be a whole number from 4 to 1000, got "3"');
    expect(errors.join()).not.toContain('secret');
  });
});

describe('a required audit', () => {
  it('needs a file', () => {
    expect(errorsOf({ environment: { ROSTER_AUDIT_REQUIRED: 'true' } })).toEqual([
      'ROSTER_AUDIT_REQUIRED is on, but audit.file is not set; lines of the log can be lost',
    ]);
    const both = { ROSTER_AUDIT_REQUIRED: 'true', ROSTER_AUDIT_FILE: '/var/log/audit' };
    expect(readSettings(both).audit).toEqual({ file: '/var/log/audit', required: true });
  });
});

describe('variables', () => {
  it('that look misspelt are refused, and others are ignored', () => {
    const others = {
      ROSTER_SERVICE_HOST: '10.0.0.1',
      ROSTER_SERVICE_PORT_HTTP: '80',
      ROSTER_METRICS_PORT_9090_TCP_ADDR: '10.0.0.1',
      ROSTER_CONTEXT: 'lab',
      ROSTER_TOKEN: 'secret',
      ROSTER_SOMETHING_ELSE: 'x',
    };
    expect(() => readSettings(others)).not.toThrow();
    expect(
      errorsOf({ environment: { ROSTER_PROT: '1', ROSTER_LOGLEVEL: 'info', ROSTER_CONFIGS: 'x' } }),
    ).toEqual([
      'ROSTER_PROT is not a setting; did you mean ROSTER_PORT?',
      'ROSTER_LOGLEVEL is not a setting; did you mean ROSTER_LOG_LEVEL?',
      'ROSTER_CONFIGS is not a setting; did you mean ROSTER_CONFIG?',
    ]);
  });

  it('name proxies by true, false or a list', () => {
    const proxies = (text: string) => readSettings({ ROSTER_TRUST_PROXY: text }).trustProxy;
    expect([proxies('yes'), proxies('off'), proxies('10.0.0.0/8, ::1')]).toEqual([
      true,
      false,
      ['10.0.0.0/8', '::1'],
    ]);
    expect(errorsOf({ environment: { ROSTER_TRUST_PROXY: '10.0.0.0/8,proxy' } })).toEqual([
      'ROSTER_TRUST_PROXY must have addresses and networks, got "proxy"',
    ]);
  });

  it('separate lists by commas', () => {
    const { allowedHosts } = readSettings({ ROSTER_ALLOWED_HOSTS: 'roster.test, other.test,' });
    expect(allowedHosts).toEqual(['roster.test', 'other.test']);
    expect(errorsOf({ environment: { ROSTER_ALLOWED_HOSTS: 'fine.test,http://x' } })).toEqual([
      'ROSTER_ALLOWED_HOSTS must be host names without scheme and port, got "http://x"',
    ]);
  });
});

describe('the table', () => {
  it('has a default for every setting that is not optional', () => {
    const { settings, traces } = traceSettings({ environment: {} });
    expect(settings).toMatchObject({ host: '127.0.0.1', port: 8080, auth: 'on', allowedHosts: [] });
    const missing = traces.filter(({ value }) => value === '').map(({ key }) => key);
    const optional = namedSettings.filter(({ schema }) => '~optional' in schema).map(({ key }) => key);
    expect(missing).toEqual(optional);
  });

  it('gives every setting a variable of its own', () => {
    const variables = namedSettings.map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables).toContain('ROSTER_DATABASE_URL_FILE');
    expect(variables).toContain('ROSTER_INDEX_MEMORY_MB');
  });

  it('keeps secrets out of flags', () => {
    const exposed = namedSettings.filter(
      ({ schema, flag }) => schema.setting.isSecret === true && flag !== undefined,
    );
    expect(exposed).toEqual([]);
  });
});

describe('where others can reach the server', () => {
  it('authentication cannot be off', () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'roster.example', '127.0.0.1.example']) {
      expect(readSettings({ ROSTER_HOST: host }).auth).toBe('on');
      expect(errorsOf({ environment: { ROSTER_HOST: host, ROSTER_AUTH: 'off' } })).toEqual([
        `ROSTER_AUTH is off, but others can reach ${host}; turn authentication on, or listen on 127.0.0.1`,
      ]);
    }
  });

  it('authentication may be off on every loopback address', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost', '::ffff:127.0.0.1']) {
      expect(readSettings({ ROSTER_HOST: host, ROSTER_AUTH: 'off' }).auth).toBe('off');
    }
  });
});

describe('while authentication is off', () => {
  it('CORS cannot allow every origin', () => {
    const errors = (origins: string) =>
      errorsOf({ environment: { ROSTER_AUTH: 'off', ROSTER_CORS_ORIGINS: origins } });
    expect(errors('*')).toEqual([
      'ROSTER_CORS_ORIGINS lets any web page write while auth is off; turn auth on, or name the origins',
    ]);
    expect(errors('https://a.example,*')).toHaveLength(1);
    expect(readSettings({ ROSTER_AUTH: 'off', ROSTER_CORS_ORIGINS: 'https://a.example' }).auth).toBe('off');
    expect(readSettings({ ROSTER_CORS_ORIGINS: '*' }).cors.origins).toEqual(['*']);
  });
});

describe('the file', () => {
  it('is below the environment, which is below the flags', () => {
    const file = write('host: 127.0.0.2\nport: 1001\nlogLevel: warn\nmaxUnpaged: 5\n');
    const { settings, traces } = traceSettings({
      environment: { ROSTER_CONFIG: file, ROSTER_PORT: '1002', ROSTER_LOG_LEVEL: 'error' },
      flags: { 'log-level': 'debug', sample: 'true' },
    });
    expect(settings).toMatchObject({ host: '127.0.0.2', port: 1002, logLevel: 'debug', sample: true });
    const from = Object.fromEntries(traces.map((trace) => [trace.key, trace.from]));
    expect(from).toMatchObject({
      host: `${file}:1:7`,
      port: 'ROSTER_PORT',
      logLevel: '--log-level',
      sample: '--sample',
      maxUnpaged: `${file}:4:13`,
      historyHours: 'default',
    });
  });

  it('is roster.yaml of the directory unless another one is named', () => {
    const file = write('port: 1001');
    const directory = path.dirname(file);
    expect(traceSettings({ environment: {}, directory })).toMatchObject({ file, settings: { port: 1001 } });
    expect(readSettings({}).port).toBe(8080);
    const other = write('port: 1002');
    const environment = { ROSTER_CONFIG: other };
    expect(traceSettings({ environment, directory }).settings.port).toBe(1002);
    const flags = { config: file };
    expect(traceSettings({ environment, directory, flags }).settings.port).toBe(1001);
  });

  it('names files relative to itself', () => {
    const file = write('data: inventory\nbootstrapTokenFile: /run/token\n');
    const { settings } = traceSettings({ environment: { ROSTER_CONFIG: file } });
    expect(settings.data).toBe(path.join(path.dirname(file), 'inventory'));
    expect(settings.bootstrapTokenFile).toBe('/run/token');
  });

  it('may be empty, be JSON, and have sections without keys', () => {
    for (const text of ['', '# nothing yet\n', '---\n', '{}', 'database:\n  # url: x\n', '{"port": 8080}']) {
      expect(readSettings({ ROSTER_CONFIG: write(text) })).toEqual(readSettings({}));
    }
  });

  it('is checked as a whole, with the line and column of every error', () => {
    const text = [
      'prot: 8080',
      'port: "8080"',
      'logLevel: loud',
      'port: 1',
      'pool: 4',
      'sample:',
      'allowedHosts:',
      '  - fine.test',
      '  - http://x',
      'database:',
      '  pol: 5',
      '  pool: 4.5',
      'strictQuery: yes',
      'data: [a, b]',
      'something: 1',
      'auth: true',
    ].join('\n');
    expect(fileErrors(text)).toEqual([
      '1:1: "prot" is not a setting; did you mean port?',
      '2:7: port must be a port from 0 to 65535 (0 picks a free one), got "8080"',
      '3:11: logLevel must be one of fatal, error, warn, info, debug, trace, silent, got "loud"',
      '4:1: port is given twice',
      '5:1: "pool" is not a setting; did you mean database.pool?',
      '6:1: sample has no value; give it one, or remove the line',
      '9:5: allowedHosts must be host names without scheme and port, got "http://x"',
      '11:3: "database.pol" is not a setting; did you mean database.pool?',
      '12:9: database.pool must be a whole number from 4 to 1000, got 4.5',
      '13:14: strictQuery must be true or false, got "yes"',
      '14:7: data must be the path of a directory, got ["a","b"]',
      '15:1: "something" is not a setting',
      '16:7: auth must be one of on, off, got true',
    ]);
  });

  it.each([
    ['a: [', '1:5: '],
    ['port: 1\n\thost: x', '2:1: '],
    ['port: 1\n---\nport: 2', '2:1: a second document begins here; the file must be one'],
    ['port: !mine 1', '1:7: '],
    ['- port', '1:1: the file must have keys with values, such as host, port'],
    ['8080', '1:1: the file must have keys'],
    [
      'database: postgres://u:secret@h/d',
      '1:11: database must have keys with values, such as url, urlFile, pool; got a single value',
    ],
    ['data: &a x\nbootstrapTokenFile: *a', '2:21: bootstrapTokenFile is an alias; write the value itself'],
    ['database: &a\n  pool: *a', '2:9: database.pool is an alias'],
    ['? [a, b]\n: 1', '1:3: "" is not a setting'],
    ['__proto__: 1', '1:1: "__proto__" is not a setting'],
    ['<<: {port: 1}', '1:1: "<<" is not a setting'],
    [
      'host: "\\u001b[31m"',
      '1:7: host must be a host name or IP address without scheme and port, got "\\u001b[31m"',
    ],
  ])('with %j is refused at its position', (text, error) => {
    const errors = fileErrors(text);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(error);
    expect(errors.join()).not.toContain('secret');
  });

  it('cannot send control characters to the terminal', () => {
    expect(fileErrors('"\\e[2J": 1\n"\\e[2J": 2')).toEqual([
      '1:1: "\\u001b[2J" is not a setting',
      '2:1: \\u001b[2J is given twice',
    ]);
  });

  it('resists nested aliases and deep nesting', () => {
    const levels = Array.from({ length: 60 }, (_, at) => `  - &a${at + 1} [*a${at},*a${at},*a${at},*a${at}]`);
    expect(fileErrors(`data: &a0 x\nallowedHosts:\n${levels.join('\n')}`)).toEqual([
      '3:10: allowedHosts is an alias; write the value itself',
    ]);
    expect(fileErrors(`allowedHosts: ${'['.repeat(20_000)}`).length).toBeGreaterThan(0);
  });

  it('is either read or refused with a reason', () => {
    const keys = fc.constantFrom(
      ...namedSettings.flatMap(({ key }) => key.split('.')),
      'tls',
      '<<',
      '__proto__',
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree')),
        fc.dictionary(keys, tie('tree')),
      ),
    }));
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.dictionary(keys, tree).map((value) => stringify(value)),
    );
    const file = write('');
    fc.assert(
      fc.property(texts, (text) => {
        writeFileSync(file, text);
        for (const error of errorsOf({ environment: { ROSTER_CONFIG: file } })) {
          expect(error).toMatch(
            /^\S+:\d+:\d+: \S|^\S+ (and \S+ .*both|is not valid UTF-8|is set, but|\(.*\) )/s,
          );
        }
      }),
    );
  });

  it('must exist, and be a text file of reasonable size', () => {
    const directory = temporaryDirectory();
    const errorsOfFile = (file: string) =>
      errorsOf({ environment: { ROSTER_CONFIG: file, ROSTER_PORT: 'x' } });
    const missing = path.join(directory, 'none.yaml');
    expect(errorsOfFile(missing).at(-1)).toBe(`there is no configuration file "${missing}"`);
    expect(errorsOfFile(missing)).toHaveLength(2);
    expect(errorsOfFile(directory).at(-1)).toBe(
      `"${directory}" is a directory; name the configuration file in it`,
    );
    expect(fileErrors(Buffer.from([0x68, 0xff, 0xfe]))[0]).toContain('is not valid UTF-8');
    expect(fileErrors('#'.repeat(300_000))[0]).toContain('has more than 256 KiB');
    mkdirSync(path.join(directory, 'roster.yaml'));
    expect(errorsOf({ environment: {}, directory })[0]).toContain('is a directory');
  });
});

describe('a secret', () => {
  it('comes from a file that a key or a variable names', () => {
    const secret = write(`\n${url}\n`);
    const { settings, traces } = traceSettings({ environment: { ROSTER_DATABASE_URL_FILE: secret } });
    expect(settings.database.url).toBe(url);
    expect(traces.find(({ key }) => key === 'database.url')).toEqual({
      key: 'database.url',
      value: '(hidden)',
      from: 'ROSTER_DATABASE_URL_FILE',
    });
    const file = write(`database:\n  urlFile: ${secret}\n`);
    expect(readSettings({ ROSTER_CONFIG: file }).database.url).toBe(url);
    const other = 'postgres://other/db';
    expect(readSettings({ ROSTER_CONFIG: file, ROSTER_DATABASE_URL: other }).database.url).toBe(other);
  });

  it('is refused when its file is missing, empty or wrong, or when it is set twice in one place', () => {
    const errorFor = (file: string) => errorsOf({ environment: { ROSTER_DATABASE_URL_FILE: file } });
    expect(errorFor('/none')).toEqual([
      'ROSTER_DATABASE_URL_FILE names "/none", which cannot be read (ENOENT)',
    ]);
    expect(errorFor(write(' \n'))[0]).toMatch(/^ROSTER_DATABASE_URL_FILE names ".*", which is empty$/);
    const wrong = errorFor(write('mysql://user:secret@host/db'))[0];
    expect(wrong).toContain('ROSTER_DATABASE_URL_FILE names a file whose text must be like postgres://');
    expect(wrong).not.toContain('secret');
    const twice = { ROSTER_DATABASE_URL: url, ROSTER_DATABASE_URL_FILE: write(url) };
    expect(errorsOf({ environment: twice })).toEqual([
      'ROSTER_DATABASE_URL and ROSTER_DATABASE_URL_FILE both set database.url; keep one',
    ]);
  });
});

function errorsOf(sources: SettingSources): readonly string[] {
  try {
    traceSettings(sources);
  } catch (error) {
    if (error instanceof InvalidSettings) return error.errors;
    throw error;
  }
  return [];
}

/** Without the name of the file. */
function fileErrors(text: string | Buffer): string[] {
  const file = write(text);
  return errorsOf({ environment: { ROSTER_CONFIG: file } }).map((error) => error.replace(`${file}:`, ''));
}

/** A file that is gone after the test. */
function write(text: string | Buffer): string {
  const file = path.join(temporaryDirectory(), 'roster.yaml');
  writeFileSync(file, text);
  return file;
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-settings-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}
