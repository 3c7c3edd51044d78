/** Every report next to a slow and plain recomputation of the same: of today as it is shown, and of past days as they were shown then. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Day, endOfDay, saoPauloDay } from '#core/day.ts';
import { DAY_MS, MINUTE_MS } from '#core/duration.ts';
import { mondayOf, recomputeFigures } from '#credit';
import { closeDays } from '#ledger';
import { sql } from '#platform/database/db.ts';
import { commandRunner } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY, type Shopper } from '../../test/shop.ts';
import { openTill } from '../../test/till.ts';

const service = await openService();
const till = openTill(service);
const run = commandRunner(service);
/** A Monday after the demo was seeded. */
const START = '2031-03-03T12:00:00.000Z';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const get = async (path: string): Promise<Body> => {
  const { status, body, text } = await service.staff('GET', path, { key: OPERATOR_KEY });
  assert.equal(status, 200, text);
  return body;
};
const report = (name: string, on?: string) => get(`/admin/reports/${name}${on ? `?on=${on}` : ''}`);
const centavos = (reais: number) => Math.round(reais * 100);
const reais = (cents: number) => cents / 100;
const sumOf = <T>(rows: T[], of: (row: T) => number): number =>
  reais(rows.reduce((total, row) => total + centavos(of(row)), 0));

/** Noon of that many days after the start. */
function onDay(days: number): Day {
  service.clock.set(new Date(Date.parse(START) + days * DAY_MS).toISOString());
  return saoPauloDay(service.clock.now().getTime());
}

/** All purchases, each as the operator sees it now. */
async function allPurchases(): Promise<Body[]> {
  const { data } = await get('/admin/checkouts?limit=100');
  return Promise.all(data.map(({ hash }: { hash: string }) => till.look(hash)));
}

const AGES: Array<[string, number, number]> = [
  ['1-7', 1, 7],
  ['8-30', 8, 30],
  ['31-90', 31, 90],
  ['90+', 91, Number.POSITIVE_INFINITY],
];

/** Purchase by purchase, installment by installment, from what is shown. */
async function plainly(day: Day) {
  const purchases = await allPurchases();
  const standing = (of: Body[]) => ({
    purchases: of.length,
    financed: sumOf(of, ({ amounts }) => amounts.financed),
    paid: sumOf(of, ({ amounts }) => amounts.paid),
    returned: sumOf(of, ({ amounts }) => amounts.returned),
    outstanding: sumOf(of, ({ amounts }) => amounts.outstanding),
    written_off: of.filter(({ written_off_at }) => written_off_at).length,
    written_off_outstanding: sumOf(
      of.filter(({ written_off_at }) => written_off_at),
      ({ amounts }) => amounts.outstanding,
    ),
  });
  const statusOf = ({ status, returned_at }: Body) => (returned_at ? 'returned' : status);
  const having = (status: string) => standing(purchases.filter((one) => statusOf(one) === status));
  const installments = purchases.flatMap(({ hash, written_off_at, installments: all }) =>
    all.map((one: Body) => ({ ...one, hash, written_off_at })),
  );
  const late = installments.filter(
    ({ outstanding, effective_due_on }) => outstanding > 0 && effective_due_on < day,
  );
  const aging = AGES.map(([days_late, least, most]) => {
    const inAge = late.filter(({ penalty }) => penalty.days_late >= least && penalty.days_late <= most);
    return {
      days_late,
      installments: inAge.length,
      outstanding: sumOf(inAge, (one) => one.outstanding),
      written_off: sumOf(
        inAge.filter(({ written_off_at }) => written_off_at),
        (one) => one.outstanding,
      ),
    };
  });
  const expected = (week: string) =>
    sumOf(
      installments.filter(({ due_on }) => mondayOf(due_on) === week),
      ({ amount, returned }) => reais(centavos(amount) - centavos(returned)),
    );
  const weekOf = ({ purchased_at }: Body) => mondayOf(saoPauloDay(Date.parse(purchased_at)));
  const cohorts = [...Map.groupBy(purchases, weekOf)]
    .map(([week, of]) => ({
      week,
      purchases: of.length,
      financed: sumOf(of, ({ amounts }) => amounts.financed),
      total: sumOf(of, (one) => sumOf(one.installments, ({ amount }: Body) => amount)),
      paid: sumOf(of, ({ amounts }) => amounts.paid),
      discount: sumOf(of, (one) => sumOf(one.installments, ({ discount }: Body) => discount)),
      returned: sumOf(of, ({ amounts }) => amounts.returned),
      outstanding: sumOf(of, ({ amounts }) => amounts.outstanding),
      overdue: sumOf(
        late.filter(({ hash }) => of.some((one) => one.hash === hash)),
        (one) => one.outstanding,
      ),
      written_off: sumOf(
        of.filter(({ written_off_at }) => written_off_at),
        ({ amounts }) => amounts.outstanding,
      ),
    }))
    .sort((a, b) => (a.week < b.week ? 1 : -1));
  return {
    cohorts,
    portfolio: {
      open: having('open'),
      overdue: having('overdue'),
      paid: having('paid'),
      returned: having('returned'),
      total: standing(purchases),
    },
    aging,
    expected,
  };
}

