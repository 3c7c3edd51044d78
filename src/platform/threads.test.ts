import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeadlineExceeded, Threads } from './threads.ts';

const program = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { answerTasks } from '${new URL('./threads.ts', import.meta.url)}'; ${text}`)}`,
  );

test('tasks are worked on by at most so many threads, in the order in which they come', async () => {
  const threads = new Threads<number, { thread: number; task: number }>(
    program(`import { threadId } from 'node:worker_threads';
      answerTasks(async (task) => ({ thread: threadId, task }));`),
    { most: 2 },
  );
  const answers = await Promise.all(Array.from({ length: 20 }, (_, task) => threads.run(task)));
  assert.deepEqual(
    answers.map(({ task }) => task),
    Array.from({ length: 20 }, (_, task) => task),
  );
  assert.ok(new Set(answers.map(({ thread }) => thread)).size <= 2);
  await threads.stop();
});

test('a task that fails fails alone; one whose thread ends, too, and the next gets a new thread', async () => {
  const threads = new Threads<string, string>(
    program(`answerTasks(async (task) => {
      if (task === 'fail') throw new Error('this one cannot be done');
      if (task === 'end') process.exit();
      return task;
    });`),
    { most: 1 },
  );
  const [failed, ended, done] = await Promise.allSettled(
    ['fail', 'end', 'other'].map((task) => threads.run(task)),
  );
  assert.match((failed as PromiseRejectedResult).reason.message, /this one cannot be done/);
  assert.match((ended as PromiseRejectedResult).reason.message, /A worker thread ended/);
  assert.equal((done as PromiseFulfilledResult<string>).value, 'other');
  await threads.stop();
});

test('a task that takes too long is given up, and does not keep the next ones', async () => {
  const threads = new Threads<string, string>(
    program(`answerTasks((task) => {
      if (task === 'for ever') for (;;);
      return task;
    });`),
    { most: 1, deadlineMs: 1_500 },
  );
  const [late, next] = ['for ever', 'next'].map((task) => threads.run(task));
  await assert.rejects(late!, DeadlineExceeded);
  assert.equal(await next, 'next');
  await threads.stop();
});

test('a thread that cannot start fails the task it was started for', async () => {
  const threads = new Threads<string, string>(program(`throw new Error('no such library');`), { most: 1 });
  await assert.rejects(threads.run('one'), /no such library/);
  await assert.rejects(threads.run('other'), /no such library/);
});
