import { Worker } from 'node:worker_threads';
import type { RenderedPost } from './render-worker.ts';

/** Some ten times what the longest post takes that somebody wrote. */
const DEADLINE_MS = 2_000;

/**
 * Makes HTML of posts, one after the other, in a thread of its own: text can be made to take minutes, and nobody else may wait for it.
 * The thread starts when it is first needed, and ends when a post takes too long.
 */
export class PostRenderer {
  readonly #deadlineMs: number;
  #thread: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {}) {
    this.#deadlineMs = deadlineMs;
  }

  /** Undefined: it took too long. */
  render(body: string): Promise<string | undefined> {
    const rendered = this.#last.then(() => this.#render(body));
    this.#last = rendered.catch(() => undefined);
    return rendered;
  }

  async #render(body: string): Promise<string | undefined> {
    this.#thread ??= startThread();
    const thread = await this.#thread.catch((error: unknown) => {
      this.#thread = undefined;
      throw error;
    });
    const outcome = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => outcome.resolve(undefined), this.#deadlineMs);
    const onMessage = ({ html }: RenderedPost) => outcome.resolve(html);
    thread.on('message', onMessage);
    thread.on('error', outcome.reject);
    thread.ref();
    try {
      thread.postMessage(body);
      const html = await outcome.promise;
      if (html === undefined) await this.#end(thread);
      return html;
    } catch (error) {
      await this.#end(thread);
      throw error;
    } finally {
      clearTimeout(timer);
      thread.off('message', onMessage);
      thread.off('error', outcome.reject);
      thread.unref();
    }
  }

  async #end(thread: Worker): Promise<void> {
    this.#thread = undefined;
    await thread.terminate();
  }
}

/** Ready to work: what it takes to start does not count. */
async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('./render-worker.ts', import.meta.url));
  await new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.on('error', reject); // for good: a thread that fails while nobody waits for it must not end the process
  });
  thread.unref();
  return thread;
}
