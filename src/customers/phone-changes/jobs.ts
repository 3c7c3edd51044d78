import type { Db } from '#platform/database/db.ts';
import { type CronItem, enqueue, type Task, type Tasks } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Customers } from '../customers.ts';
import { deliverMessage } from '../messenger.ts';
import { applyDueChange } from './decide-change.ts';
import { findPhoneChange, listDueChanges, type PhoneChange, type PhoneChangeStatus } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    phone_changes_sweep: NoPayload;
  }
}

const LOT = 1_000;
const ATTEMPTS = 3;

export const phoneChangeTasks = (customers: Customers): Tasks => ({
  tell_phone_change: { queue: 'messages', run: tellOldPhone(customers) },
  phone_changes_sweep: () => sweep(customers),
});

export const PHONE_CHANGES_CRON: CronItem[] = [{ task: 'phone_changes_sweep', match: '* * * * *' }];

/** Soon, on whichever node: for what fell due while nobody was there, or by a clock that was moved. */
export async function sweepPhoneChangesSoon({ db, log }: { db: Db; log: Log }): Promise<void> {
  await db
    .transaction((tx) => enqueue(tx, 'phone_changes_sweep', {}, ATTEMPTS, { key: 'phone_changes_sweep' }))
    .catch((error: unknown) => log.warn({ err: error }, 'the next minute sweeps the changes of phones'));
}

/** Each in a transaction of its own: one that fails is tried again in a minute, and keeps no other waiting. */
async function sweep(customers: Customers): Promise<void> {
  const { db, clock, log, ended } = customers;
  const now = clock.now();
  for (const customerId of await listDueChanges(db, now, LOT)) {
    try {
      for (const id of await applyDueChange(customers, customerId, now)) ended.note(id);
    } catch (error) {
      log.error({ err: error, customer_id: customerId }, 'a change of phone could not take effect');
    }
  }
}

const when = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** What the old phone is told. Of the new one only the end: whoever reads this may not be its owner. */
const TEXTS: Partial<Record<PhoneChangeStatus, (change: PhoneChange) => string>> = {
  waiting: ({ to, counts_at }) =>
    `Semana: pediram para trocar o celular da sua conta pelo de final ${to.slice(-4)}. Vale em ${when.format(counts_at)}. ` +
    'Não foi você? Entre na carteira e cancele.',
  done: ({ to }) =>
    `Semana: o celular da sua conta agora é o de final ${to.slice(-4)}. Não foi você? Fale com a gente.`,
  taken: ({ to }) =>
    `Semana: o celular da sua conta não mudou: o de final ${to.slice(-4)} já é de outra conta.`,
};

/** Not sent where the change has gone on since: of that there is a message of its own. */
const tellOldPhone =
  (customers: Customers): Task<'tell_phone_change'> =>
  async ({ id, status }, attempt) => {
    const change = await findPhoneChange(customers.db, id);
    const textOf = TEXTS[status];
    if (change?.status !== status || !textOf) return;
    const topic = {
      id: `${id}_${status}`,
      purpose: 'phone_change',
      customerId: change.customer_id,
    } as const;
    await deliverMessage(customers, { to: change.from, text: textOf(change) }, topic, attempt);
  };
