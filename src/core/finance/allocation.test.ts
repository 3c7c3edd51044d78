import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, day, endOfDay, type Instant, startOfDay } from '../values/day.ts';
import { HOUR_MS, MINUTE_MS } from '../values/duration.ts';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import {
  type AppliedReceipt,
  applyReceipt,
  type Receipt,
  replayReceipts,
  splitPayment,
} from './allocation.ts';
import { computeDebt, type Installment } from './debt.ts';
import { DEFAULT_TERMS, type Terms } from './terms.ts';

const DUE_ON = day('2026-03-06'); // a Friday
/** Returns noon, a number of days after the due day. */
const noon = (days: number): Instant => startOfDay(addDays(DUE_ON, days)) + 12 * HOUR_MS;
const createInstallment = (terms: Partial<Terms> = {}): Installment => ({
  amount: cents(10_000),
  dueOn: DUE_ON,
  terms: { ...DEFAULT_TERMS, ...terms },
  events: [],
});
const createReceipt = (at: Instant, amount: number, overrides: Partial<Receipt> = {}): Receipt => ({
  receivedAt: at,
  amount: cents(amount),
  purpose: 'pay',
  reversedAt: null,
  ...overrides,
});
const omitZeros = (parts: object) =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== 0));
/** Returns the parts of a receipt that are not zero. 'none': the receipt created no event. */
const pickParts = ({ event, excess }: AppliedReceipt) => {
  if (event === null) return { event: 'none', excess };
  const { interest, fine } = event;
  if (event.kind === 'extension') {
    const { fee, dueOn } = event;
    return omitZeros({ event: 'extension', interest, fine, fee, dueOn, excess });
  }
  const { principal, discount } = event;
  return omitZeros({ interest, fine, principal, discount, excess });
};

test('a payment covers interest, then the fine, then the amount; the rest is excess', () => {
  // R$ 100.00 seven days late: interest 10000 × 7 × 0.01 / 30 = 23.33 → 0.23, fine 2 % = 2.00.
  const apply = (amount: number) =>
    pickParts(applyReceipt(createInstallment(), createReceipt(noon(7), amount)));
  assert.deepEqual(apply(10), { interest: 10 });
  assert.deepEqual(apply(100), { interest: 23, fine: 77 });
  assert.deepEqual(apply(1000), { interest: 23, fine: 200, principal: 777 });
  assert.deepEqual(apply(10_223), { interest: 23, fine: 200, principal: 10_000 });
  assert.deepEqual(apply(12_000), { interest: 23, fine: 200, principal: 10_000, excess: 1777 });
});

test('a payment on a settled installment is all excess and creates no event', () => {
  const { installment } = replayReceipts(createInstallment(), [createReceipt(noon(0), 10_000)]);
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(noon(1), 5000))), {
    event: 'none',
    excess: 5000,
  });
});

test('early payment, full or partial, is discounted at the weekly rate', () => {
  const installment = createInstallment({ weeklyRate: ppm(20_000) });
  // A week early 100.00 costs 98.04.
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(noon(-7), 9804))), {
    principal: 9804,
    discount: 196,
  });
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(noon(-7), 9803))), {
    principal: 9803,
    discount: 196,
  });
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(noon(-7), 5000))), {
    principal: 5000,
    discount: 100,
  });
  // 50.00 × 1.02^(3/7) = 50.4261
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(noon(-3), 5000))), {
    principal: 5000,
    discount: 43,
  });
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(noon(0), 5000))), { principal: 5000 });
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(noon(-7), 10_000))), {
    principal: 9804,
    discount: 196,
    excess: 196,
  });
});

test('the discount is computed from the originally agreed due day; an extension adds no discount', () => {
  const installment = createInstallment({ weeklyRate: ppm(20_000) });
  const extension = createReceipt(noon(-1), 500, { purpose: 'extend' });
  const payAfterExtension = (at: Instant, amount: number) =>
    pickParts(replayReceipts(installment, [extension, createReceipt(at, amount)]).applied[1]!);
  assert.deepEqual(payAfterExtension(noon(-1) + 1, 9972), { principal: 9972, discount: 28 }); // 100 / 1.02^(1/7) = 99.7175
  assert.deepEqual(payAfterExtension(noon(0), 10_000), { principal: 10_000 });
  assert.deepEqual(payAfterExtension(noon(3), 10_000), { principal: 10_000 });
});

