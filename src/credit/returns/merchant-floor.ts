import { centsToReais, toReais } from '#core/values/money.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { defineService } from '#platform/service.ts';
import { merchantOwes } from '../problems.ts';
import type { CreditSettings } from '../settings.ts';

/** Balances of merchants in centavos; negative if the merchant owes. The payouts module provides it. */
export type MerchantBalances = {
  readonly find: (db: Queryable, merchantId: number) => Promise<number>;
  /** Locks the balance until the commit. Payout batches and other returns of this merchant wait. */
  readonly lock: (tx: Tx, merchantId: number) => Promise<number>;
};

export const merchantBalances = defineService<MerchantBalances>('merchant balances');

export type FloorDeps = Pick<CreditSettings, 'merchantFloorCents'> & { readonly balances: MerchantBalances };

export const isBelowFloor = (
  balanceCents: number,
  { merchantFloorCents }: Pick<FloorDeps, 'merchantFloorCents'>,
) => balanceCents < -merchantFloorCents;

/** Throws a problem if the merchant owes more than allowed. It may create offers again once its debt is lower. */
export async function refuseBelowFloor(db: Queryable, merchantId: number, floor: FloorDeps): Promise<void> {
  const balance = await floor.balances.find(db, merchantId);
  if (isBelowFloor(balance, floor))
    throw merchantOwes(centsToReais(-balance), toReais(floor.merchantFloorCents));
}
