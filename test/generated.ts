import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { listSettings } from '#platform/config.ts';
import { createLog } from '#platform/observability/log.ts';
import { formatDefault } from '#platform/settings.ts';
import { createApp } from '../src/app.ts';
import { deriveCommands } from '../src/cli/derive-commands.ts';
import { listLocalCommands } from '../src/cli/local.ts';
import { modules, readConfiguration } from '../src/modules.ts';
import { generateClientFiles } from './clients/generate-client.ts';
import { renderOperationList } from './clients/operation-list.ts';
import { PROJECT } from './project.ts';
import { dumpSchemaSql } from './schema-sql.ts';
import { tableColumns } from './table-columns.ts';

/** The generated files, with the text they must have. `databaseUrl`: freshly migrated. */
export async function generateFiles(databaseUrl: string): Promise<Record<string, string>> {
  const { openApi, staffApi } = await openApiJson(databaseUrl);
  return {
    'openapi.json': openApi,
    ...(await generateClientFiles('packages/client/src', openApi, { isDescribed: true })),
    ...(await generateClientFiles('packages/staff-client/src', staffApi, { isDescribed: false })),
    'src/cli/manifest.json': commandManifest(staffApi),
    'schema.sql': await dumpSchemaSql(databaseUrl),
    ...(await tableColumns(databaseUrl)),
    'docs/operating.md': await withSection('docs/operating.md', 'settings', settingsTable()),
    'docs/client.md': await withSection('docs/client.md', 'operations', renderOperationList(openApi)),
    'packages/client/README.md': await withSection(
      'packages/client/README.md',
      'operations',
      renderOperationList(openApi),
    ),
  };
}

/** The commands of the command line: those of this machine, and one for every operation of the staff API. One command per line. */
function commandManifest(staffApi: string): string {
  const local = listLocalCommands(readConfiguration({}));
  const lines = [...local, ...deriveCommands(JSON.parse(staffApi))].map((command) => JSON.stringify(command));
  return `[\n${lines.join(',\n')}\n]\n`;
}

/** The settings as the modules declare them. */
function settingsTable(): string {
  const rows = listSettings(modules).map((setting) => {
    const shown = formatDefault(setting).en;
    return `| \`${setting.name}\` | ${/^[(-]/.test(shown) ? shown : `\`${shown}\``} | ${setting.description.en} |`;
  });
  return ['| name | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** A document with the text between `<!-- settings -->` and `<!-- end of settings -->` replaced. */
async function withSection(path: string, name: string, content: string): Promise<string> {
  const text = await readFile(join(PROJECT, path), 'utf8');
  const section = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*(\\n<!-- end of ${name} -->)`);
  if (!section.test(text)) throw new Error(`${path} has no section <!-- ${name} -->`);
  return text.replace(section, (_, start, end) => start + content + end);
}

/** The openapi.json of both APIs, read without listening. Their address is a placeholder. */
async function openApiJson(databaseUrl: string): Promise<{ openApi: string; staffApi: string }> {
  const configuration = readConfiguration({
    MEDIA_DIR: 'demo/media',
    PUBLIC_URL: 'https://api.semana.example',
  });
  const app = await createApp({ configuration, databaseUrl, clock: systemClock, log: createLog('silent') });
  try {
    const read = async ({ server }: typeof app.partner) =>
      `${JSON.stringify((await server.inject('/openapi.json')).json(), null, 2)}\n`;
    return { openApi: await read(app.partner), staffApi: await read(app.staff) };
  } finally {
    await app.stop();
  }
}
