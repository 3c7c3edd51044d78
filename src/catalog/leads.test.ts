import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/db.ts';
import { openHouse } from '../../test/harness.ts';

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
