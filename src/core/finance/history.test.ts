import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  day,
  dayFromNumber,
  dayNumber,
  endOfDay,
  type Instant,
  saoPauloDay,
  startOfDay,
} from '../values/day.ts';
import { HOUR_MS } from '../values/duration.ts';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { type Receipt, replayReceipts } from './allocation.ts';
import { quoteExtension } from './charge.ts';
import { computeDebt, type Extension, type Installment, type Payment } from './debt.ts';
import { computeFine, computeLateInterest } from './rates.ts';
import type { Terms } from './terms.ts';

/** Properties of debts, over random histories of payments, extensions, fixed prices and reversals. */

const FIRST_DUE_DAY = dayNumber(day('2024-01-01'));

const anyTerms: fc.Arbitrary<Terms> = fc.record({
  weeklyRate: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })).map(ppm),
  fine: fc.integer({ min: 0, max: 20_000 }).map(ppm),
  lateInterest: fc.integer({ min: 0, max: 10_000 }).map(ppm),
  extensionFee: fc.integer({ min: 0, max: 100_000 }).map(ppm),
  extensionDays: fc.integer({ min: 1, max: 15 }),
  extensionLimit: fc.nat(3),
  cashback: fc.constant(ppm(0)),
});

const anyUnpaidInstallment: fc.Arbitrary<Installment> = fc.record({
  amount: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2_000_000 })).map(cents),
  dueOn: fc.nat(2500).map((daysLater) => dayFromNumber(FIRST_DUE_DAY + daysLater)),
  terms: anyTerms,
  events: fc.constant([]),
});

/** A receipt relative to the installment. */
type Draft = {
  /** The arrival: hours after the start of the due day, and milliseconds in addition. */
  hours: number;
  ms: number;
  /** The share of the installment in thousandths. */
  share: number;
  isExtension: boolean;
  /** 1 if the price of the day before is guaranteed, otherwise 0. */
  pricedDaysBefore: number;
  /** Hours from the arrival to the reversal. */
  reversedHours: number | null;
};

const anyDraft: fc.Arbitrary<Draft> = fc.record({
  hours: fc.integer({ min: -30 * 24, max: 60 * 24 }),
  ms: fc.nat(3),
  share: fc.integer({ min: 1, max: 1200 }),
  isExtension: fc.boolean(),
  pricedDaysBefore: fc.constantFrom(0, 0, 0, 1),
  reversedHours: fc.option(fc.integer({ min: 1, max: 30 * 24 }), { freq: 8 }),
});

/** Builds receipts. Extensions are paid at their current price, because random amounts would hardly ever pay one. */
function buildReceipts(agreed: Installment, drafts: readonly Draft[]): Receipt[] {
  const receipts: Receipt[] = [];
  const dueDayStart = startOfDay(agreed.dueOn);
  for (const draft of drafts.toSorted((a, b) => a.hours * HOUR_MS + a.ms - b.hours * HOUR_MS - b.ms)) {
    const at = dueDayStart + draft.hours * HOUR_MS + draft.ms;
    const pricedOn = addDays(saoPauloDay(at), -draft.pricedDaysBefore);
    const debt = computeDebt(replayReceipts(agreed, receipts).installment, at, pricedOn);
    const quote = quoteExtension(debt, agreed.terms);
    const amount =
      draft.isExtension && quote.ok
        ? quote.amount
        : Math.max(1, Math.round((agreed.amount * draft.share) / 1000));
    receipts.push({
      receivedAt: at,
      amount: cents(amount),
      purpose: draft.isExtension ? 'extend' : 'pay',
      ...(draft.pricedDaysBefore > 0 && { pricedOn }),
      reversedAt: draft.reversedHours === null ? null : at + draft.reversedHours * HOUR_MS,
    });
  }
  return receipts;
}

type History = { agreed: Installment; receipts: Receipt[]; installment: Installment };

