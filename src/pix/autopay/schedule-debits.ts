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
  computeNextCheckTime,
  computeReviewInstant,
  MIN_LEAD_DAYS,
  submitDebit,
} from '../debits.ts';
import { forEachAtPsp } from '../for-each-at-psp.ts';
import { type Pix, withLockedCustomerInBatch } from '../pix.ts';
import { PspRefused } from '../psp/index.ts';
import { syncCharges } from '../settlement/sync-charge.ts';
import {
  type AuthorisationRow,
  findAuthorisation,
  findNextReviewDay,
  listAuthorisationsToReview,
  listAuthorisationsToSync,
  queueReviewDay,
} from '../store/authorisations.ts';
import { type ChargeRow, queueCharge } from '../store/charges.ts';
import {
  clearObsoleteChecks,
  type DebitRow,
  findNextCheckTime,
  insertDebit,
  listCyclesWithOpenDebit,
  listInstallmentIdsWithLiveCharge,
  listTxidsToCancelAtPsp,
  listTxidsToCheck,
} from '../store/debits.ts';
import { endLockedAuthorisation, NOTHING_OWED, syncAuthorisation } from './sync-authorisation.ts';

/** Limit of one run. The next run starts a minute later. */
const BATCH_SIZE = 500;
/** Requests of debits that run concurrently share transactions. */
const REQUEST_CONCURRENCY = 16;

async function scheduleDebits(pix: Pix): Promise<void> {
  const today = saoPauloDay(pix.clock.now().getTime());
  const authorisations = await listAuthorisationsToReview(pix.db, today, BATCH_SIZE);
  const insertAndSubmitDebits = async (authorisation: AuthorisationRow) => {
    const scheduledDebits = await withLockedCustomerInBatch(pix, authorisation.customer_id, (tx) =>
      insertDueDebits(tx, pix, authorisation),
    );
    pix.failpoint('after-debit-written');
    for (const { charge, debit } of scheduledDebits)
      try {
        await submitDebit(pix, charge, debit, authorisation.rec_id!, { readFirst: false });
      } catch (error) {
        if (!(error instanceof PspRefused)) throw error;
        pix.log.error({ err: error, txid: charge.txid }, 'the PSP refused a debit');
      }
  };
  await forEachAtPsp(pix, authorisations, insertAndSubmitDebits, { concurrency: REQUEST_CONCURRENCY });
}

type ScheduledDebit = { charge: ChargeRow; debit: DebitRow };

/**
 * Inserts the debits to request today. The PSP allows one debit a week, so an installment that was extended into the week of
 * another one is paid by code. An installment with a live charge is not debited, and a week is free only when the PSP has
 * cancelled its earlier debit. The caller has locked the customer.
 */
