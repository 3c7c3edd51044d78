import type { Mode } from '../settings.ts';
import { type Queryable, sql } from './db.ts';
import { type AppliedMigration, MigrationError, readMigrations, refuseDrift } from './migrate.ts';

/** For processes that do not migrate. Throws unless the migrations are those of this release, but for additive ones. */
export async function requireCurrentSchema(db: Queryable, mode: Mode): Promise<void> {
  const applied = await listApplied(db);
  if (!applied) throw new MigrationError(`This database is not set up. Run 'semana migrate' first.`);
  const required = await readMigrations(mode);
  refuseDrift(applied, await readMigrations('sandbox'));
  const names = new Set(applied.map(({ name }) => name));
  const missing = required.filter(({ name }) => !names.has(name));
  if (missing.length > 0)
    throw new MigrationError(
      `This database is older than this release: ${missing[0]!.name} is missing. Run 'semana migrate' first.`,
    );
}

async function listApplied(db: Queryable): Promise<AppliedMigration[] | undefined> {
  try {
    return await db.rows<AppliedMigration>(sql`select name, checksum, is_additive from schema_migrations`);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';
