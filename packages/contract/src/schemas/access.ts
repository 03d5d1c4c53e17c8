import { Type } from 'typebox';
import { roles } from '../access/role.ts';
import { limits } from '../limits.ts';

const role = Type.Enum(roles, { description: 'Each includes those before it.' });
const scopes = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: limits.maxScopes,
  description: 'Patterns over the addresses of stations; `**` is all of them.',
  examples: [['subscriptions/acme/**']],
});
const name = Type.String({ maxLength: limits.maxTokenNameLength, description: 'What it is for.' });
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
    created_by: Type.String({ description: 'The name of who made it; of a token, followed by its id.' }),
    expires_at: timeOrNull('null when it does not expire.'),
    last_used_at: timeOrNull('Known to about two minutes; null when it was never used.'),
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
        description: 'How long it lives; null for ever. Without it 90 days, or as long as its maker.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const CreatedTokenSchema = Type.Object(
  {
    ...TokenSchema.properties,
    token: Type.String({ description: 'The token itself. It is shown this once.' }),
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
    expires_at: timeOrNull('null when it does not expire.'),
  },
  { additionalProperties: false },
);

const OidcSignInSchema = Type.Object(
  {
    name: Type.String({ description: 'What the way is called.' }),
    path: Type.String({ description: 'Where it begins, for a browser.' }),
  },
  { additionalProperties: false },
);

export const SessionSchema = Type.Object(
  {
    authentication: Type.Enum(['off', 'required']),
    principal: Type.Union([PrincipalSchema, Type.Null()], { description: 'null when nobody is signed in.' }),
    sign_in: Type.Object(
      { token: Type.Boolean(), oidc: Type.Union([OidcSignInSchema, Type.Null()]) },
      { additionalProperties: false, description: 'The ways to sign in.' },
    ),
  },
  { additionalProperties: false },
);
