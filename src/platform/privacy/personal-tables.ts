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
  readonly eraseWhere?: (person: Person, vault: Vault) => Sql;
  readonly orderBy?: string;
  /** The declared columns. Encrypted ones are exported decrypted, and reencrypted. */
  readonly columns?: Columns;
  readonly key?: readonly string[];
  /** Columns that are not exported, besides keyed hashes: secrets and internal data. */
  readonly omit?: readonly string[];
  readonly staffOnlyFields?: readonly string[];
  readonly render?: (row: Row, vault: Vault) => object;
  /** Undefined if the rows identify no person once other tables are erased: ids and amounts, which the ledger needs. */
  readonly erase?: 'delete' | ErasedValues;
  /** Further rows and columns to erase. Called first, with the rows. */
  readonly eraseAlso?: (tx: Tx, rows: readonly Row[], person: Person) => Promise<unknown>;
  /**
   * The entity of the audit trail that a row is. Declared fields are masked in its entries; what is erased here, and `fields`, is erased.
   */
  readonly auditTrail?: { readonly kind: string; readonly id: string; readonly fields?: readonly string[] };
  /** Recomputes the keyed hashes of a decrypted row, after a change of LOOKUP_KEY. Returns nothing for an erased row. */
  readonly rehash?: (vault: Vault, row: Row) => Record<string, unknown>;
  /** Recomputes keyed hashes that are stored in other tables. */
  readonly rehashAlso?: (tx: Tx, vault: Vault, row: Row) => Promise<unknown>;
};

export const personalTables = (rules: Readonly<Record<string, PersonalTableRule>>): PersonalTables =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, buildTable(name, rule)]));

const fragments = new Map<string, Sql>();

/** A name as a part of a statement. Each name is one fragment, because a fragment identifies a prepared statement. */
function identifier(name: string): Sql {
  const known = fragments.get(name) ?? fragment([name]);
  fragments.set(name, known);
  return known;
}

const join = (parts: readonly Sql[], separator: Sql): Sql =>
  parts.reduce((joined, part) => sql`${joined}${separator}${part}`);
const COMMA = sql`, `;
const AND = sql` and `;
const OR = sql` or `;

function buildTable(name: string, rule: PersonalTableRule): PersonalTable {
  const { where = ownedByCustomer, eraseWhere = where, staffOnlyFields, auditTrail, erase, eraseAlso } = rule;
  const table = identifier(name);
  const order = identifier(rule.orderBy === undefined ? '' : ` order by ${rule.orderBy}`);
  const encrypted = listEncryptedColumns(rule.columns);
  const findRows = (db: Queryable, condition: Sql) =>
    db.rows<Row>(sql`select * from ${table} where ${condition}${order}`);
  const isErased = erase !== undefined || eraseAlso !== undefined || auditTrail !== undefined;
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
        await eraseRows(tx, { table, rule, encrypted }, condition, rows);
        if (auditTrail)
          await eraseAuditTrail(tx, {
            kind: auditTrail.kind,
            ids: rows.map((row) => row[auditTrail.id] as string),
            fields: trailFields,
          });
      },
    }),
    ...(encrypted.length > 0 && { reencrypt: buildReencryption({ table, rule, encrypted }) }),
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

type Target = {
  readonly table: Sql;
  readonly rule: PersonalTableRule;
  readonly encrypted: readonly EncryptedColumnOf[];
};

