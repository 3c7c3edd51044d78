import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { runCli } from '../../../test/commands.ts';
import { createLiveSettings } from '../../../test/live.ts';
import { findFreePort } from '../ports.ts';
import { chooseAccount, DEFAULT_USER_NAMES, runAs } from '../postgres/system-user.ts';
import { buildConnectionEnv, findTool } from './backup.ts';

const directory = await mkdtemp(join(tmpdir(), 'semana-backup-'));
const EMBEDDED_MAJOR = 18;
let server: { url: string; major: number; stop(): Promise<unknown> };

// The embedded PostgreSQL has no pg_dump. The test uses the machine's pg_dump where its version fits, else a server of the
// version that the machine has.
before(async () => {
  const matchingTool = await findTool('pg_dump', EMBEDDED_MAJOR, { toolsDir: null }).catch(() => undefined);
  const installedMajors = await readdir('/usr/lib/postgresql').catch(() => []);
  const [newestMajor] = installedMajors.map(Number).toSorted((a, b) => b - a);
  const url = process.env.TEST_DATABASE_URL!;
  server =
    matchingTool !== undefined || newestMajor === undefined
      ? { url, major: EMBEDDED_MAJOR, stop: async () => undefined }
      : await startServer(newestMajor);
});
after(async () => {
  for (const name of createdDatabases) await query(server.url, `drop database ${name} with (force)`);
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

async function startServer(major: number) {
  const account = await chooseAccount(DEFAULT_USER_NAMES, () => undefined);
  const dataDir = join(directory, 'data');
  await chmod(directory, 0o755); // the server may run as another user, who must be able to enter the directory
  await mkdir(dataDir, { mode: 0o700 });
  if (account) await chown(dataDir, account.uid, account.gid);
  const run = async (program: string, ...args: string[]) => {
    const { ok, output } = await runAs(account, `/usr/lib/postgresql/${major}/bin/${program}`, args);
    assert.ok(ok, output);
  };
  await run(
    'initdb',
    '-D',
    dataDir,
    '-U',
    'semana',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  );
  const port = await findFreePort('127.0.0.1');
  const serverOptions = `-p ${port} -c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  await run('pg_ctl', '-D', dataDir, '-w', '-o', serverOptions, '-l', join(dataDir, 'log'), 'start');
  const url = `postgres://semana@127.0.0.1:${port}/postgres`;
  return { url, major, stop: () => run('pg_ctl', '-D', dataDir, '-m', 'immediate', 'stop') };
}

async function query<R>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as R[];
  } finally {
    await client.end();
  }
}

const createdDatabases: string[] = [];
const buildUrl = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
const createDatabase = async (name: string) => {
  await query(server.url, `create database ${name}`);
  createdDatabases.push(name);
  return buildUrl(name);
};
const hasTools = () =>
  findTool('pg_dump', server.major, { toolsDir: null }).then(
    () => true,
    () => false,
  );

