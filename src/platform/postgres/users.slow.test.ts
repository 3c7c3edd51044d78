// Access rights: root needs another user for PostgreSQL, and that user must reach programs and data.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { query } from '../../../test/query.ts';
import {
  borrowStoppedDataDir,
  createTemporaryDir,
  findPostmasterPid,
  openTestPostgres,
  spawnPostgresOwner,
} from '../../../test/support/postgres.ts';
import { locatePackage } from './binaries.ts';
import { canEnter, chooseAccount, DEFAULT_USER_NAMES, isRoot, runAs } from './system-user.ts';

const rootOnly = { skip: !isRoot() && 'only root can become other users' };
const NOBODY = { uid: 65534, gid: 65534 };

test(
  'as root, programs and data that others cannot enter are placed in the shared directory',
  rootOnly,
  async (t) => {
    const dir = createTemporaryDir(t);
    const privateDir = join(dir, 'private');
    const sharedDir = join(dir, 'shared');
    const dataDir = join(privateDir, 'data');
    mkdirSync(privateDir, { mode: 0o700 });
    symlinkSync(locatePackage(), join(privateDir, 'package'));
    const log: string[] = [];
    const options = {
      dataDir,
      machine: { sharedDir, packageDir: join(privateDir, 'package') },
      log: (message: string) => log.push(message),
    };

    const firstServer = await openTestPostgres(options);
    await query(firstServer.url, 'CREATE TABLE payment AS SELECT 7 AS cents');
    await firstServer.stop();
    const clusterDir = readlinkSync(join(dataDir, 'postgres'));
    assert.equal(dirname(clusterDir), join(sharedDir, 'clusters'));
    // The copy of the programs, the creation of the database, and its location.
    assert.equal(log.length, 3, log.join('\n'));
    assert.ok(log.some((line) => line.includes(`The database is in ${clusterDir}`)));
    assert.equal(statSync(privateDir).mode & 0o777, 0o700);
    const [copyName] = readdirSync(sharedDir).filter((name) => name.startsWith('postgresql-'));
    const program = statSync(join(sharedDir, copyName!, 'native/bin/postgres'));
    assert.deepEqual([program.uid, program.mode & 0o777], [0, 0o755]);

    const secondServer = await openTestPostgres(options);
    assert.deepEqual(await query(secondServer.url, 'SELECT cents FROM payment'), [{ cents: 7 }]);
    const serverForCommand = await openTestPostgres({ ...options, owner: 'command' });
    assert.equal(serverForCommand.url, secondServer.url);
    await serverForCommand.stop();
    await secondServer.stop();
    assert.equal(log.length, 3, 'the copy is used again');

    rmSync(dataDir, { recursive: true });
    const freshServer = await openTestPostgres(options);
    await assert.rejects(query(freshServer.url, 'SELECT cents FROM payment'), { code: '42P01' });
    await freshServer.stop();
    assert.ok(
      log.some((line) => line.includes(`An earlier database of ${dataDir} is still in ${clusterDir}`)),
    );
    assert.notEqual(readlinkSync(join(dataDir, 'postgres')), clusterDir);
  },
);

test('a link to a missing database is not treated as a first start', rootOnly, async (t) => {
  const dataDir = join(createTemporaryDir(t), 'data');
  mkdirSync(dataDir);
  symlinkSync('/nowhere/cluster', join(dataDir, 'postgres'));
  await assert.rejects(openTestPostgres({ dataDir }), /links to a missing directory/);
});

