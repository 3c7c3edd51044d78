import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/harness.ts';
import type { ChangeFeed } from './change-feed.ts';
import { type Changes, SyncedCache } from './synced-cache.ts';

/** Creates a cache with a stub of the feed that the test controls; change-feed.test.ts tests the real feed. */
function createCacheWithStubFeed(shouldFail: (changes: Changes) => boolean = () => false) {
  let listener: Parameters<ChangeFeed['listen']>[0] | undefined;
  let isUpToDate = true;
  const changeFeed = {
    listen: (newListener: NonNullable<typeof listener>) => {
      listener = newListener;
    },
    isUpToDate: () => isUpToDate,
    waitUntilUpToDate: () => (isUpToDate ? Promise.resolve() : Promise.reject(new Error('the feed is down'))),
  };
  const appliedChanges: Changes[] = [];
  const failures: unknown[] = [];
  let applyGate = Promise.resolve();
  const cache = new SyncedCache({
    changeFeed: changeFeed as unknown as ChangeFeed,
    topic: 'test',
    apply: async (changes) => {
      await applyGate;
      if (shouldFail(changes)) throw new Error('the database is unavailable');
      appliedChanges.push(changes);
    },
    onFailure: (error) => failures.push(error),
  });
  return {
    cache,
    appliedChanges,
    failures,
    sendChange: (change: string) => listener!.onChange(change),
    reportMissedChanges: () => listener!.onMissedChanges(),
    setUpToDate: (value: boolean) => {
      isUpToDate = value;
    },
    /** Blocks the application of changes until the returned function is called. */
    blockApply: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      applyGate = promise;
      return resolve;
    },
  };
}

test('the cache is not current before the first load, nor between a change and its application', async () => {
  const { cache, appliedChanges, sendChange, reportMissedChanges, blockApply } = createCacheWithStubFeed();
  assert.equal(cache.isCurrent(), false);
  reportMissedChanges();
  await cache.waitUntilCurrent();
  assert.equal(cache.isCurrent(), true);
  const resume = blockApply();
  sendChange('a');
  assert.equal(cache.isCurrent(), false);
  const pendingWait = cache.waitUntilCurrent();
  resume();
  await pendingWait;
  assert.equal(cache.isCurrent(), true);
  assert.deepEqual(appliedChanges, ['everything', ['a']]);
});

test('changes that arrive while others are applied are applied next, in order, before any read', async () => {
  const { cache, appliedChanges, sendChange, reportMissedChanges, blockApply } = createCacheWithStubFeed();
  reportMissedChanges();
  await cache.waitUntilCurrent();
  const resume = blockApply();
  sendChange('a');
  await new Promise(setImmediate);
  for (const change of ['b', 'c']) sendChange(change);
  resume();
  await cache.waitUntilCurrent();
  assert.deepEqual(appliedChanges, ['everything', ['a'], ['b', 'c']]);
});

test('changes that could not be applied are retried together with later changes', async () => {
  let isFailing = false;
  const { cache, appliedChanges, failures, sendChange, reportMissedChanges, blockApply } =
    createCacheWithStubFeed(() => isFailing);
  reportMissedChanges();
  await cache.waitUntilCurrent();
  isFailing = true;
  const resume = blockApply();
  sendChange('a');
  await new Promise(setImmediate);
  sendChange('b');
  resume();
  await eventually('the application has failed', async () => failures.length > 0);
  assert.equal(cache.isCurrent(), false);
  isFailing = false;
  await cache.waitUntilCurrent();
  assert.deepEqual(appliedChanges, ['everything', ['a', 'b']]);
});

test('after missed changes everything is loaded again, also if changes are pending', async () => {
  let isFailing = false;
  const { cache, appliedChanges, failures, sendChange, reportMissedChanges, blockApply } =
    createCacheWithStubFeed(() => isFailing);
  reportMissedChanges();
  await cache.waitUntilCurrent();
  isFailing = true;
  const resume = blockApply();
  sendChange('a');
  await new Promise(setImmediate);
  reportMissedChanges();
  resume();
  await eventually('the application has failed', async () => failures.length > 0);
  isFailing = false;
  await cache.waitUntilCurrent();
  assert.equal(appliedChanges.at(-1), 'everything');
});

test('a failed application is retried automatically, without a request', async () => {
  let remainingFailures = 2;
  const { cache, appliedChanges, reportMissedChanges } = createCacheWithStubFeed(
    () => remainingFailures-- > 0,
  );
  reportMissedChanges();
  await eventually('the cache is current', async () => cache.isCurrent());
  assert.deepEqual(appliedChanges, ['everything']);
});

test('while the feed is not up to date the cache is not read, and waiting requests fail', async () => {
  const { cache, reportMissedChanges, setUpToDate } = createCacheWithStubFeed();
  reportMissedChanges();
  await cache.waitUntilCurrent();
  setUpToDate(false);
  assert.equal(cache.isCurrent(), false);
  await assert.rejects(cache.waitUntilCurrent(), /the feed is down/);
  setUpToDate(true);
  assert.equal(cache.isCurrent(), true);
});
