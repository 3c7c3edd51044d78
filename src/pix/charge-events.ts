import { cents, toReais } from '#core/money.ts';
import type { ChargeRow } from './store/charges.ts';

export const chargeIdentity = ({ checkout_hash, installment_id, id }: ChargeRow) => ({
  checkout_hash,
  installment_id,
  pix_id: id,
});

/** The same, with the charge's amount. */
export const chargeTerms = (charge: ChargeRow) => ({
  ...chargeIdentity(charge),
  type: charge.type,
  value: toReais(cents(charge.value_cents)),
});
