import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { sql } from '#platform/database/db.ts';
import { hasRole, listRoles, ROLES } from '#platform/http/access.ts';
import { readCsv } from '../src/platform/text-file.ts';
import { eventually, openService } from './harness.ts';
import { OPERATOR_KEY } from './purchase-driver.ts';
import { assertRefused } from './support/customers.ts';

const service = await openService();
const guardedEndpoints = service.endpoints.staff.filter(({ access }) => access !== 'open');

const keyByRole = Object.fromEntries(
  await Promise.all(
    ROLES.map(async (role) => {
      const { secret } = await service.newKey({
        scopes: ['operator'],
        person_id: `stf_${role.padStart(26, '0')}`,
        role,
      });
      return [role, secret] as const;
    }),
  ),
);

test('without a key the staff API serves only health checks, the reference, and the sign-in', () => {
  const openEndpoints = service.endpoints.staff
    .filter(({ access }) => access === 'open')
    .map(({ url }) => url);
  const signInEndpoints = ['/auth/accept', '/auth/invitation', '/auth/login', '/sandbox/sessions'];
  const otherEndpoints = [
    '/',
    '/healthz',
    '/metrics',
    '/openapi.json',
    '/readyz',
    '/sandbox/bureau/reports',
    '/sandbox/psp',
  ];
  assert.deepEqual(openEndpoints.sort(), [...otherEndpoints, ...signInEndpoints].sort());
});

for (const { method, url, access } of guardedEndpoints) {
  assert.ok(access !== 'open' && access.scope === 'operator');
  const requiredRoles = [access.role, ...Object.values(access.fieldRoles ?? {})].flatMap(listRoles);
  test(`${method} ${url}: allows ${requiredRoles.join(', ')} and admin, and names these roles to others`, async () => {
    const path = url.replace(/:\w+/g, 'anything');
    for (const role of ROLES) {
      // Bodies are not JSON, so that no call has an effect.
      const request =
        method === 'GET' || method === 'DELETE'
          ? {}
          : { raw: 'x', headers: { 'content-type': 'text/plain' } };
      const { status, body } = await service.staff(method, path, { key: keyByRole[role]!, ...request });
      if (hasRole({ role }, requiredRoles)) {
        assert.notEqual(status, 403, role);
        continue;
      }
      assert.equal(`${status} ${body.code}`, '403 role_missing', role);
      for (const name of [...requiredRoles, 'admin'])
        assert.ok(body.detail.includes(`'${name}'`), body.detail);
    }
  });

  test(`${method} ${url}: 401 without a key or with a wrong one, 403 with a partner's`, async () => {
    const path = url.replace(/:\w+/g, 'anything');
    const callWithKey = async (key: string | null) => {
      const { status, body } = await service.staff(method, path, { key });
      return `${status} ${body.code}`;
    };
    assert.equal(await callWithKey(null), '401 api_key_missing');
    assert.equal(await callWithKey('wrong'), '401 api_key_invalid');
    assert.equal(await callWithKey('sandbox-demo-key'), '403 scope_missing');
    const isShared = service.endpoints.partner.some((spec) => spec.method === method && spec.url === url);
    assert.equal(
      (await service.call(method, path, { key: OPERATOR_KEY })).status,
      isShared ? 403 : 404,
      'an operator key is refused by the partner API, too',
    );
  });
}

test('every list is available as CSV with all its records, each once', async () => {
  const getList = (path: string, accept = 'application/json') =>
    service.staff('GET', path, { key: OPERATOR_KEY, headers: { accept } });
  const { body: webhook } = await service.staff('POST', '/admin/webhooks', {
    key: OPERATOR_KEY,
    body: { partner: 'Demo partner', url: 'http://127.0.0.1:9/' },
  });
  // More rows than the 1,000 of one batch of the export, for lists whose pages are sorted by id and by instant and id.
  await service.db.run(sql`
    insert into categories (slug, name) select 'c-' || n, 'Category ' || n from generate_series(1, 2100) as n`);
  await service.db.run(sql`
    insert into audit_trail (at, actor, action, subject_kind, subject_id)
    select now()::timestamptz(0), 'nobody', 'test', 'test', n from generate_series(1, 2100) as n`);
  await service.db.run(sql`
    insert into webhook_deliveries (endpoint_id, event_id, partner_id, type, occurred_at, status)
    select ${webhook.id}, 'evt_' || lpad(n::text, 26, '0'), ${webhook.partner}, 'pix.paid', now(), 'delivered' from generate_series(1, 2100) as n`);
  const customerId = (await getList('/admin/customers?limit=1')).body.data[0].id;

  const lists = service.endpoints.staff.filter(({ method, responses }) => {
    const fields: object = (responses[200]?.schema as { properties?: object } | undefined)?.properties ?? {};
    return method === 'GET' && 'data' in fields && 'pagination' in fields;
  });
  assert.deepEqual(
    lists.filter(({ responses }) => !responses[200]!.csv).map(({ url }) => url),
    [],
  );
  for (const { url, responses } of lists) {
    const path = url
      .replace(':id', url.startsWith('/admin/webhooks') ? webhook.id : customerId)
      .replace(':slug', 'padaria-flor-do-trigo');
    // Background jobs may add records between the two calls.
    await eventually(`${url} as CSV has as many lines as records`, async () => {
      const csv = await getList(path, 'text/csv');
      assert.match(csv.headers.get('content-type')!, /^text\/csv/, url);
      const rows = await Array.fromAsync(readCsv(ReadableStream.from(csv.text.split('\r\n'))));
      const [header, ...records] = rows.map((row) =>
        'cells' in row ? row.cells : assert.fail(row.error.en),
      );
      assert.ok(
        records.every(({ length }) => length === header!.length),
        url,
      );
      assert.equal(new Set(records.map(String)).size, records.length, url);
      return records.length === (await getList(`${path}?limit=1`)).body.pagination.total;
    });
    assert.ok(responses[200]!.headers?.Link, url);
  }
});

