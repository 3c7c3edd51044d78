import pg from 'pg';
import { isNode, parseTree, type Tree, type TreeNode } from './node-tree.ts';
import { type Catalog, findColumnNullability, type Nullability } from './nullable.ts';

/** A database type, and the kind of JavaScript value the service's parser makes of it, found with a sample. */
export type DatabaseType = { readonly name: string; readonly kind: Kind };
export type Kind =
  | 'number'
  | 'string'
  | 'boolean'
  | 'Date'
  | 'Buffer'
  | 'json'
  | 'other'
  | { readonly list: Kind };

export type Column = DatabaseType & { readonly column: string; readonly nullability: Nullability };
export type StatementDescription = {
  readonly columns: readonly Column[];
  readonly params: readonly ParameterDescription[];
};

/** The kinds of values a parameter accepts, or a list of them. */
export type ParameterDescription = {
  readonly name: string;
  readonly kinds: readonly Kind[] | { readonly list: readonly Kind[] };
};

type TypeRow = { oid: number; name: string; category: string; element: number };

/** Asks PostgreSQL about statements: whether they can be prepared, their parameters and columns. */
export class Describer {
  readonly #client: pg.Client;
  readonly #types = new Map<number, TypeRow>();
  readonly #notNull = new Set<string>();
  readonly #columns = new Map<string, { name: string; isNotNull: boolean }>();
  readonly #functions = new Map<string, { name: string; strict: boolean }>();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(databaseUrl: string): Promise<Describer> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const describer = new Describer(client);
    const { rows: types } = await client.query<TypeRow>(
      `select oid::int8 as oid, format_type(oid, null) as name, typcategory as category, typelem::int8 as element from pg_type`,
    );
    for (const type of types) describer.#types.set(type.oid, type);
    const { rows: columns } = await client.query<{
      id: string;
      column: string;
      name: string;
      isNotNull: boolean;
    }>(`
      select attrelid || ' ' || attnum as id, attrelid::regclass || ' ' || attname as column,
             format_type(atttypid, null) as name, attnotnull as "isNotNull"
      from pg_attribute where attnum > 0`);
    for (const { id, column, name, isNotNull } of columns) {
      if (isNotNull) describer.#notNull.add(id);
      describer.#columns.set(column, { name, isNotNull });
    }
    const { rows: functions } = await client.query<{ oid: string; name: string; strict: boolean }>(
      `select oid::text, proname as name, proisstrict as strict from pg_proc`,
    );
    for (const one of functions) describer.#functions.set(one.oid, one);
    return describer;
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /** Throws PostgreSQL's error for an invalid statement. `isNullParam`: by number, from 1. */
  async describe(text: string, isNullParam: (number: number) => boolean): Promise<StatementDescription> {
    if (!/^\s*(?:select|insert|update|delete|merge|with|\()/i.test(text)) return this.#try(text);
    await this.#client.query(`prepare described as ${text}`);
    try {
      const { rows } = await this.#client.query<{ params: number[]; results: number[] | null }>(`
        select array(select unnest(parameter_types)::oid::int4) as params,
               array(select unnest(result_types)::oid::int4) as results
        from pg_prepared_statements where name = 'described'`);
      const { params, results } = rows[0]!;
      const query = await this.#parse(text, params, results?.length ? 'setof record' : 'void');
      const columns = findColumnNullability(query, this.#catalog(isNullParam));
      return {
        params: params.map((oid) => ({ name: this.#types.get(oid)!.name, kinds: this.#takenOf(oid) })),
        columns: (results ?? []).map((oid, i) => ({
          ...this.#typeOf(oid),
          column: columns[i]!.name,
          nullability: columns[i]!.nullability,
        })),
      };
    } finally {
      await this.#client.query('deallocate described');
    }
  }

  /** Statements that cannot be prepared (`lock table`, `set local`, `do`) are run and rolled back. */
  async #try(text: string): Promise<StatementDescription> {
    await this.#client.query('begin');
    try {
      await this.#client.query(text);
    } finally {
      await this.#client.query('rollback');
    }
    return { columns: [], params: [] };
  }

  /** The query as parsed by PostgreSQL, which stores the parse tree of a function's body. */
  async #parse(text: string, params: readonly number[], answer: string): Promise<TreeNode> {
    const types = params.map((oid) => this.#types.get(oid)!.name).join(', ');
    await this.#client.query(
      `create function pg_temp.described(${types}) returns ${answer} begin atomic ${text}; end`,
    );
    const { rows } = await this.#client.query<{ tree: string }>(
      `select prosqlbody::text as tree from pg_proc where pronamespace = pg_my_temp_schema() and proname = 'described'`,
    );
    await this.#client.query('drop function pg_temp.described');
    return firstQuery(parseTree(rows[0]!.tree));
  }

  /** A column of a table: the name of its type, and whether it is `not null`. Undefined where there is none. */
  columnOf(table: string, column: string): { name: string; isNotNull: boolean } | undefined {
    return this.#columns.get(`${table} ${column}`);
  }

  #catalog(isNullParam: (number: number) => boolean): Catalog {
    return {
      isNotNull: (table, column) => this.#notNull.has(`${table} ${column}`),
      isStrict: (fn) => this.#functions.get(fn)?.strict ?? false,
      nameOf: (fn) => this.#functions.get(fn)?.name ?? '',
      isNullParam: (number) => isNullParam(Number(number)),
    };
  }

  #typeOf(oid: number): DatabaseType {
    return { name: this.#types.get(oid)!.name, kind: this.#kindOf(oid) };
  }

  #takenOf(oid: number): ParameterDescription['kinds'] {
    const { name, category, element } = this.#types.get(oid)!;
    if (category === 'A') return { list: this.#takenOf(element) as readonly Kind[] };
    // Numbers beyond JavaScript's precision may be sent as text.
    return name === 'numeric' || name === 'bigint' ? ['number', 'string'] : [this.#kindOf(oid)];
  }

  #kindOf(oid: number): Kind {
    const type = this.#types.get(oid)!;
    if (type.name === 'json' || type.name === 'jsonb') return 'json';
    const sample = this.#sampleOf(type);
    if (sample === undefined) return 'other';
    const kind = kindOfValue(pg.types.getTypeParser(oid)(sample));
    // A JSON element may be anything; an array of a type without a parser stays text.
    if (typeof kind === 'object' && this.#kindOf(type.element) === 'json') return { list: 'json' };
    return kind;
  }

  #sampleOf({ name, category, element }: TypeRow): string | undefined {
    if (category === 'A') {
      const sample = this.#sampleOf(this.#types.get(element)!);
      return sample === undefined ? undefined : `{${JSON.stringify(sample)}}`;
    }
    return name === 'bytea' ? '\\x00' : SAMPLES[category];
  }
}

/** By category of types: see pg_type.typcategory. */
const SAMPLES: Record<string, string> = {
  N: '1',
  B: 't',
  D: '2026-01-02 03:04:05+00',
  S: 'a',
  U: '{}',
  Z: 'a',
};

function kindOfValue(value: unknown): Kind {
  if (Array.isArray(value)) return { list: kindOfValue(value[0]) };
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
    return typeof value as Kind;
  return 'other';
}

function firstQuery(tree: Tree): TreeNode {
  if (isNode(tree)) return tree;
  return firstQuery((tree as readonly Tree[])[0]!);
}
