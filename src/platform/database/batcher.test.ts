import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { Batcher, resolveEach } from './batcher.ts';
import { DatabaseUnavailable } from './db.ts';

test('a single item does not wait; items that arrive meanwhile share a batch, up to the limit', async () => {
  const batches: number[][] = [];
  const gates: Array<() => void> = [];
  const line = new Batcher<number, number>({ concurrency: 1, maxItems: 3 }, async (batch) => {
    batches.push(batch.map(({ item }) => item));
    await new Promise<void>((open) => gates.push(open));
    for (const { item, resolve } of batch) resolve(10 * item);
  });
  const first = line.add(1);
  await soon();
  const others = [2, 3, 4, 5].map((item) => line.add(item));
  await soon();
  assert.deepEqual(batches, [[1]]);
  while (gates.length > 0) {
    gates.pop()!();
    await soon();
  }
  assert.deepEqual(await Promise.all([first, ...others]), [10, 20, 30, 40, 50]);
  assert.deepEqual(batches, [[1], [2, 3, 4], [5]]);
});

test('an error rejects the unresolved items and does not block the next batch', async () => {
  const line = new Batcher<string, string>({ concurrency: 1, maxItems: 2 }, async (batch) => {
    for (const { item, resolve } of batch) {
      if (item === 'bad') throw new Error('no');
      resolve(item);
    }
  });
  const told = await Promise.allSettled(['good', 'bad', 'next'].map((item) => line.add(item)));
  assert.deepEqual(
    told.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('if the database is unavailable, waiting items fail with the same error, and later items run', async () => {
  let isUnavailable = true;
  const line = new Batcher<number, number>({ concurrency: 1, maxItems: 1 }, async ([one]) => {
    await soon();
    if (isUnavailable) throw new DatabaseUnavailable('It is unavailable.');
    one!.resolve(one!.item);
  });
  const waiting = Promise.allSettled([1, 2, 3].map((item) => line.add(item)));
  await soon();
  await soon();
  isUnavailable = false;
  assert.deepEqual(
    (await waiting).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(await line.add(4), 4);
});

test('with resolveEach, an item that fails does not fail the others', async () => {
  const batches: string[][] = [];
  const line = new Batcher<string, string>(
    { concurrency: 1, maxItems: 3 },
    resolveEach(async (items) => {
      batches.push([...items]);
      if (items.includes('bad')) throw new Error('no');
      return items.map((item) => item.toUpperCase());
    }),
  );
  const told = await Promise.allSettled(['good', 'bad', 'fine', 'next'].map((item) => line.add(item)));
  assert.deepEqual(
    told.map((one) => (one.status === 'fulfilled' ? one.value : one.status)),
    ['GOOD', 'rejected', 'FINE', 'NEXT'],
  );
  assert.deepEqual(batches, [['good', 'bad', 'fine'], ['good'], ['bad'], ['fine'], ['next']]);
});

test('lighter items make larger batches; an item that weighs too much runs alone', async () => {
  const batches: number[][] = [];
  const size = { concurrency: 1, maxItems: 2, weightOf: (item: number) => item };
  const line = new Batcher<number, number>(size, async (batch) => {
    batches.push(batch.map(({ item }) => item));
    for (const { item, resolve } of batch) resolve(item);
  });
  const items = [0.5, 0.5, 0.5, 0.5, 1, 1, 0.5, 3, 0.5];
  assert.deepEqual(await Promise.all(items.map((item) => line.add(item))), items);
  assert.deepEqual(batches, [[0.5, 0.5, 0.5, 0.5], [1, 1], [0.5], [3], [0.5]]);
});
