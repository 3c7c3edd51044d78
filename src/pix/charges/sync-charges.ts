import { countSettled } from '../metrics.ts';
import type { Pix } from '../pix.ts';
import { PspRefused, PspUnavailable } from '../psp/index.ts';
import { listChargesByTxid } from '../store/charges.ts';
import { syncCharge } from './sync-charge.ts';

const SYNC_CONCURRENCY = 4;
/** So often in a row no answer means that the PSP is away. */
const AWAY_AFTER = 3;
/** Less than the minute after which reconciliation comes again. */
const SYNC_TIMEOUT_MS = 45_000;

/**
 * Syncs many charges in one job, a few at a time. What a PSP refuses or garbles for one is no reason to leave the others; when
 * the PSP is away, or time is up, the rest is left for the next time.
 */
export async function syncCharges(pix: Pix, txids: readonly string[]): Promise<void> {
  const untilMs = performance.now() + SYNC_TIMEOUT_MS;
  // In any order, so that some for which the PSP never answers are not always the first.
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