const anyHistory: fc.Arbitrary<History> = fc
  .tuple(
    anyUnpaidInstallment,
    fc.uniqueArray(anyDraft, { maxLength: 6, selector: ({ hours, ms }) => `${hours}.${ms}` }),
  )
  .map(([agreed, drafts]) => {
    const receipts = buildReceipts(agreed, drafts);
    return { agreed, receipts, installment: replayReceipts(agreed, receipts).installment };
  });

/** The time from the start of the due day to the instant of a debt. */
const anyOffset = fc.integer({ min: -40 * 24, max: 120 * 24 }).map((hours) => hours * HOUR_MS);
/** Returns the instant after which no receipt arrives and none is reversed. */
const findLastInstant = ({ agreed, receipts }: History): Instant =>
  Math.max(
    startOfDay(agreed.dueOn) - 40 * 24 * HOUR_MS,
    ...receipts.map(({ receivedAt, reversedAt }) => reversedAt ?? receivedAt),
  );
const runOptions = { numRuns: 250 };
type HistoryEvent = Payment | Extension;

test('a receipt equals its parts and excess, and the amount equals paid, discount and outstanding', () => {
  fc.assert(
    fc.property(anyHistory, anyOffset, ({ agreed, receipts, installment }, offset) => {
      const { applied } = replayReceipts(agreed, receipts);
      for (const [i, { event, excess }] of applied.entries()) {
        assert.ok(excess >= 0);
        if (event === null) {
          assert.equal(excess, receipts[i]!.amount);
          continue;
        }
        const ownAmount = event.kind === 'payment' ? event.principal : event.fee;
        assert.equal(event.interest + event.fine + ownAmount + excess, receipts[i]!.amount);
        assert.ok(event.interest >= 0 && event.fine >= 0 && ownAmount >= 0);
      }
      const debt = computeDebt(installment, startOfDay(agreed.dueOn) + offset);
      assert.equal(debt.paid + debt.discount + debt.outstanding, agreed.amount);
      assert.equal(debt.totalDue, debt.outstanding + debt.fine + debt.interest);
      assert.equal(debt.settleAmount + debt.settleDiscount, debt.totalDue);
      assert.ok(debt.outstanding >= 0 && debt.settleDiscount >= 0 && debt.settleAmount >= 0);
      assert.ok(debt.extensions <= agreed.terms.extensionLimit);
    }),
    runOptions,
  );
});

test('the order in which receipts are reported does not matter', () => {
  fc.assert(
    fc.property(anyHistory, fc.infiniteStream(fc.nat()), ({ agreed, receipts, installment }, order) => {
      const shuffledReceipts = receipts
        .map((receipt) => ({ receipt, key: order.next().value }))
        .sort((a, b) => a.key - b.key);
      const shuffledReplay = replayReceipts(
        agreed,
        shuffledReceipts.map(({ receipt }) => receipt),
      );
      assert.deepEqual(shuffledReplay.installment, installment);
      const { applied } = replayReceipts(agreed, receipts);
      for (const [i, { receipt }] of shuffledReceipts.entries())
        assert.deepEqual(shuffledReplay.applied[i], applied[receipts.indexOf(receipt)]);
    }),
    runOptions,
  );
});

