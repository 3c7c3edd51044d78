import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc per second, on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of ended processes that the system adds to no process. `endAndCountCpu` measures them. */
let lostSeconds = 0;

/** Returns the CPU seconds of this process's ended children and of the descendants they waited for; 0 without /proc. */
export function readEndedChildrenCpu(): number {
  const stat = readStat('self');
  return stat ? stat.endedChildrenSeconds : 0;
}

/** Returns the CPU seconds of this process and of its descendants, running and ended. Decreases if a browser ends without `endAndCountCpu`. */
export function readTotalCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readEndedChildrenCpu() + readDescendantsCpu() + lostSeconds;
}

/**
 * Ends a tree of processes without losing its CPU time. Chromium does not wait for its own children when it exits, so the system
 * adds most of its time to no process.
 */
export async function endAndCountCpu(end: () => Promise<void>): Promise<void> {
  const secondsBefore = readTotalCpu();
  await end();
  lostSeconds += Math.max(0, secondsBefore - readTotalCpu());
}

/** Returns the CPU seconds that only `endAndCountCpu` has counted. The system does not report them to the parent of this process. */
export const readLostCpu = (): number => lostSeconds;

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
  const childrenByPid = new Map<string, string[]>();
  const secondsByPid = new Map<string, number>();
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = readStat(pid);
    if (!stat) continue;
    secondsByPid.set(pid, stat.ownSeconds + stat.endedChildrenSeconds);
    childrenByPid.set(stat.parent, [...(childrenByPid.get(stat.parent) ?? []), pid]);
  }
  const sumDescendants = (pid: string): number =>
    (childrenByPid.get(pid) ?? []).reduce(
      (total, child) => total + secondsByPid.get(child)! + sumDescendants(child),
      0,
    );
  return sumDescendants(String(process.pid));
}

/** Returns for how long the main thread of a process was ready to run without a core; 0 if the system does not report it. */
export function readCoreWaitMs(pid: number): number {
  try {
    const [, waitNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitNs) / 1e6;
  } catch {
    return 0; // The process ended, or there is no /proc.
  }
}

/** Reads the CPU times of a process; undefined if it has ended, and on systems without /proc. */
function readStat(
  pid: string,
): { parent: string; ownSeconds: number; endedChildrenSeconds: number } | undefined {
  try {
    // The fields after the name of the program: 1 is the parent, 11 to 14 are the CPU times. See proc_pid_stat(5).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [user, system, childrenUser, childrenSystem] = fields
      .slice(11, 15)
      .map((field) => Number(field) / TICKS_PER_SECOND);
    return {
      parent: fields[1]!,
      ownSeconds: user! + system!,
      endedChildrenSeconds: childrenUser! + childrenSystem!,
    };
  } catch {
    return undefined; // The process ended between two reads.
  }
}
