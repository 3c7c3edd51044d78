import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

const caller = (keyId: string, address = '198.51.100.1') => ({ keyId, address });

/** A queue with one place, taken; `order` lists who got a turn, `refused` who did not. */
async function openQueue(mostWaiting: number) {
  const queue = new FairQueue({ places: 1, mostWaiting, mostWaitingMs: 60_000 });
  const leave = (await queue.enter(caller('first')))!;
  const order: string[] = [];
  const refused: string[] = [];
  const done: Promise<void>[] = [];
  const come = (name: string, who: { keyId: string; address: string }) =>
    done.push(
      queue.enter(who).then((itsLeave) => {
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

test('one of each key in turn, in the order the keys came', async () => {
  const { queue, order, come, run } = await openQueue(100);
  for (let i = 0; i < 4; i++) come(`a${i}`, caller('a'));
  come('b0', caller('b'));
  come('b1', caller('b'));
  come('c0', caller('c'));
  await run();
  assert.deepEqual(order, ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
  assert.deepEqual([queue.inside, queue.waiting], [0, 0]);
});

test('of one key, one of each address in turn', async () => {
  const { order, come, run } = await openQueue(100);
  for (let i = 0; i < 3; i++) come(`x${i}`, caller('a', '198.51.100.1'));
  come('y0', caller('a', '198.51.100.2'));
  come('b0', caller('b', '198.51.100.1'));
  await run();
  assert.deepEqual(order, ['x0', 'b0', 'y0', 'x1', 'x2']);
});

test('when it is full the last of the longest line has to go, so that others still get in', async () => {
  const { queue, order, refused, come, run } = await openQueue(4);
  for (let i = 0; i < 6; i++) come(`a${i}`, caller('a'));
  come('b0', caller('b'));
  come('y0', caller('a', '198.51.100.2'));
  assert.equal(queue.waiting, 4);
  await run();
  assert.deepEqual(refused, ['a4', 'a5', 'a3', 'a2']);
  assert.deepEqual(order, ['a0', 'b0', 'y0', 'a1']);
});

test('who waited too long is let go, and takes no turn', async () => {
  const queue = new FairQueue({ places: 1, mostWaiting: 10, mostWaitingMs: 1 });
  const leave = (await queue.enter(caller('a')))!;
  assert.equal(await queue.enter(caller('b')), undefined);
  leave();
  assert.deepEqual([queue.inside, queue.waiting], [0, 0]);
});
