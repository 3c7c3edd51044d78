import pg from 'pg';
import type { Statement } from './sql.ts';

export type StatementResult = { rows: unknown[]; rowCount: number };

/** The private parts of pg that its own queries use. */
type Wire = {
  _send(message: Buffer): void;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(message: { text: string; name: string }): void;
  bind(message: { statement: string; values: unknown[] }): void;
  describe(message: { type: 'P'; name: '' }): void;
  execute(message: object): void;
  sync(): void;
};
type Shape = { addFields(fields: unknown[]): void; parseRow(fields: unknown[]): unknown };
const { Result, utils } = pg as unknown as {
  Result: new () => Shape;
  utils: { prepareValue(value: unknown): unknown };
};

/** By connection and name of the statement: its columns, or null when it returns no rows. */
const shapes = new WeakMap<Wire, Map<string, Shape | null>>();

/**
 * Several statements in one round trip, for pg's `client.query`. After the first failure the rest does not run. The columns of a
 * statement are described once per connection: PostgreSQL refuses to run it should they change.
 */
class BatchQuery {
  /** pg wraps this callback in its own. */
  callback: (error: Error | null, answers?: StatementResult[]) => void;
  readonly query_timeout: number;
  readonly statements: readonly Statement[];
  readonly #answers: StatementResult[] = [];
  #rows: unknown[] = [];
  #shapes: Map<string, Shape | null> | undefined;
  #shape: Shape | null | undefined;
  #unreadable: Error | undefined;
  #wire: Wire | undefined;

  constructor(statements: readonly Statement[], timeoutMs: number, callback: BatchQuery['callback']) {
    this.statements = statements;
    this.query_timeout = timeoutMs;
    this.callback = callback;
  }

  /** The name of the statement that is being answered: pg records prepared statements by it. */
  get name(): string | undefined {
    return this.statements[this.#answers.length]?.name;
  }
  get text(): string | undefined {
    return this.statements[this.#answers.length]?.text;
  }

  submit(wire: Wire): Error | null {
    let values: unknown[][];
    try {
      values = this.statements.map((statement) => statement.values.map(utils.prepareValue));
    } catch (error) {
      return error as Error;
    }
    this.#wire = wire;
    this.#shapes = shapes.get(wire) ?? new Map();
    shapes.set(wire, this.#shapes);
    // One buffer, one system call.
    const messages: Buffer[] = [];
    const collector: Wire = Object.assign(Object.create(wire), {
      _send: (message: Buffer) => void messages.push(message),
    });
    for (const [i, { name, text }] of this.statements.entries()) {
      const isPrepared = wire.parsedStatements[name] ?? wire.submittedNamedStatements[name];
      if (isPrepared === undefined) {
        collector.parse({ text, name });
        // A statement without a name is prepared each time.
        if (name !== '') wire.submittedNamedStatements[name] = text;
      }
      collector.bind({ statement: name, values: values[i]! });
      if (!this.#shapes.has(name)) collector.describe({ type: 'P', name: '' });
      collector.execute({});
    }
    collector.sync();
    wire._send(Buffer.concat(messages));
    this.#shape = this.#shapes.get(this.name!);
    return null;
  }

  handleRowDescription({ fields }: { fields: unknown[] }): void {
    this.#shape = new Result();
    this.#shape.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    try {
      this.#rows.push(this.#shape!.parseRow(fields));
    } catch (error) {
      this.#unreadable ??= error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.name !== '') this.#shapes!.set(this.name!, this.#shape ?? null);
    this.#answers.push({ rows: this.#rows, rowCount: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#rows = [];
    this.#shape = this.name === undefined ? undefined : this.#shapes!.get(this.name);
  }

  handleError(error: Error): void {
    // The statements after the failed one were sent, but not prepared.
    for (const { name } of this.statements.slice(this.#answers.length))
      if (this.#wire) delete this.#wire.submittedNamedStatements[name];
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#unreadable ?? null, this.#answers);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }
}

/** The results of all statements, in one round trip. */
export function queryBatch(
  client: pg.ClientBase,
  statements: readonly Statement[],
  timeoutMs: number,
): Promise<StatementResult[]> {
  return new Promise((resolve, reject) => {
    const query = new BatchQuery(statements, timeoutMs, (error, answers) =>
      error ? reject(error) : resolve(answers!),
    );
    client.query(query as unknown as pg.Submittable);
  });
}
