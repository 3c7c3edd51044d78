import { DAY_MS } from '#core/values/duration.ts';
import { queueCustomerMessage } from '#messages';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { deleteChallengesForPhone } from '../codes/store.ts';
import { buildStoredIdentity } from '../create-customer.ts';
import type { CustomersDeps } from '../customers.ts';
import { decryptIdentity, hashPhone } from '../identity.ts';
import { phoneTaken } from '../problems.ts';
import { endAllSessions } from '../sessions/sessions.ts';
import { hashPhoneSubject } from '../sign-in.ts';
import { findCustomerId, lockIdentity, replacePhoneClaim, updateIdentity } from '../store.ts';
import { closePendingChange, insertPhoneChange, type PhoneChange } from './store.ts';

/** The actor in the audit trail for phone changes that take effect after the delay. */
export const PHONE_CHANGE_ACTOR = 'semana';
const EFFECTIVE_DELAY_MS = DAY_MS;

type PhoneChangeRequest = { customerId: string; from: string; to: string; requestedBy: string; now: Date };

/**
 * Stores a phone change that takes effect in 24 hours, or earlier if it is confirmed. Replaces a pending one. The new phone is not
 * reserved: another customer may register it first. Ends all sessions. The caller must have locked the customer.
 */
export async function requestPhoneChange(tx: CustomerTx, deps: CustomersDeps, request: PhoneChangeRequest) {
  const { customerId, now } = request;
  const change = await createPhoneChange(tx, request);
  notifyOldPhone(tx, change, 'waiting', now);
  await endAllSessions(tx, deps, customerId, 'phone_changed', now);
}

/** Changes the phone immediately, and ends all sessions. The caller must have locked the customer. */
export async function changePhoneNow(tx: CustomerTx, deps: CustomersDeps, request: PhoneChangeRequest) {
  const change = await createPhoneChange(tx, request);
  if (!(await applyPhoneChange(tx, deps, change, request.now))) throw phoneTaken();
}

async function createPhoneChange(
  tx: CustomerTx,
  { customerId, from, to, requestedBy, now }: PhoneChangeRequest,
) {
  if ((await findCustomerId(tx, to)) !== undefined) throw phoneTaken();
  await closePendingChange(tx, customerId, 'replaced', now);
  const change = {
    id: newId('pch', now),
    customer_id: customerId,
    from,
    to,
    asked_by: requestedBy,
    asked_at: now,
    counts_at: new Date(now.getTime() + EFFECTIVE_DELAY_MS),
  };
  await insertPhoneChange(tx, change);
  return change;
}

/**
 * Makes the new phone the customer's login. Invalidates codes sent to the old phone, which may belong to another person by now. Ends
 * all sessions. Returns false, without a change, if another customer has the new phone. The caller must have locked the customer.
 */
export async function applyPhoneChange(
  tx: CustomerTx,
  deps: CustomersDeps,
  change: NotifiedChange,
  now: Date,
): Promise<boolean> {
  const { customer_id: customerId, to } = change;
  const { vault } = tx;
  const identity = decryptIdentity(vault, (await lockIdentity(tx, customerId))!);
  const phoneHashes = { oldHash: hashPhone(vault, identity.phone), newHash: hashPhone(vault, to) };
  if (!(await replacePhoneClaim(tx, customerId, phoneHashes))) return false;
  await deleteChallengesForPhone(tx, hashPhoneSubject({ vault }, identity.phone));
  await updateIdentity(tx, buildStoredIdentity(vault, customerId, { ...identity, phone: to }));
  await closePendingChange(tx, customerId, 'done', now);
  notifyOldPhone(tx, change, 'done', now);
  await endAllSessions(tx, deps, customerId, 'phone_changed', now);
  return true;
}

type NotifiedChange = Pick<PhoneChange, 'id' | 'customer_id' | 'from' | 'to' | 'counts_at'>;

export function notifyOldPhone(
  tx: CustomerTx,
  { id, customer_id, from, to, counts_at }: NotifiedChange,
  state: 'waiting' | 'done' | 'taken',
  now: Date,
): void {
  queueCustomerMessage(tx, customer_id, {
    template: 'phone_changed',
    data: { changeId: id, state, newEnd: to.slice(-4), countsAt: counts_at.toISOString() },
    subjectKey: `${id} ${state}`,
    phone: from,
    now,
  });
}
