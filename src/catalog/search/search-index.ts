import { Candidates } from './candidates.ts';
import { CATEGORY, DESCRIPTION, FIELD_BITS, FIELD_MASK, NAME_REST, NAME_START, PLACE } from './closeness.ts';
import { nameKeyOfWords, words } from './fold.ts';
import { grown } from './growable.ts';
import { IntSets } from './int-sets.ts';
import { Lexicon } from './lexicon.ts';
import { NameOrder } from './name-order.ts';
import { MAX_WORD_LENGTH, parseQuery, type Term } from './query.ts';
import { Ranking } from './ranking.ts';
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

// The cost of looking up one candidate's words, in postings scanned (measured: about 100 ns against 5 ns).
const POSTINGS_PER_LOOK_UP = 20;

/**
 * Searches merchants by words: ignores case and accents, matches prefixes and one typo, best match first. Changes take
 * effect at once and nothing needs compaction: postings are removed, and a word without postings leaves the lexicon.
 * Loading is one `put` per merchant, fastest in order of name.
 *
 * The term with the fewest postings gives the candidates; the other terms filter them.
 */
export class SearchIndex {
  readonly #lexicon = new Lexicon();
  readonly #order = new NameOrder();
  readonly #candidates = new Candidates();
  readonly #ranking = new Ranking(this.#order);

  // Each merchant has a slot; the slot of a removed merchant is reused.
  readonly #slotOfId = new Map<number, number>();
  readonly #freeSlots: number[] = [];
  #slotsEnd = 0;
  #idOfSlot = new Float64Array(64);
  #categoryOfSlot = new Int32Array(64);
  /** `word << FIELD_BITS | field`: what to undo when the merchant changes, and what `lookUp` reads. */
  readonly #wordsOfSlot = new IntSets();
  readonly #numberOfCategory = new Map<string, number>();

  readonly #termMatches: TermMatches[] = [];

  get size(): number {
    return this.#slotOfId.size;
  }

  /** Distinct words, for metrics and tests. */
  get wordCount(): number {
    return this.#lexicon.wordCount;
  }

  /** Adds the merchant, or replaces what was known of it. */
  put(document: SearchDocument): void {
    this.remove(document.id);
    const slot = this.#takeSlot();
    const nameWords = words(document.name);
    this.#slotOfId.set(document.id, slot);
    this.#idOfSlot[slot] = document.id;
    this.#categoryOfSlot[slot] = this.#categoryNumber(document.category.slug);
    this.#order.add(slot, nameKeyOfWords(nameWords, document.slug));
    this.#ranking.noteName(slot, nameWords.length);
    for (const [text, field] of bestFieldOfWords(nameWords, document)) {
      const word = this.#lexicon.add(text, slot, field);
      this.#wordsOfSlot.add(slot, (word << FIELD_BITS) | field);
    }
  }

  remove(id: number): void {
    const slot = this.#slotOfId.get(id);
    if (slot === undefined) return;
    for (const entry of this.#wordsOfSlot.members(slot)) {
      this.#lexicon.remove(entry >>> FIELD_BITS, slot, entry & FIELD_MASK);
    }
    this.#wordsOfSlot.clear(slot);
    this.#order.remove(slot);
    this.#slotOfId.delete(id);
    this.#freeSlots.push(slot);
  }

  /** How many merchants match every term of `q`, and one page of them, best match first. */
  search(q: string, { categorySlug, offset, limit }: SearchOptions): SearchResult {
    const query = parseQuery(q);
    this.#findCandidates(query.terms, categorySlug);
    const total = this.#candidates.count;
    const end = Math.min(offset + limit, total);
    if (offset >= end) return { total, ids: [] };
    const slots = this.#ranking.page(query, this.#candidates, offset, end);
    return { total, ids: slots.map((slot) => this.#idOfSlot[slot]!) };
  }

  #findCandidates(terms: Term[], categorySlug: string | undefined): void {
    const candidates = this.#candidates;
    candidates.begin(this.#slotsEnd);
    const category = categorySlug === undefined ? undefined : this.#numberOfCategory.get(categorySlug);
    if (categorySlug !== undefined && category === undefined) return;
    const [rarest, ...others] = this.#matchTerms(terms);
    if (rarest === undefined || rarest.postingCount === 0) return;

    candidates.gather(this.#lexicon.postings, rarest);
    if (category !== undefined) candidates.keepCategory(this.#categoryOfSlot, category);
    for (const term of others) this.#narrow(term);
  }

  /** The terms' words, rarest term first. */
  #matchTerms(terms: Term[]): TermMatches[] {
    const matched = terms.map((term, i) => {
      this.#termMatches[i] ??= { entries: new Int32Array(64), count: 0, postingCount: 0 };
      const matches = this.#termMatches[i];
      this.#lexicon.match(term, matches);
      matches.postingCount = this.#lexicon.postingCountOf(matches);
      return matches;
    });
    return matched.sort((a, b) => a.postingCount - b.postingCount);
  }

  #narrow(term: TermMatches): void {
    if (term.postingCount <= this.#candidates.count * POSTINGS_PER_LOOK_UP) {
      this.#candidates.scan(this.#lexicon.postings, term);
    } else {
      this.#candidates.lookUp(this.#wordsOfSlot, this.#lexicon.mark(term));
      this.#lexicon.unmark(term);
    }
  }

  #takeSlot(): number {
    const slot = this.#freeSlots.pop() ?? this.#slotsEnd++;
    this.#idOfSlot = grown(this.#idOfSlot, slot + 1);
    this.#categoryOfSlot = grown(this.#categoryOfSlot, slot + 1);
    return slot;
  }

  #categoryNumber(slug: string): number {
    const known = this.#numberOfCategory.get(slug);
    if (known !== undefined) return known;
    this.#numberOfCategory.set(slug, this.#numberOfCategory.size);
    return this.#numberOfCategory.size - 1;
  }
}

/** Every word once, with its best field. A word of the name is not counted again for the description. */
function bestFieldOfWords(nameWords: string[], document: SearchDocument): Map<string, number> {
  const fieldOfWord = new Map<string, number>();
  const note = (texts: string[], field: number) => {
    for (const text of texts) {
      const word = text.slice(0, MAX_WORD_LENGTH);
      if (!fieldOfWord.has(word)) fieldOfWord.set(word, field);
    }
  };
  note(nameWords.slice(0, 1), NAME_START);
  note(nameWords.slice(1), NAME_REST);
  note(words(document.category.name), CATEGORY);
  note(words(document.city ?? ''), PLACE);
  note(words(document.state ?? ''), PLACE);
  note(words(document.description ?? ''), DESCRIPTION);
  return fieldOfWord;
}
