/** Effects of returns on a purchase: examples computed by hand, and random histories reported in any order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day, day, type Instant, saoPauloDay, startOfDay } from '../values/day.ts';
import { DAY_MS, HOUR_MS } from '../values/duration.ts';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { computeDebt, type Debt } from './debt.ts';
import {
  allocatePurchase,
  type InstallmentReceipt,
  type PurchaseAllocation,
  type ReturnFacts,
} from './purchase.ts';
import {
  allocateReceipts,
  amountStillHeld,
  NEW_RECEIPT_STATE,
  type ReceiptFacts,
  sumWithdrawals,
} from './receipts.ts';
import { type Chargeback, planRefunds } from './refunds.ts';
import { buildInstallments, buildSchedule } from './schedule.ts';
import { sumParts } from './shares.ts';
import { DEFAULT_TERMS, type Terms } from './terms.ts';

const SOLD_ON = day('2026-02-27'); // a Friday: installments fall due on Fridays
const START = startOfDay(SOLD_ON) + 12 * HOUR_MS;
/** Returns noon, a number of days after the purchase. */
const noon = (days: number): Instant => START + days * DAY_MS;

type Source = InstallmentReceipt['source'];
/** The facts that random histories vary in the same way for every payment. */
type DrawnFacts = Omit<
  ReceiptFacts,
  'reference' | 'part' | 'receivedAt' | 'amount' | 'reversedAt' | keyof typeof NEW_RECEIPT_STATE
>;
/** The relative frequency of each source. Does not compile if a new source is missing. */
const SOURCE_WEIGHTS: Record<Source, number> = { pix: 3, manual: 1, cashback: 1 };
type Sale = { amount: number; installments: number; terms?: Partial<Terms> };

/** A purchase and its money, as the service stores them. */
function createLedger({ amount, installments: installmentCount, terms: customTerms = {} }: Sale) {
  const terms = { ...DEFAULT_TERMS, ...customTerms };
  const { weeklyRate } = terms;
  const plan = { financed: cents(amount), installments: installmentCount, weeklyRate, purchasedOn: SOLD_ON };
  const result = buildSchedule(plan);
  if (!result.ok) throw new Error(result.refusal.code);
  const installments = result.schedule.installments.map(({ amount, dueOn }) => ({ amount, dueOn, terms }));
  const ledger = {
    plan,
    installments,
    receipts: [] as readonly InstallmentReceipt[],
    returns: [] as readonly ReturnFacts[],
    /** The amounts refunded and credited (converted to cashback) so far. */
    outflows: [] as string[],
    lastAllocation: null as PurchaseAllocation | null,
    allocate(receipts: readonly InstallmentReceipt[]): PurchaseAllocation {
      const allocation = allocatePurchase({ plan, installments, receipts, returns: ledger.returns });
      ledger.receipts = allocation.receipts.map(({ facts }) => facts);
      ledger.lastAllocation = allocation;
      for (const { reference, amountCents } of allocation.refundsDue)
        ledger.outflows.push(`${reference} refunded ${amountCents}`);
      for (const { reference, amountCents } of allocation.creditsDue)
        ledger.outflows.push(`${reference} credited ${amountCents}`);
      return allocation;
    },
    pay(
      reference: string,
      installmentIndex: number,
      receivedAt: Instant,
      paid: number,
      overrides: Partial<DrawnFacts> = {},
    ): PurchaseAllocation {
      const { source = 'pix', purpose = 'pay', pricedOn = null, waivesPenalties = false } = overrides;
      const amount = cents(paid);
      const money = { reference, part: 0, source, installmentIndex, receivedAt, amount, purpose };
      return ledger.allocate([
        ...ledger.receipts,
        { ...money, pricedOn, waivesPenalties, reversedAt: null, ...NEW_RECEIPT_STATE },
      ]);
    },
    returnGoods(id: string, at: Instant, returned: number): PurchaseAllocation {
      ledger.returns = [...ledger.returns, { id, returnedAt: at, amount: cents(returned) }];
      return ledger.allocate(ledger.receipts);
    },
    chargeBack(reference: string, { at, amount }: { at: Instant; amount: number }): PurchaseAllocation {
      const isOfPayment = (receipt: InstallmentReceipt) => receipt.reference === reference;
      const parts = ledger.receipts.filter(isOfPayment);
      const chargeback: Chargeback = { settledAt: at, amount: cents(amount) };
      const sortedParts = parts.toSorted((a, b) => a.part - b.part);
      const changes = { failed: [], unsent: [], sent: [], chargebacks: [chargeback] };
      const { receipts } = planRefunds(sortedParts, changes, at);
      const { installmentIndex } = parts[0]!;
      const newReceipts = receipts.map((receipt) => ({ ...receipt, installmentIndex }));
      const updatedReceipts = ledger.receipts.map((receipt) =>
        isOfPayment(receipt) ? newReceipts[receipt.part]! : receipt,
      );
      return ledger.allocate([...updatedReceipts, ...newReceipts.slice(parts.length)]);
    },
    listDebts(at: Instant): Debt[] {
      const { installments: currentInstallments } = allocatePurchase({ ...ledger, plan, installments });
      return currentInstallments.map((installment) => computeDebt(installment, at));
    },
  };
  return ledger;
}
type Ledger = ReturnType<typeof createLedger>;

