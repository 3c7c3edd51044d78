/** Returns the array itself if it is long enough, else a copy at least twice as long, so that appending takes amortised constant time. */
export function ensureLength<T extends Int32Array | Uint8Array | Float64Array>(array: T, length: number): T {
  if (length <= array.length) return array;
  const TypedArray = array.constructor as new (length: number) => T;
  const larger = new TypedArray(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}

const PAGE_BITS = 16;
const PAGE_LENGTH = 1 << PAGE_BITS;
const OFFSET_MASK = PAGE_LENGTH - 1;

// Block lengths 1, 2, 3, 4, 6, 8, 12, 16, ...: with two sizes per power of two, about a sixth of the memory is unused.
const BLOCK_LENGTHS = [0, 1];
for (let length = 2; length <= 1 << 28; length *= 2) BLOCK_LENGTHS.push(length, length + (length >> 1));

const NO_MEMBERS = new Int32Array(0);

/**
 * Many sorted sets of integers, numbered by the caller, in a few large pages. A hundred thousand separate arrays would each
 * have an object header and be visited by every garbage collection. One large array would have to be copied as a whole
 * whenever it grew.
 */
export class IntSets {
  readonly #pages: Int32Array[] = [];
  readonly #freeBlocks: number[][] = BLOCK_LENGTHS.map(() => []);
  #sizes = new Int32Array(64);
  /** Where the members of each set begin: `page << PAGE_BITS | offset`. */
  #blocks = new Int32Array(64);
  /** The index of each set's block length in BLOCK_LENGTHS; 0 for a set without a block. */
  #blockClasses = new Uint8Array(64);
  #nextBlock = 0;
  #freePageLength = 0;

  sizeOf(set: number): number {
    return set < this.#sizes.length ? this.#sizes[set]! : 0;
  }

  /** Returns a view of the members in ascending order. Valid until the next change to the sets. */
  members(set: number): Int32Array {
    const size = this.sizeOf(set);
    const start = this.startOf(set);
    return size === 0 ? NO_MEMBERS : this.pageOf(set).subarray(start, start + size);
  }

  /** Used by hot loops, which must not allocate a view: the members begin at `pageOf(set)[startOf(set)]`. */
  pageOf(set: number): Int32Array {
    return this.#pages[this.#blocks[set]! >>> PAGE_BITS]!;
  }

  startOf(set: number): number {
    return this.#blocks[set]! & OFFSET_MASK;
  }

  add(set: number, value: number): void {
    this.#ensureSet(set);
    const size = this.#sizes[set]!;
    const position = this.#findPosition(set, value);
    if (size === BLOCK_LENGTHS[this.#blockClasses[set]!]) this.#enlarge(set);
    const page = this.pageOf(set);
    const start = this.startOf(set);
    const index = start + position;
    if (position < size) {
      if (page[index] === value) return;
      page.copyWithin(index + 1, index, start + size);
    }
    page[index] = value;
    this.#sizes[set] = size + 1;
  }

  remove(set: number, value: number): void {
    const size = this.sizeOf(set);
    if (size === 0) return;
    const page = this.pageOf(set);
    const start = this.startOf(set);
    const position = this.#findPosition(set, value);
    if (position === size || page[start + position] !== value) return;
    page.copyWithin(start + position, start + position + 1, start + size);
    this.#sizes[set] = size - 1;
    if (size === 1) this.clear(set);
  }

  clear(set: number): void {
    if (set >= this.#sizes.length || this.#blockClasses[set] === 0) return;
    this.#freeBlocks[this.#blockClasses[set]!]!.push(this.#blocks[set]!);
    this.#sizes[set] = 0;
    this.#blockClasses[set] = 0;
  }

  /** Returns the index of the value, or where to insert it. Checks the end first, because sets are mostly filled in ascending order. */
  #findPosition(set: number, value: number): number {
    let high = this.#sizes[set]!;
    if (high === 0) return 0;
    const page = this.pageOf(set);
    const start = this.startOf(set);
    if (page[start + high - 1]! < value) return high;
    let low = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (page[start + middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #enlarge(set: number): void {
    const oldClass = this.#blockClasses[set]!;
    const block = this.#allocate(oldClass + 1);
    if (oldClass !== 0) {
      this.#pages[block >>> PAGE_BITS]!.set(this.members(set), block & OFFSET_MASK);
      this.#freeBlocks[oldClass]!.push(this.#blocks[set]!);
    }
    this.#blocks[set] = block;
    this.#blockClasses[set] = oldClass + 1;
  }

  #allocate(blockClass: number): number {
    const freeBlock = this.#freeBlocks[blockClass]!.pop();
    if (freeBlock !== undefined) return freeBlock;
    const length = BLOCK_LENGTHS[blockClass]!;
    // A block that is too long to share a page gets its own.
    if (length > PAGE_LENGTH / 4) return this.#addPage(length);
    if (length > this.#freePageLength) {
      this.#nextBlock = this.#addPage(PAGE_LENGTH);
      this.#freePageLength = PAGE_LENGTH;
    }
    const block = this.#nextBlock;
    this.#nextBlock += length;
    this.#freePageLength -= length;
    return block;
  }

  #addPage(length: number): number {
    this.#pages.push(new Int32Array(length));
    return (this.#pages.length - 1) << PAGE_BITS;
  }

  #ensureSet(set: number): void {
    this.#sizes = ensureLength(this.#sizes, set + 1);
    this.#blocks = ensureLength(this.#blocks, set + 1);
    this.#blockClasses = ensureLength(this.#blockClasses, set + 1);
  }
}
