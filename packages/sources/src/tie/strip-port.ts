/** `host:9100` is `host`, and `[::1]:9100` is `::1`. A bare IPv6 address stays as it is. */
export function stripPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  const [, host] = /^([^:]*):\d+$/.exec(text) ?? [];
  return host ?? text;
}
