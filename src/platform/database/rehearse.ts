import type { Transactions, Tx } from './db.ts';

/** Does it, answers what came of it, and undoes it: for who asks what would be. Nobody else sees anything of it. */
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
