import { availableParallelism } from 'node:os';
import { unavailable } from '../problem.ts';
import { ThreadPool } from '../thread-pool.ts';

export type Block =
  | { readonly heading: string }
  | { readonly text: string }
  | { readonly facts: ReadonlyArray<readonly [label: string, value: string]> }
  | { readonly head: readonly string[]; readonly rows: ReadonlyArray<readonly string[]> };

export type DocumentContent = {
  readonly title: string;
  /** The creation date in the PDF. The same content with the same date results in the same bytes. */
  readonly createdAt: Date;
  readonly blocks: readonly Block[];
  readonly footer: string;
};

const MAX_THREADS = 2;
/** About two seconds of work for one thread. */
const MAX_QUEUED_DOCUMENTS = 200;

/** Documents are drawn in threads, because a page takes about ten milliseconds, too long for the event loop. */
const threadPool = new ThreadPool<DocumentContent, Uint8Array>(
  new URL('./document-worker.ts', import.meta.url),
  { maxThreads: Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1)) },
);

/** Renders a document as PDF. Throws a 503 problem if too many are queued. Call it outside of transactions, because it waits in a queue. */
export async function renderDocument(content: DocumentContent): Promise<Buffer> {
  if (threadPool.queuedCount >= MAX_QUEUED_DOCUMENTS)
    throw unavailable({
      en: 'Too many documents are being created. Try again in a moment.',
      pt: 'Há documentos demais sendo feitos. Tente de novo em instantes.',
      headers: { 'retry-after': '2' },
    });
  const bytes = await threadPool.run(content);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
