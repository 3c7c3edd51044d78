import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { MINUTE_MS } from '#core/values/duration.ts';
import { findFreePort } from '../ports.ts';
import type { Binaries } from './binaries.ts';
import { type Cluster, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError, getMessage, hasCode, type PrintLine } from './errors.ts';
import { chownToDirectoryOwner } from './file-lock.ts';
import {
  buildClusterName,
  CLEAN_ENV,
  createOrphanSignaler,
  findPostmaster,
  inspectProcess,
  isStillRunning,
  type KnownProcess,
  readPostmasterFile,
  signal,
} from './processes.ts';
import { CURRENT_USER } from './system-user.ts';

export type ServerLog = ReturnType<typeof openServerLog>;

export const MAX_LOG_BYTES = 10 * 1024 * 1024;
const LOG_TAIL_BYTES = 4_000;

/** Opens the log file of PostgreSQL. A file is necessary, because the server can outlive the process that started it. */
export function openServerLog(path: string) {
  const getSize = () => (existsSync(path) ? statSync(path).size : 0);
  const readFrom = (offset: number): string => {
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    return bytes.toString('utf8', Math.max(offset, bytes.length - LOG_TAIL_BYTES)).trim();
  };
  return {
    getSize,
    readFrom,
    readTail: () => readFrom(0),

    /** Returns a file descriptor, which the caller closes after passing it to the server. */
    openForServer(): number {
      if (getSize() > MAX_LOG_BYTES) truncateSync(path);
      const isNew = !existsSync(path);
      const fd = openSync(path, 'a', 0o600);
      if (isNew) chownToDirectoryOwner(path);
      return fd;
    },
  };
}

export type Settings = Readonly<Record<string, string>>;

const DEFAULT_SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Cancels queries of killed clients, so that they do not delay the next start.
  client_connection_check_interval: '5s',
  // The application logs errors of statements. PostgreSQL's own log of them would contain personal data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** How long a server may make no progress. Crash recovery counts as progress, but may take at most `RECOVERY_TIMEOUT_MS`. */
const SILENCE_TIMEOUT_MS = 60_000;
const RECOVERY_TIMEOUT_MS = 10 * MINUTE_MS;
const LOG_INTERVAL_MS = 5_000;
const ORPHANS_TIMEOUT_MS = 60_000;
const MAX_START_RETRIES = 10;
const FAST_SHUTDOWN_TIMEOUT_MS = 30_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 15_000;

export type Server = {
  clusterDir: string;
  process: KnownProcess;
  port: number;
  wasAdopted: boolean;
};

type ServerContext = {
  cluster: Cluster;
  password: string;
  serverLog: ServerLog;
  log: PrintLine;
};

type ReadyServer = { server: Server; client: pg.Client };

/** Returns the running server of the cluster when it accepts connections, or null if no server is running. */
export async function adoptServer(context: ServerContext): Promise<ReadyServer | null> {
  const { cluster, log } = context;
  const postmaster = await findPostmaster(cluster.dir);
  if (!postmaster.running) return null;
  const serverProcess = postmaster.process;
  if (postmaster.status === 'stopping') {
    // During a smart shutdown the server accepts no connections and may wait for its last session forever.
    log(
      `The database server (process ${serverProcess.pid}) is stopping; a new one starts when it has ended.`,
    );
    await stopProcess(serverProcess, log);
    return null;
  }
  const connection = await waitUntilReady(context, serverProcess.pid, () => isStillRunning(serverProcess));
  if (!connection) return null;
  return {
    server: { clusterDir: cluster.dir, process: serverProcess, port: connection.port, wasAdopted: true },
    client: connection.client,
  };
}

/** Starts the server. Call it while holding the transition lock (embedded.ts), after `adoptServer` has returned null. */
export async function startServer(
  context: ServerContext & { binaries: Binaries; settings: Settings },
): Promise<ReadyServer> {
  const startMs = performance.now();
  let retries = 0;
  let orphanSignaler: ReturnType<typeof createOrphanSignaler> | undefined;
  for (;;) {
    const attempt = await startOnce(context);
    if ('client' in attempt) return attempt;

    const { output } = attempt;
    // Another program has taken the port since it was chosen.
    if (/could not bind|could not create any TCP\/IP sockets/.test(output) && retries < MAX_START_RETRIES) {
      retries += 1;
      continue;
    }
    // Another process has started the server and was killed. The server has written its postmaster file only now.
    if (/lock file .* already exists/.test(output) && retries < MAX_START_RETRIES) {
      retries += 1;
      const adoptedServer = await adoptServer(context);
      if (adoptedServer) return adoptedServer;
      continue;
    }
    if (/pre-existing shared memory block/.test(output) && performance.now() - startMs < ORPHANS_TIMEOUT_MS) {
      orphanSignaler ??= createOrphanSignaler(context.cluster.dir, context.log);
      await orphanSignaler.sendNextSignalIfDue();
      await sleep(100);
      continue;
    }
    throw new EmbeddedPostgresError(`PostgreSQL did not start in ${context.cluster.dir}.\n${output}`);
  }
}

