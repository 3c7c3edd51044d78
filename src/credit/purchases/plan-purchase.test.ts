import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ppm } from '#core/percent.ts';
import { DEFAULT_TERMS } from '#core/terms.ts';
import { lateEntryMs as lateEntry } from './approve-purchase.ts';
import { planPurchase } from './plan-purchase.ts';

const now = new Date('2027-03-05T12:00:00.000Z');
const usual = { ...DEFAULT_TERMS, weeklyRate: ppm(10_000), cashback: ppm(25_000) };
const order = { customer: '-', merchant: '-', amount: 100, installments: 2 };
const plan = (more: object = {}, lateEntryMs = lateEntry('live')) =>
  planPurchase({ ...order, ...more }, usual, { now, lateEntryMs });

test('the weekly rate and the cashback are the merchant’s unless told otherwise', () => {
  assert.equal(plan().plan!.terms.weeklyRate, 10_000);
  assert.equal(plan({ terms: { weekly_rate_percent: 0 } }).plan!.terms.weeklyRate, 0);
  assert.equal(plan().plan!.terms.cashback, 25_000);
  assert.equal(plan({ terms: { cashback_percent: 0 } }).plan!.terms.cashback, 0);
});

test('a purchase is written down within 24 hours, in the sandbox whenever, and nowhere beforehand', () => {
  const faults = (purchased_at: string, lateEntryMs?: number) =>
    plan({ purchased_at }, lateEntryMs).faults.map(({ message }) => message.en);
  assert.deepEqual(faults('2027-03-04T12:00:00.000Z'), []);
  assert.deepEqual(faults('2027-03-04T11:59:59.999Z'), ['must not be more than 24 hours ago']);
  assert.deepEqual(faults('2020-01-01T00:00:00.000Z', Number.POSITIVE_INFINITY), []);
  assert.deepEqual(faults('2027-03-05T12:00:00.001Z', Number.POSITIVE_INFINITY), [
    'must not be in the future',
  ]);
});

test('all faults are reported together, and unlawful terms name the rule', () => {
  const { faults } = plan({ amount: 1.001, terms: { fine_percent: 3, extension_limit: -1 } });
  assert.deepEqual(
    faults.map(({ pointer, law }) => [pointer, law]),
    [
      ['/amount', undefined],
      ['/terms/fine_percent', 'CDC art. 52 §1'],
      ['/terms/extension_limit', undefined],
    ],
  );
});
