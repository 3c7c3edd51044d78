import type { Static } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { qrDataUri } from '#platform/qr-png.ts';
import type { PixCharge } from '../schemas.ts';
import type { ChargeRow, ShownCharge } from '../store/charges.ts';

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
