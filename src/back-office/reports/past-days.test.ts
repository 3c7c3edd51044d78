import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { recomputeFigures } from '#credit';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, eventually, openService } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';

const service = await openService();
/** Creates more customers than one request computes figures for. Their ids sort before the ids of the demo's customers. */
await service.db.run(sql`
  insert into customers (id, person_sealed, phone_hash, credit_limit_cents, referral_code, created_at)
  select 'cus_' || lpad(n::text, 26, '0'), '', decode(md5(n::text), 'hex'), 0, md5(n::text), now() from generate_series(1, 2100) as n`);

const subtractFromToday = (days: number): Day => addDays(saoPauloDay(service.clock.now().getTime()), -days);
const requestReport = (day: Day): Promise<ApiResponse> =>
  service.staff('GET', `/admin/reports/portfolio?on=${day}`, { key: OPERATOR_KEY });
const waitForOpenFigures = async (day: Day) => {
  const report = await eventually('the report is computed', async () => {
    const response = await requestReport(day);
    return response.status === 200 && response.body;
  });
  return { purchases: report.open.purchases, financed: report.open.financed };
};
const recomputeOpenFigures = async (day: Day) => {
  const { open } = (await recomputeFigures(service.db, day)).byStatus;
  return { purchases: open.purchases, financed: open.financed_cents / 100 };
};
const findProgress = (day: Day) =>
  service.db.row(sql`select customers from credit_day_progress where day = ${day}`);

test('a past day of many customers is computed by a job, and the request reports its progress', async () => {
  const day = subtractFromToday(3);
  const pendingResponse = await requestReport(day);
  assert.deepEqual([pendingResponse.status, pendingResponse.body.code], [409, 'report_pending']);
  assert.match(pendingResponse.body.detail, /being computed: \d+ %/);
  assert.equal(pendingResponse.headers.get('retry-after'), '5');
  const openFigures = await waitForOpenFigures(day);
  assert.ok(openFigures.purchases > 0);
  assert.deepEqual(openFigures, await recomputeOpenFigures(day));
  assert.equal(await findProgress(day), undefined);
});

test('the first report of today after an update of a large database is refused until a job has computed the sums', async () => {
  await service.db.run(sql`delete from credit_sums_progress`);
  const today = subtractFromToday(0);
  const pendingResponse = await requestReport(today);
  assert.deepEqual([pendingResponse.status, pendingResponse.body.code], [409, 'report_pending']);
  assert.ok((await waitForOpenFigures(today)).purchases > 0);
});

test('an interrupted computation continues after the last customer that it included', async () => {
  const day = subtractFromToday(4);
  await recomputeFigures(service.db, day, {
    save: async ({ figures, computed_up_to, customers, all_customers }) => {
      await service.db.run(sql`
        insert into credit_day_progress (day, figures, computed_up_to, customers, all_customers)
        values (${day}, ${JSON.stringify(figures)}::jsonb, ${computed_up_to}, ${customers}, ${all_customers})`);
    },
  });
  // The figures of 2,000 of more than 2,100 customers are stored.
  assert.deepEqual(await findProgress(day), { customers: 2000 });
  assert.match((await requestReport(day)).body.detail, /9\d %/);
  assert.deepEqual(await waitForOpenFigures(day), await recomputeOpenFigures(day));
});

test('a report of a day that is not closed yet is refused with the time of closing', async () => {
  // 00:10 in São Paulo: a day is closed an hour after its end.
  service.clock.set(`${subtractFromToday(0)}T03:10:00.000Z`);
  const refusedResponse = await requestReport(subtractFromToday(1));
  assert.deepEqual([refusedResponse.status, refusedResponse.body.code], [409, 'report_pending']);
  assert.match(refusedResponse.body.detail, /an hour after its end/);
});

test('income and cashback reports are refused until a job has closed many days, and then agree with the postings', async () => {
  service.clock.set(new Date().toISOString());
  await service.db.transaction(async (tx) => {
    // Allows deletions from an append-only table.
    await tx.run(sql`set local semana.resetting = on`);
    await tx.run(sql`delete from ledger_closing`);
  });
  // A request itself closes days with up to 10,000 postings. A job closes more.
  await service.db.run(sql`
    insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at, written_at)
    select 'cus_' || lpad('1', 26, '0'), 'import ' || n, 'cashback_earned', at, at, at
    from generate_series(1, 10001) as n, lateral (select now() - (2 + n % 30) * interval '1 day' as at) as posted`);
  const readReport = (name: string) => service.staff('GET', `/admin/reports/${name}`, { key: OPERATOR_KEY });
  for (const name of ['income', 'cashback']) {
    const pendingResponse = await readReport(name);
    assert.deepEqual([pendingResponse.status, pendingResponse.body.code], [409, 'report_pending']);
  }
  const report = await eventually('the days are closed', async () => {
    const response = await readReport('income');
    return response.status === 200 && response.body;
  });
  const postedCents = await service.db.value<number>(
    sql`select -coalesce(sum(amount_cents), 0)::bigint from ledger_entries where account = 'finance_income'`,
  );
  assert.equal(report.ever.interest, postedCents! / 100);
});
