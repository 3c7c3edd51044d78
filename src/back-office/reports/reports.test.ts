/** Compares every report with a slow and simple recomputation on the day of the report. Past days are compared again later. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Day, endOfDay, saoPauloDay } from '#core/values/day.ts';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { recomputeFigures, toMonday, updateFigureSums } from '#credit';
import { closeDays } from '#ledger';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';

const service = await openService();
const pixDriver = createPixDriver(service);
const runCommand = createCommandRunner(service);
/** A Monday after the demo was seeded. */
const START = '2031-03-03T12:00:00.000Z';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const getBody = async (path: string): Promise<Body> => {
  const { status, body, text } = await service.staff('GET', path, { key: OPERATOR_KEY });
  assert.equal(status, 200, text);
  return body;
};
const readReport = (name: string, day?: string) =>
  getBody(`/admin/reports/${name}${day ? `?on=${day}` : ''}`);
const toCents = (reais: number) => Math.round(reais * 100);
const toReais = (cents: number) => cents / 100;
const sumBy = <T>(rows: T[], getReais: (row: T) => number): number =>
  toReais(rows.reduce((total, row) => total + toCents(getReais(row)), 0));

/** Moves the clock to noon, this number of days after the start. */
function moveClockToDay(days: number): Day {
  service.clock.set(new Date(Date.parse(START) + days * DAY_MS).toISOString());
  return saoPauloDay(service.clock.now().getTime());
}

/** Reads all purchases from the staff API. */
async function readPurchases(): Promise<Body[]> {
  const { data } = await getBody('/admin/checkouts?limit=100');
  return Promise.all(data.map(({ hash }: { hash: string }) => pixDriver.getCheckout(hash)));
}

const AGE_BUCKETS: Array<[name: string, minDays: number, maxDays: number]> = [
  ['1-7', 1, 7],
  ['8-30', 8, 30],
  ['31-90', 31, 90],
  ['90+', 91, Number.POSITIVE_INFINITY],
];

/** Recomputes the figures from every purchase and installment of the staff API. */
async function recompute(day: Day) {
  const purchases = await readPurchases();
  const toRow = (selectedPurchases: Body[]) => ({
    purchases: selectedPurchases.length,
    financed: sumBy(selectedPurchases, ({ amounts }) => amounts.financed),
    paid: sumBy(selectedPurchases, ({ amounts }) => amounts.paid),
    returned: sumBy(selectedPurchases, ({ amounts }) => amounts.returned),
    outstanding: sumBy(selectedPurchases, ({ amounts }) => amounts.outstanding),
    written_off: selectedPurchases.filter(({ written_off_at }) => written_off_at).length,
    written_off_outstanding: sumBy(
      selectedPurchases.filter(({ written_off_at }) => written_off_at),
      ({ amounts }) => amounts.outstanding,
    ),
  });
  const getStatus = ({ status, returned_at }: Body) => (returned_at ? 'returned' : status);
  const toStatusRow = (status: string) =>
    toRow(purchases.filter((purchase) => getStatus(purchase) === status));
  const installments = purchases.flatMap(({ hash, written_off_at, installments: checkoutInstallments }) =>
    checkoutInstallments.map((installment: Body) => ({ ...installment, hash, written_off_at })),
  );
  const overdueInstallments = installments.filter(
    ({ outstanding, effective_due_on }) => outstanding > 0 && effective_due_on < day,
  );
  const aging = AGE_BUCKETS.map(([days_late, minDays, maxDays]) => {
    const isInBucket = (daysLate: number) => daysLate >= minDays && daysLate <= maxDays;
    const bucketInstallments = overdueInstallments.filter(({ penalty }) => isInBucket(penalty.days_late));
    return {
      days_late,
      installments: bucketInstallments.length,
      outstanding: sumBy(bucketInstallments, (installment) => installment.outstanding),
      written_off: sumBy(
        bucketInstallments.filter(({ written_off_at }) => written_off_at),
        (installment) => installment.outstanding,
      ),
    };
  });
  const sumExpected = (week: string) =>
    sumBy(
      installments.filter(({ due_on }) => toMonday(due_on) === week),
      ({ amount, returned }) => toReais(toCents(amount) - toCents(returned)),
    );
  const getWeek = ({ purchased_at }: Body) => toMonday(saoPauloDay(Date.parse(purchased_at)));
  const cohorts = [...Map.groupBy(purchases, getWeek)]
    .map(([week, selectedPurchases]) => ({
      week,
      purchases: selectedPurchases.length,
      financed: sumBy(selectedPurchases, ({ amounts }) => amounts.financed),
      total: sumBy(selectedPurchases, (purchase) =>
        sumBy(purchase.installments, ({ amount }: Body) => amount),
      ),
      paid: sumBy(selectedPurchases, ({ amounts }) => amounts.paid),
      discount: sumBy(selectedPurchases, (purchase) =>
        sumBy(purchase.installments, ({ discount }: Body) => discount),
      ),
      returned: sumBy(selectedPurchases, ({ amounts }) => amounts.returned),
      outstanding: sumBy(selectedPurchases, ({ amounts }) => amounts.outstanding),
      overdue: sumBy(
        overdueInstallments.filter(({ hash }) =>
          selectedPurchases.some((purchase) => purchase.hash === hash),
        ),
        (installment) => installment.outstanding,
      ),
      written_off: sumBy(
        selectedPurchases.filter(({ written_off_at }) => written_off_at),
        ({ amounts }) => amounts.outstanding,
      ),
    }))
    .sort((a, b) => (a.week < b.week ? 1 : -1));
  return {
    cohorts,
    portfolio: {
      open: toStatusRow('open'),
      overdue: toStatusRow('overdue'),
      paid: toStatusRow('paid'),
      returned: toStatusRow('returned'),
      total: toRow(purchases),
    },
    aging,
    sumExpected,
  };
}

