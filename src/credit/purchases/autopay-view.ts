import type { Static } from 'typebox';
import type { Queryable } from '#platform/database/db.ts';
import { defineService } from '#platform/service.ts';
import type { CheckoutAutopay, InstallmentAutopay } from '../schemas.ts';

/** The autopay authorisation of a purchase, and the debits of its installments by installment id. */
export type AutopayView = {
  readonly checkout: Static<typeof CheckoutAutopay>;
  readonly installments: ReadonlyMap<string, Static<typeof InstallmentAutopay>>;
};

/** Returns undefined if autopay was never requested for the purchase. The pix module provides it. */
export type FindAutopay = (
  db: Queryable,
  customerId: string,
  hash: string,
  now: Date,
) => Promise<AutopayView | undefined>;

export const autopay = defineService<FindAutopay>('autopay');
