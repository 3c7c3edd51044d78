import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tx } from '#platform/database/db.ts';
import { recordChange } from '#platform/privacy/trail.ts';
import { type Answer, openService, whenWaiting } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';
import { assertRefused } from '../../test/support/customers.ts';
import { rotateKey } from '../partners/issue-key.ts';
import { changeMember, memberSubject } from './members.ts';

const service = await openService();
const admin = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, headers, ...(body !== undefined && { body }) });
const trailOf = async (subject: string) =>
  (await admin('GET', `/admin/audit-trail?subject=${subject}`)).body.data;

async function newMember(name: string, role: string) {
  const { status, body, text } = await admin('POST', '/admin/staff', { name, role });
  assert.equal(status, 201, text);
  return body as { id: string; name: string; role: string; key: string };
}

test('a person gets a key of their own, shown once; who let them in is in the trail, the key is not', async () => {
  const marina = await newMember('Marina Duarte', 'support');
  const listed = (await admin('GET', '/admin/staff')).body;
  assert.ok(listed.data.some((one: { id: string }) => one.id === marina.id));
  const found = await admin('GET', '/admin/staff?q=marina%20d');
  assert.deepEqual(
    found.body.data.map(({ id }: { id: string }) => id),
    [marina.id],
  );
  assert.ok(!JSON.stringify(listed).includes(marina.key));
  const [entry] = await trailOf(`staff:${marina.id}`);
  assert.deepEqual(await trailOf(marina.id), [entry], 'the id is enough');
  assert.equal(entry.actor_name, 'Demo admin');
  assert.equal(entry.action, 'addStaffMember');
  assert.equal(entry.before, null);
  assert.equal(entry.after.role, 'support');
  assert.ok(!JSON.stringify(entry).includes(marina.key));
});

test('a role that is changed holds within a second; the trail has what differs, before and after', async () => {
  const rui = await newMember('Rui Prates', 'viewer');
  const mayAdd = async () => (await service.staff('POST', '/admin/staff', { key: rui.key, body: {} })).status;
  assert.equal(await mayAdd(), 403);
  const changed = await admin('PATCH', `/admin/staff/${rui.id}`, { role: 'admin' });
  assert.equal(changed.status, 200);
  assert.equal(await mayAdd(), 400);
  const [entry] = await trailOf(`staff:${rui.id}`);
  assert.deepEqual([entry.before, entry.after], [{ role: 'viewer' }, { role: 'admin' }]);
});

test('412 changed_meanwhile: a change on top of somebody else’s is not made; with the new ETag it is', async () => {
  const bia = await newMember('Bia', 'viewer');
  const read = (await admin('GET', `/admin/staff/${bia.id}`)).headers.get('etag')!;
  const given = { 'if-match': `"another", ${read}` };
  const first = await admin('PATCH', `/admin/staff/${bia.id}`, { name: 'Beatriz' }, given);
  assert.equal(first.status, 200, 'one of several is enough');
  const etag = first.headers.get('etag')!;
  await admin('PATCH', `/admin/staff/${bia.id}`, { name: 'Beatriz Lemos' });
  const late = await admin('PATCH', `/admin/staff/${bia.id}`, { role: 'finance' }, { 'if-match': etag });
  assertRefused(late, 412, 'changed_meanwhile');
  const again = await admin('PATCH', `/admin/staff/${bia.id}`, { name: 'Beatriz Lemos' });
  const headers = { 'if-match': again.headers.get('etag')! };
  const { body } = await admin('PATCH', `/admin/staff/${bia.id}`, { role: 'finance' }, headers);
  assert.deepEqual([body.name, body.role], ['Beatriz Lemos', 'finance'], 'only what is sent changes');
});

test('412: of two changes at once on top of the same thing one is made', async () => {
  const caio = await newMember('Caio', 'viewer');
  const read = await admin('PATCH', `/admin/staff/${caio.id}`, { name: 'Caio Reis' });
  const headers = { 'if-match': read.headers.get('etag')! };
  const late = await afterWaiting(
    (tx) => changeName(tx, caio.id, 'Caio Reis Neto'),
    () => admin('PATCH', `/admin/staff/${caio.id}`, { role: 'finance' }, headers),
  );
  assertRefused(late, 412, 'changed_meanwhile');
});

