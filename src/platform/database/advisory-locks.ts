import { batchable, pluck, sql, type Tx } from './db.ts';

/** Arbitrary numbers, which must differ from each other and from the lock numbers of other programs on the database. */
export const ADVISORY_LOCKS = {
  /** Held during migrations, so that nodes that start together migrate one after the other. */
  migrations: 7_031_902,
  sandboxResets: 7_031_903,
  payoutBatches: 7_031_904,
  ledgerClosing: 7_031_905,
  eventPublication: 7_031_912,
  eventRelay: 7_031_913,
  staffMembers: 7_031_915,
  pixErasure: 7_031_916,
  creditSums: 7_031_917,
} as const;

/** Kinds of locks with a key. The number of such a lock is a hash of kind and key. */
type KeyedLock =
  | 'catalog import'
  | 'catalog creation'
  | 'idempotency'
  | 'members'
  | 'merchant returns'
  | 'saved views'
  | 'webhooks';

/** Waits for the lock, which is held until the transaction ends. */
export async function lockAdvisory(tx: Tx, name: keyof typeof ADVISORY_LOCKS): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS[name]})`);
}

/** Takes the lock in shared mode: several transactions can share it, and only `lockAdvisory` excludes them. */
export async function shareAdvisory(tx: Tx, name: keyof typeof ADVISORY_LOCKS): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS[name]})`);
}

/** Returns false if another transaction holds the lock. */
export const tryLockAdvisory = async (tx: Tx, name: keyof typeof ADVISORY_LOCKS) =>
  (await tx.value<boolean>(sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS[name]}) as locked`))!;

/** Waits for the lock of this kind and key, which is held until the transaction ends. */
export async function lockKey(tx: Tx, kind: KeyedLock, ...key: string[]): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([kind, ...key])}, 0))`);
}

/** Returns false if another transaction holds the lock of this kind and key. */
export async function tryLockKey(tx: Tx, kind: KeyedLock, ...key: string[]): Promise<boolean> {
  const row = await tx.row<{ locked: boolean }>(tryLockKeys({ batchKey: JSON.stringify([kind, ...key]) }));
  return row!.locked;
}

/** Tries to take the locks without waiting. The number of each lock is the hash of its key. */
const tryLockKeys = batchable(
  (rows: ReadonlyArray<{ batchKey: string }>) => sql`
    select input.lock_key as batch_key, pg_try_advisory_xact_lock(hashtextextended(input.lock_key, 0)) as locked
    from unnest(${pluck(rows, 'batchKey')}::text[]) as input (lock_key)`,
);
