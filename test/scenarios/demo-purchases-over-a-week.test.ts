import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { openService } from '../harness.ts';
import { ANA, createPurchaseDriver, OPERATOR_KEY } from '../purchase-driver.ts';

// Ana's three purchases in the demo data, as in docs/tour.md, and how a week of the sandbox clock changes them.
const service = await openService();
const driver = createPurchaseDriver(service);

const advanceSandboxClock = async (duration: string) => {
  const body = { advance: duration };
  const response = await service.staff('POST', '/sandbox/clock', { key: OPERATOR_KEY, body });
  assert.equal(response.status, 200);
  service.clock.advance(1); // the driver opens a new session only if this clock was moved
};
const listCheckouts = async (query = '') =>
  (await driver.getAsCustomer(ANA, `/wallet/checkouts${query}`)).body.data;
const SAO_PAULO_OFFSET_MS = 3 * HOUR_MS;
const countDaysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The interest by days late: 50.00 × days × 1 % / 30, rounded down to the centavo. */
const INTEREST_BY_DAYS_LATE = [0, 0.01, 0.03, 0.05, 0.06, 0.08, 0.1, 0.11, 0.13, 0.15, 0.16];

test('today one purchase is open, one overdue and one paid', async () => {
  assert.deepEqual(
    (await listCheckouts()).map(({ status, amounts }: { status: string; amounts: { financed: number } }) => [
      status,
      amounts.financed,
    ]),
    [
      ['open', 250],
      ['overdue', 300],
      ['paid', 120],
    ],
  );
});

test('a week later the open purchase is overdue, with the fine and the interest that a person computes by hand', async () => {
  const [openCheckout] = await listCheckouts('?status=open');
  await advanceSandboxClock('P7D');
  assert.deepEqual(await listCheckouts('?status=open'), []);
  const { installments, amounts } = (
    await driver.getAsCustomer(ANA, `/wallet/checkouts/${openCheckout.hash}`)
  ).body;
  const [firstInstallment, secondInstallment] = installments;
  const { now } = (await service.staff('GET', '/sandbox/clock', { key: OPERATOR_KEY })).body;
  const today = new Date(Date.parse(now) - SAO_PAULO_OFFSET_MS).toISOString().slice(0, 10);
  const daysLate = countDaysBetween(firstInstallment.effective_due_on, today);
  // The due day was tomorrow when the demo data was created, so it was 6 days ago, or 7 if midnight has passed since then.
  assert.ok([6, 7].includes(countDaysBetween(firstInstallment.due_on, today)), firstInstallment.due_on);
  assert.deepEqual(firstInstallment.penalty, {
    fine: 1, // 2 % of 50.00
    interest: INTEREST_BY_DAYS_LATE[daysLate],
    total: 1 + INTEREST_BY_DAYS_LATE[daysLate]!,
    days_late: daysLate,
  });
  assert.equal(secondInstallment.status, 'open');
  assert.equal(amounts.penalties, firstInstallment.penalty.total);
});

test('the interest grows every day, the fine does not', async () => {
  const [overdueCheckout] = await listCheckouts('?status=overdue&limit=1');
  const getFirstInstallment = async () =>
    (await driver.getAsCustomer(ANA, `/wallet/checkouts/${overdueCheckout.hash}`)).body.installments[0];
  const installmentBefore = await getFirstInstallment();
  for (let day = 1; day <= 3; day++) {
    await advanceSandboxClock('P1D');
    const { penalty } = await getFirstInstallment();
    assert.equal(penalty.days_late, installmentBefore.penalty.days_late + day);
    assert.deepEqual([penalty.fine, penalty.interest], [1, INTEREST_BY_DAYS_LATE[penalty.days_late]]);
  }
});

test('back in real time the purchases are as before', async () => {
  await service.staff('DELETE', '/sandbox/clock', { key: OPERATOR_KEY });
  service.clock.advance(1);
  assert.deepEqual(
    (await listCheckouts()).map(({ status }: { status: string }) => status),
    ['open', 'overdue', 'paid'],
  );
  assert.deepEqual(await driver.listMismatches(), []);
});
