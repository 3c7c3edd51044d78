import { fragment, type Sql, sql } from './sql.ts';

/** A column: the type it has in the database, and what the program has of it. */
export class Column<T, Type extends string = string> {
  readonly type: Type;
  declare readonly value: T;

  constructor(type: Type) {
    this.type = type;
  }

  nullable(): Column<T | null, Type> {
    return new Column(this.type);
  }
}

export const column = {
  text: <T extends string = string>() => new Column<T, 'text'>('text'),
  date: <T extends string = string>() => new Column<T, 'date'>('date'),
  bigint: <T extends number = number>() => new Column<T, 'bigint'>('bigint'),
  integer: <T extends number = number>() => new Column<T, 'integer'>('integer'),
  smallint: <T extends number = number>() => new Column<T, 'smallint'>('smallint'),
  /** A text, which loses no digit. */
  numeric: () => new Column<string, 'numeric'>('numeric'),
  boolean: () => new Column<boolean, 'boolean'>('boolean'),
  timestamptz: () => new Column<Date, 'timestamptz'>('timestamptz'),
  bytea: () => new Column<Buffer, 'bytea'>('bytea'),
  textArray: <T extends string = string>() => new Column<T[], 'text[]'>('text[]'),
  /** An array is given as JSON text: the driver would send an array of the database. */
  jsonb: <T extends object | string>() => new Column<T, 'jsonb'>('jsonb'),
};

type Declared = Readonly<Record<string, Column<unknown>>>;

/**
 * The columns of a table, or some of them, declared once: `RowOf` is the type of a row, and the lists of statements follow. The
 * texts are made once, from the declaration alone, so a statement stays one prepared statement.
 */
export class Columns<D extends Declared = Declared> {
  readonly declared: D;
  readonly #names: readonly string[];
  readonly #parts: readonly string[];
  readonly #list: Sql;
  readonly #first: Sql;
  readonly #rest: Sql;
  readonly #definitions: Sql;
  readonly #excluded: Sql;
  readonly #lists = new Map<string, Sql>();

  constructor(declared: D) {
    this.declared = declared;
    const names = Object.keys(declared);
    const listed = names.join(', ');
    this.#names = names;
    this.#parts = [`(${listed}) values (`, ...names.slice(1).fill(', '), ')'];
    this.#list = fragment([`(${listed}) select `]);
    const [first, ...rest] = names;
    this.#first = fragment([`k.${first}`]);
    this.#rest = fragment([rest.map((name) => `, k.${name}`).join('')]);
    this.#definitions = fragment([names.map((name) => `${name} ${declared[name]!.type}`).join(', ')]);
    this.#excluded = fragment([names.map((name) => `${name} = excluded.${name}`).join(', ')]);
  }

  /** `insert into table ${columns.values(row)}`: one row. */
  values(row: Row<D>): Sql {
    return fragment(
      this.#parts,
      this.#names.map((name) => row[name]),
    );
  }

  /**
   * `insert into table ${columns.each(rows)}`: any number of rows, as JSON, in a table `k`. `first` is what the first column gets:
   * `owner` of a batchable statement, for one. JSON has no bytes.
   */
  each(rows: 'bytea' extends D[keyof D]['type'] ? never : ReadonlyArray<Row<D>>, first = this.#first): Sql {
    return sql`${this.#list}${first}${this.#rest} from jsonb_to_recordset(${JSON.stringify(rows)}) as k (${this.#definitions})`;
  }

  /** `select ${columns.of('c')} from table c`. */
  of(alias: string): Sql {
    return this.#listed(`${alias}.`, (name) => `${alias}.${name}`);
  }

  /** `json_build_object(${columns.pairs('c')})`. */
  pairs(alias: string): Sql {
    return this.#listed(alias, (name) => `'${name}', ${alias}.${name}`);
  }

  #listed(key: string, write: (name: string) => string): Sql {
    const list = this.#lists.get(key) ?? fragment([this.#names.map(write).join(', ')]);
    this.#lists.set(key, list);
    return list;
  }

  /** `on conflict (id) do update set ${columns.excluded}`: all get the values of the row that was not inserted. */
  get excluded(): Sql {
    return this.#excluded;
  }
}

type Row<D extends Declared> = { [Name in keyof D]: D[Name]['value'] };
export type RowOf<C> = C extends Columns<infer D> ? Row<D> : never;

export const columns = <D extends Declared>(declared: D): Columns<D> => new Columns(declared);
