import { Type } from 'typebox';
import { limits } from '../limits.ts';
import { roles } from '../role.ts';

const role = Type.Enum(roles, {
  description:
    'Of `reader`, `writer` and `admin` each includes the previous one; `source` may only send alerts.',
});
const scopes = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: limits.maxScopes,
  description: 'Patterns that match station addresses; `**` matches all.',
  examples: [['subscriptions/acme/**']],
});
const name = Type.String({ maxLength: limits.maxTokenNameLength, description: 'Its purpose.' });
const time = (description: string) => Type.String({ format: 'date-time', description });
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const TokenSchema = Type.Object(
  {
    id: Type.String({ examples: ['tok_k3v9x0a1bcde'] }),
    name,
    role,
    scopes,
    created_at: time('When it was made.'),
    created_by: Type.String({ description: 'Name of the creator; for a token, followed by its id.' }),
    maker_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The token it was created with, or the nearest ancestor not revoked; else null.',
    }),
    expires_at: timeOrNull('null if it does not expire.'),
    last_used_at: timeOrNull('Accurate to about two minutes; null if never used.'),
  },
  { additionalProperties: false },
);

export const TokensSchema = Type.Object({ tokens: Type.Array(TokenSchema) }, { additionalProperties: false });

export const NewTokenSchema = Type.Object(
  {
    name,
    role,
    scopes,
    expires_in: Type.Optional(
      Type.Union([Type.String({ pattern: '^[0-9]+[smhd]$', examples: ['90d'] }), Type.Null()], {
        description: 'Lifetime; null for no expiry. Default: 90 days, or as long as the caller.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const CreatedTokenSchema = Type.Object(
  {
    ...TokenSchema.properties,
    token: Type.String({ description: 'The token itself, shown only once.' }),
  },
  { additionalProperties: false },
);

const ids = (description: string) => Type.Array(Type.String(), { description });

export const RevocationSchema = Type.Object(
  {
    revoked: ids('The tokens that are no longer valid.'),
    still_valid: ids('Tokens created with the revoked one, directly or not, that still work.'),
  },
  { additionalProperties: false },
);

export const NewSessionSchema = Type.Object({ token: Type.String() }, { additionalProperties: false });

const PrincipalSchema = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['anonymous', 'token', 'oidc']),
    role,
    scopes,
    expires_at: timeOrNull('null if it does not expire.'),
  },
  { additionalProperties: false },
);

const OidcSignInSchema = Type.Object(
  {
    name: Type.String({ description: 'Display name.' }),
    path: Type.String({ description: 'Path for the browser to open.' }),
  },
  { additionalProperties: false },
);

export const SessionSchema = Type.Object(
  {
    authentication: Type.Enum(['off', 'required']),
    principal: Type.Union([PrincipalSchema, Type.Null()], { description: 'null if not signed in.' }),
    sign_in: Type.Object(
      { token: Type.Boolean(), oidc: Type.Union([OidcSignInSchema, Type.Null()]) },
      { additionalProperties: false, description: 'The ways to sign in.' },
    ),
  },
  { additionalProperties: false },
);
