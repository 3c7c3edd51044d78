import { setTimeout as sleep } from 'node:timers/promises';
import { countMerchants } from '#catalog';
import { countCheckouts } from '#credit';
import { countCustomers, ensureSigningKey, notifyAllSessionsEnded } from '#customers';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import { lockAdvisory } from '#platform/database/advisory-locks.ts';
import { type CustomerTx, forNewCustomers } from '#platform/database/customer-transaction.ts';
import { type Db, sql, type Tx } from '#platform/database/db.ts';
import { purgeAllJobs } from '#platform/database/graphile-worker-tables.ts';
import { claimInstallation } from '#platform/database/installation.ts';
import { type ChangeFeed, notifyChange } from '#platform/nodes/change-feed.ts';
import { type Problem, unavailable } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import { saveOffset } from './clock/sandbox-clock.ts';
import { seedEmptyDatabase } from './demo-data.ts';
import { NO_FAULTS } from './psp/faults.ts';
import { updateFaults } from './psp/settings.ts';

const MAX_ATTEMPTS = 5;
const RETRY_PAUSE_MS = 250;
const RETRY_AFTER_SECONDS = '5';

type ResetDeps = {
  /** The real clock, not the sandbox clock. */
  clock: Clock;
  vault: Vault;
  events: Events;
};

type ResetResult = {
  resetAt: Date;
  revision: number;
  merchants: number;
  customers: number;
  checkouts: number;
};

/**
 * Deletes all data and writes the demo data as of today, in one transaction: readers see either the old or the new state, also
 * after a crash. A reset does not wait for a long transaction, but throws a 503 problem after a few attempts. The clock is reset
 * first, in its own transaction: otherwise a job that waited for the locks could process the new data at the old, later time.
 */
