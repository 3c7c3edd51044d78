import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { answerAll, Batches } from './batches.ts';
import { DatabaseAway } from './db.ts';

test('a single item does not wait; items that arrive meanwhile share a batch, up to the limit', async () => {
  const batches: number[][] = [];
  const gates: Array<() => void> = [];
  const line = new Batches<number, number>({ atOnce: 1, most: 3 }, async (batch) => {
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

test('an error rejects the items that are not resolved yet, and does not block the next batch', async () => {
  const line = new Batches<string, string>({ atOnce: 1, most: 2 }, async (batch) => {
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

test('when the database is away waiting items fail with it, and later items run', async () => {
  let isAway = true;
  const line = new Batches<number, number>({ atOnce: 1, most: 1 }, async ([one]) => {
    await soon();
    if (isAway) throw new DatabaseAway('It is away.');
    one!.resolve(one!.item);
  });
  const waiting = Promise.allSettled([1, 2, 3].map((item) => line.add(item)));
  await soon();
  await soon();
  isAway = false;
  assert.deepEqual(
    (await waiting).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(await line.add(4), 4);
});

test('where all are answered at once, one that fails fails alone', async () => {
  const batches: string[][] = [];
  const line = new Batches<string, string>(
    { atOnce: 1, most: 3 },
    answerAll(async (items) => {
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

test('items that weigh less make larger batches; one that weighs too much goes alone', async () => {
  const batches: number[][] = [];
  const size = { atOnce: 1, most: 2, weigh: (item: number) => item };
  const line = new Batches<number, number>(size, async (batch) => {
    batches.push(batch.map(({ item }) => item));
    for (const { item, resolve } of batch) resolve(item);
  });
  const items = [0.5, 0.5, 0.5, 0.5, 1, 1, 0.5, 3, 0.5];
  assert.deepEqual(await Promise.all(items.map((item) => line.add(item))), items);
  assert.deepEqual(batches, [[0.5, 0.5, 0.5, 0.5], [1, 1], [0.5], [3], [0.5]]);
});
