import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNetwork } from './ip-addresses.ts';

test('IPv4 counts by address, also if it is mapped to IPv6', () => {
  assert.equal(toNetwork('198.51.100.7'), '198.51.100.7');
  for (const mapped of ['::ffff:198.51.100.7', '::FFFF:198.51.100.7', '0:0:0:0:0:ffff:c633:6407']) {
    assert.equal(toNetwork(mapped), '198.51.100.7', mapped);
  }
});

test('IPv6 counts by /64, however the address is written', () => {
  const same = [
    '2001:db8:0:7::1',
    '2001:DB8::7:1:2:3:4',
    '2001:0db8:0000:0007:ffff::',
    '2001:db8:0:7::1%eth0',
  ];
  for (const address of same) assert.equal(toNetwork(address), '2001:db8:0:7::/64', address);
  assert.equal(toNetwork('2001:db8:0:8::1'), '2001:db8:0:8::/64');
  assert.equal(toNetwork('::1'), '0:0:0:0::/64');
});
