import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '#platform/database/migrate.ts';
import { generateFiles } from './generated.ts';
import { PROJECT } from './project.ts';
import { withTemporaryPostgres } from './temporary-postgres.ts';

// 'npm run generate': rewrites openapi.json, schema.sql and the other generated files. test/code-conventions.test.ts fails when they are stale.
await withTemporaryPostgres('npm run generate', async (url) => {
  await migrate(url, 'sandbox');
  for (const [name, text] of Object.entries(await generateFiles(url))) {
    await writeFile(join(PROJECT, name), text);
    process.stdout.write(`${name} is written.\n`);
  }
});
