import { countSettled } from '../metrics.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, PspUnavailable } from '../psp/index.ts';
import { listChargesByTxid } from '../store/charges.ts';
import { syncCharge } from './sync-charge.ts';

const SYNC_CONCURRENCY = 4;
/** So many missing answers in a row mean that the PSP is down. */
const AWAY_AFTER = 3;
/** Less than the minute between reconciliations. */
const SYNC_TIMEOUT_MS = 45_000;

/**
 * Syncs many charges in one job, a few at a time. A refused or malformed answer for one does not stop the others. When the PSP is
 * down, or time is up, the rest is left for the next run.
 */
export async function syncCharges(pix: Pix, txids: readonly string[]): Promise<void> {
  const untilMs = performance.now() + SYNC_TIMEOUT_MS;
  // In random order, so that charges for which the PSP never answers are not always the first.
  const waiting = txids.map((txid) => ({ txid, at: Math.random() })).toSorted((a, b) => a.at - b.at);
  let unanswered: PspUnavailable[] = [];
  const work = async () => {
    while (unanswered.length < AWAY_AFTER && performance.now() < untilMs) {
      const next = waiting.pop();
      if (next === undefined) return;
      const { txid } = next;
      try {
        const [charge] = await listChargesByTxid(pix.db, [txid]);
        if (charge) countSettled(pix.metrics, await syncCharge(pix, charge));
        unanswered = [];
      } catch (error) {
        if (error instanceof PspUnavailable && error.reason !== 'garbled') unanswered.push(error);
        else if (error instanceof PspRefused || error instanceof PspUnavailable)
          pix.log.warn({ err: error, txid }, 'a charge could not be synced');
        else throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: SYNC_CONCURRENCY }, work));
  if (unanswered[0]) throw unanswered[0];
}
