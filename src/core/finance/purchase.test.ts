/** Effects of returns on a purchase: examples worked out by hand, and random histories reported in any order. */
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
  type PlacedReceipt,
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
import { DEFAULT_TERMS, type Terms } from './terms.ts';

const BOUGHT = day('2026-02-27'); // a Friday: installments fall due on Fridays
const START = startOfDay(BOUGHT) + 12 * HOUR_MS;
const noon = (days: number): Instant => START + days * DAY_MS;

type Source = PlacedReceipt['source'];
type DrawnFacts = Omit<
  ReceiptFacts,
  'reference' | 'part' | 'receivedAt' | 'amount' | 'reversedAt' | keyof typeof NEW_RECEIPT_STATE
>;
/** How often each source is drawn. A new source must be added, or this does not compile. */
const SOURCE_WEIGHTS: Record<Source, number> = { pix: 3, manual: 1, cashback: 1 };
type Sale = { amount: number; installments: number; terms?: Partial<Terms> };

/** A purchase and its money, as the service stores them. */
function openBook({ amount, installments: n, terms: given = {} }: Sale) {
  const terms = { ...DEFAULT_TERMS, ...given };
  const plan = {
    financed: cents(amount),
    installments: n,
    weeklyRate: terms.weeklyRate,
    purchasedOn: BOUGHT,
  };
  const scheduled = buildSchedule(plan);
  if (!scheduled.ok) throw new Error(scheduled.refusal.code);
  const installments = scheduled.schedule.installments.map(({ amount: each, dueOn }) => ({
    amount: each,
    dueOn,
    terms,
  }));
  const book = {
    plan,
    installments,
    receipts: [] as readonly PlacedReceipt[],
    returns: [] as readonly ReturnFacts[],
    /** The refunds requested so far: '-' for Pix, 'c' for cashback. */
    out: [] as string[],
    chargedBack: 0,
    last: null as PurchaseAllocation | null,
    allocate(receipts: readonly PlacedReceipt[]): PurchaseAllocation {
      const allocation = allocatePurchase({ plan, installments, receipts, returns: book.returns });
      book.receipts = allocation.receipts.map(({ facts }) => facts);
      book.last = allocation;
      for (const { reference, amountCents } of allocation.refundsDue)
        book.out.push(`${reference} -${amountCents}`);
      for (const { reference, amountCents } of allocation.creditsDue)
        book.out.push(`${reference} c${amountCents}`);
      return allocation;
    },
    pay(
      reference: string,
      installment: number,
      at: Instant,
      paid: number,
      overrides: Partial<DrawnFacts> = {},
    ): PurchaseAllocation {
      const { source = 'pix', purpose = 'pay', pricedOn = null, waivesPenalties = false } = overrides;
      const money = { reference, part: 0, source, installment, receivedAt: at, amount: cents(paid), purpose };
      return book.allocate([
        ...book.receipts,
        { ...money, pricedOn, waivesPenalties, reversedAt: null, ...NEW_RECEIPT_STATE },
      ]);
    },
    giveBack(id: string, at: Instant, returned: number): PurchaseAllocation {
      book.returns = [...book.returns, { id, at, amount: cents(returned) }];
      return book.allocate(book.receipts);
    },
    takeBack(reference: string, { at, amount: taken }: { at: Instant; amount: number }): PurchaseAllocation {
      const parts = book.receipts.filter((fact) => fact.reference === reference);
      const chargeback: Chargeback = { at, amount: cents(taken) };
      const nothing = { failed: [], unsent: [], sent: [] };
      const { receipts, shortfall: missing } = planRefunds(
        parts.toSorted((a, b) => a.part - b.part),
        { ...nothing, chargebacks: [chargeback] },
        at,
      );
      book.chargedBack += taken - missing;
      const { installment } = parts[0]!;
      const placed = receipts.map((fact) => ({ ...fact, installment }));
      const isIts = (fact: PlacedReceipt) => fact.reference === reference;
      const kept = book.receipts.map((fact) => (isIts(fact) ? placed[fact.part]! : fact));
      return book.allocate([...kept, ...placed.slice(parts.length)]);
    },
    debts(at: Instant): Debt[] {
      const { installments: known } = allocatePurchase({ ...book, plan, installments });
      return known.map((installment) => computeDebt(installment, at));
    },
  };
  return book;
}
type Book = ReturnType<typeof openBook>;

