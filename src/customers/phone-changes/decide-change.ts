import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { type Change, recordChange } from '#platform/privacy/trail.ts';
import { changing, customerSubject, type Deps } from '../change-customer.ts';
import type { RightCode } from '../codes/check-code.ts';
import { markUsed } from '../codes/store.ts';
import { codeWrong, noPhoneChange, phoneTaken, secondPersonNeeded } from '../problems.ts';
import { applyPhoneChange, BY_TIME, tellOldPhone } from './phone-change.ts';
import { findWaitingChange, markChangeClosed } from './store.ts';

/** The change takes effect at once: by a code that was sent to the old phone, or by somebody else than who asked for it. */
export async function confirmPhoneChange(deps: Deps, idOrPhone: string, change: Change, code?: RightCode) {
  let endedSessions: string[] = [];
  const customer = await changing(deps, idOrPhone, { change }, async (tx, { id }) => {
    const waiting = await findWaitingChange(tx, id);
    if (!waiting) throw noPhoneChange();
    if (code) {
      if (!(await markUsed(tx, code, change.now))) throw codeWrong();
    } else if (waiting.asked_by === change.actor.id) throw secondPersonNeeded();
    const ended = await applyPhoneChange(tx, waiting, change.now);
    if (!ended) throw phoneTaken();
    endedSessions = ended;
  });
  return customer && { customer, endedSessions };
}

export function cancelPhoneChange(deps: Deps, idOrPhone: string, change: Change) {
  return changing(deps, idOrPhone, { change }, async (tx, { id }) => {
    if (!(await findWaitingChange(tx, id))) throw noPhoneChange();
    await markChangeClosed(tx, id, 'cancelled', change.now);
  });
}

/** Does what is due of a customer, once. Returns the sessions that ended. */
export function applyDueChange(deps: Deps, customerId: string, now: Date): Promise<string[]> {
  return customerTransaction(deps.db, customerId, async (tx) => {
    let endedSessions: string[] = [];
    const actor = { id: BY_TIME, address: null, requestId: null };
    const change = { actor, action: 'applyPhoneChange', now };
    const subject = customerSubject(deps);
    // Locks the customer: whoever confirms or cancels it meanwhile comes before or after.
    await subject.read(tx, customerId);
    const due = await findWaitingChange(tx, customerId);
    if (!due || due.counts_at > now) return [];
    await recordChange(tx, change, { of: subject, id: customerId }, async () => {
      const ended = await applyPhoneChange(tx, due, now);
      if (!ended) {
        await markChangeClosed(tx, customerId, 'taken', now);
        tellOldPhone(tx, due, 'taken', now);
      }
      endedSessions = ended ?? [];
    });
    return endedSessions;
  });
}
