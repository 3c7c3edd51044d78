import type { PrepareMessage } from '#messages';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import { type AuditContext, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { customerAuditEntity, withAuditedCustomerUpdate } from '../change-customer.ts';
import type { VerifiedCode } from '../codes/codes.ts';
import { consumeCode } from '../codes/store.ts';
import type { CustomersDeps } from '../customers.ts';
import { codeWrong, noPhoneChange, phoneTaken, secondPersonNeeded } from '../problems.ts';
import { applyPhoneChange, notifyOldPhone, PHONE_CHANGE_ACTOR } from './phone-change.ts';
import { closePendingChange, findPendingChange, findPhoneChange, listCustomersDueToChange } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    phone_changes_sweep: NoPayload;
  }
}

const BATCH_SIZE = 1_000;

export const phoneChangeTasks = (deps: CustomersDeps): Tasks => ({
  phone_changes_sweep: () => applyDueChanges(deps),
});

export const PHONE_CHANGES_CRON: CronItem[] = [
  { task: 'phone_changes_sweep', match: '* * * * *', atStart: {}, afterClockMove: {} },
];

/** Applies each due change in its own transaction: a failure does not delay the other changes, and is retried in a minute. */
async function applyDueChanges(deps: CustomersDeps): Promise<void> {
  const { db, clock, log } = deps;
  const now = clock.now();
  for (const customerId of await listCustomersDueToChange(db, now, BATCH_SIZE)) {
    try {
      await applyPendingChangeIfDue(deps, customerId, now);
    } catch (error) {
      log.error({ err: error, customer_id: customerId }, 'could not apply a phone change');
    }
  }
}

/** Drops a message whose phone change has a newer status, because each status has its own message. */
export const createPhoneChangePreparer =
  (db: Db): PrepareMessage<'phone_changed'> =>
  async ({ data }) => {
    const change = await findPhoneChange(db, data.changeId);
    return change?.status === data.state ? data : null;
  };

/** Applies the pending change immediately. Requires a code sent to the old phone, or a person other than the requester. */
export const confirmPhoneChange = (
  deps: CustomersDeps,
  idOrPhone: string,
  auditContext: AuditContext,
  verifiedCode?: VerifiedCode,
) =>
  withAuditedCustomerUpdate(deps, idOrPhone, { auditContext }, async (tx, { id }) => {
    const pendingChange = await findPendingChange(tx, id);
    if (!pendingChange) throw noPhoneChange();
    if (verifiedCode) {
      if (!(await consumeCode(tx, verifiedCode, auditContext.now))) throw codeWrong();
    } else if (pendingChange.asked_by === auditContext.actor.id) throw secondPersonNeeded();
    if (!(await applyPhoneChange(tx, deps, pendingChange, auditContext.now))) throw phoneTaken();
  });

export const cancelPhoneChange = (deps: CustomersDeps, idOrPhone: string, auditContext: AuditContext) =>
  withAuditedCustomerUpdate(deps, idOrPhone, { auditContext }, async (tx, { id }) => {
    if (!(await findPendingChange(tx, id))) throw noPhoneChange();
    await closePendingChange(tx, id, 'cancelled', auditContext.now);
  });

const applyPendingChangeIfDue = (deps: CustomersDeps, customerId: string, now: Date): Promise<void> =>
  customerTransaction(deps.db, customerId, async (tx) => {
    const actor = { id: PHONE_CHANGE_ACTOR, ipAddress: null, requestId: null };
    const auditContext = { actor, action: 'applyPhoneChange', now };
    const entity = customerAuditEntity(deps);
    // Locks the customer, so that no concurrent request confirms or cancels the change.
    await entity.read(tx, customerId);
    const pendingChange = await findPendingChange(tx, customerId);
    if (!pendingChange || pendingChange.counts_at > now) return;
    await withAuditedUpdate(tx, auditContext, { entity, id: customerId }, async () => {
      if (await applyPhoneChange(tx, deps, pendingChange, now)) return;
      await closePendingChange(tx, customerId, 'taken', now);
      notifyOldPhone(tx, pendingChange, 'taken', now);
    });
  });
