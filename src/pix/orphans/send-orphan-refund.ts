import type { Pix } from '../pix.ts';
import { PspRefused } from '../psp/index.ts';
import { requestRefundAtPsp } from '../refunds/send-refund.ts';
import {
  findOrphan,
  markOrphanFailed,
  markOrphanProcessing,
  markOrphansReturned,
  type OrphanRow,
} from '../store/orphans.ts';

const NOTE = 'Devolução de valor sem cobrança';

/**
 * Requests the refund of an orphan from the PSP, or reads the status of that refund. If the payment has turned out to be for a
 * charge, it is no longer an orphan: a refund that was not sent yet is dropped, and one in progress is reported as a chargeback
 * later.
 */
export async function sendOrphanRefund(pix: Pix, endToEndId: string): Promise<void> {
  const orphan = await findOrphan(pix.db, endToEndId);
  if (!orphan || !['asked', 'processing'].includes(orphan.status)) return;
  if (!(await markOrphanProcessing(pix.db, orphan))) return;
  const result = await getOrRequestRefund(pix, orphan);
  pix.failpoint('after-refund-asked');
  if (result instanceof PspRefused) return failOrphanRefund(pix, orphan, result.reason);
  if (result.status === 'returned')
    await markOrphansReturned(pix.db, [endToEndId], result.settledAt ?? pix.clock.now());
  else if (result.status === 'failed') await failOrphanRefund(pix, orphan, result.reason);
}

/**
 * Idempotent by the refund's id: if the PSP has the refund, it is returned. If the PSP refuses that lookup, the error is thrown
 * and the job retries, because the refund may be in progress. Only a response about the refund itself ends it.
 */
async function getOrRequestRefund(pix: Pix, { end_to_end_id, refund_id, amount_cents }: OrphanRow) {
  const id = refund_id!;
  const existing = await pix.psp().getRefund(end_to_end_id, id);
  return existing ?? requestRefundAtPsp(pix, { end_to_end_id, id, amount_cents }, NOTE);
}

async function failOrphanRefund(pix: Pix, orphan: OrphanRow, reason: string | null): Promise<void> {
  await markOrphanFailed(pix.db, orphan, reason);
  pix.log.error({ end_to_end_id: orphan.end_to_end_id, reason }, 'an orphan could not be refunded');
}
