import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CATEGORY,
  computePenalty,
  EXACT,
  FIELD_BITS,
  isWithinName,
  MATCH_TALLIES,
  NAME_REST,
  NAME_START,
  PREFIX,
  TYPO,
} from './scoring.ts';

function computeTally(quality: number, field: number): number {
  return MATCH_TALLIES[(quality << FIELD_BITS) | field]!;
}

test('the penalties match the table in the documentation of scoring.ts', () => {
  assert.equal(computePenalty(computeTally(EXACT, NAME_START), 2), 2);
  assert.equal(computePenalty(computeTally(EXACT, NAME_REST), 2), 18);
  assert.equal(computePenalty(computeTally(EXACT, CATEGORY), 2), 35);
  assert.equal(computePenalty(computeTally(PREFIX, NAME_START), 2), 1026);
  assert.equal(computePenalty(computeTally(TYPO, NAME_START), 1), 2049);
});

test('a name can equal the query only if all terms are words of the name', () => {
  const inName = computeTally(EXACT, NAME_START) + computeTally(EXACT, NAME_REST);
  assert.ok(isWithinName(inName, 2));
  assert.ok(!isWithinName(inName + computeTally(EXACT, CATEGORY), 3));
  assert.ok(!isWithinName(computeTally(EXACT, NAME_START) + computeTally(PREFIX, NAME_REST), 2));
});
