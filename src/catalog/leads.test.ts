import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEvents } from '#events';
import { sql } from '#platform/db.ts';
import { openService } from '../../test/harness.ts';
import { receiveLead } from './receive-lead.ts';

const service = await openService();

const form = { kind: 'partner', name: 'Joana Prado', email: 'joana@example.com' };
const count = async (name: string) =>
  (await service.db.row<{ n: number }>(sql`select count(*) as n from leads where name = ${name}`))!.n;

test('201 means the lead is stored', async () => {
  const { status, body } = await service.post('/public/leads', { ...form, phone: '+5511987654321' });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body), ['id', 'kind', 'received_at']);
  const stored = await service.db.row<{ phone: string }>(sql`select phone from leads where id = ${body.id}`);
  assert.equal(stored?.phone, '+5511987654321');
});

test('the same lead within ten minutes is stored once and answers the same id, also when many race', async () => {
  const same = { ...form, name: 'Rita Race' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.post('/public/leads', same)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.equal(await count('Rita Race'), 1);

  service.clock.advance(9 * 60_000);
  assert.equal((await service.post('/public/leads', same)).body.id, answers[0]!.body.id);
  service.clock.advance(2 * 60_000);
  assert.notEqual(
    (await service.post('/public/leads', same)).body.id,
    answers[0]!.body.id,
    'ten minutes have passed',
  );
  assert.equal(await count('Rita Race'), 2);
});

test('lead.received is written once for each lead that is stored, and names nobody', async () => {
  const told = () =>
    service.db.rows<{ customer_id: string; data: unknown }>(sql`
      select customer_id, data from events where type = 'lead.received' order by position`);
  const before = (await told()).length;
  const same = { ...form, name: 'Eva Evento', phone: '+5511987654322', message: 'Olá' };
  const headers = { 'idempotency-key': 'lead-event' };
  const answers = [
    ...(await Promise.all(Array.from({ length: 5 }, () => service.post('/public/leads', same)))),
    await service.post('/public/leads', same, { headers }),
    await service.post('/public/leads', same, { headers }),
  ];
  assert.deepEqual((await told()).slice(before), [{ customer_id: '', data: answers[0]!.body }]);
  service.clock.advance(11 * 60_000);
  const again = await service.post('/public/leads', same);
  assert.deepEqual((await told()).slice(before + 1), [{ customer_id: '', data: again.body }]);
});

test('a lead is stored with its event or not at all', async () => {
  const fail = () => Promise.reject(new Error('no'));
  const given = { events: openEvents([{ 'lead.received': [fail] }]), now: service.clock.now() };
  const { id: partnerId } = (await service.db.row<{ id: string }>(sql`select id from partners limit 1`))!;
  const lead = { ...form, name: 'Nina Nada' };
  await assert.rejects(
    service.db.transaction((tx) => receiveLead(tx, partnerId, lead, given)),
    /no/,
  );
  assert.equal(await count('Nina Nada'), 0);
  assert.equal((await service.post('/public/leads', lead)).status, 201, 'it was not heard of before');
  assert.equal(await count('Nina Nada'), 1);
});
