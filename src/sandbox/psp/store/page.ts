export type Slice = { offset: number; limit: number };

/** The rows of a page, which carry the number of all. A page past the end has no row to read that from. */
export async function pageOf<Row extends { total: number }>(
  slice: Slice,
  read: (slice: Slice) => Promise<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await read(slice);
  const [first] = rows.length > 0 || slice.offset === 0 ? rows : await read({ offset: 0, limit: 1 });
  return { rows, total: first?.total ?? 0 };
}
