import type { Attempt, Task } from '#platform/jobs.ts';
import { NotSent } from '#platform/messages/sender.ts';
import type { Customers } from '../customers.ts';
import { findLogin } from '../store.ts';
import { noteFailure, noteSuccess } from './sender-health.ts';
import { findUnsent, purgePlainCode, putMessage } from './store.ts';

/** At most 70 characters: with accents, that is what fits into one SMS. */
const textOf = (code: string) => `Semana: ${code} é o seu código. Vale 5 minutos. Não o diga a ninguém.`;

/** The job that sends a code, if the phone is that of a customer who may log in. */
export const sendCode =
  (customers: Customers): Task =>
  async (payload, attempt) => {
    const { db, vault, clock, sender, metrics } = customers;
    const { subject: hex, id } = payload as { subject: string; id: string };
    const subject = Buffer.from(hex, 'hex');
    const unsent = await findUnsent(db, subject, id);
    if (!unsent) return;
    const sealed = { bytes: unsent.sealed, version: unsent.sealed_key_version };
    const { phone, code } = JSON.parse(vault.open(sealed, id)) as { phone: string; code: string };
    const customer = await findLogin(db, phone);
    if (!customer || customer.locked_at) return purgePlainCode(db, subject, id);

    const message = { customerId: customer.id, id, subject, attempts: attempt.number };
    if (unsent.expires_at <= clock.now())
      return giveUp(customers, message, attempt.number > 1 ? null : 'expired');
    try {
      await sender({ to: phone, text: textOf(code), code });
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      return handleFailure(customers, message, attempt, error);
    }
    await purgePlainCode(db, subject, id);
    await noteSuccess(db);
    await putMessage(db, { ...message, status: 'sent', reason: null, at: clock.now() });
    metrics.messages.inc({ outcome: 'sent' });
  };

type Undelivered = { customerId: string; id: string; subject: Buffer; attempts: number };

async function handleFailure(
  customers: Customers,
  message: Undelivered,
  attempt: Attempt,
  error: NotSent,
): Promise<void> {
  const { db, clock, metrics } = customers;
  if (error.concernsAll) await noteFailure(db, clock.now());
  if (error.permanent || attempt.isLast) return giveUp(customers, message, error.reason);
  await putMessage(db, { ...message, status: 'retrying', reason: error.reason, at: clock.now() });
  metrics.messages.inc({ outcome: 'retrying' });
  throw error; // tried again, later and later
}

/** Somebody waits for a code that will not come: the operator must be able to see it. */
async function giveUp(
  { db, clock, log, metrics }: Customers,
  { subject, ...message }: Undelivered,
  reason: string | null,
): Promise<void> {
  await purgePlainCode(db, subject, message.id);
  await putMessage(db, { ...message, status: 'failed', reason, at: clock.now() });
  metrics.messages.inc({ outcome: 'failed' });
  log.error({ message_id: message.id, reason, attempts: message.attempts }, 'a login code could not be sent');
}
