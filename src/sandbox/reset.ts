import { setTimeout as sleep } from 'node:timers/promises';
import { countMerchants } from '#catalog';
import { countCheckouts } from '#credit';
import { countCustomers, ensureSigningKey, notifyAllEnded } from '#customers';
import type { Events } from '#events';
import type { Clock } from '#platform/clock.ts';
import { type CustomerTx, forNewCustomers } from '#platform/database/customer-transaction.ts';
import type { Db } from '#platform/database/db.ts';
import { claimInstallation } from '#platform/database/installation.ts';
import { purgeAllJobs } from '#platform/database/worker-tables.ts';
import { notifyChange } from '#platform/nodes/change-feed.ts';
import { unavailable } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import { markOffset } from './clock/store.ts';
import { seedDemo } from './demo-data.ts';
import { CALM } from './psp/faults.ts';
import { updateFaults } from './psp/store/settings.ts';
import { emptyAllTables, lockResets } from './reset-store.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 250;
const RETRY_AFTER_SECONDS = '5';

type ResetDeps = {
  /** Real time, not the sandbox's. */
  clock: Clock;
  vault: Vault;
  events: Events;
};

/**
 * Deletes everything and writes the demo data as of today, in one transaction: readers and crashes see all of the old state or
 * all of the new. It does not wait for a long transaction: after a few attempts it answers 503. The clock is reset first, in a
 * transaction of its own, so that a job that waited for the reset does not see the new data with the old, later time.
 */
export async function reset(db: Db, context: ResetDeps): ReturnType<typeof startAnew> {
  await db.transaction(async (tx) => {
    await claimInstallation(tx, 'sandbox');
    await markOffset(tx, 0);
  });
  for (let attempt = 1; ; attempt++) {
    try {
      return await forNewCustomers(db).transaction((tx) => startAnew(tx, context));
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      if (attempt === ATTEMPTS) {
        throw unavailable({
          en: 'Something that takes long is under way. Nothing was reset but the clock.',
          pt: 'Há uma operação demorada em andamento. Só o relógio foi reiniciado.',
          headers: { 'retry-after': RETRY_AFTER_SECONDS },
        });
      }
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

async function startAnew(tx: CustomerTx, { clock, vault, events }: ResetDeps) {
  // Throws for a live database, whatever this process's settings say.
  await claimInstallation(tx, 'sandbox');
  await lockResets(tx);
  await emptyAllTables(tx);
  await notifyAllEnded(tx);
  await purgeAllJobs(tx);
  await updateFaults(tx, CALM);
  await seedDemo(tx, clock, vault, events);
  await ensureSigningKey(tx, { vault, clock });
  const { revision } = await markOffset(tx, 0);
  // Last: notifications arrive in the order they were sent.
  await notifyChange(tx, 'reset', String(revision));
  return {
    at: clock.now(),
    /** Grows from one reset to the next. */
    revision,
    merchants: await countMerchants(tx),
    customers: await countCustomers(tx),
    checkouts: await countCheckouts(tx),
  };
}

/** 55P03 lock_not_available: the locks took too long. 40P01 deadlock_detected: with a shorter deadlock_timeout. */
function isInTheWay(error: unknown): boolean {
  const { code, reason } = error as { code?: string; reason?: string };
  return code === '55P03' || (code ?? reason) === '40P01';
}
