import { after } from 'node:test';

type Cleanup = () => unknown;

const fileCleanups: Cleanup[] = [];
const workerCleanups: Cleanup[] = [];

/** Unlike `after`, runs at the end of the whole file wherever it is called. The last registered runs first. */
export function afterFile(cleanUp: Cleanup): void {
  fileCleanups.push(cleanUp);
}

/** Runs after the last file of this process, to close what its files share. */
export function afterWorker(cleanUp: Cleanup): void {
  workerCleanups.push(cleanUp);
}

/** worker.ts calls it at the end of each file, and when it is interrupted. */
export async function endFile(): Promise<void> {
  for (const cleanUp of fileCleanups.splice(0).reverse()) await cleanUp();
}

/** worker.ts calls it before its process ends. */
export async function endWorker(): Promise<void> {
  for (const cleanUp of workerCleanups.splice(0).reverse()) await cleanUp();
}

// Without a worker the process runs one file.
if (!process.send) after(endFile);
