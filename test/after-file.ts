import { after } from 'node:test';

type End = () => unknown;

const fileEnds: End[] = [];
const workerEnds: End[] = [];

/** Unlike `after`, runs at the end of the whole file wherever it is called. Last registered, first run. */
export function afterFile(end: End): void {
  fileEnds.push(end);
}

/** Runs after the last file of this process, for what its files share. */
export function afterWorker(end: End): void {
  workerEnds.push(end);
}

/** worker.ts calls it at the end of each file, and when it is interrupted. */
export async function endFile(): Promise<void> {
  for (const end of fileEnds.splice(0).reverse()) await end();
}

/** worker.ts calls it before its process ends. */
export async function endWorker(): Promise<void> {
  for (const end of workerEnds.splice(0).reverse()) await end();
}

// Without a worker the process runs one file.
if (!process.send) after(endFile);