type RecomputedFigures = Awaited<ReturnType<typeof recompute>>;

/** Compares the reports as of `requestedDay`, or as of today if it is undefined. */
async function assertCreditReports(
  expected: RecomputedFigures,
  day: Day,
  requestedDay?: string,
): Promise<void> {
  const {
    on: reportDay,
    worked_out_at: _computedAt,
    ...portfolio
  } = await readReport('portfolio', requestedDay);
  assert.deepEqual([reportDay, portfolio], [day, expected.portfolio]);
  const aging = await readReport('aging', requestedDay);
  assert.deepEqual(aging.data, expected.aging, day);
  const { data: cohorts, total } = await readReport('cohorts', requestedDay);
  const figures = cohorts.map(({ paid_percent: _paid, overdue_percent: _late, ...row }: Body) => row);
  assert.deepEqual(figures, expected.cohorts, day);
  assert.deepEqual(
    [total.financed, total.outstanding],
    [expected.portfolio.total.financed, expected.portfolio.total.outstanding],
  );
  const { data: weeks } = await readReport('weekly', requestedDay);
  assert.equal(weeks.length, 13, 'eight weeks before, the week of the day, and four after it');
  for (const { week, expected: amount } of weeks)
    assert.equal(amount, expected.sumExpected(week), `${day}, week of ${week}`);
}

const checkedDays: Array<{ day: Day; expected: RecomputedFigures }> = [];

/**
 * Compares today's reports before and after the queued changes are added to the sums, and stores the recomputed figures so that later
 * tests can request the same day again.
 */
async function checkToday(day: Day): Promise<void> {
  const expected = await recompute(day);
  await assertCreditReports(expected, day);
  await updateFigureSums(service.db, service.clock.now());
  assert.equal(await service.db.value(sql`select count(*) from credit_changes`), 0);
  await assertCreditReports(expected, day);
  checkedDays.push({ day, expected });
}

const BEFORE_ALL_DAYS = '2000-01-01';

/** Sums the ledger entries that were posted between two days. Credits, which the ledger stores as negative amounts, are positive. */
async function sumLedger(from: string, to: Day): Promise<Record<string, number>> {
  const ledgerEntries = await service.db.rows<{ account: string; amount_cents: number; posted_at: Date }>(sql`
    select e.account, e.amount_cents, p.posted_at
    from ledger_entries e join ledger_postings p on p.customer_id = e.customer_id and p.id = e.posting_id
    union all
    select e.account, e.amount_cents, p.posted_at
    from merchant_entries e join merchant_postings p on p.merchant_id = e.merchant_id and p.id = e.posting_id`);
  const sums: Record<string, number> = {};
  for (const { account, amount_cents, posted_at } of ledgerEntries) {
    const day = saoPauloDay(posted_at.getTime());
    if (day >= from && day <= to) sums[account] = (sums[account] ?? 0) - amount_cents;
  }
  return sums;
}

