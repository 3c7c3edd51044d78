import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { MERCHANT, OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { Problem } from '../problem.ts';
import { customerTransaction } from './customer-transaction.ts';
import { openDb, sql } from './db.ts';

const service = await openService({ env: { DATABASE_POOL: '3' } });

/** Runs a function with a pool of three connections, which is closed at the end. */
async function withPool(useDb: (db: ReturnType<typeof openDb>) => Promise<void>): Promise<void> {
  const db = openDb({ url: service.databaseUrl, poolSize: 3, applicationName: 'test' });
  try {
    await useDb(db);
  } finally {
    await db.close();
  }
}

const findCustomerId = async (offset: number) =>
  (await service.db.row<{ id: string }>(sql`select id from customers order by id offset ${offset} limit 1`))!
    .id;

/** Locks the customer until the returned function is called. */
async function lockCustomer(id: string): Promise<() => Promise<void>> {
  const [released, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const blockingTransaction = service.db.transaction(async (tx) => {
    await tx.run(sql`select from customers where id = ${id} for no key update`);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return async () => {
    released.resolve();
    await blockingTransaction;
  };
}

test('with three connections, 60 concurrent charge requests of one customer do not delay others', async () => {
  const pixDriver = createPixDriver(service);
  const [customer, otherCustomer] = [await pixDriver.createCustomer(), await pixDriver.createCustomer()];
  const { installments } = await pixDriver.sell(customer);
  const [token, otherToken] = [
    await pixDriver.createToken(customer),
    await pixDriver.createToken(otherCustomer),
  ];
  const release = await lockCustomer(customer.id);
  let refusalCount = 0;
  const requestCharge = async (i: number) => {
    // Every second request has an idempotency key. Requests with and without one run in different transactions.
    const headers = i % 2 === 1 ? { 'idempotency-key': `charge ${i}` } : undefined;
    const path = `/wallet/installments/${installments[0].id}/pix`;
    const response = await service.post(path, { type: 'settle' }, { token, ...(headers && { headers }) });
    if (response.status === 503) refusalCount += 1;
    return response;
  };
  const pendingResponses = Promise.all(Array.from({ length: 60 }, (_, i) => requestCharge(i)));
  for (let i = 0; i < 20; i++)
    assert.equal((await service.get('/wallet/me', { token: otherToken })).status, 200);
  await eventually('some requests are refused', async () => refusalCount > 0);
  await release();
  const responses = await pendingResponses;
  assert.deepEqual([...new Set(responses.map(({ status }) => status))].sort(), [200, 201, 503]);
  const refusedResponses = responses.filter(({ status }) => status === 503);
  for (const { headers } of refusedResponses) assert.match(headers.get('retry-after')!, /^[1-9]/);
});

test('with three connections, requests of merchants and staff for one customer do not delay others', async () => {
  const pixDriver = createPixDriver(service);
  const [customer, otherCustomer] = [await pixDriver.createCustomer(), await pixDriver.createCustomer()];
  const { hash, installments } = await pixDriver.sell(customer);
  const otherToken = await pixDriver.createToken(otherCustomer);
  const now = service.clock.now();
  await service.db.run(sql`
    insert into pix_orphans (end_to_end_id, amount_cents, paid_at, found_at) values ('E1', 100, ${now}, ${now})`);
  const postToStaffApi = (path: string, body: object) =>
    service.staff('POST', `/admin/${path}`, { key: OPERATOR_KEY, body });
  const order = { customer: customer.phone, merchant: MERCHANT, amount: 100, installments: 1 };
  const reason = 'x';
  const release = await lockCustomer(customer.id);
  const requests = [
    () => service.post(`/merchant/checkouts/${hash}/returns`, { amount: 1, reason }, { key: MERCHANT_KEY }),
    () => postToStaffApi(`checkouts/${hash}/returns`, { amount: 1, reason }),
    () => postToStaffApi('checkouts', order),
    () => postToStaffApi('checkouts', { ...order, dry_run: true }),
    () => postToStaffApi(`checkouts/${hash}/write-off`, { reason }),
    () => postToStaffApi(`checkouts/${hash}/reinstate`, { reason }),
    () => postToStaffApi(`cashback/${customer.id}/adjust`, { amount: 1, reason }),
    () => postToStaffApi('pix/orphans/E1/assign', { installment_id: installments[0].id }),
  ];
  const pendingResponses = Promise.all([...requests, ...requests].map((send) => send()));
  let maxLockWaits = 0;
  const checkLockWaits = async () => {
    const lockWaits = await service.db.rows(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    maxLockWaits = Math.max(maxLockWaits, lockWaits.length);
    return lockWaits.length > 0;
  };
  await eventually('a transaction waits for the customer', checkLockWaits);
  for (let i = 0; i < 20; i++) {
    assert.equal((await service.get('/wallet/me', { token: otherToken })).status, 200);
    await checkLockWaits();
  }
  assert.equal(maxLockWaits, 1, 'one request waits in the database, the others in memory');
  await release();
  for (const { status, text } of await pendingResponses) assert.ok(status < 500 || status === 503, text);
});

test('30 writes of one locked customer hold one of three connections, so others can read and write', async () => {
  const [lockedId, otherId] = [await findCustomerId(0), await findCustomerId(1)];
  const release = await lockCustomer(lockedId);
  await withPool(async (db) => {
    const write = (id: string) =>
      customerTransaction(db, id, async (tx) => {
        await tx.run(sql`select from customers where id = ${id} for no key update`);
      });
    const writes = Array.from({ length: 30 }, () => write(lockedId));
    const outcomesPromise = Promise.allSettled(writes);
    for (let i = 0; i < 20; i++) {
      assert.ok(await db.row(sql`select 1 from customers where id = ${otherId}`));
      await write(otherId);
    }
    await release();
    const outcomes = await outcomesPromise;
    const refusals = outcomes.filter(({ status }) => status === 'rejected');
    assert.equal(refusals.length, 9, 'one runs, twenty wait');
    for (const { reason } of refusals as PromiseRejectedResult[]) {
      assert.ok(reason instanceof Problem && reason.kind.code === 'unavailable');
      assert.match(reason.detail.headers!['retry-after']!, /^\d+$/);
    }
    await write(lockedId);
  });
});

test('transactions of one customer run one after the other, in order, even after a failure', async () => {
  const id = await findCustomerId(0);
  await withPool(async (db) => {
    const order: string[] = [];
    let runningCount = 0;
    const runTransaction = (name: string, { fails = false } = {}) =>
      customerTransaction(db, id, async (tx) => {
        assert.equal(++runningCount, 1);
        await tx.run(sql`select from customers where id = ${id} for no key update`);
        order.push(name);
        runningCount--;
        if (fails) throw new Error(name);
      });
    const outcomes = await Promise.allSettled([
      runTransaction('a'),
      runTransaction('b', { fails: true }),
      runTransaction('c'),
      runTransaction('d'),
    ]);
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
  });
});

test('a transaction that waits too long gets 503 and leaves the queue', async (t) => {
  const id = await findCustomerId(0);
  await withPool(async (db) => {
    const released = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const firstTransaction = customerTransaction(db, id, async () => {
      started.resolve();
      await released.promise;
    });
    await started.promise;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let hasRun = false;
    const secondTransaction = customerTransaction(db, id, async () => {
      hasRun = true;
    });
    t.mock.timers.tick(4_000);
    t.mock.timers.reset();
    await assert.rejects(
      secondTransaction,
      (error) => error instanceof Problem && error.kind.code === 'unavailable',
    );
    released.resolve();
    await firstTransaction;
    await customerTransaction(db, id, async () => undefined);
    assert.ok(!hasRun);
  });
});
