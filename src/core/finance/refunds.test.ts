/** Effects of failed refunds and chargebacks on receipts: examples worked out by hand, and random histories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, day, type Instant, startOfDay } from '../values/day.ts';
import { HOUR_MS } from '../values/duration.ts';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { computeDebt } from './debt.ts';
import {
  type AgreedInstallment,
  allocateReceipts,
  amountStillHeld,
  NEW_RECEIPT_STATE,
  type ReceiptFacts,
} from './receipts.ts';
import { type Chargeback, type PendingRefund, planRefunds, type RefundChanges } from './refunds.ts';
import { DEFAULT_TERMS, type Terms } from './terms.ts';

const DUE_ON = day('2026-03-06'); // a Friday
/** Returns noon, a number of days after the due day. */
const noon = (days: number): Instant => startOfDay(addDays(DUE_ON, days)) + 12 * HOUR_MS;
const createAgreedInstallment = (terms: Partial<Terms> = {}): AgreedInstallment => ({
  amount: cents(10_000),
  dueOn: DUE_ON,
  terms: { ...DEFAULT_TERMS, ...terms },
});

type StoredRefund = PendingRefund & {
  reference: string;
  status: 'requested' | 'sent' | 'returned' | 'closed';
};

/** An installment, its receipts and its refunds, as the service stores them. */
function createLedger(agreedInstallment: AgreedInstallment) {
  const ledger = {
    facts: [] as readonly ReceiptFacts[],
    refunds: [] as StoredRefund[],
    chargedBack: new Map<string, number>(),
    allocate(facts: readonly ReceiptFacts[]): void {
      const { receipts, refundsDue } = allocateReceipts(agreedInstallment, facts);
      ledger.facts = receipts.map((receipt) => receipt.facts);
      for (const { reference, part, amountCents } of refundsDue) {
        const id = `D${ledger.refunds.length}`;
        ledger.refunds.push({ id, reference, part, amount: amountCents, status: 'requested' });
      }
    },
    pay(reference: string, receivedAt: Instant, amount: number, purpose: 'pay' | 'extend' = 'pay'): void {
      const payment = {
        reference,
        part: 0,
        source: 'pix',
        receivedAt,
        amount: cents(amount),
        purpose,
      } as const;
      const initialState = { pricedOn: null, waivesPenalties: false, reversedAt: null, ...NEW_RECEIPT_STATE };
      ledger.allocate([...ledger.facts, { ...payment, ...initialState }]);
    },
    reportRefundChanges(
      reference: string,
      changes: Partial<Pick<RefundChanges, 'failed' | 'chargebacks'>>,
      now: Instant,
    ): void {
      const { failed = [], chargebacks = [] } = changes;
      const unfailedRefunds = ledger.refunds
        .filter((refund) => refund.reference === reference && !failed.some(({ id }) => id === refund.id))
        .toReversed();
      const paymentFacts = ledger.facts
        .filter((fact) => fact.reference === reference)
        .toSorted((a, b) => a.part - b.part);
      const plan = planRefunds(
        paymentFacts,
        {
          failed,
          chargebacks,
          unsent: unfailedRefunds.filter(({ status }) => status === 'requested'),
          sent: unfailedRefunds.filter(({ status }) => status === 'sent'),
        },
        now,
      );
      const chargedBackAmount = chargebacks.reduce((total, { amount }) => total + amount, 0) - plan.shortfall;
      ledger.chargedBack.set(reference, (ledger.chargedBack.get(reference) ?? 0) + chargedBackAmount);
      for (const refund of ledger.refunds)
        if (plan.supersededIds.includes(refund.id) || failed.some(({ id }) => id === refund.id))
          refund.status = 'closed';
      const knownFacts = ledger.facts.map((fact) =>
        fact.reference === reference ? plan.receipts[fact.part]! : fact,
      );
      ledger.allocate([...knownFacts, ...plan.receipts.slice(paymentFacts.length)]);
    },
    computeDebt: (at: Instant) =>
      computeDebt(allocateReceipts(agreedInstallment, ledger.facts).installment, at),
  };
  return ledger;
}
type Ledger = ReturnType<typeof createLedger>;