/** paid + discount + returned, what is outstanding, penalties, each in centavos */
const figures = (book: Book, at: Instant) =>
  book
    .debts(at)
    .map(
      ({ paid, discount, returned, outstanding, fine, interest }) =>
        `${paid}+${discount}+${returned} ${outstanding} ${fine + interest}`,
    );

test('before any payment a return shrinks each installment to that of the smaller purchase', () => {
  const book = openBook({ amount: 10_000, installments: 3 });
  book.giveBack('r', noon(1), 4_000);
  assert.deepEqual(figures(book, noon(1)), ['0+0+1334 2000 0', '0+0+1333 2000 0', '0+0+1333 2000 0']);
  assert.deepEqual(book.out, []);
});

test('excess pays other installments, the earliest first; the rest is refunded, the newest payment first', () => {
  const book = openBook({ amount: 10_000, installments: 4 });
  book.pay('A', 0, noon(1), 2_500);
  book.pay('B', 1, noon(2), 2_500);
  // 1500 each: 1000 of A and 1000 of B are free; the third takes 1500, the fourth 500.
  book.giveBack('r', noon(3), 4_000);
  assert.deepEqual(figures(book, noon(3)), [
    '1500+0+1000 0 0',
    '1500+0+1000 0 0',
    '1500+0+1000 0 0',
    '500+0+1000 1000 0',
  ]);
  assert.deepEqual(book.out, []);
  assert.deepEqual(
    book.debts(noon(3)).map(({ paidAt }) => paidAt),
    [noon(1), noon(2), noon(3), null],
  );
  // 500 each: 2000 of 5000 stay. Of the newest, B, all goes back, then 500 of A.
  book.giveBack('s', noon(4), 4_000);
  assert.deepEqual(figures(book, noon(4)), Array(4).fill('500+0+2000 0 0'));
  assert.deepEqual(book.out, ['B -2500', 'A -500']);
  book.giveBack('t', noon(5), 2_000);
  assert.deepEqual(figures(book, noon(5)), Array(4).fill('0+0+2500 0 0'));
  assert.deepEqual(book.out, ['B -2500', 'A -500', 'A -2000']);
});

test('accrued penalties stay after a partial return and later interest is on the rest; a complete return cancels them', () => {
  const book = openBook({ amount: 20_000, installments: 2 });
  // The first fell due on day 7: R$ 100.00 seven days late are 2.00 and 0.23.
  book.giveBack('r', noon(14), 10_000);
  assert.deepEqual(figures(book, noon(14)), ['0+0+5000 5000 223', '0+0+5000 5000 0']);
  // Thirty more days at 1 % of 50.00: (10000 × 7 + 5000 × 30) × 1 % / 30 = 73.33 centavos.
  assert.deepEqual(figures(book, noon(44))[0], '0+0+5000 5000 273');
  book.pay('A', 0, noon(44), 1_273);
  assert.deepEqual(figures(book, noon(44))[0], '1000+0+5000 4000 0');
  book.giveBack('s', noon(45), 10_000);
  assert.deepEqual(figures(book, noon(400)), ['0+0+10000 0 0', '0+0+10000 0 0']);
  assert.deepEqual(book.out, ['A -1273'], 'and the penalties that were paid go back');
});

test('after a partial return the extended due day and the fee stay; after a complete return the fee is refunded', () => {
  const book = openBook({ amount: 10_000, installments: 1 });
  book.pay('A', 0, noon(2), 500, { purpose: 'extend' });
  book.giveBack('r', noon(3), 6_000);
  const [debt] = book.debts(noon(3));
  assert.deepEqual([debt!.dueOn, debt!.outstanding, debt!.extensions], [addDays(BOUGHT, 14), 4_000, 1]);
  assert.deepEqual(book.out, []);
  book.giveBack('s', noon(4), 4_000);
  assert.deepEqual(book.out, ['A -500']);
});

