import { ensureLength } from './int-sets.ts';

/**
 * Sorts the slots (numbers of merchants) by name key, and ranks them. A change updates the order (binary search and block move).
 * The next search recomputes the ranks, once for any number of changes.
 */
export class NameOrder {
  readonly #nameKeys: string[] = [];
  #slots = new Int32Array(64);
  #ranks = new Int32Array(64);
  #count = 0;
  #validRankCount = 0;

  add(slot: number, nameKey: string): void {
    this.#nameKeys[slot] = nameKey;
    const rank = this.#findRank(slot);
    this.#slots = ensureLength(this.#slots, this.#count + 1);
    this.#slots.copyWithin(rank + 1, rank, this.#count);
    this.#slots[rank] = slot;
    this.#count++;
    this.#ranks = ensureLength(this.#ranks, slot + 1);
    this.#validRankCount = Math.min(this.#validRankCount, rank);
  }

  remove(slot: number): void {
    const rank = this.#findRank(slot);
    this.#slots.copyWithin(rank, rank + 1, this.#count);
    this.#count--;
    this.#validRankCount = Math.min(this.#validRankCount, rank);
    this.#nameKeys[slot] = '';
  }

  /** Returns the ranks by slot. Valid until the next change. */
  computeRanks(): Int32Array {
    const slots = this.#slots;
    const ranks = this.#ranks;
    for (let rank = this.#validRankCount; rank < this.#count; rank++) ranks[slots[rank]!] = rank;
    this.#validRankCount = this.#count;
    return ranks;
  }

  slotAt(rank: number): number {
    return this.#slots[rank]!;
  }

  nameKeyOf(slot: number): string {
    return this.#nameKeys[slot]!;
  }

  /** Returns the slot's rank, or where to insert it. Checks the end first, because the catalog is loaded in order of name. */
  #findRank(slot: number): number {
    const nameKey = this.#nameKeys[slot]!;
    let low = 0;
    let high = this.#count;
    if (high > 0 && this.#isBefore(this.#slots[high - 1]!, slot, nameKey)) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(this.#slots[middle]!, slot, nameKey)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(otherSlot: number, slot: number, nameKey: string): boolean {
    const otherKey = this.#nameKeys[otherSlot]!;
    return otherKey < nameKey || (otherKey === nameKey && otherSlot < slot);
  }
}
