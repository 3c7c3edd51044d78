import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

const caller = (keyId: string, address = '198.51.100.1') => ({ keyId, ipAddress: address });

/** A queue whose only slot is taken. `order` lists the callers that got a turn, `refused` those that did not. */
async function openQueue(mostWaiting: number) {
  const queue = new FairQueue({ slots: 1, maxWaiting: mostWaiting, maxWaitMs: 60_000 });
  const leave = (await queue.enter(caller('first')))!;
  const order: string[] = [];
  const refused: string[] = [];
  const done: Promise<void>[] = [];
  const come = (name: string, person: { keyId: string; ipAddress: string }) =>
    done.push(
      queue.enter(person).then((itsLeave) => {
        (itsLeave ? order : refused).push(name);
        itsLeave?.();
      }),
    );
  return {
    queue,
    order,
    refused,
    come,
    async run() {
      leave();
      await Promise.all(done);
    },
  };
}

test('API keys take turns, in the order of their arrival', async () => {
  const { queue, order, come, run } = await openQueue(100);
  for (let i = 0; i < 4; i++) come(`a${i}`, caller('a'));
  come('b0', caller('b'));
  come('b1', caller('b'));
  come('c0', caller('c'));
  await run();
  assert.deepEqual(order, ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
  assert.equal(queue.size, 0);
});

test('the IP addresses of one API key take turns', async () => {
  const { order, come, run } = await openQueue(100);
  for (let i = 0; i < 3; i++) come(`x${i}`, caller('a', '198.51.100.1'));
  come('y0', caller('a', '198.51.100.2'));
  come('b0', caller('b', '198.51.100.1'));
  await run();
  assert.deepEqual(order, ['x0', 'b0', 'y0', 'x1', 'x2']);
});

test('when the queue is full, the last of the longest line is refused, so that others still get in', async () => {
  const { queue, order, refused, come, run } = await openQueue(4);
  for (let i = 0; i < 6; i++) come(`a${i}`, caller('a'));
  come('b0', caller('b'));
  come('y0', caller('a', '198.51.100.2'));
  assert.equal(queue.size, 5, 'one has the slot, four wait');
  await run();
  assert.deepEqual(refused, ['a4', 'a5', 'a3', 'a2']);
  assert.deepEqual(order, ['a0', 'b0', 'y0', 'a1']);
});

test('a caller that waited too long is refused and gets no turn', async () => {
  const queue = new FairQueue({ slots: 1, maxWaiting: 10, maxWaitMs: 1 });
  const leave = (await queue.enter(caller('a')))!;
  assert.equal(await queue.enter(caller('b')), undefined);
  leave();
  assert.equal(queue.size, 0);
});