const createChargeback = (settledAt: Instant, amount: number): Chargeback => ({
  settledAt,
  amount: cents(amount),
});
const summarizeReceipts = ({ facts }: Ledger) =>
  facts.map(({ part, amount, refunded, taken, reversedAt }) => {
    return { part, amount, refunded, taken, isReversed: reversedAt !== null };
  });
const summarizeRefunds = (ledger: Ledger) =>
  ledger.refunds.map(({ amount, status }) => `${amount} ${status}`);

test('a partial chargeback reverses the receipt, and the rest becomes a new part with the time of the chargeback', () => {
  const ledger = createLedger(createAgreedInstallment());
  ledger.pay('A', noon(-1), 10_000);
  ledger.reportRefundChanges('A', { chargebacks: [createChargeback(noon(3), 4_000)] }, noon(4));
  assert.deepEqual(summarizeReceipts(ledger), [
    { part: 0, amount: 10_000, refunded: 0, taken: 0, isReversed: true },
    { part: 1, amount: 6_000, refunded: 0, taken: 0, isReversed: false },
  ]);
  assert.equal(ledger.facts[1]!.receivedAt, noon(3));
  assert.equal(ledger.computeDebt(noon(4)).outstanding, 4_000);
});

test('a chargeback first takes the amount of an unsent refund; the rest is refunded by another refund', () => {
  const ledger = createLedger(createAgreedInstallment());
  ledger.pay('A', noon(-1), 13_000);
  ledger.reportRefundChanges('A', { chargebacks: [createChargeback(noon(0), 1_000)] }, noon(0));
  assert.deepEqual(summarizeRefunds(ledger), ['3000 closed', '2000 requested']);
  assert.deepEqual(summarizeReceipts(ledger), [
    { part: 0, amount: 13_000, refunded: 2_000, taken: 1_000, isReversed: false },
  ]);
  assert.equal(ledger.computeDebt(noon(0)).status, 'paid');
});

test('a chargeback uses the money of refunds that the PSP may have received only after all other money', () => {
  const ledger = createLedger(createAgreedInstallment());
  ledger.pay('A', noon(-1), 13_000);
  ledger.refunds[0]!.status = 'sent';
  ledger.reportRefundChanges('A', { chargebacks: [createChargeback(noon(0), 6_000)] }, noon(0));
  assert.deepEqual(summarizeRefunds(ledger), ['3000 sent']);
  assert.equal(ledger.computeDebt(noon(0)).outstanding, 6_000);
  ledger.reportRefundChanges('A', { failed: [{ ...ledger.refunds[0]!, isAbandoned: false }] }, noon(0));
  assert.equal(
    ledger.computeDebt(noon(0)).outstanding,
    3_000,
    'the failed refund pays as a new part, because its receipt was reversed',
  );
});

test('an abandoned refund stays for a staff user, until the installment needs the money or a chargeback takes it', () => {
  const ledger = createLedger(createAgreedInstallment());
  ledger.pay('A', noon(-1), 13_000);
  ledger.reportRefundChanges('A', { failed: [{ ...ledger.refunds[0]!, isAbandoned: true }] }, noon(0));
  assert.deepEqual([summarizeRefunds(ledger), ledger.facts[0]!.stranded], [['3000 closed'], 3_000]);
  ledger.reportRefundChanges('A', { chargebacks: [createChargeback(noon(0), 2_000)] }, noon(0));
  assert.deepEqual([summarizeRefunds(ledger), ledger.facts[0]!.stranded], [['3000 closed'], 1_000]);
  assert.equal(ledger.computeDebt(noon(0)).status, 'paid');
});

