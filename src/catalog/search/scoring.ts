/**
 * The ranking of search results. For every term of a query, the merchant's best matching word is scored by quality and
 * then by field:
 *
 *     quality   0 exact word   1 start of a word   2 word with a typo   3 start of a word with a typo
 *     field     0 first word of the name   1 other word of the name   2 category   3 city, state   4 description
 *
 * A merchant's penalty is one integer; lower penalties rank first. It compares in this order:
 *
 *     1. a name that equals the query, word for word, has penalty 0
 *     2. the sum of the terms' qualities
 *     3. the sum of the terms' fields
 *     4. the number of unmatched words of the name: its words minus the terms whose best word is in the name (0 to 15)
 *
 * Ties are ordered by name (`buildNameKey`). Description words are never matched with a typo: in running text almost every
 * word is one letter away from another. For the same reason a single letter does not match the start of a description word.
 *
 *     query `padaria`      Padaria                            0   the name equals the query
 *                          Padaria Lua                        2   exact, first word, one unmatched word
 *                          Nova Padaria                      18   exact, other word of the name
 *                          Pão Quente (of Padaria)           35   exact, category
 *                          Padarias Unidas                 1026   start of a word
 *     query `padria`       Padaria                         2049   word with a typo
 */

export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;
export const TYPO_IN_PREFIX = 3;

export const NAME_START = 0;
export const NAME_REST = 1;
export const CATEGORY = 2;
export const PLACE = 3;
export const DESCRIPTION = 4;

/** A term's match is one small integer, lower is better: quality in the high bits, field in the low three. */
export const FIELD_BITS = 3;
export const FIELD_MASK = (1 << FIELD_BITS) - 1;
/** An upper bound of all matches, and the mask of their bits. No match reaches it, because there are fewer fields than bits allow. */
export const WORST_MATCH = (TYPO_IN_PREFIX << FIELD_BITS) | FIELD_MASK;

// Bit widths for eight terms: the sum of fields is at most 32 (6 bits), the number of terms matched in the name at most 8 (4 bits).
const IN_NAME_MASK = 15;
const MAX_UNMATCHED_WORDS = 15;
const FIELD_SUM_SHIFT = 4;
const QUALITY_SUM_SHIFT = 10;

/** The amount that a term's match adds to the merchant's tally. A lookup table, because it is read for every merchant and term. */
export const MATCH_TALLIES = new Int32Array(WORST_MATCH + 1).map((_, match) => {
  const quality = match >> FIELD_BITS;
  const field = match & FIELD_MASK;
  const inName = field <= NAME_REST ? 1 : 0;
  return (quality << QUALITY_SUM_SHIFT) + (field << FIELD_SUM_SHIFT) + inName;
});

/**
 * The class of a tally is its high part: the sums of qualities and of fields. Merchants of a better class always rank before those of a
 * worse one, so classes that cannot reach the page are skipped. A term adds at most `MAX_CLASS_PER_TERM` to the class.
 */
export const CLASS_SHIFT = FIELD_SUM_SHIFT;
export const MAX_CLASS_PER_TERM = MATCH_TALLIES[(TYPO_IN_PREFIX << FIELD_BITS) | DESCRIPTION]! >> CLASS_SHIFT;

/** The penalty of a merchant whose name equals the query, word for word. */
export const WHOLE_NAME_PENALTY = 0;

export function computePenalty(tally: number, nameWordCount: number): number {
  const unmatchedWords = Math.min(MAX_UNMATCHED_WORDS, Math.max(0, nameWordCount - (tally & IN_NAME_MASK)));
  return (tally & ~IN_NAME_MASK) + unmatchedWords + 1;
}

/** Whether every term exactly matches a word of the name. Only then can the query equal the name. */
export function isWithinName(tally: number, termCount: number): boolean {
  return tally >> QUALITY_SUM_SHIFT === 0 && (tally & IN_NAME_MASK) === termCount;
}
