import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CATEGORY,
  EXACT,
  FIELD_BITS,
  isWithinName,
  NAME_REST,
  NAME_START,
  PREFIX,
  penaltyOf,
  TALLY_OF_MATCH,
  TYPO,
} from './closeness.ts';

function tallyOf(quality: number, field: number): number {
  return TALLY_OF_MATCH[(quality << FIELD_BITS) | field]!;
}

test('the penalties are those of the table that explains them', () => {
  assert.equal(penaltyOf(tallyOf(EXACT, NAME_START), 2), 2);
  assert.equal(penaltyOf(tallyOf(EXACT, NAME_REST), 2), 18);
  assert.equal(penaltyOf(tallyOf(EXACT, CATEGORY), 2), 35);
  assert.equal(penaltyOf(tallyOf(PREFIX, NAME_START), 2), 1026);
  assert.equal(penaltyOf(tallyOf(TYPO, NAME_START), 1), 2049);
});

test('a name can only be the query when all terms are words of it', () => {
  const inName = tallyOf(EXACT, NAME_START) + tallyOf(EXACT, NAME_REST);
  assert.ok(isWithinName(inName, 2));
  assert.ok(!isWithinName(inName + tallyOf(EXACT, CATEGORY), 3));
  assert.ok(!isWithinName(tallyOf(EXACT, NAME_START) + tallyOf(PREFIX, NAME_REST), 2));
});
