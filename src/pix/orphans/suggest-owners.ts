import { addDays, saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { listInstallmentsByOutstanding } from '#credit';
import type { Queryable } from '#platform/database/db.ts';
import { listPayersFromBank, listUnpaidCharges, type OrphanRow } from '../store/orphans.ts';

/** A code is usually paid within days; an installment may be paid early or late. */
const MAX_CODE_AGE_DAYS = 7;
const MAX_DUE_DISTANCE_DAYS = 10;
const MAX_SUGGESTIONS = 10;
/** An end-to-end id begins with E and the eight digits of the payer's bank. */
const BANK_PREFIX_LENGTH = 9;

export const OWNER_REASONS = ['code', 'amount', 'bank'] as const;

type Suggestion = {
  customer_id: string;
  checkout_hash: string;
  installment_id: string;
  because: Array<(typeof OWNER_REASONS)[number]>;
};

/**
 * Suggests installments that an orphan may be for, the most likely first: an unpaid code of the same amount, or an installment on
 * which exactly this amount is owed, near in time; more likely if the customer has paid from the same bank before. The payer is
 * not stored: only the statement of the PSP shows it.
 */
export async function suggestOwners(db: Queryable, orphan: OrphanRow): Promise<Suggestion[]> {
  const { amount_cents, paid_at: paidAt, end_to_end_id } = orphan;
  const paidOn = saoPauloDay(paidAt.getTime());
  const [unpaidCharges, owingInstallments] = await Promise.all([
    listUnpaidCharges(db, amount_cents, {
      from: new Date(paidAt.getTime() - MAX_CODE_AGE_DAYS * DAY_MS),
      to: new Date(paidAt.getTime() + DAY_MS),
      at: paidAt,
      limit: MAX_SUGGESTIONS,
    }),
    listInstallmentsByOutstanding(db, amount_cents, {
      from: addDays(paidOn, -MAX_DUE_DISTANCE_DAYS),
      to: addDays(paidOn, MAX_DUE_DISTANCE_DAYS),
      day: paidOn,
      limit: MAX_SUGGESTIONS,
    }),
  ]);
  const byInstallment = new Map<string, Suggestion>();
  const add = (owner: Omit<Suggestion, 'because'>, reason: Suggestion['because'][number]) => {
    const suggestion = byInstallment.get(owner.installment_id) ?? { ...owner, because: [] };
    if (!suggestion.because.includes(reason)) suggestion.because.push(reason);
    byInstallment.set(owner.installment_id, suggestion);
  };
  for (const charge of unpaidCharges) add(charge, 'code');
  for (const { customer_id, checkout_hash, id } of owingInstallments)
    add({ customer_id, checkout_hash, installment_id: id }, 'amount');
  const suggestions = [...byInstallment.values()];
  const bank = end_to_end_id.slice(0, BANK_PREFIX_LENGTH);
  const customerIds = [...new Set(suggestions.map(({ customer_id }) => customer_id))];
  const payers = await listPayersFromBank(db, customerIds, bank);
  for (const suggestion of suggestions)
    if (payers.has(suggestion.customer_id)) suggestion.because.push('bank');
  // The sort is stable: with equally many reasons, the nearest in time stay first.
  return suggestions.toSorted((a, b) => b.because.length - a.because.length).slice(0, MAX_SUGGESTIONS);
}
