import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { test } from 'node:test';
import { isPublicAddress, type ResolveHost } from '#platform/http/ip-addresses.ts';
import { openWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { createSender } from './sender.ts';
import { findUrlViolation } from './target-url.ts';

const BLOCKED = {
  loopbackAndPrivate: [
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
  ],
  linkLocalAndShared: ['0.0.0.0', '169.254.169.254', '100.64.0.1', '100.127.255.255'],
  multicastAndReserved: ['224.0.0.1', '240.0.0.1', '255.255.255.255', '192.0.0.8', '198.18.0.1'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1'],
  ipv6: ['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1'],
  ipv6WithPrivateIpv4: [
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001:0:a00:1::',
    '::10.0.0.1',
  ],
  malformed: ['nonsense', ''],
};
const ALLOWED = [
  '8.8.8.8',
  '172.32.0.1',
  '100.63.255.255',
  '200.160.2.3',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
];

test('private, loopback, link-local, shared, multicast and metadata addresses are not public; others are', () => {
  assert.deepEqual(Object.values(BLOCKED).flat().filter(isPublicAddress), []);
  assert.deepEqual(ALLOWED.filter(isPublicAddress), ALLOWED);
});

/** Creates a resolver that returns these addresses for every host. */
const createResolver =
  (...addresses: string[]): ResolveHost =>
  (_host, _options, done) =>
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

test('a host name that resolves to a private address is not called, nor is a literal private address', async () => {
  const receiver = await openWebhookReceiver();
  const { port } = new URL(receiver.url);
  const post = async (host: string, resolveHost: ResolveHost) => {
    const sender = createSender({ mode: 'sandbox', timeoutMs: 1_000, resolveHost });
    const { status, error } = await sender.post(`http://${host}:${port}/`, {}, '{}');
    sender.close();
    assert.equal(status, null);
    return error!;
  };
  const resolvedAddresses = [
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['8.8.8.8', '10.0.0.1'],
    [],
  ];
  for (const addresses of resolvedAddresses) {
    const error = await post('partner.example', createResolver(...addresses));
    assert.match(error, /^address_refused/, String(addresses));
  }
  const literalHosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ];
  for (const host of literalHosts)
    assert.match(await post(host, createResolver('8.8.8.8')), /^address_refused/, host);
  assert.deepEqual(receiver.received, []);
  assert.equal(receiver.countConnections(), 0);
});

test('a host name is resolved once, and the checked address is the one connected to', async () => {
  let lookupCount = 0;
  const rebindingResolver: ResolveHost = (_host, _options, done) => {
    lookupCount += 1;
    // The first address is public, and no server responds there in time.
    done(null, [
      lookupCount === 1 ? { address: '2001:4860:ffff::1', family: 6 } : { address: '127.0.0.1', family: 4 },
    ]);
  };
  const receiver = await openWebhookReceiver();
  const sender = createSender({ mode: 'sandbox', timeoutMs: 300, resolveHost: rebindingResolver });
  const { error } = await sender.post(`http://partner.example:${new URL(receiver.url).port}/`, {}, '{}');
  sender.close();
  assert.match(error!, /timeout|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EPERM|EACCES|ECONNREFUSED/);
  assert.deepEqual([lookupCount, receiver.countConnections()], [1, 0]);
});

test('live mode requires https and a public host, at creation and at every call; every mode refuses invalid URLs', async () => {
  const validUrl = 'https://www.example.com.br/hook?x=1';
  assert.equal(findUrlViolation(validUrl, 'live'), undefined);
  const refusedInLive = [
    'http://www.example.com.br/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://localhost/',
  ];
  for (const url of refusedInLive) assert.ok(findUrlViolation(url, 'live'), url);
  assert.equal(findUrlViolation('http://127.0.0.1:4000/hook', 'sandbox'), undefined);
  const invalidUrls = [
    'https://a:b@example.com/',
    'https://example.com/#x',
    'ftp://example.com/',
    'hook',
    `${validUrl}${'x'.repeat(2_000)}`,
  ];
  for (const url of invalidUrls) assert.ok(findUrlViolation(url, 'sandbox'), url);
  const sender = createSender({ mode: 'live', timeoutMs: 1_000 });
  assert.equal((await sender.post('http://example.com/', {}, '{}')).error, 'https_required');
  assert.match((await sender.post('https://localhost:1/', {}, '{}')).error!, /^address_refused/);
  sender.close();
});
