import type { Pix } from '../pix.ts';
import type { Charge } from '../psp/index.ts';
import type { ChargeRow } from '../store/charges.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { findChargePayments } from './find-payments.ts';
import { recordDiscrepancy } from './record-discrepancy.ts';
import { settlePayment } from './settle-payment.ts';

/** Settles the payments of a charge at the PSP, and records discrepancies. Returns the number of new payments. */
export async function settlePayments(
  pix: Pix,
  charge: ChargeRow,
  pspCharge: Pick<Charge, 'status' | 'payments' | 'unreadable'> | null,
  endToEndId: string | null = null,
): Promise<number> {
  const payments = await findChargePayments(pix, charge, pspCharge, endToEndId);
  let newCount = 0;
  for (const received of payments) {
    const [owner] = await listPaymentOwners(pix.db, [received.endToEndId]);
    newCount += await settlePayment(pix, charge, received, owner);
  }
  for (const { endToEndId: id } of pspCharge?.unreadable ?? []) {
    const isSettled = payments.some((payment) => payment.endToEndId === id);
    const [owner] = isSettled || id === null ? [] : await listPaymentOwners(pix.db, [id]);
    if (!isSettled && owner?.charge_id !== charge.id)
      await recordDiscrepancy(pix, charge, 'unreadable_payment', id ?? '');
  }
  if (pspCharge?.status === 'paid' && payments.length === 0 && charge.status !== 'paid')
    await recordDiscrepancy(pix, charge, 'paid_without_payment');
  return newCount;
}
