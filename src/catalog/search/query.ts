import { nameKeyOfWords, words } from './fold.ts';

// People type two or three words; the limits bound the cost of what a program may send.
const MAX_QUERY_LENGTH = 500;
export const MAX_TERMS = 8;

/** Longer words are cut, both in merchants and in queries, so that they still match. */
export const MAX_WORD_LENGTH = 40;

// One wrong letter of three is too much. Words with digits tolerate no typo: another digit is another number.
const MIN_TYPO_LENGTH = 4;
// A short prefix with a typo would match half the catalog.
const MIN_TYPO_IN_PREFIX_LENGTH = 6;
const DIGIT = /\p{N}/u;

// One letter is a prefix of some word in nearly every description: it would match everything and cost milliseconds.
const MIN_DESCRIPTION_PREFIX_LENGTH = 2;

/** What a term matches: the word itself; also words it is a prefix of; also a word with one typo; also a prefix with one typo. */
export type Tolerance = 'exact' | 'prefix' | 'typo' | 'typo-in-prefix';
export type Term = { text: string; inTitles: Tolerance; inDescriptions: Tolerance };
/** `wordCount` includes repeated words; `nameKeyPrefix` is how the `nameKey` of a merchant of this very name begins. */
export type Query = { terms: Term[]; wordCount: number; nameKeyPrefix: string };

export function parseQuery(q: string): Query {
  const typed = words(q.slice(0, MAX_QUERY_LENGTH));
  const terms: Term[] = [];
  for (const word of typed) {
    if (terms.length === MAX_TERMS) break;
    const text = word.slice(0, MAX_WORD_LENGTH);
    if (terms.some((term) => term.text === text)) continue;
    terms.push({
      text,
      inTitles: titleTolerance(text),
      inDescriptions: text.length >= MIN_DESCRIPTION_PREFIX_LENGTH ? 'prefix' : 'exact',
    });
  }
  return { terms, wordCount: typed.length, nameKeyPrefix: nameKeyOfWords(typed, '') };
}

function titleTolerance(text: string): Tolerance {
  if (text.length < MIN_TYPO_LENGTH || DIGIT.test(text)) return 'prefix';
  return text.length < MIN_TYPO_IN_PREFIX_LENGTH ? 'typo' : 'typo-in-prefix';
}
