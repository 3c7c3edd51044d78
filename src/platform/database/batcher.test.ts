import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as waitForImmediate } from 'node:timers/promises';
import { Batcher, createBatchRunner } from './batcher.ts';
import { DatabaseUnavailable } from './db.ts';

test('a single item does not wait; items that arrive meanwhile share a batch, up to the limit', async () => {
  const batches: number[][] = [];
  const batchFinishers: Array<() => void> = [];
  const batcher = new Batcher<number, number>({ concurrency: 1, maxItems: 3 }, async (batch) => {
    batches.push(batch.map(({ item }) => item));
    await new Promise<void>((finish) => batchFinishers.push(finish));
    for (const { item, resolve } of batch) resolve(10 * item);
  });
  const firstResult = batcher.add(1);
  await waitForImmediate();
  const otherResults = [2, 3, 4, 5].map((number) => batcher.add(number));
  await waitForImmediate();
  assert.deepEqual(batches, [[1]]);
  while (batchFinishers.length > 0) {
    batchFinishers.pop()!();
    await waitForImmediate();
  }
  assert.deepEqual(await Promise.all([firstResult, ...otherResults]), [10, 20, 30, 40, 50]);
  assert.deepEqual(batches, [[1], [2, 3, 4], [5]]);
});

test('an error rejects the unresolved items and does not block the next batch', async () => {
  const batcher = new Batcher<string, string>({ concurrency: 1, maxItems: 2 }, async (batch) => {
    for (const { item, resolve } of batch) {
      if (item === 'bad') throw new Error('no');
      resolve(item);
    }
  });
  const outcomes = await Promise.allSettled(['good', 'bad', 'next'].map((item) => batcher.add(item)));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('if the database is unavailable, waiting items fail with the same error, and later items run', async () => {
  let isUnavailable = true;
  const batcher = new Batcher<number, number>({ concurrency: 1, maxItems: 1 }, async ([batchItem]) => {
    await waitForImmediate();
    if (isUnavailable) throw new DatabaseUnavailable('It is unavailable.');
    batchItem!.resolve(batchItem!.item);
  });
  const pendingOutcomes = Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
  await waitForImmediate();
  await waitForImmediate();
  isUnavailable = false;
  assert.deepEqual(
    (await pendingOutcomes).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(await batcher.add(4), 4);
});

test('with createBatchRunner, an item that fails does not fail the others', async () => {
  const batches: string[][] = [];
  const batcher = new Batcher<string, string>(
    { concurrency: 1, maxItems: 3 },
    createBatchRunner(async (items) => {
      batches.push([...items]);
      if (items.includes('bad')) throw new Error('no');
      return items.map((item) => item.toUpperCase());
    }),
  );
  const outcomes = await Promise.allSettled(['good', 'bad', 'fine', 'next'].map((item) => batcher.add(item)));
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.status)),
    ['GOOD', 'rejected', 'FINE', 'NEXT'],
  );
  assert.deepEqual(batches, [['good', 'bad', 'fine'], ['good'], ['bad'], ['fine'], ['next']]);
});

test('lighter items form larger batches; an item that exceeds the maximum weight runs alone', async () => {
  const batches: number[][] = [];
  const size = { concurrency: 1, maxItems: 2, weightOf: (item: number) => item };
  const batcher = new Batcher<number, number>(size, async (batch) => {
    batches.push(batch.map(({ item }) => item));
    for (const { item, resolve } of batch) resolve(item);
  });
  const items = [0.5, 0.5, 0.5, 0.5, 1, 1, 0.5, 3, 0.5];
  assert.deepEqual(await Promise.all(items.map((item) => batcher.add(item))), items);
  assert.deepEqual(batches, [[0.5, 0.5, 0.5, 0.5], [1, 1], [0.5], [3], [0.5]]);
});
