import { DAY_MS } from '#core/duration.ts';
import { tellCustomer } from '#messages';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { purgeChallengesOf } from '../codes/store.ts';
import { sealPerson } from '../create-customer.ts';
import { hashPhone, openIdentity } from '../people.ts';
import { phoneTaken } from '../problems.ts';
import { markAllEnded } from '../sessions/store.ts';
import { phoneSubject } from '../sign-in.ts';
import { findCustomerId, lockPerson, movePhone, updatePerson } from '../store.ts';
import { insertPhoneChange, markChangeClosed, type PhoneChange } from './store.ts';

/** The author, in the trail, of changes that take effect by time. */
export const BY_TIME = 'semana';
const WAIT_MS = DAY_MS;

type PhoneChangeRequest = { customerId: string; from: string; to: string; by: string; now: Date };

/**
 * A change that waits: it takes effect in 24 hours, or earlier if it is confirmed. Replaces one that was waiting. The new phone is not
 * reserved: whoever registers it first has it. All sessions end; their ids. The caller has locked the customer.
 */
export async function askPhoneChange(tx: CustomerTx, asked: PhoneChangeRequest): Promise<string[]> {
  const { customerId, now } = asked;
  tellOldPhone(tx, await insertChange(tx, asked), 'waiting', now);
  return markAllEnded(tx, customerId, 'phone_changed', now);
}

/** The same, and it takes effect at once. */
export async function changePhoneNow(tx: CustomerTx, asked: PhoneChangeRequest): Promise<string[]> {
  const ended = await applyPhoneChange(tx, await insertChange(tx, asked), asked.now);
  if (!ended) throw phoneTaken();
  return ended;
}

async function insertChange(tx: CustomerTx, { customerId, from, to, by, now }: PhoneChangeRequest) {
  if ((await findCustomerId(tx, to)) !== undefined) throw phoneTaken();
  await markChangeClosed(tx, customerId, 'replaced', now);
  const change = {
    id: newId('pch', now),
    customer_id: customerId,
    from,
    to,
    asked_by: by,
    asked_at: now,
    counts_at: new Date(now.getTime() + WAIT_MS),
  };
  await insertPhoneChange(tx, change);
  return change;
}

/**
 * From now on the customer logs in with the new phone. Codes sent to the old one become invalid: another person may have that phone
 * by now. All sessions end; their ids. Undefined when another customer has the new phone: then nothing has changed. The caller has
 * locked the customer.
 */
export async function applyPhoneChange(tx: CustomerTx, change: ToldChange, now: Date) {
  const { customer_id: customerId, to } = change;
  const { vault } = tx;
  const was = openIdentity(vault, (await lockPerson(tx, customerId))!);
  const hashes = { from: hashPhone(vault, was.phone), to: hashPhone(vault, to) };
  if (!(await movePhone(tx, customerId, hashes))) return undefined;
  await purgeChallengesOf(tx, phoneSubject({ vault }, was.phone));
  await updatePerson(tx, sealPerson(vault, customerId, { ...was, phone: to }));
  await markChangeClosed(tx, customerId, 'done', now);
  tellOldPhone(tx, change, 'done', now);
  return markAllEnded(tx, customerId, 'phone_changed', now);
}

type ToldChange = Pick<PhoneChange, 'id' | 'customer_id' | 'from' | 'to' | 'counts_at'>;

export function tellOldPhone(
  tx: CustomerTx,
  { id, customer_id, from, to, counts_at }: ToldChange,
  state: 'waiting' | 'done' | 'taken',
  now: Date,
): void {
  const parts = { changeId: id, state, newEnd: to.slice(-4), countsAt: counts_at.toISOString() };
  tellCustomer(tx, customer_id, {
    template: 'phone_changed',
    parts,
    about: `${id} ${state}`,
    phone: from,
    now,
  });
}
