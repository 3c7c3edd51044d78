import type { Static } from 'typebox';
import { cents, centsToReais, sum, toReais } from '#core/values/money.ts';
import type { LineOutcome, ReturnFileOutcome } from '../schemas.ts';
import type { LineResult } from './apply-return-file.ts';

/** Counts the lines with this outcome, and sums the amounts of their payouts. */
function sumOutcome(results: readonly LineResult[], outcome: LineOutcome): { lines: number; amount: number } {
  const matching = results.filter((result) => result.outcome === outcome);
  const amounts = matching.map(({ payout }) => cents(payout?.amount_cents ?? 0));
  return { lines: matching.length, amount: toReais(sum(amounts)) };
}

export const renderReturnFile = (
  results: readonly LineResult[],
  language: 'en' | 'pt',
): Static<typeof ReturnFileOutcome> => ({
  totals: {
    paid: sumOutcome(results, 'paid'),
    failed: sumOutcome(results, 'failed'),
    already: sumOutcome(results, 'already'),
    waiting: sumOutcome(results, 'waiting'),
    bad: sumOutcome(results, 'bad'),
  },
  data: results.map(({ line, outcome, payout, message }) => ({
    line,
    outcome,
    payout: payout?.id ?? null,
    merchant: payout?.merchant_slug ?? null,
    amount: payout ? centsToReais(payout.amount_cents) : null,
    message: message[language],
  })),
});
