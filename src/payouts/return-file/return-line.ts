import type { Bilingual } from '#core/bilingual.ts';

/** What a line of the bank's file says became of a payout. `unclear`: a person has to look at it. */
export type Says =
  | { status: 'paid'; reference: string }
  | { status: 'failed'; reason: string }
  | { status: 'pending'; note: Bilingual }
  | { status: 'unclear'; why: Bilingual };

/** `name`: the payout's id or bank number, in lower case. */
export type PayoutResult = { name: string; amountCents: number | undefined; says: Says };

/** A line about a payout, or what is wrong with it. */
export type ReturnLine = { line: number } & (PayoutResult | { fault: Bilingual });

export const MOST_REFERENCE = 100;
export const MOST_REASON = 200;

export const unclear = (en: string, pt: string): Says => ({ status: 'unclear', why: { en, pt } });
