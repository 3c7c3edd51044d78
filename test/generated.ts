import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { listSettings } from '#platform/config.ts';
import { openLog } from '#platform/observability/log.ts';
import { createApp } from '../src/app.ts';
import { modules, readConfiguration } from '../src/modules.ts';
import { clientFiles } from './clients/generate-client.ts';
import { schemaSql } from './schema-sql.ts';

export const PROJECT = join(import.meta.dirname, '..');

/** Files that follow from the code, with the text they must have. `databaseUrl`: freshly migrated. */
export async function generatedFiles(databaseUrl: string): Promise<Record<string, string>> {
  const openApi = await openApiJson(databaseUrl);
  return {
    'openapi.json': openApi,
    ...(await clientFiles(openApi)),
    'schema.sql': await schemaSql(databaseUrl),
    'docs/operating.md': await operatingGuide(),
  };
}

/** The guide with its table of settings as the modules declare them. */
async function operatingGuide(): Promise<string> {
  const text = await readFile(join(PROJECT, 'docs/operating.md'), 'utf8');
  const rows = listSettings(modules).map(
    ({ name, fallback, meaning }) =>
      `| \`${name}\` | ${/^[(-]/.test(fallback) ? fallback : `\`${fallback}\``} | ${meaning} |`,
  );
  const table = ['| name | default | meaning |', '|---|---|---|', ...rows].join('\n');
  return text.replace(
    /(<!-- settings -->\n)[\s\S]*(\n<!-- end of settings -->)/,
    (_, start, end) => start + table + end,
  );
}

/** What the front door serves, asked without opening it. The address stands for wherever it is. */
async function openApiJson(databaseUrl: string): Promise<string> {
  const configuration = readConfiguration({
    MEDIA_DIR: 'demo/media',
    PUBLIC_URL: 'https://api.semana.example',
  });
  const app = await createApp({ configuration, databaseUrl, clock: systemClock, log: openLog('silent') });
  try {
    const { body } = await app.front.server.inject('/openapi.json');
    return `${body}\n`;
  } finally {
    await app.stop();
  }
}
