import { type Sql, sql } from './sql.ts';

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
 * A statement that a transaction shared by several customers runs once for all of them: most of what a small statement costs is to
 * begin it. `build` gets the rows, at most one a customer, and hands them to the statement as `k`, with a `customer_id`. In it `owner`
 * is the customer: a column of `k`, and the value itself where there is one row, as Citus has to be told. What the statement answers
 * names the `customer_id`, too, by which its rows find whoever asked.
 */
export function batchable<Row extends OfCustomer>(build: Build<Row>): (row: Row) => BatchRow {
  return (row) => new BatchRow(build as Build, row);
}

export function buildBatch({ build }: BatchRow, rows: readonly OfCustomer[]): Sql {
  return build(rows, rows.length === 1 ? sql`${rows[0]!.customerId}::text` : sql`k.customer_id`);
}
