import { addDays, saoPauloDay } from '#core/day.ts';
import { DAY_MS } from '#core/duration.ts';
import { listOwing } from '#credit';
import type { Queryable } from '#platform/database/db.ts';
import { listPayersAt, listUnpaidOf, type OrphanRow } from '../store/orphans.ts';

/** A code is paid within days; an installment may be paid early or late. */
const CODE_DAYS = 7;
const DUE_DAYS = 10;
const MOST = 10;
/** E and the number of the payer's bank. */
const BANK_LENGTH = 9;

export const OWNER_REASONS = ['code', 'amount', 'bank'] as const;

type Suggestion = {
  customer_id: string;
  checkout_hash: string;
  installment_id: string;
  because: Array<(typeof OWNER_REASONS)[number]>;
};

/**
 * What a payment without a charge may be for, the likeliest first: a code of the same amount that nobody paid, or an installment
 * on which exactly so much is owed, near in time; more so if that customer has paid from the same bank before. Who paid is not
 * known here: the PSP's statement tells.
 */
export async function suggestOwners(db: Queryable, orphan: OrphanRow): Promise<Suggestion[]> {
  const { amount_cents, paid_at: at, end_to_end_id } = orphan;
  const day = saoPauloDay(at.getTime());
  const [codes, owing] = await Promise.all([
    listUnpaidOf(db, amount_cents, {
      from: new Date(at.getTime() - CODE_DAYS * DAY_MS),
      to: new Date(at.getTime() + DAY_MS),
      at,
      limit: MOST,
    }),
    listOwing(db, amount_cents, {
      from: addDays(day, -DUE_DAYS),
      to: addDays(day, DUE_DAYS),
      day,
      limit: MOST,
    }),
  ]);
  const found = new Map<string, Suggestion>();
  const add = (place: Omit<Suggestion, 'because'>, reason: Suggestion['because'][number]) => {
    const known = found.get(place.installment_id) ?? { ...place, because: [] };
    if (!known.because.includes(reason)) known.because.push(reason);
    found.set(place.installment_id, known);
  };
  for (const place of codes) add(place, 'code');
  for (const { customer_id, checkout_hash, id } of owing)
    add({ customer_id, checkout_hash, installment_id: id }, 'amount');
  const all = [...found.values()];
  const bank = end_to_end_id.slice(0, BANK_LENGTH);
  const payers = await listPayersAt(db, [...new Set(all.map(({ customer_id }) => customer_id))], bank);
  for (const place of all) if (payers.has(place.customer_id)) place.because.push('bank');
  // Within as many reasons, the nearest in time first, as they were found.
  return all.toSorted((a, b) => b.because.length - a.because.length).slice(0, MOST);
}
