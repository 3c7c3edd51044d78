import { type Day, saoPauloDay } from '#core/values/day.ts';
import { centsToReais } from '#core/values/money.ts';
import type { EventContext } from '#events';
import { postForMerchant } from '#ledger';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { rowAuditEntity } from '#platform/privacy/audit-trail.ts';
import { payoutClosed } from './problems.ts';
import { renderPayout } from './render.ts';
import {
  insertLines,
  insertPayouts,
  listDueMerchants,
  lockPayout,
  markClosed,
  type PayoutRow,
} from './store.ts';

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

export const PAYOUT_POSTING = 'payout';

export const buildPayoutReference = (id: string) => `payout ${id}`;

/** The payout for the audit trail. Reading it locks it. */
export const payoutAuditEntity = rowAuditEntity('payout', lockPayout, renderPayout);

/** Records that the bank has paid the payout. Idempotent with the same reference. */
export async function markPayoutPaid(
  tx: Tx,
  id: string,
  reference: string,
  context: EventContext,
): Promise<void> {
  const { events, now } = context;
  const payout = (await lockPayout(tx, id))!;
  if (payout.status === 'paid' && payout.reference === reference) return;
  if (payout.status === 'paid') throw payoutClosed({ reference: payout.reference });
  if (payout.status === 'failed') throw payoutClosed({ reason: payout.reason });
  await markClosed(tx, id, { status: 'paid', reference }, now);
  const entries = [
    { account: 'merchant_payable', amountCents: payout.amount_cents },
    { account: 'payout_clearing', amountCents: -payout.amount_cents },
  ] as const;
  const { merchant_id: merchantId, merchant_slug: merchant } = payout;
  const posting = { merchantId, reference: buildPayoutReference(id), kind: PAYOUT_POSTING, occurredAt: now };
  postForMerchant(tx, { ...posting, entries }, now);
  const amount = centsToReais(payout.amount_cents);
  const data = { payout_id: id, merchant, amount, paid_at: now.toISOString(), reference };
  await events.emit(tx, { type: 'payout.paid', customerId: null, merchantId, data }, now);
}

/** Records that the bank did not pay. The merchant is owed the amount again, and the next batch pays it. Idempotent. */
export async function markPayoutFailed(
  tx: Tx,
  id: string,
  reason: string,
  { now }: Pick<EventContext, 'now'>,
): Promise<void> {
  const payout = (await lockPayout(tx, id))!;
  if (payout.status === 'failed' && payout.reason === reason) return;
  if (payout.status === 'failed') throw payoutClosed({ reason: payout.reason });
  if (payout.status === 'paid') throw payoutClosed({ reference: payout.reference });
  await markClosed(tx, id, { status: 'failed', reason }, now);
  const { merchant_id, merchant_slug, merchant_name, amount_cents } = payout;
  await insertLines(tx, [
    {
      merchant_id,
      merchant_slug,
      merchant_name,
      id: newId('mln', now),
      kind: 'payout_failed',
      amount_cents,
      due_on: saoPauloDay(now.getTime()),
      checkout_hash: null,
      of_payout_id: id,
      occurred_at: now,
    },
  ]);
}
