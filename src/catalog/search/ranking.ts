import type { Candidates } from './candidates.ts';
import { ensureLength } from './ensure-length.ts';
import type { NameOrder } from './name-order.ts';
import { MAX_TERMS, type Query } from './query.ts';
import {
  CLASS_SHIFT,
  computePenalty,
  isWithinName,
  MAX_CLASS_PER_TERM,
  WHOLE_NAME_PENALTY,
} from './scoring.ts';
import { SmallestKeys } from './smallest-keys.ts';

// A key orders candidates by penalty and then by rank. Both fit into a double.
const RANK_SPAN = 2 ** 28;

/** Selects one page of the candidates, best match first, without sorting the others. */
export class Ranking {
  readonly #nameOrder: NameOrder;
  readonly #countOfClass = new Int32Array(MAX_TERMS * MAX_CLASS_PER_TERM + 1);
  readonly #bestKeys = new SmallestKeys();
  #nameWordCountOfSlot = new Uint8Array(64);

  constructor(nameOrder: NameOrder) {
    this.#nameOrder = nameOrder;
  }

  setNameWordCount(slot: number, wordCount: number): void {
    this.#nameWordCountOfSlot = ensureLength(this.#nameWordCountOfSlot, slot + 1);
    this.#nameWordCountOfSlot[slot] = Math.min(255, wordCount);
  }

  /** Returns the slots of the candidates from `offset` up to `end`. `end` must not exceed the number of candidates. */
  selectPage(query: Query, candidates: Candidates, offset: number, end: number): number[] {
    const worstClass = this.#findWorstClass(query, candidates, end);
    this.#addKeys(query, candidates, worstClass, end);
    const slots: number[] = [];
    for (const key of this.#bestKeys.sorted(offset)) slots.push(this.#nameOrder.slotAt(key % RANK_SPAN));
    return slots;
  }

  /** The worst class that can be on the page: thousands of descriptions may contain a common word, but names with the word usually fill the page. */
  #findWorstClass({ terms }: Query, { tallies, count }: Candidates, end: number): number {
    const countOfClass = this.#countOfClass;
    countOfClass.fill(0, 0, terms.length * MAX_CLASS_PER_TERM + 1);
    for (let i = 0; i < count; i++) countOfClass[tallies[i]! >> CLASS_SHIFT]!++;
    let worstClass = 0;
    for (let found = countOfClass[0]!; found < end; found += countOfClass[worstClass]!) worstClass++;
    return worstClass;
  }

  #addKeys(query: Query, { slots, tallies, count }: Candidates, worstClass: number, end: number): void {
    const { terms, wordCount, nameKeyPrefix } = query;
    const termCount = terms.length;
    const nameWordCounts = this.#nameWordCountOfSlot;
    const ranks = this.#nameOrder.ranks();
    const bestKeys = this.#bestKeys;
    bestKeys.reset(end);
    for (let i = 0; i < count; i++) {
      const tally = tallies[i]!;
      if (tally >> CLASS_SHIFT > worstClass) continue;
      const slot = slots[i]!;
      const nameWordCount = nameWordCounts[slot]!;
      const mayEqualName = nameWordCount === wordCount && isWithinName(tally, termCount);
      const penalty =
        mayEqualName && this.#nameOrder.keyOf(slot).startsWith(nameKeyPrefix)
          ? WHOLE_NAME_PENALTY
          : computePenalty(tally, nameWordCount);
      const key = penalty * RANK_SPAN + ranks[slot]!;
      if (key < bestKeys.bound) bestKeys.add(key);
    }
  }
}
