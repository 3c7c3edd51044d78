import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitConcurrency, waitForAllOrThrow } from './concurrency.ts';

test('at most the given number of tasks run concurrently, in order, even after a failure', async () => {
  const inTurn = limitConcurrency(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const works = ends.map(({ promise }, i) =>
    inTurn(() => {
      begun.push(i);
      return promise;
    }),
  );
  const tried = waitForAllOrThrow(works);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  assert.deepEqual(begun, [0, 1]);
  ends[1]!.reject(new Error('the second'));
  await settle();
  assert.deepEqual(begun, [0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await assert.rejects(tried, /the second/);
  assert.deepEqual(begun, [0, 1, 2, 3, 4], 'the others were tried all the same');
});
