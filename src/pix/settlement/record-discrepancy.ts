import type { Pix } from '../pix.ts';
import type { ChargeRow } from '../store/charges.ts';
import { type DiscrepancyKind, upsertDiscrepancy } from '../store/discrepancies.ts';

const LOG_MESSAGES: Record<DiscrepancyKind, string> = {
  paid_without_payment: 'a charge is paid at the PSP, and no payment of it can be found',
  end_to_end_id_reused: 'the PSP has one payment for two charges: it is assigned to the first',
  unreadable_payment: 'the PSP has a payment for a charge that cannot be parsed',
};

/** Records what the PSP reports about a charge and we cannot reconcile. A known discrepancy is not counted or logged again. */
export async function recordDiscrepancy(
  { db, clock, log, metrics }: Pix,
  { customer_id, id, txid, value_cents }: ChargeRow,
  kind: DiscrepancyKind,
  endToEndId = '',
): Promise<void> {
  const isNew = await upsertDiscrepancy(db, {
    customer_id,
    charge_id: id,
    kind,
    end_to_end_id: endToEndId,
    txid,
    value_cents,
    found_at: clock.now(),
  });
  if (!isNew) return;
  metrics.discrepancies.inc({ kind });
  log.error({ txid, end_to_end_id: endToEndId || undefined, kind }, LOG_MESSAGES[kind]);
}
