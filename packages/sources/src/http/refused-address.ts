import { BlockList, isIP } from 'node:net';

/** Where clouds serve credentials of the machine, and where nothing else is. */
const refused = new BlockList();
refused.addSubnet('169.254.0.0', 16, 'ipv4');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('::ffff:169.254.0.0', 112, 'ipv6');
refused.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
refused.addAddress('fd00:ec2::254', 'ipv6');
refused.addAddress('100.100.100.200', 'ipv4');
refused.addAddress('::ffff:100.100.100.200', 'ipv6');
refused.addAddress('168.63.129.16', 'ipv4');
refused.addAddress('::ffff:168.63.129.16', 'ipv6');

/** Whether it is a link-local address or the metadata service of a cloud. False for what is no IP address. */
export function isRefusedAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && refused.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
