import { grown } from './growable.ts';

// At least this many keys beyond the wanted ones are gathered before the worse half is dropped.
const MIN_SPARE_ROOM = 64;

/**
 * Keeps the smallest of many keys. Keys are gathered until there is twice the room for those wanted; then the worse
 * half is dropped, and the worst key kept becomes the bound: most of the following keys are skipped after one comparison
 * with it. Keys must all be different.
 */
export class SmallestKeys {
  /** Only smaller keys are worth adding. */
  bound = Number.POSITIVE_INFINITY;
  #keys = new Float64Array(2 * MIN_SPARE_ROOM);
  #wanted = 0;
  #count = 0;
  #room = 0;

  begin(wanted: number): void {
    this.bound = Number.POSITIVE_INFINITY;
    this.#wanted = wanted;
    this.#count = 0;
    this.#room = wanted + Math.max(wanted, MIN_SPARE_ROOM);
    this.#keys = grown(this.#keys, this.#room);
  }

  add(key: number): void {
    this.#keys[this.#count++] = key;
    if (this.#count < this.#room) return;
    partition(this.#keys, this.#count, this.#wanted);
    this.#count = this.#wanted;
    this.bound = largest(this.#keys, this.#wanted);
  }

  /** The keys wanted, ascending, without the first `offset`. A view, valid until the next `begin`. */
  sorted(offset: number): Float64Array {
    const end = Math.min(this.#count, this.#wanted);
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

function largest(keys: Float64Array, count: number): number {
  let result = keys[0]!;
  for (let i = 1; i < count; i++) if (keys[i]! > result) result = keys[i]!;
  return result;
}
