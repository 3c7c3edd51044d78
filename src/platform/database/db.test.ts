import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openService } from '../../../test/harness.ts';
import { DatabaseUnavailable, findRefusal, openDb, refuseIf, type Sql, sql } from './db.ts';

const service = await openService();
const db = openDb({ url: service.databaseUrl, poolSize: 1, applicationName: 'db test' });

test('a connection lost inside a transaction throws DatabaseUnavailable, and the next transaction gets another one', async () => {
  const cutStatement = db.transaction(async (tx) => {
    const connection = await tx.row<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await service.db.run(sql`select pg_terminate_backend(${connection!.pid})`);
    await tx.rows(sql`select 1`);
  });
  await assert.rejects(cutStatement, DatabaseUnavailable);
  assert.deepEqual(await db.transaction((tx) => tx.row(sql`select 1 as one`)), { one: 1 });
});

test('errors of an unavailable PostgreSQL throw DatabaseUnavailable with their code; a bug does not', async () => {
  const codes = ['08006', '25006', '53100', '53200', '53300', '57014', '57P01', '57P03', '58030'];
  const reasons: string[] = [];
  const countingDb = openDb({
    url: service.databaseUrl,
    poolSize: 1,
    applicationName: 'codes',
    onUnavailable: ({ reason }) => reasons.push(reason),
  });
  const raise = (code: string) =>
    countingDb.transaction(async (tx) => {
      await tx.rows(sql`select set_config('test.code', ${code}, true)`);
      await tx.rows(sql`
        do $$ begin raise exception using errcode = current_setting('test.code'), message = 'No.'; end $$`);
    });
  for (const code of codes) {
    await assert.rejects(raise(code), (error: DatabaseUnavailable) => {
      assert.ok(error instanceof DatabaseUnavailable, code);
      assert.equal(error.reason, code);
      return true;
    });
  }
  assert.deepEqual(reasons, codes);
  for (const code of ['23505', '22P02', '40P01', '55P03', 'XX000'])
    await assert.rejects(raise(code), { code }, 'the original error');
  await countingDb.close();
});

test('a connection is reused after a failing statement, but not after an error that ends it', async () => {
  const readPid = async () => (await db.row<{ pid: number }>(sql`select pg_backend_pid() as pid`))!.pid;
  const pidBefore = await readPid();
  await assert.rejects(db.row(sql`select 1 / 0`), { code: '22012' });
  assert.equal(await readPid(), pidBefore);
  await assert.rejects(db.row(sql`select pg_terminate_backend(pg_backend_pid())`), DatabaseUnavailable);
  assert.notEqual(await readPid(), pidBefore);
});

test('a read-only database is unavailable for writes, and its connections are replaced', async () => {
  const readPid = async () => (await db.row<{ pid: number }>(sql`select pg_backend_pid() as pid`))!.pid;
  const pidBefore = await readPid();
  await db.run(sql`set default_transaction_read_only = on`);
  assert.equal(await readPid(), pidBefore, 'it can be read');
  await assert.rejects(db.run(sql`insert into categories (slug, name) values ('nunca', 'Nunca')`), {
    reason: '25006',
  });
  assert.notEqual(await readPid(), pidBefore, 'the next may be to a server that can be written to');
});

/** Opens connections over a link that can drop their traffic. */
async function openDbOverLink(poolSize: number) {
  const link = await service.openLink();
  const linkedDb = openDb({
    url: link.url,
    poolSize,
    applicationName: 'stuckable',
    timeoutMs: TIMEOUT_MS,
  });
  await Promise.all(Array.from({ length: poolSize }, () => linkedDb.row(sql`select pg_sleep(0.1)`)));
  return { link, db: linkedDb };
}
const TIMEOUT_MS = 1_500;
const MAX_WAIT_MS = TIMEOUT_MS + 500;

/**
 * Returns the result or the error of the operation, and throws if it takes longer. Measures with a timer instead of a clock, because a
 * stalled machine delays timer and operation alike.
 */
async function settleInTime(operation: Promise<unknown>): Promise<unknown> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => timeout.reject(new Error(`It took longer than ${MAX_WAIT_MS} ms.`)),
    MAX_WAIT_MS,
  );
  const outcome = await Promise.race([operation.catch((error: unknown) => error), timeout.promise]);
  clearTimeout(timer);
  return outcome;
}

test('with dead connections no request waits longer than the timeout, and the next one gets a new connection', async () => {
  const { link, db: linkedDb } = await openDbOverLink(3);
  link.dropPackets();
  assert.ok((await settleInTime(linkedDb.row(sql`select 1`))) instanceof DatabaseUnavailable);
  // One stuck connection means that the idle ones are stuck, too.
  assert.deepEqual(await linkedDb.row(sql`select 1 as one`), { one: 1 });

  link.dropPackets();
  const startedTransaction = linkedDb.transaction((tx) => tx.row(sql`select 1`));
  assert.ok(
    (await settleInTime(startedTransaction)) instanceof DatabaseUnavailable,
    'the rollback does not wait again',
  );
  assert.deepEqual(await linkedDb.row(sql`select 1 as one`), { one: 1 });
  await linkedDb.close();
});

