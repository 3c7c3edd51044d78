import type { Pix } from './pix.ts';
import { isPspError, PspUnavailable } from './psp/index.ts';

const CONCURRENCY = 4;
/** After this many consecutive calls without a usable response the PSP is considered down. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** Limit of one run, less than the minute between two runs of a job. */
const RUN_TIMEOUT_MS = 45_000;

/**
 * Calls `callPsp` for each item, with limited concurrency. A refused call or malformed response of one item does not stop the others.
 * When the PSP is down or the time is used up, the remaining items are left for the next run.
 */
export async function forEachAtPsp<T extends object>(
  { log }: Pick<Pix, 'log'>,
  items: readonly T[],
  callPsp: (item: T) => Promise<void>,
  { concurrency = CONCURRENCY }: { concurrency?: number } = {},
): Promise<void> {
  const deadlineMs = performance.now() + RUN_TIMEOUT_MS;
  // In random order, so that items for which the PSP never responds are not always first.
  const remainingItems = items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank);
  let consecutiveFailures: PspUnavailable[] = [];
  const runWorker = async () => {
    while (consecutiveFailures.length < MAX_CONSECUTIVE_FAILURES && performance.now() < deadlineMs) {
      const nextItem = remainingItems.pop();
      if (nextItem === undefined) return;
      try {
        await callPsp(nextItem.item);
        consecutiveFailures = [];
      } catch (error) {
        if (error instanceof PspUnavailable && error.reason !== 'garbled') consecutiveFailures.push(error);
        else if (isPspError(error))
          log.warn(
            { err: error, ...toLogFields(nextItem.item) },
            'the PSP refused a call or sent a malformed response',
          );
        else throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runWorker));
  const [firstFailure] = consecutiveFailures;
  if (firstFailure) throw firstFailure;
}

const toLogFields = (item: { id?: string; txid?: string }) => ({ id: item.id, txid: item.txid });
