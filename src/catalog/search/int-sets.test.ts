import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IntSets } from './int-sets.ts';

test('IntSets: each set has the values that were added and not removed, in ascending order', () => {
  const set = fc.nat(4);
  const change = fc.oneof(
    { weight: 6, arbitrary: fc.record({ method: fc.constant('add' as const), set, value: fc.nat(30) }) },
    { weight: 4, arbitrary: fc.record({ method: fc.constant('remove' as const), set, value: fc.nat(30) }) },
    {
      weight: 1,
      arbitrary: fc.record({ method: fc.constant('clear' as const), set, value: fc.constant(0) }),
    },
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      const sets = new IntSets();
      const expected = Array.from({ length: 5 }, () => new Set<number>());
      for (const { method, set, value } of changes) {
        sets[method](set, value);
        if (method === 'add') expected[set]!.add(value);
        else if (method === 'remove') expected[set]!.delete(value);
        else expected[set]!.clear();
      }
      for (const [set, members] of expected.entries()) {
        assert.equal(sets.sizeOf(set), members.size);
        assert.deepEqual(
          [...sets.members(set)],
          [...members].sort((a, b) => a - b),
        );
      }
    }),
  );
});

test('IntSets: a set that outgrows a page keeps its members, and so do its neighbours', () => {
  const sets = new IntSets();
  const count = 100_000;
  for (let value = 0; value < count; value++) {
    sets.add(0, value);
    if (value % 1000 === 0) sets.add(1 + value / 1000, value);
  }
  sets.remove(0, 70_000);
  assert.equal(sets.sizeOf(0), count - 1);
  assert.ok(sets.members(0).every((member, i) => member === (i < 70_000 ? i : i + 1)));
  for (let set = 1; set <= count / 1000; set++) assert.deepEqual([...sets.members(set)], [(set - 1) * 1000]);
});

test('IntSets: an unused set is empty', () => {
  const sets = new IntSets();
  assert.equal(sets.sizeOf(1_000_000), 0);
  assert.deepEqual([...sets.members(1_000_000)], []);
  sets.remove(1_000_000, 1);
  sets.clear(1_000_000);
});
