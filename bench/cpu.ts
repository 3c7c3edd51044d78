import { readdirSync, readFileSync } from 'node:fs';
import { type Db, sql } from '#platform/database/db.ts';

const TICKS_A_SECOND = 100;

type Usage = { parent: number; seconds: number };

/** CPU time of a process so far, and its parent's id. Linux only. */
function usageOf(pid: number | string): Usage | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND };
  } catch {
    return undefined; // it has ended
  }
}

/** CPU seconds of a process so far. */
export const processMeter = (pid: number) => () => usageOf(pid)?.seconds ?? 0;

/** PostgreSQL's connections are child processes of the postmaster, which counts those that ended. */
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
