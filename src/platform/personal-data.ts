import type { Queryable, Sql, Tx } from './db.ts';
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

export type Told = { readonly total: number; readonly lines: StoryLine[] };

/** The newest `most` lines, newest first, and how many there are. */
export type Storyteller = (db: Queryable, customerId: string, most: number) => Promise<Told>;

/** Whom data is about: by everything that finds it. */
export type Person = {
  readonly id: string;
  readonly phone: string;
  readonly email: string;
  /** Keyed hashes of the phone, by which limits and codes know it. */
  readonly subjects: readonly Buffer[];
};

export type PersonalTable = {
  /** What the table holds on the person, as it is given out to them: opened, and without secrets of ours. */
  find(db: Queryable, person: Person, vault: Vault): Promise<object[]>;
  /**
   * Leaves nothing that tells who it was. Where there is none, what is left once the others have done so names nobody: ids and
   * amounts, which the book needs.
   */
  erase?(tx: Tx, person: Person, vault: Vault): Promise<unknown>;
};

/** What a module knows of people, and answers for. */
export type PersonalData = {
  readonly story?: Storyteller;
  /** Every table of the module that holds something on people. A test finds those that are missing. */
  readonly tables?: Readonly<Record<string, PersonalTable>>;
  /** What the person owes, or is owed, at the moment: a sentence each. */
  owed?(tx: Tx, customerId: string): Promise<string[]>;
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

/** Rows with `total`, the number of all there are, as lines. What is not worth a line is left out by the statement. */
export function told<R extends { total: number }>(rows: readonly R[], line: (row: R) => StoryLine): Told {
  return { total: rows[0]?.total ?? 0, lines: rows.map(line) };
}

/** Several into one. Of what happened at the same instant, what is told first stays above. */
export function mergeTold(all: readonly Told[]): Told {
  return {
    total: all.reduce((sum, { total }) => sum + total, 0),
    lines: all.flatMap(({ lines }) => lines).toSorted((a, b) => b.at.getTime() - a.at.getTime()),
  };
}

const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** `R$ 1.234,50`, with a plain blank. */
export const spokenReais = (cents: number): string => REAIS.format(cents / 100).replaceAll('\u00a0', ' ');

/** `31/05/2026` */
export const spokenDay = (day: string): string => day.split('-').toReversed().join('/');
