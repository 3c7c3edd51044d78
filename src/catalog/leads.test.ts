import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEvents } from '#events';
import { sql } from '#platform/db.ts';
import { openHouse } from '../../test/harness.ts';
import { receiveLead } from './receive-lead.ts';

const house = await openHouse();

const form = { kind: 'partner', name: 'Joana Prado', email: 'joana@example.com' };
const count = async (name: string) =>
  (await house.db.row<{ n: number }>(sql`select count(*) as n from leads where name = ${name}`))!.n;

test('201 means the lead is stored', async () => {
  const { status, body } = await house.post('/public/leads', { ...form, phone: '+5511987654321' });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body), ['id', 'kind', 'received_at']);
  const stored = await house.db.row<{ phone: string }>(sql`select phone from leads where id = ${body.id}`);
  assert.equal(stored?.phone, '+5511987654321');
});

test('the same lead within ten minutes is stored once and answers the same id, also when many race', async () => {
  const same = { ...form, name: 'Rita Race' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => house.post('/public/leads', same)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.equal(await count('Rita Race'), 1);

  house.clock.advance(9 * 60_000);
  assert.equal((await house.post('/public/leads', same)).body.id, answers[0]!.body.id);
  house.clock.advance(2 * 60_000);
  assert.notEqual(
    (await house.post('/public/leads', same)).body.id,
    answers[0]!.body.id,
    'ten minutes have passed',
  );
  assert.equal(await count('Rita Race'), 2);
});

test('lead.received is written once for each lead that is stored, and names nobody', async () => {
  const told = () =>
    house.db.rows<{ customer_id: string; data: unknown }>(sql`
      select customer_id, data from events where type = 'lead.received' order by position`);
  const before = (await told()).length;
  const same = { ...form, name: 'Eva Evento', phone: '+5511987654322', message: 'Olá' };
  const headers = { 'idempotency-key': 'lead-event' };
  const answers = [
    ...(await Promise.all(Array.from({ length: 5 }, () => house.post('/public/leads', same)))),
    await house.post('/public/leads', same, { headers }),
    await house.post('/public/leads', same, { headers }),
  ];
  assert.deepEqual((await told()).slice(before), [{ customer_id: '', data: answers[0]!.body }]);
  house.clock.advance(11 * 60_000);
  const again = await house.post('/public/leads', same);
  assert.deepEqual((await told()).slice(before + 1), [{ customer_id: '', data: again.body }]);
});

test('a lead is stored with its event or not at all', async () => {
  const listener = () => Promise.reject(new Error('no'));
  const given = { events: openEvents([{ type: 'lead.received', listener }]), now: house.clock.now() };
  const { id: partnerId } = (await house.db.row<{ id: string }>(sql`select id from partners limit 1`))!;
  const lead = { ...form, name: 'Nina Nada' };
  await assert.rejects(
    house.db.transaction((tx) => receiveLead(tx, partnerId, lead, given)),
    /no/,
  );
  assert.equal(await count('Nina Nada'), 0);
  assert.equal((await house.post('/public/leads', lead)).status, 201, 'it was not heard of before');
  assert.equal(await count('Nina Nada'), 1);
});
