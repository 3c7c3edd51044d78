import {
  type CustomerTx,
  customersTransaction,
  customerTransaction,
  inTurn,
  tooMany,
} from './customer-transaction.ts';
import { DatabaseAway, type Db, isLockTimeout, isPartlyAway, sql } from './db.ts';

/** Each holds a connection. Calls that arrive while so many run share the next transaction. */
const MOST_GROUPS_RUNNING = 2;
const MOST_TOGETHER = 32;
/** Limit of waiting calls per customer: each takes some milliseconds, and no call waits for seconds. */
const MOST_OF_ONE = 100;
/** Retry budget for a customer whose lock somebody else holds. */
const GROUP_WAIT_MS = 4_000;

type WaitingWork = {
  readonly customerId: string;
  readonly work: (tx: CustomerTx) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly untilMs: number;
};
type WorkQueue = { asked: WaitingWork[]; running: number; readonly busy: Set<string> };
const lines = new WeakMap<Db, WorkQueue>();

/**
 * Like `customerTransaction`, for work that may share its transaction with other customers. Under load the statements of several
 * share round trips and one commit. The work first locks its customer, and has no effects outside the database: where one of
 * several fails, all are rolled back and each is run alone.
 */
export function sharedTransaction<T>(
  db: Db,
  customerId: string,
  work: (tx: CustomerTx) => Promise<T>,
): Promise<T> {
  const line = lines.get(db) ?? { asked: [], running: 0, busy: new Set<string>() };
  lines.set(db, line);
  if (line.asked.filter((one) => one.customerId === customerId).length >= MOST_OF_ONE)
    return Promise.reject(tooMany());
  return new Promise<T>((resolve, reject) => {
    const untilMs = performance.now() + GROUP_WAIT_MS;
    line.asked.push({ customerId, work, resolve: resolve as WaitingWork['resolve'], reject, untilMs });
    // By then all calls of the same tick have arrived.
    setImmediate(() => void runAll(db, line));
  });
}

async function runAll(db: Db, line: WorkQueue): Promise<void> {
  if (line.running >= MOST_GROUPS_RUNNING) return;
  line.running += 1;
  // If the database does not answer, each is tried alone and gets the error itself.
  const most = (await db.mayMerge().catch(() => false)) ? MOST_TOGETHER : 1;
  for (let group = takeGroup(line, most); group.length > 0; group = takeGroup(line, most)) {
    for (const { customerId } of group) line.busy.add(customerId);
    await run(db, line, group);
    for (const { customerId } of group) line.busy.delete(customerId);
  }
  line.running -= 1;
}

/**
 * The next calls of different customers, in the order of their ids, which prevents deadlocks. A customer with a running
 * transaction is skipped: one customer's many requests delay nobody else.
 */
function takeGroup(line: WorkQueue, most: number): WaitingWork[] {
  const group = new Map<string, WaitingWork>();
  line.asked = line.asked.filter((one) => {
    const isLeft = group.size >= most || group.has(one.customerId) || line.busy.has(one.customerId);
    if (!isLeft) group.set(one.customerId, one);
    return isLeft;
  });
  return [...group.values()].toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1));
}

/**
 * `lock_timeout`: a transaction that holds several customers waits only briefly for another one, whose holder may be waiting for
 * one of these. It is shorter than PostgreSQL's deadlock timeout of one second. `plan_cache_mode`: without it PostgreSQL would plan
 * statements with lists of another length anew.
 */
const FOR_SEVERAL = sql`
  select set_config('lock_timeout', '100ms', true), set_config('plan_cache_mode', 'force_generic_plan', true)`;

/** A customer alone waits longer, but others wait behind it. A customer who is still locked goes to the end of the queue. */
const FOR_ONE = sql`select set_config('lock_timeout', '500ms', true)`;

/** Never throws: the outcome goes to each caller. */
async function run(db: Db, line: WorkQueue, group: readonly WaitingWork[]): Promise<void> {
  if (group.length > 1) {
    try {
      const ids = group.map(({ customerId }) => customerId);
      const results = await customersTransaction(db, ids, (tx) => {
        tx.write(FOR_SEVERAL);
        return Promise.all(group.map(({ customerId, work }) => inTurn(tx, customerId, () => work(tx))));
      });
      for (const [i, { resolve }] of group.entries()) resolve(results[i]);
      return;
    } catch (error) {
      if (error instanceof DatabaseAway && !isPartlyAway(error)) {
        for (const { reject } of group) reject(error);
        return;
      }
    }
  }
  for (const one of group) {
    try {
      const alone = (tx: CustomerTx) => {
        tx.write(FOR_ONE);
        return one.work(tx);
      };
      one.resolve(await customerTransaction(db, one.customerId, alone));
    } catch (error) {
      if (!isLockTimeout(error)) one.reject(error);
      else if (performance.now() < one.untilMs) line.asked.push(one);
      else one.reject(tooMany());
    }
  }
}
