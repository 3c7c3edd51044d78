import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitConcurrency, waitForAllOrThrow } from './concurrency.ts';

test('at most the given number of tasks run concurrently, in order, even after a failure', async () => {
  const runLimited = limitConcurrency(2);
  const started: number[] = [];
  const taskEndings = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const taskPromises = taskEndings.map(({ promise }, i) =>
    runLimited(() => {
      started.push(i);
      return promise;
    }),
  );
  const allResults = waitForAllOrThrow(taskPromises);
  const waitForImmediate = () => new Promise((resolve) => setImmediate(resolve));
  await waitForImmediate();
  assert.deepEqual(started, [0, 1]);
  taskEndings[1]!.reject(new Error('the second'));
  await waitForImmediate();
  assert.deepEqual(started, [0, 1, 2]);
  for (const { resolve } of taskEndings) resolve();
  await assert.rejects(allResults, /the second/);
  assert.deepEqual(started, [0, 1, 2, 3, 4], 'the other tasks were started, too');
});
