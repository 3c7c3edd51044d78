import { nameKeyOfWords, words } from './fold.ts';

// A person types two or three words; the bounds keep what a machine may send from costing more.
const MAX_QUERY_LENGTH = 500;
export const MAX_TERMS = 8;

/** Longer words are cut, in merchants and in queries alike, so that they still find each other. */
export const MAX_WORD_LENGTH = 40;

// In three letters one is too much of the word, and a number with another digit is another number.
const MIN_TYPO_LENGTH = 4;
const DIGIT = /\p{N}/u;

export type Term = { text: string; typoAllowed: boolean };
/** `wordCount` counts what was typed, repeated words and all; `nameKeyPrefix` is how the key of such a name begins. */
export type Query = { terms: Term[]; wordCount: number; nameKeyPrefix: string };

export function parseQuery(q: string): Query {
  const typed = words(q.slice(0, MAX_QUERY_LENGTH));
  const texts = new Set<string>();
  for (const word of typed) {
    if (texts.size === MAX_TERMS) break;
    texts.add(word.slice(0, MAX_WORD_LENGTH));
  }
  const terms = Array.from(texts, (text) => ({
    text,
    typoAllowed: text.length >= MIN_TYPO_LENGTH && !DIGIT.test(text),
  }));
  return { terms, wordCount: typed.length, nameKeyPrefix: nameKeyOfWords(typed, '') };
}
