import { cents, toReais } from '#core/values/money.ts';
import type { ChargeRow } from './store/charges.ts';

export const chargeEventIds = ({ checkout_hash, installment_id, id }: ChargeRow) => ({
  checkout_hash,
  installment_id,
  pix_id: id,
});

/** Adds the type and the amount of the charge. */
export const chargeEventTerms = (charge: ChargeRow) => ({
  ...chargeEventIds(charge),
  type: charge.type,
  value: toReais(cents(charge.value_cents)),
});