test('connections that get stuck inside a transaction are discarded, even if the transaction continues', async () => {
  const { link, db: linkedDb } = await openDbOverLink(1);
  const continuingTransaction = linkedDb.transaction(async (tx) => {
    await tx.row(sql`select 1`);
    link.dropPackets();
    await tx.row(sql`select 1`).catch(() => undefined);
  });
  assert.ok((await settleInTime(continuingTransaction)) instanceof DatabaseUnavailable);
  assert.deepEqual(await linkedDb.row(sql`select 1 as one`), { one: 1 });
  await linkedDb.close();
});

test('while new connections are dead, too, every request fails in time; afterwards everything works again', async () => {
  const { link, db: linkedDb } = await openDbOverLink(2);
  link.dropPackets({ includesNewConnections: true });
  const pendingOutcomes = Array.from({ length: 12 }, () =>
    settleInTime(linkedDb.row(sql`select 1`)).then((outcome) =>
      assert.ok(outcome instanceof DatabaseUnavailable),
    ),
  );
  await Promise.all(pendingOutcomes);
  link.restore();
  assert.deepEqual(await linkedDb.row(sql`select 1 as one`), { one: 1 });
  await linkedDb.close();
});

test('concurrent shared statements are sent together; a failing one fails alone, unless it ends the connection', async () => {
  const readNow = () => db.shared.row<{ at: string }>(sql`select now()::text as at`);
  const [firstOutcome, failedOutcome, lastOutcome] = await Promise.allSettled([
    readNow(),
    db.shared.row(sql`select 1 / 0`),
    readNow(),
  ]);
  assert.equal((failedOutcome as PromiseRejectedResult).reason.code, '22012');
  assert.deepEqual([firstOutcome.status, lastOutcome.status], ['fulfilled', 'fulfilled']);
  const times = await Promise.all([readNow(), readNow(), readNow()]);
  assert.equal(new Set(times.map((row) => row!.at)).size, 1, 'in one trip all have the same now()');

  const cutStatement = db.shared.row(sql`select pg_terminate_backend(pg_backend_pid())`);
  await Promise.all([
    assert.rejects(cutStatement, DatabaseUnavailable),
    assert.rejects(readNow(), DatabaseUnavailable),
  ]);
  assert.ok(await readNow());
});

test('writes of shared statements are applied once, even if one of them fails', async () => {
  await db.run(sql`create table written_together (n int)`);
  const insert = (n: number) => db.shared.run(sql`insert into written_together (n) values (${n})`);
  await Promise.allSettled([insert(1), db.shared.row(sql`select 1 / 0`), insert(2)]);
  assert.deepEqual(await db.rows(sql`select n from written_together order by n`), [{ n: 1 }, { n: 2 }]);
});

test('with dead connections no shared statement waits longer than the timeout, even at the end of the queue', async () => {
  const { link, db: linkedDb } = await openDbOverLink(2);
  link.dropPackets({ includesNewConnections: true });
  const pendingOutcomes = Array.from({ length: 40 }, () => settleInTime(linkedDb.shared.row(sql`select 1`)));
  for (const outcome of await Promise.all(pendingOutcomes)) assert.ok(outcome instanceof DatabaseUnavailable);
  link.restore();
  assert.deepEqual(await linkedDb.shared.row(sql`select 1 as one`), { one: 1 });
  await linkedDb.close();
});

test('a transaction that throws is rolled back', async () => {
  const operation = db.transaction(async (tx) => {
    await tx.run(sql`insert into categories (slug, name) values ('nunca', 'Nunca')`);
    throw new Error('stop');
  });
  await assert.rejects(operation, /stop/);
  assert.equal(await service.db.row(sql`select 1 from categories where slug = 'nunca'`), undefined);
});

test('concurrent statements run in order, and each sees the effects of those before it', async () => {
  const outcomes = await db.transaction(async (tx) => {
    tx.queueWrite(sql`insert into categories (slug, name) values ('um', 'Um')`);
    const results = await Promise.all([
      tx.run(sql`update categories set name = 'Dois' where slug = 'um'`),
      tx.row(sql`select name from categories where slug = 'um'`),
    ]);
    tx.queueWrite(sql`delete from categories where slug = 'um'`);
    return results;
  });
  assert.deepEqual(outcomes, [1, { name: 'Dois' }]);
  assert.equal(await service.db.row(sql`select 1 from categories where slug = 'um'`), undefined);
});

