import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Vault } from '../vault.ts';
import { fragment, type Sql, sql } from './sql.ts';

/** A column, with its type in the database (`type`) and in the program (`value`, which exists only for the compiler). */
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

type TextFormat<T> = { toText(value: T): string; fromText(text: string): T };

const PLAIN_TEXT: TextFormat<string> = { toText: (value) => value, fromText: (text) => text };
const JSON_TEXT = { toText: JSON.stringify, fromText: JSON.parse };

export const isNullable = ({ type }: TSchema & { type?: unknown }): boolean =>
  Array.isArray(type) && type.includes('null');

function createFieldsFormat(fields: TProperties) {
  const nullableFields = Object.entries(fields).filter(([, schema]) => isNullable(schema));
  const nullValues = Object.fromEntries(nullableFields.map(([name]) => [name, null]));
  return { toText: JSON.stringify, fromText: (text: string) => ({ ...nullValues, ...JSON.parse(text) }) };
}

/**
 * The ciphertext is bound to `context`, which differs between columns unless it is empty, and to the value of `rowIdColumn`, `id` by
 * default: copied to another column or row, it does not decrypt.
 */
type EncryptedOptions = { context: string; rowIdColumn?: string; fields?: TProperties };

/**
 * An encrypted column with values of the type `V`, which decrypt to `T`. Key rotation, export and erasure are derived from it: see
 * `platform/privacy/personal-tables.ts`.
 */
export class EncryptedColumn<
  V extends Buffer | null = Buffer | null,
  Type extends string = 'bytea',
  T = unknown,
> extends Column<V, Type> {
  readonly #format: TextFormat<T>;
  readonly #context: string;
  readonly rowIdColumn: string;
  /** The schemas of the fields of an object, which say how they are masked. */
  readonly fields: TProperties;

  constructor(
    type: Type,
    format: TextFormat<T>,
    { context, rowIdColumn = 'id', fields = {} }: EncryptedOptions,
  ) {
    super(type);
    this.#format = format;
    this.#context = context;
    this.rowIdColumn = rowIdColumn;
    this.fields = fields;
  }

  override nullable(): EncryptedColumn<V | null, Type, T> {
    return new EncryptedColumn<V | null, Type, T>(this.type, this.#format, {
      context: this.#context,
      rowIdColumn: this.rowIdColumn,
      fields: this.fields,
    });
  }

  encrypt(vault: Vault, rowId: string, value: T): Buffer {
    return vault.encryptPacked(this.#format.toText(value), this.#buildBinding(rowId));
  }

  decrypt(vault: Vault, rowId: string, encrypted: Buffer): T {
    return this.#format.fromText(vault.decryptPacked(encrypted, this.#buildBinding(rowId)));
  }

  /** Builds the text that the ciphertext is bound to. */
  #buildBinding(rowId: string): string {
    return this.#context === '' ? rowId : `${this.#context} ${rowId}`;
  }
}

export const column = {
  text: <T extends string = string>() => new Column<T, 'text'>('text'),
  date: <T extends string = string>() => new Column<T, 'date'>('date'),
  bigint: <T extends number = number>() => new Column<T, 'bigint'>('bigint'),
  integer: <T extends number = number>() => new Column<T, 'integer'>('integer'),
  smallint: <T extends number = number>() => new Column<T, 'smallint'>('smallint'),
  /** A string, which preserves all digits. */
  numeric: () => new Column<string, 'numeric'>('numeric'),
  boolean: () => new Column<boolean, 'boolean'>('boolean'),
  timestamptz: () => new Column<Date, 'timestamptz'>('timestamptz'),
  bytea: () => new Column<Buffer, 'bytea'>('bytea'),
  /** A column of any other type. Its value is not typed. */
  ofType: <Type extends string>(type: Type) => new Column<unknown, Type>(type),
  textArray: <T extends string = string>() => new Column<T[], 'text[]'>('text[]'),
  /** Pass an array as JSON text; the driver would send it as a PostgreSQL array. */
  jsonb: <T extends object | string>() => new Column<T, 'jsonb'>('jsonb'),
  encrypted: <T extends object>(options: EncryptedOptions) =>
    new EncryptedColumn<Buffer, 'bytea', T>('bytea', JSON_TEXT, options),
  /** An encrypted object whose fields are declared. A nullable field that an older row lacks is null. */
  encryptedFields: <P extends TProperties>(fields: P, options: EncryptedOptions) =>
    new EncryptedColumn<Buffer, 'bytea', Static<TObject<P>>>('bytea', createFieldsFormat(fields), {
      ...options,
      fields,
    }),
  encryptedText: (options: EncryptedOptions) =>
    new EncryptedColumn<Buffer, 'bytea', string>('bytea', PLAIN_TEXT, options),
};