/** Describes the amounts of each installment that are not zero, in centavos. */
const listAmounts = (ledger: Ledger, at: Instant) =>
  ledger.listDebts(at).map(({ paid, discount, returned, outstanding, fine, interest }) =>
    Object.entries({ paid, discount, returned, outstanding, penalties: fine + interest })
      .filter(([, amount]) => amount !== 0)
      .map(([name, amount]) => `${name} ${amount}`)
      .join(', '),
  );

test('before any payment a return shrinks each installment to that of the smaller purchase', () => {
  const ledger = createLedger({ amount: 10_000, installments: 3 });
  ledger.returnGoods('r', noon(1), 4_000);
  assert.deepEqual(listAmounts(ledger, noon(1)), [
    'returned 1334, outstanding 2000',
    ...Array(2).fill('returned 1333, outstanding 2000'),
  ]);
  assert.deepEqual(ledger.outflows, []);
});

test('excess pays other installments, the earliest first; what remains is refunded, the newest payment first', () => {
  const ledger = createLedger({ amount: 10_000, installments: 4 });
  ledger.pay('A', 0, noon(1), 2_500);
  ledger.pay('B', 1, noon(2), 2_500);
  // The installments shrink to 1500 each: 1000 of A and 1000 of B are released. They pay 1500 of the third installment and 500 of the fourth.
  ledger.returnGoods('r', noon(3), 4_000);
  assert.deepEqual(listAmounts(ledger, noon(3)), [
    ...Array(3).fill('paid 1500, returned 1000'),
    'paid 500, returned 1000, outstanding 1000',
  ]);
  assert.deepEqual(ledger.outflows, []);
  assert.deepEqual(
    ledger.listDebts(noon(3)).map(({ paidAt }) => paidAt),
    [noon(1), noon(2), noon(3), null],
  );
  // The installments shrink to 500 each: 2000 of 5000 stay. All of B, the newest payment, is refunded, then 500 of A.
  ledger.returnGoods('s', noon(4), 4_000);
  assert.deepEqual(listAmounts(ledger, noon(4)), Array(4).fill('paid 500, returned 2000'));
  assert.deepEqual(ledger.outflows, ['B refunded 2500', 'A refunded 500']);
  ledger.returnGoods('t', noon(5), 2_000);
  assert.deepEqual(listAmounts(ledger, noon(5)), Array(4).fill('returned 2500'));
  assert.deepEqual(ledger.outflows, ['B refunded 2500', 'A refunded 500', 'A refunded 2000']);
});

test('accrued penalties stay after a partial return, and later interest is on the remaining debt; a complete return cancels both', () => {
  const ledger = createLedger({ amount: 20_000, installments: 2 });
  // The first installment fell due on day 7: R$ 100.00 seven days late cost a fine of 2.00 and interest of 0.23.
  ledger.returnGoods('r', noon(14), 10_000);
  assert.deepEqual(listAmounts(ledger, noon(14)), [
    'returned 5000, outstanding 5000, penalties 223',
    'returned 5000, outstanding 5000',
  ]);
  // Interest of thirty more days at 1 % of 50.00: (10000 × 7 + 5000 × 30) × 1 % / 30 = 73.33 centavos.
  assert.deepEqual(listAmounts(ledger, noon(44))[0], 'returned 5000, outstanding 5000, penalties 273');
  ledger.pay('A', 0, noon(44), 1_273);
  assert.deepEqual(listAmounts(ledger, noon(44))[0], 'paid 1000, returned 5000, outstanding 4000');
  ledger.returnGoods('s', noon(45), 10_000);
  assert.deepEqual(listAmounts(ledger, noon(400)), ['returned 10000', 'returned 10000']);
  assert.deepEqual(ledger.outflows, ['A refunded 1273'], 'the paid penalties are refunded');
});