/** What the call answers that came while the change was under way, and waited for it. */
async function afterWaiting(
  change: (tx: Tx) => Promise<unknown>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const { answer } = await service.db.transaction(async (tx) => {
    await change(tx);
    const answer = call();
    await whenWaiting(service, 1);
    return { answer };
  });
  return answer;
}

const changeName = (tx: Tx, id: string, name: string) => {
  const actor = { id: 'test', address: null, requestId: null };
  const change = { actor, action: 'test', now: service.clock.now() };
  return recordChange(tx, change, { of: memberSubject, id }, (member) => changeMember(tx, member, { name }));
};

test('a key that is rotated while its owner is removed ends with the owner', async () => {
  const ines = await newMember('Inês', 'finance');
  const { data } = (await admin('GET', '/admin/keys?partner=Operator&limit=100')).body;
  const { id } = data.find((key: { person_id: string }) => key.person_id === ines.id);
  const context = { mode: 'sandbox', clock: service.clock } as const;
  let rotated: Awaited<ReturnType<typeof rotateKey>>;
  const removed = await afterWaiting(
    async (tx) => {
      rotated = await rotateKey(tx, id, 3_600_000, context);
    },
    () => admin('DELETE', `/admin/staff/${ines.id}`),
  );
  assert.equal(removed.status, 204);
  assert.ok('issued' in rotated!);
  const key = rotated.issued.id;
  const listed = (await admin('GET', '/admin/keys?partner=Operator&limit=100')).body.data;
  assert.ok(listed.find((one: { id: string }) => one.id === key).revoked_at);
});

test('whoever is removed is out within a second and stays in the trail', async () => {
  const tito = await newMember('Tito', 'finance');
  assert.equal((await admin('DELETE', `/admin/staff/${tito.id}`)).status, 204);
  assert.equal((await service.staff('GET', '/admin/staff', { key: tito.key })).status, 401);
  const { data } = (await admin('GET', '/admin/staff')).body;
  assert.ok(!data.some((one: { id: string }) => one.id === tito.id));
  assert.equal((await trailOf(`staff:${tito.id}`)).length, 2);
  assert.equal((await admin('DELETE', '/admin/staff/stf_00000000000000000000000009')).status, 404);
});

test('a plan takes finance, on creating and on changing; the rest of a merchant takes content', async () => {
  const writer = await newMember('Cora Texto', 'content');
  const treasurer = await newMember('Fábio Caixa', 'finance');
  const as = (member: { key: string }, method: string, path: string, body: object) =>
    service.staff(method, path, { key: member.key, body });
  const form = { slug: 'loja-do-plano', name: 'Loja do Plano', category: 'padarias' };
  const plan = { cashback_percent: 100, merchant_fee_percent: 0, payout_days: 0 };
  const categories = (await service.staff('GET', '/admin/categories', { key: writer.key })).body.data;
  form.category = categories[0].slug;
  const greedy = await as(writer, 'POST', '/admin/merchants', { ...form, plan });
  assert.deepEqual([greedy.status, greedy.body.code], [403, 'role_missing']);
  assert.equal((await as(writer, 'POST', '/admin/merchants', form)).status, 201);
  const path = `/admin/merchants/${form.slug}`;
  const changed = await as(writer, 'PATCH', path, { plan: { cashback_percent: 100 } });
  assert.deepEqual([changed.status, changed.body.code], [403, 'role_missing']);
  assert.match(changed.body.detail, /the role 'finance'; yours is 'content'/);
  const reader = await newMember('Vera Lê', 'viewer');
  const lowly = await as(reader, 'PATCH', path, { plan: { cashback_percent: 100 } });
  assert.match(lowly.body.detail, /the role 'content', with `plan` 'finance'; yours is 'viewer'/);
  assert.equal((await as(writer, 'PATCH', path, { city: 'Olinda' })).status, 200);
  const set = await as(treasurer, 'PATCH', path, { plan: { cashback_percent: 3 } });
  assert.deepEqual([set.status, set.body.plan.cashback_percent], [200, 3]);
});

