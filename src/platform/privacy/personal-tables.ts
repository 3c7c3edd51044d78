import type { TProperties } from 'typebox';
import { type Columns, EncryptedColumn, isNullable } from '../database/columns.ts';
import type { Queryable, Sql, Tx } from '../database/db.ts';
import { fragment, sql } from '../database/sql.ts';
import type { Vault } from '../vault.ts';
import { declarePersonalEntity, eraseAuditTrail } from './audit-trail.ts';
import {
  ERASED,
  type NamedEncryptedColumn,
  type Person,
  type PersonalTable,
  type PersonalTables,
} from './personal-data.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The values that an erasure writes, for an encrypted column before its encryption. Columns that are null stay null. */
type ErasedValues = Readonly<Record<string, string | object | null>>;

/** Declares how the data of a person in a table is found, exported, erased and reencrypted. */
export type PersonalTableRule = {
  /** The condition for the rows of the person. By default `customer_id` is the id of the person. */
  readonly where?: (person: Person, vault: Vault) => Sql;
  /** The condition for the rows to erase, if it differs from `where`. */
  readonly eraseWhere?: (person: Person, vault: Vault) => Sql;
  readonly orderBy?: string;
  /** The declared columns. Encrypted columns are decrypted in an export, and reencrypted. */
  readonly columns?: Columns;
  /** The columns of the primary key. The default is `id`. */
  readonly key?: readonly string[];
  /** Columns that are not exported, besides keyed hashes: secrets and internal data. */
  readonly omitFromExport?: readonly string[];
  readonly staffOnlyFields?: readonly string[];
  /** Renders the exported form of a row, whose encrypted columns are already decrypted. */
  readonly render?: (row: Row, vault: Vault) => object;
  /** Undefined if the rows identify no person after other tables are erased: they have only ids and amounts, which the ledger needs. */
  readonly erase?: 'delete' | ErasedValues;
  /** Erases further rows and columns, before `erase` is applied to `rows`. */
  readonly eraseRelated?: (tx: Tx, rows: readonly Row[], person: Person) => Promise<unknown>;
  /**
   * The audit trail entity of a row, with the column of its id. Its declared fields are masked in entries. An erasure also erases `fields`
   * and all columns of `erase`.
   */
  readonly auditTrail?: {
    readonly kind: string;
    readonly idColumn: string;
    readonly fields?: readonly string[];
  };
  /** Recomputes the keyed hashes of a decrypted row, after a change of LOOKUP_KEY. Returns an empty object for an erased row. */
  readonly rehash?: (vault: Vault, row: Row) => Record<string, unknown>;
  /** Recomputes keyed hashes that are stored in other tables. */
  readonly rehashOtherTables?: (tx: Tx, vault: Vault, row: Row) => Promise<unknown>;
};

export const definePersonalTables = (rules: Readonly<Record<string, PersonalTableRule>>): PersonalTables =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, buildTable(name, rule)]));

const fragmentsByText = new Map<string, Sql>();

/** Turns a declared text, such as a name, into a part of a statement. Parts are cached, because their identity identifies a prepared statement. */
function toFragment(text: string): Sql {
  const textFragment = fragmentsByText.get(text) ?? fragment([text]);
  fragmentsByText.set(text, textFragment);
  return textFragment;
}

const joinSql = (parts: readonly Sql[], separator: Sql): Sql =>
  parts.reduce((joined, part) => sql`${joined}${separator}${part}`);
const COMMA = sql`, `;
const AND = sql` and `;
const OR = sql` or `;

