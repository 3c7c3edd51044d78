import { unavailable } from '../problem.ts';
import { type Db, isLockTimeout, sql, type Transactions, type Tx } from './db.ts';

declare const ofCustomer: unique symbol;
/**
 * A transaction that may lock customers and move their money. Only the functions of this file create one. So a request waits for
 * a customer's lock in memory first, and one customer's requests do not hold every connection of the pool.
 */
export type CustomerTx = Tx & { readonly [ofCustomer]: true };

/** More than any application sends at once for one person. */
const MOST_WAITING = 20;
const MOST_WAITING_MS = 4_000;
const RETRY_AFTER_SECONDS = '1';

type Waiter = { resolve: () => void; timer: NodeJS.Timeout };

/** The waiting transactions of each customer that has one running. */
const lines = new WeakMap<Db, Map<string, Waiter[]>>();

/**
 * A transaction that locks the customer. In this process one runs at a time per customer; the others wait in memory. If they
 * waited for the lock in the database, each would hold a connection, and one customer's requests could take them all.
 */
export function customerTransaction<T>(
  db: Db,
  customerId: string,
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> {
  return customersTransaction(db, [customerId], work);
}

/** The same as an object that begins transactions: `createOnce(forCustomer(db, customerId), …)`. */
export const forCustomer = (db: Db, customerId: string): Transactions<CustomerTx> => ({
  transaction: (work) => customerTransaction(db, customerId, work),
});

/** For customers that the transaction itself creates: nobody else can wait for them. The sandbox creates all of them anew. */
export const forNewCustomers = (db: Db): Transactions<CustomerTx> => ({
  transaction: (work) => customersTransaction(db, [], work),
});

/** The same for several customers. `customerIds` must be distinct and sorted: otherwise transactions can deadlock. */
export async function customersTransaction<T>(
  db: Db,
  customerIds: readonly string[],
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> {
  const entered: string[] = [];
  try {
    for (const customerId of customerIds) {
      await enter(db, customerId);
      entered.push(customerId);
    }
    return await db.transaction((tx) => work(tx as CustomerTx));
  } finally {
    for (const customerId of entered) leave(db, customerId);
  }
}

/** Shorter than PostgreSQL's deadlock timeout of one second. */
const LOCK_TIMEOUT = sql`select set_config('lock_timeout', '500ms', true)`;

/**
 * For work that locks several customers, in the order of their ids. Others lock a customer and then who invited them, whatever the
 * order of their ids: so a lock that is not free soon ends this transaction, with 503, instead of a deadlock.
 */
export const forCustomers = (db: Db, customerIds: readonly string[]): Transactions<CustomerTx> => ({
  async transaction(work) {
    const inOrder = [...new Set(customerIds)].toSorted();
    try {
      return await customersTransaction(db, inOrder, (tx) => {
        if (inOrder.length > 1) tx.write(LOCK_TIMEOUT);
        return work(tx);
      });
    } catch (error) {
      throw inOrder.length > 1 && isLockTimeout(error) ? tooMany() : error;
    }
  },
});

function enter(db: Db, customerId: string): Promise<void> {
  const byCustomer = lines.get(db) ?? new Map<string, Waiter[]>();
  lines.set(db, byCustomer);
  const line = byCustomer.get(customerId);
  if (!line) {
    byCustomer.set(customerId, []);
    return Promise.resolve();
  }
  if (line.length >= MOST_WAITING) return Promise.reject(tooMany());
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      line.splice(line.indexOf(waiter), 1);
      reject(tooMany());
    }, MOST_WAITING_MS);
    const waiter: Waiter = { resolve, timer };
    line.push(waiter);
  });
}

/** The lock passes to the next in line, so that no newcomer can overtake. */
function leave(db: Db, customerId: string): void {
  const byCustomer = lines.get(db)!;
  const next = byCustomer.get(customerId)!.shift();
  if (!next) {
    byCustomer.delete(customerId);
    return;
  }
  clearTimeout(next.timer);
  next.resolve();
}

export const tooMany = () =>
  unavailable({
    en: 'Too much is under way for this customer. Try again in a moment.',
    pt: 'Há operações demais em andamento para este cliente. Tente de novo em instantes.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });

/** By transaction: the last work on each customer. */
const turns = new WeakMap<Tx, Map<string, Promise<unknown>>>();

/**
 * Serializes work on one customer within a transaction that does several things concurrently. Work on one customer may ask for
 * another, as long as no other work asks in the opposite order.
 */
export function inTurn<T>(tx: CustomerTx, customerId: string, work: () => Promise<T>): Promise<T> {
  const own = turns.get(tx) ?? new Map<string, Promise<unknown>>();
  turns.set(tx, own);
  const before = own.get(customerId);
  const turn = before ? before.then(work) : work();
  own.set(customerId, turn);
  return turn;
}
