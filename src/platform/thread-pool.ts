import { getPriority, setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

/** A nice value that gives a thread a third of the usual weight, so it still progresses when every core is busy. */
const LOW_PRIORITY_NICE = 5;
const READY = 'ready';

type TaskResult<Result> = { result: Result } | { errorMessage: string };
type Job<Task, Result> = {
  readonly task: Task;
  readonly completion: PromiseWithResolvers<Result>;
  timer?: NodeJS.Timeout;
};

export class TaskTimeoutError extends Error {}

/** Runs tasks on threads. Their program must call `handleTasks`. Threads start when needed, and idle threads do not keep the process alive. */
export class ThreadPool<Task, Result> {
  readonly #program: URL;
  readonly #options: { maxThreads: number; taskTimeoutMs?: number };
  readonly #threads = new Set<Worker>();
  readonly #idleThreads: Worker[] = [];
  readonly #runningJobs = new Map<Worker, Job<Task, Result>>();
  readonly #queue: Array<Job<Task, Result>> = [];
  #isStopped = false;

  /** `taskTimeoutMs` limits the time of one task. The start of its thread does not count. */
  constructor(program: URL, options: { maxThreads: number; taskTimeoutMs?: number }) {
    this.#program = program;
    this.#options = options;
  }

  get queuedCount(): number {
    return this.#queue.length;
  }

  run(task: Task): Promise<Result> {
    const job: Job<Task, Result> = { task, completion: Promise.withResolvers() };
    this.#queue.push(job);
    this.#assignJobs();
    return job.completion.promise;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#threads].map((worker) => worker.terminate()));
  }

  #assignJobs(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idleThreads.pop();
      if (!worker) {
        this.#startThread();
        return;
      }
      const job = this.#queue.shift()!;
      this.#runningJobs.set(worker, job);
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

  #startThread(): void {
    if (this.#threads.size >= this.#options.maxThreads || this.#isStopped) return;
    const worker = new Worker(this.#program);
    this.#threads.add(worker);
    worker.on('message', (message: TaskResult<Result> | typeof READY) => {
      if (!this.#threads.has(worker)) return; // it was removed meanwhile, for example after a timeout
      const job = this.#takeJob(worker);
      if (message !== READY) {
        if ('errorMessage' in message) job!.completion.reject(new Error(message.errorMessage));
        else job!.completion.resolve(message.result);
      }
      worker.unref();
      this.#idleThreads.push(worker);
      this.#assignJobs();
    });
    worker.on('error', (error) => this.#removeThread(worker, error));
    worker.on('exit', () => this.#removeThread(worker, new Error('A worker thread ended.')));
  }

  #takeJob(worker: Worker): Job<Task, Result> | undefined {
    const job = this.#runningJobs.get(worker);
    this.#runningJobs.delete(worker);
    clearTimeout(job?.timer);
    return job;
  }

  /** Fails the task that the thread was working on or was started for. The next task gets a new thread. */
  #removeThread(worker: Worker, error: Error): void {
    if (!this.#threads.delete(worker)) return;
    const index = this.#idleThreads.indexOf(worker);
    if (index >= 0) this.#idleThreads.splice(index, 1);
    else (this.#takeJob(worker) ?? this.#queue.shift())?.completion.reject(error);
    if (!this.#isStopped) this.#assignJobs();
  }
}

/** Handles the tasks of the calling thread. With `hasLowPriority` the thread does not slow down other work. */
export function handleTasks<Task, Result>(
  handleTask: (task: Task) => Result | Promise<Result>,
  { hasLowPriority = false }: { hasLowPriority?: boolean } = {},
): void {
  // On Linux this affects the calling thread only; elsewhere it would slow down the whole process.
  if (hasLowPriority && process.platform === 'linux')
    setPriority(0, Math.max(getPriority(), LOW_PRIORITY_NICE));
  const runTask = async (task: Task): Promise<TaskResult<Result>> => {
    try {
      return { result: await handleTask(task) };
    } catch (error) {
      return { errorMessage: (error as Error).message };
    }
  };
  parentPort!.on(
    'message',
    (task: Task) => void runTask(task).then((result) => parentPort!.postMessage(result)),
  );
  parentPort!.postMessage(READY);
}
