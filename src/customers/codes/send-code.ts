import type { Attempt, Task } from '#platform/jobs.ts';
import { NotSent } from '#platform/messages/sender.ts';
import type { Customers } from '../customers.ts';
import { findLogin } from '../store.ts';
import { noteFailure, noteSuccess } from './sender-health.ts';
import { type ChallengeName, findUnsent, type MessageStatus, purgePlainCode, putMessage } from './store.ts';

/** At most 70 characters: with accents, that is what fits into one SMS. */
const textOf = (code: string) => `Semana: ${code} é o seu código. Vale 5 minutos. Não o diga a ninguém.`;

/** The job that sends a code: to a customer, or to a stranger, who can sign up with it. Who is locked gets none. */
export const sendCode =
  (customers: Customers): Task =>
  async (payload, attempt) => {
    const { db, vault, clock, sender, metrics } = customers;
    const { subject: hex, id } = payload as { subject: string; id: string };
    const name = { subject: Buffer.from(hex, 'hex'), id };
    const unsent = await findUnsent(db, name);
    if (!unsent) return;
    const sealed = { bytes: unsent.sealed, version: unsent.sealed_key_version };
    const { phone, code } = JSON.parse(vault.open(sealed, id)) as { phone: string; code: string };
    const customer = await findLogin(db, phone);
    if (customer?.locked_at) return purgePlainCode(db, name);

    const message = { ...name, customerId: customer?.id ?? null, attempts: attempt.number };
    if (unsent.expires_at <= clock.now())
      return giveUp(customers, message, attempt.number > 1 ? null : 'expired');
    try {
      await sender({ to: phone, text: textOf(code), code });
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      return handleFailure(customers, message, attempt, error);
    }
    await purgePlainCode(db, name);
    await noteSuccess(db);
    await keep(customers, message, 'sent', null);
    metrics.messages.inc({ outcome: 'sent' });
  };

type CodeMessage = ChallengeName & { customerId: string | null; attempts: number };

/** What became of it is kept with the customer. Of a stranger nothing is kept: the log and the metrics tell of failures. */
async function keep(
  { db, clock }: Customers,
  { customerId, id, attempts }: CodeMessage,
  status: MessageStatus,
  reason: string | null,
): Promise<void> {
  if (customerId !== null)
    await putMessage(db, { customerId, id, attempts, status, reason, at: clock.now() });
}

async function handleFailure(
  customers: Customers,
  message: CodeMessage,
  attempt: Attempt,
  error: NotSent,
): Promise<void> {
  const { db, clock, metrics } = customers;
  if (error.concernsAll) await noteFailure(db, clock.now());
  if (error.permanent || attempt.isLast) return giveUp(customers, message, error.reason);
  await keep(customers, message, 'retrying', error.reason);
  metrics.messages.inc({ outcome: 'retrying' });
  throw error; // tried again, later and later
}

/** Somebody waits for a code that will not come: the operator must be able to see it. */
async function giveUp(customers: Customers, message: CodeMessage, reason: string | null): Promise<void> {
  const { db, log, metrics } = customers;
  await purgePlainCode(db, message);
  await keep(customers, message, 'failed', reason);
  metrics.messages.inc({ outcome: 'failed' });
  log.error({ message_id: message.id, reason, attempts: message.attempts }, 'a login code could not be sent');
}
