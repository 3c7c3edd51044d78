import { type Day, saoPauloDay } from '#core/day.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { enqueueAll } from '#platform/jobs/jobs.ts';
import { insertMessage, insertPhoneMessage, type Subject, sealContent } from './store.ts';
import { isTemplate, type PartsOf, type TemplateName, templateOf } from './templates.ts';

export type MessageName = { customer_id: string | null; id: string };

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** Several in one job: most of the cost of a job is fixed. */
    send_messages: { messages: readonly MessageName[] };
    send_urgent_message: MessageName;
  }
}

/** Retry budget: about eleven minutes. Urgent messages: four, at 0, 3, 10, 30, 85 and 233 seconds. Later the sweep retries the others. */
const MOST_ATTEMPTS = 7;
const MOST_URGENT_ATTEMPTS = 6;
const MOST_IN_ONE_JOB = 50;

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
  gather(tx, { customer_id: customerId, id, template });
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
  await enqueueMessages(tx, [{ customer_id: null, id, template }]);
}

/** The messages of each open transaction, which are enqueued together. */
const gathered = new WeakMap<Tx, QueuedMessage[]>();

function gather(tx: Tx, message: QueuedMessage): void {
  const messages = gathered.get(tx);
  if (messages) return void messages.push(message);
  const first = [message];
  gathered.set(tx, first);
  tx.beforeCommit(() => void enqueueMessages(tx, first));
}

type QueuedMessage = MessageName & { template: string };

/** An urgent message has a job of its own. */
export async function enqueueMessages(tx: Tx, messages: readonly QueuedMessage[]): Promise<void> {
  const [urgent, others] = [true, false].map((isUrgent) =>
    messages
      .filter(({ template }) => isTemplate(template) && (templateOf(template).isUrgent ?? false) === isUrgent)
      .map(({ customer_id, id }) => ({ customer_id, id })),
  );
  const urgentJobs = urgent!.map(
    (payload) => ({ task: 'send_urgent_message', payload, key: `message ${payload.id}` }) as const,
  );
  const jobs = inParts(others!, MOST_IN_ONE_JOB).map(
    (part) =>
      ({ task: 'send_messages', payload: { messages: part }, key: `messages ${part[0]!.id}` }) as const,
  );
  // Both at once: nothing can be written after the commit.
  await Promise.all([enqueueAll(tx, urgentJobs, MOST_URGENT_ATTEMPTS), enqueueAll(tx, jobs, MOST_ATTEMPTS)]);
}

const inParts = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

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
