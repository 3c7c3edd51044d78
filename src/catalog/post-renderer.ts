import { Worker } from 'node:worker_threads';
import type { RenderedPost } from './render-worker.ts';

/** About ten times what the longest real post takes. */
const DEADLINE_MS = 2_000;

/**
 * Renders posts as HTML, one at a time, in a worker thread: a malicious text can take minutes, and must not block the event loop.
 * The thread starts on first use, and is terminated when a post exceeds the deadline.
 */
export class PostRenderer {
  readonly #deadlineMs: number;
  #thread: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {}) {
    this.#deadlineMs = deadlineMs;
  }

  /** Undefined when the deadline passed. */
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

/** Returns when the thread is ready: its start does not count for the deadline. */
async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('./render-worker.ts', import.meta.url));
  await new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.on('error', reject); // stays: an 'error' without a listener would end the process
  });
  thread.unref();
  return thread;
}
