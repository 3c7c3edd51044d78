import pg from 'pg';
import { DatabaseClient } from '../database/database-client.ts';
import { isLockTimeout } from '../database/db.ts';

const CONNECT_MS = 4_000;
const ANSWER_MS = 5_000;
/** Shorter than PostgreSQL's deadlock timeout of one second. */
const GIVE_WAY_MS = 100;

/**
 * graphile-worker 0.18.0 releases its listening connection twice when the connection is lost while a runner stops. pg throws at the
 * second release, which would be an unhandled rejection. So the second one is ignored.
 */
class JobPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: every way to call it is passed on
  override connect(callback?: (...outcome: any[]) => void): any {
    if (!callback) return super.connect();
    return super.connect((error, client, release) => {
      let isReleased = false;
      callback(error, client, (reason?: Error | boolean) => {
        if (isReleased) return;
        isReleased = true;
        // None is handed out after waiting too long for a connection.
        release?.(reason);
      });
    });
  }
}

/**
 * Connections for graphile-worker, with timeouts: its own pool would wait for ever for a database that does not answer. It also
 * releases a connection after a timeout as if it were usable, so such a connection closes itself.
 *
 * A statement that completes several jobs can deadlock with a transaction that enqueues the same jobs. So it has a short
 * `lock_timeout`, after which all its locks are released and it is sent again.
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
  const pool = new JobPool({
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
