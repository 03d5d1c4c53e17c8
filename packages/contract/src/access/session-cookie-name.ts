/** The cookie that holds the credential of a browser. */
export const sessionCookieName = 'roster_session';

/** Its name over HTTPS: browsers let neither another host nor a page without TLS set a cookie with this prefix. */
export const secureSessionCookieName = `__Host-${sessionCookieName}`;
