import { lockCustomerById } from '#customers';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { chargeTerms } from '../charge-events.ts';
import type { Pix } from '../pix.ts';
import type { Charge } from '../psp/index.ts';
import { type ChargeRow, findCharge, markPending } from '../store/charges.ts';
import { SYNC_ATTEMPTS, syncJob } from '../tasks.ts';

/** The PSP has the charge: it can be shown. Undefined when it was discarded in the meantime; then it is removed again. */
export async function keepCharge(
  { db, clock, events }: Pix,
  charge: ChargeRow,
  { brCode, location, payments }: Charge,
): Promise<ChargeRow | undefined> {
  return sharedTransaction(db, charge.customer_id, async (tx) => {
    const [, pending] = await Promise.all([
      lockCustomerById(tx, charge.customer_id),
      markPending(tx, charge, { brCode: brCode!, location }),
    ]);
    if (pending) {
      const data = { ...chargeTerms(charge), expires_at: charge.expires_at.toISOString() };
      const customerId = charge.customer_id;
      await events.emit(tx, { type: 'pix.created', customerId, data }, clock.now());
    }
    const kept = pending ?? (await findCharge(tx, charge.customer_id, charge.id))!;
    const isGivenUp = kept.status === 'discarded' || kept.status === 'cancelled';
    if (isGivenUp || payments.length > 0) await enqueueAll(tx, [syncJob(charge.txid)], SYNC_ATTEMPTS);
    return isGivenUp ? undefined : kept;
  });
}

export function isRemoved({ status }: Charge): boolean {
  return status === 'removed' || status === 'removed_by_psp';
}
