import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openLog } from '#platform/log.ts';
import { createApp } from '../src/app.ts';
import { schemaSql } from './schema-sql.ts';

export const PROJECT = join(import.meta.dirname, '..');

/** Files at the root that follow from the code, with the text they must have. `databaseUrl`: freshly migrated. */
export async function generatedFiles(databaseUrl: string): Promise<Record<string, string>> {
  return { 'openapi.json': await openApiJson(databaseUrl), 'schema.sql': await schemaSql(databaseUrl) };
}

/** What the front door serves, asked without opening it. The address stands for wherever it is. */
async function openApiJson(databaseUrl: string): Promise<string> {
  const config = readConfig({ MEDIA_DIR: 'demo/media', PUBLIC_URL: 'https://api.semana.example' });
  const app = await createApp({ config, databaseUrl, clock: systemClock, log: openLog('silent') });
  try {
    const { body } = await app.front.server.inject('/openapi.json');
    return `${body}\n`;
  } finally {
    await app.stop();
  }
}
