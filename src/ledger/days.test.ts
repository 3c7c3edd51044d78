/** Compares closed days with a plain sum of all entries, and tests the mismatches that the auditor reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Day, day, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { type Sql, sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { createPurchaseDriver, newCustomer } from '../../test/purchase-driver.ts';
import type { Account } from './accounts.ts';
import { closeDays, FIRST_DAY, findLastClosableDay, sumAccounts } from './days.ts';
import { post, queueMerchantPosting } from './post.ts';

const service = await openService();
const driver = createPurchaseDriver(service);
const { db } = service;
const { id: customerId } = await newCustomer(service);
/** A day before the demo data. Postings of that day are backdated, unless the test sets when they were written. */
const MONDAY = day('2025-03-03');
const TUESDAY = addDays(MONDAY, 1);
const WEDNESDAY = addDays(MONDAY, 2);
/** The penalties that the first test posts on four days from MONDAY, in centavos. */
const DAILY_PENALTIES = [1_000, 1_001, 1_002, 1_003];
let postingCount = 0;
const UNKNOWN_MERCHANT_ID = 999_999;

/** Posts an amount with a past date, and makes it look as if it had been written on that date. */
async function postInTime(
  postedAt: string | number,
  cents: number,
  sourceAccount: Account = 'receivable',
): Promise<void> {
  const reference = await postBackdated(postedAt, cents, sourceAccount);
  await runUnguarded(sql`update ledger_postings set written_at = posted_at where reference = ${reference}`);
}

/** Posts an amount with a past date. It is written now, so it is backdated. Returns the reference of the posting. */
async function postBackdated(
  postedAt: string | number,
  cents: number,
  sourceAccount: Account = 'receivable',
): Promise<string> {
  const reference = `move ${++postingCount}`;
  const postingDate = new Date(postedAt);
  const buildEntry = (account: Account, amountCents: number) => ({
    account,
    amountCents,
    installmentId: null,
  });
  const entries = [buildEntry('pix_clearing', cents), buildEntry(sourceAccount, -cents)];
  const posting = { customerId, reference, kind: 'receipt', occurredAt: postingDate, entries };
  await customerTransaction(db, customerId, async (tx) => post(tx, posting, postingDate));
  return reference;
}

/** Bypasses the triggers that keep the ledger append-only. */
async function runUnguarded(statement: Sql): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(statement);
  });
}

/** Sums all entries one by one, without daily sums. */
async function sumEntries(from: Day, to: Day): Promise<Map<string, number>> {
  const entries = await db.rows<{ account: string; amount_cents: number; posted_at: Date }>(sql`
    select e.account, e.amount_cents, p.posted_at
    from ledger_entries e join ledger_postings p on p.customer_id = e.customer_id and p.id = e.posting_id
    union all
    select e.account, e.amount_cents, p.posted_at
    from merchant_entries e join merchant_postings p on p.merchant_id = e.merchant_id and p.id = e.posting_id`);
  const sums = new Map<string, number>();
  for (const { account, amount_cents, posted_at } of entries) {
    const postedOn = saoPauloDay(posted_at.getTime());
    if (postedOn >= from && postedOn <= to) sums.set(account, (sums.get(account) ?? 0) + amount_cents);
  }
  return sums;
}

/** Drops accounts whose sum is zero. */
const toSortedObject = (sums: ReadonlyMap<string, number>) =>
  Object.fromEntries([...sums].filter(([, amount]) => amount !== 0).sort());