test('after a partial return the extended due day and the fee stay; after a complete return the fee is refunded', () => {
  const ledger = createLedger({ amount: 10_000, installments: 1 });
  ledger.pay('A', 0, noon(2), 500, { purpose: 'extend' });
  ledger.returnGoods('r', noon(3), 6_000);
  const [debt] = ledger.listDebts(noon(3));
  assert.deepEqual([debt!.dueOn, debt!.outstanding, debt!.extensions], [addDays(SOLD_ON, 14), 4_000, 1]);
  assert.deepEqual(ledger.outflows, []);
  ledger.returnGoods('s', noon(4), 4_000);
  assert.deepEqual(ledger.outflows, ['A refunded 500']);
});

test('what remains of an early payment keeps the price of the day it was paid', () => {
  const ledger = createLedger({ amount: 10_000, installments: 1, terms: { weeklyRate: ppm(20_000) } });
  ledger.pay('A', 0, noon(0), 10_000);
  assert.deepEqual(listAmounts(ledger, noon(0)), ['paid 10000, discount 200']);
  ledger.returnGoods('r', noon(3), 5_000);
  assert.deepEqual(listAmounts(ledger, noon(3)), ['paid 5000, discount 100, returned 5100']);
  assert.deepEqual(ledger.outflows, ['A refunded 5000']);
  assert.equal(ledger.listDebts(noon(3))[0]!.paidAt, noon(0));
});

test('freed money pays other installments early at their price of that day', () => {
  const ledger = createLedger({ amount: 20_000, installments: 2, terms: { weeklyRate: ppm(20_000) } });
  const amounts = ledger.installments.map(({ amount }) => amount);
  assert.deepEqual(amounts, [10_301, 10_301]);
  ledger.pay('A', 0, noon(7), 10_301);
  ledger.returnGoods('r', noon(7), 10_000);
  // The new installments are 51.50495 each: 51.50 and 51.51, which a week early costs 51.51 / 1.02 = 50.50.
  assert.deepEqual(listAmounts(ledger, noon(7)), [
    'paid 5150, returned 5151',
    'paid 5050, discount 101, returned 5150',
  ]);
  assert.deepEqual(ledger.outflows, ['A refunded 101']);
});

test('payments older than 90 days, manual payments and cashback are not refunded by Pix', () => {
  const ledger = createLedger({ amount: 40_000, installments: 4 });
  ledger.pay('old', 0, noon(0), 10_000);
  ledger.pay('fresh', 1, noon(1), 10_000);
  ledger.pay('hand', 2, noon(2), 10_000, { source: 'manual' });
  ledger.pay('spent', 3, noon(3), 10_000, { source: 'cashback' });
  ledger.returnGoods('r', noon(0) + 90 * DAY_MS + 1, 40_000);
  // Money paid with cashback is held like money to be refunded, and becomes cashback again.
  const expectedOutflows =
    'spent refunded 10000, fresh refunded 10000, hand credited 10000, old credited 10000';
  assert.equal(ledger.outflows.join(', '), expectedOutflows);
});

test('a payment dated before a return but reported after it gives the same result', () => {
  const promptLedger = createLedger({ amount: 10_000, installments: 4 });
  promptLedger.pay('A', 0, noon(1), 2_500);
  promptLedger.pay('B', 1, noon(2), 2_500);
  promptLedger.returnGoods('r', noon(3), 8_000);
  const lateLedger = createLedger({ amount: 10_000, installments: 4 });
  lateLedger.pay('B', 1, noon(2), 2_500);
  lateLedger.returnGoods('r', noon(3), 8_000);
  lateLedger.pay('A', 0, noon(1), 2_500);
  assert.deepEqual(listAmounts(lateLedger, noon(9)), listAmounts(promptLedger, noon(9)));
  assert.deepEqual(sumWithdrawn(lateLedger), sumWithdrawn(promptLedger));
  assert.deepEqual(sumWithdrawn(promptLedger), { A: 500, B: 2_500 });
});

