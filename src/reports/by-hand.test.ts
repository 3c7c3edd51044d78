/** Each report against figures worked out by hand from a small history, and as CSV. The demo's figures are taken off. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';
import { MERCHANT, OPERATOR_KEY } from '../../test/shop.ts';
import { openTill } from '../../test/till.ts';

const service = await openService();
const till = openTill(service);
/** A Monday, after everything of the demo has fallen due and expired. */
const START = '2031-03-03T12:00:00.000Z';
const onDay = (days: number) => service.clock.set(new Date(Date.parse(START) + days * DAY_MS).toISOString());

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const NAMES = ['portfolio', 'aging', 'weekly', 'cohorts', 'cashback', 'merchants', 'income', 'pix'] as const;

async function reports(): Promise<Record<(typeof NAMES)[number], Body>> {
  const answers = await Promise.all(
    NAMES.map((name) => service.staff('GET', `/admin/reports/${name}`, { key: OPERATOR_KEY })),
  );
  return Object.fromEntries(NAMES.map((name, i) => [name, answers[i]!.body])) as Record<string, Body>;
}

/** Numbers of a flat record less those of another; what did not change is left out. */
function less(after: Body, before: Body): Body {
  const entries = Object.keys(after)
    .filter((name) => typeof after[name] === 'number')
    .map((name) => [name, Math.round((after[name] - (before?.[name] ?? 0)) * 100) / 100]);
  return Object.fromEntries(entries.filter(([, value]) => value !== 0));
}

const rowOf = (report: Body, field: string, value: string) =>
  report.data.find((row: Body) => row[field] === value);

const csv = async (name: string, query = '', headers: Record<string, string> = {}): Promise<string[]> => {
  const answer = await fetch(`${service.staffUrl}/admin/reports/${name}${query}`, {
    headers: { 'x-api-key': OPERATOR_KEY, accept: 'text/csv', ...headers },
  });
  // With the byte order mark, which text() leaves out.
  const text = Buffer.from(await answer.arrayBuffer()).toString();
  assert.equal(answer.status, 200, text);
  assert.match(answer.headers.get('content-type')!, /^text\/csv/);
  return text.trimEnd().split('\r\n');
};

