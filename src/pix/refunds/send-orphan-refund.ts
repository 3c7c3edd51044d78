import type { Pix } from '../pix.ts';
import { PspRefused } from '../psp/index.ts';
import {
  findOrphan,
  markOrphanFailed,
  markOrphanProcessing,
  markOrphansReturned,
  type OrphanRow,
} from '../store/orphans.ts';
import { askRefund } from './ask-refund.ts';

const NOTE = 'Devolução de valor sem cobrança';

/**
 * Asks the PSP to refund a payment that belongs to no charge of ours, or asks for its state. If the payment turns out to be for a
 * charge meanwhile, it is no orphan any more: a refund that was not requested yet is dropped, and one in progress arrives as a
 * chargeback.
 */
export async function sendOrphanRefund(pix: Pix, endToEndId: string): Promise<void> {
  const orphan = await findOrphan(pix.db, endToEndId);
  if (!orphan || !['asked', 'processing'].includes(orphan.status)) return;
  if (!(await markOrphanProcessing(pix.db, endToEndId))) return;
  const asked = await ask(pix, orphan);
  pix.crash('after-refund-asked');
  if (asked instanceof PspRefused) return fail(pix, endToEndId, asked.reason);
  if (asked.status === 'returned')
    await markOrphansReturned(pix.db, [endToEndId], asked.settledAt ?? pix.clock.now());
  else if (asked.status === 'failed') await fail(pix, endToEndId, asked.reason);
}

/**
 * Idempotent by the refund's id: if the PSP has the refund, its state is returned. If the PSP refuses that lookup, the error is
 * thrown and the job retries, because the money may be leaving. Only an answer about the refund itself ends it.
 */
async function ask(pix: Pix, { end_to_end_id, refund_id, amount_cents }: OrphanRow) {
  const id = refund_id!;
  const known = await pix.psp().getRefund(end_to_end_id, id);
  return known.kind === 'found' ? known.refund : askRefund(pix, { end_to_end_id, id, amount_cents }, NOTE);
}

async function fail(pix: Pix, endToEndId: string, reason: string | null): Promise<void> {
  await markOrphanFailed(pix.db, endToEndId, reason);
  pix.log.error({ end_to_end_id: endToEndId, reason }, 'an orphan could not be given back');
}