type Plain = Awaited<ReturnType<typeof plainly>>;

async function assertCredit(plain: Plain, on: Day, asked?: string): Promise<void> {
  const { on: said, worked_out_at: _, ...portfolio } = await report('portfolio', asked);
  assert.deepEqual([said, portfolio], [on, plain.portfolio]);
  const aging = await report('aging', asked);
  assert.deepEqual(aging.data, plain.aging, on);
  const { data: cohorts, total } = await report('cohorts', asked);
  const figures = cohorts.map(({ paid_percent: _paid, overdue_percent: _late, ...row }: Body) => row);
  assert.deepEqual(figures, plain.cohorts, on);
  assert.deepEqual(
    [total.financed, total.outstanding],
    [plain.portfolio.total.financed, plain.portfolio.total.outstanding],
  );
  const { data: weeks } = await report('weekly', asked);
  assert.equal(weeks.length, 13);
  for (const { week, expected } of weeks)
    assert.equal(expected, plain.expected(week), `${on}, week of ${week}`);
}

const shown: Array<{ day: Day; plain: Plain }> = [];

async function remember(day: Day): Promise<void> {
  const plain = await plainly(day);
  await assertCredit(plain, day);
  shown.push({ day, plain });
}

/** What the entries come to that were posted by the end of a day, and from another on. */
async function plainBook(to: Day, from = '2000-01-01'): Promise<Record<string, number>> {
  const entries = await service.db.rows<{ account: string; amount_cents: number; posted_at: Date }>(sql`
    select e.account, e.amount_cents, p.posted_at
    from ledger_entries e join ledger_postings p on p.customer_id = e.customer_id and p.id = e.posting_id
    union all
    select e.account, e.amount_cents, p.posted_at
    from merchant_entries e join merchant_postings p on p.merchant_id = e.merchant_id and p.id = e.posting_id`);
  const sums: Record<string, number> = {};
  for (const { account, amount_cents, posted_at } of entries) {
    const day = saoPauloDay(posted_at.getTime());
    if (day >= from && day <= to) sums[account] = (sums[account] ?? 0) - amount_cents;
  }
  return sums;
}

async function assertBook(day: Day): Promise<void> {
  const income = await report('income', day);
  for (const [span, from] of [
    ['ever', '2000-01-01'],
    ['month', `${day.slice(0, 8)}01`],
  ] as const) {
    const book = await plainBook(day, from);
    const of = (account: string) => reais(book[account] ?? 0);
    assert.deepEqual(
      [income[span].interest, income[span].penalties, income[span].extensions, income[span].merchant_fees],
      [of('finance_income'), of('penalty_income'), of('extension_income'), of('fee_income')],
      `${day} ${span}`,
    );
    assert.deepEqual(
      [income[span].cashback, income[span].losses],
      [of('cashback_expense'), of('credit_losses')],
    );
    assert.equal(
      income[span].total,
      sumOf(Object.values(income[span]).slice(0, -1) as number[], (one) => one),
    );
  }
  const { owed } = await report('cashback', day);
  const lines = await service.db.rows<{ customer_id: string; cents: number }>(sql`
    select distinct on (customer_id) customer_id, balance_after_cents as cents from cashback_movements
    where occurred_at < ${new Date(endOfDay(day))} order by customer_id, position desc`);
  assert.equal(
    owed,
    sumOf(lines, ({ cents }) => reais(cents)),
  );
  const { data, total } = await report('merchants', day);
  const accounts = await service.db.rows<{ slug: string; cents: number }>(sql`
    select merchant_slug as slug, sum(amount_cents)::bigint as cents from merchant_lines
    where occurred_at < ${new Date(endOfDay(day))} group by merchant_slug having sum(amount_cents) <> 0`);
  const byName = (rows: Array<[string, number]>) => rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(
    byName(data.filter(({ owed: left }: Body) => left !== 0).map((row: Body) => [row.merchant, row.owed])),
    byName(accounts.map(({ slug, cents }) => [slug, reais(cents)])),
  );
  assert.equal(
    total.owed,
    sumOf(data, (row: Body) => row.owed),
  );
}

let by: Shopper;
const terms = { weekly_rate_percent: 1, cashback_percent: 5 };

