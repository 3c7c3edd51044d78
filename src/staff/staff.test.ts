import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { sql, type Tx } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { type ApiResponse, openService, waitForLockWaits } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { assertRefused } from '../../test/support/customers.ts';
import { newStaffUser } from '../../test/support/staff.ts';
import { rotateKey } from '../partners/manage-keys.ts';
import { changeStaffUser, staffUserAuditEntity } from './staff-users.ts';

const service = await openService();
const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, headers, ...(body !== undefined && { body }) });
const readAuditTrail = async (subject: string) =>
  (await call('GET', `/admin/audit-trail?subject=${subject}`)).body.data;

/** The person of the operator key. */
const DEMO_ADMIN_ID = 'stf_00000000000000000000000001';
const newUser = (name: string, role: Role) => newStaffUser(service, name, role);

test('an invitation issues no key; the audit trail records who added the user', async () => {
  const { body: marina } = await call('POST', '/admin/staff', { name: 'Marina Duarte', role: 'support' });
  assert.deepEqual(
    Object.keys(marina),
    'id name role email created_at removed_at invite_url invite_expires_at'.split(' '),
  );
  const list = (await call('GET', '/admin/staff')).body;
  assert.ok(list.data.some((item: { id: string }) => item.id === marina.id));
  const searchResponse = await call('GET', '/admin/staff?q=marina%20d');
  assert.deepEqual(
    searchResponse.body.data.map(({ id }: { id: string }) => id),
    [marina.id],
  );
  const [entry] = await readAuditTrail(`staff:${marina.id}`);
  assert.deepEqual(await readAuditTrail(marina.id), [entry], 'the id alone finds the entry');
  assert.equal(entry.actor_name, 'Demo admin');
  assert.equal(entry.action, 'addStaffMember');
  assert.equal(entry.before, null);
  assert.equal(entry.after.role, 'support');
});

test('users create, list and revoke keys of their own; the secret is returned once, and no other user can revoke it', async () => {
  const noemi = await newUser('Noemi', 'support');
  const callAs = (key: string, method: string, path: string, body?: object) =>
    service.staff(method, path, { key, ...(body && { body }) });
  const createResponse = await callAs(noemi.key, 'POST', '/admin/me/keys', { label: 'Fechamento do dia' });
  assert.equal(createResponse.status, 201, createResponse.text);
  const { id, key, label } = createResponse.body;
  assert.equal(label, 'Fechamento do dia');
  await service.waitForEarlierCommits();
  const me = await callAs(key, 'GET', '/admin/me');
  assert.deepEqual([me.body.id, me.body.role], [noemi.id, 'support'], 'the key has the role of its user');
  const listResponse = await callAs(noemi.key, 'GET', '/admin/me/keys');
  assert.ok(listResponse.body.data.some((item: { id: string }) => item.id === id));
  const allKeysResponse = await call('GET', '/admin/keys?partner=Operator&limit=100');
  assert.ok(
    allKeysResponse.body.data.some((item: { id: string }) => item.id === id),
    'an admin sees it',
  );
  const [entry] = await readAuditTrail(`key:${id}`);
  assert.equal(entry.actor_name, 'Noemi');
  for (const text of [listResponse.text, allKeysResponse.text, JSON.stringify(entry)])
    assert.ok(!text.includes(key));
  const stranger = await newUser('Olga', 'admin');
  assert.equal((await callAs(stranger.key, 'DELETE', `/admin/me/keys/${id}`)).status, 404);
  assert.equal((await callAs(noemi.key, 'DELETE', `/admin/me/keys/${id}`)).status, 204);
  await service.waitForEarlierCommits();
  assert.equal((await callAs(key, 'GET', '/admin/me')).status, 401);
  assert.equal((await callAs(noemi.key, 'DELETE', `/admin/me/keys/${id}`)).status, 404);
  assert.equal((await readAuditTrail(`key:${id}`)).length, 2);
});

