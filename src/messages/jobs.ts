import type { CronItem, Tasks } from '#platform/jobs/jobs.ts';
import type { Outbound } from './messages.ts';
import { enqueueMessage } from './outbox.ts';
import { sendMessage } from './send.ts';
import { listWaitingMessages } from './store.ts';
import { isTemplate } from './templates.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    messages_sweep: NoPayload;
  }
}

const LOT = 1_000;
/** By then its job has ended, successfully or not. */
const WAITING_MS = 30 * 60_000;

export const messageTasks = (outbound: Outbound): Tasks => ({
  send_message: { queue: 'messages', run: sendMessage(outbound) },
  send_urgent_message: { queue: 'codes', run: sendMessage(outbound) },
  messages_sweep: () => sweep(outbound),
});

export const MESSAGES_CRON: CronItem[] = [{ task: 'messages_sweep', match: '*/10 * * * *' }];

/** Enqueues again what waits: its job was lost, or its provider is away for long. */
async function sweep({ db, clock }: Outbound): Promise<void> {
  const before = new Date(clock.now().getTime() - WAITING_MS);
  const waiting = await listWaitingMessages(db, before, LOT);
  await db.transaction(async (tx) => {
    for (const { template, ...name } of waiting)
      if (isTemplate(template)) await enqueueMessage(tx, name, template);
  });
}
