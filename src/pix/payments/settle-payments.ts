import type { Pix } from '../pix.ts';
import type { Charge } from '../psp/index.ts';
import type { ChargeRow } from '../store/charges.ts';
import { listPaymentOwners } from '../store/payments.ts';
import { findPayments } from './find-payments.ts';
import { recordDiscrepancy } from './record-discrepancy.ts';
import { settlePayment } from './settle-payment.ts';

/** Settles what was paid. What the PSP has and we cannot account for is recorded for the operator. */
export async function settlePayments(
  pix: Pix,
  charge: ChargeRow,
  theirs: Pick<Charge, 'status' | 'payments' | 'unreadable'> | null,
  endToEndId: string | null = null,
): Promise<number> {
  const payments = await findPayments(pix, charge, theirs, endToEndId);
  let fresh = 0;
  for (const received of payments) {
    const [owner] = await listPaymentOwners(pix.db, [received.endToEndId]);
    fresh += await settlePayment(pix, charge, received, owner);
  }
  for (const { endToEndId: id } of theirs?.unreadable ?? []) {
    const isRead = payments.some((payment) => payment.endToEndId === id);
    const [owner] = isRead || id === null ? [] : await listPaymentOwners(pix.db, [id]);
    if (!isRead && owner?.charge_id !== charge.id)
      await recordDiscrepancy(pix, charge, 'unreadable_payment', id ?? '');
  }
  if (theirs?.status === 'paid' && payments.length === 0 && charge.status !== 'paid')
    await recordDiscrepancy(pix, charge, 'paid_without_payment');
  return fresh;
}
