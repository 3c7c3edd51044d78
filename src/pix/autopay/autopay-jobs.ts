import { saoPauloDay } from '#core/day.ts';
import { HOUR_MS } from '#core/duration.ts';
import { lookAt } from '../debits/debit-days.ts';
import { eachAtPsp } from '../each-at-psp.ts';
import { syncCharges } from '../payments/sync-charges.ts';
import type { Pix } from '../pix.ts';
import { findNextLook, listAuthorisationsToSync } from '../store/authorisations.ts';
import { findNextCheck, listDebitsToCheck, listDebitsToWithdraw } from '../store/debits.ts';
import { scheduleDebits } from './schedule-debits.ts';
import { syncAuthorisation } from './sync-authorisation.ts';

const BATCH_SIZE = 500;
/** A code on a screen is asked about this often, in case no notice comes. */
const ASK_PENDING_MS = 30_000;
const ASK_ACTIVE_MS = HOUR_MS;

const turns = new WeakMap<Pix['db'], Promise<void>>();

/** Asks for debits whose day has come, and about everything of which a notice should have come. One run at a time in a process. */
export function runAutopay(pix: Pix): Promise<void> {
  const work = () => run(pix);
  const turn = (turns.get(pix.db) ?? Promise.resolve()).then(work, work);
  turns.set(pix.db, turn);
  return turn;
}

async function run(pix: Pix): Promise<void> {
  if (!pix.account) return;
  const { db, clock } = pix;
  const now = clock.now();
  const authorisations = await listAuthorisationsToSync(db, {
    doubtfulBefore: new Date(now.getTime() - ASK_PENDING_MS),
    askedBefore: new Date(now.getTime() - ASK_ACTIVE_MS),
    limit: BATCH_SIZE,
  });
  await eachAtPsp(pix, authorisations, (authorisation) => syncAuthorisation(pix, authorisation));
  await syncCharges(pix, await listDebitsToCheck(db, now, BATCH_SIZE));
  await scheduleDebits(pix);
  // Soon, because the PSP withdraws a debit only before its day. Then the week is free for another one.
  const withdrawn = await listDebitsToWithdraw(db, BATCH_SIZE);
  if (withdrawn.length === 0) return;
  await syncCharges(pix, withdrawn);
  await scheduleDebits(pix);
}

/** When the next check is due, if no notice comes. For a clock that jumps. */
export async function nextAutopayMoment({ db }: Pix, now: Date): Promise<Date | null> {
  const [check, look] = await Promise.all([
    findNextCheck(db, now),
    findNextLook(db, saoPauloDay(now.getTime())),
  ]);
  const moments = [check, look && lookAt(look)].filter((at) => at !== null);
  return moments.length === 0 ? null : new Date(Math.min(...moments.map((at) => at.getTime())));
}
