import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** A clean environment for system programs and PostgreSQL, so that the caller's environment does not affect them. */
export const PLAIN_ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** `startedAt` distinguishes a process from a later one with the same pid. Its format is only for comparison. */
export type LiveProcess = {
  pid: number;
  startedAt: string;
  commandLine: string;
  cwd: string | null;
};

/** Null if there is no such process, or only a zombie, which in a container may never be reaped. */
export function inspectProcess(pid: number): Promise<LiveProcess | null> {
  return existsSync('/proc/self/stat') ? inspectWithProc(pid) : inspectWithPs(pid);
}

export async function listProcesses(): Promise<LiveProcess[]> {
  if (!existsSync('/proc/self/stat')) return listWithPs(['-A']);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map((pid) => inspectWithProc(Number(pid))));
  return all.filter((found) => found !== null);
}

export async function isStillRunning(known: { pid: number; startedAt: string }): Promise<boolean> {
  const current = await inspectProcess(known.pid);
  return current !== null && current.startedAt === known.startedAt;
}

/** Does nothing if the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

/**
 * Whether the process is the postmaster of the cluster. Its working directory is the best proof, but root without CAP_SYS_PTRACE (the
 * default in a container) may not read the working directory of another user's process.
 */
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
    // "pid (name) state ppid ...": the name may contain anything, so fields are counted from its last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const startedAt = fields[19];
    if (startedAt === undefined || state === 'Z' || state === 'X') return null;
    return { pid, startedAt, commandLine: commandLine.split('\0').join(' ').trimEnd(), cwd };
  } catch {
    return null;
  }
}

/** For macOS. Exported for the test, which runs on Linux, whose ps takes the same options. */
export async function inspectWithPs(pid: number): Promise<LiveProcess | null> {
  const [found] = await listWithPs(['-p', String(pid)]);
  return found ?? null;
}

export async function listWithPs(selection: string[]): Promise<LiveProcess[]> {
  const columns = ['-o', 'pid=', '-o', 'stat=', '-o', 'lstart=', '-o', 'command='];
  const options = { env: PLAIN_ENV, maxBuffer: 64 * 1024 * 1024 };
  // ps fails if no process matches.
  const { stdout } = await execFileAsync('ps', ['-ww', ...columns, ...selection], options).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').flatMap((line) => parsePsLine(line) ?? []);
}

/** "  123 Ss   Sun Nov 15 03:11:43 2026 /path/postgres -D ..." */
function parsePsLine(line: string): LiveProcess | null {
  const match = /^\s*(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*?)\s*$/.exec(line);
  const [, pid, state, startedAt, commandLine] = match ?? [];
  if (!pid || !state || !startedAt || !commandLine || state.startsWith('Z')) return null;
  return { pid: Number(pid), startedAt, commandLine, cwd: null };
}
