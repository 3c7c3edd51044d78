import type { Static } from 'typebox';
import { cents, reaisOf, sum, toReais } from '#core/money.ts';
import type { LineOutcome, ReturnFileOutcome } from '../schemas.ts';
import type { LineResult } from './apply-return-file.ts';

/** How many lines became this, and what their payouts come to. */
export function totalOf(
  results: readonly LineResult[],
  outcome: LineOutcome,
): { lines: number; amount: number } {
  const those = results.filter((result) => result.outcome === outcome);
  const amounts = those.map(({ payout }) => cents(payout?.amount_cents ?? 0));
  return { lines: those.length, amount: toReais(sum(amounts)) };
}

export const renderReturnFile = (
  results: readonly LineResult[],
  language: 'en' | 'pt',
): Static<typeof ReturnFileOutcome> => ({
  totals: {
    paid: totalOf(results, 'paid'),
    failed: totalOf(results, 'failed'),
    already: totalOf(results, 'already'),
    waiting: totalOf(results, 'waiting'),
    bad: totalOf(results, 'bad'),
  },
  data: results.map(({ line, outcome, payout, message }) => ({
    line,
    outcome,
    payout: payout?.id ?? null,
    merchant: payout?.merchant_slug ?? null,
    amount: payout ? reaisOf(payout.amount_cents) : null,
    message: message[language],
  })),
});
