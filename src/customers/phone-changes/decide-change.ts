import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { type AuditContext, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import {
  type CustomerUpdateDeps,
  customerAuditEntity,
  withAuditedCustomerUpdate,
} from '../change-customer.ts';
import type { VerifiedCode } from '../codes/check-code.ts';
import { consumeCode } from '../codes/store.ts';
import { codeWrong, noPhoneChange, phoneTaken, secondPersonNeeded } from '../problems.ts';
import { applyPhoneChange, notifyOldPhone, SYSTEM_ACTOR } from './phone-change.ts';
import { closePendingChange, findPendingChange } from './store.ts';

/** Applies the pending change immediately. Requires a code sent to the old phone, or a person other than the requester. */
export async function confirmPhoneChange(
  deps: CustomerUpdateDeps,
  idOrPhone: string,
  auditContext: AuditContext,
  code?: VerifiedCode,
) {
  let endedSessionIds: string[] = [];
  const customer = await withAuditedCustomerUpdate(deps, idOrPhone, { auditContext }, async (tx, { id }) => {
    const pendingChange = await findPendingChange(tx, id);
    if (!pendingChange) throw noPhoneChange();
    if (code) {
      if (!(await consumeCode(tx, code, auditContext.now))) throw codeWrong();
    } else if (pendingChange.asked_by === auditContext.actor.id) throw secondPersonNeeded();
    const endedIds = await applyPhoneChange(tx, pendingChange, auditContext.now);
    if (!endedIds) throw phoneTaken();
    endedSessionIds = endedIds;
  });
  return customer && { customer, endedSessionIds };
}

export function cancelPhoneChange(deps: CustomerUpdateDeps, idOrPhone: string, auditContext: AuditContext) {
  return withAuditedCustomerUpdate(deps, idOrPhone, { auditContext }, async (tx, { id }) => {
    if (!(await findPendingChange(tx, id))) throw noPhoneChange();
    await closePendingChange(tx, id, 'cancelled', auditContext.now);
  });
}

/** Applies the customer's pending change if it is due. Idempotent. Returns the ids of the sessions that ended. */
export function applyDuePhoneChange(
  deps: CustomerUpdateDeps,
  customerId: string,
  now: Date,
): Promise<string[]> {
  return customerTransaction(deps.db, customerId, async (tx) => {
    let endedSessionIds: string[] = [];
    const actor = { id: SYSTEM_ACTOR, ipAddress: null, requestId: null };
    const auditContext = { actor, action: 'applyPhoneChange', now };
    const entity = customerAuditEntity(deps);
    // Locks the customer, which serializes this with confirmations and cancellations.
    await entity.read(tx, customerId);
    const pendingChange = await findPendingChange(tx, customerId);
    if (!pendingChange || pendingChange.counts_at > now) return [];
    await withAuditedUpdate(tx, auditContext, { entity, id: customerId }, async () => {
      const endedIds = await applyPhoneChange(tx, pendingChange, now);
      if (!endedIds) {
        await closePendingChange(tx, customerId, 'taken', now);
        notifyOldPhone(tx, pendingChange, 'taken', now);
      }
      endedSessionIds = endedIds ?? [];
    });
    return endedSessionIds;
  });
}