test('after a chargeback that follows a return, everything that the payment paid is owed again, and its remainder pays again', () => {
  const ledger = createLedger({ amount: 10_000, installments: 4 });
  ledger.pay('A', 0, noon(1), 2_500);
  ledger.returnGoods('r', noon(3), 8_000);
  assert.deepEqual(ledger.outflows, ['A refunded 500']);
  ledger.chargeBack('A', { at: noon(4), amount: 1_200 });
  assert.deepEqual(listAmounts(ledger, noon(4)), [
    'paid 500, returned 2000',
    'paid 300, returned 2000, outstanding 200',
    ...Array(2).fill('returned 2000, outstanding 500'),
  ]);
  assert.deepEqual(ledger.outflows, ['A refunded 500'], 'nothing more is refunded');
  ledger.chargeBack('A', { at: noon(5), amount: 800 });
  assert.deepEqual(listAmounts(ledger, noon(5)), Array(4).fill('returned 2000, outstanding 500'));
});

/** Sums the amount of each payment that was refunded, became cashback, or is stranded excess. */
function sumWithdrawn({ receipts }: Ledger): Record<string, number> {
  const amounts: Record<string, number> = {};
  for (const { reference, refunded, credited, stranded } of receipts) {
    const amount = refunded + credited + stranded;
    if (amount > 0) amounts[reference] = (amounts[reference] ?? 0) + amount;
  }
  return amounts;
}

const sumValues = (amounts: Record<string, number>) =>
  Object.values(amounts).reduce((total, amount) => total + amount, 0);

const anySale: fc.Arbitrary<Sale> = fc.record({
  amount: fc.oneof(fc.integer({ min: 30, max: 400 }), fc.integer({ min: 400, max: 60_000 })),
  installments: fc.integer({ min: 1, max: 5 }),
  terms: fc.record({
    weeklyRate: fc.constantFrom(0, 0, 12_500, 50_000).map(ppm),
    extensionLimit: fc.constantFrom(0, 2),
  }),
});

const anyPayment = fc.record({
  installment: fc.nat(4),
  hours: fc.integer({ min: 0, max: 45 * 24 }),
  /** The share of the installment, in percent. */
  share: fc.constantFrom(100, 100, 103, 40, 7, 250),
  source: fc.oneof(
    ...Object.entries(SOURCE_WEIGHTS).map(([source, weight]) => ({
      arbitrary: fc.constant(source as Source),
      weight,
    })),
  ),
  /** Above 0 for a debit that the bank retried: it pays the price of an earlier day, and waives the penalties since. */
  pricedDaysBefore: fc.constantFrom(0, 0, 0, 3),
  purpose: fc.constantFrom('pay' as const, 'pay' as const, 'extend' as const),
  chargeback: fc.option(
    fc.record({ hours: fc.integer({ min: 1, max: 50 * 24 }), share: fc.constantFrom(100, 30) }),
    { freq: 4 },
  ),
});
type Draft = Omit<typeof anyPayment extends fc.Arbitrary<infer T> ? T : never, 'chargeback'>;

/** Does not compile if a new field of `ReceiptFacts` is missing. */
function toFacts({ source, purpose, hours, pricedDaysBefore }: Draft): Required<DrawnFacts> {
  const isRetried = source === 'pix' && purpose === 'pay' && pricedDaysBefore > 0;
  const pricedOn: Day | null = isRetried ? addDays(saoPauloDay(toInstant(hours)), -pricedDaysBefore) : null;
  return { source, purpose, pricedOn, waivesPenalties: isRetried };
}

const anyReturn = fc.record({
  hours: fc.integer({ min: 0, max: 45 * 24 }),
  /** The share of the remaining purchase, in percent. */
  share: fc.constantFrom(100, 50, 20, 3),
});

const toInstant = (hours: number): Instant => START + hours * HOUR_MS + 1;

function payDraft(ledger: Ledger, reference: string, draft: Draft): PurchaseAllocation {
  const index = draft.installment % ledger.installments.length;
  const amount = Math.max(1, Math.round((ledger.installments[index]!.amount * draft.share) / 100));
  return ledger.pay(reference, index, toInstant(draft.hours), amount, toFacts(draft));
}

