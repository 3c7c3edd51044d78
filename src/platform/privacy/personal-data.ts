import type { Bilingual } from '#core/bilingual.ts';
import { type Db, type Queryable, type Sql, sql, type Tx } from '../database/db.ts';
import type { Vault } from '../vault.ts';

/** Something that happened to a customer, in words for the customer. */
export type StoryLine = {
  readonly at: Date;
  /** The kind, for programs. */
  readonly kind: string;
  /** A sentence in Portuguese. */
  readonly text: string;
  /** The same for who may not see personal data, where `text` has some. */
  readonly masked?: string;
  readonly checkout_hash?: string;
  readonly installment_id?: string;
  readonly pix_id?: string;
  readonly end_to_end_id?: string;
  readonly session_id?: string;
  readonly message_id?: string;
  readonly trail_id?: number;
};

type StoryPage = { readonly total: number; readonly lines: StoryLine[] };

/** The newest `most` lines, newest first, and how many there are. */
export type Storyteller = (db: Queryable, customerId: string, most: number) => Promise<StoryPage>;

/** The person, by everything that data can be found by. */
export type Person = {
  readonly id: string;
  readonly phone: string;
  readonly email: string;
  readonly cpf: string;
  /** Keyed hashes of the phone, as limits and codes store it. */
  readonly subjects: readonly Buffer[];
};

type PersonalTable = {
  /** Fields that staff wrote for themselves: not in what the customer exports. */
  readonly forStaff?: readonly string[];
  /** The table's data on the person for an access request: decrypted, without our secrets. */
  find(db: Queryable, person: Person, vault: Vault): Promise<object[]>;
  /**
   * Erases what identifies the person. Left out where the rest identifies nobody once the other tables are erased: ids and
   * amounts, which the ledger needs.
   */
  erase?(tx: Tx, person: Person, vault: Vault): Promise<unknown>;
  /**
   * Reencrypts a batch with the current key: what was encrypted with another; `all`: everything, keyed hashes included. Returns the
   * ids. Left out where nothing is encrypted, or rows are deleted within 90 days.
   */
  reseal?(tx: Tx, vault: Vault, batch: ResealBatch): Promise<string[]>;
};

/** The next rows after an id, in the order of ids. */
export type ResealBatch = { readonly afterId: string; readonly limit: number; readonly all: boolean };

export type PersonalData = {
  readonly story?: Storyteller;
  /** Every table of the module with personal data. A test finds missing ones. */
  readonly tables?: Readonly<Record<string, PersonalTable>>;
  /** What the person owes or is owed now, which keeps them from being erased. */
  owed?(db: Queryable, customerId: string): Promise<OpenDebt[]>;
};

/** One thing that is owed: a sentence, a code for programs, and what it is about. */
export type OpenDebt = Bilingual & {
  readonly code: string;
  readonly checkouts?: readonly string[];
  readonly refunds?: readonly string[];
  readonly amount?: number;
};

/** Replaces an erased value. */
export const ERASED = 'apagado';

/** The rows of a statement without binary columns, which are ciphertexts and hashes. */
export const rowsOf = (statement: (person: Person) => Sql): PersonalTable => ({
  async find(db, person) {
    const rows = await db.rows<Record<string, unknown>>(statement(person));
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => !Buffer.isBuffer(value))),
    );
  },
});

const RESEAL_BATCH_SIZE = 200;

/** Reencrypts a table, a few rows per transaction. Returns the number of rows. */
export async function resealTable(
  db: Db,
  vault: Vault,
  reseal: NonNullable<PersonalTable['reseal']>,
  all: boolean,
): Promise<number> {
  let count = 0;
  for (let afterId = ''; ; ) {
    const ids = await db.transaction(async (tx) => {
      // Append-only tables allow reencryption as they allow erasure: see append_only in the migrations.
      await markErasing(tx, 'on');
      return reseal(tx, vault, { afterId, limit: RESEAL_BATCH_SIZE, all });
    });
    if (ids.length === 0) return count;
    count += ids.length;
    afterId = ids.at(-1)!;
  }
}

/**
 * For the rest of the transaction, or off again: see append_only in the migrations. As a SET, which Citus passes on to its
 * shards.
 */
export async function markErasing(tx: Tx, setting: 'on' | 'off'): Promise<void> {
  await tx.run(
    setting === 'on' ? sql`set local semana.erasing = 'on'` : sql`set local semana.erasing = 'off'`,
  );
}

/** Rows with `total`, the count of all, as lines. The statement leaves out what is not worth a line. */
export function told<R extends { total: number }>(
  rows: readonly R[],
  line: (row: R) => StoryLine,
): StoryPage {
  return { total: rows[0]?.total ?? 0, lines: rows.map(line) };
}

/** Merges several stories. At the same instant the order of the arguments decides. */
export const storyOf =
  (...tellers: readonly Storyteller[]): Storyteller =>
  async (db, customerId, most) => {
    const all = await Promise.all(tellers.map((tell) => tell(db, customerId, most)));
    return {
      total: all.reduce((sum, { total }) => sum + total, 0),
      lines: all.flatMap(({ lines }) => lines).toSorted((a, b) => b.at.getTime() - a.at.getTime()),
    };
  };

/** `31/05/2026` */
export const spokenDay = (day: string): string => day.split('-').toReversed().join('/');
