/** The cookie that holds the credential of a browser. */
export const sessionCookieName = 'roster_session';
