import type { Static } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { statusNow } from '../charges/render-charge.ts';
import type { PixOrphan, PixPayment, PixRefund, StaffPixCharge } from '../schemas.ts';
import type { ChargeRow } from '../store/charges.ts';
import type { ListedPayment } from '../store/lists.ts';
import type { OrphanRow } from '../store/orphans.ts';
import type { RefundRow } from '../store/refunds.ts';

const reais = (amountCents: number) => toReais(cents(amountCents));
const instant = (at: Date | null) => at?.toISOString() ?? null;

export const renderPayment = (payment: ListedPayment): Static<typeof PixPayment> => ({
  end_to_end_id: payment.end_to_end_id,
  pix_id: payment.charge_id,
  customer_id: payment.customer_id,
  installment_id: payment.installment_id,
  value: reais(payment.amount_cents),
  refunded: reais(payment.refunded_cents),
  assigned: payment.is_assigned,
  paid_at: payment.paid_at.toISOString(),
  recorded_at: payment.recorded_at.toISOString(),
});

export const renderStaffCharge = (charge: ChargeRow, now: Date): Static<typeof StaffPixCharge> => ({
  id: charge.id,
  txid: charge.txid,
  customer_id: charge.customer_id,
  checkout_hash: charge.checkout_hash,
  installment_id: charge.installment_id,
  type: charge.type,
  status: statusNow(charge, now),
  value: reais(charge.value_cents),
  created_at: charge.created_at.toISOString(),
  expires_at: charge.expires_at.toISOString(),
  paid_at: instant(charge.paid_at),
});

export const renderRefund = (refund: RefundRow): Static<typeof PixRefund> => ({
  id: refund.id,
  end_to_end_id: refund.end_to_end_id,
  customer_id: refund.customer_id,
  value: reais(refund.amount_cents),
  status: refund.status,
  stranded: reais(refund.stranded_cents),
  forced: refund.forced,
  reason: refund.reason,
  tries: refund.tries,
  created_at: refund.created_at.toISOString(),
  settled_at: instant(refund.settled_at),
});

export const renderOrphan = (orphan: OrphanRow): Static<typeof PixOrphan> => ({
  end_to_end_id: orphan.end_to_end_id,
  txid: orphan.txid,
  value: reais(orphan.amount_cents),
  status: orphan.status,
  reason: orphan.reason,
  paid_at: orphan.paid_at.toISOString(),
  found_at: orphan.found_at.toISOString(),
  returned_at: instant(orphan.returned_at),
});
