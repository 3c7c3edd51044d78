import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { assertRefused } from '../../test/support/customers.ts';
import { isReturnOrigin } from './manage-keys.ts';

const service = await shareService();
const callApi = (method: string, path: string, body?: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
const readStatus = async (key: string) => (await service.get('/public/faq', { key })).status;

test('a key is returned once, used, rotated and revoked; the audit trail records each step without the secret', async () => {
  const partner = (await callApi('POST', '/admin/partners', { name: 'Loja da esquina' })).body;
  assertRefused(await callApi('POST', '/admin/partners', { name: 'Loja da esquina' }), 409, 'name_taken');
  const createResponse = await callApi('POST', '/admin/keys', {
    partner: partner.id,
    scopes: ['public'],
    label: 'site',
  });
  assert.equal(createResponse.status, 201, createResponse.text);
  const { id, key } = createResponse.body;
  assert.equal(await readStatus(key), 200);
  const rotateResponse = await callApi('POST', `/admin/keys/${id}/rotate`, { overlap_hours: 0 });
  assert.equal(rotateResponse.status, 201, rotateResponse.text);
  assert.equal(await readStatus(key), 401);
  assert.equal(await readStatus(rotateResponse.body.key), 200);
  assertRefused(await callApi('POST', `/admin/keys/${id}/rotate`), 409, 'key_ended');
  const revokeResponse = await callApi('POST', `/admin/keys/${rotateResponse.body.id}/revoke`);
  assert.ok(revokeResponse.body.revoked_at);
  assert.equal(await readStatus(rotateResponse.body.key), 401);
  const countResults = async (path: string) => (await callApi('GET', path)).body.pagination.total;
  assert.deepEqual(
    [await countResults('/admin/partners?q=DA%20esq'), await countResults('/admin/partners?q=nada')],
    [1, 0],
  );
  assert.equal(
    await countResults('/admin/keys?q=da%20esquina'),
    await countResults(`/admin/keys?partner=${partner.id}`),
  );
  const listResponse = await callApi('GET', `/admin/keys?partner=${partner.id}`);
  assert.equal(listResponse.body.pagination.total, 2);
  const trailResponse = await callApi('GET', '/admin/audit-trail?limit=100');
  for (const text of [listResponse.text, trailResponse.text]) {
    for (const secret of [key, rotateResponse.body.key]) assert.ok(!text.includes(secret));
  }
  assert.ok(trailResponse.text.includes(partner.id));
});

test('with an Idempotency-Key a key, a staff user or a member is created once, and a retry gets the same response', async () => {
  const creations: Array<[path: string, body: object]> = [
    ['/admin/keys', { partner: 'Demo partner', scopes: ['public'] }],
    ['/admin/staff', { name: 'Rita', role: 'viewer' }],
    ['/admin/merchants/otica-lume/members', { name: 'Rui', phone: '+5511987650077', role: 'owner' }],
  ];
  for (const [path, body] of creations) {
    const headers = { 'idempotency-key': path };
    const post = (input: object) => service.staff('POST', path, { key: OPERATOR_KEY, body: input, headers });
    const [firstResponse, repeatedResponse] = [await post(body), await post(body)];
    assert.equal(firstResponse.status, 201, firstResponse.text);
    assert.deepEqual(
      [repeatedResponse.status, repeatedResponse.headers.get('idempotency-replayed')],
      [201, 'true'],
      repeatedResponse.text,
    );
    assert.deepEqual(repeatedResponse.body, firstResponse.body);
    assertRefused(await post({ ...body, unknown_field: 1 }), 400, 'validation_failed');
    const changedBody = 'name' in body ? { ...body, name: 'Outra' } : { ...body, label: 'outra' };
    assertRefused(await post(changedBody), 422, 'idempotency_key_reused');
  }
});

test('a merchant key belongs to its merchant, and all validation errors are reported together', async () => {
  const body = { partner: 'Demo partner', scopes: ['merchant'], merchant: 'otica-lume' };
  const { status, body: key } = await callApi('POST', '/admin/keys', body);
  assert.equal(status, 201);
  assert.deepEqual(key.scopes, ['merchant']);
  assert.ok(key.merchant_id > 0);
  const { body: keyList } = await callApi('GET', '/admin/keys?partner=Demo%20partner&limit=100');
  assert.equal(keyList.data.find(({ id }: { id: string }) => id === key.id).merchant, 'otica-lume');
  const refusedResponse = await callApi('POST', '/admin/keys', { partner: 'Nobody', scopes: ['merchant'] });
  assertRefused(refusedResponse, 400, 'validation_failed');
  assert.deepEqual(
    refusedResponse.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/partner', '/merchant'],
  );
  assertRefused(
    await callApi('POST', '/admin/keys', { partner: 'Demo partner', scopes: ['operator'] }),
    400,
    'validation_failed',
  );
  assert.equal((await callApi('POST', '/admin/keys/key_00000000000000000000000000/revoke')).status, 404);
});

test('return origins of a key are set when it is issued, changed later, listed and audited', async () => {
  const shopOrigin = 'https://loja.example.com.br';
  const keyInput = { partner: 'Demo partner', scopes: ['merchant'], merchant: 'otica-lume' };
  const createResponse = await callApi('POST', '/admin/keys', {
    ...keyInput,
    return_origins: [shopOrigin],
  });
  assert.equal(createResponse.status, 201, createResponse.text);
  const { id, key } = createResponse.body;
  assert.deepEqual(createResponse.body.return_origins, [shopOrigin]);
  const createOffer = (return_url: string) =>
    service.post('/merchant/offers', { amount: 50, installments: 1, return_url }, { key });
  assert.equal((await createOffer(`${shopOrigin}/a`)).status, 201);

  const otherOrigin = 'https://www.example.com.br:8443';
  const changeResponse = await callApi('PATCH', `/admin/keys/${id}`, {
    return_origins: [otherOrigin, 'http://localhost:3003'],
  });
  assert.equal(changeResponse.status, 200, changeResponse.text);
  assert.deepEqual(changeResponse.body.return_origins, [otherOrigin, 'http://localhost:3003']);
  assert.equal((await createOffer(`${otherOrigin}/a`)).status, 201);
  assertRefused(await createOffer(`${shopOrigin}/a`), 422, 'return_url_not_allowed');
  const rotateResponse = await callApi('POST', `/admin/keys/${id}/rotate`);
  assert.deepEqual(rotateResponse.body.return_origins, changeResponse.body.return_origins);

  const invalidOrigins = [
    `${shopOrigin}/`,
    '*',
    'http://loja.example.com.br',
    'javascript:alert(1)',
    'https://a@b.example',
    'x',
  ];
  for (const refusedResponse of [
    await callApi('POST', '/admin/keys', { ...keyInput, return_origins: invalidOrigins }),
    await callApi('PATCH', `/admin/keys/${id}`, { return_origins: invalidOrigins }),
  ]) {
    assertRefused(refusedResponse, 400, 'validation_failed');
    assert.equal(refusedResponse.body.errors.length, invalidOrigins.length);
    assert.equal(refusedResponse.body.errors[0].pointer, '/return_origins/0');
  }
  assertRefused(await callApi('PATCH', `/admin/keys/${id}`, {}), 400, 'validation_failed');
  assert.equal(
    (await callApi('PATCH', '/admin/keys/key_00000000000000000000000000', { return_origins: [] })).status,
    404,
  );
  const trailResponse = await callApi('GET', '/admin/audit-trail?limit=100');
  assert.ok(trailResponse.text.includes(otherOrigin));
});

test('in live mode return origins must use https', () => {
  const origins = ['https://loja.example', 'http://localhost:3003', 'http://127.0.0.1', 'http://[::1]:3003'];
  const listAllowedOrigins = (mode: 'sandbox' | 'live') =>
    origins.filter((origin) => isReturnOrigin(origin, mode));
  assert.deepEqual(
    [listAllowedOrigins('sandbox'), listAllowedOrigins('live')],
    [origins, ['https://loja.example']],
  );
});