test('after the reversal of a payment, everything that it had paid is owed again, including penalties', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(), fc.nat(50 * 24), (history, index, hours) => {
      const { agreed, receipts, installment } = history;
      const liveReceipts = receipts.filter(({ reversedAt }) => reversedAt === null);
      fc.pre(liveReceipts.length > 0);
      const reversedReceipt = liveReceipts[index % liveReceipts.length]!;
      const { event } = replayReceipts(agreed, receipts).applied[receipts.indexOf(reversedReceipt)]!;
      fc.pre(event?.kind === 'payment');
      // A reversed extension never happened, so penalties paid under it may not be owed.
      fc.pre(installment.events.every((event) => event.kind !== 'extension' || event.reversedAt === null));
      // A price guaranteed past midnight waives the penalties of the night, including those already paid.
      fc.pre(receipts.every(({ receivedAt, pricedOn }) => !pricedOn || pricedOn >= saoPauloDay(receivedAt)));
      const at = findLastInstant(history) + hours * HOUR_MS + 1;
      const receiptsAfter = receipts.map((receipt) =>
        receipt === reversedReceipt ? { ...receipt, reversedAt: at } : receipt,
      );
      const [debtBefore, debtAfter] = [installment, replayReceipts(agreed, receiptsAfter).installment].map(
        (replayedInstallment) => computeDebt(replayedInstallment, at),
      );
      const { interest, fine, principal, discount } = event as Payment;
      assert.deepEqual(
        [debtAfter!.outstanding, debtAfter!.fine, debtAfter!.interest, debtAfter!.paidAt],
        [
          debtBefore!.outstanding + principal + discount,
          debtBefore!.fine + fine,
          debtBefore!.interest + interest,
          null,
        ],
      );
    }),
    runOptions,
  );
});

test('the debt never decreases over time while nothing is paid', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(100 * 24), fc.nat(100 * 24), (history, hoursBefore, hoursBetween) => {
      const earlierInstant = findLastInstant(history) + hoursBefore * HOUR_MS + 1;
      const debtBefore = computeDebt(history.installment, earlierInstant);
      const debtAfter = computeDebt(history.installment, earlierInstant + hoursBetween * HOUR_MS);
      for (const figure of ['fine', 'interest', 'totalDue', 'settleAmount', 'daysLate'] as const) {
        assert.ok(debtAfter[figure] >= debtBefore[figure], figure);
      }
      assert.equal(debtAfter.outstanding, debtBefore.outstanding);
    }),
    runOptions,
  );
});

test('after the debt is paid it stays zero; a payment of a centavo less leaves a debt', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(100 * 24), fc.boolean(), (history, hours, withoutDiscount) => {
      const { agreed, receipts, installment } = history;
      const at = findLastInstant(history) + hours * HOUR_MS + 1;
      const debt = computeDebt(installment, at);
      fc.pre(debt.status !== 'paid');
      const buildReceipt = (amount: number): Receipt => ({
        receivedAt: at,
        amount: cents(amount),
        purpose: 'pay',
        reversedAt: null,
      });
      const replay = replayReceipts(agreed, [
        ...receipts,
        buildReceipt(withoutDiscount ? debt.totalDue : debt.settleAmount),
      ]);
      for (const delayMs of [0, 1, 24 * HOUR_MS, 400 * 24 * HOUR_MS]) {
        const { status, totalDue, paidAt } = computeDebt(replay.installment, at + delayMs);
        assert.deepEqual([status, totalDue, paidAt], ['paid', 0, at]);
      }
      assert.equal(replay.applied.at(-1)!.excess, withoutDiscount ? debt.settleDiscount : 0);
      if (debt.settleAmount > 1) {
        const underpaidReplay = replayReceipts(agreed, [...receipts, buildReceipt(debt.settleAmount - 1)]);
        assert.notEqual(computeDebt(underpaidReplay.installment, at).status, 'paid');
      }
    }),
    runOptions,
  );
});

