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
 * Returns the current status of an authorisation that has a code. Without a code there is no visible status. An authorisation whose code
 * has expired may still be stored as pending.
 */
export const computeAuthorisationStatus = (
  { status, expires_at }: { status: AuthorisationStatus; expires_at: Date },
  now: Date,
): VisibleStatus => (status === 'pending' && expires_at <= now ? 'expired' : status) as VisibleStatus;

export function renderAuthorisation(authorisation: AuthorisationRow, now: Date) {
  return {
    ...project(Autopay, authorisation),
    status: computeAuthorisationStatus(authorisation, now),
    br_code: authorisation.br_code!,
    qr_code: renderQrDataUri(authorisation.br_code!),
    first: authorisation.first_charge_id !== null,
  };
}

export async function findAutopayView(db: Queryable, customerId: string, hash: string, now: Date) {
  const autopay = await findAutopay(db, customerId, hash);
  if (!autopay) return undefined;
  const debitViews = new Map<string, NonNullable<ReturnType<typeof renderDebit>>>();
  for (const debit of autopay.debits ?? []) {
    const debitView = renderDebit(debit);
    if (debitView) debitViews.set(debit.installment_id, debitView);
    // The oldest debit comes first, so a newer cancelled debit hides an older one of the same installment.
    else debitViews.delete(debit.installment_id);
  }
  return {
    checkout: { status: computeAuthorisationStatus(autopay, now) },
    installments: debitViews,
  } satisfies AutopayView;
}

/** Returns null for a cancelled debit, which is not visible. */
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