const computeRemainingAmount = ({ plan, returns }: Ledger) =>
  plan.financed - returns.reduce((total, { amount }) => total + amount, 0);

function returnDraft(ledger: Ledger, id: string, { hours, share }: { hours: number; share: number }): void {
  const remainingAmount = computeRemainingAmount(ledger);
  const lastReturnAt = ledger.returns.at(-1)?.returnedAt ?? 0;
  const amount = Math.max(1, Math.round((remainingAmount * share) / 100));
  // Each return is made after the previous one.
  if (remainingAmount > 0) ledger.returnGoods(id, Math.max(lastReturnAt, toInstant(hours)), amount);
}

/** Asserts the invariants of every purchase. */
function assertInvariants(ledger: Ledger): void {
  const { plan, installments, receipts, returns } = ledger;
  const allocation = allocatePurchase({ plan, installments, receipts, returns });
  assert.deepEqual(allocation.refundsDue, [], 'no further refund is due');
  assert.deepEqual(allocation.creditsDue, []);
  assert.deepEqual(
    allocation.receipts.map(({ facts }) => facts),
    receipts,
    'the stored receipts are the result of the replay',
  );
  // The service reads receipts in the order of arrival.
  const sortedReceipts = receipts.toSorted((a, b) => a.receivedAt - b.receivedAt);
  const reloadedAllocation = allocatePurchase({ plan, installments, receipts: sortedReceipts, returns });
  if (ledger.lastAllocation)
    assert.deepEqual(reloadedAllocation.installments, ledger.lastAllocation.installments, 'in any order');
  const lastInstant = Math.max(
    START,
    ...receipts.map((receipt) => receipt.reversedAt ?? receipt.receivedAt),
    ...returns.map(({ returnedAt }) => returnedAt),
  );
  const debts = allocation.installments.map((installment) => computeDebt(installment, lastInstant));
  const remainingAmount = computeRemainingAmount(ledger);
  const schedule = buildInstallments({ ...plan, financed: cents(remainingAmount) });
  const paidAmounts = installments.map(() => ({ principal: 0, discount: 0 }));
  for (const { facts, shares, excess } of allocation.receipts) {
    const paidAmount = shares.reduce((total, share) => total + sumParts(share), 0);
    const { amount, refunded, taken, credited } = facts;
    const totalAmount = paidAmount + excess + refunded + taken + credited + sumWithdrawals(facts);
    assert.equal(totalAmount, amount, `each centavo of ${facts.reference} is counted once`);
    assert.ok(paidAmount >= 0 && excess >= 0 && amountStillHeld(facts) >= 0);
    if (facts.reversedAt !== null) continue;
    for (const share of shares) {
      assert.ok(share.principal >= 0 && share.discount >= 0 && share.interest >= 0 && share.fine >= 0);
      paidAmounts[share.installmentIndex]!.principal += share.principal;
      paidAmounts[share.installmentIndex]!.discount += share.discount;
    }
  }
  for (const [index, debt] of debts.entries()) {
    assert.equal(debt.amount - debt.returned, schedule[index]!.amount, 'as in the smaller purchase');
    assert.equal(debt.amount, debt.paid + debt.discount + debt.returned + debt.outstanding);
    const { principal, discount } = paidAmounts[index]!;
    assert.deepEqual([debt.paid, debt.discount], [principal, discount]);
    if (remainingAmount > 0) continue;
    assert.deepEqual([debt.status, debt.totalDue, debt.paid], ['paid', 0, 0], 'nothing is owed');
  }
  const liveReceipts = receipts.filter(({ reversedAt }) => reversedAt === null);
  if (remainingAmount === 0)
    assert.ok(
      liveReceipts.every((receipt) => amountStillHeld(receipt) === receipt.stranded),
      'only stranded money is held',
    );
}

const runOptions = { numRuns: Number(process.env.RUNS ?? 300) };

