import type { Bilingual } from '#core/values/bilingual.ts';
import type { EncryptedColumn } from '../database/columns.ts';
import { type Db, type Queryable, sql, type Tx } from '../database/db.ts';
import type { Vault } from '../vault.ts';

/** An event in the history of a customer, described for the customer. */
export type TimelineEntry = {
  readonly at: Date;
  /** The kind of event, for programs. */
  readonly kind: string;
  readonly text: string;
  /** The text without personal data, if `text` contains any. */
  readonly masked?: string;
  readonly checkout_hash?: string;
  readonly installment_id?: string;
  readonly pix_id?: string;
  readonly end_to_end_id?: string;
  readonly session_id?: string;
  readonly message_id?: string;
  readonly trail_id?: number;
};

type TimelinePage = { readonly total: number; readonly entries: TimelineEntry[] };

/** Lists the newest `limit` entries of a customer, newest first, and the total count. */
export type ListTimeline = (db: Queryable, customerId: string, limit: number) => Promise<TimelinePage>;

export type Person = {
  readonly id: string;
  readonly phone: string;
  readonly email: string;
  readonly cpf: string;
  /** Keyed hashes of the phone number, as stored by limits and codes. */
  readonly phoneHashes: readonly Buffer[];
};

export type PersonalTable = {
  /** Fields written by staff for internal use, which are not part of the customer's export. */
  readonly staffOnlyFields?: readonly string[];
  /** `encryptedColumns` and `erasedColumns` are undefined if the functions below are written by hand. */
  readonly encryptedColumns?: readonly NamedEncryptedColumn[];
  /** The columns that an erasure overwrites, or 'delete' if it deletes the rows. */
  readonly erasedColumns?: 'delete' | readonly string[];
  /** Finds the person's data in this table for an access request: decrypted, without our secrets. */
  find(db: Queryable, person: Person): Promise<object[]>;
  erase?(tx: Tx, person: Person): Promise<unknown>;
  /** Reencrypts some rows and returns the key of the last one, which is undefined if there was none. */
  reencrypt?(
    tx: Tx,
    vault: Vault,
    batch: ReencryptBatch,
  ): Promise<{ count: number; lastKey: string[] | undefined }>;
};

export type NamedEncryptedColumn = { readonly column: string; readonly encryption: EncryptedColumn };

export type PersonalTables = Readonly<Record<string, PersonalTable>>;

/** Selects the next rows after a key, in the order of keys. */
export type ReencryptBatch = {
  readonly afterKey: readonly string[] | undefined;
  readonly limit: number;
  /** Includes rows that are encrypted with the current key, and recomputes keyed hashes. */
  readonly includesCurrent: boolean;
};

export type PersonalData = {
  readonly timeline?: ListTimeline;
  /** Every table of the module with personal data. A test finds missing tables. */
  readonly tables?: PersonalTables;
  /** Lists the current debts of and to the person, which prevent their erasure. */
  listOpenDebts?(db: Queryable, customerId: string): Promise<OpenDebt[]>;
};

/** An open debt: a sentence, a code for programs, and the resources it concerns. */
export type OpenDebt = Bilingual & {
  readonly code: string;
  readonly checkouts?: readonly string[];
  readonly refunds?: readonly string[];
  readonly amount?: number;
};

export const ERASED = 'apagado';

const REENCRYPT_BATCH_SIZE = 200;

/** Reencrypts a table, a few rows per transaction. Returns the number of rows. */
export async function reencryptTable(
  db: Db,
  vault: Vault,
  reencrypt: NonNullable<PersonalTable['reencrypt']>,
  { includesCurrent }: Pick<ReencryptBatch, 'includesCurrent'>,
): Promise<number> {
  let count = 0;
  for (let afterKey: string[] | undefined; ; ) {
    const batch = await db.transaction(async (tx) => {
      // Append-only tables allow reencryption as they allow erasure: see append_only in the migrations.
      await setErasing(tx, 'on');
      return reencrypt(tx, vault, { afterKey, limit: REENCRYPT_BATCH_SIZE, includesCurrent });
    });
    if (batch.lastKey === undefined) return count;
    count += batch.count;
    afterKey = batch.lastKey;
  }
}

/** Allows or forbids changes of append-only tables for the rest of the transaction. Citus passes SET on to its shards. */
export async function setErasing(tx: Tx, setting: 'on' | 'off'): Promise<void> {
  await tx.run(
    setting === 'on' ? sql`set local semana.erasing = 'on'` : sql`set local semana.erasing = 'off'`,
  );
}

export function toTimelinePage<R extends { total: number }>(
  rows: readonly R[],
  toEntry: (row: R) => TimelineEntry,
): TimelinePage {
  return { total: rows[0]?.total ?? 0, entries: rows.map(toEntry) };
}

/** Merges several timelines, newest entry first. Entries of the same instant are in the order of the arguments. */
export const mergeTimelines =
  (...timelines: readonly ListTimeline[]): ListTimeline =>
  async (db, customerId, limit) => {
    const pages = await Promise.all(timelines.map((listTimeline) => listTimeline(db, customerId, limit)));
    return {
      total: pages.reduce((sum, { total }) => sum + total, 0),
      entries: pages.flatMap(({ entries }) => entries).toSorted((a, b) => b.at.getTime() - a.at.getTime()),
    };
  };

/** Formats a day as `31/05/2026`. */
export const formatBrazilianDay = (day: string): string => day.split('-').toReversed().join('/');
