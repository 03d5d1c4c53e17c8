/** A URL that a browser on this machine can open if the server listens on all addresses. */
export function reachableUrl(url: string): string {
  return url.replace(/^(https?:\/\/)(0\.0\.0\.0|\[::\]):/, '$1localhost:');
}