test('a receipt that waives penalties pays the price of its day; a receipt that does not settle the debt waives none', () => {
  const guaranteedPrice = { pricedOn: DUE_ON, waivesPenalties: true };
  const settlement = replayReceipts(createInstallment(), [createReceipt(noon(7), 10_000, guaranteedPrice)]);
  const debt = computeDebt(settlement.installment, noon(30));
  assert.deepEqual(
    [debt.status, debt.totalDue, debt.chargesWaived],
    ['paid', 0, { fine: 200, interest: 23 }],
  );
  const partialPayment = replayReceipts(createInstallment(), [
    createReceipt(noon(7), 9_000, guaranteedPrice),
  ]);
  const { chargesWaived, fine } = computeDebt(partialPayment.installment, noon(7));
  assert.deepEqual([chargesWaived, fine], [{ fine: 0, interest: 0 }, 200]);
  const reversal = replayReceipts(createInstallment(), [
    createReceipt(noon(7), 10_000, { ...guaranteedPrice, reversedAt: noon(8) }),
  ]);
  const { outstanding, chargesWaived: waived } = computeDebt(reversal.installment, noon(8));
  assert.deepEqual([outstanding, waived], [10_000, { fine: 0, interest: 0 }]);
});

test('a charge created before midnight and paid after it keeps its price', () => {
  const afterMidnight = endOfDay(DUE_ON) + 10 * MINUTE_MS;
  const installment = createInstallment();
  const pricedPayment = applyReceipt(installment, createReceipt(afterMidnight, 10_000, { pricedOn: DUE_ON }));
  assert.deepEqual(pickParts(pricedPayment), { principal: 10_000 });
  assert.equal(computeDebt({ ...installment, events: [pricedPayment.event!] }, noon(9)).totalDue, 0);
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(afterMidnight, 10_000))), {
    interest: 3,
    fine: 200,
    principal: 9797,
  });
});

test('an extension covers penalties and fee; the new due day is a week after the payment if late, else after the due day', () => {
  // Three days late: interest 0.10, fine 2.00. The fee is 5 % of 100.00.
  const extend = (days: number, amount: number) =>
    pickParts(applyReceipt(createInstallment(), createReceipt(noon(days), amount, { purpose: 'extend' })));
  assert.deepEqual(extend(3, 710), {
    event: 'extension',
    interest: 10,
    fine: 200,
    fee: 500,
    dueOn: '2026-03-16',
  });
  assert.deepEqual(extend(-3, 500), { event: 'extension', fee: 500, dueOn: '2026-03-13' });
  assert.deepEqual(extend(3, 800), {
    event: 'extension',
    interest: 10,
    fine: 200,
    fee: 500,
    dueOn: '2026-03-16',
    excess: 90,
  });
});

test('money for an extension that is no longer possible is a payment', () => {
  assert.deepEqual(
    pickParts(applyReceipt(createInstallment(), createReceipt(noon(4), 710, { purpose: 'extend' }))),
    { interest: 13, fine: 200, principal: 497 },
  );
  const withoutExtensions = createInstallment({ extensionLimit: 0 });
  assert.deepEqual(
    pickParts(applyReceipt(withoutExtensions, createReceipt(noon(3), 710, { purpose: 'extend' }))),
    { interest: 10, fine: 200, principal: 500 },
  );
  const { installment } = replayReceipts(createInstallment(), [createReceipt(noon(0), 10_000)]);
  assert.deepEqual(pickParts(applyReceipt(installment, createReceipt(noon(0), 500, { purpose: 'extend' }))), {
    event: 'none',
    excess: 500,
  });
});

test('a payment reported late is applied as of its arrival, and later overpayment is excess', () => {
  const settlingReceipt = createReceipt(noon(1), 10_203);
  const firstReplay = replayReceipts(createInstallment(), [settlingReceipt]);
  assert.deepEqual(firstReplay.applied.map(pickParts), [{ interest: 3, fine: 200, principal: 10_000 }]);
  // A payment of 50.00 on the due day is reported late. So only 50.00 stayed open: fine 1.00, interest 5000 × 0.01 / 30 = 1.67 → 0.01.
  const secondReplay = replayReceipts(createInstallment(), [settlingReceipt, createReceipt(noon(0), 5000)]);
  assert.deepEqual(secondReplay.applied.map(pickParts), [
    { interest: 1, fine: 100, principal: 5000, excess: 5102 },
    { principal: 5000 },
  ]);
  assert.throws(() => applyReceipt(firstReplay.installment, createReceipt(noon(0), 5000)), /replay instead/);
});