test('a chargeback beyond the payment is a shortfall, and nothing becomes negative', () => {
  const plan = planRefunds([], { failed: [], chargebacks: [], unsent: [], sent: [] }, 0);
  assert.equal(plan.shortfall, 0);
  const ledger = createLedger(createAgreedInstallment());
  ledger.pay('A', noon(-1), 5_000);
  ledger.reportRefundChanges(
    'A',
    { chargebacks: [createChargeback(noon(0), 4_000), createChargeback(noon(0), 4_000)] },
    noon(0),
  );
  assert.deepEqual([ledger.chargedBack.get('A'), ledger.computeDebt(noon(0)).outstanding], [5_000, 10_000]);
});

test('a chargeback takes money that became cashback after applied money and before refunds in progress', () => {
  const sharedFields = {
    reference: 'A',
    source: 'pix',
    receivedAt: noon(0),
    purpose: 'pay',
    pricedOn: null,
    waivesPenalties: false,
  } as const;
  const initialState = { reversedAt: null, ...NEW_RECEIPT_STATE };
  const payment: ReceiptFacts[] = [
    {
      ...sharedFields,
      ...initialState,
      part: 0,
      amount: cents(10_000),
      withdrawals: [{ returnId: 'r', amount: cents(7_000) }],
    },
    { ...sharedFields, ...initialState, part: 1, amount: cents(4_000), credited: cents(4_000) },
    { ...sharedFields, ...initialState, part: 2, amount: cents(3_000), refunded: cents(3_000) },
  ];
  const sent = [{ id: 'D', part: 2, amount: cents(3_000) }];
  const plan = (amount: number) =>
    planRefunds(
      payment,
      { failed: [], chargebacks: [createChargeback(noon(1), amount)], unsent: [], sent },
      noon(1),
    );
  const { receipts, supersededIds, shortfall } = plan(5_000);
  assert.deepEqual(
    receipts.map(({ reversedAt, credited, taken }) => ({ isReversed: reversedAt !== null, credited, taken })),
    [
      { isReversed: true, credited: 0, taken: 0 },
      { isReversed: false, credited: 2_000, taken: 2_000 },
      { isReversed: false, credited: 0, taken: 0 },
    ],
  );
  assert.deepEqual([supersededIds, shortfall], [[], 0]);
  assert.deepEqual([plan(10_000).supersededIds, plan(10_000).shortfall], [['D'], 0]);
});

const anyTerms = fc.record({
  weeklyRate: fc.constantFrom(0, 20_000).map(ppm),
  extensionLimit: fc.constantFrom(0, 2),
});
const anyStep = fc.record({
  action: fc.constantFrom(
    'pay',
    'pay',
    'extend',
    'send',
    'return',
    'fail',
    'abandon',
    'charge back',
    'charge back',
  ),
  hours: fc.integer({ min: -10 * 24, max: 40 * 24 }),
  amount: fc.integer({ min: 1, max: 15_000 }),
  refundIndex: fc.nat(),
});

/** Each centavo of each payment is applied, left for a staff user, held for a refund, refunded, or charged back. */
function assertConserved(agreedInstallment: AgreedInstallment, ledger: Ledger): void {
  const { receipts, refundsDue } = allocateReceipts(agreedInstallment, ledger.facts);
  assert.deepEqual(refundsDue, [], 'any excess is immediately held for a refund');
  for (const reference of new Set(ledger.facts.map((fact) => fact.reference))) {
    const paymentReceipts = receipts.filter(({ facts }) => facts.reference === reference);
    for (const { facts, applied } of paymentReceipts) {
      assert.ok(
        facts.refunded >= 0 && facts.taken >= 0 && facts.stranded >= 0 && amountStillHeld(facts) >= 0,
      );
      assert.ok(facts.reversedAt === null || facts.reversedAt >= facts.receivedAt);
      assert.equal(facts.stranded, facts.reversedAt === null ? applied.excess : 0);
    }
    const heldForRefunds = paymentReceipts.reduce((total, { facts }) => total + facts.refunded, 0);
    const openOrPaidRefunds = ledger.refunds.filter(
      (refund) => refund.reference === reference && refund.status !== 'closed',
    );
    assert.equal(
      heldForRefunds,
      openOrPaidRefunds.reduce((total, { amount }) => total + amount, 0),
      'the amount held for refunds equals the sum of open and paid refunds',
    );
    const amountOnInstallment = paymentReceipts
      .filter(({ facts }) => facts.reversedAt === null)
      .reduce((total, { facts }) => total + amountStillHeld(facts), 0);
    assert.equal(
      amountOnInstallment + heldForRefunds + (ledger.chargedBack.get(reference) ?? 0),
      paymentReceipts[0]!.facts.amount,
      'no centavo is lost or created',
    );
  }
}