function buildTable(name: string, rule: PersonalTableRule): PersonalTable {
  const {
    where = matchCustomer,
    eraseWhere = where,
    staffOnlyFields,
    auditTrail,
    erase,
    eraseRelated,
  } = rule;
  const table = toFragment(name);
  const orderClause = toFragment(rule.orderBy === undefined ? '' : ` order by ${rule.orderBy}`);
  const encryptedColumns = listEncryptedColumns(rule.columns);
  const findRows = (db: Queryable, condition: Sql) =>
    db.rows<Row>(sql`select * from ${table} where ${condition}${orderClause}`);
  const isErased = erase !== undefined || eraseRelated !== undefined || auditTrail !== undefined;
  const encryptedFields = Object.assign(
    {},
    ...encryptedColumns.map(({ encryption }) => encryption.fields),
  ) as TProperties;
  const erasedTrailFields = [
    ...Object.keys(encryptedFields),
    ...Object.keys(typeof erase === 'object' ? erase : {}).map((column) => column.replace(/_sealed$/, '')),
    ...(auditTrail?.fields ?? []),
  ];
  if (auditTrail) declarePersonalEntity(auditTrail.kind, encryptedFields);
  return {
    ...(staffOnlyFields && { staffOnlyFields }),
    encryptedColumns,
    erasedColumns: erase === 'delete' ? 'delete' : Object.keys(erase ?? {}),
    async find(db, person) {
      const omittedColumns = new Set([
        ...(rule.omitFromExport ?? []),
        ...encryptedColumns.map(({ column }) => column),
      ]);
      return (await findRows(db, where(person, db.vault))).map((row) => {
        const decryptedFields = decryptRow(db.vault, row, encryptedColumns, rule.omitFromExport);
        if (rule.render) return rule.render({ ...row, ...decryptedFields }, db.vault);
        const plainFields = Object.entries(row).filter(
          ([field, value]) => !omittedColumns.has(field) && !Buffer.isBuffer(value),
        );
        return { ...Object.fromEntries(plainFields), ...decryptedFields };
      });
    },
    ...(isErased && {
      async erase(tx: Tx, person: Person) {
        const condition = eraseWhere(person, tx.vault);
        const rows = await findRows(tx, condition);
        if (rows.length === 0) return;
        await eraseRelated?.(tx, rows, person);
        await eraseRows(tx, { table, rule, encryptedColumns }, condition, rows);
        if (auditTrail)
          await eraseAuditTrail(tx, {
            kind: auditTrail.kind,
            ids: rows.map((row) => row[auditTrail.idColumn] as string),
            fields: erasedTrailFields,
          });
      },
    }),
    ...(encryptedColumns.length > 0 && { reencrypt: buildReencryption({ table, rule, encryptedColumns }) }),
  };
}

const matchCustomer = ({ id }: Person) => sql`customer_id = ${id}`;

const listEncryptedColumns = (columns: Columns | undefined): NamedEncryptedColumn[] =>
  Object.entries(columns?.declarations ?? {}).flatMap(([column, encryption]) =>
    encryption instanceof EncryptedColumn ? [{ column, encryption }] : [],
  );

/** Decrypts the columns of a row. The fields of an object replace its column; a text gets the name of its column without `_sealed`. */
function decryptRow(
  vault: Vault,
  row: Row,
  encryptedColumns: readonly NamedEncryptedColumn[],
  omitFromExport: readonly string[] = [],
): Row {
  const decryptedFields: Record<string, unknown> = {};
  for (const { column, encryption } of encryptedColumns) {
    if (omitFromExport.includes(column)) continue;
    const ciphertext = row[column] as Buffer | null;
    const value = ciphertext && encryption.decrypt(vault, row[encryption.rowIdColumn] as string, ciphertext);
    if (typeof value === 'object' && value !== null) Object.assign(decryptedFields, value);
    else decryptedFields[column.replace(/_sealed$/, '')] = value;
  }
  return decryptedFields;
}

type EncryptedTable = {
  readonly table: Sql;
  readonly rule: PersonalTableRule;
  readonly encryptedColumns: readonly NamedEncryptedColumn[];
};

async function eraseRows(
  tx: Tx,
  encryptedTable: EncryptedTable,
  condition: Sql,
  rows: readonly Row[],
): Promise<void> {
  const { table, rule, encryptedColumns } = encryptedTable;
  const { erase, columns } = rule;
  if (erase === undefined) return;
  if (erase === 'delete') {
    await tx.run(sql`delete from ${table} where ${condition}`);
    return;
  }
  // Encrypted columns are erased first, row by row, because `condition` may read columns that are erased below.
  const columnsToErase = encryptedColumns.filter(({ column }) => Object.hasOwn(erase, column));
  if (columnsToErase.length > 0)
    for (const row of rows) {
      const erasedValues = columnsToErase.map(({ column, encryption }) => {
        if (row[column] === null || erase[column] === null) return [column, null];
        const value = toErasedValue(encryption, erase[column]);
        return [column, encryption.encrypt(tx.vault, row[encryption.rowIdColumn] as string, value)];
      });
      await updateEncrypted(tx, encryptedTable, row, Object.fromEntries(erasedValues));
    }
  const plainValues = Object.entries(erase).filter(
    ([name]) => !columnsToErase.some(({ column }) => column === name),
  );
  if (plainValues.length === 0) return;
  const assignments = plainValues.map(([name, value]) => {
    const column = toFragment(name);
    const columnType = columns?.declarations[name]?.type ?? (value === ERASED ? 'text' : undefined);
    if (value === null || columnType === undefined) return sql`${column} = ${value}`;
    return sql`${column} = case when ${column} is not null then ${value}::${toFragment(columnType)} end`;
  });
  await tx.run(sql`update ${table} set ${joinSql(assignments, COMMA)} where ${condition}`);
}

