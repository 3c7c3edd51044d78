import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '#core/values/duration.ts';
import { findBinaries } from './binaries.ts';
import { checkVersion, createCluster, findCluster, readPassword } from './cluster.ts';
import { DataDirInUseError, EmbeddedPostgresError, getMessage, type PrintLine } from './errors.ts';
import { chownToDirectoryOwner, type FileLock, tryLock, waitForLock } from './file-lock.ts';
import { inspectProcess, isStillRunning } from './processes.ts';
import {
  adoptServer,
  buildDatabaseUrl,
  DATABASE,
  ensureDatabase,
  openServerLog,
  type Server,
  type ServerLog,
  type Settings,
  startServer,
  stopServer,
} from './server.ts';
import { chooseAccount, createTraversableDir, DEFAULT_USER_NAMES, isRoot } from './system-user.ts';

/**
 * The processes that use a data directory, recorded by three locks that the kernel holds:
 *
 * - `service.lock`, exclusive: held by the one service while it runs.
 * - `commands.lock`, shared: held by each command while it runs.
 * - `transition.lock`, exclusive: held while a process creates, starts, adopts or stops the server.
 *
 * Every decision about the server is made in `runTransition`, so no process can arrive between the check that the server is unused and
 * its stop. The kernel releases the locks of killed processes.
 */
export type Claims = ReturnType<typeof openClaims>;

// `isHeld` takes a lock for microseconds, so a lock that stays held for this long belongs to a running service.
const SERVICE_LOCK_TIMEOUT_MS = 300;
const COMMANDS_LOCK_TIMEOUT_MS = 10_000;
// As long as crash recovery may take, because the process that holds the lock may be waiting for a recovery.
const TRANSITION_TIMEOUT_MS = 10 * MINUTE_MS;
const TRANSITION_AT_STOP_TIMEOUT_MS = 30_000;

export function openClaims(dataDir: string, log: PrintLine) {
  const locksDir = join(dataDir, 'locks');
  mkdirSync(locksDir, { recursive: true, mode: 0o755 });
  chownToDirectoryOwner(locksDir);
  const serviceLock = join(locksDir, 'service.lock');
  const commandsLock = join(locksDir, 'commands.lock');
  const transitionLock = join(locksDir, 'transition.lock');
  const holderPath = join(locksDir, 'service.json');

  return {
    async claimService(label: string): Promise<FileLock> {
      const lock = await waitForLock(serviceLock, 'exclusive', { timeoutMs: SERVICE_LOCK_TIMEOUT_MS });
      if (!lock) throw new DataDirInUseError(dataDir, await readHolder(holderPath));
      writeHolder(holderPath, { label, pid: process.pid });
      return {
        release() {
          rmSync(holderPath, { force: true });
          lock.release();
        },
      };
    },

    async joinCommands(): Promise<FileLock> {
      const lock = await waitForLock(commandsLock, 'shared', { timeoutMs: COMMANDS_LOCK_TIMEOUT_MS });
      if (!lock) throw new EmbeddedPostgresError(`Cannot lock ${commandsLock}: another process holds it.`);
      return lock;
    },

    /** Whether a process uses the server. The result is reliable only in `runTransition`. */
    isUsed(): boolean {
      return isHeld(serviceLock) || isHeld(commandsLock);
    },

    /** Runs an action under the lock. With `isStopping`, for a service that stops, the action also runs if a stuck process holds the lock. */
    async runTransition<T>(action: () => Promise<T>, { isStopping = false } = {}): Promise<T> {
      const lock = await waitForLock(transitionLock, 'exclusive', {
        timeoutMs: isStopping ? TRANSITION_AT_STOP_TIMEOUT_MS : TRANSITION_TIMEOUT_MS,
        onWait: () => log(`Waiting: another Semana is starting or stopping the database in ${dataDir}.`),
      });
      if (!lock && !isStopping)
        throw new EmbeddedPostgresError(
          `Another Semana has been starting or stopping the database in ${dataDir} for too long.`,
        );
      if (!lock)
        log('Another Semana has not finished starting or stopping the database; not waiting for it.');
      try {
        return await action();
      } finally {
        lock?.release();
      }
    },
  };
}

function isHeld(path: string): boolean {
  const lock = tryLock(path, 'exclusive');
  lock?.release();
  return lock === null;
}

type Holder = { label: string; pid: number };

function writeHolder(path: string, holder: Holder): void {
  // The file is renamed into place, so that no process reads an incomplete file.
  const temporaryPath = `${path}.${process.pid}`;
  writeFileSync(temporaryPath, JSON.stringify(holder), { mode: 0o644 });
  chownToDirectoryOwner(temporaryPath);
  renameSync(temporaryPath, path);
}

/** Reads the lock holder for an error message. The holder writes the file right after taking the lock, so a missing or outdated file is read again. */
async function readHolder(path: string): Promise<Holder | null> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    try {
      const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
      if (await inspectProcess(holder.pid)) return holder;
    } catch {
      // Not written yet.
    }
    await sleep(25);
  }
  return null;
}

export { DataDirInUseError, EmbeddedPostgresError } from './errors.ts';

/**
 * A data directory has at most one service and any number of commands. The first process starts the server, later processes use it. A
 * service stops the server when it ends; a command stops the server if no other process uses it.
 */
