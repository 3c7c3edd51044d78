import { saoPauloDay } from '#core/day.ts';
import { reaisOf } from '#core/money.ts';
import type { EventContext } from '#events';
import { postForMerchant } from '#ledger';
import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { rowSubject } from '#platform/privacy/trail.ts';
import { payoutClosed } from './problems.ts';
import { renderPayout } from './render.ts';
import { insertLines, lockPayout, markClosed } from './store.ts';

export const PAYOUT_POSTING = 'payout';

export const payoutReference = (id: string) => `payout ${id}`;

/** As the trail shows it; reading it locks it. */
export const payoutSubject = rowSubject('payout', lockPayout, renderPayout);

/** The bank has paid it. Idempotent with the same reference. */
export async function payPayout(tx: Tx, id: string, reference: string, context: EventContext): Promise<void> {
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
  const posting = { merchantId, reference: payoutReference(id), kind: PAYOUT_POSTING, occurredAt: now };
  postForMerchant(tx, { ...posting, entries }, now);
  const amount = reaisOf(payout.amount_cents);
  const data = { payout_id: id, merchant, amount, paid_at: now.toISOString(), reference };
  await events.emit(tx, { type: 'payout.paid', customerId: null, merchantId, data }, now);
}

/** The bank did not pay it: it is owed again, and the next batch pays it. Idempotent. */
export async function failPayout(
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
