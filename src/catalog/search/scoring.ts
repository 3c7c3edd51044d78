/**
 * The ranking of search results. For every term of a query, the merchant's best matching word is scored by quality and
 * then by field:
 *
 *     quality   0 exact word   1 start of a word   2 word with a typo   3 start of a word with a typo
 *     field     0 first word of the name   1 other word of the name   2 category   3 city, state   4 description
 *
 * A merchant's penalty is one integer; lower penalties rank first. Penalties compare, in this order:
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
 *                          Pão Quente, category Padaria      35   exact, category
 *                          Padarias Unidas                 1026   start of a word
 *     query `padria`       Padaria                         2049   word with a typo
 */

export const EXACT = 0;
export const PREFIX = 1;
export const TYPO = 2;
export const TYPO_IN_PREFIX = 3;

export const NAME_FIRST_WORD = 0;
export const NAME_OTHER_WORD = 1;
export const CATEGORY = 2;
export const PLACE = 3;
export const DESCRIPTION = 4;

/** A term's match is one small integer, lower is better: quality in the high bits, field in the low three. */
export const FIELD_BITS = 3;
export const FIELD_MASK = (1 << FIELD_BITS) - 1;
/** All bits of a match. It is larger than every match, because the five fields do not use the highest number of their three bits. */
export const MATCH_MASK = (TYPO_IN_PREFIX << FIELD_BITS) | FIELD_MASK;

// A tally is the sum of the matches of a merchant's terms: their qualities, their fields, and the number of terms matched in the name.
// Bit widths for eight terms: the sum of fields is at most 32 (6 bits), the number of terms matched in the name at most 8 (4 bits).
const NAME_MATCH_COUNT_MASK = 15;
const MAX_UNMATCHED_WORDS = 15;
const FIELD_SUM_SHIFT = 4;
const QUALITY_SUM_SHIFT = 10;

/** The amount that each match adds to the tally of a merchant. It is a lookup table, because it is read for every merchant and term. */
export const MATCH_TALLIES = new Int32Array(MATCH_MASK + 1).map((_, match) => {
  const quality = match >> FIELD_BITS;
  const field = match & FIELD_MASK;
  const nameMatchCount = field <= NAME_OTHER_WORD ? 1 : 0;
  return (quality << QUALITY_SUM_SHIFT) + (field << FIELD_SUM_SHIFT) + nameMatchCount;
});

/**
 * The class of a tally is its high part: the sums of qualities and of fields. Merchants of a better class always rank before those of a
 * worse one, so classes that cannot be on the requested page are skipped. A term adds at most `MAX_CLASS_PER_TERM` to the class.
 */
export const CLASS_SHIFT = FIELD_SUM_SHIFT;
export const MAX_CLASS_PER_TERM = MATCH_TALLIES[(TYPO_IN_PREFIX << FIELD_BITS) | DESCRIPTION]! >> CLASS_SHIFT;

/** The penalty of a merchant whose name equals the query, word for word. */
export const WHOLE_NAME_PENALTY = 0;

export function computePenalty(tally: number, nameWordCount: number): number {
  const unmatchedWords = Math.min(
    MAX_UNMATCHED_WORDS,
    Math.max(0, nameWordCount - (tally & NAME_MATCH_COUNT_MASK)),
  );
  return (tally & ~NAME_MATCH_COUNT_MASK) + unmatchedWords + 1;
}

/** Whether every term exactly matches a word of the name. Only then can the query equal the name. */
export function areAllTermsNameWords(tally: number, termCount: number): boolean {
  return tally >> QUALITY_SUM_SHIFT === 0 && (tally & NAME_MATCH_COUNT_MASK) === termCount;
}