const ROLES = ['viewer', 'content', 'support', 'finance', 'admin'] as const;
const NOBODY = 'cus_00000000000000000000000009';
const NOTHING = { hash: '0'.repeat(22), key: 'key_00000000000000000000000009' };

test('what each role may: no less than its work, no more, and 403 names the role that may', async () => {
  const members = new Map<string, { key: string }>();
  for (const role of ROLES) members.set(role, await newMember(`Papel ${role}`, role));
  // About what does not exist: whoever may is told so, whoever may not is told nothing.
  const acts: Array<[least: (typeof ROLES)[number], method: string, path: string, body?: object]> = [
    ['viewer', 'GET', `/admin/customers/${NOBODY}`],
    ['viewer', 'GET', `/admin/checkouts/${NOTHING.hash}`],
    ['content', 'PATCH', '/admin/merchants/nenhuma', { city: 'Natal' }],
    ['support', 'POST', `/admin/customers/${NOBODY}/lock`, { reason: 'Teste' }],
    ['finance', 'POST', `/admin/checkouts/${NOTHING.hash}/write-off`, { reason: 'Teste' }],
    ['finance', 'POST', '/admin/pix/refunds/nenhuma/retry'],
    ['finance', 'POST', '/admin/payouts/pay_00000000000000000000000009/paid', { reference: 'TED' }],
    ['admin', 'POST', `/admin/keys/${NOTHING.key}/revoke`],
    ['admin', 'DELETE', '/admin/staff/stf_00000000000000000000000009'],
  ];
  for (const [least, method, path, body] of acts)
    for (const role of ROLES) {
      const { key } = members.get(role)!;
      const answer = await service.staff(method, path, { key, ...(body && { body }) });
      const may = ROLES.indexOf(role) >= ROLES.indexOf(least);
      assert.equal(answer.status, may ? 404 : 403, `${role}: ${method} ${path}: ${answer.text}`);
      if (!may) {
        assert.equal(answer.body.code, 'role_missing');
        assert.match(answer.body.detail, new RegExp(`\\b${least}\\b`));
      }
    }
});

test('an act that is refused changes nothing and is not in the trail as done', async () => {
  const support = await newMember('Sara', 'support');
  const { data: customers } = (await admin('GET', '/admin/customers?limit=1')).body;
  const customer = `/admin/customers/${customers[0].id}`;
  const before = (await admin('GET', customer)).body;
  const entries = async () => (await admin('GET', '/admin/audit-trail?limit=1')).body.pagination.total;
  const written = await entries();
  const as = (method: string, path: string, body: object, headers = {}) =>
    service.staff(method, path, { key: support.key, body, headers });
  // Refused for the role, for the body, for the state it was based on, and since it is not there.
  const refused = [
    await as('PATCH', customer, { credit_limit: 9_999, reason: 'Teste' }),
    await as('PATCH', customer, { email: 'x' }),
    await as('PATCH', customer, { email: 'nova@example.com', reason: 'Teste' }, { 'if-match': '"outra"' }),
    await as('POST', `/admin/customers/${NOBODY}/lock`, { reason: 'Teste' }),
    await as('POST', '/admin/staff', { name: 'Eu Mesma', role: 'admin' }),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 400, 412, 404, 403],
    refused.map(({ text }) => text).join(),
  );
  assert.equal(await entries(), written);
  assert.deepEqual((await admin('GET', customer)).body, before);
});

test('409 last_admin: the last one stays, also when two remove each other at the same moment', async () => {
  const all = (await admin('GET', '/admin/staff?limit=100')).body.data as Array<{ id: string; role: string }>;
  const admins = all.filter(({ role }) => role === 'admin').map(({ id }) => id);
  const results = await Promise.all(
    admins.map((id) => admin('PATCH', `/admin/staff/${id}`, { role: 'viewer' })),
  );
  const refused = results.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 1);
  assert.ok([403, 409].includes(refused[0]!.status));
});
