/** The same on this machine, where a server listens on all of its addresses: a browser cannot open that one. */
export function reachableUrl(url: string): string {
  return url.replace(/^(https?:\/\/)(0\.0\.0\.0|\[::\]):/, '$1localhost:');
}
