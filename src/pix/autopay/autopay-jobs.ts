import { saoPauloDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { reviewInstant } from '../debits/debit-rules.ts';
import { forEachAtPsp } from '../for-each-at-psp.ts';
import type { Pix } from '../pix.ts';
import { syncCharges } from '../settlement/sync-charge.ts';
import { findNextReviewDay, listAuthorisationsToSync } from '../store/authorisations.ts';
import { findNextCheck, listDebitsToCheck, listDebitsToWithdraw } from '../store/debits.ts';
import { scheduleDebits } from './schedule-debits.ts';
import { syncAuthorisation } from './sync-authorisation.ts';

const BATCH_SIZE = 500;
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
