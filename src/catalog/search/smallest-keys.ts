import { ensureLength } from './ensure-length.ts';

// At least this many keys beyond the limit are collected before the worse half is dropped.
const MIN_SPARE_ROOM = 64;

/**
 * Retains the smallest of many keys. Keys are collected up to twice the limit; then the worse half is dropped, and the worst
 * retained key becomes the bound. Most of the following keys are then skipped after one comparison with the bound. All keys
 * must be different.
 */
export class SmallestKeys {
  /** Only smaller keys are worth adding. */
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
  sorted(offset: number): Float64Array {
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
  let result = keys[0]!;
  for (let i = 1; i < count; i++) if (keys[i]! > result) result = keys[i]!;
  return result;
}
