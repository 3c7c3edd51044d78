import { saoPauloDay } from '#core/day.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { lockedCustomer } from '../locked-customer.ts';
import { EXPIRED_AFTER_MS, IN_DOUBT_AFTER_MS } from '../payments/sync-charge.ts';
import type { Pix } from '../pix.ts';
import type { Recurrence } from '../psp/index.ts';
import {
  type AuthorisationEnd,
  type AuthorisationRow,
  findAnyAuthorisation,
  findAuthorisation,
  markActive,
  markRemovedAtPsp,
  markSynced,
} from '../store/authorisations.ts';
import { AUTOPAY_JOB, SYNC_ATTEMPTS } from '../tasks.ts';
import { DISCARDED, EXPIRED, endAuthorisation, OVER } from './end-authorisation.ts';

/** For a notice: what it names is read from the PSP. */
export async function syncNamedAuthorisation(pix: Pix, recId: string): Promise<void> {
  const authorisation = await findAnyAuthorisation(pix.db, recId);
  if (authorisation) await syncAuthorisation(pix, authorisation);
}

/** Reads an authorisation from the PSP, and updates ours; or ends it there. Idempotent, on any number of nodes. */
export async function syncAuthorisation(pix: Pix, authorisation: AuthorisationRow): Promise<void> {
  const now = pix.clock.now();
  switch (authorisation.status) {
    case 'creating':
      // A request may still be about to create it.
      if (now.getTime() - authorisation.created_at.getTime() >= IN_DOUBT_AFTER_MS)
        await endAuthorisation(pix, authorisation, DISCARDED);
      return;
    case 'pending':
    case 'active':
      return syncLive(pix, authorisation, now);
    case 'rejected':
      return;
    default:
      if (authorisation.removed_at === null) await remove(pix, authorisation, now);
  }
}

async function syncLive(pix: Pix, authorisation: AuthorisationRow, now: Date): Promise<void> {
  const { status, rec_id, expires_at } = authorisation;
  const theirs = await pix.psp().getRec(rec_id!);
  pix.crash('after-truth-read');
  await markSynced(pix.db, authorisation, now);
  if (theirs?.status === 'approved') {
    if (status === 'pending') await activate(pix, authorisation);
    return;
  }
  if (theirs?.status !== 'created') return endAs(pix, authorisation, theirs);
  if (status !== 'pending' || now.getTime() < expires_at.getTime() + EXPIRED_AFTER_MS) return;
  // The payer may just have authorised it: then that counts.
  const ended = await pix.psp().cancelRec(rec_id!);
  if (ended?.status === 'approved') return activate(pix, authorisation);
  await endAuthorisation(pix, authorisation, { ...EXPIRED, isRemoved: true });
}

/** Ended, rejected or over at the PSP. */
async function endAs(pix: Pix, authorisation: AuthorisationRow, theirs: Recurrence | null): Promise<void> {
  const end = endOf(authorisation, theirs);
  if (end) await endAuthorisation(pix, authorisation, { ...end, isRemoved: true });
  else pix.log.warn({ autopay_id: authorisation.id, status: theirs?.status }, 'an authorisation is unclear');
}

function endOf(
  { status }: AuthorisationRow,
  theirs: Recurrence | null,
): Omit<AuthorisationEnd, 'isRemoved'> | undefined {
  const reason = theirs?.endCode ?? null;
  switch (theirs?.status) {
    case 'rejected':
      return { status: 'rejected', by: 'payer', reason };
    case 'expired':
      return status === 'pending'
        ? { status: 'expired', by: null, reason }
        : { status: 'ended', by: 'service', reason: OVER };
    case 'cancelled':
    case undefined:
      return { status: 'ended', by: theirs?.endedBy === 'USUARIO_PAGADOR' ? 'payer' : 'bank', reason };
    default:
      return undefined;
  }
}

async function activate(pix: Pix, authorisation: AuthorisationRow): Promise<void> {
  const { customer_id: customerId, id, checkout_hash } = authorisation;
  await lockedCustomer(pix, customerId, async (tx) => {
    const now = pix.clock.now();
    if (!(await markActive(tx, authorisation, now, saoPauloDay(now.getTime())))) return;
    const data = { checkout_hash, autopay_id: id, activated_at: now.toISOString() };
    await pix.events.emit(tx, { type: 'autopay.activated', customerId, data }, now);
    await enqueueAll(tx, [AUTOPAY_JOB], SYNC_ATTEMPTS);
  });
}

/** Ended here, and not yet there. One without an id there may exist at its location all the same. */
async function remove(pix: Pix, authorisation: AuthorisationRow, now: Date): Promise<void> {
  const { rec_id, location_id } = authorisation;
  const recId = rec_id ?? (location_id === null ? null : await pix.psp().findRecAt(location_id));
  if (recId !== null) await pix.psp().cancelRec(recId);
  await markRemovedAtPsp(pix.db, authorisation, now);
}

/** Ends it at the PSP at once, if the PSP answers; else reconciliation does. */
export async function removeNow(pix: Pix, { customer_id, id }: AuthorisationRow): Promise<void> {
  const authorisation = (await findAuthorisation(pix.db, customer_id, id))!;
  await syncAuthorisation(pix, authorisation);
}
