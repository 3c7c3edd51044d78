export type Slice = { offset: number; limit: number };

/** Reads a page of rows, each of which has the total. A page past the end has no row, so the total is read from the first page. */
export async function readPageWithTotal<Row extends { total: number }>(
  slice: Slice,
  read: (slice: Slice) => Promise<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await read(slice);
  const [first] = rows.length > 0 || slice.offset === 0 ? rows : await read({ offset: 0, limit: 1 });
  return { rows, total: first?.total ?? 0 };
}
