import type { Db } from '#platform/db.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Pix } from './pix.ts';
import type { PixPage } from './psp/index.ts';
import { findFirstChargeAt, listChargesToSync, listOurTxids } from './store/charges.ts';
import { findSweptTo, markSweptTo } from './store/notices.ts';
import { listKnownPayments } from './store/payments.ts';
import { listKnownRefunds, listOpenRefunds } from './store/refunds.ts';
import { EXPIRED_AFTER_MS, IN_DOUBT_AFTER_MS } from './sync-charge.ts';
import { recordOrphan } from './sync-payment.ts';
import { REFUND, REFUND_ATTEMPTS, refundKey, SYNC_ATTEMPTS, SYNC_CHARGE, syncKey } from './tasks.ts';

/** What one run takes up; the next is a minute away. */
const MOST_AT_ONCE = 500;
/** A PSP may book a payment a little into the past, and clocks differ. */
const OVERLAP_MS = 3_600_000;
/** The standard lets money be sent back for 90 days. */
const REFUNDABLE_MS = 90 * 86_400_000;
const PAGE_SIZE = 500;

/** Finds what a crash, a PSP that was away, a notice that never came or time itself left behind, and has it looked at. */
export async function reconcile({ db, clock }: Pix): Promise<void> {
  const nowMs = clock.now().getTime();
  const txids = await listChargesToSync(db, {
    doubtfulBefore: new Date(nowMs - IN_DOUBT_AFTER_MS),
    expiredBefore: new Date(nowMs - EXPIRED_AFTER_MS),
    limit: MOST_AT_ONCE,
  });
  await enqueueSync(db, txids);
  const refunds = await listOpenRefunds(db, new Date(nowMs - IN_DOUBT_AFTER_MS), MOST_AT_ONCE);
  await db.transaction(async (tx) => {
    for (const refund of refunds) {
      const { customer_id, end_to_end_id, id } = refund;
      const options = { key: refundKey(id) };
      await enqueue(tx, REFUND, { customer_id, end_to_end_id, id }, REFUND_ATTEMPTS, options);
    }
  });
}

/**
 * Goes through all money that arrived since the last time, and a while before that, and compares with what we know: nobody
 * has to have told us, and a job that died with its node is missed by nobody.
 */
export async function sweep(pix: Pix): Promise<void> {
  const { db, clock, psp } = pix;
  const now = clock.now();
  const sweptTo = (await findSweptTo(db)) ?? (await findFirstChargeAt(db));
  if (!sweptTo) return;
  // The sandbox's time can be set back.
  const fromMs = Math.min(sweptTo.getTime(), now.getTime()) - OVERLAP_MS;
  const window = { from: new Date(fromMs), to: now, pageSize: PAGE_SIZE };
  for await (const page of psp().listPix(window)) await comparePayments(pix, page);
  await markSweptTo(db, now);
}

/** The same for money that went back, which may be weeks after it came. */
export async function sweepRefunds(pix: Pix): Promise<void> {
  const now = pix.clock.now();
  const window = { from: new Date(now.getTime() - REFUNDABLE_MS), to: now, pageSize: PAGE_SIZE };
  for await (const page of pix.psp().listPix({ ...window, withRefund: true }))
    await compareRefunds(pix, page);
}

async function comparePayments(pix: Pix, { pix: all, unreadable }: PixPage): Promise<void> {
  if (unreadable > 0) pix.log.error({ unreadable }, 'the PSP lists payments that cannot be read');
  const known = new Set(
    await listKnownPayments(
      pix.db,
      all.map(({ endToEndId }) => endToEndId),
    ),
  );
  const fresh = all.filter(({ endToEndId }) => !known.has(endToEndId));
  const ours = new Set(
    await listOurTxids(
      pix.db,
      fresh.flatMap(({ txid }) => txid ?? []),
    ),
  );
  await enqueueSync(pix.db, [...ours]);
  for (const received of fresh) {
    if (received.txid === null || !ours.has(received.txid)) await recordOrphan(pix, received);
  }
}

async function compareRefunds({ db }: Pix, { pix: all }: PixPage): Promise<void> {
  const ended = all.flatMap(({ endToEndId, txid, refunds }) =>
    refunds
      .filter(({ status }) => status === 'returned' || status === 'failed')
      .map(({ id }) => ({ name: `${endToEndId}/${id}`, txid })),
  );
  const known = new Set(
    await listKnownRefunds(
      db,
      ended.map(({ name }) => name),
    ),
  );
  const txids = ended.filter(({ name }) => !known.has(name)).flatMap(({ txid }) => txid ?? []);
  await enqueueSync(db, await listOurTxids(db, [...new Set(txids)]));
}

async function enqueueSync(db: Db, txids: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const txid of txids) await enqueue(tx, SYNC_CHARGE, { txid }, SYNC_ATTEMPTS, { key: syncKey(txid) });
  });
}
