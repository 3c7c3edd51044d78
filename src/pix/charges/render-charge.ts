import type { Static } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { qrDataUri } from '#platform/qr-png.ts';
import type { PixCharge, PixChargeWithRefunds } from '../schemas.ts';
import type { ChargeRow, ShownCharge } from '../store/charges.ts';
import type { ChargeRefund } from '../store/refunds.ts';

/**
 * The status as of now: a charge expires by time alone, whenever that is written. A charge that is being created or was discarded
 * has no code, and is not shown.
 */
export const statusNow = ({ status, expires_at }: ChargeRow, now: Date) =>
  (status === 'pending' && expires_at <= now ? 'expired' : status) as Static<typeof PixCharge>['status'];

/** `received_cents` is left out for a new charge, and for a repeated request. */
export function renderCharge(charge: ChargeRow & Partial<ShownCharge>, now: Date) {
  return {
    id: charge.id,
    installment_id: charge.installment_id,
    type: charge.type,
    status: statusNow(charge, now),
    value: toReais(cents(charge.value_cents)),
    paid: toReais(cents(charge.received_cents ?? 0)),
    txid: charge.txid,
    br_code: charge.br_code!,
    qr_code: qrDataUri(charge.br_code!),
    expires_at: charge.expires_at.toISOString(),
    created_at: charge.created_at.toISOString(),
  };
}

type ShownRefund = Static<typeof PixChargeWithRefunds>['refunds'][number];

/** In words for the customer: what the bank said is for the operator. */
const REFUNDS: Record<ChargeRefund['status'], Omit<ShownRefund, 'value'>> = {
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

export const renderChargeRefund = ({ amount_cents, status }: ChargeRefund): ShownRefund => ({
  value: toReais(cents(amount_cents)),
  ...REFUNDS[status],
});
