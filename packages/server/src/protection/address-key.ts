import net from 'node:net';

const mapped = '::ffff:';

/** What counts as one client: an IPv4 address, or the network of 2^64 addresses that one IPv6 host is given. */
export function addressKey(address: string): string {
  if (address.startsWith(mapped)) return address.slice(mapped.length);
  if (!address.includes(':') || !net.isIPv6(address)) return address;
  const [head, tail] = address.split('%')[0]!.split('::');
  const before = head === '' ? [] : head!.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return `${[...before, ...new Array(zeros).fill('0'), ...after].slice(0, 4).join(':')}::/64`;
}
