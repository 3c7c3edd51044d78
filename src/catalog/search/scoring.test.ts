import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areAllTermsNameWords,
  CATEGORY,
  computePenalty,
  EXACT,
  FIELD_BITS,
  MATCH_TALLIES,
  NAME_FIRST_WORD,
  NAME_OTHER_WORD,
  PREFIX,
  TYPO,
} from './scoring.ts';

function computeTally(quality: number, field: number): number {
  return MATCH_TALLIES[(quality << FIELD_BITS) | field]!;
}

test('the penalties match the table in the documentation of scoring.ts', () => {
  assert.equal(computePenalty(computeTally(EXACT, NAME_FIRST_WORD), 2), 2);
  assert.equal(computePenalty(computeTally(EXACT, NAME_OTHER_WORD), 2), 18);
  assert.equal(computePenalty(computeTally(EXACT, CATEGORY), 2), 35);
  assert.equal(computePenalty(computeTally(PREFIX, NAME_FIRST_WORD), 2), 1026);
  assert.equal(computePenalty(computeTally(TYPO, NAME_FIRST_WORD), 1), 2049);
});

test('a name can equal the query only if all terms are words of the name', () => {
  const inName = computeTally(EXACT, NAME_FIRST_WORD) + computeTally(EXACT, NAME_OTHER_WORD);
  assert.ok(areAllTermsNameWords(inName, 2));
  assert.ok(!areAllTermsNameWords(inName + computeTally(EXACT, CATEGORY), 3));
  assert.ok(
    !areAllTermsNameWords(computeTally(EXACT, NAME_FIRST_WORD) + computeTally(PREFIX, NAME_OTHER_WORD), 2),
  );
});
