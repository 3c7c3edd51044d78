import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, DEMO_KEY, openService } from '../../test/harness.ts';
import { rotateKey } from './manage-keys.ts';

const service = await openService();

const backendKey = () => service.newKey({ scopes: ['wallet', 'public'], backend: true });

let lastPhone = 0;
const check = (key: string, address?: string): Promise<ApiResponse> =>
  service.post(
    '/wallet/auth/phone-check',
    { phone: `+551197${String(++lastPhone).padStart(7, '0')}` },
    { key, ...(address !== undefined && { headers: { 'x-client-ip': address } }) },
  );
const countGranted = async (n: number, call: (i: number) => Promise<ApiResponse>) =>
  (await Promise.all(Array.from({ length: n }, (_, i) => call(i)))).filter(({ status }) => status === 200)
    .length;

test('limits per address count the address that a backend sends', async () => {
  const { secret } = await backendKey();
  assert.equal(await countGranted(40, (i) => check(secret, `198.51.100.${i}`)), 40);
  assert.equal(await countGranted(40, () => check(secret, '203.0.113.1')), 30);
  assert.equal(await countGranted(40, (i) => check(secret, `2001:db8:0:7::${i.toString(16)}`)), 30);
  assert.equal((await check(secret, '2001:db8:0:8::1')).status, 200);
  assert.equal(
    (await check(secret, '::ffff:203.0.113.1')).status,
    429,
    'the same address in another notation',
  );
});

test('the header is ignored for any other key', async () => {
  service.clock.advance(60_000);
  assert.equal(await countGranted(20, (i) => check(DEMO_KEY, `198.51.100.${i}`)), 20);
  assert.equal(await countGranted(20, () => check(DEMO_KEY, 'not an address')), 10);
  const { secret } = await backendKey();
  assert.equal((await check(secret)).status, 429, 'without the header the backend’s own address counts');
});

test('400 validation_failed for a malformed address from a backend, even if the response is cached', async () => {
  const { secret } = await backendKey();
  for (const address of [
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4, 5.6.7.8',
    '[::1]',
    'fe80::1%eth0',
    '1.2.3.4:80',
  ]) {
    for (let i = 0; i < 2; i++) {
      const headers = { 'x-client-ip': address };
      const response = await service.get('/public/faq', { key: secret, headers });
      assert.equal(response.status, 400, address);
      assert.equal(response.body.code, 'validation_failed');
      assert.equal(response.body.errors[0].pointer, '/x-client-ip');
    }
  }
  const fine = await service.get('/public/faq', { key: secret, headers: { 'x-client-ip': '2001:db8::1' } });
  assert.equal(fine.status, 200);
});

test('the successor of a backend key is a backend key too, and nodes learn when that changes', async () => {
  const { id } = await backendKey();
  const context = { mode: 'sandbox', clock: service.clock } as const;
  const rotated = await service.db.transaction((tx) => rotateKey(tx, id, 0, context));
  assert.ok('issued' in rotated);
  const { secret } = rotated.issued;
  const sendInvalidAddress = async () => {
    await service.waitForEarlierCommits();
    return (await service.get('/public/faq', { key: secret, headers: { 'x-client-ip': 'x' } })).status;
  };
  assert.equal(await sendInvalidAddress(), 400);
  await service.db.run(sql`update api_keys set backend = false where id = ${rotated.issued.id}`);
  assert.equal(await sendInvalidAddress(), 200);
});
