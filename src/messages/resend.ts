import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type AuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { enqueueMessages } from './outbox.ts';
import { messageInProgress, messageNotResendable } from './problems.ts';
import { findMessageCustomerId, findStaffMessage, insertResentMessage } from './staff-store.ts';
import { decryptContent, encryptContent } from './store.ts';
import { isTemplateName } from './templates.ts';

/**
 * Resends a customer's message as a new message. The new message is prepared again, and withdrawn if it is no longer true. Returns its
 * id, or undefined if the message does not exist.
 */
export async function resendMessage(
  tx: Tx,
  id: string,
  auditContext: AuditContext,
): Promise<string | undefined> {
  const { now } = auditContext;
  const customerId = await findMessageCustomerId(tx, id);
  const original = customerId === undefined ? undefined : await findStaffMessage(tx, customerId, id);
  if (!original) return undefined;
  if (original.status === 'queued' || original.status === 'retrying') throw messageInProgress();
  if (original.parts === null || !isTemplateName(original.template)) throw messageNotResendable();
  const resentId = newId('msg', now);
  const content = encryptContent(tx.vault, resentId, decryptContent(tx.vault, id, original.parts));
  await insertResentMessage(tx, original, { id: resentId, content, now });
  await recordAuditEntry(
    tx,
    auditContext,
    { kind: 'message', id: resentId },
    { again: id, template: original.template },
  );
  await enqueueMessages(tx, [{ ...original, id: resentId }]);
  return resentId;
}
