import type { Bilingual } from '#core/bilingual.ts';
import { type Db, type Queryable, type Sql, sql, type Tx } from '../database/db.ts';
import type { Vault } from './vault.ts';

/** Something that happened to a customer, in words that can be read out to them. */
export type StoryLine = {
  readonly at: Date;
  /** What it is, for programs. */
  readonly kind: string;
  /** A sentence in Portuguese. */
  readonly text: string;
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

/** Whom data is about: by everything that finds it. */
export type Person = {
  readonly id: string;
  readonly phone: string;
  readonly email: string;
  /** Keyed hashes of the phone, by which limits and codes know it. */
  readonly subjects: readonly Buffer[];
};

type PersonalTable = {
  /** What the table holds on the person, as it is given out to them: opened, and without secrets of ours. */
  find(db: Queryable, person: Person, vault: Vault): Promise<object[]>;
  /**
   * Leaves nothing that tells who it was. Where there is none, what is left once the others have done so names nobody: ids and
   * amounts, which the book needs.
   */
  erase?(tx: Tx, person: Person, vault: Vault): Promise<unknown>;
  /**
   * Seals with the key that seals now what is sealed with another; `all`: everything, and makes its keyed hashes anew. How many rows.
   * Where there is none, nothing is sealed, or it is gone within 90 days.
   */
  reseal?(db: Db, vault: Vault, all: boolean): Promise<number>;
};

/** What a module knows of people, and answers for. */
export type PersonalData = {
  readonly story?: Storyteller;
  /** Every table of the module that holds something on people. A test finds those that are missing. */
  readonly tables?: Readonly<Record<string, PersonalTable>>;
  /** What the person owes, or is owed, at the moment: a sentence each. */
  owed?(tx: Tx, customerId: string): Promise<Bilingual[]>;
};

/** What stands where something of a person stood. */
export const ERASED = 'apagado';

/** The rows of a statement, but for bytes: those are seals and hashes. */
export const rowsOf = (statement: (person: Person) => Sql): PersonalTable => ({
  async find(db, person) {
    const rows = await db.rows<Record<string, unknown>>(statement(person));
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => !Buffer.isBuffer(value))),
    );
  },
});

const RESEAL_BATCH_SIZE = 200;

/** Goes through a table in order of its ids, a few rows a transaction. `next` answers the ids it did, of those after the given one. */
export async function resealInBatches(
  db: Db,
  next: (tx: Tx, afterId: string, limit: number) => Promise<string[]>,
): Promise<number> {
  let count = 0;
  for (let afterId = ''; ; ) {
    const ids = await db.transaction(async (tx) => {
      // What is append-only lets seals be changed as it lets people be forgotten: see append_only in the migrations.
      await markErasing(tx, 'on');
      return next(tx, afterId, RESEAL_BATCH_SIZE);
    });
    if (ids.length === 0) return count;
    count += ids.length;
    afterId = ids.at(-1)!;
  }
}

/** For the rest of the transaction, or no more: see append_only in the migrations. As a SET, which Citus takes to its shards. */
export async function markErasing(tx: Tx, setting: 'on' | 'off'): Promise<void> {
  await tx.run(
    setting === 'on' ? sql`set local semana.erasing = 'on'` : sql`set local semana.erasing = 'off'`,
  );
}

/** Rows with `total`, the number of all there are, as lines. What is not worth a line is left out by the statement. */
export function told<R extends { total: number }>(
  rows: readonly R[],
  line: (row: R) => StoryLine,
): StoryPage {
  return { total: rows[0]?.total ?? 0, lines: rows.map(line) };
}

/** Several stories as one. Of what happened at the same instant, what is told first stays above. */
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
