import { cents, toReais } from '#core/money.ts';
import { lockCustomerById } from '#credit';
import type { Pix } from './pix.ts';
import type { Charge } from './psp/index.ts';
import { settlePayment } from './settle-payment.ts';
import {
  type ChargeRow,
  findCharge,
  findChargeByTxid,
  markCancelled,
  markDiscarded,
  markExpired,
  markRemoved,
} from './store/charges.ts';
import { keepCharge } from './submit-charge.ts';

/** A request that makes a charge is at it no longer than this. */
export const IN_DOUBT_AFTER_MS = 60_000;
/** The PSP's clock, and a payment that is on its way. */
export const EXPIRED_AFTER_MS = 2 * 60_000;

/**
 * Reads from the PSP what became of a charge, and brings ours in line with it. Nothing that anybody tells us is believed:
 * this is the only way by which money counts. Safe at any time, any number of times, on any number of nodes.
 * Answers how many payments were new.
 */
export async function syncCharge(pix: Pix, txid: string): Promise<number> {
  const charge = await findChargeByTxid(pix.db, txid);
  if (!charge) return 0;
  const found = await pix.psp().getCob(txid);
  pix.crash('after-truth-read');
  if (found.kind === 'not_found') {
    await giveUp(pix, charge);
    return 0;
  }
  if (!isOurs(charge, found.charge)) {
    pix.log.error({ txid }, 'the PSP has a charge under a txid of ours that is not ours');
    return 0;
  }
  const fresh = await settleAll(pix, charge, found.charge);
  const now = (await findCharge(pix.db, charge.customer_id, charge.id))!;
  return fresh + (await follow(pix, now, found.charge));
}

function isOurs(charge: ChargeRow, theirs: Charge): boolean {
  return theirs.txid === charge.txid && theirs.key.toLowerCase() === charge.pix_key.toLowerCase();
}

async function settleAll(pix: Pix, charge: ChargeRow, theirs: Charge): Promise<number> {
  let fresh = 0;
  for (const received of theirs.payments) {
    if (received.txid !== null && received.txid !== charge.txid) continue;
    if (await settlePayment(pix, charge, received)) fresh += 1;
    pix.crash('after-settlement');
  }
  return fresh;
}

/** What is to be done about a charge the PSP has, by how it stands with us. */
async function follow(pix: Pix, charge: ChargeRow, theirs: Charge): Promise<number> {
  const { db, clock } = pix;
  const now = clock.now();
  switch (charge.status) {
    case 'creating':
      if (isOlderThan(charge.created_at, IN_DOUBT_AFTER_MS, now)) {
        if (theirs.brCode === null) await markDiscarded(db, charge);
        else await keepCharge(pix, charge, theirs);
      }
      return 0;
    case 'pending':
      if (charge.expires_at > now && (theirs.status === 'removed' || theirs.status === 'removed_by_psp'))
        await markCancelled(db, charge, now);
      else if (theirs.status === 'paid')
        pix.log.error({ txid: charge.txid }, 'the PSP has a charge paid, and no payment that can be read');
      else if (isOlderThan(charge.expires_at, EXPIRED_AFTER_MS, now)) await expire(pix, charge);
      return 0;
    case 'cancelled':
    case 'discarded':
      return charge.removed_at === null ? remove(pix, charge) : 0;
    default:
      return 0;
  }
}

/** The PSP does not have it: so nobody can ever pay it. */
async function giveUp(pix: Pix, charge: ChargeRow): Promise<void> {
  const now = pix.clock.now();
  if (charge.status === 'creating') {
    // Somebody may still be about to ask for it.
    if (isOlderThan(charge.created_at, IN_DOUBT_AFTER_MS, now)) await markDiscarded(pix.db, charge);
  } else if (charge.status === 'pending') {
    pix.log.error({ txid: charge.txid }, 'the PSP no longer has a charge it had made');
    if (isOlderThan(charge.expires_at, EXPIRED_AFTER_MS, now)) await expire(pix, charge);
  } else if (charge.status !== 'paid') await markRemoved(pix.db, charge, now);
}

/** It may just have been paid: then that is what counts. */
async function remove(pix: Pix, charge: ChargeRow): Promise<number> {
  const removed = await pix.psp().removeCob(charge.txid);
  pix.crash('after-charge-removed');
  if (removed.kind === 'paid') return settleAll(pix, charge, removed.charge);
  if (removed.kind === 'unclear')
    pix.log.warn({ txid: charge.txid, status: removed.charge.status }, 'a charge is not removed');
  else await markRemoved(pix.db, charge, pix.clock.now());
  return 0;
}

async function expire({ db, clock, events }: Pix, charge: ChargeRow): Promise<void> {
  await db.transaction(async (tx) => {
    await lockCustomerById(tx, charge.customer_id);
    if (!(await markExpired(tx, charge))) return;
    const data = {
      checkout_hash: charge.checkout_hash,
      installment_id: charge.installment_id,
      pix_id: charge.id,
      type: charge.type,
      value: toReais(cents(charge.value_cents)),
      expired_at: charge.expires_at.toISOString(),
    };
    const about = { customerId: charge.customer_id, checkoutHash: charge.checkout_hash };
    await events.emit(tx, { type: 'pix.expired', ...about, data }, clock.now());
  });
}

function isOlderThan(instant: Date, ms: number, now: Date): boolean {
  return now.getTime() - instant.getTime() >= ms;
}
