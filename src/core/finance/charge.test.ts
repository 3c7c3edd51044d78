import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Day, day, type Instant, startOfDay } from '../values/day.ts';
import { HOUR_MS } from '../values/duration.ts';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { replayReceipts } from './allocation.ts';
import { type ChargeType, computeChargeExpiry, listChargeOptions, quoteCharge } from './charge.ts';
import { summarizeDebts } from './checkout.ts';
import { computeDebt, type Installment } from './debt.ts';
import { DEFAULT_TERMS, type Terms } from './terms.ts';

const DUE_ON = day('2026-03-06'); // a Friday
/** Returns noon, a number of days after the due day. */
const noon = (days: number): Instant => startOfDay(addDays(DUE_ON, days)) + 12 * HOUR_MS;
const createInstallment = (
  amount = 10_000,
  { dueOn = DUE_ON, ...terms }: Partial<Terms> & { dueOn?: Day } = {},
): Installment => ({
  amount: cents(amount),
  dueOn,
  terms: { ...DEFAULT_TERMS, ...terms },
  events: [],
});
/** Returns the installment after a payment of its full amount. */
const settle = (installment: Installment, at: Instant) =>
  replayReceipts(installment, [
    { receivedAt: at, amount: installment.amount, purpose: 'pay', reversedAt: null },
  ]).installment;
const listOptions = (installment: Installment, at: Instant) =>
  listChargeOptions(computeDebt(installment, at), installment.terms);
const requestQuote = (installment: Installment, at: Instant, type: ChargeType, value?: number) =>
  quoteCharge(
    computeDebt(installment, at),
    installment.terms,
    type,
    value === undefined ? undefined : cents(value),
  );

test('before the due day, settling is discounted, and an extension costs its fee only', () => {
  assert.deepEqual(listOptions(createInstallment(10_000, { weeklyRate: ppm(20_000) }), noon(-7)), [
    { type: 'settle', value: 9804 },
    { type: 'settle_with_penalty', value: 9804 },
    { type: 'settle_partial', min: 100, max: 9804 },
    { type: 'extend', value: 500, dueOn: '2026-03-13' },
  ]);
});

test('three days late, every charge includes 2.00 of fine and 0.10 of interest, and plain settle is not possible', () => {
  assert.deepEqual(listOptions(createInstallment(), noon(3)), [
    { type: 'settle_with_penalty', value: 10_210 },
    { type: 'settle_partial', min: 100, max: 10_210 },
    { type: 'extend', value: 710, dueOn: '2026-03-16' },
  ]);
});

test('a debt under one real can only be paid in full', () => {
  const options = listOptions(createInstallment(50), noon(0));
  const partialOption = options.find(({ type }) => type === 'settle_partial');
  assert.deepEqual(partialOption, { type: 'settle_partial', min: 50, max: 50 });
});

test('a paid installment has no possible charges', () => {
  const paidInstallment = settle(createInstallment(), noon(0));
  assert.deepEqual(listOptions(paidInstallment, noon(1)), []);
  assert.deepEqual(requestQuote(paidInstallment, noon(1), 'extend'), { ok: false, code: 'installment_paid' });
});

test('if only penalties are owed, they can be paid but not extended', () => {
  const at = noon(3);
  // The reversal of the first payment leaves only the penalties owed.
  const receipts = [
    { receivedAt: at, amount: cents(210), purpose: 'pay', reversedAt: at + 1 },
    { receivedAt: at, amount: cents(10_000), purpose: 'pay', reversedAt: null },
  ] as const;
  const installment = replayReceipts(createInstallment(), receipts).installment;
  assert.deepEqual(listOptions(installment, at + 1), [
    { type: 'settle_with_penalty', value: 210 },
    { type: 'settle_partial', min: 100, max: 210 },
  ]);
  assert.deepEqual(requestQuote(installment, at + 1, 'extend'), { ok: false, code: 'nothing_to_charge' });
});

