import { type Day, endOfDay, saoPauloDay } from '#core/day.ts';
import { cents, toReais } from '#core/money.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { nextCheck, nextRetry } from '../debits/debit-days.ts';
import { keepDebit } from '../debits/submit-debit.ts';
import { FINAL_CODES, inWords } from '../debits/words.ts';
import { lockedCustomer } from '../locked-customer.ts';
import { settlePayments } from '../payments/settle-payments.ts';
import type { Pix } from '../pix.ts';
import { type Debit, type DebitAttempt, PspRefused } from '../psp/index.ts';
import { findAuthorisation, markLookOn } from '../store/authorisations.ts';
import { type ChargeRow, findCharge, markDiscarded, markExpired, markRemoved } from '../store/charges.ts';
import { type DebitRow, findDebit, markClosed, updateDebit } from '../store/debits.ts';

/** As long as a request that asks for a debit may take. */
const IN_DOUBT_MS = 60_000;

/**
 * Reads a debit from the PSP, and updates ours: a payment is settled, a refusal is retried or reported, a debit withdrawn here is
 * withdrawn there. Returns how many payments were new.
 */
export async function syncDebit(
  pix: Pix,
  charge: ChargeRow,
  endToEndId: string | null = null,
): Promise<number> {
  const theirs = await pix.psp().getDebit(charge.txid);
  pix.crash('after-truth-read');
  const fresh = await settlePayments(pix, charge, theirs, endToEndId);
  const { customer_id, id } = charge;
  const now = (await findCharge(pix.db, customer_id, id))!;
  const debit = (await findDebit(pix.db, customer_id, id))!;
  if (!theirs) await giveUp(pix, now, debit);
  else if (now.status === 'creating') await keepDebit(pix, now, debit, theirs);
  else if (now.status === 'pending') await syncAttempts(pix, now, debit, theirs);
  else if ((now.status === 'cancelled' || now.status === 'discarded') && now.removed_at === null)
    return fresh + (await withdraw(pix, now, debit, theirs));
  return fresh;
}

/** The PSP does not have it, so nothing is debited. The installment is looked at again. */
async function giveUp(pix: Pix, charge: ChargeRow, debit: DebitRow): Promise<void> {
  const now = pix.clock.now();
  if (charge.status === 'creating') {
    // A request may still be about to ask for it.
    if (now.getTime() - charge.created_at.getTime() < IN_DOUBT_MS) return;
    await markDiscarded(pix.db, charge);
  } else if (charge.status === 'pending') {
    pix.log.error({ txid: charge.txid }, 'the PSP no longer has a debit it had made');
    return fail(pix, charge, debit, { code: 'no_answer', tries: debit.refusals });
  } else if (charge.status === 'paid' || charge.status === 'expired') return;
  await release(pix, charge, debit);
}

/** Withdrawn for good: the week is free again. */
async function release(pix: Pix, charge: ChargeRow, debit: DebitRow): Promise<void> {
  const now = pix.clock.now();
  await markClosed(pix.db, debit);
  const authorisation = await findAuthorisation(pix.db, debit.customer_id, debit.authorisation_id);
  await markLookOn(pix.db, authorisation!, saoPauloDay(now.getTime()));
  await markRemoved(pix.db, charge, now);
}

const isPlanned = ({ status }: DebitAttempt) => status === 'requested' || status === 'scheduled';
const isOpen = ({ status }: Debit) => status === 'created' || status === 'active';

/** Nobody but us asks for another attempt: without a planned one nothing more is debited. */
async function withdraw(pix: Pix, charge: ChargeRow, debit: DebitRow, theirs: Debit): Promise<number> {
  if (!isOpen(theirs) || !theirs.attempts.some(isPlanned)) {
    await release(pix, charge, debit);
    return 0;
  }
  const cancelled = await pix.psp().cancelDebit(charge.txid);
  pix.crash('after-charge-removed');
  // On its day it is too late: what is debited then, and not owed any more, is refunded.
  if (cancelled.kind === 'too_late') return 0;
  const fresh = cancelled.kind === 'ended' ? await settlePayments(pix, charge, cancelled.debit) : 0;
  await release(pix, charge, debit);
  return fresh;
}

