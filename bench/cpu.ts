import { readdirSync, readFileSync } from 'node:fs';
import { type Db, sql } from '#platform/database/db.ts';

const TICKS_A_SECOND = 100;

type Usage = { parent: number; seconds: number };

/** What a process has used of the processors so far, with its parent. Linux only. */
function usageOf(pid: number | string): Usage | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND };
  } catch {
    return undefined; // it has ended
  }
}

/** Seconds of processor that it has used so far. */
export const processMeter = (pid: number) => () => usageOf(pid)?.seconds ?? 0;

/** Its connections are processes, children of one. Those that have ended are counted by it. */
export async function postgresMeter(db: Db): Promise<() => number> {
  const row = await db.row<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const { parent } = usageOf(row!.pid)!;
  return () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(usageOf)
      .filter((usage) => usage?.parent === parent)
      .reduce((sum, usage) => sum + usage!.seconds, 0);
}
