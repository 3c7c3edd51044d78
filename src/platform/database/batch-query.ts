import pg from 'pg';
import type { Statement } from './sql.ts';

export type StatementResult = { rows: unknown[]; rowCount: number };

/** Private members of pg's connection that pg's own queries use. */
type PgConnection = {
  _send(message: Buffer): void;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(message: { text: string; name: string }): void;
  bind(message: { statement: string; values: unknown[] }): void;
  /** Describes the unnamed portal: the columns of the statement that was bound last. */
  describe(message: { type: 'P'; name: '' }): void;
  execute(message: object): void;
  sync(): void;
};
type ResultColumns = { addFields(fields: unknown[]): void; parseRow(fields: unknown[]): unknown };
const { Result, utils } = pg as unknown as {
  Result: new () => ResultColumns;
  utils: { prepareValue(value: unknown): unknown };
};

/** The columns of each named statement of a connection, or null if it returns no rows. */
const columnsByConnection = new WeakMap<PgConnection, Map<string, ResultColumns | null>>();

/** Sends several statements in one round trip. After a failure, later statements do not run. Columns are described once per connection. */
class BatchQuery {
  /** pg wraps this callback in its own. */
  callback: (error: Error | null, results?: StatementResult[]) => void;
  readonly query_timeout: number;
  readonly statements: readonly Statement[];
  readonly #results: StatementResult[] = [];
  #rows: unknown[] = [];
  #columnsByStatement: Map<string, ResultColumns | null> | undefined;
  /** The columns of the current statement: null if it returns no rows, undefined until they are described. */
  #columns: ResultColumns | null | undefined;
  #parseError: Error | undefined;
  #connection: PgConnection | undefined;

  constructor(statements: readonly Statement[], timeoutMs: number, callback: BatchQuery['callback']) {
    this.statements = statements;
    this.query_timeout = timeoutMs;
    this.callback = callback;
  }

  /** The name of the statement whose results are being received; pg records prepared statements by it. */
  get name(): string | undefined {
    return this.statements[this.#results.length]?.name;
  }
  get text(): string | undefined {
    return this.statements[this.#results.length]?.text;
  }

  // pg calls this method when the connection is free, and the methods below for each message of the server.
  submit(connection: PgConnection): Error | null {
    let values: unknown[][];
    try {
      values = this.statements.map((statement) => statement.values.map(utils.prepareValue));
    } catch (error) {
      return error as Error;
    }
    this.#connection = connection;
    this.#columnsByStatement = columnsByConnection.get(connection) ?? new Map();
    columnsByConnection.set(connection, this.#columnsByStatement);
    const messages: Buffer[] = [];
    // Behaves like the connection, but collects messages instead of sending them.
    const collector: PgConnection = Object.assign(Object.create(connection), {
      _send: (message: Buffer) => void messages.push(message),
    });
    for (const [i, { name, text }] of this.statements.entries()) {
      const preparedText = connection.parsedStatements[name] ?? connection.submittedNamedStatements[name];
      if (preparedText === undefined) {
        collector.parse({ text, name });
        // A statement without a name is prepared each time.
        if (name !== '') connection.submittedNamedStatements[name] = text;
      }
      collector.bind({ statement: name, values: values[i]! });
      if (!this.#columnsByStatement.has(name)) collector.describe({ type: 'P', name: '' });
      collector.execute({});
    }
    collector.sync();
    connection._send(Buffer.concat(messages));
    this.#columns = this.#columnsByStatement.get(this.name!);
    return null;
  }

  handleRowDescription({ fields }: { fields: unknown[] }): void {
    this.#columns = new Result();
    this.#columns.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    try {
      this.#rows.push(this.#columns!.parseRow(fields));
    } catch (error) {
      this.#parseError ??= error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.name !== '') this.#columnsByStatement!.set(this.name!, this.#columns ?? null);
    this.#results.push({ rows: this.#rows, rowCount: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    // From here on, `name` is the name of the next statement.
    this.#rows = [];
    this.#columns = this.name === undefined ? undefined : this.#columnsByStatement!.get(this.name);
  }

  handleError(error: Error): void {
    // PostgreSQL may not have prepared the failed statement, and did not prepare those after it.
    for (const { name } of this.statements.slice(this.#results.length))
      if (this.#connection) delete this.#connection.submittedNamedStatements[name];
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#parseError ?? null, this.#results);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }
}

/** The number of round trips of this process to the database, for metrics. */
export const roundTrips = { count: 0 };

export function queryBatch(
  client: pg.ClientBase,
  statements: readonly Statement[],
  timeoutMs: number,
): Promise<StatementResult[]> {
  roundTrips.count += 1;
  return new Promise((resolve, reject) => {
    const query = new BatchQuery(statements, timeoutMs, (error, results) =>
      error ? reject(error) : resolve(results!),
    );
    client.query(query as unknown as pg.Submittable);
  });
}
