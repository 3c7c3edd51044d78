import type { Tx } from '#platform/db.ts';
import type { Pix } from './pix.ts';
import { emitRefunded, postRefund } from './post-refund.ts';
import type { ReceivedPix, Refund } from './psp/index.ts';
import { recordChargeback } from './record-chargeback.ts';
import { refundExcess } from './refund-excess.ts';
import { releaseRefundedMoney } from './release-refunded-money.ts';
import type { ChargeRow } from './store/charges.ts';
import { listRefunds, markRefund, type RefundRow } from './store/refunds.ts';

/** How often one and the same money is tried to be given back, and how long after each failure. */
const RETRY_AFTER_MS = [60_000, 600_000, 3_600_000, 86_400_000];

/**
 * The refunds the PSP tells of, each once: those we asked for come to an end, those we did not ask for take money away. Ours
 * first: money that one of them failed to return is here, and was never applied.
 */
export async function syncRefunds(tx: Tx, pix: Pix, charge: ChargeRow, received: ReceivedPix): Promise<void> {
  const list = () => listRefunds(tx, charge.customer_id, received.endToEndId);
  const known = await list();
  const isKnown = (refund: Refund) => known.some(({ id }) => id === refund.id);
  for (const refund of received.refunds.filter(isKnown))
    await syncOwnRefund(tx, pix, charge, known.find(({ id }) => id === refund.id)!, refund);
  for (const refund of received.refunds) {
    // Each changes what the next finds.
    if (refund.status === 'returned' && !isKnown(refund))
      await recordChargeback(tx, pix, charge, received, refund, await list());
  }
}

/** How the PSP says a refund of ours stands. */
export async function syncOwnRefund(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  ours: RefundRow,
  { status, settledAt, reason }: Refund,
): Promise<void> {
  if (status === 'processing') await markRefund(tx, ours, { status: 'processing' });
  else if (status === 'failed') await fail(tx, pix, charge, ours, { reason, isFinal: false });
  else if (status === 'returned') {
    const at = settledAt ?? pix.clock.now();
    if (!(await markRefund(tx, ours, { status: 'returned', settledAt: at }))) return;
    await postRefund(tx, pix, charge, { id: ours.id, amountCents: ours.amount_cents, at });
    await emitRefunded(tx, pix, charge, ours, { amountCents: ours.amount_cents, reason: 'too_much' });
    pix.metrics.refunds.inc({ outcome: 'returned' });
  } else pix.log.warn({ refund_id: ours.id, status }, 'a refund is in a state we have no word for');
}

/**
 * The PSP did not do it. The money is here after all: it is applied if something is owed by now, and what is not is tried
 * again as another refund, since the PSP knows this one by its id. `isFinal`: it would not do another one either.
 */
export async function fail(
  tx: Tx,
  pix: Pix,
  charge: ChargeRow,
  refund: RefundRow,
  { reason, isFinal }: { reason: string | null; isFinal: boolean },
): Promise<void> {
  const delayMs = isFinal ? undefined : RETRY_AFTER_MS[refund.tries - 1];
  const status = delayMs === undefined ? 'given_up' : 'failed';
  if (!(await markRefund(tx, refund, { status, reason }))) return;
  const tooMuch = await releaseRefundedMoney(tx, pix, charge, refund, refund.amount_cents);
  pix.metrics.refunds.inc({ outcome: status });
  if (delayMs === undefined) {
    pix.log.error({ refund_id: refund.id, reason }, 'money could not be given back: see semana pix refunds');
    return;
  }
  await refundExcess(tx, pix, charge, tooMuch, { tries: refund.tries + 1, delayMs });
}
