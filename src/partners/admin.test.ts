import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';
import { assertRefused } from '../../test/support/customers.ts';

const service = await openService();
const staff = (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
const becomes = (status: number, key: string) =>
  eventually(`status ${status}`, async () => (await service.get('/public/faq', { key })).status === status);

test('a partner and its key: shown once, used, rotated, revoked; the trail has each and no secret', async () => {
  const partner = (await staff('POST', '/admin/partners', { name: 'Loja da esquina' })).body;
  assertRefused(await staff('POST', '/admin/partners', { name: 'Loja da esquina' }), 409, 'name_taken');
  const created = await staff('POST', '/admin/keys', {
    partner: partner.id,
    scopes: ['public'],
    label: 'site',
  });
  assert.equal(created.status, 201, created.text);
  const { id, key } = created.body;
  await becomes(200, key);
  const rotated = await staff('POST', `/admin/keys/${id}/rotate`, { overlap_hours: 0 });
  assert.equal(rotated.status, 201, rotated.text);
  await becomes(401, key);
  await becomes(200, rotated.body.key);
  assertRefused(await staff('POST', `/admin/keys/${id}/rotate`), 409, 'key_ended');
  const revoked = await staff('POST', `/admin/keys/${rotated.body.id}/revoke`);
  assert.ok(revoked.body.revoked_at);
  await becomes(401, rotated.body.key);
  const listed = await staff('GET', `/admin/keys?partner=${partner.id}`);
  assert.equal(listed.body.pagination.total, 2);
  const trail = await staff('GET', '/admin/audit-trail?limit=100');
  for (const text of [listed.text, trail.text]) {
    for (const secret of [key, rotated.body.key]) assert.ok(!text.includes(secret));
  }
  assert.ok(trail.text.includes(partner.id));
});

test('a merchant’s key is bound to it; faults are reported together', async () => {
  const body = { partner: 'Demo partner', scopes: ['merchant'], merchant: 'otica-lume' };
  const { status, body: key } = await staff('POST', '/admin/keys', body);
  assert.equal(status, 201);
  assert.deepEqual(key.scopes, ['merchant']);
  assert.ok(key.merchant_id > 0);
  const refused = await staff('POST', '/admin/keys', { partner: 'Nobody', scopes: ['merchant'] });
  assertRefused(refused, 400, 'validation_failed');
  assert.deepEqual(
    refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/partner', '/merchant'],
  );
  assertRefused(
    await staff('POST', '/admin/keys', { partner: 'Demo partner', scopes: ['operator'] }),
    400,
    'validation_failed',
  );
  assert.equal((await staff('POST', '/admin/keys/key_00000000000000000000000000/revoke')).status, 404);
});
