import { FIELD_BITS, FIELD_MASK, TALLY_OF_MATCH, WORST_MATCH } from './closeness.ts';
import { grown } from './growable.ts';
import type { IntSets } from './int-sets.ts';
import { MAX_TERMS } from './query.ts';
import { QUALITY_MASK, WORD_SHIFT, type WordMatches } from './term-matcher.ts';

// By slot, `round << ROUND_SHIFT | WORST_MATCH - match`: larger is better, and any mark of a later round is larger
// than all of an earlier one. So nothing is cleared between rounds, and one comparison finds what is new or better.
const ROUND_SHIFT = 5;
// Low enough that tests reach the reset.
const MAX_ROUND = 1 << 16;

/** The merchants that have matched every term so far, with the tally of their matches. */
export class Candidates {
  slots = new Int32Array(64);
  tallies = new Int32Array(64);
  count = 0;
  #marks = new Int32Array(64);
  #round = 0;

  begin(slotsEnd: number): void {
    this.count = 0;
    this.#marks = grown(this.#marks, slotsEnd);
    this.slots = grown(this.slots, slotsEnd);
    this.tallies = grown(this.tallies, slotsEnd);
    this.#round++;
    if (this.#round + MAX_TERMS >= MAX_ROUND) {
      this.#round = 1;
      this.#marks.fill(0);
    }
  }

  /** The first term: collects every merchant that has one of its words. */
  gather(postings: IntSets, matches: WordMatches): void {
    const marks = this.#marks;
    const slots = this.slots;
    const base = this.#round << ROUND_SHIFT;
    let count = 0;
    for (let m = 0; m < matches.count; m++) {
      const entry = matches.entries[m]!;
      const word = entry >>> WORD_SHIFT;
      const markOfFirstField = base + WORST_MATCH - ((entry & QUALITY_MASK) << FIELD_BITS);
      const page = postings.pageOf(word);
      const start = postings.startOf(word);
      const end = start + postings.sizeOf(word);
      for (let p = start; p < end; p++) {
        const posting = page[p]!;
        const slot = posting >>> FIELD_BITS;
        const mark = markOfFirstField - (posting & FIELD_MASK);
        const before = marks[slot]!;
        if (before < base) slots[count++] = slot;
        if (before < mark) marks[slot] = mark;
      }
    }
    this.count = count;
    for (let i = 0; i < count; i++) this.tallies[i] = this.#tallyOf(slots[i]!);
  }

  keepCategory(categoryOfSlot: Int32Array, category: number): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (categoryOfSlot[this.slots[i]!] !== category) continue;
      this.slots[kept] = this.slots[i]!;
      this.tallies[kept++] = this.tallies[i]!;
    }
    this.count = kept;
  }

  /** Filters by a further term, scanning the postings of its words: for terms with few postings compared to the candidates. */
  scan(postings: IntSets, matches: WordMatches): void {
    const marks = this.#marks;
    const base = ++this.#round << ROUND_SHIFT;
    for (let m = 0; m < matches.count; m++) {
      const entry = matches.entries[m]!;
      const word = entry >>> WORD_SHIFT;
      const markOfFirstField = base + WORST_MATCH - ((entry & QUALITY_MASK) << FIELD_BITS);
      const page = postings.pageOf(word);
      const start = postings.startOf(word);
      const end = start + postings.sizeOf(word);
      for (let p = start; p < end; p++) {
        const posting = page[p]!;
        const slot = posting >>> FIELD_BITS;
        const mark = markOfFirstField - (posting & FIELD_MASK);
        if (marks[slot]! < mark) marks[slot] = mark;
      }
    }
    this.#keepMarked(base);
  }

  /** Filters by a further term, looking up the words of every candidate: for few candidates and a frequent term. */
  lookUp(wordsOfSlot: IntSets, qualityMarks: Uint8Array): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = this.slots[i]!;
      const page = wordsOfSlot.pageOf(slot);
      const start = wordsOfSlot.startOf(slot);
      const end = start + wordsOfSlot.sizeOf(slot);
      let best = WORST_MATCH + 1;
      for (let w = start; w < end; w++) {
        const entry = page[w]!;
        const qualityMark = qualityMarks[entry >>> FIELD_BITS]!;
        if (qualityMark === 0) continue;
        const match = ((qualityMark - 1) << FIELD_BITS) | (entry & FIELD_MASK);
        if (match < best) best = match;
      }
      if (best > WORST_MATCH) continue;
      this.slots[kept] = slot;
      this.tallies[kept++] = this.tallies[i]! + TALLY_OF_MATCH[best]!;
    }
    this.count = kept;
  }

  #keepMarked(base: number): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = this.slots[i]!;
      if (this.#marks[slot]! < base) continue;
      this.slots[kept] = slot;
      this.tallies[kept++] = this.tallies[i]! + this.#tallyOf(slot);
    }
    this.count = kept;
  }

  #tallyOf(slot: number): number {
    return TALLY_OF_MATCH[WORST_MATCH - (this.#marks[slot]! & WORST_MATCH)]!;
  }
}
