import type { Transactions, Tx } from './db.ts';

/** Runs the work, rolls it back and returns its result, for previews. No other transaction sees its effects. */
export async function dryRun<T, X extends Tx>(db: Transactions<X>, work: (tx: X) => Promise<T>): Promise<T> {
  const rollback = Symbol('rollback');
  let outcome: { value: T } | undefined;
  try {
    await db.transaction(async (tx) => {
      outcome = { value: await work(tx) };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return outcome!.value;
}