async function assertLedgerReports(day: Day): Promise<void> {
  const income = await readReport('income', day);
  for (const [period, from] of [
    ['ever', BEFORE_ALL_DAYS],
    ['month', `${day.slice(0, 8)}01`],
  ] as const) {
    const sums = await sumLedger(from, day);
    const { total, ...figures } = income[period];
    const getSum = (account: string) => toReais(sums[account] ?? 0);
    assert.deepEqual(
      [figures.interest, figures.penalties, figures.extensions, figures.merchant_fees],
      ['finance_income', 'penalty_income', 'extension_income', 'fee_income'].map(getSum),
      `${day} ${period}`,
    );
    assert.deepEqual(
      [figures.cashback, figures.losses],
      [getSum('cashback_expense'), getSum('credit_losses')],
    );
    assert.equal(
      total,
      sumBy(Object.values(figures) as number[], (amount) => amount),
    );
  }
  const { owed } = await readReport('cashback', day);
  const balances = await service.db.rows<{ customer_id: string; cents: number }>(sql`
    select distinct on (customer_id) customer_id, balance_after_cents as cents from cashback_movements
    where occurred_at < ${new Date(endOfDay(day))} order by customer_id, position desc`);
  assert.equal(
    owed,
    sumBy(balances, ({ cents }) => toReais(cents)),
  );
  const { data, total } = await readReport('merchants', day);
  const accounts = await service.db.rows<{ slug: string; cents: number }>(sql`
    select merchant_slug as slug, sum(amount_cents)::bigint as cents from merchant_lines
    where occurred_at < ${new Date(endOfDay(day))} group by merchant_slug having sum(amount_cents) <> 0`);
  const sortByMerchant = (rows: Array<[merchant: string, owed: number]>) =>
    rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(
    sortByMerchant(data.filter((row: Body) => row.owed !== 0).map((row: Body) => [row.merchant, row.owed])),
    sortByMerchant(accounts.map(({ slug, cents }) => [slug, toReais(cents)])),
  );
  assert.equal(
    total.owed,
    sumBy(data, (row: Body) => row.owed),
  );
}

const terms = { weekly_rate_percent: 1, cashback_percent: 5 };
const firstDay = moveClockToDay(0);
const customer = await pixDriver.createCustomer({ limitReais: 100_000 });
const firstCheckout = await pixDriver.sell(customer, { amount: 300, installments: 4, terms });
const secondCheckout = await pixDriver.sell(customer, { amount: 99.99, installments: 3 });

test('reports of today equal a simple recomputation, after payments, returns, write-offs and a chargeback', async () => {
  await checkToday(firstDay);

  const secondDay = moveClockToDay(6);
  await pixDriver.pay(customer.id, firstCheckout.installments[0].id, firstCheckout.installments[0].amount);
  await pixDriver.pay(customer.id, secondCheckout.installments[0].id, 10);
  const otherCustomer = await pixDriver.createCustomer();
  const thirdCheckout = await pixDriver.sell(otherCustomer, { amount: 50, installments: 1, terms });
  await checkToday(secondDay);

  const thirdDay = moveClockToDay(20);
  const { pix_options } = (await pixDriver.getCheckout(secondCheckout.hash)).installments[1];
  const extensionFee = pix_options.find(({ type }: Body) => type === 'extend').value;
  await pixDriver.pay(customer.id, secondCheckout.installments[1].id, extensionFee, { purpose: 'extend' });
  await pixDriver.requestReturn(firstCheckout.hash, 60);
  await pixDriver.writeOff(thirdCheckout.hash);
  await checkToday(thirdDay);

  const dayBetween = moveClockToDay(21);
  const returnedCheckout = await pixDriver.sell(await pixDriver.createCustomer(), {
    amount: 80,
    installments: 2,
    terms,
  });
  await pixDriver.requestReturn(returnedCheckout.hash, 30);
  await checkToday(dayBetween);
  moveClockToDay(22);
  await pixDriver.requestReturn(returnedCheckout.hash, 50);

  const fourthDay = moveClockToDay(70);
  await pixDriver.reinstate(thirdCheckout.hash);
  await pixDriver.writeOff(secondCheckout.hash);
  const { reference } = await pixDriver.pay(customer.id, firstCheckout.installments[2].id, 30);
  await checkToday(fourthDay);

  const fifthDay = moveClockToDay(130);
  await pixDriver.chargeBack(customer.id, firstCheckout.installments[2].id, reference);
  await pixDriver.pay(customer.id, secondCheckout.installments[2].id, 20);
  await checkToday(fifthDay);
  await pixDriver.callStaff('POST', '/admin/payouts');
  const payouts = await getBody('/admin/payouts?status=pending');
  await pixDriver.callStaff('POST', `/admin/payouts/${payouts.data[0].id}/paid`, { reference: 'TED 1' });
});

