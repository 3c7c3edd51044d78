import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import { hasCode, messageOf } from './errors.ts';

export const DATABASE = 'semana';

export function buildDatabaseUrl(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

type ConnectOutcome =
  | { outcome: 'connected'; client: pg.Client }
  | { outcome: 'not-yet'; reason: string }
  /** A permanent error: waiting does not help. */
  | { outcome: 'refused'; reason: string };

/**
 * Attempts one connection, the only proof that a server is ready. SCRAM proves that it is our server, because another program on the port
 * does not know the password.
 */
export async function connectOnce(port: number, password: string): Promise<ConnectOutcome> {
  const client = new pg.Client({
    connectionString: buildDatabaseUrl(port, password, 'postgres'),
    application_name: 'semana lifecycle',
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener, a lost connection would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    return { outcome: 'connected', client };
  } catch (error) {
    await client.end().catch(() => {});
    const reason = messageOf(error);
    // Wrong password, or login not allowed.
    if (hasCode(error, '28P01', '28000')) {
      return { outcome: 'refused', reason: `PostgreSQL on 127.0.0.1:${port} refuses the login: ${reason}` };
    }
    return { outcome: 'not-yet', reason };
  }
}

export async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
}
