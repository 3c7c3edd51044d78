import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Db, openDb } from '#platform/database/db.ts';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { registerCleanup } from './interruption.ts';

/** A PostgreSQL server and a temporary directory for one bench. */
export type BenchEnvironment = {
  /** The URL of the server's default database. */
  url: string;
  directory: string;
};

/** Starts PostgreSQL and runs the bench. Removes the server and its directory when the bench ends or a signal stops it. */
export async function withBenchDatabase<T>(
  runBench: (environment: BenchEnvironment) => Promise<T>,
  postgresSettings: Record<string, string> = {},
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'semana-bench-'));
  // PostgreSQL's user must be able to enter the directory; otherwise the data goes to another directory, which is never removed.
  await chmod(directory, 0o755);
  const startingPostgres = openEmbeddedPostgres({
    dataDir: join(directory, 'data'),
    owner: 'service',
    settings: postgresSettings,
    label: 'npm run bench',
    log: () => undefined,
  });
  const cleanUp = registerCleanup(async () => {
    const postgres = await startingPostgres.catch(() => undefined);
    await postgres?.stop();
    await rm(directory, { recursive: true, force: true });
  });
  try {
    const postgres = await startingPostgres;
    return await runBench({ url: postgres.url, directory });
  } finally {
    await cleanUp();
  }
}

/** Opens the connections of a bench to a database, with the keys of the sandbox. */
export const openBenchDb = (url: string, options: { timeoutMs?: number } = {}): Db =>
  openDb({ url, poolSize: 4, applicationName: 'bench', vault: new Vault(SANDBOX_SECRETS), ...options });

/** Creates a database. Returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await withClient(serverUrl, (client) => client.query(`create database ${name}`));
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

/** Calls `work` with a connection to the database, and closes the connection afterwards. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
