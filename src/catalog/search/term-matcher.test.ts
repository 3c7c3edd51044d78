import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Tolerance } from './query.ts';
import { QUALITY_BITS, QUALITY_MASK, TermMatcher, type WordMatches } from './term-matcher.ts';
import { WordNumbers, WordTrie } from './word-trie.ts';

const EXACT = 0;
const PREFIX = 1;
const TYPO = 2;
const TYPO_IN_PREFIX = 3;

/** Returns the quality of each matching word, by the number of the word. */
function matchQualities(matcher: TermMatcher, term: string, tolerance: Tolerance): Map<number, number> {
  const matches: WordMatches = { entries: new Int32Array(1), count: 0 };
  matcher.match(term, tolerance, matches);
  const entries = [...matches.entries.subarray(0, matches.count)];
  const qualities = new Map(entries.map((entry) => [entry >> QUALITY_BITS, entry & QUALITY_MASK]));
  assert.equal(qualities.size, matches.count, 'a word is found once');
  return qualities;
}

function matchSingleWord(word: string, term: string): number | undefined {
  const trie = new WordTrie(new WordNumbers());
  const number = trie.add(word);
  return matchQualities(new TermMatcher(trie), term, 'typo-in-prefix').get(number);
}

/** Returns every string one edit away: deletions, insertions, substitutions, adjacent transpositions. */
function listTypos(text: string, letters: string): Set<string> {
  const typos = new Set<string>();
  for (let i = 0; i <= text.length; i++) {
    const textBefore = text.slice(0, i);
    const textAfter = text.slice(i);
    if (textAfter.length > 0) typos.add(textBefore + textAfter.slice(1));
    if (textAfter.length > 1) typos.add(textBefore + textAfter[1] + textAfter[0] + textAfter.slice(2));
    for (const letter of letters) {
      typos.add(textBefore + letter + textAfter);
      if (textAfter.length > 0) typos.add(textBefore + letter + textAfter.slice(1));
    }
  }
  typos.delete(text);
  return typos;
}

function computeExpectedQuality(word: string, term: string, letters: string): number | undefined {
  if (word === term) return EXACT;
  if (word.startsWith(term)) return PREFIX;
  const typos = listTypos(term, letters);
  if (typos.has(word)) return TYPO;
  for (let length = 0; length < word.length; length++) {
    if (typos.has(word.slice(0, length))) return TYPO_IN_PREFIX;
  }
  return undefined;
}

test('a term matches the same word, words with this prefix, and both with one typo', () => {
  assert.equal(matchSingleWord('padaria', 'padaria'), EXACT);
  assert.equal(matchSingleWord('padaria', 'pad'), PREFIX);
  for (const typo of [
    'padria',
    'padaira',
    'adaria',
    'apdaria',
    'xadaria',
    'padariaa',
    'padaaria',
    'padarie',
  ]) {
    assert.equal(matchSingleWord('padaria', typo), TYPO, typo);
  }
  assert.equal(matchSingleWord('farmacia', 'farmai'), TYPO_IN_PREFIX);
  assert.equal(matchSingleWord('padaria', 'pdra'), undefined);
});

test('every typo of one edit finds the word', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  for (const word of ['casa', 'farmacia', 'aaaa', 'assessor']) {
    for (const typo of listTypos(word, letters)) assert.ok(matchSingleWord(word, typo) !== undefined, typo);
  }
});

test('the matches and their qualities equal a comparison of the term with every word', () => {
  const letters = 'abc1ж';
  const text = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), fc.array(text, { maxLength: 10 }), (vocabulary, terms) => {
      const trie = new WordTrie(new WordNumbers());
      const matcher = new TermMatcher(trie);
      const words = new Set(vocabulary);
      const numbers = new Map(Array.from(words, (word) => [word, trie.add(word)]));
      for (const term of terms) {
        const withTypo = matchQualities(matcher, term, 'typo-in-prefix');
        const withPrefix = matchQualities(matcher, term, 'prefix');
        const exactOnly = matchQualities(matcher, term, 'exact');
        for (const word of words) {
          const expected = computeExpectedQuality(word, term, letters);
          const limitTo = (worstQuality: number) =>
            expected !== undefined && expected <= worstQuality ? expected : undefined;
          const number = numbers.get(word)!;
          assert.equal(withTypo.get(number), expected, `${term} in ${word}`);
          assert.equal(withPrefix.get(number), limitTo(PREFIX), `${term} in ${word}`);
          assert.equal(exactOnly.get(number), limitTo(EXACT), `${term} in ${word}`);
        }
      }
    }),
  );
});

test('adding and removing words does not grow the trie', () => {
  const numbers = new WordNumbers();
  const trie = new WordTrie(numbers);
  const padaria = trie.add('padaria');
  const matcher = new TermMatcher(trie);
  const addAndRemove = () => {
    for (const word of ['pad', 'padarias', 'zebra', 'ж'].map((text) => trie.add(text))) trie.remove(word);
  };
  addAndRemove();
  const { nodesEnd } = trie;
  for (let i = 0; i < 100; i++) addAndRemove();
  assert.equal(trie.nodesEnd, nodesEnd);
  assert.equal(numbers.usedCount, 1);
  assert.deepEqual([...matchQualities(matcher, 'pad', 'prefix')], [[padaria, PREFIX]]);
  assert.equal(matchQualities(matcher, 'zebra', 'typo').size, 0);
});
