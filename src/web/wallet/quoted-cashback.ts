import type { components } from '#client';
import { parseReais, sum, toReais } from '#core/money.ts';
import { parsePercent, percentDown } from '#core/percent.ts';

type Quote = components['schemas']['Quote'];

/** What comes back at the most: of each installment by itself, rounded down. */
export function quotedCashback(quote: {
  installments: Pick<Quote['installments'][number], 'amount'>[];
  terms: Pick<Quote['terms'], 'cashback_percent'>;
}): number {
  const rate = parsePercent(quote.terms.cashback_percent)!;
  return toReais(sum(quote.installments.map(({ amount }) => percentDown(parseReais(amount)!, rate))));
}
