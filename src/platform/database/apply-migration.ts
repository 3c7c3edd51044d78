import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { MINUTE_MS } from '#core/duration.ts';

export type Migration = { name: string; text: string; checksum: string };

export class MigrationFault extends Error {}

/** While a migration waits for a lock, later statements queue behind it. So it waits briefly. */
const LOCK_TIMEOUT_MS = 1_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const GIVE_UP_MS = 5 * MINUTE_MS;
/** lock_not_available, deadlock_detected: the migration was rolled back. */
const IN_THE_WAY = new Set(['55P03', '40P01']);

/** The first line of an additive migration: earlier releases keep working, and may be started, beside it. */
const ADDITIVE = /^-- additive\b/;

/**
 * Applies one migration in a transaction. Waits for its locks in short attempts, so that other statements do not queue behind it.
 */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  say: (text: string) => void,
): Promise<void> {
  const { name, text, checksum } = migration;
  await outOfTheWay(name, say, async () => {
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query(text);
      await client.query('insert into schema_migrations (name, checksum, is_additive) values ($1, $2, $3)', [
        name,
        checksum,
        ADDITIVE.test(text),
      ]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined); // the connection is lost, which rolls back
      throw error;
    }
  });
}

/** Retries with backoff until the locks are free. */
export async function outOfTheWay(
  name: string,
  say: (text: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await work();
      return;
    } catch (cause) {
      const { code = '', message } = cause as Error & { code?: string };
      if (!IN_THE_WAY.has(code)) throw new MigrationFault(`Migration ${name} failed: ${message}`, { cause });
      if (performance.now() - startedAtMs > GIVE_UP_MS) {
        throw new MigrationFault(
          `Migration ${name} could not get its locks: another session holds a transaction open. ` +
            'Look at pg_stat_activity for the oldest xact_start, end it, and try again.',
          { cause },
        );
      }
      say(`Migration ${name} waits for another session's transaction to end.`);
      await sleep(pauseMs * (0.75 + Math.random() * 0.5));
    }
  }
}
