import { setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

/** A third of the weight of an ordinary thread: it still progresses when every core is busy. */
const NICE = 5;

type Answer<Result> = { result: Result } | { failed: string };
type Job<Task, Result> = { task: Task; done: PromiseWithResolvers<Result> };

/**
 * Worker threads for work that would occupy the event loop. Each runs the given program, which calls `answerTasks`. They start
 * when they are first needed, and an idle one does not keep the process alive.
 */
export class Threads<Task, Result> {
  readonly #program: URL;
  readonly #most: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Job<Task, Result>>();
  readonly #queue: Array<Job<Task, Result>> = [];
  #stopped = false;

  constructor(program: URL, most: number) {
    this.#program = program;
    this.#most = most;
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
    await Promise.all([...this.#idle, ...this.#busy.keys()].map((worker) => worker.terminate()));
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? this.#start();
      if (!worker) return;
      const job = this.#queue.shift()!;
      this.#busy.set(worker, job);
      worker.ref();
      worker.postMessage(job.task);
    }
  }

  #start(): Worker | undefined {
    if (this.#busy.size >= this.#most || this.#stopped) return undefined;
    const worker = new Worker(this.#program);
    worker.on('message', (answer: Answer<Result>) => {
      this.#finish(worker, ({ done }) =>
        'failed' in answer ? done.reject(new Error(answer.failed)) : done.resolve(answer.result),
      );
      worker.unref();
      this.#idle.push(worker);
      this.#assign();
    });
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('A worker thread ended.')));
    return worker;
  }

  #finish(worker: Worker, settle: (job: Job<Task, Result>) => void): void {
    const job = this.#busy.get(worker);
    this.#busy.delete(worker);
    if (job) settle(job);
  }

  /** The task that it was working on fails; the next one gets a new thread. */
  #lose(worker: Worker, error: Error): void {
    this.#finish(worker, ({ done }) => done.reject(error));
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    if (!this.#stopped) this.#assign();
  }
}

/** In the program of a thread: works on its tasks. `isBackground`: at low priority, so that nothing else is slowed down. */
export function answerTasks<Task, Result>(
  work: (task: Task) => Promise<Result>,
  { isBackground = false }: { isBackground?: boolean } = {},
): void {
  // On Linux this affects the calling thread only; elsewhere it would slow down the whole process.
  if (isBackground && process.platform === 'linux') setPriority(0, NICE);
  parentPort!.on('message', (task: Task) => {
    work(task).then(
      (result) => parentPort!.postMessage({ result } satisfies Answer<Result>),
      (error: Error) => parentPort!.postMessage({ failed: error.message } satisfies Answer<Result>),
    );
  });
}