test('the staff API has its own openapi.json and reference', async () => {
  const { body } = await service.staff('GET', '/openapi.json', { key: null });
  const documentedEndpoints = Object.entries(body.paths as Record<string, Record<string, unknown>>).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const servedEndpoints = service.endpoints.staff
    .filter(({ undocumented }) => !undocumented)
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
  assert.deepEqual(documentedEndpoints.sort(), servedEndpoints.sort());
  assert.match((await service.staff('GET', '/docs/', { key: null })).text, /sandbox-operator-key/);
});

test('POST /admin/checkouts accepts the example of its openapi.json and returns the documented response', async () => {
  const { body } = await service.staff('GET', '/openapi.json', { key: null });
  const { example } = body.paths['/admin/checkouts'].post.requestBody.content['application/json'];
  const { responses } = service.endpoints.staff.find(
    ({ method, url }) => method === 'POST' && url === '/admin/checkouts',
  )!;
  const order = { ...example, customer: '+5511987650003' };
  for (const [dry_run, status] of [
    [true, 200],
    [false, 201],
  ] as const) {
    const response = await service.staff('POST', '/admin/checkouts', {
      key: OPERATOR_KEY,
      body: { ...order, dry_run },
    });
    assert.equal(response.status, status, response.text);
    const { schema } = responses[status]!;
    assert.ok(Value.Check(schema!, response.body), JSON.stringify(Value.Errors(schema!, response.body)));
  }
});

test('400: every endpoint refuses unknown parameters, and suggests the nearest existing name', async () => {
  const callStaff = (method: string, path: string, headers: Record<string, string> = {}) =>
    service.staff(method, path, { key: OPERATOR_KEY, headers, ...(method !== 'GET' && { body: {} }) });
  for (const { method, url, access } of service.endpoints.staff) {
    if (access === 'open') continue;
    const { status, body } = await callStaff(method, `${url.replaceAll(/:\w+/g, 'x')}?no_such=1`);
    assert.deepEqual(
      [status, body.code, body.errors[0].pointer],
      [400, 'validation_failed', '/no_such'],
      url,
    );
  }
  const mistypedResponse = await callStaff('GET', '/admin/customers?statsu=locked', {
    'accept-language': 'pt-BR',
  });
  assert.equal(mistypedResponse.body.errors[0].message, "não é um parâmetro daqui; seria 'status'?");
  assertRefused(await service.get('/public/merchants?no_such=1'), 400, 'validation_failed');
});

test('a CSV download is in the audit trail with its filter, without personal data', async () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.staff('GET', path, { key: OPERATOR_KEY, headers });
  const listExports = async () => (await get('/admin/audit-trail?subject=export:listCustomers')).body.data;
  const exportCountBefore = (await listExports()).length;
  await get('/admin/customers?name=Ana%20Souza');
  assert.equal((await listExports()).length, exportCountBefore, 'reading a page is not an export');
  const query = 'name=Ana%20Souza&phone=%2B5511987650001&status=active&reason=Auditoria';
  const { text } = await get(`/admin/customers?${query}`, { accept: 'text/csv' });
  assert.match(text, /Ana Souza/);
  const [entry, ...otherExports] = await listExports();
  assert.equal(otherExports.length, exportCountBefore);
  assert.equal(entry.actor_name, 'Demo admin');
  assert.equal(entry.after.filter.status, 'active');
  assert.doesNotMatch(JSON.stringify(entry), /Souza|98765/);
});
