/** Returns the array itself if it is long enough, else a copy at least twice as long, so that appending takes amortised constant time. */
export function ensureLength<T extends Int32Array | Uint8Array | Float64Array>(array: T, length: number): T {
  if (length <= array.length) return array;
  const TypedArray = array.constructor as new (length: number) => T;
  const larger = new TypedArray(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
