import { type Day, saoPauloDay } from '#core/day.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll, type Job } from '#platform/jobs/jobs.ts';
import { insertMessage, insertPhoneMessage, type Subject, sealContent } from './store.ts';
import { type PartsOf, type TemplateName, templateOf } from './templates.ts';

/** Which message: of a customer, or to a phone. */
export type MessageName = { customer_id: string | null; id: string };

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    send_message: MessageName;
    /** The same for what somebody waits for. */
    send_urgent_message: MessageName;
  }
}

/** Over about eleven minutes; an urgent one over four: at 0, 3, 10, 30, 85 and 233 seconds. The sweep goes on with the others. */
const MOST_ATTEMPTS = 7;
const MOST_URGENT_ATTEMPTS = 6;

type Told<N extends TemplateName> = {
  template: N;
  parts: PartsOf<N>;
  now: Date;
};

/**
 * Says something to a customer, in the transaction of what it says; a job sends it after the commit. `about` names what it is about:
 * of each template that is said once.
 */
export function tellCustomer<N extends TemplateName>(
  tx: Tx,
  customerId: string,
  message: Told<N> & {
    about: string | readonly Subject[];
    step?: number;
    /** At most one of the template on that day: another one violates a unique index. */
    day?: Day;
    /** Where it is not the customer's own. */
    phone?: string;
    /** Hashes of the purchases it is about. */
    checkouts?: readonly string[];
  },
): void {
  const { template, parts, now, about, step = null, day = null, phone, checkouts = [] } = message;
  const id = newId('msg', now);
  const content = sealContent(tx.vault, id, { parts, ...(phone !== undefined && { phone }) });
  const subjects = typeof about === 'string' ? [{ about, step: step ?? 0 }] : about;
  const toldOn = saoPauloDay(now.getTime());
  tx.write(insertMessage({ customerId, id, template, step, day, content, subjects, checkouts, now, toldOn }));
  gather(tx, jobOf({ customer_id: customerId, id }, template));
}

/** The same to a phone, whoever has it: nobody is asked whose it is. */
export async function tellPhone<N extends TemplateName>(
  tx: Tx,
  phone: string,
  message: Told<N> & { isOfMember?: boolean },
): Promise<void> {
  const { template, parts, now, isOfMember = false } = message;
  const id = newId('msg', now);
  await insertPhoneMessage(tx, { id, phone, template, parts, now, isOfMember });
  await enqueueMessages(tx, [jobOf({ customer_id: null, id }, template)]);
}

/** The jobs to be written with each open transaction: one statement for all, because most of its cost is its start. */
const gathered = new WeakMap<Tx, MessageJob[]>();

function gather(tx: Tx, job: MessageJob): void {
  const jobs = gathered.get(tx);
  if (jobs) return void jobs.push(job);
  const first = [job];
  gathered.set(tx, first);
  tx.beforeCommit(() => void enqueueMessages(tx, first));
}

type MessageJob = Job<'send_message' | 'send_urgent_message'>;

/** A job replaces one of its message that waits for its next attempt. */
export const jobOf = (name: MessageName, template: TemplateName): MessageJob => ({
  task: templateOf(template).isUrgent ? 'send_urgent_message' : 'send_message',
  payload: name,
  key: `message ${name.id}`,
});

export async function enqueueMessages(tx: Tx, jobs: readonly MessageJob[]): Promise<void> {
  const [urgent, others] = [true, false].map((isUrgent) =>
    jobs.filter(({ task }) => (task === 'send_urgent_message') === isUrgent),
  );
  // Both at once: nothing can be written after the commit.
  await Promise.all([enqueueAll(tx, urgent!, MOST_URGENT_ATTEMPTS), enqueueAll(tx, others!, MOST_ATTEMPTS)]);
}

/** Who is told: what modules above this one know of people. */
export type Contact = {
  customerId: string;
  phone: string;
  email: string;
  isLocked: boolean;
  isErased: boolean;
};

/** Provided by customers. */
export type Contacts = {
  find(db: Queryable, customerId: string): Promise<Contact | undefined>;
  findByPhone(db: Queryable, phone: string): Promise<Contact | undefined>;
  /** The id of the customer with this id or phone. */
  findId(db: Queryable, idOrPhone: string): Promise<string | undefined>;
  /** The same rows, each with the name of its customer. */
  nameAll<R extends { customer_id: string }>(
    db: Queryable,
    rows: readonly R[],
  ): Promise<Array<R & { customer_name: string | null }>>;
};
