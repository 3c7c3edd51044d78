/** Returns the values of one field: `unnest(${pluck(rows, 'id')}::text[])`. */
export const pluck = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Array<Row[Key]> =>
  rows.map((row) => row[key]);

/** Returns one column of the rows of a statement. */
export const pluckRows = async <Row, Key extends keyof Row>(rows: Promise<Row[]>, key: Key) =>
  pluck(await rows, key);
