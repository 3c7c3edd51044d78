import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskTimeoutError, ThreadPool } from './thread-pool.ts';

const createProgram = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { handleTasks } from '${new URL('./thread-pool.ts', import.meta.url)}'; ${code}`)}`,
  );

test('tasks run on a limited number of threads, in order', async () => {
  const threadPool = new ThreadPool<number, { thread: number; task: number }>(
    createProgram(`import { threadId } from 'node:worker_threads';
      handleTasks(async (task) => ({ thread: threadId, task }));`),
    { maxThreads: 2 },
  );
  const results = await Promise.all(Array.from({ length: 20 }, (_, task) => threadPool.run(task)));
  assert.deepEqual(
    results.map(({ task }) => task),
    Array.from({ length: 20 }, (_, task) => task),
  );
  assert.ok(new Set(results.map(({ thread }) => thread)).size <= 2);
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

test('a task that exceeds its time limit is aborted and does not delay the next ones', async () => {
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
