import { randomBytes } from 'node:crypto';
import { addDays, type Day, daysBetween, endOfDay, saoPauloDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { cents } from '#core/values/money.ts';
import { findPurchaseDebts, type PurchaseDebts } from '#credit';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import {
  computeCycle,
  computeDebitExpiry,
  computeNextCheck,
  MIN_LEAD_DAYS,
  reviewInstant,
} from '../debits/debit-rules.ts';
import { submitDebit } from '../debits/submit-debit.ts';
import { forEachAtPsp } from '../for-each-at-psp.ts';
import { type Pix, withSharedLockedCustomer } from '../pix.ts';
import { PspRefused } from '../psp/index.ts';
import { syncCharges } from '../settlement/sync-charge.ts';
import {
  type AuthorisationRow,
  type DebitRow,
  findAuthorisation,
  findNextCheck,
  findNextReviewDay,
  insertDebit,
  listAuthorisationsToReview,
  listAuthorisationsToSync,
  listDebitsToCheck,
  listDebitsToWithdraw,
  listInstallmentsWithCode,
  listTakenCycles,
  saveReviewDay,
} from '../store/autopay.ts';
import { type ChargeRow, insertCharge } from '../store/charges.ts';
import { endLockedAuthorisation, NOTHING_OWED, syncAuthorisation } from './sync-authorisation.ts';

/** Limit of one run. The next run starts a minute later. */
const BATCH_SIZE = 500;
/** Requests of debits that run concurrently share transactions. */
const CONCURRENCY = 16;

export async function scheduleDebits(pix: Pix): Promise<void> {
  const today = saoPauloDay(pix.clock.now().getTime());
  const authorisations = await listAuthorisationsToReview(pix.db, today, BATCH_SIZE);
  const schedule = async (authorisation: AuthorisationRow) => {
    const scheduled = await withSharedLockedCustomer(pix, authorisation.customer_id, (tx) =>
      insertDueDebits(tx, pix, authorisation),
    );
    pix.failpoint('after-debit-written');
    for (const { charge, debit } of scheduled)
      try {
        await submitDebit(pix, charge, debit, authorisation.rec_id!, { inDoubt: false });
      } catch (error) {
        if (!(error instanceof PspRefused)) throw error;
        pix.log.error({ err: error, txid: charge.txid }, 'the PSP refused a debit');
      }
  };
  await forEachAtPsp(pix, authorisations, schedule, { concurrency: CONCURRENCY });
}

type ScheduledDebit = { charge: ChargeRow; debit: DebitRow };

/**
 * Inserts the debits to request today. The PSP allows one debit a week, so an installment that was extended into the week of
 * another one is paid by code. An installment with a payable code is not debited, and a week is free only when the PSP has
 * withdrawn its earlier debit. The caller has locked the customer.
 */
async function insertDueDebits(
  tx: CustomerTx,
  pix: Pix,
  { customer_id: customerId, checkout_hash: hash, id: authorisationId }: AuthorisationRow,
): Promise<ScheduledDebit[]> {
  const now = pix.clock.now();
  const today = saoPauloDay(now.getTime());
  // Sent together, so that they take one round trip.
  const [found, purchase, takenCycles, idsWithCode] = await Promise.all([
    findAuthorisation(tx, customerId, authorisationId),
    findPurchaseDebts(tx, customerId, hash, now.getTime()),
    listTakenCycles(tx, customerId, authorisationId),
    listInstallmentsWithCode(tx, customerId, hash, now),
  ]);
  const authorisation = found!;
  if (authorisation.status !== 'active') return [];
  if (!purchase || purchase.isClosed) {
    await endLockedAuthorisation(tx, pix, authorisation, NOTHING_OWED, now);
    return [];
  }
  const startsOn = authorisation.starts_on as Day;
  const installments = purchase.installments
    .filter(({ debt }) => debt.dueOn >= startsOn && debt.dueOn <= authorisation.ends_on)
    .map((installment) => ({ ...installment, cycle: computeCycle(startsOn, installment.debt.dueOn) }));
  const scheduled: ScheduledDebit[] = [];
  for (const { id, debt, cycle, settlesOnDueDay } of installments) {
    const isExtendedIntoOther =
      debt.extensions > 0 && installments.some((other) => other.cycle === cycle && other.id !== id);
    const isDebited =
      isInWindow(debt, today, pix.autopay.leadDays) &&
      !isExtendedIntoOther &&
      !takenCycles.includes(cycle) &&
      !idsWithCode.includes(id) &&
      settlesOnDueDay > 0;
    if (!isDebited) continue;
    const charge = insertCharge(tx, {
      customer_id: customerId,
      id: newId('pix', now),
      installment_id: id,
      checkout_hash: hash,
      type: 'settle',
      value_cents: cents(settlesOnDueDay),
      priced_on: debt.effectiveDueOn,
      txid: randomBytes(16).toString('hex'),
      pix_key: pix.key,
      expiration_seconds: 1,
      created_at: now,
      expires_at: computeDebitExpiry(debt.effectiveDueOn),
      authorisation_id: authorisation.id,
      held_until: new Date(endOfDay(debt.effectiveDueOn)),
    });
    const debit: DebitRow = {
      customer_id: customerId,
      charge_id: charge.id,
      authorisation_id: authorisation.id,
      checkout_hash: hash,
      installment_id: id,
      cycle,
      due_on: debt.dueOn,
      attempt_on: debt.effectiveDueOn,
      refusals: 0,
      reason: null,
      open: true,
      check_at: computeNextCheck(debt.effectiveDueOn, now),
    };
    insertDebit(tx, debit);
    scheduled.push({ charge, debit });
  }
  const { leadDays } = pix.autopay;
  const reviewDay = computeNextReviewDay(installments, idsWithCode, { today, leadDays });
  await saveReviewDay(tx, authorisation, reviewDay);
  return scheduled;
}

type InstallmentDebt = PurchaseDebts['installments'][number];

function isInWindow({ status, dueOn }: InstallmentDebt['debt'], today: Day, leadDays: number): boolean {
  const days = daysBetween(today, dueOn);
  return status === 'open' && days >= MIN_LEAD_DAYS && days <= leadDays;
}

/**
 * Returns the day of the next review: today while a code prevents a debit; else the day on which the next debit is requested, or
 * the last day on which one can be withdrawn, because the purchase may have been written off.
 */
function computeNextReviewDay(
  installments: readonly InstallmentDebt[],
  idsWithCode: readonly string[],
  { today, leadDays }: { today: Day; leadDays: number },
): Day {
  if (installments.some(({ id, debt }) => isInWindow(debt, today, leadDays) && idsWithCode.includes(id)))
    return today;
  const days = installments
    .filter(({ debt }) => debt.status !== 'paid')
    .flatMap(({ debt }) => [addDays(debt.dueOn, -leadDays), addDays(debt.dueOn, -1)])
    .filter((day) => day > today);
  return days.toSorted()[0] ?? addDays(today, 1);
}

/** A pending authorisation is read from the PSP this often, in case no callback arrives. */
const SYNC_PENDING_MS = 30_000;
const SYNC_ACTIVE_MS = HOUR_MS;

const lastRuns = new WeakMap<Pix['db'], Promise<void>>();

/** Requests the debits that are due, and reads from the PSP what no callback has reported. Runs of one process are serialised. */
export function runAutopay(pix: Pix): Promise<void> {
  const run = () => runOnce(pix);
  const thisRun = (lastRuns.get(pix.db) ?? Promise.resolve()).then(run, run);
  lastRuns.set(pix.db, thisRun);
  return thisRun;
}

async function runOnce(pix: Pix): Promise<void> {
  if (!pix.account) return;
  const { db, clock } = pix;
  const now = clock.now();
  const authorisations = await listAuthorisationsToSync(db, {
    pendingSyncedBefore: new Date(now.getTime() - SYNC_PENDING_MS),
    activeSyncedBefore: new Date(now.getTime() - SYNC_ACTIVE_MS),
    limit: BATCH_SIZE,
  });
  await forEachAtPsp(pix, authorisations, (authorisation) => syncAuthorisation(pix, authorisation));
  await syncCharges(pix, await listDebitsToCheck(db, now, BATCH_SIZE));
  await scheduleDebits(pix);
  // Not left to reconciliation, because the PSP withdraws a debit only before its day. Its week is free for another debit then.
  const withdrawn = await listDebitsToWithdraw(db, BATCH_SIZE);
  if (withdrawn.length === 0) return;
  await syncCharges(pix, withdrawn);
  await scheduleDebits(pix);
}

/** Returns when autopay has work next if no callback arrives. The sandbox clock stops there. */
export async function findNextAutopayMoment({ db }: Pix, now: Date): Promise<Date | null> {
  const [nextCheck, nextReviewDay] = await Promise.all([
    findNextCheck(db, now),
    findNextReviewDay(db, saoPauloDay(now.getTime())),
  ]);
  const nextReview = nextReviewDay && reviewInstant(nextReviewDay);
  const moments = [nextCheck, nextReview].filter((moment) => moment !== null);
  return moments.length === 0 ? null : new Date(Math.min(...moments.map((moment) => moment.getTime())));
}