test('a role change takes effect within a second, and the audit trail has the changed fields before and after', async () => {
  const rui = await newUser('Rui Prates', 'viewer');
  const tryEmptyForm = async () =>
    (await service.staff('POST', '/admin/staff', { key: rui.key, body: {} })).status;
  assert.equal(await tryEmptyForm(), 403);
  const changeResponse = await call('PATCH', `/admin/staff/${rui.id}`, { role: 'admin' });
  assert.equal(changeResponse.status, 200);
  assert.equal(await tryEmptyForm(), 400, 'only the form is refused');
  const [entry] = await readAuditTrail(`staff:${rui.id}`);
  assert.deepEqual([entry.before, entry.after], [{ role: 'viewer' }, { role: 'admin' }]);
});

test('412 changed_meanwhile for an update with an outdated ETag; with the new ETag it succeeds', async () => {
  const bia = await newUser('Bia', 'viewer');
  const currentEtag = (await call('GET', `/admin/staff/${bia.id}`)).headers.get('etag')!;
  const twoEtags = { 'if-match': `"another", ${currentEtag}` };
  const firstResponse = await call('PATCH', `/admin/staff/${bia.id}`, { name: 'Beatriz' }, twoEtags);
  assert.equal(firstResponse.status, 200, 'one matching ETag of several is enough');
  const etag = firstResponse.headers.get('etag')!;
  await call('PATCH', `/admin/staff/${bia.id}`, { name: 'Beatriz Lemos' });
  const lateResponse = await call(
    'PATCH',
    `/admin/staff/${bia.id}`,
    { role: 'finance' },
    { 'if-match': etag },
  );
  assertRefused(lateResponse, 412, 'changed_meanwhile');
  const renameResponse = await call('PATCH', `/admin/staff/${bia.id}`, { name: 'Beatriz Lemos' });
  const headers = { 'if-match': renameResponse.headers.get('etag')! };
  const { body } = await call('PATCH', `/admin/staff/${bia.id}`, { role: 'finance' }, headers);
  assert.deepEqual([body.name, body.role], ['Beatriz Lemos', 'finance'], 'only the sent field changes');
});

test('412: of two concurrent updates with the same ETag, one succeeds', async () => {
  const caio = await newUser('Caio', 'viewer');
  const renameResponse = await call('PATCH', `/admin/staff/${caio.id}`, { name: 'Caio Reis' });
  const headers = { 'if-match': renameResponse.headers.get('etag')! };
  const { response } = await callDuringChange(
    (tx) => changeName(tx, caio.id, 'Caio Reis Neto'),
    () => call('PATCH', `/admin/staff/${caio.id}`, { role: 'finance' }, headers),
  );
  assertRefused(response, 412, 'changed_meanwhile');
});

/** Returns the result of the change, and the response of a call that started during the change and waited for its commit. */
async function callDuringChange<T>(change: (tx: Tx) => Promise<T>, send: () => Promise<ApiResponse>) {
  const { changeResult, pendingResponse } = await service.db.transaction(async (tx) => {
    const changeResult = await change(tx);
    const pendingResponse = send();
    await waitForLockWaits(service, 1);
    // In an object, because a returned promise would be awaited before the commit for which it waits.
    return { changeResult, pendingResponse };
  });
  return { changeResult, response: await pendingResponse };
}

const changeName = (tx: Tx, id: string, name: string) => {
  const actor = { id: 'test', ipAddress: null, requestId: null };
  const context = { actor, action: 'test', now: service.clock.now() };
  return withAuditedUpdate(tx, context, { entity: staffUserAuditEntity, id }, (user) =>
    changeStaffUser(tx, user, { name }),
  );
};

test('a key that is rotated while its user is removed is revoked too', async () => {
  const ines = await newUser('Inês', 'finance');
  const { data } = (await call('GET', '/admin/keys?partner=Operator&limit=100')).body;
  const { id } = data.find((key: { person_id: string }) => key.person_id === ines.id);
  const context = { mode: 'sandbox', clock: service.clock } as const;
  const { changeResult: rotation, response } = await callDuringChange(
    (tx) => rotateKey(tx, id, HOUR_MS, context),
    () => call('DELETE', `/admin/staff/${ines.id}`),
  );
  assert.equal(response.status, 204);
  assert.ok('issuedKey' in rotation);
  const newKeyId = rotation.issuedKey.id;
  const keys = (await call('GET', '/admin/keys?partner=Operator&limit=100')).body.data;
  assert.ok(keys.find(({ id }: { id: string }) => id === newKeyId).revoked_at);
});

