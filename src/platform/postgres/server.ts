import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { MINUTE_MS } from '#core/duration.ts';
import { findFreePort } from '../ports.ts';
import type { Binaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { connectOnce } from './connect.ts';
import { EmbeddedPostgresError, messageOf } from './errors.ts';
import { orphansOf, processTitleOf } from './orphans.ts';
import { findPostmaster, readPostmasterFile } from './postmaster-file.ts';
import { inspectProcess, isStillRunning, PLAIN_ENV, signal } from './processes.ts';
import type { ServerLog } from './server-log.ts';

export type Settings = Readonly<Record<string, string>>;

const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A query whose client was killed is cancelled, so that it does not delay the next start.
  client_connection_check_interval: '5s',
  // The application logs errors of statements; PostgreSQL's own log would contain personal data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

const SILENCE_TIMEOUT_MS = 60_000;
const RECOVERY_TIMEOUT_MS = 10 * MINUTE_MS;
const ORPHANS_TIMEOUT_MS = 60_000;
const FAST_SHUTDOWN_TIMEOUT_MS = 30_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 15_000;

export type Server = {
  clusterDir: string;
  process: { pid: number; startedAt: string };
  port: number;
  adopted: boolean;
};

type ServerPlace = {
  cluster: Cluster;
  password: string;
  serverLog: ServerLog;
  log: (message: string) => void;
};

type ReadyServer = { server: Server; client: pg.Client };

/** The running server of this cluster, if there is one, once it accepts connections. */
export async function adoptServer(context: ServerPlace): Promise<ReadyServer | null> {
  const { cluster, log } = context;
  const found = await findPostmaster(cluster.dir);
  if (!found.running) return null;
  const known = found.process;
  if (found.status === 'stopping') {
    // A smart shutdown accepts no connections and may wait for its last session forever.
    log(`The database server (process ${known.pid}) is stopping; a new one starts when it has ended.`);
    await stopProcess(known, log);
    return null;
  }
  const ready = await waitUntilReady(context, known.pid, () => isStillRunning(known));
  if (!ready) return null;
  return {
    server: { clusterDir: cluster.dir, process: known, port: ready.port, adopted: true },
    client: ready.client,
  };
}

/** Call it under `transition`, when `adoptServer` found none. */
export async function startServer(
  context: ServerPlace & { binaries: Binaries; settings: Settings },
): Promise<ReadyServer> {
  const startMs = performance.now();
  let retries = 0;
  let orphans: ReturnType<typeof orphansOf> | undefined;
  for (;;) {
    const attempt = await startOnce(context);
    if ('client' in attempt) return attempt;

    const { output } = attempt;
    // Another program took the port between our choice and the start.
    if (/could not bind|could not create any TCP\/IP sockets/.test(output) && retries < 10) {
      retries += 1;
      continue;
    }
    // Started by a Semana that was killed at that moment, and visible only now.
    if (/lock file .* already exists/.test(output) && retries < 10) {
      retries += 1;
      const other = await adoptServer(context);
      if (other) return other;
      continue;
    }
    if (/pre-existing shared memory block/.test(output) && performance.now() - startMs < ORPHANS_TIMEOUT_MS) {
      orphans ??= orphansOf(context.cluster.dir, context.log);
      await orphans.urge();
      await sleep(100);
      continue;
    }
    throw new EmbeddedPostgresError(`PostgreSQL did not start in ${context.cluster.dir}.\n${output}`);
  }
}

async function startOnce(
  context: ServerPlace & { binaries: Binaries; settings: Settings },
): Promise<ReadyServer | { output: string }> {
  const { cluster, binaries, serverLog } = context;
  const port = await findFreePort('127.0.0.1');
  const found = await findPostmaster(cluster.dir);
  const stalePid = found.running ? null : found.stalePid;
  const logFd = serverLog.openForServer();
  const offset = serverLog.size();
  const child = spawn(binaries.postgres, postgresArguments(cluster, port, context.settings), {
    ...(cluster.account ? { uid: cluster.account.uid, gid: cluster.account.gid } : {}),
    cwd: '/',
    env: {
      ...PLAIN_ENV,
      // PostgreSQL's own way to be told that this number in postmaster.pid is not another server (pg_ctl uses
      // it for its shell). It then replaces the file itself, and still checks the shared memory of the old one.
      ...(stalePid === null ? {} : { PG_GRANDPARENT_PID: String(stalePid) }),
    },
    // A session of its own: Ctrl-C in the terminal must reach only us. We stop the server after requests have drained.
    detached: true,
    stdio: ['ignore', logFd, logFd],
  });
  const failure = new Promise<unknown>((resolve) => child.once('error', resolve));
  closeSync(logFd);
  const pid = child.pid;
  if (pid === undefined) return { output: messageOf(await failure) };
  child.unref();

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  try {
    const ready = await waitUntilReady(context, pid, async () => !hasEnded());
    const process = ready ? await inspectProcess(pid) : null;
    if (!ready || !process) {
      const end = child.signalCode ? `It was ended by ${child.signalCode}.` : 'It ended.';
      return { output: `${end}\n${serverLog.readFrom(offset)}` };
    }
    return {
      server: { clusterDir: cluster.dir, process, port: ready.port, adopted: false },
      client: ready.client,
    };
  } catch (error) {
    // It did not start in time, and nobody else would stop it.
    if (!hasEnded()) child.kill('SIGINT');
    throw error;
  }
}

function postgresArguments(cluster: Cluster, port: number, settings: Settings): string[] {
  // `-D` first and in this form: processes.ts identifies the server by it.
  const args = ['-D', cluster.dir, '-p', String(port)];
  const all = { ...SETTINGS, cluster_name: processTitleOf(cluster.dir), ...settings };
  for (const [name, value] of Object.entries(all)) args.push('-c', `${name}=${value}`);
  return args;
}

/**
 * A connection, or null when the server ended before it accepted one. The file shows when to try, and that this server has the
 * port: another program may have taken it first.
 */
async function waitUntilReady(
  context: ServerPlace,
  pid: number,
  isRunning: () => Promise<boolean>,
): Promise<{ client: pg.Client; port: number } | null> {
  const startMs = performance.now();
  let lastSignMs = startMs;
  let announcedMs = startMs;
  let pauseMs = 5;
  for (;;) {
    if (!(await isRunning())) return null;
    const nowMs = performance.now();
    let reason = 'it has not begun to start';
    const file = await readPostmasterFile(context.cluster.dir);
    if (file !== null && file !== 'torn' && file.pid === pid) {
      reason = `it says it is ${file.status || 'starting'}`;
      if (file.status === 'ready') {
        const attempt = await connectOnce(file.port, context.password);
        if (attempt.outcome === 'connected') return { client: attempt.client, port: file.port };
        reason = attempt.reason;
        if (attempt.outcome === 'refused') throw new EmbeddedPostgresError(reason);
      } else {
        lastSignMs = nowMs;
      }
    }
    if (nowMs - lastSignMs > SILENCE_TIMEOUT_MS || nowMs - startMs > RECOVERY_TIMEOUT_MS) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${pid}) takes no connections: ${reason}.\n${context.serverLog.tail()}`,
      );
    }
    if (nowMs - announcedMs > 5_000) {
      context.log(`Waiting for PostgreSQL (process ${pid}): ${reason}.`);
      announcedMs = nowMs;
    }
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.3, 250);
  }
}

/** Stops the server of this cluster: the known one, or its replacement. */
export async function stopServer(server: Server, log: (message: string) => void): Promise<void> {
  if (await isStillRunning(server.process)) return stopProcess(server.process, log);
  const found = await findPostmaster(server.clusterDir);
  if (found.running) await stopProcess(found.process, log);
}

/** Fast shutdown: sessions end, nothing committed is lost. */
async function stopProcess(
  server: { pid: number; startedAt: string },
  log: (message: string) => void,
): Promise<void> {
  signal(server.pid, 'SIGINT');
  if (await waitUntilGone(server, FAST_SHUTDOWN_TIMEOUT_MS)) return;
  // Committed data is in the WAL; the next start replays it.
  log(`The database server (process ${server.pid}) did not stop in 30 s; stopping it without a checkpoint.`);
  signal(server.pid, 'SIGQUIT');
  if (await waitUntilGone(server, IMMEDIATE_SHUTDOWN_TIMEOUT_MS)) return;
  throw new EmbeddedPostgresError(`The database server (process ${server.pid}) does not stop.`);
}

async function waitUntilGone(
  server: { pid: number; startedAt: string },
  timeoutMs: number,
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  for (let pauseMs = 5; performance.now() < deadlineMs; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    if (!(await isStillRunning(server))) return true;
    await sleep(pauseMs);
  }
  return false;
}
