import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';
import { endedOnSignal } from './interruption.ts';

/** A PostgreSQL and a directory for one bench. */
export type Stage = { url: string; directory: string };

/** Both are removed when the bench ends, or is stopped by a signal. */
export async function onStage<T>(play: (stage: Stage) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'semana-bench-'));
  // PostgreSQL's user must be able to enter it; otherwise the data goes to another directory, which nothing removes.
  await chmod(directory, 0o755);
  const opening = openEmbeddedPostgres({
    dataDir: join(directory, 'data'),
    owner: 'service',
    label: 'npm run bench',
    log: () => undefined,
  });
  const end = endedOnSignal(async () => {
    const postgres = await opening.catch(() => undefined);
    await postgres?.stop();
    await rm(directory, { recursive: true, force: true });
  });
  try {
    const postgres = await opening;
    return await play({ url: postgres.url, directory });
  } finally {
    await end();
  }
}

export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await withClient(serverUrl, (client) => client.query(`create database ${name}`));
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
