import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Db, type Queryable, sql } from '../database/db.ts';
import { requireCurrentSchema } from '../database/schema-check.ts';
import { changeByCommand, recordCreation } from '../privacy/trail.ts';
import { type Command, type CommandContext, CommandFault } from './command.ts';
import { confirm } from './confirmation.ts';
import { findTool, runTool, type Tool } from './postgres-tools.ts';
import { ProgressBar } from './progress-bar.ts';

const FILE = [{ name: 'FILE', help: 'the file' }] as const;

export const backupCommand: Command = {
  name: 'backup',
  group: 'Service',
  summary: 'write the whole database to a file',
  // Also allowed before an update, while the schema is older than this release needs.
  beforeSetUp: true,
  positionals: FILE,
  options: { force: { help: 'write over a file that is there' } },
  details:
    "In pg_dump's custom format, of one instant, beside the running service; 'semana restore' or pg_restore reads it. It needs\n" +
    "PostgreSQL's own pg_dump, of the version of the database or a later one (PG_TOOLS_DIR). What is known of people is sealed in it\n" +
    'as in the database: without DATA_KEYS and LOOKUP_KEY it cannot be read, so keep those elsewhere. Files in MEDIA_DIR are not in it.',
  examples: ['semana backup /backups/semana-2026-11-15.dump'],
  async run(context, args) {
    const { db, databaseUrl, print } = context;
    const path = args.positionals[0]!;
    if (!args.has('force') && (await exists(path)))
      throw new CommandFault(`'${path}' is there already. Choose another name, or say --force.`);
    const pgDump = await toolFor(context, 'pg_dump');
    const tables = (await db.row<{ count: number }>(sql`
      select count(*) from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, to_regnamespace('graphile_worker'))`))!
      .count;
    const unfinished = `${path}.${randomBytes(6).toString('hex')}.part`;
    // Created first, readable by its owner only. A name that cannot be written fails before any work.
    await open(unfinished, 'wx', 0o600).then(
      (file) => file.close(),
      (error: Error) => {
        throw new CommandFault(`'${path}' cannot be written: ${error.message}.`);
      },
    );
    const bar = new ProgressBar('Writing');
    let done = 0;
    try {
      const words = ['--format=custom', '--no-owner', '--no-privileges', '--verbose', `--file=${unfinished}`];
      await runTool(pgDump, words, {
        databaseUrl,
        onLine(line) {
          const [, table] = /dumping contents of table "?([^"]+)"?/.exec(line) ?? [];
          if (table) bar.show(done++ / tables, table);
        },
      });
      await rename(unfinished, path);
    } finally {
      bar.clear();
      await rm(unfinished, { force: true });
    }
    print(`${path}: ${megabytes((await stat(path)).size)} MB.`);
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  group: 'Service',
  summary: 'fill a database from a file that backup wrote',
  beforeSetUp: true,
  positionals: FILE,
  options: { yes: { help: 'in the sandbox: throw away what is there without asking' } },
  details:
    'Into the database of DATABASE_URL, which should be an empty one: what is in a live database is never written over. All or nothing.\n' +
    "The keys (DATA_KEYS, LOOKUP_KEY) must be those the file was made with. Then run 'semana audit', and erase again whom you erased since.",
  examples: ['DATABASE_URL=postgres://.../semana_copy semana restore /backups/semana-2026-11-15.dump'],
  async run(context, args) {
    const { db, databaseUrl, config, print, printError } = context;
    const path = args.positionals[0]!;
    if (!(await exists(path))) throw new CommandFault(`There is no file '${path}'.`);
    const pgRestore = await toolFor(context, 'pg_restore');
    const mode = await modeOf(pgRestore, path);
    if (mode !== config.mode)
      throw new CommandFault(`'${path}' is of a ${mode} database, and SEMANA_MODE is ${config.mode}.`);
    await makeRoom(context, args.has('yes'));
    const bar = new ProgressBar('Restoring');
    try {
      const words = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--verbose'];
      await runTool(pgRestore, [...words, `--dbname=${databaseNameOf(databaseUrl)}`, path], {
        databaseUrl,
        onLine(line) {
          const [, table] = /processing data for table "?([^"]+)"?/.exec(line) ?? [];
          if (table) bar.show(undefined, table);
        },
      });
    } finally {
      bar.clear();
    }
    await requireCurrentSchema(db, config.mode).catch((error: Error) => printError(error.message));
    await db.transaction((tx) =>
      recordCreation(
        tx,
        changeByCommand(context, 'restore'),
        { kind: 'installation', id: config.mode },
        { restored_from: basename(path) },
      ),
    );
    print(`Restored from ${path}. Now run 'semana audit'.`);
  },
};

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const databaseNameOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));

async function toolFor({ db, config }: CommandContext, tool: Tool): Promise<string> {
  const { version } = (await db.row<{ version: string }>(
    sql`select current_setting('server_version_num') as version`,
  ))!;
  return findTool(tool, Math.floor(Number(version) / 10_000), { toolsDir: config.pgToolsDir });
}

async function modeOf(pgRestore: string, path: string): Promise<string> {
  const words = ['--data-only', '--schema=public', '--table=installation', '--file=-', path];
  const script = await runTool(pgRestore, words, { onLine: () => undefined });
  const mode = /^t\t(sandbox|live)\t/m.exec(script)?.[1];
  if (mode === undefined) throw new CommandFault(`'${path}' is no backup of Semana's.`);
  return mode;
}

/** An empty database. In the sandbox existing data may be dropped for it. */
async function makeRoom(context: CommandContext, mayDrop: boolean): Promise<void> {
  const { db, config, databaseUrl } = context;
  const name = databaseNameOf(databaseUrl);
  if (await isEmpty(db)) return;
  if (config.mode === 'live')
    throw new CommandFault(
      `The database '${name}' is not empty, and a live one is never written over. Make an empty one (createdb), and name it in DATABASE_URL.`,
    );
  const others = await db.rows<{ name: string }>(sql`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name in ('semana', 'psp simulator')`);
  if (others.length > 0) throw new CommandFault('The service runs on this database. Stop it first.');
  if (!mayDrop) await confirm(context, `All that is in the database '${name}' will be thrown away.`);
  await dropAll(db);
}

async function isEmpty(db: Queryable): Promise<boolean> {
  const row = await db.row<{ found: boolean }>(sql`
    select exists (select from pg_class where relkind in ('r', 'p', 'v')
                   and relnamespace in ('public'::regnamespace, to_regnamespace('graphile_worker'))) as found`);
  return !row!.found;
}

async function dropAll(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`drop schema if exists graphile_worker cascade`);
    await tx.run(sql`drop schema public cascade`);
    await tx.run(sql`create schema public`);
  });
}
