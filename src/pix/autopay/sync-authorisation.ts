import { saoPauloDay } from '#core/values/day.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import {
  EXPIRY_GRACE_MS,
  isAbandoned,
  type Pix,
  withLockedCustomer,
  withLockedCustomerInBatch,
} from '../pix.ts';
import type { Recurrence } from '../psp/index.ts';
import { enqueueChargeRemoval } from '../settlement/cancel-charges.ts';
import {
  type AuthorisationEnd,
  type AuthorisationRow,
  findAuthorisation,
  findAuthorisationByIdOrRecId,
  findVisibleAuthorisation,
  markActive,
  markEnded,
  markEndedAtPsp,
  markLiveAtPsp,
  markSynced,
} from '../store/authorisations.ts';
import { markDebitsCancelled } from '../store/charges.ts';
import { AUTOPAY_JOB, SYNC_ATTEMPTS } from '../tasks.ts';
import { computeAuthorisationStatus } from './render-autopay.ts';

export async function syncAuthorisationByRecId(pix: Pix, recId: string): Promise<void> {
  const authorisation = await findAuthorisationByIdOrRecId(pix.db.shared, recId);
  if (!authorisation) return;
  if (authorisation.removed_at === null) await syncAuthorisation(pix, authorisation);
  else await endIfApprovedAtPsp(pix, authorisation);
}

/** Reads an authorisation from the PSP and updates the stored one, or ends it at the PSP. Idempotent, also when several nodes call it. */
export async function syncAuthorisation(pix: Pix, authorisation: AuthorisationRow): Promise<void> {
  const now = pix.clock.now();
  switch (authorisation.status) {
    case 'creating':
      // A request may still be creating the authorisation.
      if (isAbandoned(authorisation, now)) await endAuthorisation(pix, authorisation, DISCARDED);
      return;
    case 'pending':
    case 'active':
      return syncLive(pix, authorisation, now);
    default:
      if (authorisation.removed_at === null) await endAtPsp(pix, authorisation, now);
  }
}

async function syncLive(pix: Pix, authorisation: AuthorisationRow, now: Date): Promise<void> {
  const { status, rec_id, expires_at } = authorisation;
  const recurrence = await pix.psp().getRec(rec_id!);
  pix.failpoint('after-truth-read');
  // The activation also saves when the authorisation was synced.
  if (recurrence?.status === 'approved' && status === 'pending') return activate(pix, authorisation);
  await markSynced(pix.db.shared, authorisation, now);
  if (recurrence?.status === 'approved') return;
  if (recurrence?.status !== 'created') return endAsReported(pix, authorisation, recurrence);
  if (status !== 'pending' || now.getTime() < expires_at.getTime() + EXPIRY_GRACE_MS) return;
  await pix.psp().cancelRec(rec_id!);
  await endAuthorisation(pix, authorisation, { ...EXPIRED, isEndedAtPsp: true });
}

async function endAsReported(pix: Pix, authorisation: AuthorisationRow, recurrence: Recurrence | null) {
  const end = toReportedEnd(authorisation, recurrence);
  if (end) await endAuthorisation(pix, authorisation, { ...end, isEndedAtPsp: true });
  else
    pix.log.warn(
      { autopay_id: authorisation.id, status: recurrence?.status },
      'the PSP reports an authorisation in an unknown status',
    );
}

type ReportedEnd = Omit<AuthorisationEnd, 'isEndedAtPsp'>;

function toReportedEnd({ status }: AuthorisationRow, recurrence: Recurrence | null): ReportedEnd | undefined {
  const reason = recurrence?.endCode ?? null;
  switch (recurrence?.status) {
    case 'rejected':
      return { status: 'rejected', endedBy: 'payer', reason };
    case 'expired':
      return status === 'pending'
        ? { status: 'expired', endedBy: null, reason }
        : { status: 'ended', endedBy: 'service', reason: PERIOD_OVER };
    case 'cancelled':
    // The PSP no longer has the authorisation.
    case undefined:
      return {
        status: 'ended',
        endedBy: recurrence?.endedBy === 'USUARIO_PAGADOR' ? 'payer' : 'bank',
        reason,
      };
    default:
      return undefined;
  }
}

async function activate(pix: Pix, authorisation: AuthorisationRow): Promise<void> {
  const { customer_id: customerId, id, checkout_hash } = authorisation;
  await withLockedCustomerInBatch(pix, customerId, async (tx) => {
    const now = pix.clock.now();
    if (!(await markActive(tx, authorisation, now, saoPauloDay(now.getTime())))) return;
    const data = { checkout_hash, autopay_id: id, activated_at: now.toISOString() };
    await pix.events.emit(tx, { type: 'autopay.activated', customerId, data }, now);
    await enqueueAll(tx, [AUTOPAY_JOB], SYNC_ATTEMPTS);
  });
}

