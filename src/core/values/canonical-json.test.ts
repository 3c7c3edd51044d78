import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toCanonicalJson } from './canonical-json.ts';

test('equal values have equal canonical texts, whatever the order of their keys', () => {
  assert.equal(
    toCanonicalJson({ b: [{ z: 1, é: 'ç', a: null }], B: 0.1 }),
    '{"B":0.1,"b":[{"a":null,"z":1,"é":"ç"}]}',
  );
  const reverse = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reverse)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, inner]) => [key, reverse(inner)]),
          )
        : value;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = toCanonicalJson(value);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.equal(toCanonicalJson(reverse(value)), text);
    }),
  );
});
