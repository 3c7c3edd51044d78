import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { PrintLine } from './errors.ts';

const execFileAsync = promisify(execFile);

/** A clean environment for system programs and PostgreSQL, so that the caller's environment does not affect them. */
export const CLEAN_ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** `startedAt` distinguishes a process from a later one with the same pid. Its format is suitable only for comparison. */
export type LiveProcess = {
  pid: number;
  startedAt: string;
  commandLine: string;
  /** Null if it cannot be read. */
  cwd: string | null;
};

/** Returns null if the process does not exist or is a zombie, which in a container may never be reaped. */
export function inspectProcess(pid: number): Promise<LiveProcess | null> {
  return existsSync('/proc/self/stat') ? inspectWithProc(pid) : inspectWithPs(pid);
}

async function listProcesses(): Promise<LiveProcess[]> {
  if (!existsSync('/proc/self/stat')) return listWithPs(['-A']);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(pids.map((pid) => inspectWithProc(Number(pid))));
  return processes.filter((inspected) => inspected !== null);
}

export type KnownProcess = Pick<LiveProcess, 'pid' | 'startedAt'>;

export async function isStillRunning(knownProcess: KnownProcess): Promise<boolean> {
  const currentProcess = await inspectProcess(knownProcess.pid);
  return currentProcess !== null && currentProcess.startedAt === knownProcess.startedAt;
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

/** Checks the working directory, and also the command line, because root without CAP_SYS_PTRACE (as in a container) may not read the former. */
export function isPostmasterOf(clusterDir: string, candidate: LiveProcess): boolean {
  const commandLine = `${candidate.commandLine} `;
  if (!/(^|\/)postgres /.test(commandLine)) return false;
  return candidate.cwd === clusterDir || commandLine.includes(` -D ${clusterDir} `);
}

async function inspectWithProc(pid: number): Promise<LiveProcess | null> {
  try {
    const [stat, commandLine, cwd] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readlink(`/proc/${pid}/cwd`).catch(() => null),
    ]);
    // "pid (name) state ppid ...": the name may contain spaces and parentheses, so fields are counted from the last parenthesis.
    // The state Z is a zombie, X a dead process. The start is `starttime` of proc(5).
    const { 0: state, 19: startedAt } = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (startedAt === undefined || state === 'Z' || state === 'X') return null;
    return { pid, startedAt, commandLine: commandLine.split('\0').join(' ').trimEnd(), cwd };
  } catch {
    return null;
  }
}

/** Inspects a process on macOS. Exported for the test, which runs on Linux, whose ps takes the same options. */
export async function inspectWithPs(pid: number): Promise<LiveProcess | null> {
  const [firstProcess] = await listWithPs(['-p', String(pid)]);
  return firstProcess ?? null;
}

export async function listWithPs(selection: string[]): Promise<LiveProcess[]> {
  const columns = ['-o', 'pid=', '-o', 'stat=', '-o', 'lstart=', '-o', 'command='];
  const options = { env: CLEAN_ENV, maxBuffer: 64 * 1024 * 1024 };
  // ps fails if no process matches.
  const { stdout } = await execFileAsync('ps', ['-ww', ...columns, ...selection], options).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').flatMap((line) => parsePsLine(line) ?? []);
}

/** Parses a line such as "  123 Ss   Sun Nov 15 03:11:43 2026 /path/postgres -D ..." */
function parsePsLine(line: string): LiveProcess | null {
  const match = /^\s*(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*?)\s*$/.exec(line);
  const [, pid, state, startedAt, commandLine] = match ?? [];
  if (!pid || !state || !startedAt || !commandLine || state.startsWith('Z')) return null;
  return { pid: Number(pid), startedAt, commandLine, cwd: null };
}

/** The contents of postmaster.pid: https://www.postgresql.org/docs/18/storage-file-layout.html */
type PostmasterFile = {
  pid: number;
  port: number;
  /** 'starting' (which includes recovery), 'ready' or 'stopping'; empty in the first moments. */
  status: string;
};

/** Returns null if there is no file, because no server has been started or the last one has stopped. */
export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | 'incomplete' | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const { 0: pidLine, 3: portLine, 7: statusLine = '' } = text.split('\n');
  const pid = Number(pidLine);
  const port = Number(portLine);
  // A server in single-user mode writes its pid with a minus.
  if (!Number.isInteger(pid) || pid === 0 || !Number.isInteger(port)) return 'incomplete';
  return { pid: Math.abs(pid), port, status: statusLine.trim() };
}

type PostmasterState =
  | { running: true; process: LiveProcess; status: string }
  /** `stalePid` is the pid of a killed server, which may belong to another process by now. */
  | { running: false; stalePid: number | null };

/** Finds a cluster's running server. Deletes a file left incomplete. Requires the transition lock (embedded.ts), or the result may be outdated. */
export async function findPostmaster(clusterDir: string): Promise<PostmasterState> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const file = await readPostmasterFile(clusterDir);
    if (file === null) return { running: false, stalePid: null };
    if (file !== 'incomplete') {
      const process = await inspectProcess(file.pid);
      if (!process || !isPostmasterOf(clusterDir, process)) return { running: false, stalePid: file.pid };
      return { running: true, process, status: file.status };
    }
    // A server writes its file right after creating it, so only an interrupted server leaves it empty.
    await sleep(50);
  }
  // PostgreSQL does not start if the file is empty. Its lock on the shared memory still guards the cluster.
  await rm(join(clusterDir, 'postmaster.pid'), { force: true });
  return { running: false, stalePid: null };
}

/**
 * The signals for processes of a killed postmaster, which hold its shared memory and may wait forever. Killing them loses no committed data,
 * which is in the WAL.
 */
const ORPHAN_SIGNALS = [
  { afterMs: 1_000, name: 'SIGQUIT' },
  { afterMs: 3_000, name: 'SIGKILL' },
] as const;

/** Builds PostgreSQL's cluster_name, which appears in the title of each of its processes. */
export function buildClusterName(clusterDir: string): string {
  return `semana-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 12)}`;
}

/** Creates the object that ends orphaned processes. Call `sendNextSignalIfDue` whenever PostgreSQL does not start because of them. */
export function createOrphanSignaler(clusterDir: string, log: PrintLine) {
  const firstSeenMs = performance.now();
  let sentCount = 0;
  log('Waiting for the last processes of a killed database server to end.');
  return {
    async sendNextSignalIfDue(): Promise<void> {
      const nextSignal = ORPHAN_SIGNALS[sentCount];
      if (!nextSignal || performance.now() - firstSeenMs < nextSignal.afterMs) return;
      sentCount += 1;
      for (const { pid } of await findOrphans(clusterDir)) {
        log(`Ending process ${pid} of the killed database server (${nextSignal.name}).`);
        signal(pid, nextSignal.name);
      }
    },
  };
}

/** Finds orphaned processes. While a postmaster of the cluster is alive, even one without a file, no process is an orphan. */
async function findOrphans(clusterDir: string): Promise<LiveProcess[]> {
  const processes = await listProcesses();
  if (processes.some((candidate) => isPostmasterOf(clusterDir, candidate))) return [];
  return processes.filter((candidate) => isClusterProcess(clusterDir, candidate));
}

function isClusterProcess(clusterDir: string, candidate: LiveProcess): boolean {
  const title = `postgres: ${buildClusterName(clusterDir)}: `;
  return candidate.commandLine.startsWith(title) && (candidate.cwd === null || candidate.cwd === clusterDir);
}
