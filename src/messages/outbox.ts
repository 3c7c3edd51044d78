import { type Day, saoPauloDay } from '#core/day.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll, type Job } from '#platform/jobs/jobs.ts';
import { insertMessage, insertPhoneMessage, type Subject, sealContent } from './store.ts';
import { type PartsOf, type TemplateName, templateOf } from './templates.ts';

export type MessageName = { customer_id: string | null; id: string };

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    send_message: MessageName;
    send_urgent_message: MessageName;
  }
}

/** Retry budget: about eleven minutes. Urgent messages: four, at 0, 3, 10, 30, 85 and 233 seconds. Later the sweep retries the others. */
const MOST_ATTEMPTS = 7;
const MOST_URGENT_ATTEMPTS = 6;

type TemplateMessage<N extends TemplateName> = {
  template: N;
  parts: PartsOf<N>;
  now: Date;
};

/** Writes a message to a customer, in the caller's transaction; a job sends it after the commit. Deduplicated by template and `about`. */
export function tellCustomer<N extends TemplateName>(
  tx: Tx,
  customerId: string,
  message: TemplateMessage<N> & {
    about: string | readonly Subject[];
    step?: number;
    /** At most one message of the template on that day: a second one violates a unique index. */
    day?: Day;
    /** If it is not the customer's own. */
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

/** The same to a phone. Its owner is not looked up. */
export async function tellPhone<N extends TemplateName>(
  tx: Tx,
  phone: string,
  message: TemplateMessage<N> & { isOfMember?: boolean },
): Promise<void> {
  const { template, parts, now, isOfMember = false } = message;
  const id = newId('msg', now);
  await insertPhoneMessage(tx, { id, phone, template, parts, now, isOfMember });
  await enqueueMessages(tx, [jobOf({ customer_id: null, id }, template)]);
}

/** The jobs of each open transaction: one statement writes them all, because most of its cost is fixed. */
const gathered = new WeakMap<Tx, MessageJob[]>();

function gather(tx: Tx, job: MessageJob): void {
  const jobs = gathered.get(tx);
  if (jobs) return void jobs.push(job);
  const first = [job];
  gathered.set(tx, first);
  tx.beforeCommit(() => void enqueueMessages(tx, first));
}

type MessageJob = Job<'send_message' | 'send_urgent_message'>;

/** Deduplicated by message: it replaces a job that waits for its next attempt. */
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

/** The receiver of a message, as modules above this one know them. */
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
  findId(db: Queryable, idOrPhone: string): Promise<string | undefined>;
  /** The same rows, each with the name of its customer. */
  nameAll<R extends { customer_id: string }>(
    db: Queryable,
    rows: readonly R[],
  ): Promise<Array<R & { customer_name: string | null }>>;
};
