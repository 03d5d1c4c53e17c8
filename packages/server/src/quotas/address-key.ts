import net from 'node:net';

/** What counts as one client: an IPv4 address, or the /64 network that one IPv6 host gets. */
export function addressKey(address: string): string {
  if (!address.includes(':') || !net.isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head, tail] = address.split('%')[0]!.split('::').map(readGroups) as [number[], number[]?];
  return tail === undefined ? head : [...head, ...new Array(8 - head.length - tail.length).fill(0), ...tail];
}

function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return Number.parseInt(group, 16);
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  });
}
