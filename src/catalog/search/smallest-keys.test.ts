import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SmallestKeys } from './ranking.ts';

test('SmallestKeys: any page equals the same page of all keys sorted', () => {
  const smallest = new SmallestKeys();
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(5000), { maxLength: 1000, size: 'max' }),
      fc.nat(150),
      fc.integer({ min: 1, max: 150 }),
      (keys, offset, limit) => {
        smallest.reset(offset + limit);
        for (const key of keys) if (key < smallest.bound) smallest.add(key);
        const expected = keys.toSorted((a, b) => a - b).slice(offset, offset + limit);
        assert.deepEqual([...smallest.listSorted(offset)], expected);
      },
    ),
  );
});

test('SmallestKeys: keys in descending order are all considered', () => {
  const smallest = new SmallestKeys();
  smallest.reset(3);
  for (let key = 10_000; key > 0; key--) if (key < smallest.bound) smallest.add(key);
  assert.deepEqual([...smallest.listSorted(0)], [1, 2, 3]);
});
