import type { Bilingual } from '#core/values/bilingual.ts';

/** The status of a payout according to a line of the bank's file. `unclear`: a person must check it. */
export type ReportedStatus =
  | { status: 'paid'; reference: string }
  | { status: 'failed'; reason: string }
  | { status: 'pending'; note: Bilingual }
  | { status: 'unclear'; message: Bilingual };

/** `payoutKey` is the id or the bank number of the payout, in lower case. */
export type PayoutResult = { payoutKey: string; amountCents: number | undefined; reported: ReportedStatus };

/** A line about a payout, or the error in it. */
export type ReturnLine = { line: number } & (PayoutResult | { fault: Bilingual });

export const MAX_REFERENCE_LENGTH = 100;
export const MAX_REASON_LENGTH = 200;

export const unclearStatus = (en: string, pt: string): ReportedStatus => ({
  status: 'unclear',
  message: { en, pt },
});
