import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/harness.ts';
import type { ChangeFeed } from './change-feed.ts';
import { type Changes, SyncedCache } from './synced-cache.ts';

/** A feed controlled by the test; the real one is tested in change-feed.test.ts. */
function openCache(fail: (changes: Changes) => boolean = () => false) {
  let listener: Parameters<ChangeFeed['listen']>[0] | undefined;
  let isTrusted = true;
  const feed = {
    listen: (one: NonNullable<typeof listener>) => {
      listener = one;
    },
    isTrusted: () => isTrusted,
    waitUntilTrusted: () => (isTrusted ? Promise.resolve() : Promise.reject(new Error('away'))),
  };
  const applied: Changes[] = [];
  const failures: unknown[] = [];
  let gate = Promise.resolve();
  const cache = new SyncedCache({
    changeFeed: feed as unknown as ChangeFeed,
    topic: 'test',
    apply: async (changes) => {
      await gate;
      if (fail(changes)) throw new Error('the database is unavailable');
      applied.push(changes);
    },
    onFailure: (error) => failures.push(error),
  });
  return {
    cache,
    applied,
    failures,
    hear: (change: string) => listener!.onChange(change),
    catchUp: () => listener!.onMissedChanges(),
    trust: (whether: boolean) => {
      isTrusted = whether;
    },
    /** Blocks the applying of changes until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

test('the cache is not current before the first load, nor between a change and its application', async () => {
  const { cache, applied, hear, catchUp, hold } = openCache();
  assert.equal(cache.isCurrent(), false);
  catchUp();
  await cache.waitUntilCurrent();
  assert.equal(cache.isCurrent(), true);
  const release = hold();
  hear('a');
  assert.equal(cache.isCurrent(), false);
  const waiting = cache.waitUntilCurrent();
  release();
  await waiting;
  assert.equal(cache.isCurrent(), true);
  assert.deepEqual(applied, ['everything', ['a']]);
});

test('changes that arrive while others are applied are applied next, in order, before any read', async () => {
  const { cache, applied, hear, catchUp, hold } = openCache();
  catchUp();
  await cache.waitUntilCurrent();
  const release = hold();
  hear('a');
  await new Promise(setImmediate);
  for (const change of ['b', 'c']) hear(change);
  release();
  await cache.waitUntilCurrent();
  assert.deepEqual(applied, ['everything', ['a'], ['b', 'c']]);
});

test('changes that could not be applied are retried together with later ones', async () => {
  let failing = false;
  const { cache, applied, failures, hear, catchUp, hold } = openCache(() => failing);
  catchUp();
  await cache.waitUntilCurrent();
  failing = true;
  const release = hold();
  hear('a');
  await new Promise(setImmediate);
  hear('b');
  release();
  await eventually('it has failed', async () => failures.length > 0);
  assert.equal(cache.isCurrent(), false);
  failing = false;
  await cache.waitUntilCurrent();
  assert.deepEqual(applied, ['everything', ['a', 'b']]);
});

test('after missed changes everything is loaded again, whatever was pending before', async () => {
  let failing = false;
  const { cache, applied, failures, hear, catchUp, hold } = openCache(() => failing);
  catchUp();
  await cache.waitUntilCurrent();
  failing = true;
  const release = hold();
  hear('a');
  await new Promise(setImmediate);
  catchUp();
  release();
  await eventually('it has failed', async () => failures.length > 0);
  failing = false;
  await cache.waitUntilCurrent();
  assert.equal(applied.at(-1), 'everything');
});

test('a failed application is retried automatically, without a request', async () => {
  let failures = 2;
  const { cache, applied, catchUp } = openCache(() => failures-- > 0);
  catchUp();
  await eventually('it is current', async () => cache.isCurrent());
  assert.deepEqual(applied, ['everything']);
});

test('while the feed is not trusted the cache is not read, and waiting requests fail', async () => {
  const { cache, catchUp, trust } = openCache();
  catchUp();
  await cache.waitUntilCurrent();
  trust(false);
  assert.equal(cache.isCurrent(), false);
  await assert.rejects(cache.waitUntilCurrent(), /away/);
  trust(true);
  assert.equal(cache.isCurrent(), true);
});
