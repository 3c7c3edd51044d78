import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { query } from '../../../test/query.ts';
import {
  borrowStoppedDataDir,
  createTemporaryDir,
  findPostmasterPid,
  listServerPids,
  openTestPostgres,
  spawnPostgresOwner,
  waitForProcessEnd,
} from '../../../test/support/postgres.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './embedded.ts';
import { inspectProcess, isStillRunning } from './processes.ts';
import { MAX_LOG_BYTES } from './server.ts';

test('the first start creates the database, stop ends the server, and the next start finds the data', async (t) => {
  const dataDir = join(createTemporaryDir(t), 'data');
  const firstServer = await openTestPostgres({ dataDir });
  assert.equal(firstServer.wasStarted, true);
  assert.equal(new URL(firstServer.url).pathname, '/semana');
  await query(firstServer.url, 'CREATE TABLE payment (cents bigint)');
  await query(firstServer.url, 'INSERT INTO payment VALUES (1234)');
  const pid = await findPostmasterPid(dataDir);
  assert.ok(pid);
  await Promise.all([firstServer.stop(), firstServer.stop()]);
  assert.equal(await findPostmasterPid(dataDir), null);
  await waitForProcessEnd(pid);

  const secondServer = await openTestPostgres({ dataDir });
  assert.deepEqual(await query(secondServer.url, 'SELECT cents::int FROM payment'), [{ cents: 1234 }]);
  const [encoding] = await query(
    secondServer.url,
    'SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()',
  );
  assert.deepEqual(encoding, { datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8' });
  await secondServer.stop();
});

test('the server listens on 127.0.0.1 only and requires the password', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const postgres = await openTestPostgres({ dataDir });
  const [row] = await query(
    postgres.url,
    "SELECT current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets",
  );
  assert.deepEqual(row, { addresses: '127.0.0.1', sockets: '' });
  const wrongPasswordUrl = new URL(postgres.url);
  wrongPasswordUrl.password = 'guessed';
  await assert.rejects(query(wrongPasswordUrl.href, 'SELECT 1'), { code: '28P01' });
  assert.equal(statSync(join(dataDir, 'postgres')).mode & 0o077, 0);
  await postgres.stop();
});

test('a second service is refused with the name of the first, which continues', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const firstProcess = spawnPostgresOwner(t, { dataDir, label: 'npm start' });
  const openedOutcome = await firstProcess.outcome;
  assert.equal(openedOutcome.event, 'open');
  await assert.rejects(openTestPostgres({ dataDir }), (error: Error) => {
    assert.ok(error instanceof DataDirInUseError);
    assert.equal(
      error.message,
      `Another Semana (npm start, process ${firstProcess.pid}) is already using ${dataDir}. Stop it first, or set DATA_DIR to another directory.`,
    );
    return true;
  });
  assert.deepEqual(await query(openedOutcome.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal(await firstProcess.stop(), 0);
  assert.equal(await findPostmasterPid(dataDir), null);
});

test('of two concurrent first starts one wins, and the other is refused', async (t) => {
  const dataDir = join(createTemporaryDir(t), 'data');
  const processes = [
    spawnPostgresOwner(t, { dataDir, label: 'a' }),
    spawnPostgresOwner(t, { dataDir, label: 'b' }),
  ];
  const outcomes = await Promise.all(processes.map(({ outcome }) => outcome));
  const winnerIndex = outcomes.findIndex((outcome) => outcome.event === 'open');
  const openedOutcome = outcomes[winnerIndex];
  const refusal = outcomes[1 - winnerIndex];
  assert.ok(openedOutcome?.event === 'open' && refusal?.event === 'failed');
  assert.equal(refusal.name, 'DataDirInUseError');
  assert.match(refusal.message, new RegExp(`process ${processes[winnerIndex]?.pid}\\) is already using`));
  assert.deepEqual(await query(openedOutcome.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  assert.equal(await processes[winnerIndex]?.stop(), 0);
});

test('concurrent commands share one server, and the last one stops it', async (t) => {
  const dataDir = join(createTemporaryDir(t), 'data');
  const commands = [1, 2, 3].map((n) =>
    spawnPostgresOwner(t, { dataDir, owner: 'command', label: `command ${n}` }),
  );
  const outcomes = await Promise.all(commands.map(({ outcome }) => outcome));
  const urls = outcomes.map((outcome) => (outcome.event === 'open' ? outcome.url : outcome.message));
  assert.equal(new Set(urls).size, 1, urls.join('\n'));
  assert.equal(outcomes.filter((outcome) => outcome.event === 'open' && outcome.wasStarted).length, 1);
  for (const command of commands) {
    assert.deepEqual(await query(urls[0]!, 'SELECT 1 AS one'), [{ one: 1 }]);
    assert.equal(await command.stop(), 0);
  }
  assert.equal(await findPostmasterPid(dataDir), null);
});

test('a command beside a running service uses its server and leaves it running', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const service = await openTestPostgres({ dataDir });
  const command = await openTestPostgres({ dataDir, owner: 'command' });
  assert.deepEqual([command.wasStarted, command.url], [false, service.url]);
  await command.stop();
  assert.deepEqual(await query(service.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await service.stop();
  assert.equal(await findPostmasterPid(dataDir), null);
});

test('a service takes over the server of a running command without disturbing it', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const command = await openTestPostgres({ dataDir, owner: 'command' });
  assert.equal(command.wasStarted, true);
  const service = await openTestPostgres({ dataDir });
  assert.deepEqual([service.wasStarted, service.wasAdopted, service.url], [false, true, command.url]);
  await command.stop();
  assert.deepEqual(await query(service.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await service.stop();
  assert.equal(await findPostmasterPid(dataDir), null);
});

test('kill -9 of the service: the next start takes over its server with every committed row', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const killedService = spawnPostgresOwner(t, { dataDir });
  const openedOutcome = await killedService.outcome;
  assert.ok(openedOutcome.event === 'open');
  await query(openedOutcome.url, 'DROP TABLE IF EXISTS payment; CREATE TABLE payment AS SELECT 7 AS cents');
  const pid = await findPostmasterPid(dataDir);
  await killedService.kill();

  const nextServer = await openTestPostgres({ dataDir });
  assert.deepEqual([nextServer.wasStarted, nextServer.wasAdopted], [false, true]);
  assert.equal(await findPostmasterPid(dataDir), pid);
  assert.deepEqual(await query(nextServer.url, 'SELECT cents FROM payment'), [{ cents: 7 }]);
  await nextServer.stop();
  assert.equal(await findPostmasterPid(dataDir), null);
});

test('kill -9 of the service and of its whole server: the next start recovers every committed row', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const killedService = spawnPostgresOwner(t, { dataDir });
  const openedOutcome = await killedService.outcome;
  assert.ok(openedOutcome.event === 'open');
  await query(
    openedOutcome.url,
    'DROP TABLE IF EXISTS payment; CREATE TABLE payment AS SELECT generate_series(1, 1000) AS cents',
  );
  const pids = listServerPids((await findPostmasterPid(dataDir))!);
  assert.ok(pids.length > 3, 'PostgreSQL has several background processes');
  await killedService.kill();
  for (const pid of pids) killIfRunning(pid);

  const nextServer = await openTestPostgres({ dataDir });
  assert.deepEqual([nextServer.wasStarted, nextServer.wasAdopted], [true, false]);
  assert.deepEqual(await query(nextServer.url, 'SELECT count(*)::int FROM payment'), [{ count: 1000 }]);
  await nextServer.stop();
});

async function readBackendPid(session: pg.Client): Promise<number> {
  const {
    rows: [backend],
  } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return backend!.pid;
}

/** Kills a process, which may have ended since it was listed. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Starts a server with a table `payment`, freezes a backend of it, and kills the postmaster, which the backend outlives. Returns the pid of
 * the backend.
 */
async function orphanFrozenBackend(t: TestContext, dataDir: string): Promise<number> {
  const service = await openTestPostgres({ dataDir });
  await query(service.url, 'DROP TABLE IF EXISTS payment; CREATE TABLE payment AS SELECT 7 AS cents');
  const session = new pg.Client({ connectionString: service.url });
  session.on('error', () => {});
  await session.connect();
  const backend = await inspectProcess(await readBackendPid(session));
  assert.ok(backend);
  t.after(async () => {
    if (await isStillRunning(backend)) process.kill(backend.pid, 'SIGKILL');
    await session.end().catch(() => {});
  });
  process.kill(backend.pid, 'SIGSTOP');
  const postmasterPid = (await findPostmasterPid(dataDir))!;
  process.kill(postmasterPid, 'SIGKILL');
  await waitForProcessEnd(postmasterPid);
  await service.stop();
  return backend.pid;
}

test('kill -9 of the postmaster alone: the next start waits for the last processes of the server', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const frozenPid = await orphanFrozenBackend(t, dataDir);
  const log: string[] = [];
  const nextServer = await openTestPostgres({
    dataDir,
    log: (message) => {
      log.push(message);
      process.kill(frozenPid, 'SIGCONT'); // the backend then ends, and the start can go on
    },
  });
  assert.equal(log[0], 'Waiting for the last processes of a killed database server to end.');
  assert.deepEqual(await query(nextServer.url, 'SELECT cents FROM payment'), [{ cents: 7 }]);
  await nextServer.stop();
});

test('the next start kills a frozen backend of a killed server, and no process of another server', async (t) => {
  const otherServer = await openTestPostgres({ dataDir: await borrowStoppedDataDir(t) });
  const dataDir = await borrowStoppedDataDir(t);
  const frozenPid = await orphanFrozenBackend(t, dataDir);
  const log: string[] = [];
  const nextServer = await openTestPostgres({ dataDir, log: (message) => log.push(message) });
  assert.deepEqual(log.slice(1), [
    `Ending process ${frozenPid} of the killed database server (SIGQUIT).`,
    `Ending process ${frozenPid} of the killed database server (SIGKILL).`,
  ]);
  assert.deepEqual(await query(nextServer.url, 'SELECT cents FROM payment'), [{ cents: 7 }]);
  await nextServer.stop();
  assert.deepEqual(await query(otherServer.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await otherServer.stop();
});

test('a postmaster.pid with the pid of an unrelated process is ignored, and that process is not touched', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const clusterDir = join(dataDir, 'postgres');
  const { uid, gid } = statSync(clusterDir);
  // PostgreSQL itself ignores a process of another user, so this one has the user of PostgreSQL.
  const otherProcess = spawn('sleep', ['600'], {
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    stdio: 'ignore',
  });
  t.after(() => otherProcess.kill('SIGKILL'));
  await once(otherProcess, 'spawn');
  const pidFile = join(clusterDir, 'postmaster.pid');
  writeFileSync(
    pidFile,
    `${otherProcess.pid}\n${clusterDir}\n1700000000\n5432\n\n127.0.0.1\n  1234567         0\nready   \n`,
    { mode: 0o600 },
  );
  chownSync(pidFile, uid, gid);

  const nextServer = await openTestPostgres({ dataDir });
  assert.equal(nextServer.wasStarted, true);
  assert.deepEqual(await query(nextServer.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await nextServer.stop();
  assert.deepEqual([otherProcess.exitCode, otherProcess.signalCode], [null, null]);
});

test('a postmaster.pid left empty by a power failure does not prevent a start', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  writeFileSync(join(dataDir, 'postgres/postmaster.pid'), '');
  const nextServer = await openTestPostgres({ dataDir });
  assert.equal(nextServer.wasStarted, true);
  await nextServer.stop();
});

test('the next start replaces a server that is stopping and waits for its last session', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const killedService = spawnPostgresOwner(t, { dataDir });
  const openedOutcome = await killedService.outcome;
  assert.ok(openedOutcome.event === 'open');
  await killedService.kill();
  const session = new pg.Client({ connectionString: openedOutcome.url });
  session.on('error', () => {});
  await session.connect();
  const pid = (await findPostmasterPid(dataDir))!;
  process.kill(pid, 'SIGTERM'); // requests a smart shutdown, which waits for sessions
  while (!readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').includes('stopping')) await sleep(5);

  const nextServer = await openTestPostgres({ dataDir });
  assert.equal(nextServer.wasStarted, true);
  assert.notEqual(await findPostmasterPid(dataDir), pid);
  await session.end().catch(() => {});
  await nextServer.stop();
});

test('a server that dies while the service runs is reported', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const serverExit = Promise.withResolvers<Error>();
  const service = await openTestPostgres({ dataDir, onUnexpectedExit: serverExit.resolve });
  // The watching timer does not keep the process of the test alive.
  const keepAlive = setInterval(() => {}, 1_000);
  process.kill((await findPostmasterPid(dataDir))!, 'SIGQUIT');
  const error = await serverExit.promise;
  clearInterval(keepAlive);
  assert.ok(error instanceof EmbeddedPostgresError);
  assert.match(error.message, /ended unexpectedly\..*received immediate shutdown request/s);
  await service.stop();
});

test('a server that restarts after a crashed session is not reported', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  let reportCount = 0;
  const service = await openTestPostgres({
    dataDir,
    onUnexpectedExit: () => {
      reportCount += 1;
    },
  });
  const session = new pg.Client({ connectionString: service.url });
  session.on('error', () => {});
  await session.connect();
  process.kill(await readBackendPid(session), 'SIGKILL');
  // Connections fail while the server restarts.
  while (!(await query(service.url, 'SELECT 1 AS one').catch(() => null))) await sleep(20);
  await session.end().catch(() => {});
  await assert.rejects(openTestPostgres({ dataDir }), DataDirInUseError);
  await service.stop();
  assert.equal(reportCount, 0);
});

test("a failing start reports PostgreSQL's message and releases the directory", async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  await assert.rejects(
    openTestPostgres({ dataDir, settings: { shared_buffers: 'plenty' } }),
    (error: Error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.match(error.message, /did not start in .*invalid value for parameter "shared_buffers"/s);
      return true;
    },
  );
  const nextServer = await openTestPostgres({ dataDir });
  await nextServer.stop();
});

test('the log of the server does not grow without limit', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const logPath = join(dataDir, 'postgres.log');
  truncateSync(logPath, MAX_LOG_BYTES + 1); // enlarges the file
  const nextServer = await openTestPostgres({ dataDir });
  assert.ok(statSync(logPath).size < 100_000, 'the log has only the lines of one start');
  await nextServer.stop();
});

test('a database of another PostgreSQL version is refused with an explanation', async (t) => {
  const dataDir = await borrowStoppedDataDir(t);
  const versionFile = join(dataDir, 'postgres/PG_VERSION');
  const version = readFileSync(versionFile);
  // Another test may reuse the directory.
  t.after(() => writeFileSync(versionFile, version));
  writeFileSync(versionFile, '12\n');
  await assert.rejects(
    openTestPostgres({ dataDir }),
    /created by PostgreSQL 12, and this release includes PostgreSQL \d+/,
  );
});
