import { DeadlineExceeded, Threads } from '#platform/threads.ts';

/** About ten times what the longest real post takes. */
const DEADLINE_MS = 2_000;

/** Renders posts as HTML, one at a time, in a worker thread: a malicious text can take minutes, and must not block the event loop. */
export class PostRenderer {
  readonly #thread: Threads<string, string>;

  constructor({ deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {}) {
    this.#thread = new Threads(new URL('./render-worker.ts', import.meta.url), { most: 1, deadlineMs });
  }

  /** Undefined when the deadline passed. */
  async render(body: string): Promise<string | undefined> {
    try {
      return await this.#thread.run(body);
    } catch (error) {
      if (error instanceof DeadlineExceeded) return undefined;
      throw error;
    }
  }
}
