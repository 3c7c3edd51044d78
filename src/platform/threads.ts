import { setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

/** A third of the weight of an ordinary thread: it still progresses when every core is busy. */
const NICE = 5;
const READY = 'ready';

type TaskResult<Result> = { result: Result } | { failed: string };
type Job<Task, Result> = {
  readonly task: Task;
  readonly done: PromiseWithResolvers<Result>;
  timer?: NodeJS.Timeout;
};

/** A task took longer than it may. Its thread was terminated. */
export class DeadlineExceeded extends Error {}

/**
 * Worker threads for work that would occupy the event loop. Each runs the given program, which calls `answerTasks`. They start
 * when they are first needed, and an idle one does not keep the process alive.
 */
export class Threads<Task, Result> {
  readonly #program: URL;
  readonly #most: number;
  readonly #deadlineMs: number | undefined;
  readonly #all = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Job<Task, Result>>();
  readonly #queue: Array<Job<Task, Result>> = [];
  #stopped = false;

  /** `deadlineMs`: of one task, without the start of its thread. */
  constructor(program: URL, { most, deadlineMs }: { most: number; deadlineMs?: number }) {
    this.#program = program;
    this.#most = most;
    this.#deadlineMs = deadlineMs;
  }

  /** Tasks that no thread has begun with. */
  get waiting(): number {
    return this.#queue.length;
  }

  run(task: Task): Promise<Result> {
    const job: Job<Task, Result> = { task, done: Promise.withResolvers() };
    this.#queue.push(job);
    this.#assign();
    return job.done.promise;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop();
      if (!worker) {
        this.#start();
        return;
      }
      const job = this.#queue.shift()!;
      this.#busy.set(worker, job);
      worker.ref();
      worker.postMessage(job.task);
      const tooLate = () => {
        this.#lose(worker, new DeadlineExceeded(`A task took more than ${this.#deadlineMs} ms.`));
        void worker.terminate();
      };
      if (this.#deadlineMs !== undefined) job.timer = setTimeout(tooLate, this.#deadlineMs);
    }
  }

  #start(): void {
    if (this.#all.size >= this.#most || this.#stopped) return;
    const worker = new Worker(this.#program);
    this.#all.add(worker);
    worker.on('message', (answer: TaskResult<Result> | typeof READY) => {
      if (!this.#all.has(worker)) return;
      const job = this.#take(worker);
      if (answer !== READY && 'failed' in answer) job!.done.reject(new Error(answer.failed));
      else if (answer !== READY) job!.done.resolve(answer.result);
      worker.unref();
      this.#idle.push(worker);
      this.#assign();
    });
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('A worker thread ended.')));
  }

  #take(worker: Worker): Job<Task, Result> | undefined {
    const job = this.#busy.get(worker);
    this.#busy.delete(worker);
    clearTimeout(job?.timer);
    return job;
  }

  /** The task that it was working on, or was started for, fails; the next one gets a new thread. */
  #lose(worker: Worker, error: Error): void {
    if (!this.#all.delete(worker)) return;
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    else (this.#take(worker) ?? this.#queue.shift())?.done.reject(error);
    if (!this.#stopped) this.#assign();
  }
}

/** In the program of a thread: works on its tasks. `isBackground`: at low priority, so that nothing else is slowed down. */
export function answerTasks<Task, Result>(
  work: (task: Task) => Result | Promise<Result>,
  { isBackground = false }: { isBackground?: boolean } = {},
): void {
  // On Linux this affects the calling thread only; elsewhere it would slow down the whole process.
  if (isBackground && process.platform === 'linux') setPriority(0, NICE);
  const answer = async (task: Task): Promise<TaskResult<Result>> => {
    try {
      return { result: await work(task) };
    } catch (error) {
      return { failed: (error as Error).message };
    }
  };
  parentPort!.on('message', (task: Task) => void answer(task).then((told) => parentPort!.postMessage(told)));
  parentPort!.postMessage(READY);
}
