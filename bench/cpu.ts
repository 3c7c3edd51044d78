import { readdirSync, readFileSync } from 'node:fs';
import { type Db, sql } from '#platform/database/db.ts';

const TICKS_PER_SECOND = 100;
/** Positions of fields in /proc/PID/stat, counted from 0 after the name of the program. */
const PARENT_PID = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

type Usage = { parentPid: number; seconds: number };

/** Returns the CPU time of a process so far, and the id of its parent. Linux only. */
function readUsage(pid: number | string): Usage | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      parentPid: Number(fields[PARENT_PID]),
      seconds: (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND,
    };
  } catch {
    return undefined; // the process has exited
  }
}

/** Returns a function that reads the CPU seconds of a process so far. */
export const createProcessMeter = (pid: number) => () => readUsage(pid)?.seconds ?? 0;

/** Returns a function that reads the CPU seconds of the processes of PostgreSQL, which have the same parent as that of the connection of `db`. */
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

/** Reads the CPU seconds that each process has used so far, by its name. */
export const readCpuMeters = (cpuMeters: Record<string, () => number>): Record<string, number> =>
  Object.fromEntries(Object.entries(cpuMeters).map(([processName, read]) => [processName, read()]));
