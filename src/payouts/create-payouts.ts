import type { Day } from '#core/day.ts';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { insertPayouts, listDueMerchants, lockBatches, type PayoutRow } from './store.ts';

/**
 * A payout for every merchant who is owed something by what is due by then and in no payout yet. Asked twice, the second finds
 * only what has come since. A merchant who owes more than is due gets none: what is due next fills that up first.
 */
export async function createPayouts(tx: Tx, until: Day, now: Date): Promise<PayoutRow[]> {
  await lockBatches(tx);
  const merchantIds = await listDueMerchants(tx, until);
  if (merchantIds.length === 0) return [];
  const payees = merchantIds.map((merchantId) => ({
    merchantId,
    payoutId: newId('pay', now),
    lineId: newId('mln', now),
  }));
  return insertPayouts(tx, payees, until, now);
}