test('splitting a payment in two at the same instant changes nothing if there is no discount', () => {
  fc.assert(
    fc.property(
      anyHistory,
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      anyOffset,
      (history, index, share, offset) => {
        const { agreed, receipts, installment } = history;
        fc.pre(receipts.length > 0 && agreed.terms.weeklyRate === 0);
        const i = index % receipts.length;
        const receipt = receipts[i]!;
        fc.pre(receipt.purpose === 'pay' && receipt.amount > 1);
        // Of two parts at a price guaranteed past midnight, only the settling part has effect from its priced day.
        fc.pre(!receipt.pricedOn || receipt.pricedOn >= saoPauloDay(receipt.receivedAt));
        const firstAmount = 1 + Math.floor(share * (receipt.amount - 2));
        const parts = [firstAmount, receipt.amount - firstAmount].map((amount) => ({
          ...receipt,
          amount: cents(amount),
        }));
        const splitReplay = replayReceipts(agreed, receipts.toSpliced(i, 1, ...parts));
        const unsplitReplay = replayReceipts(agreed, receipts);

        const sumParts = (applied: typeof unsplitReplay.applied) => {
          const total = { interest: 0, fine: 0, principal: 0, discount: 0, excess: 0 };
          for (const { event, excess } of applied) {
            total.excess += excess;
            if (event?.kind !== 'payment') continue;
            for (const part of ['interest', 'fine', 'principal', 'discount'] as const)
              total[part] += event[part];
          }
          return total;
        };
        assert.deepEqual(
          sumParts(splitReplay.applied.slice(i, i + 2)),
          sumParts(unsplitReplay.applied.slice(i, i + 1)),
        );
        assert.deepEqual(splitReplay.applied.toSpliced(i, 2), unsplitReplay.applied.toSpliced(i, 1));
        const at = startOfDay(agreed.dueOn) + offset;
        assert.deepEqual(computeDebt(splitReplay.installment, at), computeDebt(installment, at));
      },
    ),
    { numRuns: 800 },
  );
});

test('penalties equal a sum computed day by day', () => {
  fc.assert(
    fc.property(anyHistory, anyOffset, ({ agreed, installment }, offset) => {
      const at = startOfDay(agreed.dueOn) + offset;
      const debt = computeDebt(installment, at);
      fc.pre(debt.status !== 'paid');
      const computeDayEndDebt = (dayIndex: number) =>
        computeDebt(installment, endOfDay(dayFromNumber(dayIndex)) - 1).outstanding;
      const dueDayNumber = dayNumber(debt.effectiveDueOn);
      let centavoDays = 0;
      const isLate = dayNumber(debt.today) > dueDayNumber;
      for (let dayIndex = dueDayNumber; dayIndex < dayNumber(debt.today); dayIndex++)
        centavoDays += computeDayEndDebt(dayIndex);
      const pastEvents = installment.events.filter((event) => event.at <= at) as HistoryEvent[];
      // If an installment was settled at the price of the day before, the penalties of the night are not owed.
      fc.pre(
        pastEvents.every(
          (event) =>
            !('pricedOn' in event && event.pricedOn) || computeDebt(installment, event.at).outstanding > 0,
        ),
      );
      const isReversed = ({ reversedAt }: HistoryEvent) => reversedAt !== null && reversedAt <= at;
      const lastExtensionIndex = pastEvents.findLastIndex(
        (event) => event.kind === 'extension' && !isReversed(event),
      );
      const eventsSinceExtension = pastEvents.slice(lastExtensionIndex + 1);
      const payments = eventsSinceExtension.filter((event) => event.kind === 'payment' && !isReversed(event));
      // Payments that were reversed after an extension had settled their due day.
      const reopenedPayments = pastEvents
        .slice(0, Math.max(0, lastExtensionIndex))
        .filter((event) => isReversed(event) && event.reversedAt! > pastEvents[lastExtensionIndex]!.at);
      const sumParts = (events: HistoryEvent[], part: 'fine' | 'interest') =>
        events.reduce((total, event) => total + event[part], 0);
      const sumPaid = (part: 'fine' | 'interest') =>
        sumParts(payments, part) - sumParts(reopenedPayments, part);
      assert.equal(
        debt.fine,
        Math.max(
          0,
          (isLate ? computeFine(computeDayEndDebt(dueDayNumber), agreed.terms.fine) : 0) - sumPaid('fine'),
        ),
      );
      const interest = computeLateInterest(BigInt(centavoDays), agreed.terms.lateInterest);
      assert.equal(debt.interest, Math.max(0, interest - sumPaid('interest')));
    }),
    runOptions,
  );
});
