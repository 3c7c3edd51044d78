import { reaisOf, toReais } from '#core/money.ts';
import type { Queryable, Tx } from '#platform/database/db.ts';
import { service } from '#platform/service.ts';
import { merchantOwes } from '../problems.ts';
import type { CreditSettings } from '../settings.ts';

/** What merchants are owed, in centavos; negative: the merchant owes. Provided by payouts. */
export type MerchantBalances = {
  readonly find: (db: Queryable, merchantId: number) => Promise<number>;
  /** Locks it until the commit: no payout batch runs, and no other return of this merchant gets past this point. */
  readonly lock: (tx: Tx, merchantId: number) => Promise<number>;
};

export const merchantBalances = service<MerchantBalances>('merchant balances');

export type Floor = Pick<CreditSettings, 'merchantFloorCents'> & { readonly balances: MerchantBalances };

export const isBelow = (balanceCents: number, { merchantFloorCents }: Pick<Floor, 'merchantFloorCents'>) =>
  balanceCents < -merchantFloorCents;

/** A merchant that owes more than allowed sells nothing new until the debt is reduced. */
export async function refuseBelowFloor(db: Queryable, merchantId: number, floor: Floor): Promise<void> {
  const balance = await floor.balances.find(db, merchantId);
  if (isBelow(balance, floor)) throw merchantOwes(reaisOf(-balance), toReais(floor.merchantFloorCents));
}
