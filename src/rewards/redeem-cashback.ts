import { saoPauloDay } from '#core/day.ts';
import { type Cents, cents, min } from '#core/money.ts';
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
  /** By default all that is available, or what settles the installment now if that is less. */
  readonly value?: Cents;
};

/**
 * Spends cashback on an installment. Locks the customer first, which serializes it with everything else that moves the cashback
 * or the debt.
 */
export async function redeemCashback(
  tx: CustomerTx,
  { customerId, installmentId, value }: Redemption,
  context: EventContext,
): Promise<{ appliedCents: Cents; balanceCents: Cents }> {
  await lockCustomerById(tx, customerId);
  const { now } = context;
  const owed = await findDebt(tx, customerId, installmentId, now.getTime());
  if (!owed) throw notFound(NO_INSTALLMENT);
  if (owed.debt.status === 'paid') throw installmentPaid();
  const today = saoPauloDay(now.getTime());
  const available = cents((await findBalances(tx, customerId, today)).balance_cents);
  if (available <= 0) throw noCashback();
  const most = min(available, owed.debt.settleAmount);
  const amountCents = value ?? most;
  if (amountCents < 1 || amountCents > most) throw valueOutOfRange('paid', cents(1), most);
  const place = { customerId, checkoutHash: owed.checkoutHash, installmentId };
  const name = `parcela ${owed.number} de ${owed.installmentsTotal}, ${owed.merchantName}`;
  const description = `Pago com cashback: ${name}`;
  const movement = { ...place, kind: 'redeemed', causedAt: now, description, amountCents } as const;
  const id = await debitCashback(tx, movement, context);
  const received = {
    customerId,
    installmentId,
    reference: receiptReference(id),
    source: 'cashback',
    receivedAt: new Date(owed.at),
    amountCents,
    purpose: 'pay',
    // After events that the PSP's clock puts into the future, at today's price.
    ...(owed.at > now.getTime() && { pricedOn: today }),
  } as const;
  const { toRefund, stranded } = await applyReceipt(tx, received, context);
  if (toRefund.length + stranded.length > 0) throw new Error(`more cashback than ${installmentId} owed`);
  return { appliedCents: amountCents, balanceCents: cents(available - amountCents) };
}

/** The reference of its receipt: the line of the statement. */
export const receiptReference = (movementId: string) => `cashback ${movementId}`;
