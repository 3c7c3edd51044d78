import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { runCli } from '../../../test/commands.ts';
import { eventually, type Node, openService } from '../../../test/harness.ts';
import { ANA, getMe, logIn, OPERATOR_KEY } from '../../../test/purchase-driver.ts';

const service = await openService();
service.clock.set('2027-03-01T12:00:00.000Z');
const otherNode = await service.startNode();

const callClockOf = (node: Node) => (method: string, body?: unknown) =>
  node.staff(method, '/sandbox/clock', { key: OPERATOR_KEY, ...(body !== undefined && { body }) });
const callClock = callClockOf(service);
const readNow = async (node: Node) => (await callClockOf(node)('GET')).body.now;

test('the clock can be read, advanced, set, and reset to real time', async () => {
  assert.deepEqual((await callClock('GET')).body, { now: '2027-03-01T12:00:00.000Z', offset_seconds: 0 });
  assert.deepEqual((await callClock('POST', { advance: 'P7D' })).body, {
    now: '2027-03-08T12:00:00.000Z',
    offset_seconds: 604_800,
  });
  assert.equal((await callClock('POST', { advance: 'PT12H' })).body.now, '2027-03-09T00:00:00.000Z');
  assert.equal((await callClock('POST', { advance: '-P1D' })).body.now, '2027-03-08T00:00:00.000Z');
  assert.equal(
    (await callClock('POST', { now: '2026-12-01T12:00:00Z' })).body.now,
    '2026-12-01T12:00:00.000Z',
  );
  service.clock.advance(1_500);
  assert.equal(await readNow(service), '2026-12-01T12:00:01.500Z', 'time continues from there');
  assert.equal((await callClock('DELETE')).body.offset_seconds, 0);
  assert.equal(await readNow(service), '2027-03-01T12:00:01.500Z');
});

test('the node that moves the clock has the new time immediately, the others when the change feed notifies them', async () => {
  const { body } = await callClock('POST', { now: '2027-06-01T00:00:00Z' });
  assert.equal(await readNow(service), body.now);
  await eventually('the other node follows', async () => (await readNow(otherNode)) === body.now);
  await callClockOf(otherNode)('DELETE');
  await eventually(
    'the first node follows the reset',
    async () => (await readNow(service)) === service.clock.now().toISOString(),
  );
});

test('a node that starts later has the moved time from its start', async () => {
  await callClock('POST', { advance: 'P3D' });
  const lateNode = await service.startNode();
  assert.equal(await readNow(lateNode), await readNow(service));
  await lateNode.stop();
  await callClock('DELETE');
});

test('concurrent advances add up', async () => {
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      callClockOf(i % 2 ? service : otherNode)('POST', { advance: 'PT1H' }),
    ),
  );
  for (const node of [service, otherNode])
    await eventually(
      'both nodes are ten hours ahead',
      async () => (await callClockOf(node)('GET')).body.offset_seconds === (10 * HOUR_MS) / 1_000,
    );
  await callClock('DELETE');
});

test('400 for an invalid duration or instant, for both or neither, and for a time out of range', async () => {
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
    const response = await callClock('POST', body);
    assert.equal(`${response.status} ${response.body.code}`, '400 validation_failed', JSON.stringify(body));
    assert.equal(response.body.errors[0].pointer, pointer, response.text);
  }
  assert.equal((await callClock('GET')).body.offset_seconds, 0);
});

test('only an operator key may move the clock, and only in the staff API', async () => {
  assert.equal((await service.staff('POST', '/sandbox/clock', { body: { advance: 'P1D' } })).status, 403);
  assert.equal((await service.staff('DELETE', '/sandbox/clock', { key: null })).status, 401);
  assert.equal((await service.get('/sandbox/clock', { key: OPERATOR_KEY })).status, 404);
});

test('tokens expire and posts appear by the moved clock', async () => {
  const { token } = await logIn(service, ANA);
  const readPostTotal = async () => (await service.get('/public/blog')).body.pagination.total;
  await service.db.run(sql`
    insert into posts (slug, title, summary, author, published_at, body, body_html)
    values ('amanha', 'Amanhã', '-', '-', ${new Date(service.clock.now().getTime() + HOUR_MS)}, '-', '-')`);
  const totalBefore = await eventually('the posts are counted', readPostTotal);
  assert.equal((await getMe(service, token)).status, 200);
  await callClock('POST', { advance: 'PT2H' });
  assert.equal((await getMe(service, token)).body.code, 'token_expired');
  assert.equal(await readPostTotal(), totalBefore + 1);
  await callClock('DELETE');
  assert.equal((await getMe(service, token)).status, 200);
  assert.equal(await readPostTotal(), totalBefore, 'responses from the future are not cached');
});

test('local commands use the moved clock', async () => {
  await callClock('POST', { now: '2031-05-05T12:00:00Z' });
  const env = { DATABASE_URL: service.databaseUrl };
  const { code, stderr } = await runCli(['staff', 'add', '--name', 'Relógio', '--role', 'viewer'], env);
  assert.equal(code, 0, stderr);
  await callClock('DELETE');
  // The clock of the test stands still in 2027, but the command uses real time, so the same offset gives another day.
  const offsetMs = Date.parse('2031-05-05T12:00:00Z') - service.clock.now().getTime();
  const [addedStaffUser] = await service.db.rows<{ created_at: Date }>(
    sql`select created_at from staff_members where name = 'Relógio'`,
  );
  const differenceMs = addedStaffUser!.created_at.getTime() - (Date.now() + offsetMs);
  assert.ok(Math.abs(differenceMs) < DAY_MS, `${differenceMs} ms`);
});
