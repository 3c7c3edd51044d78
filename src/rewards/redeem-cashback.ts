import { saoPauloDay } from '#core/values/day.ts';
import { type Cents, cents, min } from '#core/values/money.ts';
import { applyReceipt, findDebt, installmentPaid, NO_INSTALLMENT, valueOutOfRange } from '#credit';
import { lockCustomerById } from '#customers';
import type { EventContext } from '#events';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { notFound } from '#platform/problem.ts';
import { debitCashback } from './cashback-account.ts';
import { noCashback } from './problems.ts';
import { findBalances } from './reading-store.ts';

type Redemption = {
  readonly customerId: string;
  readonly installmentId: string;
  /** Defaults to the available cashback, or to the amount that settles the installment now if that is less. */
  readonly value?: Cents;
};

/**
 * Spends cashback on an installment. Locks the customer first, which serializes it with all other changes of the cashback or the
 * debt.
 */
export async function redeemCashback(
  tx: CustomerTx,
  { customerId, installmentId, value }: Redemption,
  context: EventContext,
): Promise<{ appliedCents: Cents; balanceCents: Cents }> {
  await lockCustomerById(tx, customerId);
  const { now } = context;
  const installment = await findDebt(tx, customerId, installmentId, now.getTime());
  if (!installment) throw notFound(NO_INSTALLMENT);
  if (installment.debt.status === 'paid') throw installmentPaid();
  const today = saoPauloDay(now.getTime());
  const available = cents((await findBalances(tx, customerId, today)).balance_cents);
  if (available <= 0) throw noCashback();
  const maxAmount = min(available, installment.debt.settleAmount);
  const amountCents = value ?? maxAmount;
  if (amountCents < 1 || amountCents > maxAmount) throw valueOutOfRange('paid', cents(1), maxAmount);
  const ids = { customerId, checkoutHash: installment.checkoutHash, installmentId };
  const installmentName = `parcela ${installment.number} de ${installment.installmentsTotal}, ${installment.merchantName}`;
  const description = `Pago com cashback: ${installmentName}`;
  const movement = { ...ids, kind: 'redeemed', causedAt: now, description, amountCents } as const;
  const id = await debitCashback(tx, movement, context);
  const received = {
    customerId,
    installmentId,
    reference: toReceiptReference(id),
    source: 'cashback',
    receivedAt: new Date(installment.at),
    amountCents,
    purpose: 'pay',
    // If the PSP's clock is ahead, the receipt comes after its events, but at today's price.
    ...(installment.at > now.getTime() && { pricedOn: today }),
  } as const;
  const { toRefund, stranded } = await applyReceipt(tx, received, context);
  if (toRefund.length + stranded.length > 0)
    throw new Error(`more cashback was spent than installment ${installmentId} owed`);
  return { appliedCents: amountCents, balanceCents: cents(available - amountCents) };
}

/** The receipt refers to the line of the statement. */
export const toReceiptReference = (movementId: string) => `cashback ${movementId}`;
