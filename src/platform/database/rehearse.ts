import type { Transactions, Tx } from './db.ts';

/** Runs the work, rolls it back and returns its result: for previews. No other transaction sees it. */
export async function rehearse<T, X extends Tx>(
  db: Transactions<X>,
  work: (tx: X) => Promise<T>,
): Promise<T> {
  const undo = Symbol('undo');
  let outcome: { of: T } | undefined;
  try {
    await db.transaction(async (tx) => {
      outcome = { of: await work(tx) };
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return outcome!.of;
}
