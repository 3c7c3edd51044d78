import type { Task } from '#platform/jobs/jobs.ts';
import type { Customers } from '../customers.ts';
import { deliverMessage, giveUp } from '../messenger.ts';
import { findLogin } from '../store.ts';
import { findUnsent, purgePlainCode } from './store.ts';

/** At most 70 characters: with accents, that is the size of one SMS. */
const textOf = (code: string) => `Semana: ${code} é o seu código. Vale 5 minutos. Não o diga a ninguém.`;

/** The job that sends a code: to a customer, to a member of a merchant, or to a stranger, who can sign up with it. */
export const sendCode =
  (customers: Customers): Task<'send_code'> =>
  async ({ subject: hex, id, kind }, attempt) => {
    const { db, vault, clock } = customers;
    const name = { subject: Buffer.from(hex, 'hex'), id };
    const unsent = await findUnsent(db, name);
    if (!unsent) return;
    const sealed = { bytes: unsent.sealed, version: unsent.sealed_key_version };
    const { phone, code } = JSON.parse(vault.open(sealed, id)) as { phone: string; code: string };
    // A member's code is nothing of the customer who has the same phone.
    const whose = kind === 'member' ? { customerId: null } : {};
    const topic = { id, purpose: 'login_code', ...whose } as const;
    if (unsent.expires_at > clock.now()) {
      await deliverMessage(customers, { to: phone, text: textOf(code), code }, topic, attempt);
    } else {
      const customerId = kind === 'member' ? null : ((await findLogin(db, phone))?.id ?? null);
      const message = { ...topic, customerId, attempts: attempt.number };
      await giveUp(customers, message, attempt.number > 1 ? null : 'expired');
    }
    await purgePlainCode(db, name);
  };