async function insertDueDebits(
  tx: CustomerTx,
  pix: Pix,
  { customer_id: customerId, checkout_hash: hash, id: authorisationId }: AuthorisationRow,
): Promise<ScheduledDebit[]> {
  const now = pix.clock.now();
  const today = saoPauloDay(now.getTime());
  // Sent together, so that they take one round trip.
  const [storedAuthorisation, purchase, cyclesWithDebit, idsWithLiveCharge] = await Promise.all([
    findAuthorisation(tx, customerId, authorisationId),
    findPurchaseDebts(tx, customerId, hash, now.getTime()),
    listCyclesWithOpenDebit(tx, customerId, authorisationId),
    listInstallmentIdsWithLiveCharge(tx, customerId, hash, now),
  ]);
  const authorisation = storedAuthorisation!;
  if (authorisation.status !== 'active') return [];
  if (!purchase || purchase.isClosed) {
    await endLockedAuthorisation(tx, pix, authorisation, NOTHING_OWED, now);
    return [];
  }
  const startsOn = authorisation.starts_on as Day;
  const installments = purchase.installments
    .filter(({ debt }) => debt.dueOn >= startsOn && debt.dueOn <= authorisation.ends_on)
    .map((installment) => ({ ...installment, cycle: computeCycle(startsOn, installment.debt.dueOn) }));
  const scheduledDebits: ScheduledDebit[] = [];
  for (const { id, debt, cycle, settleAmountOnDueDay } of installments) {
    const sharesCycle =
      debt.extensions > 0 &&
      installments.some((otherInstallment) => otherInstallment.cycle === cycle && otherInstallment.id !== id);
    const shouldDebit =
      isInDebitWindow(debt, today, pix.autopay.leadDays) &&
      !sharesCycle &&
      !cyclesWithDebit.includes(cycle) &&
      !idsWithLiveCharge.includes(id) &&
      settleAmountOnDueDay > 0;
    if (!shouldDebit) continue;
    const charge = queueCharge(tx, {
      customer_id: customerId,
      id: newId('pix', now),
      installment_id: id,
      checkout_hash: hash,
      type: 'settle',
      value_cents: cents(settleAmountOnDueDay),
      priced_on: debt.effectiveDueOn,
      txid: randomBytes(16).toString('hex'),
      pix_key: pix.pixKey,
      // Not used: a debit has no code that expires.
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
      check_at: computeNextCheckTime(debt.effectiveDueOn, now),
    };
    insertDebit(tx, debit);
    scheduledDebits.push({ charge, debit });
  }
  const { leadDays } = pix.autopay;
  const reviewDay = computeNextReviewDay(installments, idsWithLiveCharge, { today, leadDays });
  queueReviewDay(tx, authorisation, reviewDay);
  return scheduledDebits;
}

type InstallmentDebt = PurchaseDebts['installments'][number];

function isInDebitWindow({ status, dueOn }: InstallmentDebt['debt'], today: Day, leadDays: number): boolean {
  const days = daysBetween(today, dueOn);
  return status === 'open' && days >= MIN_LEAD_DAYS && days <= leadDays;
}

/**
 * Returns the day of the next review: today while a live charge prevents a debit; else the day on which the next debit is requested, or
 * the last day on which it can be cancelled, because the purchase may have been written off.
 */
function computeNextReviewDay(
  installments: readonly InstallmentDebt[],
  idsWithLiveCharge: readonly string[],
  { today, leadDays }: { today: Day; leadDays: number },
): Day {
  const isBlockedByCharge = ({ id, debt }: InstallmentDebt) =>
    isInDebitWindow(debt, today, leadDays) && idsWithLiveCharge.includes(id);
  if (installments.some(isBlockedByCharge)) return today;
  const reviewDays = installments
    .filter(({ debt }) => debt.status !== 'paid')
    .flatMap(({ debt }) => [addDays(debt.dueOn, -leadDays), addDays(debt.dueOn, -1)])
    .filter((day) => day > today);
  return reviewDays.toSorted()[0] ?? addDays(today, 1);
}

/** A pending authorisation is read from the PSP this often, in case no callback arrives. */
const PENDING_SYNC_INTERVAL_MS = 30_000;
const ACTIVE_SYNC_INTERVAL_MS = HOUR_MS;

const lastRunByDb = new WeakMap<Pix['db'], Promise<void>>();

/** Requests the debits that are due, and reads from the PSP what no callback has reported. Runs of one process are serialised. */
export function runAutopay(pix: Pix): Promise<void> {
  const startRun = () => runAutopayOnce(pix);
  const lastRun = lastRunByDb.get(pix.db) ?? Promise.resolve();
  const thisRun = lastRun.then(startRun, startRun); // also after a failed run
  lastRunByDb.set(pix.db, thisRun);
  return thisRun;
}

async function runAutopayOnce(pix: Pix): Promise<void> {
  if (!pix.account) return;
  const { db, clock } = pix;
  const now = clock.now();
  const authorisations = await listAuthorisationsToSync(db, {
    pendingSyncedBefore: new Date(now.getTime() - PENDING_SYNC_INTERVAL_MS),
    activeSyncedBefore: new Date(now.getTime() - ACTIVE_SYNC_INTERVAL_MS),
    limit: BATCH_SIZE,
  });
  await forEachAtPsp(pix, authorisations, (authorisation) => syncAuthorisation(pix, authorisation));
  await clearObsoleteChecks(db, now);
  await syncCharges(pix, await listTxidsToCheck(db, now, BATCH_SIZE));
  await scheduleDebits(pix);
  // Cancelled debits are not left to reconciliation, because the PSP cancels a debit only before its day. The week of a cancelled debit is
  // then free for another one, so debits are scheduled again.
  const cancelledTxids = await listTxidsToCancelAtPsp(db, BATCH_SIZE);
  if (cancelledTxids.length === 0) return;
  await syncCharges(pix, cancelledTxids);
  await scheduleDebits(pix);
}

/** Returns when autopay has work next if no callback arrives. The sandbox clock stops there. */
export async function findNextAutopayMoment({ db }: Pix, now: Date): Promise<Date | null> {
  const [nextCheck, nextReviewDay] = await Promise.all([
    findNextCheckTime(db, now),
    findNextReviewDay(db, saoPauloDay(now.getTime())),
  ]);
  const nextReview = nextReviewDay && computeReviewInstant(nextReviewDay);
  const moments = [nextCheck, nextReview].filter((moment) => moment !== null);
  return moments.length === 0 ? null : new Date(Math.min(...moments.map((moment) => moment.getTime())));
}
