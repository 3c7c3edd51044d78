import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { DatabaseUnavailable, sql } from '../database/db.ts';
import { createLog } from '../observability/log.ts';
import { ChangeFeed } from './change-feed.ts';

const service = await openService({ demo: false });
const log = createLog('silent');

/** The text that `listenTo` records when changes may have been missed. */
const MISSED_CHANGES = '(missed changes)';

/** Listens to one topic and records its changes until the test ends. */
async function listenTo(t: TestContext, topic: string, url = service.databaseUrl) {
  const changes: string[] = [];
  const changeFeed = new ChangeFeed(url, log);
  t.after(() => changeFeed.stop());
  changeFeed.listen({
    topic,
    onChange: (change) => changes.push(change),
    onMissedChanges: () => changes.push(MISSED_CHANGES),
  });
  await changeFeed.start();
  return { changeFeed, changes };
}

/** Waits without a timeout, because the two seconds of the service may be too short on a busy machine. */
const waitUntilUpToDate = (changeFeed: ChangeFeed) =>
  eventually('the feed is up to date', async () => changeFeed.isUpToDate());

const notify = (text: string) => service.db.run(sql`select pg_notify('semana_changes', ${text})`);
const countFeeds = async () =>
  (await service.db.row<{ n: number }>(sql`
    select count(*) as n from pg_stat_activity
    where application_name = 'semana changeFeed' and datname = current_database()`))!.n;

test('a listener first gets a missed-changes callback, then the changes of its topic, in order', async (t) => {
  const { changes } = await listenTo(t, 'fruit');
  for (const text of ['fruit apple', 'fruits none', 'metal iron', 'fruit', 'fruit two words'])
    await notify(text);
  await eventually('all changes arrive', async () => changes.length === 4);
  assert.deepEqual(changes, [MISSED_CHANGES, 'apple', '', 'two words']);
});

test('a rolled back change is not reported; a committed one is reported after it can be read', async (t) => {
  const { changes } = await listenTo(t, 'plan');
  await assert.rejects(
    service.db.transaction(async (tx) => {
      await tx.run(sql`select pg_notify('semana_changes', 'plan dropped')`);
      throw new Error('no');
    }),
  );
  await notify('plan committed');
  await eventually('the committed change is reported', async () => changes.includes('committed'));
  assert.deepEqual(changes, [MISSED_CHANGES, 'committed']);
});

test('concurrent waits share one query, and the connection runs one query at a time', async (t) => {
  const { changeFeed, changes } = await listenTo(t, 'crowd');
  const warnings: Error[] = [];
  // pg warns if a query is sent while another is running.
  const recordWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', recordWarning);
  t.after(() => process.off('warning', recordWarning));
  for (let round = 1; round <= 20; round++) {
    await notify(`crowd ${round}`);
    await waitUntilUpToDate(changeFeed);
    await Promise.all(Array.from({ length: 10 }, () => changeFeed.waitForEarlierCommits()));
    assert.equal(changes.at(-1), String(round));
  }
  assert.deepEqual(warnings, []);
});

test('after a lost connection the listener gets a missed-changes callback and further changes', async (t) => {
  const databaseLink = await service.openLink();
  const { changeFeed, changes } = await listenTo(t, 'cut', databaseLink.url);
  await waitUntilUpToDate(changeFeed);
  databaseLink.cut();
  await eventually('the feed is not up to date any more', async () => !changeFeed.isUpToDate());
  await notify('cut missed');
  const countBeforeRestore = changes.length;
  databaseLink.restore();
  await waitUntilUpToDate(changeFeed);
  assert.deepEqual([...new Set(changes.slice(countBeforeRestore))], [MISSED_CHANGES]);
  await eventually('a further change is reported', async () => {
    await notify('cut after');
    return changes.includes('after');
  });
  assert.ok(!changes.includes('missed'));
});

test('the feed is not up to date if the database does not respond, and waiting requests fail', async (t) => {
  const databaseLink = await service.openLink();
  const { changeFeed } = await listenTo(t, 'silence', databaseLink.url);
  databaseLink.block();
  await eventually('the feed is not up to date any more', async () => !changeFeed.isUpToDate());
  await assert.rejects(changeFeed.waitUntilUpToDate(), DatabaseUnavailable);
  databaseLink.restore();
  await eventually('the feed is up to date again', async () => changeFeed.isUpToDate());
});

test('a late heartbeat response does not make the feed up to date', async (t) => {
  const databaseLink = await service.openLink();
  const { changeFeed } = await listenTo(t, 'late', databaseLink.url);
  databaseLink.delay(1_200); // longer than the 900 ms for which a heartbeat is valid
  await eventually('the feed is not up to date any more', async () => !changeFeed.isUpToDate());
  await assert.rejects(changeFeed.waitUntilUpToDate(), DatabaseUnavailable);
  databaseLink.restore();
  await waitUntilUpToDate(changeFeed);
});

test('after failures a feed has one connection, and after it is stopped none', async (t) => {
  await eventually('only the feed of the service is open', async () => (await countFeeds()) === 1);
  const databaseLink = await service.openLink();
  const { changeFeed } = await listenTo(t, 'leak', databaseLink.url);
  for (let i = 0; i < 4; i++) {
    databaseLink.cut();
    await eventually('the feed is not up to date any more', async () => !changeFeed.isUpToDate());
    databaseLink.restore();
    await waitUntilUpToDate(changeFeed);
  }
  await eventually('one feed of this test is left', async () => (await countFeeds()) === 2);
  await changeFeed.stop();
  await eventually('only the feed of the service is left', async () => (await countFeeds()) === 1);
  assert.equal(changeFeed.isUpToDate(), false);
});

test('a feed that is stopped while its database is unavailable stays stopped', async (t) => {
  const databaseLink = await service.openLink();
  const { changeFeed } = await listenTo(t, 'stopped', databaseLink.url);
  databaseLink.cut();
  await eventually('the feed is not up to date any more', async () => !changeFeed.isUpToDate());
  await changeFeed.stop();
  databaseLink.restore();
  await assert.rejects(changeFeed.waitUntilUpToDate(), DatabaseUnavailable);
  assert.equal(await countFeeds(), 1);
});

test('stopping the feed ends its waiting requests immediately, and later requests do not wait', async () => {
  const changeFeed = new ChangeFeed(service.databaseUrl, log, { timeoutMs: HOUR_MS });
  const waitingRequest = assert.rejects(changeFeed.waitUntilUpToDate(), DatabaseUnavailable);
  await changeFeed.stop();
  await waitingRequest;
  await assert.rejects(changeFeed.waitUntilUpToDate(), DatabaseUnavailable);
});
