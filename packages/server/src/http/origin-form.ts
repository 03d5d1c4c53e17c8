/** A request target without scheme and host: clients may send those too, as they do through a proxy. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('?') ? `/${path}` : path || '/';
}
