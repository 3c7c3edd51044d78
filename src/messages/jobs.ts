import { MINUTE_MS } from '#core/duration.ts';
import { type CronItem, enqueue, type Tasks } from '#platform/jobs/jobs.ts';
import { allTried, limitedTo } from '#platform/jobs/many.ts';
import { untilCalm } from '#platform/jobs/urgent.ts';
import type { Outbound } from './messages.ts';
import { enqueueMessages } from './outbox.ts';
import { sendMessage } from './send.ts';
import { listWaitingMessages } from './store.ts';

declare module '#platform/jobs/jobs.ts' {
  interface JobPayloads {
    /** `isMoved`: the clock was moved, so that waiting times mean nothing. */
    messages_sweep: { isMoved?: boolean };
  }
}

const BATCH_SIZE = 1_000;
/** Messages that this node handles at once, in all jobs together, without the urgent ones: they share round trips to the database. */
const MOST_AT_ONCE = 64;
/** How many of these are being prepared or sent. The others have been read, or are being marked. */
const MOST_CONCURRENT_SENDS = 16;
/** So long, at most, messages wait for settlements of this node: a receipt can be late, money should not be. */
const YIELD_MS = 1_000;
/** By then its job has ended, successfully or not. */
const WAITING_MS = 30 * MINUTE_MS;

export function messageTasks(outbound: Outbound): Tasks {
  const send = sendMessage(outbound, limitedTo(MOST_CONCURRENT_SENDS));
  const inTurn = limitedTo(MOST_AT_ONCE);
  return {
    send_messages: {
      queue: 'messages',
      // Repeated for all if one failed: those that were sent are left alone then.
      async run({ messages }, attempt) {
        await untilCalm(YIELD_MS);
        await allTried(messages.map((name) => inTurn(() => send(name, attempt))));
      },
    },
    send_urgent_message: { queue: 'codes', run: sendMessage(outbound) },
    messages_sweep: ({ isMoved = false }) => sweep(outbound, isMoved),
  };
}

export const MESSAGES_CRON: CronItem[] = [{ task: 'messages_sweep', match: '*/10 * * * *' }];

/** Enqueues a sweep after the clock was moved, for messages that were postponed until now. */
export async function sweepSoon({ db, log }: Pick<Outbound, 'db' | 'log'>): Promise<void> {
  await db
    .transaction((tx) => enqueue(tx, 'messages_sweep', { isMoved: true }, 1, { key: 'messages_sweep' }))
    .catch((error: unknown) => log.warn({ err: error }, 'the next sweep sends what waits'));
}

/** Enqueues waiting messages again: the job was lost, the provider was down for long, or the message was postponed until now. */
async function sweep({ db, clock }: Outbound, isMoved: boolean): Promise<void> {
  const now = clock.now();
  // A message that is being sent must not get a second job.
  const before = isMoved ? null : new Date(now.getTime() - WAITING_MS);
  const waiting = await listWaitingMessages(db, { before, now, limit: BATCH_SIZE });
  await db.transaction((tx) => enqueueMessages(tx, waiting));
}
