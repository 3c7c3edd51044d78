import pg from 'pg';
import { isTreeNode, parseTree, type Tree, type TreeNode } from './node-tree.ts';
import { type Catalog, findResultColumns, type Nullability } from './nullable.ts';

/** A database type, and the kind of JavaScript value that the driver parses it to, which a sample shows. */
export type DatabaseType = { readonly typeName: string; readonly kind: Kind };
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

/** The kinds of values that a parameter accepts, or a list of such values. */
export type ParameterDescription = {
  readonly typeName: string;
  readonly kinds: readonly Kind[] | { readonly list: readonly Kind[] };
};

/** A row of pg_type. `element` is the oid of the element type of an array. */
type TypeRow = { oid: number; name: string; category: string; element: number };

/** Describes statements by preparing them: their parameters and columns, or the error of PostgreSQL. */
export class Describer {
  readonly #client: pg.Client;
  readonly #types = new Map<number, TypeRow>();
  /** The columns that are `not null`, by the oid of the table and the number of the column. */
  readonly #notNullColumns = new Set<string>();
  /** The type of each column, by the names of table and column. */
  readonly #columns = new Map<string, { typeName: string; isNotNull: boolean }>();
  readonly #functions = new Map<string, { name: string; isStrict: boolean }>();

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
      typeName: string;
      isNotNull: boolean;
    }>(`
      select attrelid || ' ' || attnum as id, attrelid::regclass || ' ' || attname as column,
             format_type(atttypid, null) as "typeName", attnotnull as "isNotNull"
      from pg_attribute where attnum > 0`);
    for (const { id, column, typeName, isNotNull } of columns) {
      if (isNotNull) describer.#notNullColumns.add(id);
      describer.#columns.set(column, { typeName, isNotNull });
    }
    const { rows: functions } = await client.query<{ oid: string; name: string; isStrict: boolean }>(
      `select oid::text, proname as name, proisstrict as "isStrict" from pg_proc`,
    );
    for (const { oid, ...details } of functions) describer.#functions.set(oid, details);
    return describer;
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /**
   * Describes a statement; throws PostgreSQL's error if it is invalid. `isNullableParam` gets the number of a parameter, from 1, and
   * returns whether the program may pass null.
   */
  async describe(text: string, isNullableParam: (number: number) => boolean): Promise<StatementDescription> {
    if (!/^\s*(?:select|insert|update|delete|merge|with|\()/i.test(text)) return this.#runAndRollBack(text);
    await this.#client.query(`prepare described as ${text}`);
    try {
      const { rows } = await this.#client.query<{ params: number[]; results: number[] | null }>(`
        select array(select unnest(parameter_types)::oid::int4) as params,
               array(select unnest(result_types)::oid::int4) as results
        from pg_prepared_statements where name = 'described'`);
      const { params, results } = rows[0]!;
      const queryTree = await this.#parse(text, params, results?.length ? 'setof record' : 'void');
      const columns = findResultColumns(queryTree, this.#createCatalog(isNullableParam));
      return {
        params: params.map((oid) => ({
          typeName: this.#types.get(oid)!.name,
          kinds: this.#findAcceptedKinds(oid),
        })),
        columns: (results ?? []).map((oid, i) => ({
          ...this.#describeType(oid),
          column: columns[i]!.name,
          nullability: columns[i]!.nullability,
        })),
      };
    } finally {
      await this.#client.query('deallocate described');
    }
  }

  /** Runs and rolls back a statement that cannot be prepared (`lock table`, `set local`, `do`). */
  async #runAndRollBack(text: string): Promise<StatementDescription> {
    await this.#client.query('begin');
    try {
      await this.#client.query(text);
    } finally {
      await this.#client.query('rollback');
    }
    return { columns: [], params: [] };
  }

  /** Parses a query: creates a function with it, because PostgreSQL stores the parse tree of a function's body. */
  async #parse(text: string, params: readonly number[], returnType: string): Promise<TreeNode> {
    const types = params.map((oid) => this.#types.get(oid)!.name).join(', ');
    await this.#client.query(
      // The line break ends a comment on the last line of the query.
      `create function pg_temp.described(${types}) returns ${returnType} begin atomic ${text}\n; end`,
    );
    const { rows } = await this.#client.query<{ tree: string }>(
      `select prosqlbody::text as tree from pg_proc where pronamespace = pg_my_temp_schema() and proname = 'described'`,
    );
    await this.#client.query('drop function pg_temp.described');
    return findFirstQuery(parseTree(rows[0]!.tree));
  }

  /** Finds a column of a table: the name of its type, and whether it is `not null`. */
  findColumn(table: string, column: string): { typeName: string; isNotNull: boolean } | undefined {
    return this.#columns.get(`${table} ${column}`);
  }

  #createCatalog(isNullableParam: (number: number) => boolean): Catalog {
    return {
      isNotNull: (table, column) => this.#notNullColumns.has(`${table} ${column}`),
      isStrict: (functionOid) => this.#functions.get(functionOid)?.isStrict ?? false,
      getFunctionName: (functionOid) => this.#functions.get(functionOid)?.name ?? '',
      isNullableParam: (number) => isNullableParam(Number(number)),
    };
  }

  #describeType(oid: number): DatabaseType {
    return { typeName: this.#types.get(oid)!.name, kind: this.#findKind(oid) };
  }

  #findAcceptedKinds(oid: number): ParameterDescription['kinds'] {
    const { name, category, element } = this.#types.get(oid)!;
    if (category === 'A') return { list: this.#findAcceptedKinds(element) as readonly Kind[] };
    // Numbers beyond JavaScript's precision may be sent as text.
    return name === 'numeric' || name === 'bigint' ? ['number', 'string'] : [this.#findKind(oid)];
  }

  #findKind(oid: number): Kind {
    const type = this.#types.get(oid)!;
    if (type.name === 'json' || type.name === 'jsonb') return 'json';
    const sample = this.#createSample(type);
    if (sample === undefined) return 'other';
    const kind = findKindOfValue(pg.types.getTypeParser(oid)(sample));
    // An element of a JSON array may have any kind; an array of a type without a parser remains text.
    if (typeof kind === 'object' && this.#findKind(type.element) === 'json') return { list: 'json' };
    return kind;
  }

  #createSample({ name, category, element }: TypeRow): string | undefined {
    if (category === 'A') {
      const sample = this.#createSample(this.#types.get(element)!);
      return sample === undefined ? undefined : `{${JSON.stringify(sample)}}`;
    }
    return name === 'bytea' ? '\\x00' : SAMPLES[category];
  }
}

/** Sample values by category of types; see pg_type.typcategory. */
const SAMPLES: Record<string, string> = {
  N: '1',
  B: 't',
  D: '2026-01-02 03:04:05+00',
  S: 'a',
  U: '{}',
  Z: 'a',
};

function findKindOfValue(value: unknown): Kind {
  if (Array.isArray(value)) return { list: findKindOfValue(value[0]) };
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
    return typeof value as Kind;
  return 'other';
}

function findFirstQuery(tree: Tree): TreeNode {
  if (isTreeNode(tree)) return tree;
  return findFirstQuery((tree as readonly Tree[])[0]!);
}
