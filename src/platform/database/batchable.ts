import { type Sql, sql } from './sql.ts';

/** Where rows are of no customer, another key of the caller. */
export type OfCustomer = { readonly customerId: string };
type Build<Row extends OfCustomer = OfCustomer> = (rows: readonly Row[], owner: Sql) => Sql;

/** One customer's part of a statement that can be run for several. */
export class BatchRow {
  readonly build: Build;
  readonly row: OfCustomer;

  constructor(build: Build, row: OfCustomer) {
    this.build = build;
    this.row = row;
  }
}

/**
 * A statement that a transaction shared by several customers runs once for all of them: most of the cost of a small statement is
 * its start. `build` gets the rows, at most one per customer, and joins them as `k`, which has a `customer_id`. `owner` is the
 * customer in SQL: a column of `k`, or the value itself where there is one row, because Citus routes by a value. The result has a
 * `customer_id`, which assigns its rows to the callers.
 */
export function batchable<Row extends OfCustomer>(build: Build<Row>): (row: Row) => BatchRow {
  return (row) => new BatchRow(build as Build, row);
}

export function buildBatch({ build }: BatchRow, rows: readonly OfCustomer[]): Sql {
  return build(rows, rows.length === 1 ? sql`${rows[0]!.customerId}::text` : sql`k.customer_id`);
}
