import { createHash } from 'node:crypto';
import { isPostmasterOf, type LiveProcess, listProcesses, signal } from './processes.ts';

/**
 * Signals for processes that a killed postmaster leaves behind. They still hold the shared memory, so PostgreSQL refuses to start beside
 * them. Nearly all end immediately. A process that waits for a lock of another killed process never ends (seen with a session during
 * login) and must be killed. This loses nothing: committed data is in the WAL, which the next start replays.
 */
const ORPHAN_SIGNALS = [
  { afterMs: 1_000, name: 'SIGQUIT' },
  { afterMs: 3_000, name: 'SIGKILL' },
] as const;

/** PostgreSQL's cluster_name, which appears in the title of each of its processes. */
export function processTitleOf(clusterDir: string): string {
  return `semana-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 12)}`;
}

/** Call `signalNext` whenever PostgreSQL does not start because of orphaned processes. */
export function watchOrphans(clusterDir: string, log: (message: string) => void) {
  const firstSeenMs = performance.now();
  let sentCount = 0;
  log('Waiting for the last processes of a killed database server to end.');
  return {
    async signalNext(): Promise<void> {
      const next = ORPHAN_SIGNALS[sentCount];
      if (!next || performance.now() - firstSeenMs < next.afterMs) return;
      sentCount += 1;
      for (const { pid } of await findOrphans(clusterDir)) {
        log(`Ending process ${pid} of the killed database server (${next.name}).`);
        signal(pid, next.name);
      }
    },
  };
}

/** Finds orphaned processes; none if a postmaster of the cluster is alive, whatever its file says. */
async function findOrphans(clusterDir: string): Promise<LiveProcess[]> {
  const processes = await listProcesses();
  if (processes.some((candidate) => isPostmasterOf(clusterDir, candidate))) return [];
  return processes.filter((candidate) => isChildIn(clusterDir, candidate));
}

function isChildIn(clusterDir: string, candidate: LiveProcess): boolean {
  const title = `postgres: ${processTitleOf(clusterDir)}: `;
  return candidate.commandLine.startsWith(title) && (candidate.cwd === null || candidate.cwd === clusterDir);
}
