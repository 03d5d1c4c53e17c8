import { json, pathParameter, problem, queryParameter, text } from './components.ts';

const cookie = {
  'Set-Cookie': { schema: { type: 'string' }, description: 'The session, for browsers.' },
};

const location = { Location: { schema: text, description: 'Where the browser continues.' } };

/** Who may do what: tokens and sessions. */
export const accessOperations = {
  listTokens: {
    tags: ['Access'],
    summary: 'List the tokens',
    description: 'Only tokens whose scopes lie within those of the caller. Secrets are never shown.',
    responses: { 200: { description: 'The tokens, oldest first.', content: json('Tokens') } },
  },
  createToken: {
    tags: ['Access'],
    summary: 'Create a token',
    description: 'Its role, scopes and lifetime cannot exceed those of the caller.',
    requestBody: { required: true, content: json('NewToken') },
    responses: {
      201: { description: 'Created. The token is shown only once.', content: json('CreatedToken') },
      400: problem('The body is wrong.'),
      409: problem('The maximum number of tokens is reached, or authentication is off.'),
      415: problem('The content type is not application/json.'),
    },
  },
  revokeToken: {
    tags: ['Access'],
    summary: 'Revoke a token',
    description:
      'Within five seconds every node rejects it and closes its streams. Tokens created with it stay valid and are listed, unless `cascade` is true.',
    parameters: [
      pathParameter('token_id', 'The token.', 'tok_k3v9x0a1bcde'),
      queryParameter(
        'cascade',
        { type: 'boolean', default: false },
        'Also revoke every token created with it, directly or not.',
      ),
    ],
    responses: {
      200: { description: 'Revoked.', content: json('Revocation') },
      404: problem('No such token within the scopes of the caller.'),
    },
  },
  getSession: {
    tags: ['Access'],
    summary: 'Who is signed in, and how to sign in',
    description:
      'For the console: the current principal, if there is one, and the ways that this server offers to sign in.',
    responses: {
      200: { description: 'The session.', content: json('Session') },
      401: problem('The token or session is not valid.'),
    },
  },
  createSession: {
    tags: ['Access'],
    summary: 'Sign in from a browser',
    description: 'Stores the token in a cookie that scripts cannot read.',
    requestBody: { required: true, content: json('NewSession') },
    responses: {
      200: { description: 'Signed in.', headers: cookie, content: json('Session') },
      400: problem('The body is wrong.'),
      401: problem('The token is not valid.'),
      403: problem('The request came from another origin.'),
    },
  },
  deleteSession: {
    tags: ['Access'],
    summary: 'Sign out from a browser',
    description: 'Deletes the session cookie. The token in it stays valid.',
    responses: { 204: { description: 'Signed out.', headers: cookie } },
  },
  beginSignIn: {
    tags: ['Access'],
    summary: 'Send a browser to the OpenID issuer',
    description: 'A link for people. Without a configured issuer it leads straight back.',
    parameters: [queryParameter('return_to', text, 'The page of this server to return to.', '/stations')],
    responses: { 303: { description: 'To the issuer.', headers: location } },
  },
  finishSignIn: {
    tags: ['Access'],
    summary: 'Return from the OpenID issuer',
    description:
      'Redirect target of the issuer. Sends the browser back where it started, signed in, or with `#sign-in=` and the reason for the failure.',
    parameters: [
      queryParameter('code', text, 'The authorization code of the issuer.'),
      queryParameter('state', text, 'The state sent to the issuer.'),
      queryParameter('iss', text, 'The issuer.'),
      queryParameter('error', text, 'The error reported by the issuer.'),
      queryParameter('error_description', text, 'The same for people.'),
    ],
    responses: { 303: { description: 'Back where it started.', headers: { ...location, ...cookie } } },
  },
};
