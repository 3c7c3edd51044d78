import type { Cents } from '#core/money.ts';
import type { ReceiptFacts } from '#core/receipts.ts';
import type { Entry } from '#ledger';
import type { ResultColumns } from './receipt.ts';

/** What an installment means in the book when it is agreed. */
export function agreedEntries(
  installmentId: string,
  { amount, principal, interest }: { amount: Cents; principal: Cents; interest: Cents },
): Entry[] {
  return [
    { account: 'receivable', installmentId, amountCents: amount },
    { account: 'merchant_payable', installmentId, amountCents: -principal },
    { account: 'finance_income', installmentId, amountCents: -interest },
  ];
}

/**
 * What a receipt means in the book: the money at the PSP, or the cashback that was spent, on one side; penalties, fee, what is no longer owed, and what is
 * to be refunded on the other. Reversed, it is as if it had never been, but for what is held for a refund: that leaves by the
 * refund.
 */
export function receiptEntries(
  installmentId: string,
  facts: Pick<ReceiptFacts, 'source' | 'amount' | 'refunded' | 'taken' | 'reversedAt'>,
  result: ResultColumns,
): Entry[] {
  const { source, amount, taken, reversedAt } = facts;
  // Cashback that is held has gone back to the customer's cashback already.
  const refunded = source === 'cashback' ? 0 : facts.refunded;
  const here = amount - taken - (facts.refunded - refunded);
  if (reversedAt !== null) {
    return [
      { account: 'pix_clearing', installmentId, amountCents: refunded },
      { account: 'refunds_payable', installmentId, amountCents: -refunded },
    ];
  }
  return [
    {
      account: source === 'cashback' ? 'cashback_clearing' : 'pix_clearing',
      installmentId,
      amountCents: here,
    },
    { account: 'penalty_income', installmentId, amountCents: -(result.interest_cents + result.fine_cents) },
    { account: 'extension_income', installmentId, amountCents: -result.fee_cents },
    { account: 'receivable', installmentId, amountCents: -(result.principal_cents + result.discount_cents) },
    { account: 'finance_income', installmentId, amountCents: result.discount_cents },
    { account: 'refunds_payable', installmentId, amountCents: -(result.excess_cents + refunded) },
  ];
}
