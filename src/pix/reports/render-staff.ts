import type { Static } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import { shown } from '#platform/http/shown.ts';
import { authorisationNow } from '../autopay/render-autopay.ts';
import { StaffAutopay, StaffDebit } from '../autopay/schemas.ts';
import { statusNow } from '../charges/render-charge.ts';
import { inWords } from '../debits/words.ts';
import { PixMove, PixPayment, StaffPixCharge } from '../schemas.ts';
import type { AuthorisationRow } from '../store/authorisations.ts';
import type { ChargeRow } from '../store/charges.ts';
import type { ListedDebit, ListedPayment } from '../store/lists.ts';
import type { MoveRow } from '../store/moves.ts';

const reais = (amountCents: number) => toReais(cents(amountCents));

export const renderPayment = (payment: ListedPayment): Static<typeof PixPayment> => ({
  ...shown(PixPayment, payment),
  pix_id: payment.charge_id,
  value: reais(payment.amount_cents),
  assigned: payment.is_assigned,
});

export const renderStaffCharge = (charge: ChargeRow, now: Date): Static<typeof StaffPixCharge> => ({
  ...shown(StaffPixCharge, charge),
  status: statusNow(charge, now),
});

export const renderMove = (move: MoveRow): Static<typeof PixMove> => shown(PixMove, move);

export const renderStaffAutopay = (authorisation: AuthorisationRow, now: Date) => ({
  ...shown(StaffAutopay, authorisation),
  status: authorisationNow(authorisation, now),
  first: authorisation.first_charge_id !== null,
  largest: reais(authorisation.least_cents),
});

export const renderStaffDebit = (debit: ListedDebit) => ({
  ...shown(StaffDebit, debit),
  value: reais(debit.value_cents),
  reason: debit.reason === null ? null : inWords(debit.reason),
});