/** Returns the value to encrypt in place of an erased one: each declared field is `ERASED` or null, unless `value` has it. */
function toErasedValue({ fields }: EncryptedColumn, value: unknown): unknown {
  if (Object.keys(fields).length === 0) return value;
  const erasedFields = Object.entries(fields).map(([name, schema]) => [
    name,
    isNullable(schema) ? null : ERASED,
  ]);
  return { ...Object.fromEntries(erasedFields), ...(typeof value === 'object' ? value : {}) };
}

const DEFAULT_KEY = ['id'];

const matchRow = ({ key = DEFAULT_KEY }: PersonalTableRule, row: Row): Sql =>
  joinSql(
    key.map((column) => sql`${toFragment(column)} = ${row[column]}`),
    AND,
  );

/** Updates encrypted columns of a row, unless an encrypted column was changed since the row was read. */
function updateEncrypted(tx: Tx, { table, rule, encryptedColumns }: EncryptedTable, row: Row, changes: Row) {
  const changedRow = { ...row, ...changes };
  const assignments = encryptedColumns.map(
    ({ column }) => sql`${toFragment(column)} = ${changedRow[column]}`,
  );
  const unchangedConditions = encryptedColumns.map(
    ({ column }) => sql`${toFragment(column)} is not distinct from ${row[column]}`,
  );
  return tx.run(
    sql`update ${table} set ${joinSql(assignments, COMMA)} where ${matchRow(rule, row)} and ${joinSql(unchangedConditions, AND)}`,
  );
}

function buildReencryption(encryptedTable: EncryptedTable): NonNullable<PersonalTable['reencrypt']> {
  const { table, rule, encryptedColumns } = encryptedTable;
  const { key = DEFAULT_KEY, rehash, rehashOtherTables } = rule;
  const keyList = toFragment(key.join(', '));
  const beforeAllKeys = key.map(() => '');
  return async (tx, vault, { afterKey = beforeAllKeys, limit, includesCurrent }) => {
    const startKey = afterKey.map((value) => sql`${value}`);
    const outdatedConditions = encryptedColumns.map(
      ({ column }) => sql`substr(${toFragment(column)}, 1, 4) <> ${vault.versionPrefix}`,
    );
    const rows = await tx.rows<Row>(sql`
      select * from ${table} where (${keyList}) > (${joinSql(startKey, COMMA)}) and (${includesCurrent} or ${joinSql(outdatedConditions, OR)})
      order by ${keyList} limit ${limit}`);
    for (const row of rows) {
      const ciphertexts = encryptedColumns.map(({ column, encryption }) => {
        const rowId = row[encryption.rowIdColumn] as string;
        const ciphertext = row[column] as Buffer | null;
        return [
          column,
          ciphertext && encryption.encrypt(vault, rowId, encryption.decrypt(vault, rowId, ciphertext)),
        ];
      });
      await updateEncrypted(tx, encryptedTable, row, Object.fromEntries(ciphertexts));
      if (!includesCurrent) continue;
      const decryptedRow = { ...row, ...decryptRow(vault, row, encryptedColumns) };
      const hashes = Object.entries(rehash?.(vault, decryptedRow) ?? {});
      if (hashes.length === 0) continue;
      const assignments = hashes.map(([column, hash]) => sql`${toFragment(column)} = ${hash}`);
      await tx.run(sql`update ${table} set ${joinSql(assignments, COMMA)} where ${matchRow(rule, row)}`);
      await rehashOtherTables?.(tx, vault, decryptedRow);
    }
    const lastRow = rows.at(-1);
    return { count: rows.length, lastKey: lastRow && key.map((column) => lastRow[column] as string) };
  };
}
