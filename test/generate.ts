import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#platform/database/migrate.ts';
import { openEmbeddedPostgres } from '#platform/postgres/embedded.ts';
import { generateFiles } from './generated.ts';
import { PROJECT } from './project.ts';

// 'npm run generate': rewrites openapi.json, schema.sql and the other generated files. test/code-conventions.test.ts fails when they are stale.
const dataDir = await mkdtemp(join(tmpdir(), 'semana-generate-'));
const postgres = await openEmbeddedPostgres({
  dataDir,
  owner: 'service',
  label: 'npm run generate',
  log: () => undefined,
  settings: { fsync: 'off' },
});
try {
  await migrate(postgres.url, 'sandbox');
  for (const [name, text] of Object.entries(await generateFiles(postgres.url))) {
    await writeFile(join(PROJECT, name), text);
    process.stdout.write(`${name} is written.\n`);
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