test('a removed user loses access within a second and stays in the audit trail', async () => {
  const tito = await newUser('Tito', 'finance');
  assert.equal((await call('DELETE', `/admin/staff/${tito.id}`)).status, 204);
  assert.equal((await service.staff('GET', '/admin/staff', { key: tito.key })).status, 401);
  const { data } = (await call('GET', '/admin/staff')).body;
  assert.ok(!data.some((item: { id: string }) => item.id === tito.id));
  assert.equal((await readAuditTrail(`staff:${tito.id}`)).length, 1);
  assert.equal((await call('DELETE', '/admin/staff/stf_00000000000000000000000009')).status, 404);
});

test('setting a plan requires the role finance; other fields of a merchant require content', async () => {
  const writer = await newUser('Cora Texto', 'content');
  const treasurer = await newUser('Fábio Caixa', 'finance');
  const callAs = (user: { key: string }, method: string, path: string, body: object) =>
    service.staff(method, path, { key: user.key, body });
  const categories = (await service.staff('GET', '/admin/categories', { key: writer.key })).body.data;
  const form = { slug: 'loja-do-plano', name: 'Loja do Plano', category: categories[0].slug };
  const plan = { cashback_percent: 100, merchant_fee_percent: 0, payout_days: 0 };
  const planResponse = await callAs(writer, 'POST', '/admin/merchants', { ...form, plan });
  assert.deepEqual([planResponse.status, planResponse.body.code], [403, 'role_missing']);
  assert.equal((await callAs(writer, 'POST', '/admin/merchants', form)).status, 201);
  const path = `/admin/merchants/${form.slug}`;
  const changeResponse = await callAs(writer, 'PATCH', path, { plan: { cashback_percent: 100 } });
  assert.deepEqual([changeResponse.status, changeResponse.body.code], [403, 'role_missing']);
  assert.match(changeResponse.body.detail, /the role 'finance' or 'admin'; yours is 'content'/);
  const reader = await newUser('Vera Lê', 'viewer');
  const readerResponse = await callAs(reader, 'PATCH', path, { plan: { cashback_percent: 100 } });
  assert.match(
    readerResponse.body.detail,
    /the role 'content' or 'admin', with `plan` 'finance'; yours is 'viewer'/,
  );
  assert.equal((await callAs(writer, 'PATCH', path, { city: 'Olinda' })).status, 200);
  const setResponse = await callAs(treasurer, 'PATCH', path, { plan: { cashback_percent: 3 } });
  assert.deepEqual([setResponse.status, setResponse.body.plan.cashback_percent], [200, 3]);
});

const ROLES = ['viewer', 'content', 'support', 'risk', 'finance', 'admin'] as const;
const UNKNOWN_ID = '00000000000000000000000009';
const UNKNOWN_CUSTOMER = `cus_${UNKNOWN_ID}`;
const UNKNOWN_CHECKOUT = '0'.repeat(22);