test('the pix report has the charges of the last thirty days, and the paid ones among them', async () => {
  const createCharge = ({ id }: { id: string }, amount: number) =>
    pixDriver.createCharge(customer, id, 'settle_partial', amount);
  await createCharge(firstCheckout.installments[3], 5); // not paid
  const paidCharge = await createCharge(secondCheckout.installments[0], 7);
  await pixDriver.payCharge(paidCharge.txid);
  await pixDriver.waitForStatus(customer, paidCharge.id, 'paid');
  const { data, total, from } = await readReport('pix'); // `made`: created charges
  assert.deepEqual([from, total.made, total.paid, total.paid_percent], ['2031-06-12', 2, 1, 50]);
  assert.deepEqual([data[0].type, data[0].made_value, data[0].paid_value], ['settle_partial', 12, 7]);
});

test('reports of past days equal the recomputation that was made on the day', async () => {
  moveClockToDay(131);
  assert.ok(
    checkedDays.at(-1)!.expected.portfolio.overdue.written_off === 1,
    'the history includes a write-off',
  );
  const { returned } = checkedDays.at(-1)!.expected.portfolio;
  assert.deepEqual(
    [returned.purchases, returned.paid, returned.returned, returned.outstanding],
    [1, 0, 81.2, 0], // 80.00 and its interest of 1 % a week: 81.20 in all.
  );
  for (const { day, expected } of checkedDays.slice(0, -1)) await assertCreditReports(expected, day, day);
  const today = saoPauloDay(service.clock.now().getTime());
  assert.deepEqual(
    (await readReport('portfolio')).total,
    (await recompute(today)).portfolio.total,
    'equals the purchases of today',
  );
});

test('ledger reports equal the sums of the entries, before and after days are closed', async () => {
  const today = saoPauloDay(service.clock.now().getTime());
  const [thirdDay, lastDay] = [checkedDays[2]!.day, checkedDays.at(-1)!.day];
  for (const { day } of checkedDays) await assertLedgerReports(day);
  await closeDays(service.db, thirdDay);
  for (const { day } of checkedDays) await assertLedgerReports(day);
  for (let i = 0; i < 2; i++) await closeDays(service.db, lastDay); // idempotent
  for (const { day } of [...checkedDays, { day: today }]) await assertLedgerReports(day);
});

test('the audit finds a closed day whose sum was changed', async () => {
  const listDayErrors = async () =>
    (await pixDriver.listMismatches()).filter((text) => text.startsWith('the closed day'));
  assert.deepEqual(await listDayErrors(), []);
  await service.db.transaction(async (tx) => {
    await tx.run(sql`alter table ledger_days disable trigger all`);
    await tx.run(sql`update ledger_days set amount_cents = amount_cents + 1 where account = 'credit_losses'`);
    await tx.run(sql`alter table ledger_days enable trigger all`);
  });
  const [dayError] = await listDayErrors();
  assert.match(dayError!, /credit_losses is \d+, should be/);
});

const listSumErrors = async () =>
  (await pixDriver.listMismatches()).filter((text) => text.startsWith('the sums of purchases'));

