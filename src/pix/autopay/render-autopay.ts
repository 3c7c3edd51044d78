import type { AutopayView } from '#credit';
import type { Queryable } from '#platform/database/db.ts';
import { qrDataUri } from '#platform/qr-png.ts';
import { inWords } from '../debits/words.ts';
import {
  type AUTHORISATION_STATUSES,
  type AuthorisationRow,
  type AuthorisationStatus,
  findAutopay,
  type ShownDebit,
} from '../store/authorisations.ts';

type ShownStatus = (typeof AUTHORISATION_STATUSES)[number];

/** The status as of now: a code expires by time alone. One that nobody saw is not shown. */
export const authorisationNow = (
  { status, expires_at }: { status: AuthorisationStatus; expires_at: Date },
  now: Date,
): ShownStatus => (status === 'pending' && expires_at <= now ? 'expired' : status) as ShownStatus;

export function renderAuthorisation(authorisation: AuthorisationRow, now: Date) {
  return {
    id: authorisation.id,
    status: authorisationNow(authorisation, now),
    br_code: authorisation.br_code!,
    qr_code: qrDataUri(authorisation.br_code!),
    expires_at: authorisation.expires_at.toISOString(),
    first: authorisation.first_charge_id !== null,
    ended_by: authorisation.ended_by,
    reason: authorisation.reason,
    created_at: authorisation.created_at.toISOString(),
  };
}

export async function showAutopay(
  db: Queryable,
  customerId: string,
  hash: string,
  now: Date,
): Promise<AutopayView | undefined> {
  const found = await findAutopay(db, customerId, hash);
  if (!found) return undefined;
  const installments = new Map<string, NonNullable<ReturnType<typeof renderDebit>>>();
  for (const debit of found.debits ?? []) {
    const rendered = renderDebit(debit);
    if (rendered) installments.set(debit.installment_id, rendered);
    else installments.delete(debit.installment_id);
  }
  return { checkout: { status: authorisationNow(found, now) }, installments };
}

/** null: it was withdrawn. */
function renderDebit({ status, on, refusals, reason }: ShownDebit) {
  const shown = { on, reason: reason === null ? null : inWords(reason) };
  switch (status) {
    case 'creating':
    case 'pending':
      return {
        status: refusals > 0 ? ('trying' as const) : ('scheduled' as const),
        tries: refusals,
        ...shown,
      };
    case 'paid':
      return { status: 'paid' as const, on, tries: refusals + 1, reason: null };
    case 'expired':
      return { status: 'failed' as const, tries: refusals, ...shown };
    default:
      return null;
  }
}
