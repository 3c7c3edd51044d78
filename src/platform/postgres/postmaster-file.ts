import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectProcess, isPostmasterOf, type LiveProcess } from './processes.ts';

/** The contents of postmaster.pid: https://www.postgresql.org/docs/18/storage-file-layout.html */
type PostmasterFile = {
  pid: number;
  port: number;
  /** 'starting' (which includes recovery), 'ready' or 'stopping'; empty in the first moments. */
  status: string;
};

export async function readPostmasterFile(clusterDir: string): Promise<PostmasterFile | 'torn' | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  // A server in single-user mode writes its pid with a minus.
  if (!Number.isInteger(pid) || pid === 0 || !Number.isInteger(port)) return 'torn';
  return { pid: Math.abs(pid), port, status: lines[7]?.trim() ?? '' };
}

export type PostmasterState =
  | { running: true; process: LiveProcess; status: string }
  /** `stalePid` is the pid of a killed server, which may belong to another process by now. */
  | { running: false; stalePid: number | null };

/** Finds the running server of a cluster. Call it under `transition`, or the result may be outdated. */
export async function findPostmaster(clusterDir: string): Promise<PostmasterState> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const file = await readPostmasterFile(clusterDir);
    if (file === null) return { running: false, stalePid: null };
    if (file !== 'torn') {
      const process = await inspectProcess(file.pid);
      if (!process || !isPostmasterOf(clusterDir, process)) return { running: false, stalePid: file.pid };
      return { running: true, process, status: file.status };
    }
    // A server writes its file right after creating it, so only an interrupted server leaves it empty.
    await sleep(50);
  }
  // PostgreSQL does not start beside an empty file. Its lock on the shared memory still guards the cluster.
  await rm(join(clusterDir, 'postmaster.pid'), { force: true });
  return { running: false, stalePid: null };
}