test('as of today, and months later as of each of those days, the reports say what a plain recomputation says', async () => {
  const first = onDay(0);
  by = await till.newShopper(100_000);
  const one = await till.sell(by, { amount: 300, installments: 4, terms });
  const two = await till.sell(by, { amount: 99.99, installments: 3 });
  await remember(first);

  const second = onDay(6);
  await till.pay(by.id, one.installments[0].id, one.installments[0].amount);
  await till.pay(by.id, two.installments[0].id, 10);
  const three = await till.sell(await till.newShopper(), { amount: 50, installments: 1, terms });
  await remember(second);

  const third = onDay(20);
  const { pix_options } = (await till.look(two.hash)).installments[1];
  const price = pix_options.find(({ type }: Body) => type === 'extend').value;
  await till.pay(by.id, two.installments[1].id, price, { purpose: 'extend' });
  await till.giveBack(one.hash, 60);
  await till.writeOff(three.hash);
  await remember(third);

  const between = onDay(21);
  const returnedWhole = await till.sell(await till.newShopper(), { amount: 80, installments: 2, terms });
  await till.giveBack(returnedWhole.hash, 30);
  await remember(between);
  onDay(22);
  await till.giveBack(returnedWhole.hash, 50);

  const fourth = onDay(70);
  await till.reinstate(three.hash);
  await till.writeOff(two.hash);
  const { reference } = await till.pay(by.id, one.installments[2].id, 30);
  await remember(fourth);

  const fifth = onDay(130);
  await till.takeBack(by.id, one.installments[2].id, reference);
  await till.pay(by.id, two.installments[2].id, 20);
  await remember(fifth);
  await till.staff('POST', '/admin/payouts');
  const payouts = await get('/admin/payouts?status=pending');
  await till.staff('POST', `/admin/payouts/${payouts.data[0].id}/paid`, { reference: 'TED 1' });
  const charge = await till.charge(by, one.installments[3].id, 'settle_partial', 5);
  const paid = await till.charge(by, two.installments[0].id, 'settle_partial', 7);
  await till.payCode(paid.txid);
  await till.whenStatus(by, paid.id, 'paid');
  const { data, total, from } = await report('pix');
  assert.deepEqual([from, total.made, total.paid, total.paid_percent], ['2031-06-12', 2, 1, 50]);
  assert.deepEqual([data[0].type, data[0].made_value, data[0].paid_value], ['settle_partial', 12, 7]);
  assert.ok(charge.id);

  onDay(131);
  assert.ok(shown.at(-1)!.plain.portfolio.overdue.written_off === 1, 'the story has all of it');
  const { returned } = shown.at(-1)!.plain.portfolio;
  assert.deepEqual(
    [returned.purchases, returned.paid, returned.returned, returned.outstanding],
    [1, 0, 81.2, 0],
  );
  for (const { day, plain } of shown.slice(0, -1)) await assertCredit(plain, day, day);
  const today = saoPauloDay(service.clock.now().getTime());
  assert.deepEqual(
    (await report('portfolio')).total,
    (await plainly(today)).portfolio.total,
    'as it is shown today',
  );
  for (const { day } of shown) await assertBook(day);
  await closeDays(service.db, third);
  for (const { day } of shown) await assertBook(day);
  await closeDays(service.db, fifth);
  await closeDays(service.db, fifth);
  for (const { day } of [...shown, { day: today }]) await assertBook(day);
  const ofDays = async () => (await till.disagreements()).filter((text) => text.startsWith('the closed day'));
  assert.deepEqual(await ofDays(), []);
  await service.db.transaction(async (tx) => {
    await tx.run(sql`alter table ledger_days disable trigger all`);
    await tx.run(sql`update ledger_days set amount_cents = amount_cents + 1 where account = 'credit_losses'`);
    await tx.run(sql`alter table ledger_days enable trigger all`);
  });
  assert.match((await ofDays())[0]!, /credit_losses is \d+, should be/);
});

test('received and refunded by week are what arrived and went back in it', async () => {
  const receipts = await service.db.rows<{ received_at: Date; amount_cents: number }>(sql`
    select received_at, amount_cents from receipts where part = 0 and source <> 'cashback'`);
  const refunds = await service.db.rows<{ settled_at: Date; amount_cents: number }>(sql`
    select settled_at, amount_cents from pix_refunds where status = 'returned'`);
  for (const { day } of shown) {
    const { data } = await report('weekly', day);
    const isIn = (at: Date, week: string) =>
      mondayOf(saoPauloDay(at.getTime())) === week && saoPauloDay(at.getTime()) <= day;
    for (const { week, received, refunded } of data) {
      const came = receipts.filter(({ received_at }) => isIn(received_at, week));
      assert.equal(
        received,
        sumOf(came, ({ amount_cents }) => reais(amount_cents)),
      );
      const went = refunds.filter(({ settled_at }) => isIn(settled_at, week));
      assert.equal(
        refunded,
        sumOf(went, ({ amount_cents }) => reais(amount_cents)),
      );
    }
  }
});

test('a day that is over is worked out once and kept; a day to come is refused', async () => {
  const long = '2020-01-02' as Day;
  const first = await report('portfolio', long);
  service.clock.advance(MINUTE_MS);
  assert.deepEqual(await report('portfolio', long), first, 'as it was worked out the first time');
  assert.equal((await recomputeFigures(service.db, long)).byStatus.open.purchases, 0);
  for (const name of ['portfolio', 'aging', 'weekly', 'cashback', 'merchants', 'income', 'pix']) {
    const refused = await service.staff('GET', `/admin/reports/${name}?on=2199-01-01`, { key: OPERATOR_KEY });
    assert.deepEqual([refused.status, refused.body.code], [400, 'validation_failed']);
    assert.match(await run('report', name), /on/);
  }
  const told = JSON.parse(await run('report', 'income', '--json', '--on', shown[0]!.day));
  assert.deepEqual(told, await report('income', shown[0]!.day));
});
