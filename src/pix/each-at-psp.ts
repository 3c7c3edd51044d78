import type { Pix } from './pix.ts';
import { PspRefused, PspUnavailable } from './psp/index.ts';

const MOST_CONCURRENT_CALLS = 4;
/** So many missing answers in a row mean that the PSP is down. */
const AWAY_AFTER = 3;
/** Less than the minute between two runs. */
const TIMEOUT_MS = 45_000;

/**
 * Does something with many at the PSP in one job, a few at a time. A refused or malformed answer for one does not stop the others. When
 * the PSP is down, or time is up, the rest is left for the next run.
 */
export async function eachAtPsp<T extends object>(
  { log }: Pick<Pix, 'log'>,
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const untilMs = performance.now() + TIMEOUT_MS;
  // In random order, so that those for which the PSP never answers are not always the first.
  const waiting = items.map((item) => ({ item, at: Math.random() })).toSorted((a, b) => a.at - b.at);
  let unanswered: PspUnavailable[] = [];
  const work = async () => {
    while (unanswered.length < AWAY_AFTER && performance.now() < untilMs) {
      const next = waiting.pop();
      if (next === undefined) return;
      try {
        await act(next.item);
        unanswered = [];
      } catch (error) {
        if (error instanceof PspUnavailable && error.reason !== 'garbled') unanswered.push(error);
        else if (error instanceof PspRefused || error instanceof PspUnavailable)
          log.warn({ err: error, ...namesOf(next.item) }, 'the PSP refused, or answered what is unclear');
        else throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: MOST_CONCURRENT_CALLS }, work));
  if (unanswered[0]) throw unanswered[0];
}

const namesOf = (item: { id?: string; txid?: string }) => ({ id: item.id, txid: item.txid });
