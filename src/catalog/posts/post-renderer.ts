import { TaskTimeoutError, ThreadPool } from '#platform/thread-pool.ts';

/** About ten times as long as rendering the longest real post takes. */
const TIMEOUT_MS = 2_000;

/** Renders posts as HTML, one at a time, in a worker thread: a malicious text can take minutes and must not block the event loop. */
export class PostRenderer {
  readonly #thread: ThreadPool<string, string>;

  constructor({ deadlineMs = TIMEOUT_MS }: { deadlineMs?: number } = {}) {
    this.#thread = new ThreadPool(new URL('./render-worker.ts', import.meta.url), {
      maxThreads: 1,
      taskTimeoutMs: deadlineMs,
    });
  }

  /** Returns undefined if rendering times out. */
  async render(body: string): Promise<string | undefined> {
    try {
      return await this.#thread.run(body);
    } catch (error) {
      if (error instanceof TaskTimeoutError) return undefined;
      throw error;
    }
  }
}
