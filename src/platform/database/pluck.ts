/** Returns the values of one field: `unnest(${pluck(rows, 'id')}::text[])`. */
export const pluck = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Array<Row[Key]> =>
  rows.map((row) => row[key]);
