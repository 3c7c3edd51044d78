import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Migration } from '#platform/database/migrate.ts';
import { PROJECT } from './project.ts';

export const RELEASED_FILE = join(PROJECT, 'migrations/released.json');
/** Databases with demo data that earlier releases created. */
export const RELEASES_FOLDER = join(PROJECT, 'test/releases');

/** Checksums of migrations by name, by the release that was the first to have them. */
export type ReleasedMigrations = Record<string, Record<string, string>>;

export async function readReleasedMigrations(): Promise<ReleasedMigrations> {
  return JSON.parse(await readFile(RELEASED_FILE, 'utf8')) as ReleasedMigrations;
}

/** Lists released migrations that were changed or removed in this checkout: existing databases have them as they were released. */
export function listMigrationErrors(
  releasedMigrations: ReleasedMigrations,
  migrations: readonly Migration[],
): string[] {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  return Object.entries(releasedMigrations).flatMap(([version, files]) =>
    Object.entries(files).flatMap(([name, checksum]) => {
      if (checksums.get(name) === checksum) return [];
      const change = checksums.has(name) ? 'has changed since' : 'was removed';
      return `migrations/${name} was released with ${version} and ${change}: put it back, and write a new migration`;
    }),
  );
}

/** Adds the new migrations of this release. Repeating a release that is not published yet replaces its entries. */
export function addRelease(
  releasedMigrations: ReleasedMigrations,
  version: string,
  migrations: readonly Migration[],
): ReleasedMigrations {
  const { [version]: _, ...earlierReleases } = releasedMigrations;
  const releasedNames = new Set(Object.values(earlierReleases).flatMap((files) => Object.keys(files)));
  const newMigrations = migrations.filter(({ name }) => !releasedNames.has(name));
  return {
    ...earlierReleases,
    [version]: Object.fromEntries(newMigrations.map(({ name, checksum }) => [name, checksum])),
  };
}
