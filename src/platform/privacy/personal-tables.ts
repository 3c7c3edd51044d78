import type { TProperties } from 'typebox';
import { type Columns, EncryptedColumn, isNullable } from '../database/columns.ts';
import type { Queryable, Sql, Tx } from '../database/db.ts';
import { fragment, sql } from '../database/sql.ts';
import type { Vault } from '../vault.ts';
import { declarePersonalEntity, eraseAuditTrail } from './audit-trail.ts';
import {
  type EncryptedColumnOf,
  ERASED,
  type Person,
  type PersonalTable,
  type PersonalTables,
} from './personal-data.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The value that an erasure writes. Of an encrypted column, the value that is encrypted. Columns without a value stay without one. */
type ErasedValues = Readonly<Record<string, string | object | null>>;

/** How the data of a person in a table is found, exported, erased and reencrypted. */
export type PersonalTableRule = {
  /** The condition for the rows of the person. By default those with the id of the customer. */
  readonly where?: (person: Person, vault: Vault) => Sql;
  /** The condition for the rows to erase, if they are not the same. */
  readonly eraseWhere?: (person: Person, vault: Vault) => Sql;
  readonly orderBy?: string;
  /** The declared columns. Encrypted ones are exported decrypted, and reencrypted. */
  readonly columns?: Columns;
  /** The primary key, for a table with encrypted columns. */
  readonly key?: readonly string[];
  /** Columns that are not exported, besides keyed hashes: secrets and internal data. */
  readonly omit?: readonly string[];
  /** See `PersonalTable`. */
  readonly staffOnlyFields?: readonly string[];
  /** Renders an exported row. */
  readonly render?: (row: Row, vault: Vault) => object;
  /**
   * What an erasure does with the rows. Undefined if they identify no person once the other tables are erased: ids and amounts, which the
   * ledger needs.
   */
  readonly erase?: 'delete' | ErasedValues;
  /** Further rows and columns to erase. Called first, with the rows. */
  readonly eraseAlso?: (tx: Tx, rows: readonly Row[], person: Person) => Promise<unknown>;
  /**
   * The entity of the audit trail that a row is, and the column of its id. In its entries the declared fields are masked; they, what is
   * erased here, and `fields` are erased there, too.
   */
  readonly auditTrail?: { readonly kind: string; readonly id: string; readonly fields?: readonly string[] };
  /** Recomputes the keyed hashes of a decrypted row, after a change of LOOKUP_KEY. Returns nothing for an erased row. */
  readonly rehash?: (vault: Vault, row: Row) => Record<string, unknown>;
  /** Recomputes keyed hashes that are stored in other tables. */
  readonly rehashAlso?: (tx: Tx, vault: Vault, row: Row) => Promise<unknown>;
};

/** Declares the tables of a module with personal data, by name. */
export const personalTables = (rules: Readonly<Record<string, PersonalTableRule>>): PersonalTables =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, buildTable(name, rule)]));

/** Identifiers are fragments that are built once, because a fragment identifies a prepared statement. */
const identifier = (name: string): Sql => fragment([name]);

function buildTable(name: string, rule: PersonalTableRule): PersonalTable {
  const { where = ownedByCustomer, eraseWhere = where, staffOnlyFields, auditTrail, erase, eraseAlso } = rule;
  const table = identifier(name);
  const order = fragment([rule.orderBy === undefined ? '' : ` order by ${rule.orderBy}`]);
  const encrypted = listEncryptedColumns(rule.columns);
  const findRows = (db: Queryable, condition: Sql) =>
    db.rows<Row>(sql`select * from ${table} where ${condition}${order}`);
  const isErased = erase !== undefined || eraseAlso !== undefined || auditTrail !== undefined;
  const eraseRows = buildErasure(name, rule, encrypted);
  const fields = Object.assign({}, ...encrypted.map(({ encryption }) => encryption.fields)) as TProperties;
  const trailFields = [
    ...Object.keys(fields),
    ...Object.keys(typeof erase === 'object' ? erase : {}).map((column) => column.replace(/_sealed$/, '')),
    ...(auditTrail?.fields ?? []),
  ];
  if (auditTrail) declarePersonalEntity(auditTrail.kind, fields);
  return {
    ...(staffOnlyFields && { staffOnlyFields }),
    encrypted,
    erases: erase === 'delete' ? 'delete' : Object.keys(erase ?? {}),
    async find(db, person) {
      const omitted = new Set([...(rule.omit ?? []), ...encrypted.map(({ column }) => column)]);
      return (await findRows(db, where(person, db.vault))).map((row) => {
        const decrypted = decryptRow(db.vault, row, encrypted, rule.omit);
        if (rule.render) return rule.render({ ...row, ...decrypted }, db.vault);
        const plain = Object.entries(row).filter(
          ([field, value]) => !omitted.has(field) && !Buffer.isBuffer(value),
        );
        return { ...Object.fromEntries(plain), ...decrypted };
      });
    },
    ...(isErased && {
      async erase(tx: Tx, person: Person) {
        const condition = eraseWhere(person, tx.vault);
        const rows = await findRows(tx, condition);
        if (rows.length === 0) return;
        await eraseAlso?.(tx, rows, person);
        await eraseRows(tx, condition, rows);
        if (auditTrail)
          await eraseAuditTrail(tx, {
            kind: auditTrail.kind,
            ids: rows.map((row) => row[auditTrail.id] as string),
            fields: trailFields,
          });
      },
    }),
    ...(encrypted.length > 0 && { reencrypt: buildReencryption(name, rule, encrypted) }),
  };
}