test('a refused quote has a code and the correct amount or bounds', () => {
  const installment = createInstallment();
  assert.deepEqual(requestQuote(installment, noon(3), 'settle'), { ok: false, code: 'penalty_due' });
  assert.deepEqual(requestQuote(installment, noon(3), 'settle_with_penalty', 10_207), {
    ok: false,
    code: 'amount_changed',
    value: 10_210,
  });
  assert.deepEqual(requestQuote(installment, noon(3), 'settle_partial'), {
    ok: false,
    code: 'value_required',
    min: 100,
    max: 10_210,
  });
  for (const value of [99, 10_211, 0, -5]) {
    assert.deepEqual(requestQuote(installment, noon(3), 'settle_partial', value), {
      ok: false,
      code: 'value_out_of_range',
      min: 100,
      max: 10_210,
    });
  }
  assert.deepEqual(requestQuote(createInstallment(10_000, { extensionLimit: 0 }), noon(3), 'extend'), {
    ok: false,
    code: 'extension_limit',
  });
  assert.deepEqual(requestQuote(createInstallment(10_000, { extensionFee: ppm(0) }), noon(0), 'extend'), {
    ok: false,
    code: 'nothing_to_charge',
  });
});

test('an accepted quote equals the option of its type', () => {
  const installment = createInstallment();
  assert.deepEqual(requestQuote(installment, noon(0), 'settle'), { ok: true, value: 10_000 });
  assert.deepEqual(requestQuote(installment, noon(0), 'settle', 10_000), { ok: true, value: 10_000 });
  assert.deepEqual(requestQuote(installment, noon(3), 'settle_partial', 10_210), { ok: true, value: 10_210 });
  assert.deepEqual(requestQuote(installment, noon(3), 'extend', 710), { ok: true, value: 710 });
});

test('a charge is valid until the end of the São Paulo day, but at least half an hour', () => {
  const parse = (iso: string) => Date.parse(iso);
  assert.equal(computeChargeExpiry(parse('2026-03-06T15:00:00Z')), parse('2026-03-07T03:00:00Z'));
  assert.equal(computeChargeExpiry(parse('2026-03-07T02:50:00Z')), parse('2026-03-07T03:20:00Z'));
});

test('a purchase is paid if all its installments are paid, overdue if any is overdue, else open', () => {
  const firstInstallment = createInstallment(5000);
  const secondInstallment = createInstallment(5000, { dueOn: addDays(DUE_ON, 7) });
  const summarizeAt = (instant: Instant, ...installments: Installment[]) =>
    summarizeDebts(installments.map((installment) => computeDebt(installment, instant)));
  assert.deepEqual(summarizeAt(noon(0), firstInstallment, secondInstallment), {
    status: 'open',
    paid: 0,
    discount: 0,
    returned: 0,
    outstanding: 10_000,
    penalties: 0,
    totalDue: 10_000,
    installmentsPaid: 0,
    nextDueOn: DUE_ON,
  });
  assert.deepEqual(summarizeAt(noon(3), firstInstallment, secondInstallment), {
    status: 'overdue',
    paid: 0,
    discount: 0,
    returned: 0,
    outstanding: 10_000,
    penalties: 105, // fine: 2 % of 50.00; interest: 5000 × 3 × 0.01 / 30 = 5
    totalDue: 10_105,
    installmentsPaid: 0,
    nextDueOn: DUE_ON,
  });
  const partlyPaidSummary = summarizeAt(noon(3), settle(firstInstallment, noon(0)), secondInstallment);
  assert.deepEqual(
    [
      partlyPaidSummary.status,
      partlyPaidSummary.paid,
      partlyPaidSummary.installmentsPaid,
      partlyPaidSummary.nextDueOn,
    ],
    ['open', 5000, 1, addDays(DUE_ON, 7)],
  );
  const paidInstallments = [settle(firstInstallment, noon(0)), settle(secondInstallment, noon(1))];
  const paidSummary = summarizeAt(noon(30), ...paidInstallments);
  assert.deepEqual([paidSummary.status, paidSummary.outstanding, paidSummary.nextDueOn], ['paid', 0, null]);
});
