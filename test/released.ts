import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Migration } from '#platform/database/migrate.ts';

const PROJECT = join(import.meta.dirname, '..');
export const RELEASED_FILE = join(PROJECT, 'migrations/released.json');
/** Databases as releases made them, with the demo data. */
export const RELEASES = join(PROJECT, 'test/releases');

/** Checksums of migrations, by the release that was the first to have them. */
export type Released = Record<string, Record<string, string>>;

export async function readReleased(): Promise<Released> {
  return JSON.parse(await readFile(RELEASED_FILE, 'utf8')) as Released;
}

/** What is wrong with the migrations of this checkout: databases out there have those that were released. */
export function listMigrationErrors(released: Released, migrations: readonly Migration[]): string[] {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  return Object.entries(released).flatMap(([version, files]) =>
    Object.entries(files).flatMap(([name, checksum]) => {
      if (checksums.get(name) === checksum) return [];
      const what = checksums.has(name) ? 'has changed since' : 'was removed';
      return `migrations/${name} was released with ${version} and ${what}: put it back, and write a new migration`;
    }),
  );
}

/** Adds the new migrations of this release. Repeating a release that is not published yet replaces its entries. */
export function addRelease(released: Released, version: string, migrations: readonly Migration[]): Released {
  const { [version]: _, ...before } = released;
  const known = new Set(Object.values(before).flatMap((files) => Object.keys(files)));
  const fresh = migrations.filter(({ name }) => !known.has(name));
  return { ...before, [version]: Object.fromEntries(fresh.map(({ name, checksum }) => [name, checksum])) };
}
