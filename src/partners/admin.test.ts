import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';
import { assertRefused } from '../../test/support/customers.ts';
import { isReturnOrigin } from './return-origins.ts';

const service = await openService();
const staff = (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
const readStatus = async (key: string) => (await service.get('/public/faq', { key })).status;

test('a key is returned once, used, rotated and revoked; the audit trail records each step without the secret', async () => {
  const partner = (await staff('POST', '/admin/partners', { name: 'Loja da esquina' })).body;
  assertRefused(await staff('POST', '/admin/partners', { name: 'Loja da esquina' }), 409, 'name_taken');
  const createResponse = await staff('POST', '/admin/keys', {
    partner: partner.id,
    scopes: ['public'],
    label: 'site',
  });
  assert.equal(createResponse.status, 201, createResponse.text);
  const { id, key } = createResponse.body;
  assert.equal(await readStatus(key), 200);
  const rotateResponse = await staff('POST', `/admin/keys/${id}/rotate`, { overlap_hours: 0 });
  assert.equal(rotateResponse.status, 201, rotateResponse.text);
  assert.equal(await readStatus(key), 401);
  assert.equal(await readStatus(rotateResponse.body.key), 200);
  assertRefused(await staff('POST', `/admin/keys/${id}/rotate`), 409, 'key_ended');
  const revokeResponse = await staff('POST', `/admin/keys/${rotateResponse.body.id}/revoke`);
  assert.ok(revokeResponse.body.revoked_at);
  assert.equal(await readStatus(rotateResponse.body.key), 401);
  const countResults = async (path: string) => (await staff('GET', path)).body.pagination.total;
  assert.deepEqual(
    [await countResults('/admin/partners?q=DA%20esq'), await countResults('/admin/partners?q=nada')],
    [1, 0],
  );
  assert.equal(
    await countResults('/admin/keys?q=da%20esquina'),
    await countResults(`/admin/keys?partner=${partner.id}`),
  );
  const listResponse = await staff('GET', `/admin/keys?partner=${partner.id}`);
  assert.equal(listResponse.body.pagination.total, 2);
  const trail = await staff('GET', '/admin/audit-trail?limit=100');
  for (const text of [listResponse.text, trail.text]) {
    for (const secret of [key, rotateResponse.body.key]) assert.ok(!text.includes(secret));
  }
  assert.ok(trail.text.includes(partner.id));
});

test('with an Idempotency-Key a key, a staff user or a member is created once, and a retry gets the same response', async () => {
  const forms: Array<[path: string, form: object]> = [
    ['/admin/keys', { partner: 'Demo partner', scopes: ['public'] }],
    ['/admin/staff', { name: 'Rita', role: 'viewer' }],
    ['/admin/merchants/otica-lume/members', { name: 'Rui', phone: '+5511987650077', role: 'owner' }],
  ];
  for (const [path, form] of forms) {
    const headers = { 'idempotency-key': path };
    const post = (body: object) => service.staff('POST', path, { key: OPERATOR_KEY, body, headers });
    const [firstResponse, repeatedResponse] = [await post(form), await post(form)];
    assert.equal(firstResponse.status, 201, firstResponse.text);
    assert.deepEqual(
      [repeatedResponse.status, repeatedResponse.headers.get('idempotency-replayed')],
      [201, 'true'],
      repeatedResponse.text,
    );
    assert.deepEqual(repeatedResponse.body, firstResponse.body);
    assertRefused(await post({ ...form, zz: 1 }), 400, 'validation_failed');
    const other = 'name' in form ? { ...form, name: 'Outra' } : { ...form, label: 'outra' };
    assertRefused(await post(other), 422, 'idempotency_key_reused');
  }
});

test('a merchant key belongs to its merchant, and all validation errors are reported together', async () => {
  const body = { partner: 'Demo partner', scopes: ['merchant'], merchant: 'otica-lume' };
  const { status, body: key } = await staff('POST', '/admin/keys', body);
  assert.equal(status, 201);
  assert.deepEqual(key.scopes, ['merchant']);
  assert.ok(key.merchant_id > 0);
  const { body: listed } = await staff('GET', '/admin/keys?partner=Demo%20partner&limit=100');
  assert.equal(listed.data.find(({ id }: { id: string }) => id === key.id).merchant, 'otica-lume');
  const refusal = await staff('POST', '/admin/keys', { partner: 'Nobody', scopes: ['merchant'] });
  assertRefused(refusal, 400, 'validation_failed');
  assert.deepEqual(
    refusal.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/partner', '/merchant'],
  );
  assertRefused(
    await staff('POST', '/admin/keys', { partner: 'Demo partner', scopes: ['operator'] }),
    400,
    'validation_failed',
  );
  assert.equal((await staff('POST', '/admin/keys/key_00000000000000000000000000/revoke')).status, 404);
});

test('return origins of a key are set when it is issued, changed later, listed and audited', async () => {
  const shop = 'https://loja.example.com.br';
  const order = { partner: 'Demo partner', scopes: ['merchant'], merchant: 'otica-lume' };
  const createResponse = await staff('POST', '/admin/keys', { ...order, return_origins: [shop] });
  assert.equal(createResponse.status, 201, createResponse.text);
  const { id, key } = createResponse.body;
  assert.deepEqual(createResponse.body.return_origins, [shop]);
  const offer = (return_url: string) =>
    service.post('/merchant/offers', { amount: 50, installments: 1, return_url }, { key });
  assert.equal((await offer(`${shop}/a`)).status, 201);

  const other = 'https://www.example.com.br:8443';
  const changeResponse = await staff('PATCH', `/admin/keys/${id}`, {
    return_origins: [other, 'http://localhost:3003'],
  });
  assert.equal(changeResponse.status, 200, changeResponse.text);
  assert.deepEqual(changeResponse.body.return_origins, [other, 'http://localhost:3003']);
  assert.equal((await offer(`${other}/a`)).status, 201);
  assertRefused(await offer(`${shop}/a`), 422, 'return_url_not_allowed');
  const rotateResponse = await staff('POST', `/admin/keys/${id}/rotate`);
  assert.deepEqual(rotateResponse.body.return_origins, changeResponse.body.return_origins);

  const wrong = [
    `${shop}/`,
    '*',
    'http://loja.example.com.br',
    'javascript:alert(1)',
    'https://a@b.example',
    'x',
  ];
  for (const refusal of [
    await staff('POST', '/admin/keys', { ...order, return_origins: wrong }),
    await staff('PATCH', `/admin/keys/${id}`, { return_origins: wrong }),
  ]) {
    assertRefused(refusal, 400, 'validation_failed');
    assert.equal(refusal.body.errors.length, wrong.length);
    assert.equal(refusal.body.errors[0].pointer, '/return_origins/0');
  }
  assertRefused(await staff('PATCH', `/admin/keys/${id}`, {}), 400, 'validation_failed');
  assert.equal(
    (await staff('PATCH', '/admin/keys/key_00000000000000000000000000', { return_origins: [] })).status,
    404,
  );
  const trail = await staff('GET', '/admin/audit-trail?limit=100');
  assert.ok(trail.text.includes(other));
});

test('in live mode return origins must use https', () => {
  const origins = ['https://loja.example', 'http://localhost:3003', 'http://127.0.0.1', 'http://[::1]:3003'];
  const allowed = (mode: 'sandbox' | 'live') => origins.filter((origin) => isReturnOrigin(origin, mode));
  assert.deepEqual([allowed('sandbox'), allowed('live')], [origins, ['https://loja.example']]);
});
