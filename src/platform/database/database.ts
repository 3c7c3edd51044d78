import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from '../postgres/embedded.ts';
import { serverNames } from './database-client.ts';

export type RunningDatabase = { url: string; where: string; stop(): Promise<void> };

/** The operator's own PostgreSQL where one is named, else the one we bring along. */
export async function findDatabase(
  config: { readonly databaseUrl: string | null; readonly dataDir: string },
  embedded: Omit<EmbeddedPostgresOptions, 'dataDir'>,
): Promise<RunningDatabase> {
  if (config.databaseUrl) {
    return { url: config.databaseUrl, where: serverNames(config.databaseUrl), stop: async () => undefined };
  }
  const { url, stop } = await openEmbeddedPostgres({ dataDir: config.dataDir, ...embedded });
  return { url, where: `embedded, data in ${config.dataDir}`, stop };
}