/** Compares the sums of every range within the days that tests use: from the day before MONDAY to five days after it. */
async function assertSums(): Promise<void> {
  for (let fromOffset = -1; fromOffset <= 5; fromOffset++) {
    for (let toOffset = fromOffset; toOffset <= 5; toOffset++) {
      const range = { from: addDays(MONDAY, fromOffset), to: addDays(MONDAY, toOffset) };
      const [actual, expected] = [await sumAccounts(db, range), await sumEntries(range.from, range.to)];
      assert.deepEqual(toSortedObject(actual), toSortedObject(expected), `${range.from} to ${range.to}`);
    }
  }
  const farFutureDay = day('2199-12-31');
  assert.deepEqual(
    toSortedObject(await sumAccounts(db, { to: farFutureDay })),
    toSortedObject(await sumEntries(FIRST_DAY, farFutureDay)),
  );
}

/** Returns the mismatches after tampering, and asserts that there are none before it and after the repair. */
async function listMismatchesAfter(tampering: Sql, repair: Sql): Promise<string[]> {
  const listDayMismatches = async () =>
    (await driver.listMismatches()).filter((text) => text.startsWith('the closed day'));
  assert.deepEqual(await listDayMismatches(), []);
  await runUnguarded(tampering);
  const mismatches = await listDayMismatches();
  await runUnguarded(repair);
  assert.deepEqual(await listDayMismatches(), []);
  return mismatches;
}

test('the sum of a period is the same when none, some and all of its days are closed', async () => {
  for (const [i, penalty] of DAILY_PENALTIES.entries()) {
    await postInTime(startOfDay(addDays(MONDAY, i)), 100 + i);
    await postInTime(endOfDay(addDays(MONDAY, i)) - 1, penalty, 'penalty_income');
  }
  const now = new Date(startOfDay(MONDAY));
  const entries = [
    { account: 'merchant_payable', amountCents: 30 },
    { account: 'fee_income', amountCents: -30 },
  ] as const;
  const posting = {
    merchantId: UNKNOWN_MERCHANT_ID,
    reference: 'fee 1',
    kind: 'fee',
    occurredAt: now,
    entries,
  };
  await db.transaction(async (tx) => queueMerchantPosting(tx, posting, now));
  await assertSums();
  await closeDays(db, TUESDAY);
  await assertSums();
  await closeDays(db, addDays(MONDAY, 3));
  await assertSums();
});

test('days are separated at midnight in São Paulo, three hours after UTC', async () => {
  await postInTime('2025-03-08T02:59:59.999Z', 7);
  await postInTime('2025-03-08T03:00:00.000Z', 11);
  const sumReceivable = async (postedOn: Day) =>
    (await sumAccounts(db, { from: postedOn, to: postedOn })).get('receivable');
  assert.deepEqual(
    [await sumReceivable(day('2025-03-07')), await sumReceivable(day('2025-03-08'))],
    [-7, -11],
  );
  await closeDays(db, day('2025-03-07'));
  assert.deepEqual(
    [await sumReceivable(day('2025-03-07')), await sumReceivable(day('2025-03-08'))],
    [-7, -11],
  );
});

test('closing days twice or concurrently changes nothing', async () => {
  const saturday = addDays(MONDAY, 5);
  await Promise.all([closeDays(db, saturday), closeDays(db, saturday)]);
  const listDays = () =>
    db.rows(sql`select day, account, amount_cents from ledger_days order by day, account`);
  const daysBefore = await listDays();
  await closeDays(db, saturday);
  await closeDays(db, MONDAY);
  assert.deepEqual(await listDays(), daysBefore);
});

test('a posting into a closed day is in its sums, and the auditor agrees', async () => {
  const sumReceivable = async () =>
    (await sumAccounts(db, { from: TUESDAY, to: TUESDAY })).get('receivable')!;
  const receivableBefore = await sumReceivable();
  await postBackdated(startOfDay(TUESDAY), 5_000);
  assert.equal(await sumReceivable(), receivableBefore - 5_000);
  await assertSums();
  assert.deepEqual(
    (await driver.listMismatches()).filter((text) => text.startsWith('the closed day')),
    [],
  );
});