test('a reversal does not change earlier results', () => {
  const fraudReceipt = createReceipt(noon(-2), 10_000, { reversedAt: noon(5) });
  const excessReceipt = createReceipt(noon(2), 4000); // all of it is excess: nothing was owed then
  const laterReceipt = createReceipt(noon(6), 10_003);
  const { applied, installment } = replayReceipts(createInstallment(), [
    fraudReceipt,
    excessReceipt,
    laterReceipt,
  ]);
  assert.deepEqual(applied.map(pickParts), [
    { principal: 10_000 },
    { event: 'none', excess: 4000 },
    { interest: 3, principal: 10_000 },
  ]);
  assert.equal(computeDebt(installment, noon(7)).status, 'paid');
});

test('splitting zero gives zeros, and a receipt of zero is a bug', () => {
  const debt = computeDebt(createInstallment(), noon(1));
  assert.deepEqual(splitPayment(cents(0), debt, DEFAULT_TERMS), {
    interest: 0,
    fine: 0,
    principal: 0,
    discount: 0,
    excess: 0,
  });
  assert.throws(() => applyReceipt(createInstallment(), createReceipt(noon(1), 0)), RangeError);
});

test('if a payment of penalties is reversed after the amount was settled, the penalties are owed and can be paid again', () => {
  const penaltyReceipt = createReceipt(noon(3), 210, { reversedAt: noon(9) });
  const receipts = [penaltyReceipt, createReceipt(noon(3) + 1, 10_000)];
  const { installment } = replayReceipts(createInstallment(), receipts);
  assert.equal(computeDebt(installment, noon(8)).status, 'paid');
  const { status, outstanding, fine, interest, totalDue, settleAmount, paidAt } = computeDebt(
    installment,
    noon(30),
  );
  assert.deepEqual(
    [status, outstanding, fine, interest, totalDue, settleAmount, paidAt],
    ['overdue', 0, 200, 10, 210, 210, null],
  );
  const replay = replayReceipts(createInstallment(), [
    ...receipts,
    createReceipt(noon(30), 100),
    createReceipt(noon(31), 150),
  ]);
  assert.deepEqual(replay.applied.slice(2).map(pickParts), [
    { interest: 10, fine: 90 },
    { fine: 110, excess: 40 },
  ]);
  const paidDebt = computeDebt(replay.installment, noon(32));
  assert.deepEqual([paidDebt.status, paidDebt.paidAt], ['paid', noon(31)]);
});

test('penalties of an earlier due day whose payment is reversed after an extension are owed again in addition', () => {
  const penaltyReceipt = createReceipt(noon(3), 210, { reversedAt: noon(5) });
  const extension = createReceipt(noon(4), 503, { purpose: 'extend' });
  const { installment } = replayReceipts(createInstallment(), [penaltyReceipt, extension]);
  const summarizeDebt = (at: Instant) => {
    const { status, outstanding, fine, interest } = computeDebt(installment, at);
    return [status, outstanding, fine, interest];
  };
  assert.deepEqual(summarizeDebt(noon(4)), ['open', 10_000, 0, 0]);
  assert.deepEqual(summarizeDebt(noon(5)), ['open', 10_000, 200, 10]);
  assert.deepEqual(summarizeDebt(noon(14)), ['overdue', 10_000, 400, 20]); // three days after the new due day, 2026-03-17: fine and interest of both due days
});

test('after settlement at a guaranteed price past midnight, the penalties of that night are never owed', () => {
  const afterMidnight = endOfDay(addDays(DUE_ON, 2)) + 10 * MINUTE_MS;
  const pricedReceipt = createReceipt(afterMidnight, 10_206, { pricedOn: addDays(DUE_ON, 2) });
  const { installment } = replayReceipts(createInstallment(), [pricedReceipt]);
  for (const at of [afterMidnight, noon(3), noon(40)])
    assert.equal(computeDebt(installment, at).status, 'paid');
});
