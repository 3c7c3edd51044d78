import type { Candidates } from './candidates.ts';
import { CLASS_SHIFT, isWithinName, MAX_CLASS_PER_TERM, penaltyOf, WHOLE_NAME_PENALTY } from './closeness.ts';
import { grown } from './growable.ts';
import type { NameOrder } from './name-order.ts';
import { MAX_TERMS, type Query } from './query.ts';
import { SmallestKeys } from './smallest-keys.ts';

// A key orders a candidate by penalty and then by rank; both fit a double with room to spare.
const RANK_SPAN = 2 ** 28;

/** Picks one page of the candidates, best match first, without sorting the rest. */
export class Ranking {
  readonly #order: NameOrder;
  readonly #countOfClass = new Int32Array(MAX_TERMS * MAX_CLASS_PER_TERM + 1);
  readonly #closest = new SmallestKeys();
  #nameWordCountOfSlot = new Uint8Array(64);

  constructor(order: NameOrder) {
    this.#order = order;
  }

  noteName(slot: number, wordCount: number): void {
    this.#nameWordCountOfSlot = grown(this.#nameWordCountOfSlot, slot + 1);
    this.#nameWordCountOfSlot[slot] = Math.min(255, wordCount);
  }

  /** The slots of the candidates from `offset` up to `end`, which must not be beyond the last. */
  page(query: Query, candidates: Candidates, offset: number, end: number): number[] {
    const worstClass = this.#worstClassNeeded(query, candidates, end);
    this.#offerKeys(query, candidates, worstClass, end);
    const slots: number[] = [];
    for (const key of this.#closest.sorted(offset)) slots.push(this.#order.slotAt(key % RANK_SPAN));
    return slots;
  }

  /** The worst class that can be on the page. A common word is in thousands of descriptions, but the names that have it usually fill the page. */
  #worstClassNeeded({ terms }: Query, { tallies, count }: Candidates, end: number): number {
    const countOfClass = this.#countOfClass;
    countOfClass.fill(0, 0, terms.length * MAX_CLASS_PER_TERM + 1);
    for (let i = 0; i < count; i++) countOfClass[tallies[i]! >> CLASS_SHIFT]!++;
    let worst = 0;
    for (let found = countOfClass[0]!; found < end; found += countOfClass[worst]!) worst++;
    return worst;
  }

  #offerKeys(query: Query, { slots, tallies, count }: Candidates, worstClass: number, end: number): void {
    const { terms, wordCount, nameKeyPrefix } = query;
    const termCount = terms.length;
    const nameWordCounts = this.#nameWordCountOfSlot;
    const ranks = this.#order.ranks();
    const closest = this.#closest;
    closest.begin(end);
    for (let i = 0; i < count; i++) {
      const tally = tallies[i]!;
      if (tally >> CLASS_SHIFT > worstClass) continue;
      const slot = slots[i]!;
      const nameWordCount = nameWordCounts[slot]!;
      const mayBeWholeName = nameWordCount === wordCount && isWithinName(tally, termCount);
      const penalty =
        mayBeWholeName && this.#order.keyOf(slot).startsWith(nameKeyPrefix)
          ? WHOLE_NAME_PENALTY
          : penaltyOf(tally, nameWordCount);
      const key = penalty * RANK_SPAN + ranks[slot]!;
      if (key < closest.bound) closest.add(key);
    }
  }
}
