import { centsToReais } from '#core/values/money.ts';
import type { AutopayView } from '#credit';
import type { Queryable } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { renderQrDataUri } from '#platform/qr-png.ts';
import { describeRejection } from '../debits.ts';
import { Autopay } from '../schemas.ts';
import {
  type AuthorisationRow,
  type AuthorisationStatus,
  type DebitSummary,
  findAutopay,
  type VisibleStatus,
} from '../store/authorisations.ts';

/**
 * Returns the status at an instant. An authorisation whose code has expired may still be stored as pending. The authorisation must
 * have a code: one without it has no visible status.
 */
export const authorisationStatusAt = (
  { status, expires_at }: { status: AuthorisationStatus; expires_at: Date },
  now: Date,
): VisibleStatus => (status === 'pending' && expires_at <= now ? 'expired' : status) as VisibleStatus;

export function renderAuthorisation(authorisation: AuthorisationRow, now: Date) {
  return {
    ...project(Autopay, authorisation),
    status: authorisationStatusAt(authorisation, now),
    br_code: authorisation.br_code!,
    qr_code: renderQrDataUri(authorisation.br_code!),
    first: authorisation.first_charge_id !== null,
  };
}

export async function findAutopayView(db: Queryable, customerId: string, hash: string, now: Date) {
  const autopay = await findAutopay(db, customerId, hash);
  if (!autopay) return undefined;
  const installments = new Map<string, NonNullable<ReturnType<typeof renderDebit>>>();
  for (const debit of autopay.debits ?? []) {
    const rendered = renderDebit(debit);
    if (rendered) installments.set(debit.installment_id, rendered);
    // The debits are sorted by age, so a newer, withdrawn one hides an older one of the same installment.
    else installments.delete(debit.installment_id);
  }
  return { checkout: { status: authorisationStatusAt(autopay, now) }, installments } satisfies AutopayView;
}

function renderDebit({ status, attempt_on, value_cents, refusals, reason }: DebitSummary) {
  const lastAttempt = { on: attempt_on, value: centsToReais(value_cents) };
  const rejection = { reason: reason === null ? null : describeRejection(reason) };
  switch (status) {
    case 'creating':
    case 'pending':
      return {
        status: refusals > 0 ? ('trying' as const) : ('scheduled' as const),
        tries: refusals,
        ...lastAttempt,
        ...rejection,
      };
    case 'paid':
      return { status: 'paid' as const, tries: refusals + 1, ...lastAttempt, reason: null };
    case 'expired':
      return { status: 'failed' as const, tries: refusals, ...lastAttempt, ...rejection };
    default:
      return null;
  }
}
