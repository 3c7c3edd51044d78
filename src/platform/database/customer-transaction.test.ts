import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/offer-desk.ts';
import { openPixShop } from '../../../test/pix-shop.ts';
import { MERCHANT, OPERATOR_KEY } from '../../../test/shop.ts';
import { Problem } from '../problem.ts';
import { customerTransaction } from './customer-transaction.ts';
import { openDb, sql } from './db.ts';

const service = await openService({ env: { DATABASE_POOL: '3' } });

/** A pool of three connections, closed at the end of the test. */
async function withPool(work: (db: ReturnType<typeof openDb>) => Promise<void>): Promise<void> {
  const db = openDb({ url: service.databaseUrl, poolSize: 3, applicationName: 'test' });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

const customerId = async (offset: number) =>
  (await service.db.row<{ id: string }>(sql`select id from customers order by id offset ${offset} limit 1`))!
    .id;

/** Locks the customer until the returned function is called. */
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

test('with three connections, 60 concurrent charge requests of one customer do not delay others', async () => {
  const pixShop = openPixShop(service);
  const [shopper, otherShopper] = [await pixShop.newShopper(), await pixShop.newShopper()];
  const { installments } = await pixShop.sell(shopper);
  const [token, otherToken] = [await pixShop.createToken(shopper), await pixShop.createToken(otherShopper)];
  const release = await holdCustomer(shopper.id);
  let refusals = 0;
  const ask = async (i: number) => {
    const headers = { 'idempotency-key': `charge ${i}` };
    const path = `/wallet/installments/${installments[0].id}/pix`;
    const response = await service.post(path, { type: 'settle' }, { token, ...(i % 2 && { headers }) });
    if (response.status === 503) refusals += 1;
    return response;
  };
  const charges = Promise.all(Array.from({ length: 60 }, (_, i) => ask(i)));
  for (let i = 0; i < 20; i++)
    assert.equal((await service.get('/wallet/me', { token: otherToken })).status, 200);
  await eventually('some are refused', async () => refusals > 0);
  await release();
  const responses = await charges;
  assert.deepEqual([...new Set(responses.map(({ status }) => status))].sort(), [200, 201, 503]);
  const refused = responses.filter(({ status }) => status === 503);
  for (const { headers } of refused) assert.match(headers.get('retry-after')!, /^[1-9]/);
});

test('with three connections, requests of merchants and staff for one customer do not delay others', async () => {
  const pixShop = openPixShop(service);
  const [shopper, otherShopper] = [await pixShop.newShopper(), await pixShop.newShopper()];
  const { hash, installments } = await pixShop.sell(shopper);
  const otherToken = await pixShop.createToken(otherShopper);
  const now = service.clock.now();
  await service.db.run(sql`
    insert into pix_orphans (end_to_end_id, amount_cents, paid_at, found_at) values ('E1', 100, ${now}, ${now})`);
  const staff = (path: string, body: object) =>
    service.staff('POST', `/admin/${path}`, { key: OPERATOR_KEY, body });
  const order = { customer: shopper.phone, merchant: MERCHANT, amount: 100, installments: 1 };
  const reason = 'x';
  const release = await holdCustomer(shopper.id);
  const requests = [
    () => service.post(`/merchant/checkouts/${hash}/returns`, { amount: 1, reason }, { key: MERCHANT_KEY }),
    () => staff(`checkouts/${hash}/returns`, { amount: 1, reason }),
    () => staff('checkouts', order),
    () => staff('checkouts', { ...order, dry_run: true }),
    () => staff(`checkouts/${hash}/write-off`, { reason }),
    () => staff(`checkouts/${hash}/reinstate`, { reason }),
    () => staff(`cashback/${shopper.id}/adjust`, { amount: 1, reason }),
    () => staff('pix/orphans/E1/assign', { installment_id: installments[0].id }),
  ];
  const pendingResponses = Promise.all([...requests, ...requests].map((ask) => ask()));
  let most = 0;
  const waiting = async () => {
    const rows = await service.db.rows(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    most = Math.max(most, rows.length);
    return rows.length > 0;
  };
  await eventually('the customer is waited for', waiting);
  for (let i = 0; i < 20; i++) {
    assert.equal((await service.get('/wallet/me', { token: otherToken })).status, 200);
    await waiting();
  }
  assert.equal(most, 1, 'one waits in the database, the others in memory');
  await release();
  for (const { status, text } of await pendingResponses) assert.ok(status < 500 || status === 503, text);
});

test('30 writes of one locked customer hold one of three connections, so others can read and write', async () => {
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

test('transactions of one customer run one after the other, in order, even after a failure', async () => {
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

test('a transaction that waits too long gets 503 and leaves the queue', async (t) => {
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
