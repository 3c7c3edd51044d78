import {
  type CustomerTx,
  customerBusy,
  customersTransaction,
  customerTransaction,
  serializeForCustomer,
} from './customer-transaction.ts';
import {
  DatabaseUnavailable,
  type Db,
  isLockTimeout,
  isPartialOutage,
  sql,
  type Transactions,
} from './db.ts';

/** The number of concurrent group transactions, each of which holds a connection. Later calls share the next transaction. */
const MAX_RUNNING_GROUPS = 2;
const MAX_GROUP_SIZE = 32;
/** Limits the waiting calls per customer. Each takes some milliseconds, so no call waits for seconds. */
const MAX_WAITING_PER_CUSTOMER = 100;
/** How long a call is retried while another transaction holds the customer's lock. */
const LOCK_RETRY_MS = 4_000;

type WaitingWork = {
  readonly customerId: string;
  readonly work: (tx: CustomerTx) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly retryUntilMs: number;
};
type WorkQueue = { waiting: WaitingWork[]; running: number; readonly busy: Set<string> };
const queuesByDb = new WeakMap<Db, WorkQueue>();

/**
 * Like `customerTransaction`, for work that may share its transaction with work for other customers. It must lock its customer first and
 * have no effects outside the database: if one of a group fails, all are rolled back and each is run alone.
 */
export function sharedTransaction<T>(
  db: Db,
  customerId: string,
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> {
  const queue = queuesByDb.get(db) ?? { waiting: [], running: 0, busy: new Set<string>() };
  queuesByDb.set(db, queue);
  if (queue.waiting.filter((call) => call.customerId === customerId).length >= MAX_WAITING_PER_CUSTOMER)
    return Promise.reject(customerBusy());
  return new Promise<T>((resolve, reject) => {
    const retryUntilMs = performance.now() + LOCK_RETRY_MS;
    queue.waiting.push({
      customerId,
      work,
      resolve: resolve as WaitingWork['resolve'],
      reject,
      retryUntilMs,
    });
    // Runs after all calls of the same tick have arrived.
    setImmediate(() => void runGroups(db, queue));
  });
}

/** `sharedTransaction` as an object that starts transactions: `createOnce(forSharedCustomer(db, customerId), …)`. */
export const forSharedCustomer = (db: Db, customerId: string): Transactions<CustomerTx> => ({
  transaction: (work) => sharedTransaction(db, customerId, work),
});

async function runGroups(db: Db, queue: WorkQueue): Promise<void> {
  if (queue.running >= MAX_RUNNING_GROUPS) return;
  queue.running += 1;
  // If the database does not respond, each call is run alone and gets the error itself.
  const maxSize = (await db.canMergeStatements().catch(() => false)) ? MAX_GROUP_SIZE : 1;
  for (let group = takeGroup(queue, maxSize); group.length > 0; group = takeGroup(queue, maxSize)) {
    for (const { customerId } of group) queue.busy.add(customerId);
    await runGroup(db, queue, group);
    for (const { customerId } of group) queue.busy.delete(customerId);
  }
  queue.running -= 1;
}

/** Takes the next calls of different customers, sorted against deadlocks. Customers with a running transaction are skipped. */
function takeGroup(queue: WorkQueue, maxSize: number): WaitingWork[] {
  const group = new Map<string, WaitingWork>();
  queue.waiting = queue.waiting.filter((call) => {
    const staysQueued =
      group.size >= maxSize || group.has(call.customerId) || queue.busy.has(call.customerId);
    if (!staysQueued) group.set(call.customerId, call);
    return staysQueued;
  });
  return [...group.values()].toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1));
}

/**
 * `lock_timeout`: a transaction that has locked several customers waits only briefly for the next one, whose holder may be waiting for
 * one of these. It is shorter than PostgreSQL's deadlock timeout of one second. `plan_cache_mode`: otherwise PostgreSQL would plan
 * statements again for lists of another length.
 */
const GROUP_SETTINGS = sql`
  select set_config('lock_timeout', '100ms', true), set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** A single customer may wait longer for the lock, but other calls wait behind it. A call that times out goes to the end of the queue. */
const SINGLE_SETTINGS = sql`select set_config('lock_timeout', '500ms', true)`;

/** Never throws: each caller gets its own outcome. */
async function runGroup(db: Db, queue: WorkQueue, group: readonly WaitingWork[]): Promise<void> {
  if (group.length > 1) {
    try {
      const ids = group.map(({ customerId }) => customerId);
      const results = await customersTransaction(db, ids, (tx) => {
        tx.write(GROUP_SETTINGS);
        return Promise.all(
          group.map(({ customerId, work }) => serializeForCustomer(tx, customerId, () => work(tx))),
        );
      });
      for (const [i, { resolve }] of group.entries()) resolve(results[i]);
      return;
    } catch (error) {
      if (error instanceof DatabaseUnavailable && !isPartialOutage(error)) {
        for (const { reject } of group) reject(error);
        return;
      }
    }
  }
  for (const call of group) {
    try {
      const runAlone = (tx: CustomerTx) => {
        tx.write(SINGLE_SETTINGS);
        return call.work(tx);
      };
      call.resolve(await customerTransaction(db, call.customerId, runAlone));
    } catch (error) {
      if (!isLockTimeout(error)) call.reject(error);
      else if (performance.now() < call.retryUntilMs) queue.waiting.push(call);
      else call.reject(customerBusy());
    }
  }
}
