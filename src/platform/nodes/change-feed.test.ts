import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually, openService } from '../../../test/harness.ts';
import { DatabaseUnavailable, sql } from '../database/db.ts';
import { createLog } from '../observability/log.ts';
import { ChangeFeed } from './change-feed.ts';

const service = await openService({ demo: false });
const log = createLog('silent');

/** Listens to one topic and records its changes until the test ends. */
async function listenTo(t: TestContext, topic: string, url = service.databaseUrl) {
  const heard: string[] = [];
  const changeFeed = new ChangeFeed(url, log);
  t.after(() => changeFeed.stop());
  changeFeed.listen({
    topic,
    onChange: (rest) => heard.push(rest),
    onMissedChanges: () => heard.push('(catch up)'),
  });
  await changeFeed.start();
  return { changeFeed, heard };
}

/** Waits without a timeout, because the two seconds of the service may be too short on a busy machine. */
const whenTrusted = (changeFeed: ChangeFeed) =>
  eventually('it can be trusted', async () => changeFeed.isTrusted());

const tell = (text: string) => service.db.run(sql`select pg_notify('semana_changes', ${text})`);
const feeds = async () =>
  (await service.db.row<{ n: number }>(sql`
    select count(*) as n from pg_stat_activity
    where application_name = 'semana changeFeed' and datname = current_database()`))!.n;

test('a listener first gets a missed-changes callback, then the changes of its topic, in order', async (t) => {
  const { heard } = await listenTo(t, 'fruit');
  for (const text of ['fruit apple', 'fruits none', 'metal iron', 'fruit', 'fruit two words'])
    await tell(text);
  await eventually('all is heard', async () => heard.length === 4);
  assert.deepEqual(heard, ['(catch up)', 'apple', '', 'two words']);
});

test('a rolled back change is not reported; a committed one is reported after it can be read', async (t) => {
  const { heard } = await listenTo(t, 'plan');
  await assert.rejects(
    service.db.transaction(async (tx) => {
      await tx.run(sql`select pg_notify('semana_changes', 'plan dropped')`);
      throw new Error('no');
    }),
  );
  await tell('plan kept');
  await eventually('it is heard', async () => heard.includes('kept'));
  assert.deepEqual(heard, ['(catch up)', 'kept']);
});

test('concurrent waits share one query, and the connection runs one query at a time', async (t) => {
  const { changeFeed, heard } = await listenTo(t, 'crowd');
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on('warning', warn);
  t.after(() => process.off('warning', warn));
  for (let round = 1; round <= 20; round++) {
    await tell(`crowd ${round}`);
    await whenTrusted(changeFeed);
    await Promise.all(Array.from({ length: 10 }, () => changeFeed.waitForEarlierCommits()));
    assert.equal(heard.at(-1), String(round));
  }
  assert.deepEqual(warnings, []);
});

test('after a lost connection the listener gets a missed-changes callback and further changes', async (t) => {
  const link = await service.openLink();
  const { changeFeed, heard } = await listenTo(t, 'cut', link.url);
  await whenTrusted(changeFeed);
  link.cut();
  await eventually('the promise lapses', async () => !changeFeed.isTrusted());
  await tell('cut missed');
  const heardCountBefore = heard.length;
  link.restore();
  await whenTrusted(changeFeed);
  assert.deepEqual([...new Set(heard.slice(heardCountBefore))], ['(catch up)']);
  await eventually('it is heard', async () => {
    await tell('cut after');
    return heard.includes('after');
  });
  assert.ok(!heard.includes('missed'));
});

test('the feed is not trusted if the database does not respond, and waiting requests fail', async (t) => {
  const link = await service.openLink();
  const { changeFeed } = await listenTo(t, 'silence', link.url);
  link.block();
  await eventually('the promise lapses', async () => !changeFeed.isTrusted());
  await assert.rejects(changeFeed.waitUntilTrusted(), DatabaseUnavailable);
  link.restore();
  await eventually('it holds again', async () => changeFeed.isTrusted());
});

test('a late heartbeat response does not renew the trust', async (t) => {
  const link = await service.openLink();
  const { changeFeed } = await listenTo(t, 'late', link.url);
  link.delay(1_200);
  await eventually('the promise lapses', async () => !changeFeed.isTrusted());
  await assert.rejects(changeFeed.waitUntilTrusted(), DatabaseUnavailable);
  link.restore();
  await whenTrusted(changeFeed);
});

test('failures leave no extra connection, and stopping leaves none', async (t) => {
  await eventually('only the feed of the service is open', async () => (await feeds()) === 1);
  const link = await service.openLink();
  const { changeFeed } = await listenTo(t, 'leak', link.url);
  for (let i = 0; i < 4; i++) {
    link.cut();
    await eventually('the promise lapses', async () => !changeFeed.isTrusted());
    link.restore();
    await whenTrusted(changeFeed);
  }
  await eventually('one connection is left', async () => (await feeds()) === 2);
  await changeFeed.stop();
  await eventually('none is left', async () => (await feeds()) === 1);
  assert.equal(changeFeed.isTrusted(), false);
});

test('a feed that is stopped while its database is unavailable stays stopped', async (t) => {
  const link = await service.openLink();
  const { changeFeed } = await listenTo(t, 'stopped', link.url);
  link.cut();
  await eventually('the promise lapses', async () => !changeFeed.isTrusted());
  await changeFeed.stop();
  link.restore();
  await assert.rejects(changeFeed.waitUntilTrusted(), DatabaseUnavailable);
  assert.equal(await feeds(), 1);
});
