import { setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

/** A nice value that gives a thread a third of the usual weight, so it still progresses when every core is busy. */
const NICE = 5;
const READY = 'ready';

type TaskResult<Result> = { result: Result } | { failed: string };
type Job<Task, Result> = {
  readonly task: Task;
  readonly done: PromiseWithResolvers<Result>;
  timer?: NodeJS.Timeout;
};

export class TaskTimeoutError extends Error {}

/** Each thread runs a program that calls `handleTasks`. Threads start when needed, and idle ones do not keep the process alive. */
export class ThreadPool<Task, Result> {
  readonly #program: URL;
  readonly #options: { maxThreads: number; taskTimeoutMs?: number };
  readonly #all = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Job<Task, Result>>();
  readonly #queue: Array<Job<Task, Result>> = [];
  #stopped = false;

  /** `taskTimeoutMs` limits one task, without the start of its thread. */
  constructor(program: URL, options: { maxThreads: number; taskTimeoutMs?: number }) {
    this.#program = program;
    this.#options = options;
  }

  get queuedCount(): number {
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
      const { taskTimeoutMs } = this.#options;
      const onTimeout = () => {
        this.#removeThread(worker, new TaskTimeoutError(`A task took more than ${taskTimeoutMs} ms.`));
        void worker.terminate();
      };
      if (taskTimeoutMs !== undefined) job.timer = setTimeout(onTimeout, taskTimeoutMs);
    }
  }

  #start(): void {
    if (this.#all.size >= this.#options.maxThreads || this.#stopped) return;
    const worker = new Worker(this.#program);
    this.#all.add(worker);
    worker.on('message', (message: TaskResult<Result> | typeof READY) => {
      if (!this.#all.has(worker)) return;
      const job = this.#takeJob(worker);
      if (message !== READY && 'failed' in message) job!.done.reject(new Error(message.failed));
      else if (message !== READY) job!.done.resolve(message.result);
      worker.unref();
      this.#idle.push(worker);
      this.#assign();
    });
    worker.on('error', (error) => this.#removeThread(worker, error));
    worker.on('exit', () => this.#removeThread(worker, new Error('A worker thread ended.')));
  }

  #takeJob(worker: Worker): Job<Task, Result> | undefined {
    const job = this.#busy.get(worker);
    this.#busy.delete(worker);
    clearTimeout(job?.timer);
    return job;
  }

  /** Fails the task that the thread was working on or was started for. The next task gets a new thread. */
  #removeThread(worker: Worker, error: Error): void {
    if (!this.#all.delete(worker)) return;
    const index = this.#idle.indexOf(worker);
    if (index >= 0) this.#idle.splice(index, 1);
    else (this.#takeJob(worker) ?? this.#queue.shift())?.done.reject(error);
    if (!this.#stopped) this.#assign();
  }
}

/** Handles the tasks of a thread; called by its program. `hasLowPriority` keeps the thread from slowing down other work. */
export function handleTasks<Task, Result>(
  work: (task: Task) => Result | Promise<Result>,
  { hasLowPriority = false }: { hasLowPriority?: boolean } = {},
): void {
  // On Linux this affects the calling thread only; elsewhere it would slow down the whole process.
  if (hasLowPriority && process.platform === 'linux') setPriority(0, NICE);
  const runTask = async (task: Task): Promise<TaskResult<Result>> => {
    try {
      return { result: await work(task) };
    } catch (error) {
      return { failed: (error as Error).message };
    }
  };
  parentPort!.on(
    'message',
    (task: Task) => void runTask(task).then((result) => parentPort!.postMessage(result)),
  );
  parentPort!.postMessage(READY);
}
