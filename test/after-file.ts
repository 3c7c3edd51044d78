import { after } from 'node:test';

type Cleanup = () => unknown;

const fileCleanups: Cleanup[] = [];
const workerCleanups: Cleanup[] = [];

/** Registers a clean-up for the end of the whole file; `after` in a test registers for the end of the test. The clean-up registered last runs first. */
export function afterFile(cleanUp: Cleanup): void {
  fileCleanups.push(cleanUp);
}

/** Registers a clean-up for the end of this process, to close what its files share. */
export function afterWorker(cleanUp: Cleanup): void {
  workerCleanups.push(cleanUp);
}

/** Runs the clean-ups of a file. worker.ts calls this at the end of each file, and when the process is interrupted. */
export async function endFile(): Promise<void> {
  for (const cleanUp of fileCleanups.splice(0).reverse()) await cleanUp();
}

/** Runs the clean-ups of the process. worker.ts calls this before the process ends. */
export async function endWorker(): Promise<void> {
  for (const cleanUp of workerCleanups.splice(0).reverse()) await cleanUp();
}

// Without a worker the process runs one file.
if (!process.send) after(() => endFile().then(endWorker));
