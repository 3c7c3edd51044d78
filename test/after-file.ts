import { after } from 'node:test';

const ends: (() => unknown)[] = [];

/** Unlike `after`, runs at the end of the whole file wherever it is called. Last registered, first run. */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}

/** worker.ts calls it at the end of each file, and when it is interrupted. */
export async function endFile(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

// Without a worker the process runs one file.
if (!process.send) after(endFile);
