import { Candidates } from './candidates.ts';
import { joinNameKey, splitWords } from './fold.ts';
import { ensureLength, IntSets } from './int-sets.ts';
import { Lexicon } from './lexicon.ts';
import { NameOrder } from './name-order.ts';
import { MAX_WORD_LENGTH, parseQuery, type Term } from './query.ts';
import { Ranking } from './ranking.ts';
import {
  CATEGORY,
  DESCRIPTION,
  FIELD_BITS,
  FIELD_MASK,
  NAME_FIRST_WORD,
  NAME_OTHER_WORD,
  PLACE,
} from './scoring.ts';
import type { WordMatches } from './term-matcher.ts';

export type SearchDocument = {
  id: number;
  slug: string;
  name: string;
  category: { slug: string; name: string };
  city: string | null;
  state: string | null;
  description: string | null;
};
type SearchOptions = { categorySlug?: string | undefined; offset: number; limit: number };
export type SearchResult = { total: number; ids: number[] };

type TermMatches = WordMatches & { postingCount: number };

// Checking one candidate's words costs as much as scanning this many postings (measured: about 100 ns against 5 ns).
const POSTINGS_PER_CANDIDATE = 20;

/**
 * Searches merchants by words: ignores case and accents, matches prefixes and one typo, best match first. Changes take effect
 * immediately and nothing needs compaction. To load the index, `put` every merchant; this is fastest in order of name.
 *
 * The term with the fewest postings provides the candidates; the other terms filter them.
 */
export class SearchIndex {
  readonly #lexicon = new Lexicon();
  readonly #nameOrder = new NameOrder();
  readonly #candidates = new Candidates();
  readonly #ranking = new Ranking(this.#nameOrder);

  // Each merchant has a slot. The slot of a removed merchant is reused.
  readonly #slotOfId = new Map<number, number>();
  readonly #freeSlots: number[] = [];
  #slotsEnd = 0;
  #idOfSlot = new Float64Array(64);
  #categoryOfSlot = new Int32Array(64);
  /** The words of each merchant as `wordNumber << FIELD_BITS | field`. */
  readonly #wordsOfSlot = new IntSets();
  readonly #numberOfCategory = new Map<string, number>();

  /** The buffers of the terms' matches. They are reused by every search, so that searches allocate little. */
  readonly #termMatches: TermMatches[] = [];

  get size(): number {
    return this.#slotOfId.size;
  }

  /** Distinct words, for metrics and tests. */
  get wordCount(): number {
    return this.#lexicon.wordCount;
  }

  /** Adds or replaces the merchant. */
  put(document: SearchDocument): void {
    this.remove(document.id);
    const slot = this.#takeSlot();
    const nameWords = splitWords(document.name);
    this.#slotOfId.set(document.id, slot);
    this.#idOfSlot[slot] = document.id;
    this.#categoryOfSlot[slot] = this.#numberCategory(document.category.slug);
    this.#nameOrder.add(slot, joinNameKey(nameWords, document.slug));
    this.#ranking.setNameWordCount(slot, nameWords.length);
    for (const [text, field] of mapWordsToFields(nameWords, document)) {
      const wordNumber = this.#lexicon.add(text, slot, field);
      this.#wordsOfSlot.add(slot, (wordNumber << FIELD_BITS) | field);
    }
  }

  remove(id: number): void {
    const slot = this.#slotOfId.get(id);
    if (slot === undefined) return;
    for (const wordAndField of this.#wordsOfSlot.members(slot)) {
      this.#lexicon.remove(wordAndField >>> FIELD_BITS, slot, wordAndField & FIELD_MASK);
    }
    this.#wordsOfSlot.clear(slot);
    this.#nameOrder.remove(slot);
    this.#slotOfId.delete(id);
    this.#freeSlots.push(slot);
  }

  /** Returns the number of merchants that match every term of `q`, and one page of them, best match first. */
  search(q: string, { categorySlug, offset, limit }: SearchOptions): SearchResult {
    const query = parseQuery(q);
    this.#findCandidates(query.terms, categorySlug);
    const total = this.#candidates.count;
    const end = Math.min(offset + limit, total);
    if (offset >= end) return { total, ids: [] };
    const slots = this.#ranking.selectPage(query, this.#candidates, offset, end);
    return { total, ids: slots.map((slot) => this.#idOfSlot[slot]!) };
  }

  #findCandidates(terms: Term[], categorySlug: string | undefined): void {
    const candidates = this.#candidates;
    candidates.reset(this.#slotsEnd);
    const category = categorySlug === undefined ? undefined : this.#numberOfCategory.get(categorySlug);
    if (categorySlug !== undefined && category === undefined) return;
    const [rarestMatches, ...otherMatches] = this.#matchTerms(terms);
    if (rarestMatches === undefined || rarestMatches.postingCount === 0) return;

    candidates.collect(this.#lexicon.postings, rarestMatches);
    if (category !== undefined) candidates.keepCategory(this.#categoryOfSlot, category);
    for (const matches of otherMatches) this.#filterBy(matches);
  }

  /** Returns the matching words of each term, rarest term first. */
  #matchTerms(terms: Term[]): TermMatches[] {
    const matchesByTerm = terms.map((term, i) => {
      this.#termMatches[i] ??= { entries: new Int32Array(64), count: 0, postingCount: 0 };
      const matches = this.#termMatches[i];
      this.#lexicon.match(term, matches);
      matches.postingCount = this.#lexicon.countPostings(matches);
      return matches;
    });
    return matchesByTerm.sort((a, b) => a.postingCount - b.postingCount);
  }

  #filterBy(matches: TermMatches): void {
    if (matches.postingCount <= this.#candidates.count * POSTINGS_PER_CANDIDATE) {
      this.#candidates.filterByPostings(this.#lexicon.postings, matches);
    } else {
      this.#candidates.filterByWords(this.#wordsOfSlot, this.#lexicon.markMatches(matches));
      this.#lexicon.unmarkMatches(matches);
    }
  }

  #takeSlot(): number {
    const slot = this.#freeSlots.pop() ?? this.#slotsEnd++;
    this.#idOfSlot = ensureLength(this.#idOfSlot, slot + 1);
    this.#categoryOfSlot = ensureLength(this.#categoryOfSlot, slot + 1);
    return slot;
  }

  #numberCategory(slug: string): number {
    const existingNumber = this.#numberOfCategory.get(slug);
    if (existingNumber !== undefined) return existingNumber;
    this.#numberOfCategory.set(slug, this.#numberOfCategory.size);
    return this.#numberOfCategory.size - 1;
  }
}

/** Maps every word of the merchant to its best field. */
function mapWordsToFields(nameWords: string[], document: SearchDocument): Map<string, number> {
  const fieldOfWord = new Map<string, number>();
  const addWords = (texts: string[], field: number) => {
    for (const text of texts) {
      const word = text.slice(0, MAX_WORD_LENGTH);
      if (!fieldOfWord.has(word)) fieldOfWord.set(word, field);
    }
  };
  addWords(nameWords.slice(0, 1), NAME_FIRST_WORD);
  addWords(nameWords.slice(1), NAME_OTHER_WORD);
  addWords(splitWords(document.category.name), CATEGORY);
  addWords(splitWords(document.city ?? ''), PLACE);
  addWords(splitWords(document.state ?? ''), PLACE);
  addWords(splitWords(document.description ?? ''), DESCRIPTION);
  return fieldOfWord;
}
