import { type Sql, sql } from './sql.ts';

/** The SQLSTATE of the SQL function `refuse`. */
const REFUSED = 'SM429';

/** Builds a column that refuses the statement if `rows` returns any row, so that the check needs no round trip while rows are locked. */
export const refuseIf = (rows: Sql): Sql => sql`
  (select refuse(json_agg(to_json(reached))::text) from (${rows}) as reached having count(*) > 0) as refused`;

/** Returns the rows for which a statement was refused, or undefined for any other error. Instants are ISO strings. */
export function findRefusal<Row>(error: unknown): Row[] | undefined {
  const { code, detail } = error as { code?: string; detail?: string };
  return code === REFUSED ? (JSON.parse(detail!) as Row[]) : undefined;
}
