import { readdirSync, readFileSync } from 'node:fs';
import { type Db, sql } from '#platform/database/db.ts';

const TICKS_PER_SECOND = 100;

type Usage = { parentPid: number; seconds: number };

/** Returns the CPU time of a process so far, and the id of its parent. Linux only. */
function readUsage(pid: number | string): Usage | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      parentPid: Number(fields[1]),
      seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    };
  } catch {
    return undefined; // the process has exited
  }
}

/** Returns a function that reads the CPU seconds of a process so far. */
export const createProcessMeter = (pid: number) => () => readUsage(pid)?.seconds ?? 0;

/** Returns a function that reads the CPU seconds of all connections: these are child processes of the postmaster. */
export async function createPostgresMeter(db: Db): Promise<() => number> {
  const row = await db.row<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const { parentPid } = readUsage(row!.pid)!;
  return () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(readUsage)
      .filter((usage) => usage?.parentPid === parentPid)
      .reduce((sum, usage) => sum + usage!.seconds, 0);
}

/** Reads the CPU seconds of each process so far, by its name. */
export const readCpuMeters = (cpuMeters: Record<string, () => number>): Record<string, number> =>
  Object.fromEntries(Object.entries(cpuMeters).map(([processName, read]) => [processName, read()]));
