import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { recomputeFigures } from '#credit';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, eventually, openService } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';

const service = await openService();
/** More than a request computes the figures for. Their ids come before those of the demo's customers. */
await service.db.run(sql`
  insert into customers (id, person_sealed, phone_hash, credit_limit_cents, referral_code, created_at)
  select 'cus_' || lpad(n::text, 26, '0'), '', decode(md5(n::text), 'hex'), 0, md5(n::text), now() from generate_series(1, 2100) as n`);

const daysAgo = (days: number): Day => addDays(saoPauloDay(service.clock.now().getTime()), -days);
const read = (day: Day): Promise<ApiResponse> =>
  service.staff('GET', `/admin/reports/portfolio?on=${day}`, { key: OPERATOR_KEY });
const readOpen = async (day: Day) => {
  const report = await eventually('the report is computed', async () => {
    const response = await read(day);
    return response.status === 200 && response.body;
  });
  return { purchases: report.open.purchases, financed: report.open.financed };
};
const recomputeOpen = async (day: Day) => {
  const { open } = (await recomputeFigures(service.db, day)).byStatus;
  return { purchases: open.purchases, financed: open.financed_cents / 100 };
};
const findProgress = (on: Day) =>
  service.db.row(sql`select customers from credit_day_progress where day = ${on}`);

test('a past day of many customers is computed by a job, and the request reports its progress', async () => {
  const day = daysAgo(3);
  const pending = await read(day);
  assert.deepEqual([pending.status, pending.body.code], [409, 'report_pending']);
  assert.match(pending.body.detail, /being computed: \d+ %/);
  assert.equal(pending.headers.get('retry-after'), '5');
  const open = await readOpen(day);
  assert.ok(open.purchases > 0);
  assert.deepEqual(open, await recomputeOpen(day));
  assert.equal(await findProgress(day), undefined);
});

test('an interrupted computation goes on after the customers that it has added', async () => {
  const on = daysAgo(4);
  await recomputeFigures(service.db, on, {
    save: async ({ figures, computed_up_to, customers, all_customers }) => {
      await service.db.run(sql`
        insert into credit_day_progress (day, figures, computed_up_to, customers, all_customers)
        values (${on}, ${JSON.stringify(figures)}::jsonb, ${computed_up_to}, ${customers}, ${all_customers})`);
    },
  });
  assert.deepEqual(await findProgress(on), { customers: 2000 });
  assert.match((await read(on)).body.detail, /9\d %/);
  assert.deepEqual(await readOpen(on), await recomputeOpen(on));
});

test('a day that is not closed yet is refused with the time when it will be', async () => {
  service.clock.set(`${daysAgo(0)}T03:10:00.000Z`);
  const refusal = await read(daysAgo(1));
  assert.deepEqual([refusal.status, refusal.body.code], [409, 'report_pending']);
  assert.match(refusal.body.detail, /an hour after its end/);
});
