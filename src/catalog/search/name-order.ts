import { grown } from './growable.ts';

/**
 * Slots sorted by name, and each slot's rank. A change updates the order (binary search and block move). Ranks are
 * recomputed by the next search, once for any number of changes.
 */
export class NameOrder {
  readonly #keys: string[] = [];
  #slots = new Int32Array(64);
  #ranks = new Int32Array(64);
  #count = 0;
  #freshUpTo = 0;

  add(slot: number, key: string): void {
    this.#keys[slot] = key;
    const rank = this.#search(slot);
    this.#slots = grown(this.#slots, this.#count + 1);
    this.#slots.copyWithin(rank + 1, rank, this.#count);
    this.#slots[rank] = slot;
    this.#count++;
    this.#ranks = grown(this.#ranks, slot + 1);
    this.#freshUpTo = Math.min(this.#freshUpTo, rank);
  }

  remove(slot: number): void {
    const rank = this.#search(slot);
    this.#slots.copyWithin(rank, rank + 1, this.#count);
    this.#count--;
    this.#freshUpTo = Math.min(this.#freshUpTo, rank);
    this.#keys[slot] = '';
  }

  /** Ranks by slot, valid until the next change. */
  ranks(): Int32Array {
    const slots = this.#slots;
    const ranks = this.#ranks;
    for (let rank = this.#freshUpTo; rank < this.#count; rank++) ranks[slots[rank]!] = rank;
    this.#freshUpTo = this.#count;
    return ranks;
  }

  slotAt(rank: number): number {
    return this.#slots[rank]!;
  }

  keyOf(slot: number): string {
    return this.#keys[slot]!;
  }

  /** The slot's rank, or where it would be inserted. Checks the end first: a catalog is loaded in order of name. */
  #search(slot: number): number {
    const key = this.#keys[slot]!;
    let low = 0;
    let high = this.#count;
    if (high > 0 && this.#isBefore(this.#slots[high - 1]!, slot, key)) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(this.#slots[middle]!, slot, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(other: number, slot: number, key: string): boolean {
    const otherKey = this.#keys[other]!;
    return otherKey < key || (otherKey === key && other < slot);
  }
}
