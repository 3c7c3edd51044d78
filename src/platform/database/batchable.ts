import { type Sql, sql } from './sql.ts';

/** `customerId` is another key of the caller if the rows belong to no customer. */
export type CustomerKeyed = { readonly customerId: string };
type Build<Row extends CustomerKeyed = CustomerKeyed> = (rows: readonly Row[], owner: Sql) => Sql;

/** One customer's row of a statement that can run for several customers. */
export class BatchRow {
  readonly build: Build;
  readonly row: CustomerKeyed;

  constructor(build: Build, row: CustomerKeyed) {
    this.build = build;
    this.row = row;
  }
}

/**
 * Declares a statement that a transaction shared by several customers runs once for all of them, because most of the cost of a small
 * statement is its start. `build` gets the rows, at most one per customer, and joins them as `k`, which has a `customer_id`. `owner` is
 * the customer in SQL: a column of `k`, or the value itself if there is one row, because Citus routes by a value. The result has a
 * `customer_id`, by which its rows are assigned to the callers.
 */
export function batchable<Row extends CustomerKeyed>(build: Build<Row>): (row: Row) => BatchRow {
  return (row) => new BatchRow(build as Build, row);
}

export function buildBatch({ build }: BatchRow, rows: readonly CustomerKeyed[]): Sql {
  return build(rows, rows.length === 1 ? sql`${rows[0]!.customerId}::text` : sql`k.customer_id`);
}
