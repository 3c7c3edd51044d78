import type { Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type Change, recordCreation } from '#platform/privacy/trail.ts';
import { enqueueMessages } from './outbox.ts';
import { messageNotKept, messageUnderWay } from './problems.ts';
import { findMessageOwner, findWhole, insertAgain } from './staff-store.ts';
import { openContent, sealContent } from './store.ts';
import { isTemplate } from './templates.ts';

/**
 * Sends a customer's message again, as a new message. It is prepared again, and withdrawn if it is no longer true. Returns its id;
 * undefined: there is no such message.
 */
export async function resendMessage(tx: Tx, id: string, change: Change): Promise<string | undefined> {
  const { now } = change;
  const customerId = await findMessageOwner(tx, id);
  const before = customerId === undefined ? undefined : await findWhole(tx, customerId, id);
  if (!before) return undefined;
  if (before.status === 'queued' || before.status === 'retrying') throw messageUnderWay();
  if (before.parts === null || !isTemplate(before.template)) throw messageNotKept();
  const again = newId('msg', now);
  const content = sealContent(tx.vault, again, openContent(tx.vault, id, before.parts));
  await insertAgain(tx, before, { id: again, content, now });
  await recordCreation(tx, change, { kind: 'message', id: again }, { again: id, template: before.template });
  await enqueueMessages(tx, [{ ...before, id: again }]);
  return again;
}
