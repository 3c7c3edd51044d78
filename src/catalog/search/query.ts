import { joinNameKey, splitWords } from './fold.ts';

// People type two or three words. The limits bound the cost of a query that a program may send.
const MAX_QUERY_LENGTH = 500;
export const MAX_TERMS = 8;

/** Longer words are truncated in merchants and in queries, so that they still match. */
export const MAX_WORD_LENGTH = 40;

// One wrong letter of three is too many. Words with digits tolerate no typo, because another digit is another number.
const MIN_TYPO_LENGTH = 4;
// A short prefix with a typo would match half the catalog.
const MIN_TYPO_IN_PREFIX_LENGTH = 6;
const DIGIT = /\p{N}/u;

// Nearly every description has a word with a given first letter: one letter would match everything and cost milliseconds.
const MIN_DESCRIPTION_PREFIX_LENGTH = 2;

/** The words that a term matches. Each tolerance includes the previous: the word itself, its prefixes, one typo, prefixes with one typo. */
export type Tolerance = 'exact' | 'prefix' | 'typo' | 'typo-in-prefix';
export type Term = { text: string; titleTolerance: Tolerance; descriptionTolerance: Tolerance };
/** `wordCount` includes repeated words. `nameKeyPrefix` is the beginning of the name key of a merchant with exactly this name. */
export type Query = { terms: Term[]; wordCount: number; nameKeyPrefix: string };

export function parseQuery(q: string): Query {
  const queryWords = splitWords(q.slice(0, MAX_QUERY_LENGTH));
  const terms: Term[] = [];
  for (const word of queryWords) {
    if (terms.length === MAX_TERMS) break;
    const text = word.slice(0, MAX_WORD_LENGTH);
    if (terms.some((term) => term.text === text)) continue;
    terms.push({
      text,
      titleTolerance: chooseTitleTolerance(text),
      descriptionTolerance: text.length >= MIN_DESCRIPTION_PREFIX_LENGTH ? 'prefix' : 'exact',
    });
  }
  return { terms, wordCount: queryWords.length, nameKeyPrefix: joinNameKey(queryWords, '') };
}

function chooseTitleTolerance(text: string): Tolerance {
  if (text.length < MIN_TYPO_LENGTH || DIGIT.test(text)) return 'prefix';
  return text.length < MIN_TYPO_IN_PREFIX_LENGTH ? 'typo' : 'typo-in-prefix';
}
