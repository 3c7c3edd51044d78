import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMigrations } from '#platform/database/migrate.ts';
import { getCurrentRelease } from '#platform/release.ts';
import { dumpDatabase } from './database-dump.ts';
import {
  addRelease,
  listMigrationErrors,
  RELEASED_FILE,
  RELEASES_FOLDER,
  readReleasedMigrations,
} from './released.ts';
import { buildDatabaseUrl, createTemplate } from './template.ts';
import { withTemporaryPostgres } from './temporary-postgres.ts';

// 'npm run release', immediately before a release, with its version in package.json: records the migrations of the release, and
// stores a database that it creates. From then on tests refuse changes of these migrations, and update that database.
// --again repeats this for a version that is not published yet.
const { version } = getCurrentRelease();
const releasedMigrations = await readReleasedMigrations();
const isRepeated = process.argv.includes('--again');
if (Object.hasOwn(releasedMigrations, version) && !isRepeated) {
  process.stderr.write(
    `${version} is in migrations/released.json already. Set another version in package.json; or, if ${version} is not published yet, run 'npm run release -- --again'.\n`,
  );
  process.exit(1);
}
const migrations = await readMigrations('sandbox');
const { [version]: _, ...earlierReleases } = releasedMigrations;
const migrationErrors = listMigrationErrors(earlierReleases, migrations);
if (migrationErrors.length > 0) {
  process.stderr.write(`${migrationErrors.join('\n')}\n`);
  process.exit(1);
}

await withTemporaryPostgres('npm run release', async (url) => {
  const name = 'semana_release';
  await createTemplate(url, name, { demo: true });
  const bytes = await dumpDatabase(buildDatabaseUrl(url, name));
  await mkdir(RELEASES_FOLDER, { recursive: true });
  await writeFile(join(RELEASES_FOLDER, `${version}.json.zst`), bytes);
  await writeFile(
    RELEASED_FILE,
    `${JSON.stringify(addRelease(releasedMigrations, version, migrations), undefined, 2)}\n`,
  );
  process.stdout.write(
    `migrations/released.json and test/releases/${version}.json.zst (${bytes.length} bytes) are written. Commit both.\n`,
  );
});
