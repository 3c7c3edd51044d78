import pg from 'pg';
import { DatabaseClient } from '../database/database-client.ts';
import { isLockTimeout } from '../database/db.ts';

const CONNECT_TIMEOUT_MS = 4_000;
const QUERY_TIMEOUT_MS = 5_000;
/** Shorter than PostgreSQL's deadlock timeout of one second. */
const LOCK_TIMEOUT_MS = 100;

/** graphile-worker 0.18.0 releases a lost listening connection twice while a runner stops. pg throws at the second release. */
class JobPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: all overloads are passed on
  override connect(callback?: (...outcome: any[]) => void): any {
    if (!callback) return super.connect();
    return super.connect((error, client, release) => {
      let isReleased = false;
      callback(error, client, (reason?: Error | boolean) => {
        if (isReleased) return;
        isReleased = true;
        // Undefined if the wait for a connection timed out.
        release?.(reason);
      });
    });
  }
}

/**
 * graphile-worker's own pool would wait forever for a database that does not respond, and reuse a connection after a timeout; these close
 * themselves. A statement that completes jobs can deadlock with one that enqueues them: after a short `lock_timeout` it is sent again.
 */
export function openJobPool(options: { url: string; size: number; onStuck: () => void }): pg.Pool {
  const Client = class extends DatabaseClient {
    // biome-ignore lint/suspicious/noExplicitAny: all overloads are passed on
    override query(...args: any[]): any {
      // @ts-expect-error: as above
      const result: unknown = super.query(...args);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: Error) => {
        if (isLockTimeout(error)) return this.query(...args);
        this.#endIfStuck(error);
        throw error;
      });
    }

    #endIfStuck({ message }: Error): void {
      if (message !== 'Query read timeout') return;
      this.end().catch(() => undefined); // closing a failed connection may fail, too
      options.onStuck();
    }
  };
  const pool = new JobPool({
    connectionString: options.url,
    max: options.size,
    application_name: 'semana jobs',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    Client,
  });
  // Without listeners, a lost connection would end the process. Its user gets the error from the statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
