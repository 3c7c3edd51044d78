import { nameKeyOfWords, words } from './fold.ts';

// A person types two or three words; the bounds keep what a machine may send from costing more.
const MAX_QUERY_LENGTH = 500;
export const MAX_TERMS = 8;

/** Longer words are cut, in merchants and in queries alike, so that they still find each other. */
export const MAX_WORD_LENGTH = 40;

// In three letters one is too much of the word, and a number with another digit is another number.
const MIN_TYPO_LENGTH = 4;
// The start of a word with a letter wrong is the start of many words: a short one would find half the catalog.
const MIN_TYPO_IN_PREFIX_LENGTH = 6;
const DIGIT = /\p{N}/u;

// One letter begins a word in nearly every description: as a start of their words it would say nothing about a
// merchant, and cost milliseconds.
const MIN_DESCRIPTION_PREFIX_LENGTH = 2;

/** How far a word may be from a term: not at all, longer, longer or with one typo, longer and with one typo. */
export type Tolerance = 'exact' | 'prefix' | 'typo' | 'typo-in-prefix';
export type Term = { text: string; inTitles: Tolerance; inDescriptions: Tolerance };
/** `wordCount` counts what was typed, repeated words and all; `nameKeyPrefix` is how the key of such a name begins. */
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
