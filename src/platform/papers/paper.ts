import { availableParallelism } from 'node:os';
import { unavailable } from '../problem.ts';
import { Threads } from '../threads.ts';

export type Block =
  | { readonly heading: string }
  | { readonly text: string }
  /** Labels and values. */
  | { readonly facts: ReadonlyArray<readonly [label: string, value: string]> }
  | { readonly head: readonly string[]; readonly rows: ReadonlyArray<readonly string[]> };

export type Paper = {
  readonly title: string;
  /** When what it says was fixed. The same paper of the same instant has the same bytes. */
  readonly at: Date;
  readonly blocks: readonly Block[];
  readonly footer: string;
};

const MOST_THREADS = 2;
/** Some two seconds of work for one thread. */
const MOST_WAITING = 200;

/** In a thread: a page takes some ten milliseconds, too long for the event loop. */
const threads = new Threads<Paper, Uint8Array>(new URL('./paper-worker.ts', import.meta.url), {
  most: Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1)),
});

/** The paper as PDF; 503 while too many wait. Call it outside of transactions: it waits in a queue. */
export async function renderPaper(paper: Paper): Promise<Buffer> {
  if (threads.waiting >= MOST_WAITING)
    throw unavailable({
      en: 'Too many documents are being made. Try again in a moment.',
      pt: 'Há documentos demais sendo feitos. Tente de novo em instantes.',
      headers: { 'retry-after': '2' },
    });
  const bytes = await threads.run(paper);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
