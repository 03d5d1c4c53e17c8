import os from 'node:os';
import { limits, parseScope, peopleRoles, RosterError } from '@roster/contract';
import { readSources } from '@roster/sources/config';
import { defaultConnections, fewestConnections, InvalidDatabaseUrl, parseDatabaseUrl } from '@roster/store';
import type { Static } from 'typebox';
import { isLoopback } from '../http/is-loopback.ts';
import { checkOrigins } from '../http/origin-setting.ts';
import { checkProxies } from '../http/trusted-proxies.ts';
import { optional, setting, Type } from './setting.ts';

const mebibyte = 2 ** 20;
const hostPattern = '^(?![^:]*:[0-9]+$)[A-Za-z0-9.:_%-]+$';
const hostAllowed = 'a host name or IP address without scheme and port';
const noNul = '^[^\\0]+$';

/** Only asymmetric ones: both sides know the key of a symmetric signature. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const claim = '^\\S+$';
const word = '^[\\x21-\\x7e]+$';

const oidcSection = Type.Object(
  {
    issuer: optional(Type.String({ pattern: '^https?://' }), {
      about:
        'The issuer whose tokens are accepted, exactly as in its tokens. Its keys and endpoints are read from `/.well-known/openid-configuration`. Must use `https`, except on a loopback address.',
      allowed: 'a URL with https',
      examples: ['https://login.example.com/realms/ops'],
      check: checkIssuer,
    }),
    audience: setting(Type.Array(Type.String({ minLength: 1 })), {
      about: 'Audiences to accept: the `aud` of a token must have one of them, or `clientId`.',
      allowed: 'names that the issuer puts into aud',
      default: [],
      examples: [['roster']],
    }),
    algorithms: setting(Type.Array(Type.Enum(algorithms), { minItems: 1 }), {
      about: 'Signature algorithms to accept.',
      allowed: `some of ${algorithms.join(', ')}`,
      default: ['RS256', 'ES256', 'EdDSA'],
    }),
    roleClaim: setting(Type.String({ pattern: claim }), {
      about:
        'The claim that `roles` maps: a name, or a path such as `realm_access.roles`. Its value may be a list, a string, or words separated by spaces.',
      allowed: 'the name of a claim',
      default: 'groups',
    }),
    roles: optional(Type.Record(Type.String({ minLength: 1 }), Type.Enum([...peopleRoles])), {
      about:
        'Maps values of the claim to roles; the highest role counts. `*` matches everyone who signs in. Users without a role are refused.',
      allowed: `values with a role each, one of ${peopleRoles.join(', ')}`,
      examples: [{ 'roster-admins': 'admin', sre: 'writer', '*': 'reader' }],
    }),
    scopeClaim: optional(Type.String({ pattern: claim }), {
      about:
        'The claim that `scopes` maps, if not `roleClaim`. Without `scopes`, its values are used as scopes.',
      allowed: 'the name of a claim',
    }),
    scopes: optional(
      Type.Record(
        Type.String({ minLength: 1 }),
        Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
      ),
      {
        about:
          'Maps values of the claim to one or more scopes. A user has all matching scopes, and the role applies in each. Users without a scope are refused.',
        allowed: 'values with a scope or a list of scopes each',
        examples: [{ 'roster-admins': '**', sre: ['subscriptions/acme/**', 'subscriptions/lab/**'] }],
        check: checkScopes,
      },
    ),
    clientId: optional(Type.String({ pattern: word }), {
      about:
        'The id of this server as a client of the issuer. With it, people can sign in to the console. Register the redirect URI `/roster/v1/session/oidc/callback` of this server.',
      allowed: 'the id of a client, without blanks',
    }),
    clientSecret: optional(Type.String({ minLength: 1 }), {
      about: 'The secret of the client. Without it, the client is public.',
      allowed: 'a text',
      isSecret: true,
    }),
    name: setting(Type.String({ minLength: 1, maxLength: 60 }), {
      about: 'The label of the sign-in button in the console.',
      allowed: 'a text of at most 60 characters',
      default: 'single sign-on',
    }),
    request: setting(Type.Array(Type.String({ pattern: word }), { minItems: 1 }), {
      about: 'OAuth scopes to request at sign-in. Some issuers need one more for the groups claim.',
      allowed: 'OAuth scopes, including openid',
      default: ['openid', 'profile', 'email'],
      check: (words) => (words.includes('openid') ? undefined : 'must include openid'),
    }),
  },
  {
    description:
      'OpenID Connect: tokens and sign-in of an issuer, in addition to the tokens of the server. See [securing](../guide/securing.md#openid).',
  },
);

/**
 * Every setting. The key makes the variable (`ROSTER_` + the key in capitals) and, with `flag`, the flag of
 * `roster serve`. A `Type.Object` is a section of the file. Run `npm run docs` after a change.
 */