test('random histories: no centavo is created or lost, and each installment has the right amount', () => {
  fc.assert(
    fc.property(
      anySale,
      fc.array(anyPayment, { maxLength: 6 }),
      fc.array(anyReturn, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      (sale, payments, returns, order) => {
        const ledger = createLedger(sale);
        const steps = [
          ...payments.map((payment, i) => () => {
            payDraft(ledger, `P${i}`, payment);
            assertInvariants(ledger);
            const { chargeback } = payment;
            const heldAmount = ledger.receipts
              .filter((receipt) => receipt.reference === `P${i}` && receipt.reversedAt === null)
              .reduce((total, receipt) => total + amountStillHeld(receipt), 0);
            if (!chargeback || heldAmount === 0) return;
            const amount = Math.max(1, Math.round((heldAmount * chargeback.share) / 100));
            ledger.chargeBack(`P${i}`, { at: toInstant(payment.hours + chargeback.hours), amount });
          }),
          ...returns.map((drawnReturn, i) => () => returnDraft(ledger, `R${i}`, drawnReturn)),
        ];
        const shuffledSteps = steps
          .map((run) => ({ run, position: order.next().value }))
          .sort((a, b) => a.position - b.position);
        for (const { run } of shuffledSteps) {
          run();
          assertInvariants(ledger);
        }
      },
    ),
    runOptions,
  );
});

test('without returns the result equals the allocation of each installment alone', () => {
  fc.assert(
    fc.property(anySale, fc.array(anyPayment, { maxLength: 5 }), (sale, payments) => {
      const ledger = createLedger(sale);
      for (const [i, payment] of payments.entries()) payDraft(ledger, `P${i}`, payment);
      const allocation = allocatePurchase(ledger);
      for (const [index, agreed] of ledger.installments.entries()) {
        const ownReceipts = ledger.receipts.filter(({ installmentIndex }) => installmentIndex === index);
        const { installment } = allocateReceipts(agreed, ownReceipts);
        const { events } = allocation.installments[index]!;
        assert.deepEqual(events.toSorted(byTime), installment.events.toSorted(byTime));
      }
    }),
    runOptions,
  );
});
const byTime = (a: { at: Instant }, b: { at: Instant }) => a.at - b.at;

test('the order in which payments are reported, before or after returns, does not matter', () => {
  fc.assert(
    fc.property(
      anySale,
      fc.uniqueArray(anyPayment, { maxLength: 6, selector: ({ hours }) => hours }),
      fc.array(anyReturn, { minLength: 1, maxLength: 2 }),
      fc.infiniteStream(fc.nat()),
      (sale, drawnPayments, returns, order) => {
        // The excess of an extension stays refunded, even if the extension turns out to be impossible.
        const payments = drawnPayments.map((payment) => ({ ...payment, purpose: 'pay' as const }));
        const drawnReturns = returns.toSorted((a, b) => a.hours - b.hours);
        // A refund stays, even if a discount later turns out a centavo smaller: without a rate there is no discount.
        const ratelessSale = { ...sale, terms: { ...sale.terms, weeklyRate: ppm(0) } };
        const promptLedger = createLedger(ratelessSale);
        const lateLedger = createLedger(ratelessSale);
        const promptSteps = [
          ...payments.map((payment, i) => ({
            hours: payment.hours,
            run: () => payDraft(promptLedger, `P${i}`, payment),
          })),
          ...drawnReturns.map((drawnReturn, i) => ({
            hours: drawnReturn.hours + 0.5,
            run: () => returnDraft(promptLedger, `R${i}`, { ...drawnReturn, hours: drawnReturn.hours + 0.5 }),
          })),
        ].sort((a, b) => a.hours - b.hours);
        for (const { run } of promptSteps) run();
        // Payments are reported at random positions: before, between and after the returns.
        const lateSteps = [
          ...payments.map((payment, i) => ({
            position: order.next().value % 100,
            run: () => payDraft(lateLedger, `P${i}`, payment),
          })),
          ...drawnReturns.map((drawnReturn, i) => ({
            position: 30 + 20 * i,
            run: () => returnDraft(lateLedger, `R${i}`, { ...drawnReturn, hours: drawnReturn.hours + 0.5 }),
          })),
        ].sort((a, b) => a.position - b.position);
        for (const { run } of lateSteps) run();
        const end = START + 100 * DAY_MS;
        assert.deepEqual(listAmounts(lateLedger, end), listAmounts(promptLedger, end));
        assert.equal(sumValues(sumWithdrawn(lateLedger)), sumValues(sumWithdrawn(promptLedger)));
      },
    ),
    runOptions,
  );
});
