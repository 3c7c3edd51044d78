import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { MINUTE_MS } from '#core/values/duration.ts';

export type Migration = { name: string; text: string; checksum: string };

export class MigrationError extends Error {}

/** Later statements queue behind a migration that waits for a lock, so it waits only briefly. */
const LOCK_TIMEOUT_MS = 1_000;
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
const LOCK_RETRY_TIMEOUT_MS = 5 * MINUTE_MS;
/** lock_not_available and deadlock_detected: the migration was rolled back and can be retried. */
const RETRYABLE_CODES = new Set(['55P03', '40P01']);

/** The first line of an additive migration, with which earlier releases still work and can be started. */
const ADDITIVE_MARKER = /^-- additive\b/;

/** Waits for locks in short attempts, so that other statements do not queue behind the migration. */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  print: (text: string) => void,
): Promise<void> {
  const { name, text, checksum } = migration;
  await retryUntilUnlocked(name, print, async () => {
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query(text);
      await client.query('insert into schema_migrations (name, checksum, is_additive) values ($1, $2, $3)', [
        name,
        checksum,
        ADDITIVE_MARKER.test(text),
      ]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined); // the connection is lost, which rolls back, too
      throw error;
    }
  });
}

export async function retryUntilUnlocked(
  name: string,
  print: (text: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      await work();
      return;
    } catch (cause) {
      const { code = '', message } = cause as Error & { code?: string };
      if (!RETRYABLE_CODES.has(code))
        throw new MigrationError(`Migration ${name} failed: ${message}`, { cause });
      if (performance.now() - startedAtMs > LOCK_RETRY_TIMEOUT_MS) {
        throw new MigrationError(
          `Migration ${name} could not acquire its locks: another session has an open transaction. ` +
            'Find the oldest xact_start in pg_stat_activity, end that session, and try again.',
          { cause },
        );
      }
      print(`Migration ${name} is waiting for a transaction of another session to end.`);
      await sleep(pauseMs * (0.75 + Math.random() * 0.5));
    }
  }
}