test('the rest of an early payment keeps the price of the day it was paid', () => {
  const book = openBook({ amount: 10_000, installments: 1, terms: { weeklyRate: ppm(20_000) } });
  book.pay('A', 0, noon(0), 10_000);
  assert.deepEqual(figures(book, noon(0)), ['10000+200+0 0 0']);
  book.giveBack('r', noon(3), 5_000);
  assert.deepEqual(figures(book, noon(3)), ['5000+100+5100 0 0']);
  assert.deepEqual(book.out, ['A -5000']);
  assert.equal(book.debts(noon(3))[0]!.paidAt, noon(0));
});

test('freed money pays other installments early at their price of that day', () => {
  const book = openBook({ amount: 20_000, installments: 2, terms: { weeklyRate: ppm(20_000) } });
  const [first, second] = book.installments.map(({ amount }) => amount);
  assert.deepEqual([first, second], [10_301, 10_301]);
  book.pay('A', 0, noon(7), 10_301);
  book.giveBack('r', noon(7), 10_000);
  // 51.50495 each: 51.50 and 51.51, which a week early costs 51.51 / 1.02 = 50.50.
  assert.deepEqual(figures(book, noon(7)), ['5150+0+5151 0 0', '5050+101+5150 0 0']);
  assert.deepEqual(book.out, ['A -101']);
});

test('payments older than 90 days, manual payments and cashback are not refunded by Pix', () => {
  const book = openBook({ amount: 40_000, installments: 4 });
  book.pay('old', 0, noon(0), 10_000);
  book.pay('fresh', 1, noon(1), 10_000);
  book.pay('hand', 2, noon(2), 10_000, { source: 'manual' });
  book.pay('spent', 3, noon(3), 10_000, { source: 'cashback' });
  book.giveBack('r', noon(0) + 90 * DAY_MS + 1, 40_000);
  // What was paid with cashback is held like what is to be refunded, and becomes cashback again.
  assert.deepEqual(book.out, ['spent -10000', 'fresh -10000', 'hand c10000', 'old c10000'].toSorted(byKind));
});
const byKind = (a: string, b: string) => Number(a.includes('c1')) - Number(b.includes('c1'));

test('a payment dated before a return but reported after it gives the same result', () => {
  const told = openBook({ amount: 10_000, installments: 4 });
  told.pay('A', 0, noon(1), 2_500);
  told.pay('B', 1, noon(2), 2_500);
  told.giveBack('r', noon(3), 8_000);
  const late = openBook({ amount: 10_000, installments: 4 });
  late.pay('B', 1, noon(2), 2_500);
  late.giveBack('r', noon(3), 8_000);
  late.pay('A', 0, noon(1), 2_500);
  assert.deepEqual(figures(late, noon(9)), figures(told, noon(9)));
  assert.deepEqual(totals(late), totals(told));
  assert.deepEqual(totals(told), { A: 500, B: 2_500 });
});

test('after a chargeback that follows a return, everything the payment pays is owed again; its rest pays again', () => {
  const book = openBook({ amount: 10_000, installments: 4 });
  book.pay('A', 0, noon(1), 2_500);
  book.giveBack('r', noon(3), 8_000);
  assert.deepEqual(book.out, ['A -500']);
  book.takeBack('A', { at: noon(4), amount: 1_200 });
  assert.deepEqual(figures(book, noon(4)), [
    '500+0+2000 0 0',
    '300+0+2000 200 0',
    '0+0+2000 500 0',
    '0+0+2000 500 0',
  ]);
  assert.deepEqual(book.out, ['A -500'], 'nothing more goes back');
  book.takeBack('A', { at: noon(5), amount: 800 });
  assert.deepEqual(figures(book, noon(5)), Array(4).fill('0+0+2000 500 0'));
});

/** The amount that left each payment as excess or by a return, or is about to. */
function totals({ receipts }: Book): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { reference, refunded, credited, stranded } of receipts) {
    const out = refunded + credited + stranded;
    if (out > 0) all[reference] = (all[reference] ?? 0) + out;
  }
  return all;
}

