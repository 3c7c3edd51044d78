import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, DEMO_KEY, openService } from '../../test/harness.ts';
import { rotateKey } from './manage-keys.ts';

const service = await openService();

const createBackendKey = () => service.newKey({ scopes: ['wallet', 'public'], backend: true });

let phoneCount = 0;
function newPhone(): string {
  phoneCount++;
  return `+551197${String(phoneCount).padStart(7, '0')}`;
}
const checkPhone = (key: string, address?: string): Promise<ApiResponse> =>
  service.post(
    '/wallet/auth/phone-check',
    { phone: newPhone() },
    { key, ...(address !== undefined && { headers: { 'x-client-ip': address } }) },
  );
const sendAndCountAccepted = async (requestCount: number, send: (i: number) => Promise<ApiResponse>) =>
  (await Promise.all(Array.from({ length: requestCount }, (_, i) => send(i)))).filter(
    ({ status }) => status === 200,
  ).length;

/** Phone checks per minute from one IP address (IPv6: one /64 network). */
const MAX_CHECKS_PER_ADDRESS = 30;
const TOO_MANY_CHECKS = MAX_CHECKS_PER_ADDRESS + 10;

test('limits per address count the address that a backend sends', async () => {
  const { secret } = await createBackendKey();
  assert.equal(
    await sendAndCountAccepted(TOO_MANY_CHECKS, (i) => checkPhone(secret, `198.51.100.${i}`)),
    TOO_MANY_CHECKS,
  );
  assert.equal(
    await sendAndCountAccepted(TOO_MANY_CHECKS, () => checkPhone(secret, '203.0.113.1')),
    MAX_CHECKS_PER_ADDRESS,
  );
  const checkFromNetwork = (i: number) => checkPhone(secret, `2001:db8:0:7::${i.toString(16)}`);
  assert.equal(await sendAndCountAccepted(TOO_MANY_CHECKS, checkFromNetwork), MAX_CHECKS_PER_ADDRESS);
  assert.equal((await checkPhone(secret, '2001:db8:0:8::1')).status, 200);
  assert.equal(
    (await checkPhone(secret, '::ffff:203.0.113.1')).status,
    429,
    'the same address in another notation',
  );
});

test('the address header is ignored for a key that is not a backend key', async () => {
  service.clock.advance(MINUTE_MS); // a new minute of the limits
  const EARLIER_CHECKS = 20;
  const checkFromAddress = (i: number) => checkPhone(DEMO_KEY, `198.51.100.${i}`);
  assert.equal(await sendAndCountAccepted(EARLIER_CHECKS, checkFromAddress), EARLIER_CHECKS);
  assert.equal(
    await sendAndCountAccepted(TOO_MANY_CHECKS, () => checkPhone(DEMO_KEY, 'not an address')),
    MAX_CHECKS_PER_ADDRESS - EARLIER_CHECKS,
  );
  const { secret } = await createBackendKey();
  assert.equal((await checkPhone(secret)).status, 429, 'without the header the backend’s own address counts');
});

test('400 validation_failed for a malformed address from a backend, even if the response is cached', async () => {
  const { secret } = await createBackendKey();
  for (const address of [
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4, 5.6.7.8',
    '[::1]',
    'fe80::1%eth0',
    '1.2.3.4:80',
  ]) {
    // The second response may come from the cache.
    for (let i = 0; i < 2; i++) {
      const headers = { 'x-client-ip': address };
      const response = await service.get('/public/faq', { key: secret, headers });
      assert.equal(response.status, 400, address);
      assert.equal(response.body.code, 'validation_failed');
      assert.equal(response.body.errors[0].pointer, '/x-client-ip');
    }
  }
  const validResponse = await service.get('/public/faq', {
    key: secret,
    headers: { 'x-client-ip': '2001:db8::1' },
  });
  assert.equal(validResponse.status, 200);
});

test('the successor of a backend key is also a backend key, and nodes apply a change of this setting', async () => {
  const { id } = await createBackendKey();
  const rotationContext = { mode: 'sandbox', clock: service.clock } as const;
  const overlapMs = 0;
  const { issuedKey } = await service.db.transaction((tx) => rotateKey(tx, id, overlapMs, rotationContext));
  const { secret } = issuedKey;
  const sendInvalidAddress = async () => {
    await service.waitForEarlierCommits();
    return (await service.get('/public/faq', { key: secret, headers: { 'x-client-ip': 'x' } })).status;
  };
  assert.equal(await sendInvalidAddress(), 400);
  await service.db.run(sql`update api_keys set backend = false where id = ${issuedKey.id}`);
  assert.equal(await sendInvalidAddress(), 200);
});
