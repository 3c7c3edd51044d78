import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNetwork } from './ip-addresses.ts';

test('the network of an IPv4 address is the address, also if it is mapped to IPv6', () => {
  assert.equal(toNetwork('198.51.100.7'), '198.51.100.7');
  for (const mappedAddress of ['::ffff:198.51.100.7', '::FFFF:198.51.100.7', '0:0:0:0:0:ffff:c633:6407']) {
    assert.equal(toNetwork(mappedAddress), '198.51.100.7', mappedAddress);
  }
});

test('the network of an IPv6 address is its /64, in any notation', () => {
  const sameNetwork = [
    '2001:db8:0:7::1',
    '2001:DB8::7:1:2:3:4',
    '2001:0db8:0000:0007:ffff::',
    '2001:db8:0:7::1%eth0',
  ];
  for (const address of sameNetwork) assert.equal(toNetwork(address), '2001:db8:0:7::/64', address);
  assert.equal(toNetwork('2001:db8:0:8::1'), '2001:db8:0:8::/64');
  assert.equal(toNetwork('::1'), '0:0:0:0::/64');
});
