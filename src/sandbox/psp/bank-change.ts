import type { Tx } from '#platform/database/db.ts';
import type { Bank } from './bank.ts';
import type { Faults } from './faults.ts';

/** A transaction of the bank, and the faults it goes by: read before it, as a second connection could deadlock the pool. */
export type BankChange = { tx: Tx; bank: Bank; faults: Faults };

/** Notices that it queues are sent after the commit. */
export async function changeBank<T>(bank: Bank, work: (change: BankChange) => Promise<T>): Promise<T> {
  const faults = await bank.faultSettings.current();
  const done = await bank.db.transaction((tx) => work({ tx, bank, faults }));
  bank.wake();
  return done;
}
