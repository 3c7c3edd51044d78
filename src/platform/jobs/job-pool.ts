import pg from 'pg';
import { DatabaseClient } from '../database/database-client.ts';
import { isLockTimeout } from '../database/db.ts';

const CONNECT_MS = 4_000;
const ANSWER_MS = 5_000;
/** Shorter than PostgreSQL's deadlock timeout of one second. */
const GIVE_WAY_MS = 100;

/**
 * Connections for graphile-worker. Its own would wait forever for a database that no longer answers. It also releases connections
 * without reporting that an answer never came: such a connection closes itself, so that it is not reused. A statement that
 * completes several jobs may hold the lock of one and wait for another, and so may a transaction that enqueues the same jobs. To
 * prevent the deadlock it waits briefly, rolls back and is sent again.
 */
export function openJobPool(parts: { url: string; size: number; onStuck: () => void }): pg.Pool {
  const Client = class extends DatabaseClient {
    // biome-ignore lint/suspicious/noExplicitAny: every way to call it is passed on
    override query(...question: any[]): any {
      // @ts-expect-error: as above
      const answer: unknown = super.query(...question);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: Error) => {
        if (isLockTimeout(error)) return this.query(...question);
        this.#endIfStuck(error);
        throw error;
      });
    }

    #endIfStuck({ message }: Error): void {
      if (message !== 'Query read timeout') return;
      this.end().catch(() => undefined); // the connection failed: closing it may fail, too
      parts.onStuck();
    }
  };
  const pool = new pg.Pool({
    connectionString: parts.url,
    max: parts.size,
    application_name: 'semana jobs',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    lock_timeout: GIVE_WAY_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    Client,
  });
  // Without listeners a lost connection would end the process. Its user gets the error from the statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
