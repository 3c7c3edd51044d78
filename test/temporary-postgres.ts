import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';

/** Starts PostgreSQL in a new folder, runs the work with its URL, then stops it and deletes the folder. `label` names the program to other processes. */
export async function withTemporaryPostgres(
  label: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'semana-postgres-'));
  const log = () => undefined;
  const postgres = await openEmbeddedPostgres({
    dataDir,
    owner: 'service',
    label,
    log,
    settings: { fsync: 'off' },
  });
  try {
    await work(postgres.url);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
