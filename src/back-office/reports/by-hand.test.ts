/** Compares each report, also as CSV, with figures computed by hand from a small history, minus the figures of the demo data. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { enqueueTask, eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { MERCHANT, OPERATOR_KEY } from '../../../test/purchase-driver.ts';

const service = await openService();
const pixDriver = createPixDriver(service);
/** A Monday after all demo data is due and expired. */
const START = '2031-03-03T12:00:00.000Z';
const moveToDay = (days: number) =>
  service.clock.set(new Date(Date.parse(START) + days * DAY_MS).toISOString());

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const REPORT_NAMES = [
  'portfolio',
  'aging',
  'weekly',
  'cohorts',
  'cashback',
  'merchants',
  'income',
  'pix',
] as const;

async function readReports(): Promise<Record<(typeof REPORT_NAMES)[number], Body>> {
  const responses = await Promise.all(
    REPORT_NAMES.map((name) => service.staff('GET', `/admin/reports/${name}`, { key: OPERATOR_KEY })),
  );
  return Object.fromEntries(REPORT_NAMES.map((name, i) => [name, responses[i]!.body])) as Record<
    string,
    Body
  >;
}

/** Subtracts the numbers of two flat records. Omits fields whose numbers are equal. */
function subtract(after: Body, before: Body): Body {
  const entries = Object.keys(after)
    .filter((name) => typeof after[name] === 'number')
    .map((name) => [name, Math.round((after[name] - (before?.[name] ?? 0)) * 100) / 100]);
  return Object.fromEntries(entries.filter(([, value]) => value !== 0));
}

const findRow = (report: Body, field: string, value: string) =>
  report.data.find((row: Body) => row[field] === value);

const readCsv = async (name: string, query = '', headers: Record<string, string> = {}): Promise<string[]> => {
  const response = await fetch(`${service.staffUrl}/admin/reports/${name}${query}`, {
    headers: { 'x-api-key': OPERATOR_KEY, accept: 'text/csv', ...headers },
  });
  // Not text(), which removes the byte order mark.
  const text = Buffer.from(await response.arrayBuffer()).toString();
  assert.equal(response.status, 200, text);
  assert.match(response.headers.get('content-type')!, /^text\/csv/);
  return text.trimEnd().split('\r\n');
};

/** Returns the values of the column with this heading. */
function readColumn([headings, ...rows]: string[], heading: string) {
  const index = headings!.split(',').indexOf(heading);
  return rows.map((row) => row.split(',')[index]);
}

