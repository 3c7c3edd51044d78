import { unavailable } from '../problem.ts';
import { type Db, isLockTimeout, sql, type Transactions, type Tx } from './db.ts';

declare const customerTxBrand: unique symbol;
/** A transaction that only this file creates, so that a request that waits for another one of its customer occupies no connection. */
export type CustomerTx = Tx & { readonly [customerTxBrand]: true };

/** More requests than any application sends concurrently for one person. */
const MAX_QUEUED = 20;
const MAX_WAIT_MS = 4_000;
const RETRY_AFTER_SECONDS = '1';

type Waiter = { resolve: () => void; timer: NodeJS.Timeout };

const queuesByDb = new WeakMap<Db, Map<string, Waiter[]>>(); // only customers with a transaction have a queue

/** Runs a transaction for a customer. In this process one such transaction runs per customer; others wait in memory, without a connection. */
export function customerTransaction<T>(
  db: Db,
  customerId: string,
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> {
  return customersTransaction(db, [customerId], work);
}

/** `customerTransaction` as an object that starts transactions: `createOnce(forCustomer(db, customerId), …)`. */
export const forCustomer = (db: Db, customerId: string): Transactions<CustomerTx> => ({
  transaction: (work) => customerTransaction(db, customerId, work),
});

/** Starts transactions that wait for no turn, because no other transaction can lock the customers that they create. */
export const forNewCustomers = (db: Db): Transactions<CustomerTx> => ({
  transaction: (work) => customersTransaction(db, [], work),
});

/** Like `customerTransaction`, for several customers. `customerIds` must be distinct and sorted, or transactions can deadlock. */
export async function customersTransaction<T>(
  db: Db,
  customerIds: readonly string[],
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> {
  const heldIds: string[] = [];
  try {
    for (const customerId of customerIds) {
      await waitForTurn(db, customerId);
      heldIds.push(customerId);
    }
    return await db.transaction((tx) => work(tx as CustomerTx));
  } finally {
    for (const customerId of heldIds) passTurn(db, customerId);
  }
}

/** The timeout ends a deadlock before PostgreSQL looks for one, which it does after a second. */
const SET_LOCK_TIMEOUT = sql`select set_config('lock_timeout', '500ms', true)`;

/**
 * Like `customersTransaction`, for ids in any order. Other transactions lock a customer and then the referrer, whatever their ids, so
 * locks in sorted order can deadlock with them: a lock that is not free in time causes a 503.
 */
export const forCustomers = (db: Db, customerIds: readonly string[]): Transactions<CustomerTx> => ({
  async transaction(work) {
    const sortedIds = [...new Set(customerIds)].toSorted();
    try {
      return await customersTransaction(db, sortedIds, (tx) => {
        if (sortedIds.length > 1) tx.queueWrite(SET_LOCK_TIMEOUT);
        return work(tx);
      });
    } catch (error) {
      throw sortedIds.length > 1 && isLockTimeout(error) ? customerBusy() : error;
    }
  },
});

function waitForTurn(db: Db, customerId: string): Promise<void> {
  const queues = queuesByDb.get(db) ?? new Map<string, Waiter[]>();
  queuesByDb.set(db, queues);
  const queue = queues.get(customerId);
  if (!queue) {
    queues.set(customerId, []);
    return Promise.resolve();
  }
  if (queue.length >= MAX_QUEUED) return Promise.reject(customerBusy());
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(waiter), 1);
      reject(customerBusy());
    }, MAX_WAIT_MS);
    const waiter: Waiter = { resolve, timer };
    queue.push(waiter);
  });
}

/** Passes the turn to the next waiter, so that no newcomer can overtake. */
function passTurn(db: Db, customerId: string): void {
  const queues = queuesByDb.get(db)!;
  const nextWaiter = queues.get(customerId)!.shift();
  if (!nextWaiter) {
    queues.delete(customerId);
    return;
  }
  clearTimeout(nextWaiter.timer);
  nextWaiter.resolve();
}

export const customerBusy = () =>
  unavailable({
    en: 'Too many operations are in progress for this customer. Try again in a moment.',
    pt: 'Há operações demais em andamento para este cliente. Tente de novo em instantes.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });

const lastWorkByTx = new WeakMap<Tx, Map<string, Promise<unknown>>>();

/** Serializes work on one customer in a transaction for several. Nested calls must visit customers in the same order, or they deadlock. */
export function serializeForCustomer<T>(
  tx: CustomerTx,
  customerId: string,
  work: () => Promise<T>,
): Promise<T> {
  const workByCustomer = lastWorkByTx.get(tx) ?? new Map<string, Promise<unknown>>();
  lastWorkByTx.set(tx, workByCustomer);
  const previousWork = workByCustomer.get(customerId);
  const currentWork = previousWork ? previousWork.then(work) : work();
  workByCustomer.set(customerId, currentWork);
  return currentWork;
}
