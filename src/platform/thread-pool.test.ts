import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskTimeoutError, ThreadPool } from './thread-pool.ts';

/** Returns the URL of a program for threads, which can call `handleTasks`. */
const createProgram = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { handleTasks } from '${new URL('./thread-pool.ts', import.meta.url)}'; ${code}`)}`,
  );

test('tasks run on at most `maxThreads` threads, and each task gets its own result', async () => {
  const threadPool = new ThreadPool<number, { threadId: number; task: number }>(
    createProgram(`import { threadId } from 'node:worker_threads';
      handleTasks(async (task) => ({ threadId, task }));`),
    { maxThreads: 2 },
  );
  const tasks = Array.from({ length: 20 }, (_, task) => task);
  const results = await Promise.all(tasks.map((task) => threadPool.run(task)));
  assert.deepEqual(
    results.map(({ task }) => task),
    tasks,
  );
  assert.ok(new Set(results.map(({ threadId }) => threadId)).size <= 2);
  await threadPool.stop();
});

test('a failing task or thread fails only its own task, and the next task gets a new thread', async () => {
  const threadPool = new ThreadPool<string, string>(
    createProgram(`handleTasks(async (task) => {
      if (task === 'fail') throw new Error('this task cannot be done');
      if (task === 'end') process.exit();
      return task;
    });`),
    { maxThreads: 1 },
  );
  const [failedResult, endedThreadResult, nextResult] = await Promise.allSettled(
    ['fail', 'end', 'other'].map((task) => threadPool.run(task)),
  );
  assert.match((failedResult as PromiseRejectedResult).reason.message, /this task cannot be done/);
  assert.match((endedThreadResult as PromiseRejectedResult).reason.message, /A worker thread ended/);
  assert.equal((nextResult as PromiseFulfilledResult<string>).value, 'other');
  await threadPool.stop();
});

test('a task that exceeds its time limit is aborted, and the next task runs', async () => {
  const threadPool = new ThreadPool<string, string>(
    createProgram(`handleTasks((task) => {
      if (task === 'for ever') for (;;);
      return task;
    });`),
    { maxThreads: 1, taskTimeoutMs: 1_500 },
  );
  const [slowTask, nextTask] = ['for ever', 'next'].map((task) => threadPool.run(task));
  await assert.rejects(slowTask!, TaskTimeoutError);
  assert.equal(await nextTask, 'next');
  await threadPool.stop();
});

test('a thread that cannot start fails the task it was started for', async () => {
  const threadPool = new ThreadPool<string, string>(createProgram(`throw new Error('no such library');`), {
    maxThreads: 1,
  });
  await assert.rejects(threadPool.run('one'), /no such library/);
  await assert.rejects(threadPool.run('other'), /no such library/);
});