test(
  'as root, the data stays in a DATA_DIR that only root can enter, as mktemp creates it',
  rootOnly,
  async (t) => {
    const dataDir = join(createTemporaryDir(t), 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const postgres = await openTestPostgres({ dataDir });
    await postgres.stop();
    assert.ok(lstatSync(join(dataDir, 'postgres')).isDirectory());
    const { uid, gid, mode } = statSync(dataDir);
    const postgresGid = statSync(join(dataDir, 'postgres')).gid;
    assert.deepEqual([uid, gid, mode & 0o777], [0, postgresGid, 0o710], 'PostgreSQL’s group can enter');
  },
);

test('as root under a strict umask, the data stays in DATA_DIR', rootOnly, async (t) => {
  const dataDir = join(createTemporaryDir(t), 'data');
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  const postgres = await openTestPostgres({ dataDir });
  await postgres.stop();
  assert.ok(lstatSync(join(dataDir, 'postgres')).isDirectory());
  assert.equal(statSync(dataDir).mode & 0o777, 0o711);
});

test('as root, a system user is created if no user for PostgreSQL exists', rootOnly, async (t) => {
  const name = `semana-test-${process.pid}`;
  t.after(() => execFileSync('userdel', [name], { stdio: 'ignore' }));
  const dataDir = join(createTemporaryDir(t), 'data');
  const log: string[] = [];
  const postgres = await openTestPostgres({
    dataDir,
    machine: { userNames: [`${name}-absent`, name] },
    log: (message) => log.push(message),
  });
  const uid = Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
  assert.equal(statSync(join(dataDir, 'postgres')).uid, uid);
  assert.deepEqual(log, [
    `Created the system user ${name}: PostgreSQL does not run as root.`,
    `Creating a database in ${dataDir} ...`,
  ]);
  await postgres.stop();
});

test('as root, if no user can be created, the message says what to do', rootOnly, async (t) => {
  const dataDir = join(createTemporaryDir(t), 'data');
  // A name that no program accepts.
  const machine = { userNames: ['not:a:name'] };
  await assert.rejects(
    openTestPostgres({ dataDir, machine }),
    /Create a user named .* ordinary user.* DATABASE_URL/s,
  );
});

test('data copied by root gets the owner of PostgreSQL again', rootOnly, async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  execFileSync('chown', ['-R', '0:0', dataDir]);
  const postgres = await openTestPostgres({ dataDir });
  assert.notEqual(statSync(join(dataDir, 'postgres')).uid, 0);
  await postgres.stop();
});

test(
  'if PostgreSQL’s user cannot reach the database any more, the message names the directory',
  rootOnly,
  async (t) => {
    const dataDir = await borrowStoppedDataDir(t);
    chmodSync(dirname(dataDir), 0o700);
    t.after(() => chmodSync(dirname(dataDir), 0o755));
    await assert.rejects(openTestPostgres({ dataDir }), /cannot enter .*data\/postgres/);
  },
);

test('programs that root runs as another user do not have the groups of root', rootOnly, async (t) => {
  const groups = process.getgroups!();
  t.after(() => process.setgroups!(groups));
  process.setgroups!([0, 4, 27]); // such as root, adm and sudo
  const account = await chooseAccount(DEFAULT_USER_NAMES, () => {});
  assert.ok(account);
  const { output } = await runAs(account, 'id', ['-G']);
  assert.equal(output, String(account.gid));
});

test(
  'root can open the database of an ordinary user, and afterwards the user can open it again',
  rootOnly,
  async (t) => {
    const nobody = { ...NOBODY, name: 'nobody' };
    if (!(await canEnter(nobody, import.meta.dirname))) return t.skip('nobody cannot enter this checkout');
    const dataDir = join(createTemporaryDir(t), 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, NOBODY.uid, NOBODY.gid);

    const userService = spawnPostgresOwner(t, { dataDir }, NOBODY);
    const openedOutcome = await userService.outcome;
    assert.ok(openedOutcome.event === 'open', JSON.stringify(openedOutcome));
    await query(openedOutcome.url, 'CREATE TABLE payment AS SELECT 7 AS cents');
    const serverForCommand = await openTestPostgres({ dataDir, owner: 'command' });
    assert.equal(serverForCommand.url, openedOutcome.url);
    await serverForCommand.stop();
    assert.equal(await userService.stop(), 0);
    assert.equal(await findPostmasterPid(dataDir), null);

    // Root creates these files again.
    rmSync(join(dataDir, 'locks'), { recursive: true });
    rmSync(join(dataDir, 'postgres.log'));
    const rootServer = await openTestPostgres({ dataDir });
    assert.deepEqual(await query(rootServer.url, 'SELECT cents FROM payment'), [{ cents: 7 }]);
    await rootServer.stop();

    // The user can open the files that root has created.
    const restartedService = spawnPostgresOwner(t, { dataDir }, NOBODY);
    const outcome = await restartedService.outcome;
    assert.equal(outcome.event, 'open', JSON.stringify(outcome));
    assert.equal(await restartedService.stop(), 0);
  },
);

test(
  'an ordinary user cannot open the data directory of another user; the message names the directory',
  rootOnly,
  async (t) => {
    const dataDir = await borrowStoppedDataDir(t);
    const userService = spawnPostgresOwner(t, { dataDir }, NOBODY);
    const outcome = await userService.outcome;
    assert.ok(outcome.event === 'failed');
    assert.equal(outcome.name, 'EmbeddedPostgresError');
    assert.match(outcome.message, new RegExp(dataDir));
  },
);
