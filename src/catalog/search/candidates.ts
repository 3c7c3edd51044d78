import { ensureLength, type IntSets } from './int-sets.ts';
import { MAX_TERMS } from './query.ts';
import { FIELD_BITS, FIELD_MASK, MATCH_MASK, MATCH_TALLIES } from './scoring.ts';
import { QUALITY_BITS, QUALITY_MASK, type WordMatches } from './term-matcher.ts';

// A round matches one term of one search. A slot's mark is its last round and the best match in it, as
// `round << ROUND_SHIFT | MATCH_MASK - match`: larger is better, and every mark of a later round is larger than all earlier ones. So marks need no clearing between rounds, and one comparison finds new and better matches.
// `lowestMark` is the smallest mark of the current round.
const ROUND_SHIFT = 5;
// Small enough that tests reach the reset of the marks.
const MAX_ROUND = 1 << 16;

/** Larger than every match. */
const NO_MATCH = MATCH_MASK;

/** The slots (numbers of merchants) that match every term so far, with the tally of their matches. See scoring.ts for tallies. */
export class Candidates {
  slots = new Int32Array(64);
  tallies = new Int32Array(64);
  count = 0;
  #marks = new Int32Array(64);
  #round = 0;

  /** Starts a new search. `slotsEnd` is greater than any slot. */
  reset(slotsEnd: number): void {
    this.count = 0;
    this.#marks = ensureLength(this.#marks, slotsEnd);
    this.slots = ensureLength(this.slots, slotsEnd);
    this.tallies = ensureLength(this.tallies, slotsEnd);
    this.#round++;
    if (this.#round + MAX_TERMS >= MAX_ROUND) {
      this.#round = 1;
      this.#marks.fill(0);
    }
  }

  /** Collects every merchant that has a word which the first term matches. */
  collect(postings: IntSets, matches: WordMatches): void {
    const marks = this.#marks;
    const slots = this.slots;
    const lowestMark = this.#round << ROUND_SHIFT;
    let count = 0;
    for (let m = 0; m < matches.count; m++) {
      const matchEntry = matches.entries[m]!;
      const wordNumber = matchEntry >>> QUALITY_BITS;
      const firstFieldMark = lowestMark + MATCH_MASK - ((matchEntry & QUALITY_MASK) << FIELD_BITS);
      const page = postings.pageOf(wordNumber);
      const start = postings.startOf(wordNumber);
      const end = start + postings.sizeOf(wordNumber);
      for (let p = start; p < end; p++) {
        const posting = page[p]!;
        const slot = posting >>> FIELD_BITS;
        const mark = firstFieldMark - (posting & FIELD_MASK);
        const previousMark = marks[slot]!;
        if (previousMark < lowestMark) slots[count++] = slot;
        if (previousMark < mark) marks[slot] = mark;
      }
    }
    this.count = count;
    for (let i = 0; i < count; i++) this.tallies[i] = this.#computeTally(slots[i]!);
  }

  keepCategory(categoryOfSlot: Int32Array, category: number): void {
    let keptCount = 0;
    for (let i = 0; i < this.count; i++) {
      if (categoryOfSlot[this.slots[i]!] !== category) continue;
      this.slots[keptCount] = this.slots[i]!;
      this.tallies[keptCount] = this.tallies[i]!;
      keptCount++;
    }
    this.count = keptCount;
  }

  /** Keeps the candidates that match a further term, by scanning the term's postings. Fast if there are few postings per candidate. */
  filterByPostings(postings: IntSets, matches: WordMatches): void {
    const marks = this.#marks;
    this.#round++;
    const lowestMark = this.#round << ROUND_SHIFT;
    for (let m = 0; m < matches.count; m++) {
      const matchEntry = matches.entries[m]!;
      const wordNumber = matchEntry >>> QUALITY_BITS;
      const firstFieldMark = lowestMark + MATCH_MASK - ((matchEntry & QUALITY_MASK) << FIELD_BITS);
      const page = postings.pageOf(wordNumber);
      const start = postings.startOf(wordNumber);
      const end = start + postings.sizeOf(wordNumber);
      for (let p = start; p < end; p++) {
        const posting = page[p]!;
        const slot = posting >>> FIELD_BITS;
        const mark = firstFieldMark - (posting & FIELD_MASK);
        if (marks[slot]! < mark) marks[slot] = mark;
      }
    }
    this.#keepMarked(lowestMark);
  }

  /**
   * Keeps the candidates that match a further term, by checking each candidate's words. Fast for few candidates and a frequent term.
   * `qualityMarks` has, by word number, 1 + the quality of a word that the term matches, and 0 for any other word.
   */
  filterByWords(wordsOfSlot: IntSets, qualityMarks: Uint8Array): void {
    let keptCount = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = this.slots[i]!;
      const page = wordsOfSlot.pageOf(slot);
      const start = wordsOfSlot.startOf(slot);
      const end = start + wordsOfSlot.sizeOf(slot);
      let bestMatch = NO_MATCH;
      for (let w = start; w < end; w++) {
        const wordAndField = page[w]!;
        const qualityMark = qualityMarks[wordAndField >>> FIELD_BITS]!;
        if (qualityMark === 0) continue;
        const match = ((qualityMark - 1) << FIELD_BITS) | (wordAndField & FIELD_MASK);
        if (match < bestMatch) bestMatch = match;
      }
      if (bestMatch === NO_MATCH) continue;
      this.slots[keptCount] = slot;
      this.tallies[keptCount] = this.tallies[i]! + MATCH_TALLIES[bestMatch]!;
      keptCount++;
    }
    this.count = keptCount;
  }

  #keepMarked(lowestMark: number): void {
    let keptCount = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = this.slots[i]!;
      if (this.#marks[slot]! < lowestMark) continue;
      this.slots[keptCount] = slot;
      this.tallies[keptCount] = this.tallies[i]! + this.#computeTally(slot);
      keptCount++;
    }
    this.count = keptCount;
  }

  #computeTally(slot: number): number {
    return MATCH_TALLIES[MATCH_MASK - (this.#marks[slot]! & MATCH_MASK)]!;
  }
}
