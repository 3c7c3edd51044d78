import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { commandLine } from '../../../test/commands.ts';
import { eventually, type Node, openService } from '../../../test/harness.ts';
import { ANA, logIn, me, OPERATOR_KEY } from '../../../test/shop.ts';

const service = await openService();
service.clock.set('2027-03-01T12:00:00.000Z');
const other = await service.join();

const clock = (method: string, body?: unknown, node: Node = service) =>
  node.staff(method, '/sandbox/clock', { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
const nowOn = async (node: Node) => (await clock('GET', undefined, node)).body.now;

test('it shows the time, advances it, moves it, and returns to real time', async () => {
  assert.deepEqual((await clock('GET')).body, { now: '2027-03-01T12:00:00.000Z', offset_seconds: 0 });
  assert.deepEqual((await clock('POST', { advance: 'P7D' })).body, {
    now: '2027-03-08T12:00:00.000Z',
    offset_seconds: 604_800,
  });
  assert.equal((await clock('POST', { advance: 'PT12H' })).body.now, '2027-03-09T00:00:00.000Z');
  assert.equal((await clock('POST', { advance: '-P1D' })).body.now, '2027-03-08T00:00:00.000Z');
  assert.equal((await clock('POST', { now: '2026-12-01T12:00:00Z' })).body.now, '2026-12-01T12:00:00.000Z');
  service.clock.advance(1_500);
  assert.equal(await nowOn(service), '2026-12-01T12:00:01.500Z', 'time runs on from there');
  assert.equal((await clock('DELETE')).body.offset_seconds, 0);
  assert.equal(await nowOn(service), '2027-03-01T12:00:01.500Z');
});

test('every node has the new time: the one that moved it at once, the others when the change feed notifies them', async () => {
  const { body } = await clock('POST', { now: '2027-06-01T00:00:00Z' });
  assert.equal(await nowOn(service), body.now);
  await eventually('the other node follows', async () => (await nowOn(other)) === body.now);
  await clock('DELETE', undefined, other);
  await eventually('and back', async () => (await nowOn(service)) === service.clock.now().toISOString());
});

test('a node that starts later has it from the start', async () => {
  await clock('POST', { advance: 'P3D' });
  const late = await service.join();
  assert.equal(await nowOn(late), await nowOn(service));
  await late.stop();
  await clock('DELETE');
});

test('many who advance at the same time all count', async () => {
  await Promise.all(
    Array.from({ length: 10 }, (_, i) => clock('POST', { advance: 'PT1H' }, i % 2 ? service : other)),
  );
  for (const node of [service, other])
    await eventually(
      'ten hours',
      async () => (await clock('GET', undefined, node)).body.offset_seconds === 36_000,
    );
  await clock('DELETE');
});

test('400 for what is no duration or instant, for both, for neither, and for a time out of this century', async () => {
  for (const [body, pointer] of [
    [{ advance: 'a week' }, '/advance'],
    [{ advance: 'P1M' }, '/advance'],
    [{ advance: 7 }, '/advance'],
    [{ advance: 'P99999W' }, '/advance'],
    [{ now: 'tomorrow' }, '/now'],
    [{ now: '2026-12-01' }, '/now'],
    [{ now: '1999-12-31T23:59:59Z' }, '/now'],
    [{ now: '2100-01-01T00:00:00Z' }, '/now'],
    [{ now: '2016-12-31T23:59:60Z' }, '/now'],
    [{ now: '2026-12-01T12:00:00Z', advance: 'P1D' }, '/now'],
    [{}, '/advance'],
    [{ advance: 'P1D', zone: 'UTC' }, '/zone'],
  ] as const) {
    const answer = await clock('POST', body);
    assert.equal(`${answer.status} ${answer.body.code}`, '400 validation_failed', JSON.stringify(body));
    assert.equal(answer.body.errors[0].pointer, pointer, answer.text);
  }
  assert.equal((await clock('GET')).body.offset_seconds, 0);
});

test('only the operator may, and only at the staff door', async () => {
  assert.equal((await service.staff('POST', '/sandbox/clock', { body: { advance: 'P1D' } })).status, 403);
  assert.equal((await service.staff('DELETE', '/sandbox/clock', { key: null })).status, 401);
  assert.equal((await service.get('/sandbox/clock', { key: OPERATOR_KEY })).status, 404);
});

test('tokens grow old and posts appear with it', async () => {
  const { token } = await logIn(service, ANA);
  const total = async () => (await service.get('/public/blog')).body.pagination.total;
  await service.db.run(sql`
    insert into posts (slug, title, summary, author, published_at, body, body_html)
    values ('amanha', 'Amanhã', '-', '-', ${new Date(service.clock.now().getTime() + 3_600_000)}, '-', '-')`);
  const before = await eventually('the post is known', total);
  assert.equal((await me(service, token)).status, 200);
  await clock('POST', { advance: 'PT2H' });
  assert.equal((await me(service, token)).body.code, 'token_expired');
  assert.equal(await total(), before + 1);
  await clock('DELETE');
  assert.equal((await me(service, token)).status, 200);
  assert.equal(await total(), before, 'an answer made in the future is not kept');
});

test('the command line uses the same clock', async () => {
  await clock('POST', { now: '2031-05-05T12:00:00Z' });
  const words = ['checkout', 'create', '--customer', '+5511987650003', '--merchant', 'otica-lume'];
  const { stdout } = await commandLine([...words, '--amount', '10', '--installments', '1', '--dry-run'], {
    DATABASE_URL: service.databaseUrl,
  });
  await clock('DELETE');
  // The test stands still in 2027, the command runs on real time: the same offset leads to another day.
  const offsetMs = Date.parse('2031-05-05T12:00:00Z') - service.clock.now().getTime();
  const due = new Date(Date.now() + offsetMs + 7 * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10);
  assert.match(stdout, new RegExp(`1 +${due} +10\\.00`));
});