test('reports show the hand-computed figures of a purchase of 100.00, half paid early with cashback, half paid ten days late', async () => {
  // Cashback of the demo data must not expire between the reports that are compared.
  moveToDay(-30);
  await enqueueTask(service, 'cashback_expire');
  await eventually('the expired cashback of the demo is posted', async () => {
    const pendingExpiry = sql`select count(*) as count from graphile_worker.jobs where task_identifier = 'cashback_expire'`;
    return (await pixDriver.readCount(pendingExpiry)) === 0;
  });
  moveToDay(0);
  const plan = { merchant_fee_percent: 3, payout_days: 2 };
  const planResponse = await pixDriver.callStaff('PATCH', `/admin/merchants/${MERCHANT}`, { plan });
  assert.equal(planResponse.status, 200, planResponse.text);
  const reportsBefore = await readReports();
  const customer = await pixDriver.createCustomer();
  const terms = { cashback_percent: 5 };
  const { installments } = await pixDriver.sell(customer, { amount: 100, installments: 2, terms });
  const reportsAfterSale = await readReports();
  assert.deepEqual(subtract(reportsAfterSale.portfolio.open, reportsBefore.portfolio.open), {
    purchases: 1,
    financed: 100,
    outstanding: 100,
  });
  // 100.00 minus the merchant fee of 3 % is owed now, and due after two business days.
  assert.deepEqual(
    [
      subtract(reportsAfterSale.merchants.total, reportsBefore.merchants.total),
      subtract(reportsAfterSale.income.month, reportsBefore.income.month),
    ],
    [{ owed: 97 }, { merchant_fees: 3, total: 3 }],
  );
  for (const week of ['2031-03-10', '2031-03-17'])
    assert.equal(findRow(reportsAfterSale.weekly, 'week', week).expected, 50, week);

  moveToDay(6); // Sunday; the first installment is due on Monday.
  const earlyCharge = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  await pixDriver.payCharge(earlyCharge.txid);
  await pixDriver.waitForStatus(customer, earlyCharge.id, 'paid');
  const reportsAfterPayment = await readReports();
  // The first installment of 50.00 earned 5 % cashback.
  assert.deepEqual(subtract(reportsAfterPayment.portfolio.open, reportsBefore.portfolio.open), {
    purchases: 1,
    financed: 100,
    paid: 50,
    outstanding: 50,
  });
  assert.equal(subtract(reportsAfterPayment.merchants.total, reportsBefore.merchants.total).due, 97);
  assert.equal(findRow(reportsAfterPayment.weekly, 'week', '2031-03-03').received, 50);
  assert.deepEqual(
    [
      subtract(reportsAfterPayment.cashback, reportsAfterSale.cashback),
      reportsAfterPayment.cashback.month.earned,
    ],
    [{ owed: 2.5 }, 2.5],
  );

  moveToDay(24); // 27 March, ten days after the second due day, the 17th.
  const reportsWhenLate = await readReports();
  assert.deepEqual(subtract(reportsWhenLate.portfolio.overdue, reportsBefore.portfolio.overdue), {
    purchases: 1,
    financed: 100,
    paid: 50,
    outstanding: 50,
  });
  assert.deepEqual(
    subtract(
      findRow(reportsWhenLate.aging, 'days_late', '8-30'),
      findRow(reportsBefore.aging, 'days_late', '8-30'),
    ),
    { installments: 1, outstanding: 50 },
  );
  const { week, ...cohort } = findRow(reportsWhenLate.cohorts, 'week', '2031-03-03');
  assert.deepEqual(cohort, {
    purchases: 1,
    financed: 100,
    total: 100,
    paid: 50,
    discount: 0,
    returned: 0,
    outstanding: 50,
    overdue: 50,
    written_off: 0,
    paid_percent: 50,
    overdue_percent: 50,
  });
  assert.equal(week, reportsWhenLate.cohorts.data[0].week, 'latest week first');
  const [heading, row] = await readCsv('cohorts');
  assert.match(heading!, /^on,week,purchases,financed,total,/);
  assert.match(row!, /^2031-03-27,2031-03-03,1,100/);
  const ledgerSum = await service.db.row<{ cents: number }>(sql`
    select sum(amount_cents)::bigint as cents from ledger_entries where account in ('receivable', 'credit_losses')`);
  assert.equal(
    Math.round(reportsWhenLate.cohorts.total.outstanding * 100),
    ledgerSum!.cents,
    'equals the ledger',
  );
  // 50.00, a fine of 2 % (1.00) and late interest of 1 % a month for 10 days (0.1666).
  const paidCharge = await pixDriver.createCharge(customer, installments[1].id, 'settle_with_penalty', 51.16);
  const unpaidCharge = await pixDriver.createCharge(customer, installments[1].id, 'settle_partial', 10);
  await pixDriver.payCharge(paidCharge.txid);
  await pixDriver.waitForStatus(customer, paidCharge.id, 'paid');
  assert.ok(unpaidCharge.id);
  const reportsAfter = await readReports();
  assert.deepEqual(subtract(reportsAfter.income.month, reportsBefore.income.month), {
    penalties: 1.16,
    merchant_fees: 3,
    cashback: -2.5,
    total: 1.66,
  });
  assert.deepEqual(subtract(reportsAfter.portfolio.paid, reportsBefore.portfolio.paid), {
    purchases: 1,
    financed: 100,
    paid: 100,
  });
  assert.deepEqual(
    subtract(
      findRow(reportsAfter.aging, 'days_late', '8-30'),
      findRow(reportsBefore.aging, 'days_late', '8-30'),
    ),
    {},
  );
  assert.equal(findRow(reportsAfter.weekly, 'week', '2031-03-24').received, 51.16);
  // Three codes of 50.00, 51.16 and 10.00; the last one is unpaid.
  const { made, paid: paidCodes, paid_percent, made_value, paid_value } = reportsAfter.pix.total;
  assert.deepEqual([made, paidCodes, paid_percent, made_value, paid_value], [3, 2, 66.7, 111.16, 101.16]);
});

test('a CSV report has a line for each row or each group of figures, and each line has the day', async () => {
  const reports = await readReports();
  const day = '2031-03-27';
  const [heading, ...weeks] = await readCsv('weekly');
  assert.equal(heading, 'on,week,expected,received,refunded');
  // The report starts eight weeks before the current week.
  assert.deepEqual([weeks.length, weeks.at(8)], [13, `${day},2031-03-24,0.00,51.16,0.00`]);
  assert.deepEqual(readColumn(await readCsv('aging'), 'days_late'), ['1-7', '8-30', '31-90', '90+']);
  const [merchantsHeading] = await readCsv('merchants');
  assert.equal(merchantsHeading, 'on,merchant,name,owed,due,in_payouts');
  assert.equal((await readCsv('pix')).length, 1 + reports.pix.data.length);
  const portfolio = await readCsv('portfolio');
  const [portfolioHeading] = portfolio;
  assert.match(portfolioHeading!, /^on,worked_out_at,figures,purchases,financed,paid,returned,outstanding,/);
  assert.deepEqual(readColumn(portfolio, 'figures'), ['open', 'overdue', 'paid', 'returned', 'total']);
  const [, monthLine] = await readCsv('income');
  assert.equal(monthLine, `${day},month,0.00,1.16,0.00,3.00,-2.50,0.00,1.66`);
  const [, cashbackLine] = await readCsv('cashback');
  assert.match(cashbackLine!, new RegExp(`^${day},\\d+\\.\\d\\d,month,2\\.50,`));
});

test('CSV has the Brazilian format with ?csv=br or if the client prefers Portuguese', async () => {
  const monthLine = '2031-03-27;month;0,00;1,16;0,00;3,00;-2,50;0,00;1,66';
  for (const [heading, line] of [
    await readCsv('income', '?csv=br', { accept: '*/*' }),
    await readCsv('income', '', { 'accept-language': 'pt-BR,pt;q=0.9' }),
  ]) {
    assert.match(heading!, /^\ufeffon;figures;interest;/);
    assert.equal(line, monthLine);
  }
  const { body: trail } = await pixDriver.callStaff(
    'GET',
    '/admin/audit-trail?subject=export:getIncomeReport',
  );
  // Both CSVs of this test and the one of the test before.
  assert.equal(trail.data.length, 3);
});
