import { parseScope, RosterError, roles } from '@roster/contract';
import { isLoopback } from '../protection/is-loopback.ts';
import { setting } from './setting.ts';
import { Type } from './type.ts';

/** Signatures that only the issuer can make: none of the symmetric ones, whose key both sides have. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const claim = '^\\S+$';
const word = '^[\\x21-\\x7e]+$';

/** Who is let in on the word of an OpenID issuer. */
export const oidcSection = Type.Object(
  {
    issuer: Type.Optional(
      setting(Type.String({ pattern: '^https?://' }), {
        about:
          'The issuer whose tokens are accepted, as it names itself. What else it has to say is read from its `/.well-known/openid-configuration`. Without `https` only on a loopback address.',
        allowed: 'a URL with https',
        examples: ['https://login.example.com/realms/ops'],
        check: faultOfIssuer,
      }),
    ),
    audience: setting(Type.Array(Type.String({ minLength: 1 })), {
      about:
        'For whom a token must be made: one of these must be in its `aud`. What is made for `clientId` is accepted too.',
      allowed: 'names that the issuer puts into aud',
      default: [],
      examples: [['roster']],
    }),
    algorithms: setting(Type.Array(Type.Enum(algorithms), { minItems: 1 }), {
      about: 'With which algorithms a token may be signed.',
      allowed: `some of ${algorithms.join(', ')}`,
      default: ['RS256', 'ES256', 'EdDSA'],
    }),
    roleClaim: setting(Type.String({ pattern: claim }), {
      about:
        'The claim that `roles` looks at: a name, or a path such as `realm_access.roles`. It may be a list, a text, or words with blanks between them.',
      allowed: 'the name of a claim',
      default: 'groups',
    }),
    roles: Type.Optional(
      setting(Type.Record(Type.String({ minLength: 1 }), Type.Enum([...roles])), {
        about:
          'Which value of the claim gives which role; the highest one counts. The value `*` stands for everyone whom the issuer signs in. Who has no role is refused.',
        allowed: `values with a role each, one of ${roles.join(', ')}`,
        examples: [{ 'roster-admins': 'admin', sre: 'writer', '*': 'reader' }],
      }),
    ),
    scopeClaim: Type.Optional(
      setting(Type.String({ pattern: claim }), {
        about:
          'The claim that `scopes` looks at, if not `roleClaim`. Without `scopes`, its values are scopes themselves.',
        allowed: 'the name of a claim',
      }),
    ),
    scopes: Type.Optional(
      setting(
        Type.Record(
          Type.String({ minLength: 1 }),
          Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
        ),
        {
          about:
            'Which value of the claim gives which scopes, one or a list. All that someone has count together, and the role holds in all of them. Who has none is refused.',
          allowed: 'values with a scope or a list of scopes each',
          examples: [{ 'roster-admins': '**', sre: ['subscriptions/acme/**', 'subscriptions/lab/**'] }],
          check: faultOfScopes,
        },
      ),
    ),
    clientId: Type.Optional(
      setting(Type.String({ pattern: word }), {
        about:
          'As whom the server is registered with the issuer, so that people can sign in to the console. The address to register for the way back is that of the server and `/roster/v1/session/oidc/callback`.',
        allowed: 'the id of a client, without blanks',
      }),
    ),
    clientSecret: Type.Optional(
      setting(Type.String({ minLength: 1 }), {
        about: 'The secret of that client. Without it the client is a public one.',
        allowed: 'a text',
        isSecret: true,
      }),
    ),
    name: setting(Type.String({ minLength: 1, maxLength: 60 }), {
      about: 'What the console calls this way to sign in.',
      allowed: 'a text of at most 60 characters',
      default: 'single sign-on',
    }),
    request: setting(Type.Array(Type.String({ pattern: word }), { minItems: 1 }), {
      about:
        'What the console asks the issuer for, in the words that OAuth calls scopes. Some issuers want another one for the claim with the groups.',
      allowed: 'words of OAuth, openid among them',
      default: ['openid', 'profile', 'email'],
      check: (words) => (words.includes('openid') ? undefined : 'must have openid in it'),
    }),
  },
  {
    description:
      'Tokens and sign-in of an OpenID issuer, beside the tokens of the server: see [securing](../guide/securing.md#openid).',
  },
);

function faultOfIssuer(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (username !== '') return 'must not have a user name in it';
  if (search !== '' || hash !== '') return 'must have neither query nor fragment';
  const isSafe = protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
  return isSafe ? undefined : 'must begin with https, since others could answer in its place';
}

function faultOfScopes(scopes: Record<string, string | string[]>): string | undefined {
  try {
    for (const scope of Object.values(scopes).flat()) parseScope(scope);
    return undefined;
  } catch (error) {
    if (error instanceof RosterError) return `is wrong: ${error.message}`;
    throw error;
  }
}
