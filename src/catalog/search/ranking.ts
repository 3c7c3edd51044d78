import type { Candidates } from './candidates.ts';
import { ensureLength } from './int-sets.ts';
import type { NameOrder } from './name-order.ts';
import { MAX_TERMS, type Query } from './query.ts';
import {
  areAllTermsNameWords,
  CLASS_SHIFT,
  computePenalty,
  MAX_CLASS_PER_TERM,
  WHOLE_NAME_PENALTY,
} from './scoring.ts';

const MAX_UINT8 = 255;

// At least this many keys beyond the limit are collected before the worse half is dropped.
const MIN_SPARE_ROOM = 64;

/**
 * Retains the smallest of many keys. Keys are collected up to twice the limit; then the worse half is dropped, and the worst
 * retained key becomes the bound. Most of the following keys are then skipped after one comparison with the bound. All keys
 * must be different.
 */
export class SmallestKeys {
  /** Keys that are not smaller than the bound need not be added. */
  bound = Number.POSITIVE_INFINITY;
  #keys = new Float64Array(2 * MIN_SPARE_ROOM);
  #limit = 0;
  #count = 0;
  #capacity = 0;

  reset(limit: number): void {
    this.bound = Number.POSITIVE_INFINITY;
    this.#limit = limit;
    this.#count = 0;
    this.#capacity = limit + Math.max(limit, MIN_SPARE_ROOM);
    this.#keys = ensureLength(this.#keys, this.#capacity);
  }

  add(key: number): void {
    this.#keys[this.#count++] = key;
    if (this.#count < this.#capacity) return;
    partition(this.#keys, this.#count, this.#limit);
    this.#count = this.#limit;
    this.bound = findLargest(this.#keys, this.#limit);
  }

  /** Returns the smallest keys in ascending order, without the first `offset`. The view is valid until the next `reset`. */
  listSorted(offset: number): Float64Array {
    const end = Math.min(this.#count, this.#limit);
    partition(this.#keys, this.#count, end);
    partition(this.#keys, end, offset);
    return this.#keys.subarray(offset, end).sort();
  }
}

/** Quickselect: reorders the first `count` keys so that none of the first `front` is larger than any that follows. */
function partition(keys: Float64Array, count: number, front: number): void {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = keys[(low + high) >>> 1]!;
    let left = low;
    let right = high;
    while (left <= right) {
      while (keys[left]! < pivot) left++;
      while (keys[right]! > pivot) right--;
      if (left > right) break;
      const swapped = keys[left]!;
      keys[left++] = keys[right]!;
      keys[right--] = swapped;
    }
    if (front <= right) high = right;
    else if (front > left) low = left;
    else return;
  }
}

function findLargest(keys: Float64Array, count: number): number {
  let largestKey = keys[0]!;
  for (let i = 1; i < count; i++) if (keys[i]! > largestKey) largestKey = keys[i]!;
  return largestKey;
}

// The key of a candidate is `penalty * RANK_SPAN + rank`, which a double represents exactly.
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
    this.#nameWordCountOfSlot[slot] = Math.min(MAX_UINT8, wordCount);
  }

  /** Returns the slots of the candidates from `offset` up to `end`. `end` must not exceed the number of candidates. */
  selectPage(query: Query, candidates: Candidates, offset: number, end: number): number[] {
    const worstClass = this.#findWorstClass(query, candidates, end);
    this.#addKeys(query, candidates, worstClass, end);
    const slots: number[] = [];
    for (const key of this.#bestKeys.listSorted(offset)) slots.push(this.#nameOrder.slotAt(key % RANK_SPAN));
    return slots;
  }

  /** Finds the worst class among the first `end` candidates. Usually names fill the page, so the many matching descriptions are skipped. */
  #findWorstClass({ terms }: Query, { tallies, count }: Candidates, end: number): number {
    const countOfClass = this.#countOfClass;
    countOfClass.fill(0, 0, terms.length * MAX_CLASS_PER_TERM + 1);
    for (let i = 0; i < count; i++) countOfClass[tallies[i]! >> CLASS_SHIFT]!++;
    let worstClass = 0;
    let candidateCount = countOfClass[0]!;
    while (candidateCount < end) {
      worstClass++;
      candidateCount += countOfClass[worstClass]!;
    }
    return worstClass;
  }

  #addKeys(query: Query, { slots, tallies, count }: Candidates, worstClass: number, end: number): void {
    const { terms, wordCount, nameKeyPrefix } = query;
    const termCount = terms.length;
    const nameWordCounts = this.#nameWordCountOfSlot;
    const ranks = this.#nameOrder.computeRanks();
    const bestKeys = this.#bestKeys;
    bestKeys.reset(end);
    for (let i = 0; i < count; i++) {
      const tally = tallies[i]!;
      if (tally >> CLASS_SHIFT > worstClass) continue;
      const slot = slots[i]!;
      const nameWordCount = nameWordCounts[slot]!;
      const mayEqualName = nameWordCount === wordCount && areAllTermsNameWords(tally, termCount);
      const penalty =
        mayEqualName && this.#nameOrder.nameKeyOf(slot).startsWith(nameKeyPrefix)
          ? WHOLE_NAME_PENALTY
          : computePenalty(tally, nameWordCount);
      const key = penalty * RANK_SPAN + ranks[slot]!;
      if (key < bestKeys.bound) bestKeys.add(key);
    }
  }
}
