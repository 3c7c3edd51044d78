import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { type CallOptions, DEMO_KEY, openService } from '../../test/harness.ts';
import { listLeadsNamed } from '../../test/support/catalog.ts';

const service = await openService();
const SHOP_ORIGIN = 'https://shop.example';

// The demo keys allow every origin; each test allows only what it needs.
await service.db.run(sql`update api_keys set allowed_origins = '{}'`);
const { secret: shopKey } = await service.newKey({ allowed_origins: [SHOP_ORIGIN, 'http://localhost:5173'] });
/** The last test allows every origin for this key. */
const laterOpenKey = await service.newKey({ allowed_origins: [] });
const { secret: serverKey } = await service.newKey({ allowed_origins: [] });

function get(key: string, origin?: string, path = '/public/categories', options: CallOptions = {}) {
  return service.get(path, { ...options, key, headers: { ...options.headers, ...(origin && { origin }) } });
}

function sendPreflight(origin: string, path = '/public/leads', method = 'POST') {
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'x-api-key, content-type, idempotency-key, traceparent, sentry-trace',
  };
  return service.call('OPTIONS', path, { key: null, headers });
}

test('a preflight is allowed for every origin, because it has no key; the key of the actual request decides', async () => {
  for (const origin of [SHOP_ORIGIN, 'http://localhost:5173', 'https://evil.example', 'null']) {
    const { status, headers, text } = await sendPreflight(origin);
    assert.equal(status, 204);
    assert.equal(text, '');
    assert.equal(headers.get('access-control-allow-origin'), origin);
    assert.equal(headers.get('access-control-allow-methods'), 'POST, OPTIONS');
    assert.match(headers.get('access-control-max-age')!, /^\d+$/);
    for (const name of [
      'x-api-key',
      'x-token',
      'content-type',
      'idempotency-key',
      'if-none-match',
      'last-event-id',
      'x-device',
      'x-request-id',
      'traceparent',
      'tracestate',
      'baggage',
      'sentry-trace',
    ]) {
      assert.ok(headers.get('access-control-allow-headers')!.split(', ').includes(name), name);
    }
    assert.match(headers.get('vary')!, /origin/);
  }
});

test('an OPTIONS request without preflight headers is not a preflight', async () => {
  const { status, headers } = await service.call('OPTIONS', '/public/leads', {
    headers: { origin: SHOP_ORIGIN },
  });
  assert.equal(status, 204);
  assert.equal(headers.get('access-control-allow-origin'), null);
});

test('a page of an allowed origin may read the response and the exposed headers', async () => {
  const { status, headers } = await get(shopKey, SHOP_ORIGIN);
  assert.equal(status, 200);
  assert.equal(headers.get('access-control-allow-origin'), SHOP_ORIGIN);
  assert.equal(headers.get('vary'), 'origin');
  assert.equal(headers.get('access-control-allow-credentials'), null);
  for (const name of [
    'etag',
    'link',
    'location',
    'x-request-id',
    'ratelimit',
    'retry-after',
    'idempotency-replayed',
  ]) {
    assert.ok(headers.get('access-control-expose-headers')!.split(', ').includes(name), name);
  }
});

test('a page of an allowed origin may also read 304, 400, 403 and 404 responses', async () => {
  const walletKey = await service.newKey({ scopes: ['wallet'], allowed_origins: [SHOP_ORIGIN] });
  const responses = [
    await get(shopKey, SHOP_ORIGIN, '/public/categories', { headers: { 'if-none-match': '*' } }),
    await get(shopKey, SHOP_ORIGIN, '/public/merchants?limit=0'),
    await get(shopKey, SHOP_ORIGIN, '/public/merchants/none'),
    await get(walletKey.secret, SHOP_ORIGIN),
  ];
  assert.deepEqual(
    responses.map(({ status }) => status),
    [304, 400, 404, 403],
  );
  for (const { headers } of responses) assert.equal(headers.get('access-control-allow-origin'), SHOP_ORIGIN);
});

test('403 origin_not_allowed for a page of another origin, which can read only that refusal', async () => {
  for (const origin of [
    'https://evil.example',
    'http://shop.example',
    `${SHOP_ORIGIN}:8443`,
    'https://SHOP.example',
    'null',
  ]) {
    const { status, body, headers } = await get(shopKey, origin);
    assert.equal(status, 403, origin);
    assert.equal(body.code, 'origin_not_allowed');
    assert.equal(body.data, undefined);
    assert.equal(headers.get('access-control-allow-origin'), origin);
    assert.equal(headers.get('vary'), 'origin');
  }
});

test('a lead from a refused origin is not stored', async () => {
  const leadInput = { kind: 'contact', name: 'Refused Origin', email: 'refused@example.com' };
  const headers = { origin: 'https://evil.example' };
  assert.equal((await service.post('/public/leads', leadInput, { key: shopKey, headers })).status, 403);
  assert.equal((await listLeadsNamed(service.db, 'Refused Origin')).length, 0);
});

test('a page of any origin can read why a request without a valid key was refused', async () => {
  const headers = { origin: SHOP_ORIGIN };
  const responses = [
    await service.get('/public/merchants', { key: null, headers }),
    await service.get('/public/merchants', { key: 'unknown', headers }),
    await service.get('/nothing', { key: null, headers }),
    await service.call('PATCH', '/public/merchants', { key: null, headers }),
  ];
  assert.deepEqual(
    responses.map(({ status }) => status),
    [401, 401, 404, 405],
  );
  for (const response of responses) {
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.match(response.headers.get('access-control-expose-headers')!, /x-request-id/);
  }
  const staffResponse = await service.staff('GET', '/admin/me', { key: null, headers });
  assert.equal(
    staffResponse.headers.get('access-control-allow-origin'),
    null,
    'the staff API is not for pages',
  );
});

test('a server call without an origin is allowed for every key', async () => {
  assert.equal((await get(shopKey)).status, 200);
  assert.equal((await get(serverKey)).status, 200);
});

test('a key without allowed origins works everywhere, but pages of other origins cannot read the response', async () => {
  const { status, headers } = await get(serverKey, SHOP_ORIGIN);
  assert.equal(status, 200);
  assert.equal(headers.get('access-control-allow-origin'), null);
});

test('a page of the service’s own origin may use every key', async () => {
  const { host } = new URL(service.partnerUrl);
  for (const origin of [`http://${host}`, `https://${host}`]) {
    assert.equal((await get(shopKey, origin)).status, 200);
  }
  assert.equal((await get(shopKey, 'http://localhost:1')).status, 403, 'another port is another origin');
});

test('a key with the origin * allows every origin, and changed origins take effect without a restart', async () => {
  await service.db.run(sql`update api_keys set allowed_origins = '{*}' where id = ${laterOpenKey.id}`);
  await service.waitForEarlierCommits();
  const response = await get(laterOpenKey.secret, 'https://anywhere.example');
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('access-control-allow-origin'), 'https://anywhere.example');
  assert.equal((await get(DEMO_KEY)).status, 200);
});
