import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc in a second, on every Linux that Node supports. */
const TICKS = 100;

/** CPU seconds of this process's ended children and of the descendants they waited for. Zero without /proc. */
export function readEndedChildrenCpu(): number {
  const stat = readStat('self');
  return stat ? stat.endedChildren : 0;
}

/** CPU seconds of this process and of its descendants, running and ended. Never decreases. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readEndedChildrenCpu() + readDescendantsCpu() + lostSeconds;
}

/**
 * Ends a tree of processes without losing its CPU time. Chromium does not wait for its own children when it exits, so the system
 * adds most of its time to no process.
 */
export async function endCountingCpu(end: () => Promise<void>): Promise<void> {
  const before = cpuSeconds();
  await end();
  lostSeconds += Math.max(0, before - cpuSeconds());
}

/** CPU seconds that `endCountingCpu` saved, and that the parent of this process cannot see. */
export const cpuLost = (): number => lostSeconds;

let lostSeconds = 0;

let hasLaunchedBrowser = false;

/** Call before this process launches a browser, the only program that tests leave running. Before that, no descendants are counted. */
export function startCountingDescendants(): void {
  hasLaunchedBrowser = true;
}

/** CPU seconds of the running descendants of this process, with those of the children they waited for. Reads all of /proc. */
export function readDescendantsCpu(): number {
  if (process.platform !== 'linux' || !hasLaunchedBrowser) return 0;
  const children = new Map<string, string[]>();
  const seconds = new Map<string, number>();
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = readStat(pid);
    if (!stat) continue;
    seconds.set(pid, stat.own + stat.endedChildren);
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid]);
  }
  const sum = (pid: string): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + seconds.get(child)! + sum(child), 0);
  return sum(String(process.pid));
}

/** Milliseconds in which the main thread of a process was ready to run and had no core. Zero where the system does not say. */
export function millisecondsWaitedForCore(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0; // It ended, or there is no /proc.
  }
}

/** Undefined for a process that has ended, and on systems without /proc. */
function readStat(pid: string): { parent: string; own: number; endedChildren: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [user, system, childrenUser, childrenSystem] = fields
      .slice(11, 15)
      .map((field) => Number(field) / TICKS);
    return { parent: fields[1]!, own: user! + system!, endedChildren: childrenUser! + childrenSystem! };
  } catch {
    return undefined; // It ended between two reads.
  }
}
