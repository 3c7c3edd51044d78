import type { Static } from 'typebox';
import type { Queryable } from '#platform/database/db.ts';
import { service } from '#platform/service.ts';
import type { CheckoutAutopay, InstallmentAutopay } from '../schemas.ts';

/** The authorisation of a purchase, and the debits of its installments by their ids. */
export type AutopayView = {
  readonly checkout: Static<typeof CheckoutAutopay>;
  readonly installments: ReadonlyMap<string, Static<typeof InstallmentAutopay>>;
};

/** Provided by pix, which debits. Undefined: nobody asked for it. */
export type FindAutopay = (
  db: Queryable,
  customerId: string,
  hash: string,
  now: Date,
) => Promise<AutopayView | undefined>;

export const autopay = service<FindAutopay>('autopay');