test('each role may perform exactly its own actions, and 403 names the required role', async () => {
  const users = new Map<string, { key: string }>();
  for (const role of ROLES) users.set(role, await newUser(`Papel ${role}`, role));
  // The entities do not exist: a permitted role gets 404, any other role gets 403.
  const actions: Array<[requiredRole: (typeof ROLES)[number], method: string, path: string, body?: object]> =
    [
      ['viewer', 'GET', `/admin/customers/${UNKNOWN_CUSTOMER}`],
      ['viewer', 'GET', `/admin/checkouts/${UNKNOWN_CHECKOUT}`],
      ['content', 'PATCH', '/admin/merchants/nenhuma', { city: 'Natal' }],
      ['finance', 'PATCH', '/admin/merchants/nenhuma', { plan: { cashback_percent: 1 } }],
      ['support', 'POST', `/admin/customers/${UNKNOWN_CUSTOMER}/lock`, { reason: 'Teste' }],
      [
        'support',
        'PATCH',
        `/admin/customers/${UNKNOWN_CUSTOMER}`,
        { email: 'x@example.com', reason: 'Teste' },
      ],
      ['support', 'POST', '/admin/pix/orphans/nenhum/assign', { installment_id: `ins_${UNKNOWN_ID}` }],
      ['risk', 'PATCH', `/admin/customers/${UNKNOWN_CUSTOMER}`, { credit_limit: 100, reason: 'Teste' }],
      ['risk', 'POST', '/admin/credit-decisions/nenhuma/decline', { reason: 'Teste' }],
      ['finance', 'POST', `/admin/cashback/${UNKNOWN_CUSTOMER}/adjust`, { amount: 1, reason: 'Teste' }],
      ['finance', 'POST', `/admin/checkouts/${UNKNOWN_CHECKOUT}/write-off`, { reason: 'Teste' }],
      ['finance', 'POST', '/admin/pix/refunds/nenhuma/retry'],
      ['finance', 'POST', `/admin/payouts/pay_${UNKNOWN_ID}/paid`, { reference: 'TED' }],
      ['admin', 'POST', `/admin/keys/key_${UNKNOWN_ID}/revoke`],
      ['admin', 'DELETE', `/admin/staff/stf_${UNKNOWN_ID}`],
    ];
  for (const [requiredRole, method, path, body] of actions)
    for (const role of ROLES) {
      const { key } = users.get(role)!;
      const response = await service.staff(method, path, { key, ...(body && { body }) });
      const isAllowed = role === requiredRole || role === 'admin' || requiredRole === 'viewer';
      assert.equal(response.status, isAllowed ? 404 : 403, `${role}: ${method} ${path}: ${response.text}`);
      if (!isAllowed) {
        assert.equal(response.body.code, 'role_missing');
        for (const name of [requiredRole, 'admin']) assert.ok(response.body.detail.includes(`'${name}'`));
      }
    }
});

test('a refused request changes nothing and writes no audit entry', async () => {
  const support = await newUser('Sara', 'support');
  const { data: customers } = (await call('GET', '/admin/customers?limit=1')).body;
  const path = `/admin/customers/${customers[0].id}`;
  const customerBefore = (await call('GET', path)).body;
  const countEntries = async () => (await call('GET', '/admin/audit-trail?limit=1')).body.pagination.total;
  const countBefore = await countEntries();
  const send = (method: string, path: string, body: object, headers = {}) =>
    service.staff(method, path, { key: support.key, body, headers });
  // Refused because of the role, the body, an outdated ETag, an unknown customer, and the role.
  const refusedResponses = [
    await send('PATCH', path, { credit_limit: 9_999, reason: 'Teste' }),
    await send('PATCH', path, { email: 'x' }),
    await send('PATCH', path, { email: 'nova@example.com', reason: 'Teste' }, { 'if-match': '"outra"' }),
    await send('POST', `/admin/customers/${UNKNOWN_CUSTOMER}/lock`, { reason: 'Teste' }),
    await send('POST', '/admin/staff', { name: 'Eu Mesma', role: 'admin' }),
  ];
  assert.deepEqual(
    refusedResponses.map(({ status }) => status),
    [403, 400, 412, 404, 403],
    refusedResponses.map(({ text }) => text).join(),
  );
  assert.equal(await countEntries(), countBefore);
  assert.deepEqual((await call('GET', path)).body, customerBefore);
});

test('409 last_admin: one admin remains, even if concurrent requests demote all admins', async () => {
  const listAdminIds = () =>
    service.db.values<string>(sql`select id from staff_members where role = 'admin' and removed_at is null`);
  const setRole = (id: string, role: string) => call('PATCH', `/admin/staff/${id}`, { role });
  const adminIds = await listAdminIds();
  const otherIds = adminIds.filter((id) => id !== DEMO_ADMIN_ID);
  for (const id of otherIds) assert.equal((await setRole(id, 'viewer')).status, 200);
  assertRefused(await setRole(DEMO_ADMIN_ID, 'viewer'), 409, 'last_admin');
  for (const id of otherIds) assert.equal((await setRole(id, 'admin')).status, 200);

  const responses = await Promise.all(adminIds.map((id) => setRole(id, 'viewer')));
  const refusedResponses = responses.filter(({ status }) => status !== 200);
  assert.ok(refusedResponses.length >= 1);
  // Once the caller is demoted, its later requests are refused with 403.
  for (const { status } of refusedResponses) assert.ok([403, 409].includes(status));
  assert.equal((await listAdminIds()).length, refusedResponses.length);
});
