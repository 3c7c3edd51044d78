import type { Day } from '#core/day.ts';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { insertPayouts, listDueMerchants, type PayoutRow } from './store.ts';

/**
 * Creates a payout for every merchant with a positive balance of due lines that are in no payout yet. A second call finds only
 * new lines. A merchant with a negative balance gets none: the next due lines cover it first.
 */
export async function createPayouts(tx: Tx, until: Day, now: Date): Promise<PayoutRow[]> {
  // One batch at a time. Only other batches wait for it, and `lockBalance`.
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
