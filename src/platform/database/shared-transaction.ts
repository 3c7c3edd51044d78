import {
  type CustomerTx,
  customerBusy,
  customersTransaction,
  serializeForCustomer,
} from './customer-transaction.ts';
import {
  DatabaseUnavailable,
  type Db,
  isLockTimeout,
  isPartialOutage,
  sql,
  type Transactions,
  type Tx,
} from './db.ts';

/** The number of concurrent group transactions, each of which holds a connection. Later calls share the next transaction. */
const MAX_RUNNING_GROUPS = 2;
const MAX_GROUP_SIZE = 32;
/** The maximum number of waiting calls per key. Each takes some milliseconds, so no call waits for seconds. */
const MAX_WAITING_PER_KEY = 100;
/** The time for which a call is retried while another transaction holds its lock. */
const LOCK_RETRY_MS = 4_000;

type WaitingCall<X extends Tx> = {
  /** Calls with a common key run one after another, in separate transactions. The first key of a customer's call is the customer id. */
  readonly keys: readonly string[];
  readonly work: (tx: X) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly retryUntilMs: number;
};
type RunTransaction<X extends Tx> = <T>(
  db: Db,
  calls: ReadonlyArray<WaitingCall<X>>,
  work: (tx: X) => Promise<T>,
) => Promise<T>;

const customerQueues = new WeakMap<Db, CallQueue<CustomerTx>>();
const keyedQueues = new WeakMap<Db, CallQueue<Tx>>();

/**
 * Like `customerTransaction`, for work that may share its transaction with work for other customers. Under load they share round trips
 * and one commit. The work must lock its customer first and have no effects outside the database: if one of a group fails, all are
 * rolled back and each is run alone.
 */
export function sharedTransaction<T>(
  db: Db,
  customerId: string,
  work: (tx: CustomerTx) => Promise<T>,
  otherKeys: readonly string[] = [],
): Promise<T> {
  let queue = customerQueues.get(db);
  if (!queue) {
    queue = new CallQueue<CustomerTx>(db, (db, calls, work) =>
      customersTransaction(
        db,
        calls.map(({ keys: [customerId] }) => customerId!),
        work,
      ),
    );
    customerQueues.set(db, queue);
  }
  return queue.add([customerId, ...otherKeys], (tx) => serializeForCustomer(tx, customerId, () => work(tx)));
}

/**
 * `sharedTransaction` as an object that starts transactions: `createOnce(forSharedCustomer(db, customerId), …)`. `otherKeys` identify what
 * two customers must not change concurrently, as in `shareTransactions`.
 */
export const forSharedCustomer = (
  db: Db,
  customerId: string,
  ...otherKeys: string[]
): Transactions<CustomerTx> => ({
  transaction: (work) => sharedTransaction(db, customerId, work, otherKeys),
});

/**
 * Starts transactions that several callers may share, for work without a customer. `keys` identify what two calls must not do concurrently:
 * such calls do not share a transaction. The same rules hold as for `sharedTransaction`.
 */
export function shareTransactions(db: Db, keys: readonly string[]): Transactions<Tx> {
  const queue = keyedQueues.get(db) ?? new CallQueue<Tx>(db, (db, _calls, work) => db.transaction(work));
  keyedQueues.set(db, queue);
  return { transaction: (work) => queue.add(keys, work) };
}

/**
 * `lock_timeout`: a transaction that has locked several rows waits only briefly for the next one, whose holder may be waiting for
 * one of these. It is shorter than PostgreSQL's deadlock timeout of one second. `plan_cache_mode`: otherwise PostgreSQL would plan
 * statements again for lists of another length.
 */
