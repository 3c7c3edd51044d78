import type { Static } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import { project } from '#platform/http/project.ts';
import { authorisationStatusAt } from '../autopay/render-autopay.ts';
import { StaffAutopay, StaffDebit } from '../autopay/schemas.ts';
import { chargeStatusAt } from '../charges/render-charge.ts';
import { describeRejection } from '../debits/rejections.ts';
import { PixMove, PixPayment, StaffPixCharge } from '../schemas.ts';
import type { AuthorisationRow } from '../store/authorisations.ts';
import type { ChargeRow } from '../store/charges.ts';
import type { DebitListRow, PaymentListRow } from '../store/lists.ts';
import type { MoveRow } from '../store/moves.ts';

const reais = (amountCents: number) => toReais(cents(amountCents));

export const renderPayment = (payment: PaymentListRow): Static<typeof PixPayment> => ({
  ...project(PixPayment, payment),
  pix_id: payment.charge_id,
  value: reais(payment.amount_cents),
  assigned: payment.is_assigned,
});

export const renderStaffCharge = (charge: ChargeRow, now: Date): Static<typeof StaffPixCharge> => ({
  ...project(StaffPixCharge, charge),
  status: chargeStatusAt(charge, now),
});

export const renderMove = (move: MoveRow): Static<typeof PixMove> => project(PixMove, move);

export const renderStaffAutopay = (authorisation: AuthorisationRow, now: Date) => ({
  ...project(StaffAutopay, authorisation),
  status: authorisationStatusAt(authorisation, now),
  first: authorisation.first_charge_id !== null,
  largest: reais(authorisation.least_cents),
});

export const renderStaffDebit = (debit: DebitListRow) => ({
  ...project(StaffDebit, debit),
  value: reais(debit.value_cents),
  reason: debit.reason === null ? null : describeRejection(debit.reason),
});
