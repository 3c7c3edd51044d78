import { lockCustomerById } from '#customers';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { chargeEventTerms } from '../charge-events.ts';
import type { Pix } from '../pix.ts';
import type { Charge } from '../psp/index.ts';
import { type ChargeRow, findCharge, markPending } from '../store/charges.ts';
import { createSyncJob, SYNC_ATTEMPTS } from '../tasks.ts';

/** Saves the code of a charge that the PSP has created. Undefined if it was cancelled meanwhile; a job removes it at the PSP. */
export async function saveCreatedCharge(
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
      const data = { ...chargeEventTerms(charge), expires_at: charge.expires_at.toISOString() };
      const customerId = charge.customer_id;
      await events.emit(tx, { type: 'pix.created', customerId, data }, clock.now());
    }
    const stored = pending ?? (await findCharge(tx, charge.customer_id, charge.id))!;
    const isCancelled = stored.status === 'discarded' || stored.status === 'cancelled';
    if (isCancelled || payments.length > 0) await enqueueAll(tx, [createSyncJob(charge.txid)], SYNC_ATTEMPTS);
    return isCancelled ? undefined : stored;
  });
}

export function isRemovedAtPsp({ status }: Charge): boolean {
  return status === 'removed' || status === 'removed_by_psp';
}
