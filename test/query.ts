import pg from 'pg';
import { DatabaseClient } from '#platform/database/database-client.ts';
import type { Statement } from '#platform/database/db.ts';

const pools = new Map<string, pg.Pool>();

/**
 * Runs one statement, or several without values. Connections to the tests' server are pooled, because opening a connection takes
 * longer than most statements. Connections to other servers are closed after the query.
 */
export async function query<R = Record<string, unknown>>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<R[]> {
  if (isOnTestServer(url)) {
    try {
      return (await openPool(url).query(text, values)).rows as R[];
    } catch (error) {
      // A test may cut connections, also pooled ones.
      if (!isConnectionLost(error)) throw error;
    }
  }
  // With several servers in the URL, DatabaseClient connects to the primary.
  const client = new (url.includes(',') ? DatabaseClient : pg.Client)({ connectionString: url });
  client.on('error', () => undefined); // if the connection is lost, the query fails
  await client.connect();
  try {
    return (await client.query(text, values)).rows as R[];
  } finally {
    await client.end();
  }
}

/** Closes the pooled connections to a database. Call this function before checking whether the database is still in use. */
export async function closePool(url: string): Promise<void> {
  const pool = pools.get(url);
  pools.delete(url);
  await pool?.end();
}

/** Builds a statement without parameters, which is not prepared because it has no name. */
export const buildStatement = (text: string): Statement => ({ text, values: [], name: '' });

/** Errors of PostgreSQL have a severity. 57P01 is admin_shutdown: the session was terminated. */
const isConnectionLost = (error: unknown): boolean => {
  const { code, severity } = error as { code?: string; severity?: string };
  return severity === undefined || code === '57P01';
};

const readHost = (url = ''): string | undefined => URL.parse(url)?.host;
const isOnTestServer = (url: string): boolean =>
  readHost(url) !== undefined && readHost(url) === readHost(process.env.TEST_DATABASE_URL);

function openPool(url: string): pg.Pool {
  const pool =
    pools.get(url) ?? new pg.Pool({ connectionString: url, application_name: 'test', allowExitOnIdle: true });
  if (!pools.has(url)) pool.on('error', () => void closePool(url)); // its database was dropped
  pools.set(url, pool);
  return pool;
}