export const allSettings = Type.Object({
  host: setting(Type.String({ pattern: hostPattern }), {
    about:
      'The address to listen on. Anything but a loopback address requires authentication: see [securing](../guide/securing.md#listening).',
    allowed: hostAllowed,
    default: '127.0.0.1',
    flag: 'HOST',
  }),
  port: setting(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    about: 'The port to listen on. 0 picks a free port and prints it at start.',
    allowed: 'a port from 0 to 65535 (0 picks a free one)',
    default: 8080,
    flag: 'PORT',
  }),
  data: setting(Type.String({ pattern: noNul }), {
    about:
      'The directory for the data, on a local disk. Created if missing, and not used with a `database.url`.',
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
      'Whether requests need a token. With `off`, the server starts only if it listens on a loopback address.',
    computed: {
      text: '`off` for a sample on a loopback address, else `on`',
      of: (before) => (before.get('sample') && isLoopback(String(before.get('host'))) ? 'off' : 'on'),
    },
    flag: 'on|off',
  }),
  bootstrapTokenFile: optional(Type.String({ pattern: noNul }), {
    about:
      'A file with the first admin token, read only while there are no tokens. Without it, the first start creates a token and prints it once.',
    allowed: 'the path of a file',
    examples: ['/run/secrets/roster-token'],
    isPath: true,
  }),
  allowedHosts: setting(Type.Array(Type.String({ pattern: '^(?![^:]*:[0-9]+$)[A-Za-z0-9.:_-]+$' })), {
    about:
      'Host names accepted while `auth` is off, in addition to `localhost` and loopback addresses. Requests with any other `Host` are refused, to prevent DNS rebinding.',
    allowed: 'host names without scheme and port',
    default: [],
    examples: [['roster.test']],
  }),
  oidc: oidcSection,
  audit: Type.Object(
    {
      file: optional(Type.String({ pattern: noNul }), {
        about:
          'The file for the [audit](../guide/securing.md#audit): one line for each write and each denial. SIGHUP reopens it. Without it, these lines go to the log at every log level.',
        allowed: 'the path of a file',
        examples: ['/var/log/roster/audit.jsonl'],
        isPath: true,
      }),
      required: setting(Type.Boolean(), {
        about:
          'Whether writes are refused with `503 audit_unavailable` while the audit file cannot be written. Each write then has a line before and one after it. Otherwise the write goes ahead and the lost line is counted.',
        default: false,
      }),
    },
    { description: 'Who did what.' },
  ),
  tls: Type.Object(
    {
      cert: optional(Type.String({ pattern: noNul }), {
        about:
          'The certificate chain in PEM, the certificate of the server first. With it, the server speaks HTTPS only. It is reloaded when the file changes, and on SIGHUP: see [TLS](../guide/securing.md#tls).',
        allowed: 'the path of a file',
        examples: ['/etc/roster/tls/tls.crt'],
        flag: 'FILE',
        isPath: true,
      }),
      key: optional(Type.String({ pattern: noNul }), {
        about: 'The private key of the certificate, in PEM, not encrypted.',
        allowed: 'the path of a file',
        examples: ['/etc/roster/tls/tls.key'],
        flag: 'FILE',
        isPath: true,
      }),
    },
    { description: 'HTTPS.' },
  ),
  trustProxy: setting(Type.Union([Type.Boolean(), Type.Array(Type.String(), { minItems: 1 })]), {
    about:
      'Addresses and networks of proxies whose `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` are trusted. `true` trusts everyone. See [behind a proxy](../guide/securing.md#behind-a-proxy).',
    allowed: 'true, false, or addresses and networks such as 10.0.0.0/8',
    default: false,
    examples: [['10.0.0.0/8', '::1']],
    check: checkProxies,
  }),
  database: Type.Object(
    {
      url: optional(Type.String({ minLength: 1 }), {
        about:
          'The PostgreSQL database for the data, instead of SQLite in `data`. Any number of nodes can share it. For its parameters, see [below](#the-url-of-the-database).',
        allowed: 'like postgres://user:password@host:5432/database',
        isSecret: true,
        check: checkDatabaseUrl,
      }),
      pool: setting(Type.Integer({ minimum: fewestConnections, maximum: 1000 }), {
        about:
          'The maximum number of connections of this node to PostgreSQL. One polls, one listens; half of the others read, half write.',
        default: defaultConnections,
      }),
    },
    { description: 'PostgreSQL, instead of SQLite.' },
  ),
  cors: Type.Object(
    {
      origins: setting(Type.Array(Type.String({ minLength: 1 })), {
        about:
          'Origins whose scripts may call the server from a browser, with a token but never with cookies. `*` allows all of them, and requires authentication. See [CORS](../guide/securing.md#cors).',
        allowed: 'origins such as https://console.example.com, without a path',
        default: [],
        examples: [['https://console.example.com']],
        check: checkOrigins,
      }),
    },
    { description: 'Cross-origin requests.' },
  ),
  limits: Type.Object(
    {
      connections: setting(Type.Integer({ minimum: 2, maximum: 1e6 }), {
        about:
          'The maximum number of open connections; more are closed. One address may have half of them, unless it is in `trustProxy`.',
        default: 10_000,
      }),
      requestsPerSecond: setting(Type.Integer({ minimum: 0, maximum: 1e6 }), {
        about:
          'Requests per second for each token and each user, or for each address without authentication. 0 means no limit. See [rate limits](limits.md#rate-limits).',
        computed: {
          text: '`1000` with authentication, `0` without',
          of: (before) => (before.get('auth') === 'on' ? 1_000 : 0),
        },
      }),
      burst: setting(Type.Integer({ minimum: 1, maximum: 1e7 }), {
        about: 'How many requests may come at once after a pause.',
        computed: {
          text: 'twice `limits.requestsPerSecond`',
          of: (before) => Math.max(1, 2 * Number(before.get('limits.requestsPerSecond'))),
        },
      }),
      failuresPerMinute: setting(Type.Integer({ minimum: 0, maximum: 1e6 }), {
        about: 'Requests with a wrong token per minute for each address. 0 means no limit.',
        default: 300,
      }),
      lagMs: setting(Type.Integer({ minimum: 0, maximum: 60_000 }), {
        about:
          'The event loop lag, in milliseconds, beyond which requests are refused with `503 overloaded`: see [overload](limits.md#overload). 0 turns this off.',
        default: 250,
      }),
    },
    { description: 'Protection against overload and abuse.' },
  ),
  sources: setting(Type.Array(Type.Record(Type.String(), Type.Unknown())), {
    about:
      'Prometheus and Alertmanager servers that report states and rule counts: see [sources](sources.md). The variable holds the list as JSON.',
    allowed: 'a list of sources',
    default: [],
    checkParts: (value) => readSources(value).errors,
  }),
  logLevel: setting(Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), {
    about: 'The minimum level of log lines.',
    default: 'info',
    flag: 'LEVEL',
  }),
  strictQuery: setting(Type.Boolean(), {
    about:
      'Whether a list with an unknown query parameter is refused. If off, unknown parameters are ignored.',
    default: true,
  }),
  maxUnpaged: setting(Type.Integer({ minimum: 0, maximum: 1e9 }), {
    about: 'The maximum number of resources in a list without page parameters.',
    default: limits.defaultMaxUnpaged,
  }),
  maxBodyMb: setting(Type.Integer({ minimum: 1, maximum: 1e6 }), {
    about: 'The maximum size of the body of a write in MiB, both as sent and decompressed.',
    allowed: 'a whole number of MiB from 1 to 1000000',
    default: 1024,
  }),
  indexMemoryMb: setting(Type.Integer({ minimum: 1, maximum: 1e7 }), {
    about:
      'The memory for the newest snapshots in MiB. Beyond it, the stations that were not read for the longest time are dropped from memory.',
    allowed: 'a whole number of MiB from 1 to 10000000',
    computed: { text: 'half of the memory of the machine or its container', of: halfOfMemoryMb },
  }),
  snapshotSaveSeconds: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    about:
      'Advanced. How often changed large stations are saved beside the database, in seconds, so that a killed server starts fast. Only with SQLite.',
    allowed: 'a whole number of seconds from 1 to 86400',
    default: 60,
  }),
  historyHours: setting(Type.Integer({ minimum: 1, maximum: 87_600 }), {
    about: 'How long the history of changes is kept. It takes disk space.',
    allowed: 'a whole number of hours from 1 to 87600',
    default: 24,
  }),
  trendDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    about:
      'How long the counts of stations by the hour are kept, in days: see [trends](read-operations.md#trends).',
    allowed: 'a whole number of days from 1 to 3650',
    default: 366,
  }),
  trendSampleSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    about:
      'Advanced. How often stations are looked at for their trends, in seconds. A state that lasts for less may be missing from the peaks.',
    allowed: 'a whole number of seconds from 1 to 3600',
    default: 60,
  }),
  metrics: Type.Object(
    {
      port: optional(Type.Integer({ minimum: 0, maximum: 65_535 }), {
        about:
          'A separate port for `/metrics`, which needs no token there. 0 picks a free port and prints it at start. Without it, `/metrics` is on the main port.',
        allowed: 'a port from 0 to 65535 (0 picks a free one)',
        examples: [9464],
      }),
      host: setting(Type.String({ pattern: hostPattern }), {
        about:
          'The address of the metrics port. The metrics name every station, so allow access from Prometheus only.',
        allowed: hostAllowed,
        default: '127.0.0.1',
      }),
      maxStations: setting(Type.Integer({ minimum: 0, maximum: 100_000 }), {
        about:
          'How many stations have metrics of their own, the first by address. `roster_inventory_stations_left_out` counts the others.',
        default: 1000,
      }),
    },
    { description: 'Metrics for Prometheus.' },
  ),
});

export type Settings = Static<typeof allSettings>;

function checkIssuer(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (username !== '') return 'must not have a user name in it';
  if (search !== '' || hash !== '') return 'must have neither query nor fragment';
  const isSafe = protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
  return isSafe ? undefined : 'must begin with https: anyone on the network could answer in its place';
}

function checkScopes(scopes: Record<string, string | string[]>): string | undefined {
  try {
    for (const scope of Object.values(scopes).flat()) parseScope(scope);
    return undefined;
  } catch (error) {
    if (error instanceof RosterError) return `is invalid: ${error.message}`;
    throw error;
  }
}

/** Never repeats the URL. */
function checkDatabaseUrl(url: string): string | undefined {
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
