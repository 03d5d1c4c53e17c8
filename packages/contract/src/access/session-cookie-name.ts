/** The cookie that holds the credential of a browser. */
export const sessionCookieName = 'roster_session';

/** Its name over https: browsers let no other host and no page without TLS set one that is called so. */
export const secureSessionCookieName = `__Host-${sessionCookieName}`;
