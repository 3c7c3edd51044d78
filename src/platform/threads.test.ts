import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Threads } from './threads.ts';

const program = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { answerTasks } from '${new URL('./threads.ts', import.meta.url)}'; ${text}`)}`,
  );

test('tasks are worked on by at most so many threads, in the order in which they come', async () => {
  const threads = new Threads<number, { thread: number; task: number }>(
    program(`import { threadId } from 'node:worker_threads';
      answerTasks(async (task) => ({ thread: threadId, task }));`),
    2,
  );
  const answers = await Promise.all(Array.from({ length: 20 }, (_, task) => threads.run(task)));
  assert.deepEqual(
    answers.map(({ task }) => task),
    Array.from({ length: 20 }, (_, task) => task),
  );
  assert.equal(new Set(answers.map(({ thread }) => thread)).size, 2);
  await threads.stop();
});

test('a task that fails fails alone; one whose thread ends, too, and the next gets a new thread', async () => {
  const threads = new Threads<string, string>(
    program(`answerTasks(async (task) => {
      if (task === 'fail') throw new Error('this one cannot be done');
      if (task === 'end') process.exit();
      return task;
    });`),
    1,
  );
  const [failed, ended, done] = await Promise.allSettled(
    ['fail', 'end', 'other'].map((task) => threads.run(task)),
  );
  assert.match((failed as PromiseRejectedResult).reason.message, /this one cannot be done/);
  assert.match((ended as PromiseRejectedResult).reason.message, /A worker thread ended/);
  assert.equal((done as PromiseFulfilledResult<string>).value, 'other');
  await threads.stop();
});
