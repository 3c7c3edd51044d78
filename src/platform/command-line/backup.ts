import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Db, type Queryable, sql } from '../database/db.ts';
import { requireCurrentSchema } from '../database/migrate.ts';
import { createCommandAuditContext, recordAuditEntry } from '../privacy/audit-trail.ts';
import { type Command, type CommandContext, CommandError, confirm } from './command.ts';
import { ProgressBar } from './progress-bar.ts';

const FILE_ARGUMENT = [{ name: 'FILE', help: 'the file' }] as const;
const TOOL_OPTIONS = ['--no-owner', '--no-privileges', '--verbose'];

export const backupCommand: Command = {
  name: 'backup',
  group: 'Service',
  summary: 'write the whole database to a file',
  // Also allowed before an update, while the schema is older than this release requires.
  worksBeforeMigration: true,
  positionals: FILE_ARGUMENT,
  options: { force: { help: 'overwrite an existing file' } },
  details:
    "Writes a consistent snapshot in pg_dump's custom format while the service runs; 'semana restore' or pg_restore reads it. Requires\n" +
    "PostgreSQL's own pg_dump, of the version of the database or later (PG_TOOLS_DIR). Personal data stays encrypted: it cannot be read\n" +
    'without DATA_KEYS and LOOKUP_KEY, so store those elsewhere. Files in MEDIA_DIR are not included.',
  examples: ['semana backup /backups/semana-2026-11-15.dump'],
  async run(context, args) {
    const { db, databaseUrl, print } = context;
    const [path = ''] = args.positionals;
    if (!args.has('force') && existsSync(path))
      throw new CommandError(`'${path}' already exists. Choose another name, or use --force.`);
    const pgDump = await findMatchingTool(context, 'pg_dump');
    const tableCount = (await db.row<{ count: number }>(sql`
      select count(*) from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, to_regnamespace('graphile_worker'))`))!
      .count;
    const partialPath = `${path}.${randomBytes(6).toString('hex')}.part`;
    // The file is created first, readable by its owner only, so that a path that cannot be written fails before any work is done.
    await open(partialPath, 'wx', 0o600).then(
      (file) => file.close(),
      (error: Error) => {
        throw new CommandError(`'${path}' cannot be written: ${error.message}.`);
      },
    );
    const progressBar = new ProgressBar('Writing');
    let dumpedTableCount = 0;
    try {
      await runTool(pgDump, ['--format=custom', `--file=${partialPath}`, ...TOOL_OPTIONS], {
        databaseUrl,
        onLine(line) {
          const [, table] = /dumping contents of table "?([^"]+)"?/.exec(line) ?? [];
          if (!table) return;
          progressBar.show(dumpedTableCount / tableCount, table);
          dumpedTableCount += 1;
        },
      });
      await rename(partialPath, path);
    } finally {
      progressBar.clear();
      await rm(partialPath, { force: true });
    }
    print(`${path}: ${formatMegabytes((await stat(path)).size)} MB.`);
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  group: 'Service',
  summary: 'restore a database from a backup file',
  worksBeforeMigration: true,
  positionals: FILE_ARGUMENT,
  options: { yes: { help: 'in the sandbox: delete existing data without confirmation' } },
  details:
    'Restores into the database of DATABASE_URL, which should be empty: a live database is never overwritten. All or nothing.\n' +
    "The keys (DATA_KEYS, LOOKUP_KEY) must be those of the backup. Then run 'semana audit', and erase again all customers erased since.",
  examples: ['DATABASE_URL=postgres://.../semana_copy semana restore /backups/semana-2026-11-15.dump'],
  async run(context, args) {
    const { db, databaseUrl, config, print, printError } = context;
    const [path = ''] = args.positionals;
    if (!existsSync(path)) throw new CommandError(`The file '${path}' does not exist.`);
    const pgRestore = await findMatchingTool(context, 'pg_restore');
    const mode = await readBackupMode(pgRestore, path);
    if (mode !== config.mode)
      throw new CommandError(
        `'${path}' is a backup of a ${mode} database, but SEMANA_MODE is ${config.mode}.`,
      );
    await ensureEmptyDatabase(context, { isConfirmed: args.has('yes') });
    const progressBar = new ProgressBar('Restoring');
    try {
      const restoreOptions = [
        '--single-transaction',
        '--exit-on-error',
        `--dbname=${readDatabaseName(databaseUrl)}`,
      ];
      await runTool(pgRestore, [...restoreOptions, ...TOOL_OPTIONS, path], {
        databaseUrl,
        onLine(line) {
          const [, table] = /processing data for table "?([^"]+)"?/.exec(line) ?? [];
          if (table) progressBar.showNote(table);
        },
      });
    } finally {
      progressBar.clear();
    }
    await requireCurrentSchema(db, config.mode).catch((error: Error) => printError(error.message));
    await db.transaction((tx) =>
      recordAuditEntry(
        tx,
        createCommandAuditContext(context, 'restore'),
        { kind: 'installation', id: config.mode },
        { restored_from: basename(path) },
      ),
    );
    print(`Restored from ${path}. Now run 'semana audit'.`);
  },
};

const formatMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const readDatabaseName = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));

async function findMatchingTool({ db, config }: CommandContext, tool: Tool): Promise<string> {
  const { version } = (await db.row<{ version: string }>(
    sql`select current_setting('server_version_num') as version`,
  ))!;
  return findTool(tool, Math.floor(Number(version) / 10_000), { toolsDir: config.pgToolsDir });
}

