import { json, pathParameter, problem, queryParameter, text } from './parts.ts';

const cookie = {
  'Set-Cookie': { schema: { type: 'string' }, description: 'The session, for browsers.' },
};

const location = { Location: { schema: text, description: 'Where the browser goes on.' } };

/** Who may do what: tokens and sessions. */
export const accessOperations = {
  listTokens: {
    tags: ['Access'],
    summary: 'List the tokens',
    description:
      'Those whose scopes are all covered by the scopes of the caller. The tokens themselves are never shown.',
    responses: { 200: { description: 'The tokens, oldest first.', content: json('Tokens') } },
  },
  createToken: {
    tags: ['Access'],
    summary: 'Create a token',
    description: 'It can have no more than its maker: no higher role, no wider scope, no longer life.',
    requestBody: { required: true, content: json('NewToken') },
    responses: {
      201: { description: 'Created. The token is shown this once.', content: json('CreatedToken') },
      400: problem('The body is wrong.'),
      409: problem('There are as many tokens as there may be, or authentication is off.'),
      415: problem('The content type is not application/json.'),
    },
  },
  revokeToken: {
    tags: ['Access'],
    summary: 'Revoke a token',
    description: 'No node accepts it five seconds later, and streams that it opened end.',
    parameters: [pathParameter('token_id', 'The token.', 'tok_k3v9x0a1bcde')],
    responses: {
      204: { description: 'Revoked.' },
      404: problem('There is no such token, or it is not covered by the scopes of the caller.'),
    },
  },
  getSession: {
    tags: ['Access'],
    summary: 'Who is signed in, and how to sign in',
    responses: {
      200: { description: 'The session.', content: json('Session') },
      401: problem('The token or session that came is not valid.'),
    },
  },
  createSession: {
    tags: ['Access'],
    summary: 'Sign in from a browser',
    description: 'Puts the token into a cookie that scripts cannot read.',
    requestBody: { required: true, content: json('NewSession') },
    responses: {
      200: { description: 'Signed in.', headers: cookie, content: json('Session') },
      400: problem('The body is wrong.'),
      401: problem('The token is not valid.'),
      403: problem('The request came from another site.'),
    },
  },
  deleteSession: {
    tags: ['Access'],
    summary: 'Sign out from a browser',
    responses: { 204: { description: 'Signed out.', headers: cookie } },
  },
  beginSignIn: {
    tags: ['Access'],
    summary: 'Send a browser to the OpenID issuer',
    description: 'For people: a link to follow. Where no issuer is set up it leads back at once.',
    parameters: [queryParameter('return_to', text, 'The page of this server to come back to.', '/stations')],
    responses: { 303: { description: 'To the issuer.', headers: location } },
  },
  finishSignIn: {
    tags: ['Access'],
    summary: 'Take a browser back from the OpenID issuer',
    description:
      'The issuer sends browsers here. They are sent on to where they began, signed in, or with `#sign-in=` and the reason why not.',
    parameters: [
      queryParameter('code', text, 'What the issuer gives a token for.'),
      queryParameter('state', text, 'What the browser was sent away with.'),
      queryParameter('iss', text, 'The issuer.'),
      queryParameter('error', text, 'Why the issuer signed nobody in.'),
      queryParameter('error_description', text, 'The same for people.'),
    ],
    responses: { 303: { description: 'Back to where it began.', headers: { ...location, ...cookie } } },
  },
};
