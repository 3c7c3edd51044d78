import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '#platform/postgres/embedded.ts';
import { findPostmaster, inspectProcess } from '#platform/postgres/processes.ts';

/** `fsync` is off, because tests kill processes but never the machine. */
export const TEST_SETTINGS = { fsync: 'off', shared_buffers: '16MB', max_connections: '20' };

const reusableDataDirs: string[] = [];

/**
 * Returns the data directory of a stopped server, which no other test uses before this one ends. It is reused if the test passes,
 * because creating one takes a second; its database may have tables of earlier tests.
 */
export async function borrowStoppedDataDir(t: TestContext): Promise<string> {
  const dataDir = reusableDataDirs.pop() ?? (await createDataDir());
  t.after(async () => {
    await killServer(dataDir);
    if ('passed' in t && t.passed === true) reusableDataDirs.push(dataDir);
  });
  return dataDir;
}

async function createDataDir(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'semana-postgres-'));
  chmodSync(dir, 0o755);
  const dataDir = join(dir, 'data');
  process.once('exit', () => {
    quitServer(dataDir);
    rmSync(dir, { recursive: true, force: true });
  });
  const postgres = await openTestPostgres({ dataDir });
  await postgres.stop();
  return dataDir;
}

/** Creates a directory that PostgreSQL's user can enter, too. At the end of the test the servers that tests start in it are stopped. */
export function createTemporaryDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'semana-postgres-'));
  chmodSync(dir, 0o755);
  t.after(async () => {
    for (const name of ['data', 'private/data']) await killServer(join(dir, name));
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}

export function openTestPostgres(
  options: Partial<EmbeddedPostgresOptions> & { dataDir: string },
): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres({
    owner: 'service',
    label: 'test',
    log: () => {},
    ...options,
    settings: { ...TEST_SETTINGS, ...options.settings },
  });
}

export async function findPostmasterPid(dataDir: string): Promise<number | null> {
  const cluster = join(dataDir, 'postgres');
  if (!existsSync(cluster)) return null;
  const postmaster = await findPostmaster(realpathSync(cluster));
  return postmaster.running ? postmaster.process.pid : null;
}

/** Requests that a server quits, without waiting for its end: the exit handler of an interrupted process cannot wait. */
function quitServer(dataDir: string): void {
  try {
    process.kill(
      Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10),
      'SIGQUIT',
    );
  } catch {
    // No server runs.
  }
}

async function killServer(dataDir: string): Promise<void> {
  const pid = await findPostmasterPid(dataDir);
  if (pid === null) return;
  process.kill(pid, 'SIGQUIT');
  await waitForProcessEnd(pid);
}

/** Lists the postmaster and the processes it forked. */
export function listServerPids(postmasterPid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' });
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return [postmasterPid, ...rows.filter(([, parent]) => parent === postmasterPid).map(([pid]) => pid!)];
}

export async function waitForProcessEnd(pid: number): Promise<void> {
  while (await inspectProcess(pid)) await sleep(10);
}

export type ProcessEvent =
  | { event: 'open'; url: string; wasStarted: boolean; wasAdopted: boolean }
  | { event: 'failed'; name: string; message: string }
  | { event: 'log'; message: string };

export type PostgresOwner = {
  pid: number;
  /** The first event of the process that is 'open' or 'failed'. */
  outcome: Promise<Exclude<ProcessEvent, { event: 'log' }>>;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};

/** Starts the embedded PostgreSQL from another process, which can be killed. */
export function spawnPostgresOwner(
  t: TestContext,
  options: Partial<Omit<EmbeddedPostgresOptions, 'log' | 'onUnexpectedExit'>> & { dataDir: string },
  identity: { uid?: number; gid?: number } = {},
): PostgresOwner {
  const program = fileURLToPath(new URL('./postgres-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...identity,
  });
  t.after(() => kill(child));
  return {
    pid: child.pid!,
    outcome: readOutcome(child),
    async stop() {
      child.stdin!.end('stop');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
    kill: () => kill(child),
  };
}

async function readOutcome(child: ChildProcess): Promise<Exclude<ProcessEvent, { event: 'log' }>> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const event = JSON.parse(line) as ProcessEvent;
    if (event.event !== 'log') return event;
  }
  return { event: 'failed', name: 'none', message: 'The process ended without an event.' };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