test('random histories: no centavo is lost or created, whatever refunds and chargebacks are reported in any order', () => {
  fc.assert(
    fc.property(anyTerms, fc.array(anyStep, { maxLength: 12 }), (terms, steps) => {
      const agreedInstallment = createAgreedInstallment(terms);
      const ledger = createLedger(agreedInstallment);
      let paymentCount = 0;
      for (const { action, hours, amount, refundIndex } of steps) {
        const at = startOfDay(DUE_ON) + hours * HOUR_MS;
        const openRefunds = ledger.refunds.filter(
          ({ status }) => status === 'requested' || status === 'sent',
        );
        const refund = openRefunds[refundIndex % Math.max(1, openRefunds.length)];
        if (action === 'pay') ledger.pay(`E${paymentCount++}`, at, amount);
        else if (action === 'extend') ledger.pay(`E${paymentCount++}`, at, 500, 'extend');
        else if (action === 'charge back') {
          if (paymentCount > 0)
            ledger.reportRefundChanges(
              `E${refundIndex % paymentCount}`,
              { chargebacks: [createChargeback(at, amount)] },
              at,
            );
        } else if (!refund) continue;
        else if (action === 'send') refund.status = 'sent';
        else if (action === 'return') refund.status = 'returned';
        else
          ledger.reportRefundChanges(
            refund.reference,
            { failed: [{ ...refund, isAbandoned: action === 'abandon' }] },
            at,
          );
        assertConserved(agreedInstallment, ledger);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('chargebacks of one payment have the same result, reported together or separately, in any order', () => {
  fc.assert(
    fc.property(
      anyTerms,
      fc.integer({ min: 2, max: 14_000 }),
      fc.array(fc.integer({ min: 1, max: 7_000 }), { minLength: 2, maxLength: 3 }),
      (terms, paidAmount, amounts) => {
        const replay = (reports: number[][]) => {
          const ledger = createLedger(createAgreedInstallment(terms));
          ledger.pay('A', noon(-20), paidAmount);
          for (const report of reports)
            ledger.reportRefundChanges(
              'A',
              { chargebacks: report.map((i) => createChargeback(noon(i - 9), amounts[i]!)) },
              noon(-5),
            );
          const { outstanding, fine, interest } = ledger.computeDebt(noon(9));
          return { owed: [outstanding, fine, interest], chargedBack: ledger.chargedBack.get('A') };
        };
        const separateReports = amounts.map((_, i) => [i]);
        const debtAfterOneReport = replay([separateReports.flat().toReversed()]);
        assert.deepEqual(replay(separateReports), debtAfterOneReport);
        // A chargeback takes effect no earlier than one that was reported before it. So the debt is equal only without interest.
        const debtInReverseOrder = replay(separateReports.toReversed());
        assert.equal(debtInReverseOrder.chargedBack, debtAfterOneReport.chargedBack);
        if (terms.weeklyRate === 0) assert.deepEqual(debtInReverseOrder, debtAfterOneReport);
      },
    ),
    { numRuns: 500 },
  );
});
