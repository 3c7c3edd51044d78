import type { Day } from '#core/values/day.ts';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { insertPayouts, listDueMerchants, type PayoutRow } from './store.ts';

/**
 * Creates a payout for every merchant with a positive balance of due lines that are in no payout yet. A second call includes only
 * new lines. A merchant with a negative balance gets none; its next due lines reduce the debt first.
 */
export async function createPayouts(tx: Tx, until: Day, now: Date): Promise<PayoutRow[]> {
  // One batch at a time. Only other batches and `lockBalance` wait for it.
  await lockAdvisory(tx, 'payoutBatches');
  const merchantIds = await listDueMerchants(tx, until);
  if (merchantIds.length === 0) return [];
  const payees = merchantIds.map((merchantId) => ({
    merchantId,
    payoutId: newId('pay', now),
    lineId: newId('mln', now),
  }));
  return insertPayouts(tx, payees, until, now);
}