async function startOnce(
  context: ServerContext & { binaries: Binaries; settings: Settings },
): Promise<ReadyServer | { output: string }> {
  const { cluster, binaries, serverLog } = context;
  const port = await findFreePort('127.0.0.1');
  const postmaster = await findPostmaster(cluster.dir);
  const stalePid = postmaster.running ? null : postmaster.stalePid;
  const logFd = serverLog.openForServer();
  const logOffset = serverLog.getSize();
  const child = spawn(binaries.postgres, buildArguments(cluster, port, context.settings), {
    ...(cluster.account !== CURRENT_USER && { uid: cluster.account.uid, gid: cluster.account.gid }),
    cwd: '/',
    env: {
      ...CLEAN_ENV,
      // Makes PostgreSQL ignore this stale pid in postmaster.pid. It still checks the shared memory.
      ...(stalePid === null ? {} : { PG_GRANDPARENT_PID: String(stalePid) }),
    },
    // The server gets its own session, because Ctrl-C in the terminal must reach only us: the server is stopped after requests have drained.
    detached: true,
    stdio: ['ignore', logFd, logFd],
  });
  const spawnError = new Promise<unknown>((resolve) => child.once('error', resolve));
  closeSync(logFd);
  const pid = child.pid;
  if (pid === undefined) return { output: getMessage(await spawnError) };
  child.unref();

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  try {
    const connection = await waitUntilReady(context, pid, async () => !hasEnded());
    const process = connection ? await inspectProcess(pid) : null;
    if (!connection || !process) {
      const endReason = child.signalCode ? `It was ended by ${child.signalCode}.` : 'It ended.';
      return { output: `${endReason}\n${serverLog.readFrom(logOffset)}` };
    }
    return {
      server: { clusterDir: cluster.dir, process, port: connection.port, wasAdopted: false },
      client: connection.client,
    };
  } catch (error) {
    // The server did not start in time, and no other process would stop it.
    if (!hasEnded()) child.kill('SIGINT');
    throw error;
  }
}

function buildArguments(cluster: Cluster, port: number, settings: Settings): string[] {
  // `-D` comes first and in this form, because processes.ts identifies the server by it.
  const args = ['-D', cluster.dir, '-p', String(port)];
  const allSettings = { ...DEFAULT_SETTINGS, cluster_name: buildClusterName(cluster.dir), ...settings };
  for (const [name, value] of Object.entries(allSettings)) args.push('-c', `${name}=${value}`);
  return args;
}

/** Waits until the server accepts connections, or returns null if it ends before. Its postmaster file says when to connect and to which port. */
async function waitUntilReady(
  context: ServerContext,
  pid: number,
  isRunning: () => Promise<boolean>,
): Promise<{ client: pg.Client; port: number } | null> {
  const startMs = performance.now();
  let lastProgressMs = startMs;
  let lastLoggedMs = startMs;
  let pauseMs = 5;
  for (;;) {
    if (!(await isRunning())) return null;
    const nowMs = performance.now();
    let reason = 'it has not started';
    const file = await readPostmasterFile(context.cluster.dir);
    if (file !== null && file !== 'incomplete' && file.pid === pid) {
      reason = `its status is ${file.status || 'starting'}`;
      if (file.status === 'ready') {
        const clientOrReason = await connectOnce(file.port, context.password);
        if (typeof clientOrReason !== 'string') return { client: clientOrReason, port: file.port };
        reason = clientOrReason;
      } else lastProgressMs = nowMs;
    }
    if (nowMs - lastProgressMs > SILENCE_TIMEOUT_MS || nowMs - startMs > RECOVERY_TIMEOUT_MS) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${pid}) accepts no connections: ${reason}.\n${context.serverLog.readTail()}`,
      );
    }
    if (nowMs - lastLoggedMs > LOG_INTERVAL_MS) {
      context.log(`Waiting for PostgreSQL (process ${pid}): ${reason}.`);
      lastLoggedMs = nowMs;
    }
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.3, 250);
  }
}

export const DATABASE = 'semana';

export function buildDatabaseUrl(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * Returns a connection, the only proof that a server is ready, or the reason why a connection fails. SCRAM proves that the server is ours:
 * another program does not know the password.
 */
async function connectOnce(port: number, password: string): Promise<pg.Client | string> {
  const client = new pg.Client({
    connectionString: buildDatabaseUrl(port, password, 'postgres'),
    application_name: 'semana lifecycle',
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener, a lost connection would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const reason = getMessage(error);
    // The password is wrong or the login is not allowed, so waiting does not help.
    if (hasCode(error, '28P01', '28000'))
      throw new EmbeddedPostgresError(`PostgreSQL on 127.0.0.1:${port} refuses the login: ${reason}`);
    return reason;
  }
}

export async function ensureDatabase(client: pg.Client): Promise<void> {
  const databases = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
}

/** Stops the server of the cluster: the known process, or one that replaced it. */
export async function stopServer(server: Server, log: PrintLine): Promise<void> {
  if (await isStillRunning(server.process)) return stopProcess(server.process, log);
  const postmaster = await findPostmaster(server.clusterDir);
  if (postmaster.running) await stopProcess(postmaster.process, log);
}

/** Requests a fast shutdown: sessions are ended, and no committed data is lost. */
async function stopProcess(server: KnownProcess, log: PrintLine): Promise<void> {
  signal(server.pid, 'SIGINT');
  if (await waitUntilEnded(server, FAST_SHUTDOWN_TIMEOUT_MS)) return;
  // Committed data is in the WAL, which the next start replays.
  log(`The database server (process ${server.pid}) did not stop in 30 s; stopping it without a checkpoint.`);
  signal(server.pid, 'SIGQUIT');
  if (await waitUntilEnded(server, IMMEDIATE_SHUTDOWN_TIMEOUT_MS)) return;
  throw new EmbeddedPostgresError(`The database server (process ${server.pid}) does not stop.`);
}

async function waitUntilEnded(server: KnownProcess, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  for (let pauseMs = 5; performance.now() < deadlineMs; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    if (!(await isStillRunning(server))) return true;
    await sleep(pauseMs);
  }
  return false;
}
