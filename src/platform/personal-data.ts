import type { Queryable } from './db.ts';

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

/** What a module knows of people, and answers for. */
export type PersonalData = { readonly story?: Storyteller };

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