test('100.00 in two, the first paid a day early with cashback, the second ten days late', async () => {
  onDay(-30);
  await service.db.run(sql`select 1 from graphile_worker.add_job('cashback_expire')`);
  await eventually('what expired of the demo is written down', async () => {
    const open = sql`select count(*) as count from graphile_worker.jobs where task_identifier = 'cashback_expire'`;
    return (await till.count(open)) === 0;
  });
  onDay(0);
  const plan = { merchant_fee_percent: 3, payout_days: 2 };
  const planned = await till.staff('PATCH', `/admin/merchants/${MERCHANT}`, { plan });
  assert.equal(planned.status, 200, planned.text);
  const before = await reports();
  const by = await till.newShopper();
  const terms = { cashback_percent: 5 };
  const { installments } = await till.sell(by, { amount: 100, installments: 2, terms });
  const sold = await reports();
  assert.deepEqual(less(sold.portfolio.open, before.portfolio.open), {
    purchases: 1,
    financed: 100,
    outstanding: 100,
  });
  // Due after two business days.
  assert.deepEqual(
    [less(sold.merchants.total, before.merchants.total), less(sold.income.month, before.income.month)],
    [{ owed: 97 }, { merchant_fees: 3, total: 3 }],
  );
  for (const week of ['2031-03-10', '2031-03-17'])
    assert.equal(rowOf(sold.weekly, 'week', week).expected, 50, week);

  onDay(6); // Sunday, the first falls due on Monday
  const early = await till.charge(by, installments[0].id, 'settle');
  await till.payCode(early.txid);
  await till.whenStatus(by, early.id, 'paid');
  const paid = await reports();
  assert.deepEqual(less(paid.portfolio.open, before.portfolio.open), {
    purchases: 1,
    financed: 100,
    paid: 50,
    outstanding: 50,
  });
  assert.equal(less(paid.merchants.total, before.merchants.total).due, 97);
  assert.equal(rowOf(paid.weekly, 'week', '2031-03-03').received, 50);
  assert.deepEqual([less(paid.cashback, sold.cashback), paid.cashback.month.earned], [{ owed: 2.5 }, 2.5]);

  onDay(24); // 27 March, ten days after the 17th
  const late = await reports();
  assert.deepEqual(less(late.portfolio.overdue, before.portfolio.overdue), {
    purchases: 1,
    financed: 100,
    paid: 50,
    outstanding: 50,
  });
  assert.deepEqual(less(rowOf(late.aging, 'days_late', '8-30'), rowOf(before.aging, 'days_late', '8-30')), {
    installments: 1,
    outstanding: 50,
  });
  const { week, ...cohort } = rowOf(late.cohorts, 'week', '2031-03-03');
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
  assert.equal(week, late.cohorts.data[0].week, 'the latest week first');
  const [heading, row] = await csv('cohorts');
  assert.equal(heading!.split(',').slice(0, 5).join(), 'on,week,purchases,financed,total');
  assert.match(row!, /^2031-03-27,2031-03-03,1,100/);
  const claims = await service.db.row<{ cents: number }>(sql`
    select sum(amount_cents)::bigint as cents from ledger_entries where account in ('receivable', 'credit_losses')`);
  assert.equal(Math.round(late.cohorts.total.outstanding * 100), claims!.cents, 'as in the ledger');
  // 2 % of 50.00, and 10 days at 1 % a month: 0.1666.
  const settled = await till.charge(by, installments[1].id, 'settle_with_penalty', 51.16);
  const unpaid = await till.charge(by, installments[1].id, 'settle_partial', 10);
  await till.payCode(settled.txid);
  await till.whenStatus(by, settled.id, 'paid');
  assert.ok(unpaid.id);
  const after = await reports();
  assert.deepEqual(less(after.income.month, before.income.month), {
    penalties: 1.16,
    merchant_fees: 3,
    cashback: -2.5,
    total: 1.66,
  });
  assert.deepEqual(less(after.portfolio.paid, before.portfolio.paid), {
    purchases: 1,
    financed: 100,
    paid: 100,
  });
  assert.deepEqual(
    less(rowOf(after.aging, 'days_late', '8-30'), rowOf(before.aging, 'days_late', '8-30')),
    {},
  );
  assert.equal(rowOf(after.weekly, 'week', '2031-03-24').received, 51.16);
  const { made, paid: paidCodes, paid_percent, made_value, paid_value } = after.pix.total;
  assert.deepEqual([made, paidCodes, paid_percent, made_value, paid_value], [3, 2, 66.7, 111.16, 101.16]);
});

test('every report is a table as CSV: its rows, or a row for each group of figures, with the day', async () => {
  const now = await reports();
  const on = '2031-03-27';
  const [head, ...weeks] = await csv('weekly');
  assert.equal(head, 'on,week,expected,received,refunded');
  assert.deepEqual([weeks.length, weeks.at(8)], [13, `${on},2031-03-24,0.00,51.16,0.00`]);
  assert.deepEqual(
    (await csv('aging')).map((line) => line.split(',')[1]),
    ['days_late', '1-7', '8-30', '31-90', '90+'],
  );
  assert.equal((await csv('merchants'))[0], 'on,merchant,name,owed,due,in_payouts');
  assert.equal((await csv('pix')).length, 1 + now.pix.data.length);
  const portfolio = await csv('portfolio');
  assert.match(portfolio[0]!, /^on,worked_out_at,figures,purchases,financed,paid,returned,outstanding,/);
  assert.deepEqual(
    portfolio.slice(1).map((line) => line.split(',')[2]),
    ['open', 'overdue', 'paid', 'returned', 'total'],
  );
  const [, month] = await csv('income');
  assert.equal(month, `${on},month,0.00,1.16,0.00,3.00,-2.50,0.00,1.66`);
  assert.match((await csv('cashback'))[1]!, new RegExp(`^${on},\\d+\\.\\d\\d,month,2\\.50,`));
});

test('for a spreadsheet set up for Brazil: by ?csv=br, or in the language of whoever asks', async () => {
  const line = '2031-03-27;month;0,00;1,16;0,00;3,00;-2,50;0,00;1,66';
  for (const file of [
    await csv('income', '?csv=br', { accept: '*/*' }),
    await csv('income', '', { 'accept-language': 'pt-BR,pt;q=0.9' }),
  ]) {
    assert.match(file[0]!, /^\ufeffon;figures;interest;/);
    assert.equal(file[1], line);
  }
  const { body: trail } = await till.staff('GET', '/admin/audit-trail?subject=export:getIncomeReport');
  assert.equal(trail.data.length, 3);
});