const sumOf = (all: Record<string, number>) => Object.values(all).reduce((total, n) => total + n, 0);

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
  /** Of the installment, in percent. */
  share: fc.constantFrom(100, 100, 103, 40, 7, 250),
  source: fc.oneof(
    ...Object.entries(SOURCE_WEIGHTS).map(([source, weight]) => ({
      arbitrary: fc.constant(source as Source),
      weight,
    })),
  ),
  /** Priced earlier, as a debit that the bank retried: it waives the penalties since. */
  pricedDaysBefore: fc.constantFrom(0, 0, 0, 3),
  purpose: fc.constantFrom('pay' as const, 'pay' as const, 'extend' as const),
  takenBack: fc.option(
    fc.record({ hours: fc.integer({ min: 1, max: 50 * 24 }), share: fc.constantFrom(100, 30) }),
    { freq: 4 },
  ),
});
type Draft = Omit<typeof anyPayment extends fc.Arbitrary<infer T> ? T : never, 'takenBack'>;

/** A new field of `ReceiptFacts` must be drawn, or this does not compile. */
function toFacts({ source, purpose, hours, pricedDaysBefore }: Draft): Required<DrawnFacts> {
  const isRetried = source === 'pix' && purpose === 'pay' && pricedDaysBefore > 0;
  const pricedOn: Day | null = isRetried ? addDays(saoPauloDay(at(hours)), -pricedDaysBefore) : null;
  return { source, purpose, pricedOn, waivesPenalties: isRetried };
}

const anyReturn = fc.record({
  hours: fc.integer({ min: 0, max: 45 * 24 }),
  /** Of what is left, in percent. */
  share: fc.constantFrom(100, 50, 20, 3),
});

const at = (hours: number): Instant => START + hours * HOUR_MS + 1;

function payInto(book: Book, reference: string, drawn: Draft): PurchaseAllocation {
  const k = drawn.installment % book.installments.length;
  const amount = Math.max(1, Math.round((book.installments[k]!.amount * drawn.share) / 100));
  return book.pay(reference, k, at(drawn.hours), amount, toFacts(drawn));
}

function giveBackFrom(book: Book, id: string, { hours, share }: { hours: number; share: number }): void {
  const left = book.plan.financed - book.returns.reduce((total, { amount }) => total + amount, 0);
  const last = book.returns.at(-1)?.at ?? 0;
  // Each return is made after the last one.
  if (left > 0) book.giveBack(id, Math.max(last, at(hours)), Math.max(1, Math.round((left * share) / 100)));
}

/** Invariants of every purchase. */
function check(book: Book): void {
  const { plan, installments, receipts, returns } = book;
  const allocation = allocatePurchase({ plan, installments, receipts, returns });
  assert.deepEqual(allocation.refundsDue, [], 'nothing more is to go back');
  assert.deepEqual(allocation.creditsDue, []);
  assert.deepEqual(
    allocation.receipts.map(({ facts }) => facts),
    receipts,
    'what is written down is what comes of it',
  );
  // As it is read back: in the order of arrival.
  const inOrder = receipts.toSorted((a, b) => a.receivedAt - b.receivedAt);
  const readBack = allocatePurchase({ plan, installments, receipts: inOrder, returns });
  if (book.last) assert.deepEqual(readBack.installments, book.last.installments, 'whenever it is worked out');
  const end = Math.max(
    START,
    ...receipts.map((fact) => fact.reversedAt ?? fact.receivedAt),
    ...returns.map((r) => r.at),
  );
  const debts = allocation.installments.map((installment) => computeDebt(installment, end));
  const left = plan.financed - returns.reduce((total, { amount }) => total + amount, 0);
  const schedule = buildInstallments({ ...plan, financed: cents(left) });
  const paid = installments.map(() => ({ principal: 0, discount: 0 }));
  for (const { facts, shares, excess } of allocation.receipts) {
    const pays = shares.reduce((total, s) => total + s.interest + s.fine + s.fee + s.principal, 0);
    const { amount, refunded, taken, credited } = facts;
    assert.equal(
      pays + excess + refunded + taken + credited + sumWithdrawals(facts),
      amount,
      `all of ${facts.reference}`,
    );
    assert.ok(pays >= 0 && excess >= 0 && amountStillHeld(facts) >= 0);
    if (facts.reversedAt !== null) continue;
    for (const share of shares) {
      assert.ok(share.principal >= 0 && share.discount >= 0 && share.interest >= 0 && share.fine >= 0);
      paid[share.installment]!.principal += share.principal;
      paid[share.installment]!.discount += share.discount;
    }
  }
  for (const [k, debt] of debts.entries()) {
    assert.equal(debt.amount - debt.returned, schedule[k]!.amount, 'as the smaller purchase gives');
    assert.equal(debt.amount, debt.paid + debt.discount + debt.returned + debt.outstanding);
    assert.deepEqual([debt.paid, debt.discount], [paid[k]!.principal, paid[k]!.discount]);
    if (left > 0) continue;
    assert.deepEqual([debt.status, debt.totalDue, debt.paid], ['paid', 0, 0], 'nothing is left of it');
  }
  const parts = receipts.filter(({ reversedAt }) => reversedAt === null);
  if (left === 0)
    assert.ok(
      parts.every((fact) => amountStillHeld(fact) === fact.stranded),
      'of nobody’s money',
    );
}