test('a sale made while the clock is set back a year is part of the sums of that day, also after the clock is set forward', async () => {
  const realNow = new Date();
  service.clock.set(realNow.toISOString());
  const customer = await driver.createCustomer();
  await driver.sell(customer, { amount: 40, installments: 1 });
  await closeDays(db, findLastClosableDay(service.clock.now()));
  const sumReceivableTo = async (to: Day) => (await sumAccounts(db, { to })).get('receivable') ?? 0;
  const today = saoPauloDay(realNow.getTime());
  const receivableBefore = await sumReceivableTo(today);
  const mismatchesBefore = await driver.listMismatches();
  service.clock.set(new Date(realNow.getTime() - 365 * DAY_MS).toISOString());
  const dayYearAgo = saoPauloDay(service.clock.now().getTime());
  const receivableYearAgoBefore = await sumReceivableTo(dayYearAgo);
  await driver.sell(await driver.createCustomer(), { amount: 100, installments: 1 });
  assert.equal((await sumReceivableTo(dayYearAgo)) - receivableYearAgoBefore, 10_000);
  service.clock.set(realNow.toISOString());
  await closeDays(db, findLastClosableDay(service.clock.now()));
  assert.equal((await sumReceivableTo(today)) - receivableBefore, 10_000);
  assert.equal((await sumReceivableTo(dayYearAgo)) - receivableYearAgoBefore, 10_000);
  assert.deepEqual(await driver.listMismatches(), mismatchesBefore);
});

test('the auditor reports an account that a closed day should not have', async () => {
  const mismatches = await listMismatchesAfter(
    sql`insert into ledger_days (day, account, amount_cents) values (${MONDAY}, 'credit_losses', 5)`,
    sql`delete from ledger_days where account = 'credit_losses' and day = ${MONDAY}`,
  );
  assert.deepEqual(mismatches, [`the closed day ${MONDAY}: credit_losses is 5, should be 0`]);
});

test('the auditor reports an account that a closed day lacks', async () => {
  const mismatches = await listMismatchesAfter(
    sql`update ledger_days set account = 'other_account' where day = ${TUESDAY} and account = 'penalty_income'`,
    sql`update ledger_days set account = 'penalty_income' where account = 'other_account'`,
  );
  assert.deepEqual(mismatches.toSorted(), [
    `the closed day ${TUESDAY}: other_account is -1001, should be 0`,
    `the closed day ${TUESDAY}: penalty_income is 0, should be -1001`,
  ]);
});

test('the auditor reports days with swapped sums, although the total is the same', async () => {
  // The sum of both days minus the sum of one is the sum of the other.
  const swapSums = sql`
    update ledger_days set amount_cents = -1001 - 1002 - amount_cents
    where account = 'penalty_income' and day in (${TUESDAY}, ${WEDNESDAY})`;
  assert.deepEqual(await listMismatchesAfter(swapSums, swapSums), [
    `the closed day ${TUESDAY}: penalty_income is -1002, should be -1001`,
    `the closed day ${WEDNESDAY}: penalty_income is -1001, should be -1002`,
  ]);
});

test('the auditor reports a sum of a day that is not closed', async () => {
  const mismatches = await listMismatchesAfter(
    sql`insert into ledger_days (day, account, amount_cents) values ('2199-01-01', 'receivable', 1)`,
    sql`delete from ledger_days where day = '2199-01-01'`,
  );
  assert.deepEqual(mismatches, ['the closed day 2199-01-01: receivable is 1, should be 0']);
});

test('a day can be closed an hour after its end, both by the clock and in real time', () => {
  const realNow = Date.now();
  assert.equal(findLastClosableDay(new Date('2025-03-07T03:59:59.999Z')), '2025-03-05');
  assert.equal(findLastClosableDay(new Date('2025-03-07T04:00:00.000Z')), '2025-03-06');
  assert.ok(
    findLastClosableDay(new Date(realNow + 400 * DAY_MS)) < saoPauloDay(realNow),
    'no day closes while a clock is ahead',
  );
});
