import type { Static } from 'typebox';
import { centsToReais } from '#core/values/money.ts';
import { project } from '#platform/http/project.ts';
import { renderQrDataUri } from '#platform/qr-png.ts';
import { PixCharge, type PixChargeWithRefunds } from '../schemas.ts';
import type { ChargeRow, VisibleCharge } from '../store/charges.ts';
import type { ChargeRefund } from '../store/payments.ts';

/** Returns the current status of a charge that has a code, i.e. is not creating or discarded. An expired one may be stored as pending. */
export const computeChargeStatus = ({ status, expires_at }: ChargeRow, now: Date) =>
  (status === 'pending' && expires_at <= now ? 'expired' : status) as Static<typeof PixCharge>['status'];

/** `received_cents` is missing for a new charge and for a replayed request. */
export function renderCharge(charge: ChargeRow & Partial<VisibleCharge>, now: Date) {
  return {
    ...project(PixCharge, charge),
    status: computeChargeStatus(charge, now),
    paid: centsToReais(charge.received_cents ?? 0),
    br_code: charge.br_code!,
    qr_code: renderQrDataUri(charge.br_code!),
  };
}

type RefundView = Static<typeof PixChargeWithRefunds>['refunds'][number];

/** Texts for the customer. The bank's own reason is only shown to the operator. */
const REFUND_VIEWS: Record<ChargeRefund['status'], Omit<RefundView, 'value'>> = {
  asked: { status: 'under_way', explanation: 'A devolução por Pix foi pedida ao banco.' },
  processing: { status: 'under_way', explanation: 'O banco está fazendo a devolução por Pix.' },
  returned: { status: 'returned', explanation: 'O valor foi devolvido por Pix para a conta de onde veio.' },
  given_up: {
    status: 'delayed',
    explanation: 'O banco não conseguiu fazer a devolução por Pix. Nossa equipe vai resolver.',
  },
  credited: {
    status: 'cashback',
    explanation:
      'O pagamento tem mais de 90 dias, e o banco não devolve mais por Pix. O que você não devia virou cashback.',
  },
};

export const renderChargeRefund = ({ amount_cents, status }: ChargeRefund): RefundView => ({
  value: centsToReais(amount_cents),
  ...REFUND_VIEWS[status],
});