async function syncAttempts(pix: Pix, charge: ChargeRow, debit: DebitRow, theirs: Debit): Promise<void> {
  const { attempts } = theirs;
  const refused = attempts.filter(({ status }) => status === 'expired' || status === 'rejected');
  const planned = attempts.find(isPlanned);
  const last = refused.at(-1);
  const tries = refused.length;
  const code = last?.code ?? 'no_money';
  if (theirs.status === 'paid') return; // without its payment: a discrepancy
  if (!isOpen(theirs))
    return fail(pix, charge, debit, { code: theirs.status === 'cancelled' ? 'withdrawn' : code, tries });
  const isOver = pix.clock.now() >= charge.expires_at;
  if (planned && !isOver) return keepAttempt(pix, charge, debit, planned.on, { tries, code });
  if (planned || !last) return isOver ? fail(pix, charge, debit, { code: 'no_answer', tries }) : undefined;
  const on = FINAL_CODES.has(code) ? null : await retryDay(pix, debit, attempts[0]!.on);
  if (on === null) return fail(pix, charge, debit, { code, tries });
  try {
    await pix.psp().retryDebit(charge.txid, on);
  } catch (error) {
    if (!(error instanceof PspRefused)) throw error;
    // The day passed at midnight: the next check asks for a later one.
    if ((await retryDay(pix, debit, attempts[0]!.on)) !== on) return;
    pix.log.warn({ err: error, txid: charge.txid }, 'the PSP tries a debit no more');
    return fail(pix, charge, debit, { code, tries });
  }
  pix.crash('after-retry-asked');
  await keepAttempt(pix, charge, debit, on, { tries, code });
}

async function retryDay(pix: Pix, debit: DebitRow, first: Day): Promise<Day | null> {
  const authorisation = await findAuthorisation(pix.db, debit.customer_id, debit.authorisation_id);
  if (authorisation?.status !== 'active') return null;
  return nextRetry(first, pix.autopay.retryDays, {
    today: saoPauloDay(pix.clock.now().getTime()),
    startsOn: authorisation.starts_on as Day,
    cycle: debit.cycle,
  });
}

/** An attempt is planned. The first refusal is reported to the customer. Before that, a day that the bank moved is not late. */
async function keepAttempt(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  on: Day,
  { tries, code }: { tries: number; code: string },
): Promise<void> {
  const { customer_id } = charge;
  await lockedCustomer(pix, customer_id, async (tx) => {
    const before = (await findDebit(tx, customer_id, charge.id))!;
    const status = (await findCharge(tx, customer_id, charge.id))!.status;
    if (status !== 'pending') return;
    const now = pix.clock.now();
    await updateDebit(tx, debit, {
      attemptOn: on,
      refusals: tries,
      reason: tries > 0 ? code : null,
      check_at: nextCheck(on, now),
      heldUntil: tries > 0 ? charge.held_until! : new Date(endOfDay(on)),
    });
    if (tries > 0 && before.refusals === 0) await tell(tx, pix, charge, { code, tries, retryOn: on }, now);
  });
}

/** The debit has failed for good: the installment is paid by code. */
async function fail(
  pix: Pix,
  charge: ChargeRow,
  debit: DebitRow,
  { code, tries }: { code: string; tries: number },
): Promise<void> {
  const { customer_id } = charge;
  await lockedCustomer(pix, customer_id, async (tx) => {
    if (!(await markExpired(tx, charge))) return;
    const now = pix.clock.now();
    await updateDebit(tx, debit, {
      attemptOn: debit.attempt_on as Day,
      refusals: tries,
      reason: code,
      check_at: null,
      heldUntil: charge.held_until!,
    });
    await tell(tx, pix, charge, { code, tries, retryOn: null }, now);
  });
}

async function tell(
  tx: CustomerTx,
  { events }: Pix,
  charge: ChargeRow,
  { code, tries, retryOn }: { code: string; tries: number; retryOn: Day | null },
  now: Date,
): Promise<void> {
  const data = {
    checkout_hash: charge.checkout_hash,
    autopay_id: charge.authorisation_id!,
    installment_id: charge.installment_id,
    value: toReais(cents(charge.value_cents)),
    tries,
    reason: inWords(code),
    retry_on: retryOn,
  };
  await events.emit(tx, { type: 'autopay.failed', customerId: charge.customer_id, data }, now);
}
