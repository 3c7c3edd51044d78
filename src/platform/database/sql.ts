import { createHash } from 'node:crypto';

type PreparedText = { readonly text: string; readonly name: string };
export type Statement = PreparedText & { readonly values: unknown[] };

/** A statement or fragment with its values. Only `sql` and `fragment` create one, so values never become SQL text. */
export class Sql implements Statement {
  readonly text: string;
  readonly name: string;
  readonly strings: readonly string[];
  readonly values: unknown[];

  constructor({ text, name }: PreparedText, strings: readonly string[], values: unknown[]) {
    this.text = text;
    this.name = name;
    this.strings = strings;
    this.values = values;
  }
}

const preparedTexts = new WeakMap<TemplateStringsArray, PreparedText>();
const composedStatements = new Map<string, PreparedText & { readonly strings: readonly string[] }>();
/** A number for each template and fragment in the source. The numbers in a composed statement identify it. */
const sourceNumbers = new WeakMap<readonly string[], number>();
let sourceCount = 0;

/** Creates one named prepared statement for each call site. A value that is an `Sql` becomes part of the statement. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (values.some((value) => value instanceof Sql)) return composeStatement(strings, values);
  let preparedText = preparedTexts.get(strings);
  if (!preparedText) {
    preparedText = buildPreparedText(strings);
    preparedTexts.set(strings, preparedText);
  }
  return new Sql(preparedText, strings, values);
}

/** A fragment never runs alone: the statement that it becomes part of has the text and the name. */
const NOT_EXECUTABLE: PreparedText = { text: '', name: '' };

/** Creates a fragment whose text is built by the program. Pass the same `strings` object each time, because it identifies the fragment. */
export function fragment(strings: readonly string[], values: unknown[] = []): Sql {
  return new Sql(NOT_EXECUTABLE, strings, values);
}

function composeStatement(strings: TemplateStringsArray, interpolations: unknown[]): Sql {
  let key = `${getSourceNumber(strings)}`;
  const values: unknown[] = [];
  for (const value of interpolations) {
    if (value instanceof Sql) {
      key += ` ${getSourceNumber(value.strings)}`;
      values.push(...value.values);
    } else {
      key += ' .'; // stands for any value
      values.push(value);
    }
  }
  let statement = composedStatements.get(key);
  if (!statement) {
    const joinedStrings = joinStrings(strings, interpolations);
    statement = { ...buildPreparedText(joinedStrings), strings: joinedStrings };
    composedStatements.set(key, statement);
  }
  return new Sql(statement, statement.strings, values);
}

function getSourceNumber(strings: readonly string[]): number {
  const number = sourceNumbers.get(strings) ?? ++sourceCount;
  sourceNumbers.set(strings, number);
  return number;
}

function joinStrings(strings: readonly string[], interpolations: unknown[]): string[] {
  const joinedStrings = [strings[0]!];
  const appendToLast = (text: string) => {
    joinedStrings[joinedStrings.length - 1] += text;
  };
  for (const [i, value] of interpolations.entries()) {
    // A value stays between two strings, like a fragment of two empty strings.
    const [headString = '', ...tailStrings] = value instanceof Sql ? value.strings : ['', ''];
    appendToLast(headString);
    joinedStrings.push(...tailStrings);
    appendToLast(strings[i + 1]!);
  }
  return joinedStrings;
}

function buildPreparedText(strings: readonly string[]): PreparedText {
  const text = strings.reduce((sqlText, part, parameterNumber) => `${sqlText}$${parameterNumber}${part}`);
  return { text, name: createHash('sha1').update(text).digest('base64url') };
}

/** Returns the values of one field: `unnest(${pluck(rows, 'id')}::text[])`. */
export const pluck = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Array<Row[Key]> =>
  rows.map((row) => row[key]);

type CustomerRow = { readonly customerId: string };
/** A row with the key by which results are returned to callers: the customer, or another key if the row concerns no customer. */
export type KeyedRow = CustomerRow | { readonly batchKey: string };
type BuildBatch<Row extends KeyedRow = KeyedRow> = (rows: readonly Row[], customerSql: Sql) => Sql;

/** One caller's row for a statement declared by `batchable`. */
export class BatchRow {
  readonly build: BuildBatch;
  readonly row: KeyedRow;

  constructor(build: BuildBatch, row: KeyedRow) {
    this.build = build;
    this.row = row;
  }
}

/**
 * Declares a statement that a transaction shared by several customers runs once for all of them, because a small statement costs mostly
 * overhead. `build` gets the rows, at most one per key, and joins them as `input`, which has a `customer_id`. `customerSql` is
 * the customer id in SQL: a column of `input`, or the value itself if there is only one row, because Citus routes by a value. A `build` for
 * rows with a `batchKey` ignores it. The result must have a `customer_id`, or a `batch_key` for rows with another key, by which its rows are returned to the callers.
 */
export function batchable<Row extends KeyedRow = CustomerRow>(
  build: BuildBatch<Row>,
): (row: Row) => BatchRow {
  return (row) => new BatchRow(build as BuildBatch, row);
}

export const getBatchKey = (row: KeyedRow): string => ('batchKey' in row ? row.batchKey : row.customerId);

export function buildBatch({ build }: BatchRow, rows: readonly KeyedRow[]): Sql {
  return build(rows, rows.length === 1 ? sql`${getBatchKey(rows[0]!)}::text` : sql`input.customer_id`);
}

/** The SQLSTATE of the SQL function `refuse`. */
const REFUSED = 'SM429';

/** Builds a column that refuses the statement if `rows` returns any row, so that the check needs no round trip while rows are locked. */
export const refuseIf = (rows: Sql): Sql => sql`
  (select refuse(json_agg(to_json(refusing_row))::text) from (${rows}) as refusing_row having count(*) > 0) as refused`;

/** Returns the rows for which a statement was refused, or undefined for any other error. Instants are ISO strings. */
export function findRefusal<Row>(error: unknown): Row[] | undefined {
  const { code, detail } = error as { code?: string; detail?: string };
  return code === REFUSED ? (JSON.parse(detail!) as Row[]) : undefined;
}
