import { ensureLength, IntSets } from './int-sets.ts';
import type { Term } from './query.ts';
import { DESCRIPTION, FIELD_BITS } from './scoring.ts';
import { QUALITY_BITS, QUALITY_MASK, TermMatcher, type WordMatches } from './term-matcher.ts';
import { WordNumbers, WordTrie } from './word-trie.ts';

/**
 * The words of all merchants with their postings. A posting `slot << FIELD_BITS | field` is a field that contains the word, of the
 * merchant in this slot of the index. Words of descriptions and words of titles (name, category, city, state) are in separate
 * tries, because typos are tolerated only in titles. Both tries take word numbers from one sequence, so that a number identifies
 * a word of one trie. A word without postings is removed.
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
    const wordNumber = this.#selectTrie(field).add(text);
    this.postings.add(wordNumber, (slot << FIELD_BITS) | field);
    return wordNumber;
  }

  remove(wordNumber: number, slot: number, field: number): void {
    this.postings.remove(wordNumber, (slot << FIELD_BITS) | field);
    if (this.postings.sizeOf(wordNumber) === 0) this.#selectTrie(field).remove(wordNumber);
  }

  /** Replaces the content of `output`. */
  match(term: Term, output: WordMatches): void {
    output.count = 0;
    this.#titleMatcher.match(term.text, term.titleTolerance, output);
    this.#descriptionMatcher.match(term.text, term.descriptionTolerance, output);
  }

  countPostings(matches: WordMatches): number {
    let postingCount = 0;
    for (let i = 0; i < matches.count; i++) {
      postingCount += this.postings.sizeOf(matches.entries[i]! >>> QUALITY_BITS);
    }
    return postingCount;
  }

  /** Returns an array by word number: 1 + the quality of a word in `matches`, 0 for any other word. Call `unmarkMatches` afterwards. */
  markMatches(matches: WordMatches): Uint8Array {
    this.#qualityMarks = ensureLength(this.#qualityMarks, this.#numbers.end);
    for (let i = 0; i < matches.count; i++) {
      const matchEntry = matches.entries[i]!;
      this.#qualityMarks[matchEntry >>> QUALITY_BITS] = 1 + (matchEntry & QUALITY_MASK);
    }
    return this.#qualityMarks;
  }

  unmarkMatches(matches: WordMatches): void {
    for (let i = 0; i < matches.count; i++) this.#qualityMarks[matches.entries[i]! >>> QUALITY_BITS] = 0;
  }

  #selectTrie(field: number): WordTrie {
    return field === DESCRIPTION ? this.#descriptions : this.#titles;
  }
}
