import { expect, it } from 'vitest';
import { addressKey } from './address-key.ts';

const cases: Record<string, string> = {
  '127.0.0.1': '127.0.0.1',
  '::ffff:10.1.2.3': '10.1.2.3',
  '::1': '0:0:0:0::/64',
  '2001:db8:1:2:aaaa::1': '2001:db8:1:2::/64',
  '2001:db8:1:2:bbbb:1:2:3': '2001:db8:1:2::/64',
  '2001:db8::5': '2001:db8:0:0::/64',
  'fe80::1%eth0': 'fe80:0:0:0::/64',
  '2001:0DB8:0001:0002::1': '2001:db8:1:2::/64',
  '2001:db8:0000:0:0:0:0:5': '2001:db8:0:0::/64',
  '::FFFF:10.1.2.3': '10.1.2.3',
  '::ffff:0a01:203': '10.1.2.3',
  '0:0:0:0:0:ffff:10.1.2.3': '10.1.2.3',
  '64:ff9b::10.1.2.3': '64:ff9b:0:0::/64',
  '::': '0:0:0:0::/64',
  'no address': 'no address',
  '::ffff:nonsense': '::ffff:nonsense',
};

for (const [address, key] of Object.entries(cases)) {
  it(`counts ${address} as ${key}`, () => expect(addressKey(address)).toBe(key));
}
