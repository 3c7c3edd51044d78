import type { Day } from '#core/values/day.ts';
import { pluck, type Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { encryptContent, insertMessage, type MessageSubject, queueNewPhoneMessage } from './store.ts';
import { getTemplate, isTemplateName, type TemplateData, type TemplateName } from './templates.ts';

export type MessageKey = { customer_id: string | null; id: string };

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** A job sends several messages, because most of the cost of a job is fixed. */
    send_messages: { messages: readonly MessageKey[] };
    send_urgent_message: MessageKey;
  }
}

/** Seven attempts take about eleven minutes. Later attempts are made by the sweep. */
const MAX_ATTEMPTS = 7;
/** The attempts are made at 0, 3, 10, 30, 85 and 233 seconds. The sweep does not retry urgent messages. */
const MAX_URGENT_ATTEMPTS = 6;
const MAX_MESSAGES_PER_JOB = 50;

type TemplateMessage<N extends TemplateName> = {
  template: N;
  data: TemplateData<N>;
  now: Date;
};

export type CustomerMessage<N extends TemplateName> = TemplateMessage<N> & {
  /** What the message is about, e.g. the id of an installment; several subjects for a message that combines reminders. */
  subjectKey: string | readonly MessageSubject[];
  /** For reminders: days from the due day, e.g. -3 for three days before it. */
  step?: number;
  /** Allows only one message of the template on that day: a second one violates a unique index. */
  day?: Day;
  /** The recipient's phone, if it is not the customer's own. */
  phone?: string;
  /** The hashes of the purchases that the message is about. */
  checkouts?: readonly string[];
};

/**
 * Writes a message to a customer in the caller's transaction. A job sends it after the commit. Does nothing if a message of the template
 * with the same `subjectKey` was written before. The write is queued.
 */
export function queueCustomerMessage<N extends TemplateName>(
  tx: Tx,
  customerId: string,
  message: CustomerMessage<N>,
): void {
  const { template, data, now, subjectKey, step = null, day = null, phone, checkouts = [] } = message;
  const id = newId('msg', now);
  const content = encryptContent(tx.vault, id, { parts: data, ...(phone !== undefined && { phone }) });
  const subjects = typeof subjectKey === 'string' ? [{ key: subjectKey, step: step ?? 0 }] : subjectKey;
  tx.queueWrite(
    insertMessage({ customerId, id, template, step, day, content, subjects, checkouts, writtenAt: now }),
  );
  enqueueBeforeCommit(tx, { customer_id: customerId, id, template });
}

/** Writes a message to a phone, which may belong to no customer. A job sends it after the commit. */
export async function queuePhoneMessage<N extends TemplateName>(
  tx: Tx,
  phone: string,
  message: TemplateMessage<N> & { isToMember?: boolean },
): Promise<void> {
  const { template, data, now, isToMember = false } = message;
  const id = newId('msg', now);
  queueNewPhoneMessage(tx, { id, phone, template, parts: data, now, isOfMember: isToMember });
  await enqueueMessages(tx, [{ customer_id: null, id, template }]);
}

/** The messages of each open transaction, which are enqueued together before the commit. */
const queuedMessagesByTx = new WeakMap<Tx, QueuedMessage[]>();

function enqueueBeforeCommit(tx: Tx, message: QueuedMessage): void {
  const queuedMessages = queuedMessagesByTx.get(tx);
  if (queuedMessages) queuedMessages.push(message);
  else {
    const messages = [message];
    queuedMessagesByTx.set(tx, messages);
    tx.beforeCommit(() => void enqueueMessages(tx, messages));
  }
}

type QueuedMessage = MessageKey & { template: string };

/**
 * Enqueues jobs that send the messages. An urgent message gets its own job. All statements are issued synchronously, because
 * `beforeCommit` does not wait for them, and nothing can be written after the commit.
 */
export async function enqueueMessages(tx: Tx, messages: readonly QueuedMessage[]): Promise<void> {
  // A template that this release does not have cannot be sent.
  const sendableMessages = messages.flatMap(({ customer_id, id, template }) =>
    isTemplateName(template) ? [{ key: { customer_id, id }, isUrgent: getTemplate(template).isUrgent }] : [],
  );
  const urgentMessages = sendableMessages.filter(({ isUrgent }) => isUrgent);
  const otherMessages = sendableMessages.filter(({ isUrgent }) => !isUrgent);
  const urgentJobs = pluck(urgentMessages, 'key').map(
    (payload) => ({ task: 'send_urgent_message', payload, key: `message ${payload.id}` }) as const,
  );
  const jobs = splitIntoBatches(pluck(otherMessages, 'key'), MAX_MESSAGES_PER_JOB).map(
    (batch) =>
      ({ task: 'send_messages', payload: { messages: batch }, key: `messages ${batch[0]!.id}` }) as const,
  );
  await Promise.all([enqueueAll(tx, urgentJobs, MAX_URGENT_ATTEMPTS), enqueueAll(tx, jobs, MAX_ATTEMPTS)]);
}

const splitIntoBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
