import { cents } from '#core/values/money.ts';
import { type Pix, withLockedCustomer } from '../pix.ts';
import { PspRefused, type Refund } from '../psp/index.ts';
import { failRefund, syncRefunds } from '../refunds/sync-refunds.ts';
import { syncCharge } from '../settlement/sync-charge.ts';
import { type ChargeRow, findCharge } from '../store/charges.ts';
import {
  findOrphan,
  markOrphanProcessing,
  markOrphansReturned,
  type OrphanRow,
  reopenOrphan,
} from '../store/orphans.ts';
import {
  findPayment,
  isRefundOpen,
  listRefunds,
  type RefundKey,
  updateRefundStatus,
} from '../store/payments.ts';

const REFUND_NOTE = 'Devolução de valor pago a mais';

/**
 * Requests a stored refund from the PSP, or reads the status of one in progress. The refund becomes `processing` right before the
 * call, so a refund that is `asked` is not at the PSP: it was never sent, or the PSP refused it or does not have it.
 */
export async function sendRefund(pix: Pix, key: RefundKey): Promise<void> {
  const refundsOfPayment = await listRefunds(pix.db, key.customer_id, key.end_to_end_id);
  const refund = refundsOfPayment.find(({ id }) => id === key.id);
  if (!refund || !isRefundOpen(refund)) return;
  const payment = (await findPayment(pix.db, key.customer_id, key.end_to_end_id))!;
  const charge = (await findCharge(pix.db, key.customer_id, payment.charge_id))!;
  if (refund.status === 'processing') {
    const pspRefund = await pix.psp().getRefund(refund.end_to_end_id, refund.id);
    if (pspRefund) return saveReportedRefund(pix, charge, key, pspRefund);
    await updateRefundStatus(pix.db, key, { from: 'processing', to: 'asked' });
  }
  // Reads all refunds of the payment before a retry, because staff may have refunded by hand, which the PSP does not report.
  if (refund.status === 'processing' || refundsOfPayment.length > 1) await syncCharge(pix, charge);
  if (!(await updateRefundStatus(pix.db, key, { from: 'asked', to: 'processing' }))) return;
  const pspResponse = await requestRefundAtPsp(pix, refund, REFUND_NOTE);
  pix.failpoint('after-refund-asked');
  if (!(pspResponse instanceof PspRefused)) return saveReportedRefund(pix, charge, key, pspResponse);
  await updateRefundStatus(pix.db, key, { from: 'processing', to: 'asked' });
  // The PSP may have refused because of a chargeback. The sync finds it, and the refund is `overtaken`.
  await syncCharge(pix, charge);
  const refusal = {
    reason: pspResponse.description,
    isFinal: isFinalRefusal(pspResponse),
    isTooOld: isTooOldRefusal(pspResponse),
  };
  await withLockedCustomer(pix, charge.customer_id, (tx) => failRefund(tx, pix, charge, key, refusal));
}

/** Efí's error code for a payment that is too old to be refunded. */
const TOO_OLD_TYPE = 'devolucao_prazo_excedido';
/** Error types of the standard and of PSPs for a refund that can never succeed. */
const FINAL_TYPES = new Set(['PixDevolucaoInvalida', 'valor_invalido', TOO_OLD_TYPE]);
/** The standard has one error type for all invalid refunds; for a payment that is too old, a violation mentions the 90 days. */
const REFUND_PERIOD_PATTERN = /\b90 dias\b/i;

/** Whether the refusal is permanent. An operator can fix the cause of other refusals, such as a missing scope. */
const isFinalRefusal = ({ status, type }: PspRefused): boolean =>
  (status === 400 || status === 422) && FINAL_TYPES.has(type);

function isTooOldRefusal(refusal: PspRefused): boolean {
  return (
    isFinalRefusal(refusal) &&
    (refusal.type === TOO_OLD_TYPE || REFUND_PERIOD_PATTERN.test(refusal.description))
  );
}

function saveReportedRefund(pix: Pix, charge: ChargeRow, key: RefundKey, refund: Refund): Promise<void> {
  const refunds = { endToEndId: key.end_to_end_id, refunds: [refund] };
  return withLockedCustomer(pix, charge.customer_id, (tx) => syncRefunds(tx, pix, charge, refunds));
}

/** Requests a refund from the PSP. A refusal, after which nothing was done, is returned instead of thrown. */
async function requestRefundAtPsp(
  pix: Pix,
  { end_to_end_id, id, amount_cents }: { end_to_end_id: string; id: string; amount_cents: number },
  note: string,
): Promise<Refund | PspRefused> {
  try {
    const response = await pix.psp().requestRefund(end_to_end_id, id, cents(amount_cents), { note });
    if (response.kind === 'id_taken')
      throw new Error(`the PSP has a refund with id ${id} and another amount`);
    return response.refund;
  } catch (error) {
    if (error instanceof PspRefused) return error;
    throw error;
  }
}

const ORPHAN_NOTE = 'Devolução de valor sem cobrança';

/**
 * Requests the refund of an orphan from the PSP, or reads the status of that refund. If the payment has turned out to be for a
 * charge, it is no longer an orphan: a refund that was not sent yet is dropped, and one in progress is reported as a chargeback
 * later.
 */
export async function sendOrphanRefund(pix: Pix, endToEndId: string): Promise<void> {
  const orphan = await findOrphan(pix.db, endToEndId);
  if (!orphan || !isRefundOpen(orphan)) return;
  if (!(await markOrphanProcessing(pix.db, orphan))) return;
  const pspResponse = await getOrRequestRefund(pix, orphan);
  pix.failpoint('after-refund-asked');
  if (pspResponse instanceof PspRefused) return failOrphanRefund(pix, orphan, pspResponse.description);
  if (pspResponse.status === 'returned')
    await markOrphansReturned(pix.db, [endToEndId], pspResponse.settledAt ?? pix.clock.now());
  else if (pspResponse.status === 'failed') await failOrphanRefund(pix, orphan, pspResponse.reason);
}

/**
 * Returns the refund at the PSP, and requests it if the PSP does not have it. If the PSP refuses the lookup, the error is thrown and
 * the job retries, because the refund may be in progress: only a response about the refund itself ends it.
 */
async function getOrRequestRefund(pix: Pix, { end_to_end_id, refund_id, amount_cents }: OrphanRow) {
  const id = refund_id!;
  const existingRefund = await pix.psp().getRefund(end_to_end_id, id);
  return existingRefund ?? requestRefundAtPsp(pix, { end_to_end_id, id, amount_cents }, ORPHAN_NOTE);
}

async function failOrphanRefund(pix: Pix, orphan: OrphanRow, reason: string | null): Promise<void> {
  await reopenOrphan(pix.db, orphan, reason);
  pix.log.error({ end_to_end_id: orphan.end_to_end_id, reason }, 'an orphan could not be refunded');
}
