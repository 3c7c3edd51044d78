import type { Cents } from '#core/money.ts';
import type { PurchaseAllocation } from '#core/purchase.ts';
import type { ReceiptFacts } from '#core/receipts.ts';
import type { Entry } from '#ledger';
import type { ResultColumns } from './receipt.ts';

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

/** What is owed on an installment of a written-off purchase is a loss. A payment reduces the loss. */
export function writtenOffEntries(installmentId: string, outstanding: number): Entry[] {
  return [
    { account: 'receivable', installmentId, amountCents: -outstanding },
    { account: 'credit_losses', installmentId, amountCents: outstanding },
  ];
}

/** The part of a receipt that pays an installment, in centavos. */
type PaidShare = {
  readonly installmentId: string;
  readonly interest: number;
  readonly fine: number;
  readonly fee: number;
  readonly principal: number;
  readonly discount: number;
};

type Facts = Pick<ReceiptFacts, 'source' | 'refunded' | 'credited' | 'reversedAt'>;

/**
 * The ledger entries of a receipt. One side: the money at the PSP, or the cashback that was spent. Other side: penalties, fee,
 * settled debt, what is to be refunded and what became cashback. A reversed receipt has no entries, except for what is held for a
 * refund or became cashback: that leaves by itself.
 */
function moneyEntries(
  installmentId: string,
  { source, refunded, credited, reversedAt }: Facts,
  paid: readonly PaidShare[],
  excess: number,
): Entry[] {
  const clearing = source === 'cashback' ? 'cashback_clearing' : 'pix_clearing';
  // Held cashback has already been returned to the customer's cashback.
  const held = source === 'cashback' ? 0 : refunded;
  const gone: Entry[] = [
    { account: clearing, installmentId, amountCents: held + credited },
    { account: 'refunds_payable', installmentId, amountCents: -held },
    { account: 'cashback_clearing', installmentId, amountCents: -credited },
  ];
  if (reversedAt !== null) return gone;
  return [
    ...gone,
    { account: clearing, installmentId, amountCents: excess },
    { account: 'refunds_payable', installmentId, amountCents: -excess },
    ...paid.flatMap(({ installmentId: id, interest, fine, fee, principal, discount }): Entry[] => [
      { account: clearing, installmentId: id, amountCents: interest + fine + fee + principal },
      { account: 'penalty_income', installmentId: id, amountCents: -(interest + fine) },
      { account: 'extension_income', installmentId: id, amountCents: -fee },
      { account: 'receivable', installmentId: id, amountCents: -(principal + discount) },
      { account: 'finance_income', installmentId: id, amountCents: discount },
    ]),
  ];
}

/** For a receipt that pays only its own installment. */
export function receiptEntries(installmentId: string, facts: Facts, result: ResultColumns): Entry[] {
  const paid = {
    installmentId,
    interest: result.interest_cents,
    fine: result.fine_cents,
    fee: result.fee_cents,
    principal: result.principal_cents,
    discount: result.discount_cents,
  };
  return moneyEntries(installmentId, facts, [paid], result.excess_cents);
}

/** The ledger entries of a purchase and its receipts after a return: as if the purchase had been that much smaller. */
export function purchaseEntries(
  installmentIds: readonly string[],
  { schedule, receipts }: Pick<PurchaseAllocation, 'schedule' | 'receipts'>,
): Entry[] {
  const idOf = (installment: number) => installmentIds[installment]!;
  return [
    ...schedule.flatMap((agreed, i) => agreedEntries(idOf(i), agreed)),
    ...receipts.flatMap(({ facts, shares, excess }) => {
      const paid = shares.map((share) => ({ ...share, installmentId: idOf(share.installment) }));
      return moneyEntries(idOf(facts.installment), facts, paid, excess);
    }),
  ];
}
