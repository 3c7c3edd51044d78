import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

const createCaller = (keyId: string, ipAddress = '198.51.100.1') => ({ keyId, ipAddress });

/** Creates a queue whose only slot is taken until `run`. `servedNames` and `refusedNames` list the callers of `join` by the outcome. */
async function createBusyQueue({ maxWaiting }: { maxWaiting: number }) {
  const queue = new FairQueue({ slots: 1, maxWaiting, maxWaitMs: 60_000 });
  const releaseSlot = (await queue.enter(createCaller('first')))!;
  const servedNames: string[] = [];
  const refusedNames: string[] = [];
  const turns: Promise<void>[] = [];
  const join = (name: string, caller: { keyId: string; ipAddress: string }) =>
    turns.push(
      queue.enter(caller).then((release) => {
        (release ? servedNames : refusedNames).push(name);
        release?.();
      }),
    );
  return {
    queue,
    servedNames,
    refusedNames,
    join,
    async run() {
      releaseSlot();
      await Promise.all(turns);
    },
  };
}

test('API keys take turns, in the order of their arrival', async () => {
  const { queue, servedNames, join, run } = await createBusyQueue({ maxWaiting: 100 });
  for (let i = 0; i < 4; i++) join(`a${i}`, createCaller('a'));
  join('b0', createCaller('b'));
  join('b1', createCaller('b'));
  join('c0', createCaller('c'));
  await run();
  assert.deepEqual(servedNames, ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
  assert.equal(queue.size, 0);
});

test('the IP addresses of one API key take turns', async () => {
  const { servedNames, join, run } = await createBusyQueue({ maxWaiting: 100 });
  for (let i = 0; i < 3; i++) join(`x${i}`, createCaller('a', '198.51.100.1'));
  join('y0', createCaller('a', '198.51.100.2'));
  join('b0', createCaller('b', '198.51.100.1'));
  await run();
  assert.deepEqual(servedNames, ['x0', 'b0', 'y0', 'x1', 'x2']);
});

test('when the queue is full, the last waiter of the longest caller queue is refused, so that others still get a turn', async () => {
  const { queue, servedNames, refusedNames, join, run } = await createBusyQueue({ maxWaiting: 4 });
  for (let i = 0; i < 6; i++) join(`a${i}`, createCaller('a'));
  join('b0', createCaller('b'));
  join('y0', createCaller('a', '198.51.100.2'));
  assert.equal(queue.size, 5, 'one caller has the slot, four wait');
  await run();
  // a4 and a5 exceed the limit themselves; b0 and y0 displace a3 and a2.
  assert.deepEqual(refusedNames, ['a4', 'a5', 'a3', 'a2']);
  assert.deepEqual(servedNames, ['a0', 'b0', 'y0', 'a1']);
});

test('a caller that waited too long is refused and gets no turn', async () => {
  const queue = new FairQueue({ slots: 1, maxWaiting: 10, maxWaitMs: 1 });
  const releaseSlot = (await queue.enter(createCaller('a')))!;
  assert.equal(await queue.enter(createCaller('b')), undefined);
  releaseSlot();
  assert.equal(queue.size, 0);
});