test('a failing write that is not awaited fails the transaction, at the latest at the commit', async () => {
  const insertSameRow = () => sql`insert into categories (slug, name) values ('nunca', 'Nunca')`;
  const operation = db.transaction(async (tx) => {
    tx.queueWrite(insertSameRow());
    tx.queueWrite(insertSameRow());
  });
  await assert.rejects(operation, { code: '23505' });
  let lateWrite: Promise<unknown> | undefined;
  const transactionWithIgnoredError = db.transaction(async (tx) => {
    await tx.run(sql`select 1 / 0`).catch(() => undefined);
    lateWrite = Promise.resolve().then(() => tx.run(insertSameRow()));
    lateWrite.catch(() => undefined); // asserted below
  });
  await assert.rejects(transactionWithIgnoredError, { code: '22012' });
  await assert.rejects(lateWrite!);
  assert.equal(await service.db.row(sql`select 1 from categories where slug = 'nunca'`), undefined);
  assert.deepEqual(await db.row(sql`select 1 as one`), { one: 1 });
});

test('a write during the commit is refused, because it would not be part of the transaction', async () => {
  let lateWrite: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    tx.beforeCommit(() => {
      lateWrite = Promise.resolve().then(() => tx.queueWrite(sql`select 1`));
      lateWrite.catch(() => undefined); // asserted below
    });
    await tx.rows(sql`select 1`);
  });
  await assert.rejects(lateWrite!, /after the commit/);
});

test('unnamed statements are distinguished', async () => {
  const queryUnnamed = (text: string) => db.row({ text, name: '', values: [] });
  assert.deepEqual(await queryUnnamed('select 1 as one'), { one: 1 });
  assert.deepEqual(await queryUnnamed(`select 'b' as two, 3 as three`), { two: 'b', three: 3 });
});

test('values never become SQL', async () => {
  const text = `'; drop table customers; --`;
  assert.deepEqual(await db.row(sql`select ${text}::text as text`), { text });
});

test('a fragment becomes part of the statement, and its values stay parameters', async () => {
  const repeatWithPlus = (text: Sql) => sql`${text} || ${'+'}::text || ${text}`;
  const quoteAndA = `'a`;
  const buildStatement = () =>
    sql`select ${1}::int as n, ${repeatWithPlus(sql`${quoteAndA}::text`)} as text, ${2}::int as m`;
  const statement = buildStatement();
  assert.equal(statement.text, 'select $1::int as n, $2::text || $3::text || $4::text as text, $5::int as m');
  assert.deepEqual(await db.row(statement), { n: 1, text: `'a+'a`, m: 2 });
  assert.equal(buildStatement().name, statement.name);
});

test('notifications of a transaction are sent after its commit, once per batch, and when the pool closes; not after a rollback', async () => {
  const listener = new pg.Client({ connectionString: service.databaseUrl });
  await listener.connect();
  await listener.query('listen semana_changes');
  /** Makes a round trip, after which all earlier notifications have arrived. */
  const receiveNotifications = () => listener.query('select 1');
  const payloads: string[] = [];
  listener.on('notification', ({ payload }) => void (payload?.startsWith('test ') && payloads.push(payload)));
  const shortLivedDb = openDb({ url: service.databaseUrl, poolSize: 2, applicationName: 'db test' });
  const failingTransaction = shortLivedDb.transaction(async (tx) => {
    tx.notifyAfterCommit('test', 'never');
    throw new Error('stop');
  });
  await assert.rejects(failingTransaction, /stop/);
  await shortLivedDb.transaction(async (tx) => {
    for (const key of ['a', 'b', 'a']) tx.notifyAfterCommit('test', key);
    await receiveNotifications();
    assert.deepEqual(payloads, []);
  });
  await shortLivedDb.transaction(async (tx) => tx.notifyAfterCommit('test', 'c'));
  await shortLivedDb.close();
  await receiveNotifications();
  // Batches of two transactions may overtake each other.
  const keys = payloads.flatMap((payload) => payload.split(' ').slice(1));
  assert.deepEqual(keys.toSorted(), ['a', 'b', 'c']);
  await listener.end();
});

test('a check that runs with the commit prevents it, and the transaction is rejected with the error of the check', async () => {
  await db.transaction(async (tx) => {
    await tx.run(sql`create table if not exists checked (n int)`);
  });
  const refusedTransaction = db.transaction(async (tx) => {
    tx.beforeCommit(async () => {
      const limit = refuseIf(sql`select 7 as n`);
      await tx.rows(sql`select ${limit}`).catch((error: unknown) => {
        throw new Error(`refused: ${JSON.stringify(findRefusal(error))}`);
      });
    });
    tx.queueWrite(sql`insert into checked values (1)`);
  });
  await assert.rejects(refusedTransaction, { message: 'refused: [{"n":7}]' });
  const passedTransaction = db.transaction(async (tx) => {
    tx.beforeCommit(
      async () => void (await tx.rows(sql`select ${refuseIf(sql`select 7 as n where false`)}`)),
    );
    tx.queueWrite(sql`insert into checked values (2)`);
  });
  await passedTransaction;
  assert.deepEqual(await db.rows(sql`select n from checked`), [{ n: 2 }]);
});

test('64-bit integers are read as numbers, and dates as text', async () => {
  assert.deepEqual(await db.row(sql`select 5000000000::int8 as n, date '2026-02-14' as day`), {
    n: 5_000_000_000,
    day: '2026-02-14',
  });
  await db.close();
});
