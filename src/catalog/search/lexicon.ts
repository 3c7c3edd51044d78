import { ensureLength, IntSets } from './int-sets.ts';
import type { Term } from './query.ts';
import { DESCRIPTION, FIELD_BITS } from './scoring.ts';
import { QUALITY_MASK, TermMatcher, WORD_SHIFT, type WordMatches } from './term-matcher.ts';
import { WordNumbers, WordTrie } from './word-trie.ts';

/**
 * The words of all merchants with their postings. A posting `slot << FIELD_BITS | field` is a merchant that has the word.
 * Words of descriptions and words of titles (name, category, city, state) are in separate tries, because typos are tolerated
 * only in titles. Word numbers and postings are shared. A word without postings is removed.
 */
export class Lexicon {
  readonly #numbers = new WordNumbers();
  readonly #titles = new WordTrie(this.#numbers);
  readonly #descriptions = new WordTrie(this.#numbers);
  readonly #titleMatcher = new TermMatcher(this.#titles);
  readonly #descriptionMatcher = new TermMatcher(this.#descriptions);
  readonly postings = new IntSets();
  #qualityMarks = new Uint8Array(64);

  get wordCount(): number {
    return this.#numbers.usedCount;
  }

  /** Adds a word of a merchant's field, and returns the number of the word. */
  add(text: string, slot: number, field: number): number {
    const word = this.#selectTrie(field).add(text);
    this.postings.add(word, (slot << FIELD_BITS) | field);
    return word;
  }

  remove(word: number, slot: number, field: number): void {
    this.postings.remove(word, (slot << FIELD_BITS) | field);
    if (this.postings.sizeOf(word) === 0) this.#selectTrie(field).remove(word);
  }

  match(term: Term, output: WordMatches): void {
    output.count = 0;
    this.#titleMatcher.match(term.text, term.inTitles, output);
    this.#descriptionMatcher.match(term.text, term.inDescriptions, output);
  }

  countPostings(matches: WordMatches): number {
    let postingCount = 0;
    for (let i = 0; i < matches.count; i++) {
      postingCount += this.postings.sizeOf(matches.entries[i]! >>> WORD_SHIFT);
    }
    return postingCount;
  }

  /** Returns for each word 1 + its quality if it is among the matches, else 0. Call `unmark` with the same matches afterwards. */
  mark(matches: WordMatches): Uint8Array {
    this.#qualityMarks = ensureLength(this.#qualityMarks, this.#numbers.end);
    for (let i = 0; i < matches.count; i++) {
      const entry = matches.entries[i]!;
      this.#qualityMarks[entry >>> WORD_SHIFT] = 1 + (entry & QUALITY_MASK);
    }
    return this.#qualityMarks;
  }

  unmark(matches: WordMatches): void {
    for (let i = 0; i < matches.count; i++) this.#qualityMarks[matches.entries[i]! >>> WORD_SHIFT] = 0;
  }

  #selectTrie(field: number): WordTrie {
    return field === DESCRIPTION ? this.#descriptions : this.#titles;
  }
}