const runs = { numRuns: Number(process.env.RUNS ?? 300) };

test('random histories: no centavo is created or lost, and each installment has the right amount', () => {
  fc.assert(
    fc.property(
      anySale,
      fc.array(anyPayment, { maxLength: 6 }),
      fc.array(anyReturn, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      (sale, payments, returns, order) => {
        const book = openBook(sale);
        const steps = [
          ...payments.map((drawn, i) => () => {
            payInto(book, `P${i}`, drawn);
            check(book);
            const { takenBack } = drawn;
            const here = book.receipts
              .filter((fact) => fact.reference === `P${i}` && fact.reversedAt === null)
              .reduce((total, fact) => total + amountStillHeld(fact), 0);
            if (!takenBack || here === 0) return;
            const amount = Math.max(1, Math.round((here * takenBack.share) / 100));
            book.takeBack(`P${i}`, { at: at(drawn.hours + takenBack.hours), amount });
          }),
          ...returns.map((drawn, i) => () => giveBackFrom(book, `R${i}`, drawn)),
        ];
        for (const { step } of steps
          .map((step) => ({ step, key: order.next().value }))
          .sort((a, b) => a.key - b.key)) {
          step();
          check(book);
        }
      },
    ),
    runs,
  );
});

test('without returns the result equals that of each installment alone', () => {
  fc.assert(
    fc.property(anySale, fc.array(anyPayment, { maxLength: 5 }), (sale, payments) => {
      const book = openBook(sale);
      for (const [i, drawn] of payments.entries()) payInto(book, `P${i}`, drawn);
      const whole = allocatePurchase(book);
      for (const [k, agreed] of book.installments.entries()) {
        const own = book.receipts.filter(({ installment }) => installment === k);
        const { installment } = allocateReceipts(agreed, own);
        assert.deepEqual(whole.installments[k]!.events.toSorted(byTime), installment.events.toSorted(byTime));
      }
    }),
    runs,
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
        const payments = drawnPayments.map((drawn) => ({ ...drawn, purpose: 'pay' as const }));
        const drawn = returns.toSorted((a, b) => a.hours - b.hours);
        // A refund stays, even if a discount later turns out a centavo smaller: without a rate there is no discount.
        const rateless = { ...sale, terms: { ...sale.terms, weeklyRate: ppm(0) } };
        const told = openBook(rateless);
        const late = openBook(rateless);
        const inTime = [
          ...payments.map((payment, i) => ({
            hours: payment.hours,
            run: () => payInto(told, `P${i}`, payment),
          })),
          ...drawn.map((made, i) => ({
            hours: made.hours + 0.5,
            run: () => giveBackFrom(told, `R${i}`, { ...made, hours: made.hours + 0.5 }),
          })),
        ].sort((a, b) => a.hours - b.hours);
        for (const { run } of inTime) run();
        const shuffled = payments
          .map((payment, i) => ({
            key: order.next().value % 100,
            run: () => payInto(late, `P${i}`, payment),
          }))
          .concat(
            drawn.map((made, i) => ({
              key: 30 + 20 * i,
              run: () => giveBackFrom(late, `R${i}`, { ...made, hours: made.hours + 0.5 }) as never,
            })),
          )
          .sort((a, b) => a.key - b.key);
        for (const { run } of shuffled) run();
        const end = START + 100 * DAY_MS;
        assert.deepEqual(figures(late, end), figures(told, end));
        assert.equal(sumOf(totals(late)), sumOf(totals(told)));
      },
    ),
    runs,
  );
});
