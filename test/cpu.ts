import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc per second, on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Returns the CPU seconds of this process's ended children and of the descendants they waited for; 0 without /proc. */
export function readEndedChildrenCpu(): number {
  const stat = readStat('self');
  return stat ? stat.endedChildren : 0;
}

/** Returns the CPU seconds of this process and of its descendants, running and ended. The result never decreases. */
export function readTotalCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readEndedChildrenCpu() + readDescendantsCpu() + lostSeconds;
}

/**
 * Ends a tree of processes without losing its CPU time. Chromium does not wait for its own children when it exits, so the system
 * adds most of its time to no process.
 */
export async function endCountingCpu(end: () => Promise<void>): Promise<void> {
  const before = readTotalCpu();
  await end();
  lostSeconds += Math.max(0, before - readTotalCpu());
}

/** Returns the CPU seconds that only `endCountingCpu` has counted. The system does not report them to the parent of this process. */
export const readLostCpu = (): number => lostSeconds;

let lostSeconds = 0;

let countsDescendants = false;

/**
 * Makes `readDescendantsCpu` count. Call it before this process launches a browser. Other programs end before their test does, so their
 * time is in `readEndedChildrenCpu`, and /proc need not be read.
 */
export function startCountingDescendants(): void {
  countsDescendants = true;
}

/**
 * Returns the CPU seconds of the running descendants of this process and of the children they waited for; 0 before
 * `startCountingDescendants`. Reads all of /proc.
 */
export function readDescendantsCpu(): number {
  if (process.platform !== 'linux' || !countsDescendants) return 0;
  const children = new Map<string, string[]>();
  const seconds = new Map<string, number>();
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = readStat(pid);
    if (!stat) continue;
    seconds.set(pid, stat.own + stat.endedChildren);
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid]);
  }
  const sumDescendants = (pid: string): number =>
    (children.get(pid) ?? []).reduce(
      (total, child) => total + seconds.get(child)! + sumDescendants(child),
      0,
    );
  return sumDescendants(String(process.pid));
}

/** Returns for how long the main thread of a process was ready to run without a core; 0 if the system does not report it. */
export function readCoreWaitMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0; // The process ended, or there is no /proc.
  }
}

/** Reads the CPU times of a process; undefined if it has ended, and on systems without /proc. */
function readStat(pid: string): { parent: string; own: number; endedChildren: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [user, system, childrenUser, childrenSystem] = fields
      .slice(11, 15)
      .map((field) => Number(field) / TICKS_PER_SECOND);
    return { parent: fields[1]!, own: user! + system!, endedChildren: childrenUser! + childrenSystem! };
  } catch {
    return undefined; // The process ended between two reads.
  }
}
