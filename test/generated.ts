import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { listSettings } from '#platform/config.ts';
import { createLog } from '#platform/observability/log.ts';
import { formatDefault } from '#platform/settings.ts';
import { createApp } from '../src/app.ts';
import { listLocalCommands } from '../src/cli/local.ts';
import { modules, readConfiguration } from '../src/modules.ts';
import { generateClientFiles } from './clients/generate-client.ts';
import { deriveCommands } from './clients/generate-commands.ts';
import { renderOperationList } from './clients/operation-list.ts';
import { PROJECT } from './project.ts';
import { dumpSchemaSql } from './schema-sql.ts';
import { renderTableColumns } from './table-columns.ts';

/** Returns the text of every generated file by path. `databaseUrl` names a freshly migrated database. */
export async function generateFiles(databaseUrl: string): Promise<Record<string, string>> {
  const { openApi, staffApi } = await readOpenApiDocuments(databaseUrl);
  return {
    'openapi.json': openApi,
    ...(await generateClientFiles('packages/client/src', openApi, { isDescribed: true })),
    ...(await generateClientFiles('packages/staff-client/src', staffApi, { isDescribed: false })),
    'src/cli/manifest.json': renderCommandManifest(staffApi),
    'schema.sql': await dumpSchemaSql(databaseUrl),
    ...(await renderTableColumns(databaseUrl)),
    'docs/operating.md': await replaceSection('docs/operating.md', 'settings', renderSettingsTable()),
    'docs/client.md': await replaceSection('docs/client.md', 'operations', renderOperationList(openApi)),
    'packages/client/README.md': await replaceSection(
      'packages/client/README.md',
      'operations',
      renderOperationList(openApi),
    ),
  };
}

/** Renders the commands of the command line, one per line: local commands, and one for every operation of the staff API. */
function renderCommandManifest(staffApi: string): string {
  const localCommands = listLocalCommands(readConfiguration({}));
  const lines = [...localCommands, ...deriveCommands(JSON.parse(staffApi))].map((command) =>
    JSON.stringify(command),
  );
  return `[\n${lines.join(',\n')}\n]\n`;
}

/** Renders the settings that the modules declare. */
function renderSettingsTable(): string {
  const rows = listSettings(modules).map((setting) => {
    const defaultValue = formatDefault(setting).en;
    return `| \`${setting.name}\` | ${/^[(-]/.test(defaultValue) ? defaultValue : `\`${defaultValue}\``} | ${setting.description.en} |`;
  });
  return ['| name | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** Returns a document with the text between `<!-- NAME -->` and `<!-- end of NAME -->` replaced. */
async function replaceSection(path: string, name: string, content: string): Promise<string> {
  const text = await readFile(join(PROJECT, path), 'utf8');
  const section = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*(\\n<!-- end of ${name} -->)`);
  if (!section.test(text)) throw new Error(`${path} has no section <!-- ${name} -->`);
  return text.replace(section, (_, start, end) => start + content + end);
}

/** Reads the openapi.json of both APIs without opening a port. Their address is a placeholder. */
async function readOpenApiDocuments(databaseUrl: string): Promise<{ openApi: string; staffApi: string }> {
  const configuration = readConfiguration({
    MEDIA_DIR: 'demo/media',
    PUBLIC_URL: 'https://api.semana.example',
  });
  const app = await createApp({ configuration, databaseUrl, clock: systemClock, log: createLog('silent') });
  try {
    const readDocument = async ({ fastify }: typeof app.partnerApi) =>
      `${JSON.stringify((await fastify.inject('/openapi.json')).json(), null, 2)}\n`;
    return { openApi: await readDocument(app.partnerApi), staffApi: await readDocument(app.staffApi) };
  } finally {
    await app.stop();
  }
}