const ownedByCustomer = ({ id }: Person) => sql`customer_id = ${id}`;

const listEncryptedColumns = (declared: Columns | undefined): EncryptedColumnOf[] =>
  Object.entries(declared?.declared ?? {}).flatMap(([column, encryption]) =>
    encryption instanceof EncryptedColumn ? [{ column, encryption }] : [],
  );

/** Decrypts the columns of a row. The fields of an object replace its column; a text is named as its column without `_sealed`. */
function decryptRow(
  vault: Vault,
  row: Row,
  encrypted: readonly EncryptedColumnOf[],
  omit: readonly string[] = [],
): Row {
  const result: Record<string, unknown> = {};
  for (const { column, encryption } of encrypted) {
    const ciphertext = row[column] as Buffer | null;
    if (omit.includes(column)) continue;
    const value = ciphertext && encryption.decrypt(vault, row[encryption.rowId] as string, ciphertext);
    if (typeof value === 'object' && value !== null) Object.assign(result, value);
    else result[column.replace(/_sealed$/, '')] = value;
  }
  return result;
}

type EraseRows = (tx: Tx, condition: Sql, rows: readonly Row[]) => Promise<void>;

function buildErasure(
  name: string,
  { erase, key, columns }: PersonalTableRule,
  encrypted: readonly EncryptedColumnOf[],
): EraseRows {
  const table = identifier(name);
  if (erase === undefined) return async () => undefined;
  if (erase === 'delete')
    return async (tx, condition) => {
      await tx.run(sql`delete from ${table} where ${condition}`);
    };
  const isEncrypted = (column: string) => encrypted.some((one) => one.column === column);
  const plainValues = Object.entries(erase).filter(([column]) => !isEncrypted(column));
  const setPlain = assignments(
    plainValues.map(([column, value]) => {
      const type = columns?.declared[column]?.type ?? (value === ERASED ? 'text' : undefined);
      return { column, ...(value !== null && type !== undefined && { keepsNullOf: type }) };
    }),
  );
  const updateEncrypted = buildUpdate(name, key ?? [], encrypted);
  return async (tx, condition, rows) => {
    // The encrypted values first: the condition may be about columns that are erased.
    const toErase = encrypted.filter(({ column }) => Object.hasOwn(erase, column));
    if (toErase.length > 0)
      for (const row of rows) {
        const erased = toErase.map(({ column, encryption }) => [
          column,
          row[column] === null || erase[column] === null
            ? null
            : encryption.encrypt(
                tx.vault,
                row[encryption.rowId] as string,
                toErasedValue(encryption, erase[column]),
              ),
        ]);
        await updateEncrypted(tx, row, { ...row, ...Object.fromEntries(erased) });
      }
    if (plainValues.length > 0)
      await tx.run(
        sql`update ${table} set ${setPlain(plainValues.map(([, value]) => value))} where ${condition}`,
      );
  };
}

type Assignment = {
  readonly column: string;
  /** The type of a column whose nulls stay. */
  readonly keepsNullOf?: string;
};

