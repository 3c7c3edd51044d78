import { cents, toReais } from '#core/money.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { service } from '#platform/service.ts';
import { merchantOwes } from '../problems.ts';
import type { CreditSettings } from '../settings.ts';

/** What merchants are owed, in centavos; below zero a merchant owes. For whoever pays them. */
export type MerchantBalances = {
  readonly find: (db: Queryable, merchantId: number) => Promise<number>;
  /** Until the commit nobody else who locks it returns anything, and no payout is made. */
  readonly lock: (tx: Tx, merchantId: number) => Promise<number>;
};

export const merchantBalances = service<MerchantBalances>('merchant balances');

export type Floor = Pick<CreditSettings, 'merchantFloorCents'> & { readonly balances: MerchantBalances };

export const isBelow = (balanceCents: number, { merchantFloorCents }: Pick<Floor, 'merchantFloorCents'>) =>
  balanceCents < -merchantFloorCents;

/** A merchant that owes more than it may sells nothing new until that is made up. */
export async function refuseBelowFloor(db: Queryable, merchantId: number, floor: Floor): Promise<void> {
  const balance = await floor.balances.find(db, merchantId);
  if (isBelow(balance, floor))
    throw merchantOwes(toReais(cents(-balance)), toReais(floor.merchantFloorCents));
}
