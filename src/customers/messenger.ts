import type { JobAttempt } from '#platform/jobs/jobs.ts';
import { type Message, NotSent } from '#platform/messages/sender.ts';
import { service } from '#platform/service.ts';
import { canReceiveCodes } from './codes/request-code.ts';
import { noteFailure, noteSuccess } from './codes/sender-health.ts';
import { type MessageStatus, putMessage } from './codes/store.ts';
import type { Customers } from './customers.ts';
import type { CountMessage } from './message-caps.ts';
import { findLogin } from './store.ts';

/** The subject of a message in the operator's lists, and its id there. */
type Topic = {
  readonly id: string;
  readonly purpose: 'login_code' | 'offer' | 'phone_change' | 'payout_account' | 'credit';
  /** Whose message it is, where that is not whoever has the phone now; null: no customer's. Sent also to who is locked. */
  readonly customerId?: string | null;
};

/** How other modules send messages to phones. */
export type Messenger = {
  /** Whether messages are sent to such a phone at all. */
  canReach(phone: string): boolean;
  count: CountMessage;
  /** For a job: false when it will never be sent. Throws what is to be retried. */
  deliver(message: Message, topic: Topic, attempt: JobAttempt): Promise<boolean>;
};

export const messenger = service<Messenger>('messenger');
/** For commands, which send nothing themselves. */
export const canReach = service<Messenger['canReach']>('can reach');

export const openMessenger = (customers: Customers): Messenger => ({
  canReach: (phone) => canReceiveCodes(phone, customers.otpCountries),
  count: customers.countMessage,
  deliver: (message, topic, attempt) => deliverMessage(customers, message, topic, attempt),
});

/**
 * Sends a message to a customer or to a stranger. Locked customers get no codes and offers. The outcome is stored with the customer. For a
 * stranger nothing is stored: failures are in the log and the metrics.
 */
export async function deliverMessage(
  customers: Customers,
  message: Message,
  topic: Topic,
  attempt: JobAttempt,
): Promise<boolean> {
  const { db, sender, metrics, clock } = customers;
  const customer = topic.customerId === undefined ? await findLogin(db, message.to) : undefined;
  if (customer?.locked_at) return false;
  const customerId = topic.customerId === undefined ? (customer?.id ?? null) : topic.customerId;
  const kept = { ...topic, customerId, attempts: attempt.number };
  try {
    await sender(message);
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    if (error.concernsAll) await noteFailure(db, clock.now());
    if (error.permanent || attempt.isLast) {
      await giveUp(customers, kept, error.reason);
      return false;
    }
    await keep(customers, kept, 'retrying', error.reason);
    metrics.messages.inc({ outcome: 'retrying' });
    throw error; // retried with backoff
  }
  await noteSuccess(db);
  await keep(customers, kept, 'sent', null);
  metrics.messages.inc({ outcome: 'sent' });
  return true;
}

type KeptMessage = Omit<Topic, 'customerId'> & { customerId: string | null; attempts: number };

async function keep(
  { db, clock }: Customers,
  { customerId, ...message }: KeptMessage,
  status: MessageStatus,
  reason: string | null,
): Promise<void> {
  if (customerId !== null) await putMessage(db, { ...message, customerId, status, reason, at: clock.now() });
}

/** Somebody waits for a message that will not come: shown to the operator. */
export async function giveUp(
  customers: Customers,
  message: KeptMessage,
  reason: string | null,
): Promise<void> {
  const { id, purpose, attempts } = message;
  await keep(customers, message, 'failed', reason);
  customers.metrics.messages.inc({ outcome: 'failed' });
  customers.log.error({ message_id: id, purpose, reason, attempts }, 'a message could not be sent');
}
