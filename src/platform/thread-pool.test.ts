import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskTimeoutError, ThreadPool } from './thread-pool.ts';

const program = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { handleTasks } from '${new URL('./thread-pool.ts', import.meta.url)}'; ${text}`)}`,
  );

test('tasks run on a limited number of threads, in order', async () => {
  const threads = new ThreadPool<number, { thread: number; task: number }>(
    program(`import { threadId } from 'node:worker_threads';
      handleTasks(async (task) => ({ thread: threadId, task }));`),
    { maxThreads: 2 },
  );
  const answers = await Promise.all(Array.from({ length: 20 }, (_, task) => threads.run(task)));
  assert.deepEqual(
    answers.map(({ task }) => task),
    Array.from({ length: 20 }, (_, task) => task),
  );
  assert.ok(new Set(answers.map(({ thread }) => thread)).size <= 2);
  await threads.stop();
});

test('a failing task or thread fails only its own task, and the next task gets a new thread', async () => {
  const threads = new ThreadPool<string, string>(
    program(`handleTasks(async (task) => {
      if (task === 'fail') throw new Error('this one cannot be done');
      if (task === 'end') process.exit();
      return task;
    });`),
    { maxThreads: 1 },
  );
  const [failed, ended, done] = await Promise.allSettled(
    ['fail', 'end', 'other'].map((task) => threads.run(task)),
  );
  assert.match((failed as PromiseRejectedResult).reason.message, /this one cannot be done/);
  assert.match((ended as PromiseRejectedResult).reason.message, /A worker thread ended/);
  assert.equal((done as PromiseFulfilledResult<string>).value, 'other');
  await threads.stop();
});

test('a task that exceeds its time limit is aborted and does not delay the next ones', async () => {
  const threads = new ThreadPool<string, string>(
    program(`handleTasks((task) => {
      if (task === 'for ever') for (;;);
      return task;
    });`),
    { maxThreads: 1, taskTimeoutMs: 1_500 },
  );
  const [late, next] = ['for ever', 'next'].map((task) => threads.run(task));
  await assert.rejects(late!, TaskTimeoutError);
  assert.equal(await next, 'next');
  await threads.stop();
});

test('a thread that cannot start fails the task it was started for', async () => {
  const threads = new ThreadPool<string, string>(program(`throw new Error('no such library');`), {
    maxThreads: 1,
  });
  await assert.rejects(threads.run('one'), /no such library/);
  await assert.rejects(threads.run('other'), /no such library/);
});
