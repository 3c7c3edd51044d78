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
    trusted: () => isTrusted,
    whenTrusted: () => (isTrusted ? Promise.resolve() : Promise.reject(new Error('away'))),
  };
  const applied: Changes[] = [];
  const failures: unknown[] = [];
  let gate = Promise.resolve();
  const cache = new SyncedCache({
    changeFeed: feed as unknown as ChangeFeed,
    topic: 'test',
    apply: async (changes) => {
      await gate;
      if (fail(changes)) throw new Error('the database is away');
      applied.push(changes);
    },
    onFailure: (error) => failures.push(error),
  });
  return {
    cache,
    applied,
    failures,
    hear: (change: string) => listener!.hear(change),
    catchUp: () => listener!.catchUp(),
    trust: (whether: boolean) => {
      isTrusted = whether;
    },
    /** From now on applying waits until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

test('nobody may read before everything was read once, nor between a change and its being applied', async () => {
  const { cache, applied, hear, catchUp, hold } = openCache();
  assert.equal(cache.current(), false);
  catchUp();
  await cache.whenCurrent();
  assert.equal(cache.current(), true);
  const release = hold();
  hear('a');
  assert.equal(cache.current(), false);
  const waiting = cache.whenCurrent();
  release();
  await waiting;
  assert.equal(cache.current(), true);
  assert.deepEqual(applied, ['everything', ['a']]);
});

test('what is heard while changes are applied is applied next, in order, before anybody reads', async () => {
  const { cache, applied, hear, catchUp, hold } = openCache();
  catchUp();
  await cache.whenCurrent();
  const release = hold();
  hear('a');
  await new Promise(setImmediate);
  for (const change of ['b', 'c']) hear(change);
  release();
  await cache.whenCurrent();
  assert.deepEqual(applied, ['everything', ['a'], ['b', 'c']]);
});

test('changes that could not be applied are given again together with what was heard since', async () => {
  let failing = false;
  const { cache, applied, failures, hear, catchUp, hold } = openCache(() => failing);
  catchUp();
  await cache.whenCurrent();
  failing = true;
  const release = hold();
  hear('a');
  await new Promise(setImmediate);
  hear('b');
  release();
  await eventually('it has failed', async () => failures.length > 0);
  assert.equal(cache.current(), false);
  failing = false;
  await cache.whenCurrent();
  assert.deepEqual(applied, ['everything', ['a', 'b']]);
});

test('a cut while changes cannot be applied: everything is read again, whatever was heard before', async () => {
  let failing = false;
  const { cache, applied, failures, hear, catchUp, hold } = openCache(() => failing);
  catchUp();
  await cache.whenCurrent();
  failing = true;
  const release = hold();
  hear('a');
  await new Promise(setImmediate);
  catchUp();
  release();
  await eventually('it has failed', async () => failures.length > 0);
  failing = false;
  await cache.whenCurrent();
  assert.equal(applied.at(-1), 'everything');
});

test('it is tried again by itself, without anybody asking', async () => {
  let failures = 2;
  const { cache, applied, catchUp } = openCache(() => failures-- > 0);
  catchUp();
  await eventually('it is current', async () => cache.current());
  assert.deepEqual(applied, ['everything']);
});

test('while the feed is not trusted the cache is not read, and waiting requests fail', async () => {
  const { cache, catchUp, trust } = openCache();
  catchUp();
  await cache.whenCurrent();
  trust(false);
  assert.equal(cache.current(), false);
  await assert.rejects(cache.whenCurrent(), /away/);
  trust(true);
  assert.equal(cache.current(), true);
});
