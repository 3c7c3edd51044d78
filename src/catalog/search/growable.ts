/** The array itself, or a copy at least twice as long: appending is amortised constant time. */
export function grown<T extends Int32Array | Uint8Array | Float64Array>(array: T, neededLength: number): T {
  if (neededLength <= array.length) return array;
  const Same = array.constructor as new (length: number) => T;
  const larger = new Same(Math.max(neededLength, array.length * 2));
  larger.set(array);
  return larger;
}