export async function resetSandbox(db: Db, deps: ResetDeps): Promise<ResetResult> {
  await db.transaction(async (tx) => {
    // Throws for a live database, regardless of the settings of this process.
    await claimInstallation(tx, 'sandbox');
    await saveOffset(tx, 0);
  });
  for (let attempt = 1; ; attempt++) {
    try {
      return await forNewCustomers(db).transaction((tx) => replaceAllData(tx, deps));
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw unavailable({
          en: 'A long operation is in progress. Only the clock was reset.',
          pt: 'Há uma operação demorada em andamento. Só o relógio foi reiniciado.',
          headers: { 'retry-after': RETRY_AFTER_SECONDS },
        });
      }
      await sleep(RETRY_PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

async function replaceAllData(tx: CustomerTx, { clock, vault, events }: ResetDeps): Promise<ResetResult> {
  await claimInstallation(tx, 'sandbox');
  await lockAdvisory(tx, 'sandboxResets');
  await truncateAllTables(tx);
  await notifyAllSessionsEnded(tx);
  await purgeAllJobs(tx);
  await updateFaults(tx, NO_FAULTS);
  await seedEmptyDatabase(tx, { clock, vault, events });
  await ensureSigningKey(tx, { vault, clock });
  const { revision } = await saveOffset(tx, 0);
  // Sent last, because notifications arrive in the order in which they were sent.
  await notifyChange(tx, 'reset', String(revision));
  return {
    resetAt: clock.now(),
    revision,
    merchants: await countMerchants(tx),
    customers: await countCustomers(tx),
    checkouts: await countCheckouts(tx),
  };
}

/**
 * Whether the locks were not available in time (55P03), or PostgreSQL has found a deadlock (40P01): on one server if deadlock_timeout
 * is shorter than the time limit for the locks, or across the servers of Citus, which is the `reason` of a DatabaseUnavailable.
 */
function isLockConflict(error: unknown): boolean {
  const { code, reason } = error as { code?: string; reason?: string };
  return code === '55P03' || (code ?? reason) === '40P01';
}

/**
 * Truncates all tables except those in `preserved_tables`: the installation, key checks and migrations, the clock with its revision,
 * which must only grow, and the settings and webhooks of the PSP simulator.
 *
 * All locks are taken within 500 ms, or the statement fails with 55P03. PostgreSQL looks for deadlocks only after deadlock_timeout, one
 * second, so a deadlock ends with 55P03, and never aborts another transaction. All tables are locked, so no reader sees a
 * partial reset.
 *
 * Append-only tables can be truncated only here, because their trigger checks `semana.resetting`. Triggers that notify nodes
 * still run. Sequences are not restarted, so that ids of events, jobs and revisions are never reused.
 */
const truncateAllTables = (tx: Tx) =>
  tx.run(sql`
    do $$
    declare
      preserved_tables constant text[] :=
        array['installation', 'key_checks', 'schema_migrations', 'sandbox_clock', 'psp_sim_settings', 'psp_sim_webhooks'];
      tables constant regclass[] := array(
        select oid::regclass from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> all (preserved_tables)
        order by relname);
      deadline constant timestamptz := clock_timestamp() + interval '500 milliseconds';
      locked_table regclass;
    begin
      foreach locked_table in array tables loop
        perform set_config(
          'lock_timeout', greatest(1, extract(milliseconds from deadline - clock_timestamp())::int)::text, true);
        execute format('lock table %s in access exclusive mode', locked_table);
      end loop;
      perform set_config('lock_timeout', '0', true);

      execute 'set local semana.resetting = on';
      execute 'truncate ' || array_to_string(tables, ', ');
      execute 'set local semana.resetting = off';
    end $$`);

/** A notification usually arrives within a millisecond, and at the latest with the next heartbeat. */
const NOTIFICATION_TIMEOUT_MS = 500;
const RESET_TIMEOUT_MS = 2_000;

/** Tracks resets of the sandbox, which any node may have run, by the notifications that this node receives. */
export class ResetFeed {
  readonly #listeners: Array<() => void> = [];
  #revision = 0;
  #receivedAtMs = Number.NEGATIVE_INFINITY;
  #nextReset = Promise.withResolvers<void>();

  constructor(changeFeed: ChangeFeed) {
    changeFeed.listen({
      topic: 'reset',
      onChange: (revision) => this.#receive(Number(revision)),
      onMissedChanges: () => this.#receive(this.#revision), // a reset may have been missed
    });
  }

  /** Registers a listener that clears state which this node holds outside the database. */
  onReset(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Resolves when the caches of this node contain no data from before the reset, or after a timeout if the change feed has failed: the
   * caches are not used then.
   */
  async waitForReset(revision: number): Promise<void> {
    const deadlineMs = performance.now() + RESET_TIMEOUT_MS;
    while (this.#revision < revision && performance.now() < deadlineMs)
      await this.#waitForNext(RESET_TIMEOUT_MS);
  }

  /**
   * Returns the 503 problem for a request that failed during a reset: it may fail with any error, because its data was deleted. The
   * error can occur before the notification of the change feed, so the notification is awaited. Returns undefined if no reset occurred.
   */
  async explainFailure(startedAtMs: number): Promise<Problem | undefined> {
    if (this.#receivedAtMs < startedAtMs) await this.#waitForNext(NOTIFICATION_TIMEOUT_MS);
    if (this.#receivedAtMs < startedAtMs) return undefined;
    return unavailable({
      en: 'The sandbox was reset during the request.',
      pt: 'O sandbox foi reiniciado nesse meio-tempo.',
      headers: { 'retry-after': '1' },
    });
  }

  #receive(revision: number): void {
    this.#revision = revision;
    this.#receivedAtMs = performance.now();
    for (const listener of this.#listeners) listener();
    this.#nextReset.resolve();
    this.#nextReset = Promise.withResolvers();
  }

  async #waitForNext(ms: number): Promise<void> {
    await Promise.race([this.#nextReset.promise, sleep(ms, undefined, { ref: false })]);
  }
}