test('the audit finds a sum of purchases that was changed, a missing sum, and a lost change', async () => {
  const day = saoPauloDay(service.clock.now().getTime());
  assert.deepEqual(await listSumErrors(), []);
  await service.db.run(
    sql`update credit_sums set paid_cents = paid_cents + 1 where kind = 'cohort' and week = '2031-03-03'`,
  );
  const [error, ...otherErrors] = await listSumErrors();
  assert.match(
    error!,
    /^the sums of purchases, cohort -infinity 2031-03-03: paid_cents is \d+, should be \d+$/,
  );
  assert.deepEqual(otherErrors, []);
  await service.db.run(
    sql`update credit_sums set paid_cents = paid_cents - 1 where kind = 'cohort' and week = '2031-03-03'`,
  );
  assert.deepEqual(await listSumErrors(), []);

  const { hash } = await pixDriver.sell(await pixDriver.createCustomer(), { amount: 40, installments: 1 });
  assert.deepEqual(await listSumErrors(), []);
  // The queued changes without `late_after` are those of installments.
  await service.db.run(sql`delete from credit_changes where late_after is null`);
  assert.match(
    (await listSumErrors()).join(),
    /age .*: item_count is 0, should be 1.*due .*: total_cents is/,
  );
  await service.db.run(sql`delete from credit_sums_progress`);
  // The next report computes all sums again.
  await assertCreditReports(await recompute(day), day);
  assert.deepEqual(await listSumErrors(), []);
  await pixDriver.requestReturn(hash, 40);
  await assertCreditReports(await recompute(day), day);
});

test('reports after the clock is set back are computed from all purchases, not from sums of later days', async () => {
  const day = moveClockToDay(100);
  const { outstanding } = await readReport('aging');
  const lateSum = await service.db.value<number>(sql`
    select sum(outstanding_cents)::bigint from installments where effective_due_on < ${day}`);
  assert.deepEqual([toCents(outstanding), await listSumErrors()], [lateSum, []]);
  moveClockToDay(131);
});

test('received and refunded amounts by week equal the receipts and refunds of the week', async () => {
  // Part 0 is the payment itself; a higher part was moved from another installment.
  const receipts = await service.db.rows<{ received_at: Date; amount_cents: number }>(sql`
    select received_at, amount_cents from receipts where part = 0 and source <> 'cashback'`);
  const refunds = await service.db.rows<{ settled_at: Date; amount_cents: number }>(sql`
    select settled_at, amount_cents from pix_refunds where status = 'returned'`);
  for (const { day } of checkedDays) {
    const { data } = await readReport('weekly', day);
    const isInWeek = (instant: Date, week: string) =>
      toMonday(saoPauloDay(instant.getTime())) === week && saoPauloDay(instant.getTime()) <= day;
    for (const { week, received, refunded } of data) {
      const weekReceipts = receipts.filter(({ received_at }) => isInWeek(received_at, week));
      assert.equal(
        received,
        sumBy(weekReceipts, ({ amount_cents }) => toReais(amount_cents)),
      );
      const weekRefunds = refunds.filter(({ settled_at }) => isInWeek(settled_at, week));
      assert.equal(
        refunded,
        sumBy(weekRefunds, ({ amount_cents }) => toReais(amount_cents)),
      );
    }
  }
});

test('a past day is computed once and stored; a future day is refused', async () => {
  const oldDay = '2020-01-02' as Day;
  const firstReport = await readReport('portfolio', oldDay);
  service.clock.advance(MINUTE_MS);
  assert.deepEqual(await readReport('portfolio', oldDay), firstReport, 'the stored figures are returned');
  assert.equal((await recomputeFigures(service.db, oldDay)).byStatus.open.purchases, 0);
  for (const name of ['portfolio', 'aging', 'weekly', 'cashback', 'merchants', 'income', 'pix']) {
    const refusedResponse = await service.staff('GET', `/admin/reports/${name}?on=2199-01-01`, {
      key: OPERATOR_KEY,
    });
    assert.deepEqual([refusedResponse.status, refusedResponse.body.code], [400, 'validation_failed']);
    assert.match(await runCommand(`reports ${name}`), /^ *on /m);
  }
  const { day } = checkedDays[0]!;
  const printedReport = JSON.parse(await runCommand('reports income', '--json', '--on', day));
  assert.deepEqual(printedReport, await readReport('income', day));
});
