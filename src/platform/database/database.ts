import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from '../postgres/embedded.ts';
import { formatServers } from './database-client.ts';

export type RunningDatabase = { url: string; description: string; stop(): Promise<void> };

/** Uses the operator's own PostgreSQL if DATABASE_URL is set, otherwise the embedded one. */
export async function openDatabase(
  config: { readonly databaseUrl: string | null; readonly dataDir: string },
  embedded: Omit<EmbeddedPostgresOptions, 'dataDir'>,
): Promise<RunningDatabase> {
  if (config.databaseUrl) {
    return {
      url: config.databaseUrl,
      description: formatServers(config.databaseUrl),
      stop: async () => undefined,
    };
  }
  const { url, stop } = await openEmbeddedPostgres({ dataDir: config.dataDir, ...embedded });
  return { url, description: `embedded, data in ${config.dataDir}`, stop };
}
