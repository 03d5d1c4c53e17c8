const anyOrigin = 'http://roster.invalid';

/** The same path if it leads nowhere but to this server, else the start page. */
export function safeReturnPath(path: string | undefined): string {
  if (path === undefined || !path.startsWith('/') || !URL.canParse(path, anyOrigin)) return '/';
  const { origin, pathname, search, hash } = new URL(path, anyOrigin);
  // Steps such as `/..//` make a path that browsers would read as the name of another server.
  return origin === anyOrigin && !/^\/[/\\]/.test(pathname) ? pathname + search + hash : '/';
}
