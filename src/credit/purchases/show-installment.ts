import type { Instant } from '#core/day.ts';
import type { Queryable } from '#platform/database/db.ts';
import { findDebt } from './find-debt.ts';
import { renderInstallment } from './render-checkout.ts';

/** An installment of its purchase; undefined when the customer has no such installment. */
export async function showInstallment(db: Queryable, customerId: string, id: string, now: Instant) {
  const owed = await findDebt(db, customerId, id, now);
  return owed && renderInstallment({ id, ...owed }, owed.debt, owed.terms);
}
