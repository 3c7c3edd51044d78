import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { project } from './project.ts';

const Thing = Type.Object({
  id: Type.String(),
  amount: Type.Number(),
  at: Type.String(),
  ended_at: Type.Union([Type.String(), Type.Null()]),
  merchant: Type.String(),
});

test('a row is projected to its schema: timestamps as text, centavos in reais, and no other fields', () => {
  const instant = new Date('2026-03-01T12:00:00.123Z');
  const row = {
    id: 'a',
    amount_cents: -1_05,
    at: instant,
    ended_at: null,
    secret: 'hidden',
    merchant_slug: 'padaria',
  };
  const projection = project(Thing, row);
  assert.deepEqual(projection, { id: 'a', amount: -1.05, at: '2026-03-01T12:00:00.123Z', ended_at: null });
  // @ts-expect-error the row has no column of this name
  assert.equal(projection.merchant, undefined);
});