export type EmbeddedPostgresOptions = {
  dataDir: string;
  owner: 'service' | 'command';
  /** The name of this process, such as 'npm start'. It appears in the error of another process that is refused because this one runs. */
  label: string;
  log: PrintLine;
  /** PostgreSQL settings in addition to those in server.ts. They do not apply to a server that is already running. */
  settings?: Settings;
  /** Called if the server ends without a call of `stop`. */
  onUnexpectedExit?: (error: Error) => void;
  /** Replaces the defaults below in tests. */
  machine?: Partial<Machine>;
};

type Machine = {
  /** If run as root: the users PostgreSQL may run as; see system-user.ts. */
  userNames: readonly string[];
  /** If run as root: the location of programs and data if that user cannot enter the checkout or the data directory. */
  sharedDir: string;
  packageDir: string;
};

export type EmbeddedPostgres = {
  url: string;
  /** Whether this process started the server. Otherwise it was already running. */
  wasStarted: boolean;
  /** Whether this service took over a server that was running without a service. */
  wasAdopted: boolean;
  stop(): Promise<void>;
};

const WATCH_INTERVAL_MS = 500;

export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = await prepareDataDir(options.dataDir);
  const claims = openClaims(dataDir, options.log);
  const claim =
    options.owner === 'service' ? await claims.claimService(options.label) : await claims.joinCommands();
  try {
    const serverLog = openServerLog(join(dataDir, 'postgres.log'));
    const { server, url } = await claims.runTransition(() => ensureServer(dataDir, serverLog, options));
    const stopWatching = watchServer(server, serverLog, options.onUnexpectedExit);
    let stopPromise: Promise<void> | undefined;
    const stop = async () => {
      stopWatching();
      if (options.owner === 'service') {
        // The claim is released after the server has ended, so that the next service does not find a server that is about to stop.
        await claims.runTransition(() => stopServer(server, options.log).finally(claim.release), {
          isStopping: true,
        });
      } else {
        claim.release();
        await claims.runTransition(async () => {
          if (!claims.isUsed()) await stopServer(server, options.log);
        });
      }
    };
    return {
      url,
      wasStarted: !server.wasAdopted,
      wasAdopted: server.wasAdopted && options.owner === 'service',
      stop: () => {
        stopPromise ??= stop();
        return stopPromise;
      },
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}

async function prepareDataDir(path: string): Promise<string> {
  const absolutePath = resolve(path);
  try {
    await createTraversableDir(absolutePath);
    return await realpath(absolutePath);
  } catch (error) {
    throw new EmbeddedPostgresError(`Cannot use ${absolutePath} as DATA_DIR: ${getMessage(error)}`, {
      cause: error,
    });
  }
}

async function ensureServer(
  dataDir: string,
  serverLog: ServerLog,
  options: EmbeddedPostgresOptions,
): Promise<{ server: Server; url: string }> {
  const { log } = options;
  const settings = options.settings ?? {};
  const { userNames = DEFAULT_USER_NAMES, sharedDir = '/var/lib/semana', packageDir } = options.machine ?? {};

  const existingCluster = await findCluster(dataDir, userNames, log);
  if (existingCluster) {
    const password = await readPassword(existingCluster);
    const adoptedServer = await adoptServer({ cluster: existingCluster, password, serverLog, log });
    if (adoptedServer) {
      const { pid } = adoptedServer.server.process;
      if (options.owner === 'service')
        log(`Taking over the database server that is running (process ${pid}).`);
      return prepareDatabase(adoptedServer, password, log);
    }
  }

  const account = existingCluster ? existingCluster.account : await chooseAccount(userNames, log);
  const copiesDir = isRoot() ? sharedDir : dataDir;
  const binaries = await findBinaries({ account, copiesDir, log, ...(packageDir && { packageDir }) });
  if (!existingCluster) log(`Creating a database in ${dataDir} ...`);
  const noSync = settings.fsync === 'off';
  const cluster =
    existingCluster ?? (await createCluster({ dataDir, account, binaries, sharedDir, log, noSync }));
  await checkVersion(cluster, binaries);
  const password = await readPassword(cluster);
  const startedServer = await startServer({ cluster, password, serverLog, log, binaries, settings });
  return prepareDatabase(startedServer, password, log);
}

async function prepareDatabase(
  { server, client }: Awaited<ReturnType<typeof startServer>>,
  password: string,
  log: PrintLine,
): Promise<{ server: Server; url: string }> {
  try {
    await ensureDatabase(client);
  } catch (error) {
    // The server is stopped here, because the caller gets no handle to stop it.
    if (!server.wasAdopted) await stopServer(server, log);
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
  return { server, url: buildDatabaseUrl(server.port, password, DATABASE) };
}

function watchServer(
  server: Server,
  serverLog: ServerLog,
  onUnexpectedExit: ((error: Error) => void) | undefined,
): () => void {
  if (!onUnexpectedExit) return () => {};
  let isWatching = true;
  const checkServer = async () => {
    if (await isStillRunning(server.process)) return;
    if (!isWatching) return;
    isWatching = false;
    clearInterval(timer);
    onUnexpectedExit(
      new EmbeddedPostgresError(
        `The database server (process ${server.process.pid}) ended unexpectedly.\n${serverLog.readTail()}`,
      ),
    );
  };
  // An adopted server is not a child process and sends no exit event, so a timer polls.
  const timer = setInterval(() => void checkServer(), WATCH_INTERVAL_MS);
  timer.unref();
  return () => {
    isWatching = false;
    clearInterval(timer);
  };
}
