import { readFileSync } from 'node:fs';

/** CPU seconds of this process's ended children and their descendants. Zero without /proc. */
export function cpuOfChildren(): number {
  if (process.platform !== 'linux') return 0;
  const [userTicks = 0, systemTicks = 0] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return (userTicks + systemTicks) / 100;
}

/** The same, including this process. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + cpuOfChildren();
}