async function readBackupMode(pgRestore: string, path: string): Promise<string> {
  const toolArguments = ['--data-only', '--schema=public', '--table=installation', '--file=-', path];
  const script = await runTool(pgRestore, toolArguments, { onLine: () => undefined });
  const mode = /^t\t(sandbox|live)\t/m.exec(script)?.[1];
  if (mode === undefined) throw new CommandError(`'${path}' is not a Semana backup.`);
  return mode;
}

/** Ensures that the database is empty. In the sandbox it deletes existing data, after a confirmation unless `isConfirmed`. */
async function ensureEmptyDatabase(
  context: CommandContext,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<void> {
  const { db, config, databaseUrl } = context;
  const name = readDatabaseName(databaseUrl);
  if (await isEmpty(db)) return;
  if (config.mode === 'live')
    throw new CommandError(
      `The database '${name}' is not empty, and a live database is never overwritten. Create an empty one (createdb) and set DATABASE_URL to it.`,
    );
  const otherSessions = await db.rows<{ name: string }>(sql`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name in ('semana', 'psp simulator')`);
  if (otherSessions.length > 0)
    throw new CommandError('The service is running on this database. Stop it first.');
  if (!isConfirmed) await confirm(context, `All data in the database '${name}' will be deleted.`);
  await dropAll(db);
}

async function isEmpty(db: Queryable): Promise<boolean> {
  const relations = await db.rows(sql`
    select from pg_class where relkind in ('r', 'p', 'v')
      and relnamespace in ('public'::regnamespace, to_regnamespace('graphile_worker')) limit 1`);
  return relations.length === 0;
}

async function dropAll(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`drop schema if exists graphile_worker cascade`);
    await tx.run(sql`drop schema public cascade`);
    await tx.run(sql`create schema public`);
  });
}

type Tool = 'pg_dump' | 'pg_restore';

/** Where Linux and macOS packages install PostgreSQL's programs, in a directory for each version. */
const INSTALL_LOCATIONS: ReadonlyArray<readonly [parent: string, name: RegExp]> = [
  ['/usr/lib/postgresql', /^\d+$/],
  ['/usr', /^pgsql-\d+$/],
  ['/opt/homebrew/opt', /^(postgresql@\d+|libpq)$/],
  ['/usr/local/opt', /^(postgresql@\d+|libpq)$/],
];

/** Finds PostgreSQL's own program of this major version or later. If `toolsDir` is set, only that directory is searched. */
export async function findTool(
  tool: Tool,
  requiredMajor: number,
  { toolsDir, path = process.env.PATH ?? '' }: { toolsDir: string | null; path?: string },
): Promise<string> {
  const directories =
    toolsDir === null ? [...path.split(delimiter), ...(await listInstallDirectories())] : [toolsDir];
  const installedTools: Array<{ program: string; major: number }> = [];
  for (const directory of new Set(directories.filter((name) => name !== ''))) {
    const program = join(directory, tool);
    const major = await readMajorVersion(program);
    if (major !== undefined) installedTools.push({ program, major });
  }
  const [bestMatch] = installedTools
    .filter((installed) => installed.major >= requiredMajor)
    .toSorted((a, b) => a.major - b.major);
  if (bestMatch) return bestMatch.program;
  const unsuitableTools = installedTools
    .map((installed) => `${installed.program} has version ${installed.major}`)
    .join(', ');
  throw new CommandError(
    `This requires PostgreSQL's program ${tool} of version ${requiredMajor} or later, because the database has version ${requiredMajor}; ` +
      `${unsuitableTools || 'none was found on this machine'}. Install PostgreSQL's client programs ` +
      `(Debian and Ubuntu: postgresql-client-${requiredMajor} of apt.postgresql.org; macOS: brew install postgresql@${requiredMajor}), or set ` +
      'PG_TOOLS_DIR to its directory.',
  );
}

async function listInstallDirectories(): Promise<string[]> {
  const directoryLists = INSTALL_LOCATIONS.map(async ([parent, pattern]) => {
    const entryNames = await readdir(parent).catch(() => []);
    return entryNames.filter((name) => pattern.test(name)).map((name) => join(parent, name, 'bin'));
  });
  return (await Promise.all(directoryLists)).flat();
}

async function readMajorVersion(program: string): Promise<number | undefined> {
  // Most directories do not contain the program, and an attempt to start it costs far more than this check.
  if (!existsSync(program)) return undefined;
  const versionOutput = await promisify(execFile)(program, ['--version']).catch(() => undefined);
  const major = /PostgreSQL\) (\d+)/.exec(versionOutput?.stdout ?? '')?.[1];
  return major === undefined ? undefined : Number(major);
}

/** Returns the connection parameters for PostgreSQL's programs as environment variables, which other users of the machine cannot see. */
export function buildConnectionEnv(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const env: Record<string, string> = {
    PGHOST: searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGAPPNAME: 'semana backup',
  };
  for (const name of ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']) {
    const value = searchParams.get(name);
    if (value !== null) env[`PG${name.toUpperCase()}`] = value;
  }
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** Runs the program and returns its standard output. Passes each line of standard error to `onLine`. On failure throws with the last lines. */
async function runTool(
  program: string,
  toolArguments: readonly string[],
  { databaseUrl, onLine }: { databaseUrl?: string; onLine: (line: string) => void },
): Promise<string> {
  const env = { ...process.env, ...(databaseUrl !== undefined && buildConnectionEnv(databaseUrl)) };
  const child = spawn(program, toolArguments, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const lastLines: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > 5) lastLines.shift();
    onLine(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new CommandError(`${program} failed:\n${lastLines.join('\n')}`);
  return output;
}