test('a restored backup is identical and passes the audit; only a sandbox database can be overwritten', async (t) => {
  if (!(await hasTools())) return t.skip(`there is no pg_dump of PostgreSQL ${server.major} on this machine`);
  const originalUrl = await createDatabase('semana_backup_original');
  assert.equal((await runCli(['migrate'], { DATABASE_URL: originalUrl })).code, 0);
  assert.equal((await runCli(['demo'], { DATABASE_URL: originalUrl })).code, 0);
  const file = join(directory, 'one.dump');
  const backupOutcome = await runCli(['backup', file], { DATABASE_URL: originalUrl });
  assert.equal(backupOutcome.code, 0, backupOutcome.stderr);
  assert.match(backupOutcome.stdout, /one\.dump: \d+\.\d MB\./);
  assert.equal((await readFile(file)).subarray(0, 5).toString(), 'PGDMP', "pg_dump's own format");
  assert.equal((await stat(file)).mode & 0o077, 0, 'only its owner can read it');
  assert.match((await runCli(['backup', file], { DATABASE_URL: originalUrl })).stderr, /already exists/);

  const copyUrl = await createDatabase('semana_backup_copy');
  const restoreOutcome = await runCli(['restore', file], { DATABASE_URL: copyUrl });
  assert.equal(restoreOutcome.code, 0, restoreOutcome.stderr);
  /** Returns the row count and a checksum of each table, except the audit trail: the restore adds an entry to it. */
  const summarizeTables = async (url: string) => {
    const tables = await query<{ name: string }>(
      url,
      `
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
        and table_name <> 'audit_trail' order by 1`,
    );
    const tableQueries = tables.map(
      ({ name }) =>
        `select '${name}' as name, count(*), md5(string_agg(t::text, '' order by t::text)) from ${name} t`,
    );
    return query(url, `${tableQueries.join(' union all ')} order by 1`);
  };
  assert.deepEqual(await summarizeTables(copyUrl), await summarizeTables(originalUrl));
  const audit = await runCli(['audit'], { DATABASE_URL: copyUrl });
  assert.equal(audit.code, 0, audit.stdout + audit.stderr);
  const [lastAuditEntry] = await query<object>(
    copyUrl,
    'select action, subject_kind from audit_trail order by id desc limit 1',
  );
  assert.deepEqual(lastAuditEntry, { action: 'restore', subject_kind: 'installation' });

  // The database is not empty now: in the sandbox it is replaced after a confirmation, in live mode the restore is refused.
  const unconfirmedOutcome = await runCli(['restore', file], { DATABASE_URL: copyUrl });
  assert.deepEqual([unconfirmedOutcome.code, /Use --yes/.test(unconfirmedOutcome.stderr)], [2, true]);
  await query(copyUrl, 'create table stray (a int)');
  const confirmedOutcome = await runCli(['restore', file, '--yes'], { DATABASE_URL: copyUrl });
  assert.equal(confirmedOutcome.code, 0, confirmedOutcome.stderr);
  assert.deepEqual(await summarizeTables(copyUrl), await summarizeTables(originalUrl));

  const settings = createLiveSettings(directory);
  if (!settings) return;
  await query(copyUrl, "update installation set mode = 'live'");
  const liveSettings = { ...settings, DATABASE_URL: copyUrl };
  const wrongModeOutcome = await runCli(['restore', file, '--yes'], liveSettings);
  assert.match(wrongModeOutcome.stderr, /is a backup of a sandbox database, but SEMANA_MODE is live/);
  const liveFile = join(directory, 'live.dump');
  const liveBackupOutcome = await runCli(['backup', liveFile], liveSettings);
  assert.equal(liveBackupOutcome.code, 0, liveBackupOutcome.stderr);
  const refusedOutcome = await runCli(['restore', liveFile, '--yes'], liveSettings);
  assert.deepEqual(
    [refusedOutcome.code, /not empty, and a live database is never overwritten/.test(refusedOutcome.stderr)],
    [1, true],
  );
});

test('a file that is missing or not a backup is refused, and nothing is changed', async (t) => {
  if (!(await hasTools()))
    return t.skip(`there is no pg_restore of PostgreSQL ${server.major} on this machine`);
  const emptyDatabase = await createDatabase('semana_backup_empty');
  const textFile = join(directory, 'text.dump');
  await writeFile(textFile, 'hello');
  for (const [file, expectedMessage] of [
    [join(directory, 'none.dump'), /The file '.*' does not exist/],
    [textFile, /failed:/],
  ] as const) {
    const { code, stderr } = await runCli(['restore', file], { DATABASE_URL: emptyDatabase });
    assert.equal(code, 1);
    assert.match(stderr, expectedMessage);
  }
  assert.deepEqual(await query(emptyDatabase, `select from pg_tables where schemaname = 'public'`), []);
  const fileInMissingDirectory = join(directory, 'no/such/place.dump');
  assert.match(
    // Backs up the database that the first test created.
    (await runCli(['backup', fileInMissingDirectory], { DATABASE_URL: buildUrl('semana_backup_original') }))
      .stderr,
    /cannot be written/,
  );
});

test('if no program has the right version, the message says what to install', async () => {
  await assert.rejects(
    findTool('pg_dump', 99, { toolsDir: null }),
    /requires PostgreSQL's program pg_dump of version 99 or later.*Install.*postgresql-client-99.*PG_TOOLS_DIR/s,
  );
  await assert.rejects(findTool('pg_restore', 15, { toolsDir: directory }), /none was found on this machine/);
});

test('programs get the connection from their environment, so other users of the machine see no password', () => {
  const env = buildConnectionEnv('postgres://ana:s%40fe@db.example:6432/semana?sslmode=verify-full');
  assert.deepEqual(env, {
    PGHOST: 'db.example',
    PGPORT: '6432',
    PGUSER: 'ana',
    PGPASSWORD: 's@fe',
    PGDATABASE: 'semana',
    PGAPPNAME: 'semana backup',
    PGSSLMODE: 'verify-full',
  });
});