async function eraseRows(tx: Tx, target: Target, condition: Sql, rows: readonly Row[]): Promise<void> {
  const { table, rule, encrypted } = target;
  const { erase, columns } = rule;
  if (erase === undefined) return;
  if (erase === 'delete') {
    await tx.run(sql`delete from ${table} where ${condition}`);
    return;
  }
  // The encrypted values first: the condition may be about columns that are erased.
  const toErase = encrypted.filter(({ column }) => Object.hasOwn(erase, column));
  if (toErase.length > 0)
    for (const row of rows) {
      const erased = toErase.map(({ column, encryption }) => {
        if (row[column] === null || erase[column] === null) return [column, null];
        const value = toErasedValue(encryption, erase[column]);
        return [column, encryption.encrypt(tx.vault, row[encryption.rowId] as string, value)];
      });
      await updateEncrypted(tx, target, row, Object.fromEntries(erased));
    }
  const plainValues = Object.entries(erase).filter(
    ([name]) => !toErase.some(({ column }) => column === name),
  );
  if (plainValues.length === 0) return;
  const assignments = plainValues.map(([name, value]) => {
    const column = identifier(name);
    const type = columns?.declared[name]?.type ?? (value === ERASED ? 'text' : undefined);
    if (value === null || type === undefined) return sql`${column} = ${value}`;
    return sql`${column} = case when ${column} is not null then ${value}::${identifier(type)} end`;
  });
  await tx.run(sql`update ${table} set ${join(assignments, COMMA)} where ${condition}`);
}

/** Of declared fields each is erased; `value` may say what replaces some of them. */
function toErasedValue({ fields }: EncryptedColumn, value: unknown): unknown {
  if (Object.keys(fields).length === 0) return value;
  const erased = Object.entries(fields).map(([name, schema]) => [name, isNullable(schema) ? null : ERASED]);
  return { ...Object.fromEntries(erased), ...(typeof value === 'object' ? value : {}) };
}

const DEFAULT_KEY = ['id'];

const isRow = ({ key = DEFAULT_KEY }: PersonalTableRule, row: Row): Sql =>
  join(
    key.map((column) => sql`${identifier(column)} = ${row[column]}`),
    AND,
  );

/** Updates encrypted columns of a row, unless one of the table's was changed since the row was read. */
function updateEncrypted(tx: Tx, { table, rule, encrypted }: Target, row: Row, changes: Row) {
  const assignments = encrypted.map(
    ({ column }) => sql`${identifier(column)} = ${{ ...row, ...changes }[column]}`,
  );
  const unchanged = encrypted.map(
    ({ column }) => sql`${identifier(column)} is not distinct from ${row[column]}`,
  );
  return tx.run(
    sql`update ${table} set ${join(assignments, COMMA)} where ${isRow(rule, row)} and ${join(unchanged, AND)}`,
  );
}

function buildReencryption(target: Target): NonNullable<PersonalTable['reencrypt']> {
  const { table, rule, encrypted } = target;
  const { key = DEFAULT_KEY, rehash, rehashAlso } = rule;
  const keyList = identifier(key.join(', '));
  return async (tx, vault, { afterKey = key.map(() => ''), limit, includesCurrent }) => {
    const start = afterKey.map((value) => sql`${value}`);
    const outdated = encrypted.map(
      ({ column }) => sql`substr(${identifier(column)}, 1, 4) <> ${vault.versionPrefix}`,
    );
    const rows = await tx.rows<Row>(sql`
      select * from ${table} where (${keyList}) > (${join(start, COMMA)}) and (${includesCurrent} or ${join(outdated, OR)})
      order by ${keyList} limit ${limit}`);
    for (const row of rows) {
      const ciphertexts = encrypted.map(({ column, encryption }) => {
        const rowId = row[encryption.rowId] as string;
        const ciphertext = row[column] as Buffer | null;
        return [
          column,
          ciphertext && encryption.encrypt(vault, rowId, encryption.decrypt(vault, rowId, ciphertext)),
        ];
      });
      await updateEncrypted(tx, target, row, Object.fromEntries(ciphertexts));
      if (!includesCurrent) continue;
      const decrypted = { ...row, ...decryptRow(vault, row, encrypted) };
      const hashes = Object.entries(rehash?.(vault, decrypted) ?? {});
      if (hashes.length === 0) continue;
      const assignments = hashes.map(([column, hash]) => sql`${identifier(column)} = ${hash}`);
      await tx.run(sql`update ${table} set ${join(assignments, COMMA)} where ${isRow(rule, row)}`);
      await rehashAlso?.(tx, vault, decrypted);
    }
    const last = rows.at(-1);
    return { count: rows.length, lastKey: last && key.map((column) => last[column] as string) };
  };
}