type ColumnDeclarations = Readonly<Record<string, Column<unknown>>>;

/** The columns of a table. Their SQL texts are built once, so that a statement stays one prepared statement. */
export class Columns<D extends ColumnDeclarations = ColumnDeclarations> {
  readonly declarations: D;
  readonly #names: readonly string[];
  readonly #valuesTemplate: readonly string[];
  readonly #insertHead: Sql;
  readonly #firstColumn: Sql;
  readonly #otherColumns: Sql;
  readonly #definitions: Sql;
  readonly #excluded: Sql;
  readonly #listCache = new Map<string, Sql>();

  constructor(declarations: D) {
    this.declarations = declarations;
    const names = Object.keys(declarations);
    const nameList = names.join(', ');
    this.#names = names;
    this.#valuesTemplate = [`(${nameList}) values (`, ...names.slice(1).fill(', '), ')'];
    this.#insertHead = fragment([`(${nameList}) select `]);
    const [firstName, ...otherNames] = names;
    this.#firstColumn = fragment([`input.${firstName}`]);
    this.#otherColumns = fragment([otherNames.map((name) => `, input.${name}`).join('')]);
    this.#definitions = fragment([names.map((name) => `${name} ${declarations[name]!.type}`).join(', ')]);
    this.#excluded = fragment([names.map((name) => `${name} = excluded.${name}`).join(', ')]);
  }

  /** Inserts one row: `insert into table ${columns.values(row)}`. */
  values(row: TableRow<D>): Sql {
    return fragment(
      this.#valuesTemplate,
      this.#names.map((name) => row[name]),
    );
  }

  /**
   * Inserts any number of rows, passed as JSON and joined as `input`. `firstExpression` replaces the first column: Citus routes a row only by
   * a customer id that is a value of the statement. Not for bytea columns.
   */
  valuesFromJson(
    rows: 'bytea' extends D[keyof D]['type'] ? never : ReadonlyArray<TableRow<D>>,
    firstExpression = this.#firstColumn,
  ): Sql {
    return sql`${this.#insertHead}${firstExpression}${this.#otherColumns} from jsonb_to_recordset(${JSON.stringify(rows)}) as input (${this.#definitions})`;
  }

  /** Lists the columns: `select ${columns.selectFrom('c')} from table c`. */
  selectFrom(alias: string): Sql {
    return this.#getCachedList(`select ${alias}`, (name) => `${alias}.${name}`);
  }

  /** Lists names and columns: `json_build_object(${columns.jsonPairs('c')})`. */
  jsonPairs(alias: string): Sql {
    return this.#getCachedList(`json ${alias}`, (name) => `'${name}', ${alias}.${name}`);
  }

  #getCachedList(key: string, format: (name: string) => string): Sql {
    const list = this.#listCache.get(key) ?? fragment([this.#names.map(format).join(', ')]);
    this.#listCache.set(key, list);
    return list;
  }

  /** Sets all columns to the values of the row that was not inserted: `on conflict (id) do update set ${columns.excluded}`. */
  get excluded(): Sql {
    return this.#excluded;
  }
}

export type TableRow<D extends ColumnDeclarations> = { [Name in keyof D]: D[Name]['value'] };
export type RowOf<C> = C extends Columns<infer D> ? TableRow<D> : never;

export const columns = <D extends ColumnDeclarations>(declarations: D): Columns<D> =>
  new Columns(declarations);
