import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_TERMS } from '#core/finance/terms.ts';
import { ppm } from '#core/values/percent.ts';
import { computeMaxPurchaseAgeMs } from './open-checkout.ts';
import { planPurchase } from './plan-purchase.ts';

const now = new Date('2027-03-05T12:00:00.000Z');
const defaultTerms = { ...DEFAULT_TERMS, weeklyRate: ppm(10_000), cashback: ppm(25_000) };
const request = { customer: '-', merchant: '-', amount: 100, installments: 2 };
const planRequest = (overrides: object = {}, maxPurchaseAgeMs = computeMaxPurchaseAgeMs('live')) =>
  planPurchase({ ...request, ...overrides }, defaultTerms, { now, maxPurchaseAgeMs });

test('weekly rate and cashback default to those of the merchant', () => {
  assert.equal(planRequest().plan!.terms.weeklyRate, 10_000);
  assert.equal(planRequest({ terms: { weekly_rate_percent: 0 } }).plan!.terms.weeklyRate, 0);
  assert.equal(planRequest().plan!.terms.cashback, 25_000);
  assert.equal(planRequest({ terms: { cashback_percent: 0 } }).plan!.terms.cashback, 0);
});

test('a purchase can be recorded up to 24 hours later, in the sandbox at any time later, and never in advance', () => {
  const listMessages = (purchased_at: string, maxPurchaseAgeMs?: number) =>
    planRequest({ purchased_at }, maxPurchaseAgeMs).errors.map(({ message }) => message.en);
  assert.deepEqual(listMessages('2027-03-04T12:00:00.000Z'), []);
  assert.deepEqual(listMessages('2027-03-04T11:59:59.999Z'), ['must not be more than 24 hours ago']);
  const sandboxMaxAgeMs = computeMaxPurchaseAgeMs('sandbox');
  assert.deepEqual(listMessages('2020-01-01T00:00:00.000Z', sandboxMaxAgeMs), []);
  assert.deepEqual(listMessages('2027-03-05T12:00:00.001Z', sandboxMaxAgeMs), ['must not be in the future']);
});

test('all errors are reported together, and unlawful terms have the legal rule', () => {
  const { errors } = planRequest({ amount: 1.001, terms: { fine_percent: 3, extension_limit: -1 } });
  assert.deepEqual(
    errors.map(({ pointer, law }) => [pointer, law]),
    [
      ['/amount', undefined],
      ['/terms/fine_percent', 'CDC art. 52 §1'],
      ['/terms/extension_limit', undefined],
    ],
  );
});
