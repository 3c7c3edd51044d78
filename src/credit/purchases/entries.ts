import type { PurchaseAllocation } from '#core/finance/purchase.ts';
import { RECEIPT_SOURCES, type ReceiptFacts } from '#core/finance/receipts.ts';
import type { PaymentParts } from '#core/finance/shares.ts';
import { type Cents, sum } from '#core/values/money.ts';
import type { Entry } from '#ledger';
import type { ResultColumns } from './receipt.ts';

export function buildReceivableEntries(
  installmentId: string,
  { amount, principal, interest }: { amount: Cents; principal: Cents; interest: Cents },
): Entry[] {
  return [
    { account: 'receivable', installmentId, amountCents: amount },
    { account: 'merchant_payable', installmentId, amountCents: -principal },
    { account: 'finance_income', installmentId, amountCents: -interest },
  ];
}

/** Books the outstanding amount of an installment as a loss. A negative amount, after a payment, reduces the loss. */
export function buildWriteOffEntries(installmentId: string, outstanding: number): Entry[] {
  return [
    { account: 'receivable', installmentId, amountCents: -outstanding },
    { account: 'credit_losses', installmentId, amountCents: outstanding },
  ];
}

type PaidShare = Readonly<PaymentParts> & { readonly installmentId: string };

/** Waived penalties are posted both as income and as waived, so that the ledger shows the cost of the waiver. */
function buildWaiverEntries(installmentId: string, waivedCents: number): Entry[] {
  return [
    { account: 'penalty_income', installmentId, amountCents: -waivedCents },
    { account: 'penalties_waived', installmentId, amountCents: waivedCents },
  ];
}

type EntryFacts = Pick<ReceiptFacts, 'source' | 'refunded' | 'credited' | 'reversedAt'>;

/**
 * Builds the ledger entries of a receipt. One side is the money at the PSP, or the spent cashback. The other side is penalties, fee,
 * settled debt, refunds and cashback. A reversed receipt has entries only for amounts that are held for a refund or were converted to
 * cashback, because separate postings clear them.
 */
function buildMoneyEntries(
  installmentId: string,
  { source, refunded, credited, reversedAt }: EntryFacts,
  paidShares: readonly PaidShare[],
  { excess, waived }: { excess: number; waived: number },
): Entry[] {
  const { clearing } = RECEIPT_SOURCES[source];
  // Excess cashback has already been credited to the customer again.
  const heldCents = source === 'cashback' ? 0 : refunded;
  const heldEntries: Entry[] = [
    { account: clearing, installmentId, amountCents: heldCents + credited },
    { account: 'refunds_payable', installmentId, amountCents: -heldCents },
    { account: 'cashback_clearing', installmentId, amountCents: -credited },
  ];
  if (reversedAt !== null) return heldEntries;
  return [
    ...heldEntries,
    { account: clearing, installmentId, amountCents: excess },
    { account: 'refunds_payable', installmentId, amountCents: -excess },
    ...buildWaiverEntries(installmentId, waived),
    ...paidShares.flatMap(({ installmentId: id, interest, fine, fee, principal, discount }): Entry[] => [
      { account: clearing, installmentId: id, amountCents: interest + fine + fee + principal },
      { account: 'penalty_income', installmentId: id, amountCents: -(interest + fine) },
      { account: 'extension_income', installmentId: id, amountCents: -fee },
      { account: 'receivable', installmentId: id, amountCents: -(principal + discount) },
      { account: 'finance_income', installmentId: id, amountCents: discount },
    ]),
  ];
}

/** Builds the entries of a receipt that pays only its own installment. */
export function buildReceiptEntries(installmentId: string, facts: EntryFacts, result: ResultColumns) {
  const paidShare = {
    installmentId,
    interest: result.interest_cents,
    fine: result.fine_cents,
    fee: result.fee_cents,
    principal: result.principal_cents,
    discount: result.discount_cents,
  };
  const waived = result.waived_fine_cents + result.waived_interest_cents;
  return buildMoneyEntries(installmentId, facts, [paidShare], { excess: result.excess_cents, waived });
}

/** Builds the entries of a purchase with returns and of its receipts, as if only the remaining goods had been bought. */
export function buildPurchaseEntries(
  installmentIds: readonly string[],
  { schedule, receipts }: Pick<PurchaseAllocation, 'schedule' | 'receipts'>,
): Entry[] {
  const getId = (index: number) => installmentIds[index]!;
  return [
    ...schedule.flatMap((agreed, index) => buildReceivableEntries(getId(index), agreed)),
    ...receipts.flatMap(({ facts, event, shares, excess }) => {
      const waived = event?.kind === 'payment' && event.waived ? sum(Object.values(event.waived)) : 0;
      const paidShares = shares.map((share) => ({ ...share, installmentId: getId(share.installmentIndex) }));
      return buildMoneyEntries(getId(facts.installmentIndex), facts, paidShares, { excess, waived });
    }),
  ];
}