/** Ends an authorisation at the PSP again, if the PSP has approved it after it had ended on both sides. */
async function endIfApprovedAtPsp(pix: Pix, authorisation: AuthorisationRow): Promise<void> {
  const { id, rec_id } = authorisation;
  const recurrence = rec_id === null ? null : await pix.psp().getRec(rec_id);
  if (recurrence?.status !== 'approved') return;
  pix.log.error({ autopay_id: id }, 'an authorisation has ended here and is active at the PSP');
  await endAtPsp(pix, authorisation, pix.clock.now());
}

/**
 * Ends at the PSP an authorisation whose stored status has ended. If the PSP's id is unknown, the PSP may still have the authorisation at
 * the location of its code. Each run of the autopay job retries until the PSP has ended the authorisation, and the audit reports it until
 * then.
 */
async function endAtPsp(pix: Pix, authorisation: AuthorisationRow, now: Date): Promise<void> {
  const { rec_id, location_id } = authorisation;
  try {
    let recId = rec_id;
    if (recId === null && location_id !== null) recId = await pix.psp().findRecIdAtLocation(location_id);
    if (recId !== null) await pix.psp().cancelRec(recId);
  } catch (error) {
    await markLiveAtPsp(pix.db, authorisation, now);
    throw error;
  }
  await markEndedAtPsp(pix.db, authorisation, now);
}

/** The stored reason of an authorisation whose last day has passed. */
const PERIOD_OVER = 'over';

const ENDED_WITHOUT_REASON = { endedBy: null, reason: null, isEndedAtPsp: false };
const ENDED_BY_SERVICE = { status: 'ended', endedBy: 'service', isEndedAtPsp: false } as const;

/** The code of the authorisation was never returned to a client. */
export const DISCARDED: AuthorisationEnd = { status: 'discarded', ...ENDED_WITHOUT_REASON };
/** The payer did not respond in time. */
export const EXPIRED: AuthorisationEnd = { status: 'expired', ...ENDED_WITHOUT_REASON };
export const REPLACED: AuthorisationEnd = { ...ENDED_BY_SERVICE, reason: 'replaced' };
export const NOTHING_OWED: AuthorisationEnd = { ...ENDED_BY_SERVICE, reason: 'nothing_owed' };
const ENDED_BY_CUSTOMER: AuthorisationEnd = {
  status: 'ended',
  endedBy: 'customer',
  reason: 'asked',
  isEndedAtPsp: false,
};

/**
 * Ends a stored authorisation and cancels its planned debits. The caller must have locked the customer. `syncAuthorisation` ends the
 * authorisation at the PSP.
 */
export async function endLockedAuthorisation(
  tx: CustomerTx,
  { events }: Pick<Pix, 'events'>,
  authorisation: AuthorisationRow,
  end: AuthorisationEnd,
  now: Date,
): Promise<boolean> {
  if (!(await markEnded(tx, authorisation, end, now))) return false;
  const { customer_id, checkout_hash, id } = authorisation;
  // The last debit may finish after the authorisation's last day.
  const installmentIds = end.reason === PERIOD_OVER ? [] : await markDebitsCancelled(tx, customer_id, id);
  for (const installment_id of installmentIds)
    await enqueueChargeRemoval(tx, { customer_id, installment_id });
  if (end.status === 'discarded') return true;
  const { status, endedBy: by, reason } = end;
  const data = { checkout_hash, autopay_id: id, status, by, reason, ended_at: now.toISOString() };
  await events.emit(tx, { type: 'autopay.ended', customerId: customer_id, data }, now);
  return true;
}

export const endAuthorisation = (pix: Pix, authorisation: AuthorisationRow, end: AuthorisationEnd) =>
  withLockedCustomer(pix, authorisation.customer_id, (tx) =>
    endLockedAuthorisation(tx, pix, authorisation, end, pix.clock.now()),
  );

/** Ends the authorisation of a purchase at the request of its customer. An expired one stays expired. Returns undefined if the purchase never had one. */
export const endAuthorisationForCustomer = (pix: Pix, customerId: string, hash: string) =>
  withLockedCustomer(pix, customerId, async (tx) => {
    const authorisation = await findVisibleAuthorisation(tx, customerId, hash);
    if (!authorisation) return undefined;
    const now = pix.clock.now();
    const isExpired = computeAuthorisationStatus(authorisation, now) === 'expired';
    await endLockedAuthorisation(tx, pix, authorisation, isExpired ? EXPIRED : ENDED_BY_CUSTOMER, now);
    return findAuthorisation(tx, customerId, authorisation.id);
  });
