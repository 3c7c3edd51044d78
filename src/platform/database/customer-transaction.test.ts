import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService } from '../../../test/harness.ts';
import { openTill } from '../../../test/till.ts';
import { Problem } from '../problem.ts';
import { customerTransaction } from './customer-transaction.ts';
import { openDb, sql } from './db.ts';

const service = await openService({ env: { DATABASE_POOL: '3' } });

/** A pool of three, closed when the test is over. */
async function withPool(work: (db: ReturnType<typeof openDb>) => Promise<void>): Promise<void> {
  const db = openDb({ url: service.databaseUrl, poolSize: 3, label: 'test' });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

const customerId = async (offset: number) =>
  (await service.db.row<{ id: string }>(sql`select id from customers order by id offset ${offset} limit 1`))!
    .id;

/** Nobody else can lock the customer until it is released. */
async function holdCustomer(id: string): Promise<() => Promise<void>> {
  const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = service.db.transaction(async (tx) => {
    await tx.run(sql`select from customers where id = ${id} for no key update`);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  return async () => {
    held.resolve();
    await holder;
  };
}

test('a node with three connections: 60 charges asked for at once by one customer keep nobody else waiting', async () => {
  const till = openTill(service);
  const [one, other] = [await till.newShopper(), await till.newShopper()];
  const { installments } = await till.sell(one);
  const [token, otherToken] = [await till.token(one), await till.token(other)];
  const release = await holdCustomer(one.id);
  let refusals = 0;
  const ask = async (i: number) => {
    const headers = { 'idempotency-key': `charge ${i}` };
    const path = `/wallet/installments/${installments[0].id}/pix`;
    const answer = await service.post(path, { type: 'settle' }, { token, ...(i % 2 && { headers }) });
    if (answer.status === 503) refusals += 1;
    return answer;
  };
  const charges = Promise.all(Array.from({ length: 60 }, (_, i) => ask(i)));
  for (let i = 0; i < 20; i++)
    assert.equal((await service.get('/wallet/me', { token: otherToken })).status, 200);
  await eventually('some are refused', async () => refusals > 0);
  await release();
  const answers = await charges;
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201, 503]);
  const refused = answers.filter(({ status }) => status === 503);
  for (const { headers } of refused) assert.match(headers.get('retry-after')!, /^[1-9]/);
});

test('30 writes of one customer who is locked hold one connection of three: others read and write', async () => {
  const [one, other] = [await customerId(0), await customerId(1)];
  const release = await holdCustomer(one);
  await withPool(async (db) => {
    const write = (id: string) =>
      customerTransaction(db, id, async (tx) => {
        await tx.run(sql`select from customers where id = ${id} for no key update`);
      });
    const writes = Array.from({ length: 30 }, () => write(one));
    const settled = Promise.allSettled(writes);
    for (let i = 0; i < 20; i++) {
      assert.ok(await db.row(sql`select 1 from customers where id = ${other}`));
      await write(other);
    }
    await release();
    const outcomes = await settled;
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 9, 'one runs, twenty wait');
    for (const { reason } of refused as PromiseRejectedResult[]) {
      assert.ok(reason instanceof Problem && reason.kind.code === 'unavailable');
      assert.match(reason.detail.headers!['retry-after']!, /^\d+$/);
    }
    await write(one);
  });
});

test('one after the other, in the order they came; what fails makes way for the next', async () => {
  const id = await customerId(0);
  await withPool(async (db) => {
    const order: string[] = [];
    let inside = 0;
    const work = (name: string, fails = false) =>
      customerTransaction(db, id, async (tx) => {
        assert.equal(++inside, 1);
        await tx.run(sql`select from customers where id = ${id} for no key update`);
        order.push(name);
        inside--;
        if (fails) throw new Error(name);
      });
    const outcomes = await Promise.allSettled([work('a'), work('b', true), work('c'), work('d')]);
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
  });
});

test('who would wait too long is told to come back, and is gone from the line', async (t) => {
  const id = await customerId(0);
  await withPool(async (db) => {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = customerTransaction(db, id, async () => {
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let ran = false;
    const second = customerTransaction(db, id, async () => {
      ran = true;
    });
    t.mock.timers.tick(4_000);
    t.mock.timers.reset();
    await assert.rejects(second, (error) => error instanceof Problem && error.kind.code === 'unavailable');
    held.resolve();
    await first;
    await customerTransaction(db, id, async () => undefined);
    assert.ok(!ran);
  });
});
