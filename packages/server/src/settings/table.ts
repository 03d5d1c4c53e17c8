import os from 'node:os';
import { limits } from '@roster/contract';
import { defaultConnections, fewestConnections, InvalidDatabaseUrl, parseDatabaseUrl } from '@roster/store';
import type { Static } from 'typebox';
import { faultOfOrigins } from '../protection/cors.ts';
import { isLoopback } from '../protection/is-loopback.ts';
import { faultOfProxies } from '../protection/trusted-proxies.ts';
import { oidcSection } from './oidc-section.ts';
import { setting } from './setting.ts';
import { Type } from './type.ts';

const mebibyte = 2 ** 20;
const hostPattern = '^(?![^:]*:[0-9]+$)[A-Za-z0-9.:_%-]+$';
const hostAllowed = 'a host name or IP address without scheme and port';
const noNul = '^[^\\0]+$';

/**
 * Every setting. A key makes the variable `ROSTER_` + the key in capitals, and, where `flag` says so, the flag of
 * `roster serve`; a `Type.Object` is a section of the file. The reference and the schema for editors are made from
 * this: `npm run docs` after a change.
 */
export const settingTable = Type.Object({
  host: setting(Type.String({ pattern: hostPattern }), {
    about:
      'The address to listen on. On one that others can reach, the server starts only with authentication: see [securing](../guide/securing.md#listening).',
    allowed: hostAllowed,
    default: '127.0.0.1',
    flag: 'HOST',
  }),
  port: setting(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    about: 'The port to listen on. 0 takes a free one, which is printed at start.',
    allowed: 'a port from 0 to 65535 (0 takes a free one)',
    default: 8080,
    flag: 'PORT',
  }),
  data: setting(Type.String({ pattern: noNul }), {
    about:
      'Where the data lives, on a local disk, unless there is a `database.url`. It is created when missing.',
    allowed: 'the path of a directory',
    default: './data',
    flag: 'DIRECTORY',
    isPath: true,
  }),
  sample: setting(Type.Boolean(), {
    about:
      'Loads a sample station if there is no station yet. `npm start` turns it on unless `ROSTER_SAMPLE` is set.',
    default: false,
    flag: '',
  }),
  auth: setting(Type.Enum(['on', 'off']), {
    about:
      'Whether a request needs a token. `off` is for the loopback address alone: elsewhere the server refuses to start.',
    computed: {
      text: '`off` for a sample on a loopback address, else `on`',
      of: (before) => (before.get('sample') && isLoopback(String(before.get('host'))) ? 'off' : 'on'),
    },
    flag: 'on|off',
  }),
  bootstrapTokenFile: Type.Optional(
    setting(Type.String({ pattern: noNul }), {
      about:
        'The file with the text of the first admin token, read when no token was ever made. Without it such a token is made and printed once.',
      allowed: 'the path of a file',
      examples: ['/run/secrets/roster-token'],
      isPath: true,
    }),
  ),
  allowedHosts: setting(Type.Array(Type.String({ pattern: '^(?![^:]*:[0-9]+$)[A-Za-z0-9.:_-]+$' })), {
    about:
      'Names by which the server may be called while `auth` is off, beside `localhost` and loopback addresses. Any other `Host` is refused, so that no page of the web can reach the server through a browser.',
    allowed: 'host names without scheme and port',
    default: [],
    examples: [['roster.test']],
  }),
  oidc: oidcSection,
  audit: Type.Object(
    {
      file: Type.Optional(
        setting(Type.String({ pattern: noNul }), {
          about:
            'Where the [audit](../guide/securing.md#audit) is appended to, a line for each write and each denial. SIGHUP has it opened anew. Without it these lines are in the log, whatever its level.',
          allowed: 'the path of a file',
          examples: ['/var/log/roster/audit.jsonl'],
          isPath: true,
        }),
      ),
    },
    { description: 'Who did what.' },
  ),
  tls: Type.Object(
    {
      cert: Type.Optional(
        setting(Type.String({ pattern: noNul }), {
          about:
            'The certificate, as PEM, with those that vouch for it behind it. With it the server speaks HTTPS and nothing else. It is read again when it changes, and on SIGHUP: see [TLS](../guide/securing.md#tls).',
          allowed: 'the path of a file',
          examples: ['/etc/roster/tls/tls.crt'],
          flag: 'FILE',
          isPath: true,
        }),
      ),
      key: Type.Optional(
        setting(Type.String({ pattern: noNul }), {
          about: 'The private key of the certificate, as PEM, not encrypted.',
          allowed: 'the path of a file',
          examples: ['/etc/roster/tls/tls.key'],
          flag: 'FILE',
          isPath: true,
        }),
      ),
    },
    { description: 'HTTPS.' },
  ),
  trustProxy: setting(Type.Union([Type.Boolean(), Type.Array(Type.String(), { minItems: 1 })]), {
    about:
      'The proxies before the server, by address or network, whose `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` are believed; `true` believes everyone. See [behind a proxy](../guide/securing.md#behind-a-proxy).',
    allowed: 'true, false, or addresses and networks such as 10.0.0.0/8',
    default: false,
    examples: [['10.0.0.0/8', '::1']],
    check: faultOfProxies,
  }),
  database: Type.Object(
    {
      url: Type.Optional(
        setting(Type.String({ minLength: 1 }), {
          about:
            'The PostgreSQL database that holds the data, instead of SQLite in `data`. Any number of nodes may use the same one. Its parameters stand [below](#the-url-of-the-database).',
          allowed: 'like postgres://user:password@host:5432/database',
          isSecret: true,
          check: faultOfDatabaseUrl,
        }),
      ),
      pool: setting(Type.Integer({ minimum: fewestConnections, maximum: 1000 }), {
        about:
          'How many connections this node may have to PostgreSQL: one asks, one listens, and of the others half read and half write.',
        default: defaultConnections,
      }),
    },
    { description: 'PostgreSQL, instead of SQLite.' },
  ),
  cors: Type.Object(
    {
      origins: setting(Type.Array(Type.String({ minLength: 1 })), {
        about:
          'The origins whose scripts may use the server from a browser, as the browser writes them; `*` stands for all, and needs authentication. Cookies are never accepted from them, only tokens. See [CORS](../guide/securing.md#cors).',
        allowed: 'origins such as https://console.example.com, without a path',
        default: [],
        examples: [['https://console.example.com']],
        check: faultOfOrigins,
      }),
    },
    { description: 'Scripts of other sites.' },
  ),
  limits: Type.Object(
    {
      connections: setting(Type.Integer({ minimum: 2, maximum: 1e6 }), {
        about:
          'How many connections there may be at once. One address may have half of them, unless `trustProxy` names it. Those beyond are closed.',
        default: 10_000,
      }),
      requestsPerSecond: setting(Type.Integer({ minimum: 0, maximum: 1e6 }), {
        about:
          'How many requests a second each token and each person may make, and each address where nobody signs in. 0 is no limit. See [rate limits](limits.md#rate-limits).',
        computed: {
          text: '`1000` with authentication, `0` without',
          of: (before) => (before.get('auth') === 'on' ? 1_000 : 0),
        },
      }),
      burst: setting(Type.Integer({ minimum: 1, maximum: 1e7 }), {
        about: 'How many requests may come at once, after a pause.',
        computed: {
          text: 'twice `limits.requestsPerSecond`',
          of: (before) => Math.max(1, 2 * Number(before.get('limits.requestsPerSecond'))),
        },
      }),
      failuresPerMinute: setting(Type.Integer({ minimum: 0, maximum: 1e6 }), {
        about: 'How many requests with a wrong token each address may make in a minute. 0 is no limit.',
        default: 300,
      }),
      lagMs: setting(Type.Integer({ minimum: 0, maximum: 60_000 }), {
        about:
          'How late the server may be before it turns requests away with `503 overloaded`, in milliseconds: see [overload](limits.md#overload). 0 never does.',
        default: 250,
      }),
    },
    { description: 'What keeps the server up when it is abused.' },
  ),
  logLevel: setting(Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), {
    about: 'The least important log lines to write.',
    default: 'info',
    flag: 'LEVEL',
  }),
  strictQuery: setting(Type.Boolean(), {
    about:
      'Whether a list with an unknown query parameter is refused. When off, such parameters are ignored.',
    default: true,
  }),
  maxUnpaged: setting(Type.Integer({ minimum: 0, maximum: 1e9 }), {
    about: 'How many resources a list without page parameters may hold.',
    default: limits.defaultMaxUnpaged,
  }),
  maxBodyMb: setting(Type.Integer({ minimum: 1, maximum: 1e6 }), {
    about: 'How large the body of a write may be, in MiB, as it is sent and decompressed.',
    allowed: 'a whole number of MiB from 1 to 1000000',
    default: 1024,
  }),
  indexMemoryMb: setting(Type.Integer({ minimum: 1, maximum: 1e7 }), {
    about:
      'How much memory the newest snapshots may take together, in MiB, before stations that were not read lately are dropped from memory.',
    allowed: 'a whole number of MiB from 1 to 10000000',
    computed: { text: 'half of the memory of the machine or its container', of: halfOfMemoryMb },
  }),
  historyHours: setting(Type.Integer({ minimum: 1, maximum: 87_600 }), {
    about:
      'How long changes are remembered: what `changes` tells, and what takes space on the disk until then.',
    allowed: 'a whole number of hours from 1 to 87600',
    default: 24,
  }),
  metrics: Type.Object(
    {
      port: Type.Optional(
        setting(Type.Integer({ minimum: 0, maximum: 65_535 }), {
          about:
            'A port of its own for `/metrics`, where it needs no token. 0 takes a free one, which is printed at start. Without it, `/metrics` is on the main port.',
          allowed: 'a port from 0 to 65535 (0 takes a free one)',
          examples: [9464],
        }),
      ),
      host: setting(Type.String({ pattern: hostPattern }), {
        about:
          'The address of that port. Whoever reaches it can read the metrics, which name every station: open it to Prometheus alone.',
        allowed: hostAllowed,
        default: '127.0.0.1',
      }),
      maxStations: setting(Type.Integer({ minimum: 0, maximum: 100_000 }), {
        about:
          'Of how many stations the metrics show the resources, the first by address. `roster_inventory_stations_left_out` tells how many are not shown.',
        default: 1000,
      }),
    },
    { description: 'What Prometheus is told.' },
  ),
});

/** What the server runs with, as the table names it. */
export type Settings = Static<typeof settingTable>;

/** Never repeats the URL. */
function faultOfDatabaseUrl(url: string): string | undefined {
  try {
    parseDatabaseUrl(url);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidDatabaseUrl) return error.message;
    throw error;
  }
}

function halfOfMemoryMb(): number {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < os.totalmem() ? constrained : os.totalmem();
  return Math.floor(total / 2 / mebibyte);
}