const GROUP_SETTINGS = sql`
  select set_config('lock_timeout', '100ms', true), set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** A single call may wait longer for a lock, but other calls wait behind it. A call that times out goes to the end of the queue. */
const SINGLE_SETTINGS = sql`select set_config('lock_timeout', '500ms', true)`;

/** Queues calls that wait for a transaction on a database, and runs them. */
class CallQueue<X extends Tx> {
  readonly #db: Db;
  readonly #runTransaction: RunTransaction<X>;
  readonly #busyKeys = new Set<string>();
  #waitingCalls: Array<WaitingCall<X>> = [];
  #runningGroups = 0;

  constructor(db: Db, runTransaction: RunTransaction<X>) {
    this.#db = db;
    this.#runTransaction = runTransaction;
  }

  add<T>(keys: readonly string[], work: (tx: X) => Promise<T>): Promise<T> {
    const listWaitingWithKey = (key: string) => this.#waitingCalls.filter((call) => call.keys.includes(key));
    if (keys.some((key) => listWaitingWithKey(key).length >= MAX_WAITING_PER_KEY))
      return Promise.reject(customerBusy());
    const retryUntilMs = performance.now() + LOCK_RETRY_MS;
    return new Promise<T>((resolve, reject) => {
      this.#waitingCalls.push({
        keys,
        work,
        resolve: resolve as WaitingCall<X>['resolve'],
        reject,
        retryUntilMs,
      });
      // Runs after all calls of the same tick have arrived.
      setImmediate(() => void this.#runGroups());
    });
  }

  async #runGroups(): Promise<void> {
    if (this.#runningGroups >= MAX_RUNNING_GROUPS) return;
    this.#runningGroups += 1;
    // If the database does not respond, each call is run alone and gets the error itself.
    const maxSize = (await this.#db.canMergeStatements().catch(() => false)) ? MAX_GROUP_SIZE : 1;
    for (let group = this.#takeGroup(maxSize); group.length > 0; group = this.#takeGroup(maxSize)) {
      const keys = group.flatMap((call) => call.keys);
      for (const key of keys) this.#busyKeys.add(key);
      await this.#runGroup(group);
      for (const key of keys) this.#busyKeys.delete(key);
    }
    this.#runningGroups -= 1;
  }

  /**
   * Takes the next calls without common keys, and returns them sorted by their first keys, which prevents deadlocks. Calls with a key of a
   * running transaction are skipped, so the many requests of one customer do not delay others.
   */
  #takeGroup(maxSize: number): Array<WaitingCall<X>> {
    const group: Array<WaitingCall<X>> = [];
    /** The keys of all earlier calls, taken or not, because calls with a common key run in order. */
    const seenKeys = new Set<string>();
    this.#waitingCalls = this.#waitingCalls.filter((call) => {
      const staysQueued =
        group.length >= maxSize || call.keys.some((key) => seenKeys.has(key) || this.#busyKeys.has(key));
      if (!staysQueued) group.push(call);
      for (const key of call.keys) seenKeys.add(key);
      return staysQueued;
    });
    const getFirstKey = ({ keys: [key = ''] }: WaitingCall<X>) => key;
    return group.toSorted((a, b) => (getFirstKey(a) < getFirstKey(b) ? -1 : 1));
  }

  /** Never throws: each caller gets its own outcome. */
  async #runGroup(group: ReadonlyArray<WaitingCall<X>>): Promise<void> {
    if (group.length > 1) {
      try {
        const results = await this.#runTransaction(this.#db, group, (tx) => {
          tx.queueWrite(GROUP_SETTINGS);
          return Promise.all(group.map(({ work }) => work(tx)));
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
    for (const call of group) await this.#runAlone(call);
  }

  async #runAlone(call: WaitingCall<X>): Promise<void> {
    try {
      const result = await this.#runTransaction(this.#db, [call], (tx) => {
        tx.queueWrite(SINGLE_SETTINGS);
        return call.work(tx);
      });
      call.resolve(result);
    } catch (error) {
      if (!isLockTimeout(error)) call.reject(error);
      else if (performance.now() < call.retryUntilMs) this.#waitingCalls.push(call);
      else call.reject(customerBusy());
    }
  }
}
