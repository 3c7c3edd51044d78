import { MINUTE_MS } from '#core/values/duration.ts';
import { limitConcurrency, waitForAllOrThrow } from '#platform/jobs/concurrency.ts';
import { type CronItem, enqueue, type Tasks } from '#platform/jobs/jobs.ts';
import { waitWhileUrgent } from '#platform/jobs/urgent.ts';
import type { MessagingDeps } from './messages.ts';
import { enqueueMessages } from './outbox.ts';
import { createMessageSender } from './send.ts';
import { listPendingMessages } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** `isMoved` means that the clock was moved: then the age of a message is meaningless. */
    messages_sweep: { isMoved?: boolean };
  }
}

const BATCH_SIZE = 1_000;
/** How many messages this node handles concurrently in all jobs together, so that they share round trips. Excludes urgent messages. */
const MESSAGE_CONCURRENCY = 64;
/** How many of these messages are prepared or sent concurrently. The others are being read or saved. */
const SEND_CONCURRENCY = 16;
/** How long messages wait for settlements on this node, at most: settling money comes before sending messages. */
const MAX_YIELD_MS = 1_000;
/** The job of a message has ended by then, successfully or not. */
const STALE_AFTER_MS = 30 * MINUTE_MS;

export function createMessageTasks(deps: MessagingDeps): Tasks {
  const send = createMessageSender(deps, limitConcurrency(SEND_CONCURRENCY));
  const limitMessages = limitConcurrency(MESSAGE_CONCURRENCY);
  return {
    send_messages: {
      queue: 'messages',
      // If one message fails, the job is retried for all of them. It skips those that were sent.
      async run({ messages }, attempt) {
        await waitWhileUrgent(MAX_YIELD_MS);
        await waitForAllOrThrow(messages.map((key) => limitMessages(() => send(key, attempt))));
      },
    },
    send_urgent_message: { queue: 'codes', run: createMessageSender(deps) },
    messages_sweep: ({ isMoved = false }) => sweep(deps, isMoved),
  };
}

export const MESSAGES_CRON: CronItem[] = [{ task: 'messages_sweep', match: '*/10 * * * *' }];

/** Enqueues a sweep after the clock was moved, because postponed messages may be due now. */
export async function enqueueSweep({ db, log }: Pick<MessagingDeps, 'db' | 'log'>): Promise<void> {
  await db
    .transaction((tx) => enqueue(tx, 'messages_sweep', { isMoved: true }, 1, { key: 'messages_sweep' }))
    .catch((error: unknown) =>
      log.warn({ err: error }, 'enqueueing a sweep failed; the next sweep sends the pending messages'),
    );
}

/** Enqueues pending messages again: their job was lost, the provider was down for long, or they were postponed until now. */
async function sweep({ db, clock }: MessagingDeps, isMoved: boolean): Promise<void> {
  const now = clock.now();
  // A message that is being sent must not get a second job.
  const before = isMoved ? null : new Date(now.getTime() - STALE_AFTER_MS);
  const pending = await listPendingMessages(db, { before, now, limit: BATCH_SIZE });
  await db.transaction((tx) => enqueueMessages(tx, pending));
}