/** Of declared fields each is erased; `value` may say what replaces some of them. */
function toErasedValue({ fields }: EncryptedColumn, value: unknown): unknown {
  if (Object.keys(fields).length === 0) return value;
  const erased = Object.entries(fields).map(([name, schema]) => [name, isNullable(schema) ? null : ERASED]);
  return { ...Object.fromEntries(erased), ...(typeof value === 'object' ? value : {}) };
}

/** Builds `a = $1, b = case when b is not null then $2::text end`. */
function assignments(targets: readonly Assignment[]) {
  const template = [''];
  for (const [i, { column, keepsNullOf }] of targets.entries()) {
    const start = `${i === 0 ? '' : ', '}${column} = `;
    template.push(
      `${template.pop()}${start}${keepsNullOf ? `case when ${column} is not null then ` : ''}`,
      keepsNullOf ? `::${keepsNullOf} end` : '',
    );
  }
  return (values: readonly unknown[]): Sql => fragment(template, [...values]);
}

/** Updates the encrypted columns of a row, unless one of them was changed since it was read. */
function buildUpdate(name: string, key: readonly string[], encrypted: readonly EncryptedColumnOf[]) {
  const table = identifier(name);
  const set = assignments(encrypted.map(({ column }) => ({ column })));
  const isRow = conditions(key, '=');
  const isUnchanged = conditions(
    encrypted.map(({ column }) => column),
    'is not distinct from',
  );
  return (tx: Tx, row: Row, changed: Row): Promise<number> =>
    tx.run(
      sql`update ${table} set ${set(encrypted.map(({ column }) => changed[column]))} where ${isRow(row)} and ${isUnchanged(row)}`,
    );
}

function conditions(columns: readonly string[], operator: string) {
  const template = [
    ...columns.map((column, i) => (i === 0 ? `${column} ${operator} ` : ` and ${column} ${operator} `)),
    '',
  ];
  return (row: Row): Sql =>
    fragment(
      template,
      columns.map((column) => row[column]),
    );
}

function buildReencryption(
  name: string,
  { key = ['id'], rehash, rehashAlso }: PersonalTableRule,
  encrypted: readonly EncryptedColumnOf[],
): NonNullable<PersonalTable['reencrypt']> {
  const table = identifier(name);
  const keyList = identifier(key.join(', '));
  const update = buildUpdate(name, key, encrypted);
  const hasOtherKey = [
    ...encrypted.map(({ column }, i) => `${i === 0 ? '' : ' or '}substr(${column}, 1, 4) <> `),
    '',
  ];
  const isAfter = [`(${key.join(', ')}) > (`, ...key.slice(1).fill(', '), ')'];
  const setHashes = new Map<string, ReturnType<typeof assignments>>();
  const isRow = conditions(key, '=');

  return async (tx, vault, { afterKey, limit, includesCurrent }) => {
    const start = afterKey ?? key.map(() => '');
    const outdated = fragment(
      hasOtherKey,
      encrypted.map(() => vault.versionPrefix),
    );
    const rows = await tx.rows<Row>(sql`
      select * from ${table} where ${fragment(isAfter, [...start])} and (${includesCurrent} or ${outdated})
      order by ${keyList} limit ${limit}`);
    let count = 0;
    for (const row of rows) {
      const ciphertexts = encrypted.map(({ column, encryption }) => {
        const rowId = row[encryption.rowId] as string;
        const ciphertext = row[column] as Buffer | null;
        return [
          column,
          ciphertext && encryption.encrypt(vault, rowId, encryption.decrypt(vault, rowId, ciphertext)),
        ];
      });
      await update(tx, row, { ...row, ...Object.fromEntries(ciphertexts) });
      count += 1;
      if (!includesCurrent) continue;
      const decrypted = { ...row, ...decryptRow(vault, row, encrypted) };
      const hashes = Object.entries(rehash?.(vault, decrypted) ?? {});
      if (hashes.length > 0) {
        const columnNames = hashes.map(([column]) => column);
        const set =
          setHashes.get(columnNames.join()) ?? assignments(columnNames.map((column) => ({ column })));
        setHashes.set(columnNames.join(), set);
        await tx.run(sql`update ${table} set ${set(hashes.map(([, hash]) => hash))} where ${isRow(row)}`);
        await rehashAlso?.(tx, vault, decrypted);
      }
    }
    const last = rows.at(-1);
    return { count, lastKey: last && key.map((column) => last[column] as string) };
  };
}
