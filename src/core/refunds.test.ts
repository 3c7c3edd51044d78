/** Effects of failed refunds and chargebacks on receipts: examples worked out by hand, and random histories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, day, type Instant, startOfDay } from './day.ts';
import { debtAt } from './debt.ts';
import { HOUR_MS } from './duration.ts';
import { cents } from './money.ts';
import { ppm } from './percent.ts';
import { type Agreed, allocateReceipts, hereOf, type ReceiptFacts, UNTOUCHED } from './receipts.ts';
import { type Chargeback, type OwnRefund, planRefunds, type RefundChanges } from './refunds.ts';
import { DEFAULT_TERMS, type Terms } from './terms.ts';

const DUE = day('2026-03-06'); // a Friday
const noon = (days: number): Instant => startOfDay(addDays(DUE, days)) + 12 * HOUR_MS;
const agree = (terms: Partial<Terms> = {}): Agreed => ({
  amount: cents(10_000),
  dueOn: DUE,
  terms: { ...DEFAULT_TERMS, ...terms },
});

type Known = OwnRefund & { reference: string; status: 'asked' | 'sent' | 'returned' | 'over' };

/** An installment, its receipts and our refunds, as the service stores them. */
function openBook(agreed: Agreed) {
  const book = {
    facts: [] as readonly ReceiptFacts[],
    refunds: [] as Known[],
    chargedBack: new Map<string, number>(),
    allocate(facts: readonly ReceiptFacts[]): void {
      const { receipts, toRefund } = allocateReceipts(agreed, facts);
      book.facts = receipts.map((receipt) => receipt.facts);
      for (const { reference, part, amountCents } of toRefund) {
        const id = `D${book.refunds.length}`;
        book.refunds.push({ id, reference, part, amount: amountCents, status: 'asked' });
      }
    },
    pay(reference: string, at: Instant, amount: number, purpose: 'pay' | 'extend' = 'pay'): void {
      const money = {
        reference,
        part: 0,
        source: 'pix',
        receivedAt: at,
        amount: cents(amount),
        purpose,
      } as const;
      const rest = { pricedOn: null, reversedAt: null, ...UNTOUCHED };
      book.allocate([...book.facts, { ...money, ...rest }]);
    },
    hear(
      reference: string,
      changes: Partial<Pick<RefundChanges, 'failed' | 'chargebacks'>>,
      now: Instant,
    ): void {
      const { failed = [], chargebacks = [] } = changes;
      const isOpen = ({ id, ...refund }: Known) =>
        refund.reference === reference && !failed.some((other) => other.id === id);
      const open = book.refunds.filter(isOpen).toReversed();
      const parts = book.facts
        .filter((fact) => fact.reference === reference)
        .toSorted((a, b) => a.part - b.part);
      const plan = planRefunds(
        parts,
        {
          failed,
          chargebacks,
          unsent: open.filter(({ status }) => status === 'asked'),
          sent: open.filter(({ status }) => status === 'sent'),
        },
        now,
      );
      const taken = chargebacks.reduce((total, { amount }) => total + amount, 0) - plan.missing;
      book.chargedBack.set(reference, (book.chargedBack.get(reference) ?? 0) + taken);
      for (const refund of book.refunds)
        if (plan.superseded.includes(refund.id) || failed.some(({ id }) => id === refund.id))
          refund.status = 'over';
      const old = book.facts.map((fact) => (fact.reference === reference ? plan.receipts[fact.part]! : fact));
      book.allocate([...old, ...plan.receipts.slice(parts.length)]);
    },
    debt: (at: Instant) => debtAt(allocateReceipts(agreed, book.facts).installment, at),
  };
  return book;
}
type Book = ReturnType<typeof openBook>;

const taken = (at: Instant, amount: number): Chargeback => ({ at, amount: cents(amount) });
/** part: amount, refunded, taken, and R when reversed */
const parts = ({ facts }: Book) =>
  facts.map((fact) => [
    fact.part,
    fact.amount,
    fact.refunded,
    fact.taken,
    fact.reversedAt === null ? '' : 'R',
  ]);
const refunds = (book: Book) => book.refunds.map(({ amount, status }) => `${amount} ${status}`);

test('a part of what was paid: reversed, and what is left counts as another part from then on', () => {
  const book = openBook(agree());
  book.pay('A', noon(-1), 10_000);
  book.hear('A', { chargebacks: [taken(noon(3), 4_000)] }, noon(4));
  assert.deepEqual(parts(book), [
    [0, 10_000, 0, 0, 'R'],
    [1, 6_000, 0, 0, ''],
  ]);
  assert.equal(book.facts[1]!.receivedAt, noon(3));
  assert.equal(book.debt(noon(4)).outstanding, 4_000);
});

test('what an unsent refund was to return leaves first; what is left of it goes back with another', () => {
  const book = openBook(agree());
  book.pay('A', noon(-1), 13_000);
  book.hear('A', { chargebacks: [taken(noon(0), 1_000)] }, noon(0));
  assert.deepEqual(refunds(book), ['3000 over', '2000 asked']);
  assert.deepEqual(parts(book), [[0, 13_000, 2_000, 1_000, '']]);
  assert.equal(book.debt(noon(0)).status, 'paid');
});

test('a refund that the PSP may be at is counted on last', () => {
  const book = openBook(agree());
  book.pay('A', noon(-1), 13_000);
  book.refunds[0]!.status = 'sent';
  book.hear('A', { chargebacks: [taken(noon(0), 6_000)] }, noon(0));
  assert.deepEqual(refunds(book), ['3000 sent']);
  assert.equal(book.debt(noon(0)).outstanding, 6_000);
  book.hear('A', { failed: [{ ...book.refunds[0]!, isGivenUp: false }] }, noon(0));
  assert.equal(
    book.debt(noon(0)).outstanding,
    3_000,
    'its receipt was reversed: it pays as a part of its own',
  );
});

test('given up is left for a person, until something is owed or the bank takes it', () => {
  const book = openBook(agree());
  book.pay('A', noon(-1), 13_000);
  book.hear('A', { failed: [{ ...book.refunds[0]!, isGivenUp: true }] }, noon(0));
  assert.deepEqual([refunds(book), book.facts[0]!.stranded], [['3000 over'], 3_000]);
  book.hear('A', { chargebacks: [taken(noon(0), 2_000)] }, noon(0));
  assert.deepEqual([refunds(book), book.facts[0]!.stranded], [['3000 over'], 1_000]);
  assert.equal(book.debt(noon(0)).status, 'paid');
});

test('more than the payment had brought is missing, and nothing goes below zero', () => {
  const plan = planRefunds([], { failed: [], chargebacks: [], unsent: [], sent: [] }, 0);
  assert.equal(plan.missing, 0);
  const book = openBook(agree());
  book.pay('A', noon(-1), 5_000);
  book.hear('A', { chargebacks: [taken(noon(0), 4_000), taken(noon(0), 4_000)] }, noon(0));
  assert.deepEqual([book.chargedBack.get('A'), book.debt(noon(0)).outstanding], [5_000, 10_000]);
});

test('what had become cashback is taken after what pays, and before what a refund in process is to return', () => {
  const fact = {
    reference: 'A',
    source: 'pix',
    receivedAt: noon(0),
    purpose: 'pay',
    pricedOn: null,
  } as const;
  const rest = { reversedAt: null, ...UNTOUCHED };
  const payment: ReceiptFacts[] = [
    { ...fact, ...rest, part: 0, amount: cents(10_000), left: [{ returnId: 'r', amount: cents(7_000) }] },
    { ...fact, ...rest, part: 1, amount: cents(4_000), credited: cents(4_000) },
    { ...fact, ...rest, part: 2, amount: cents(3_000), refunded: cents(3_000) },
  ];
  const sent = [{ id: 'D', part: 2, amount: cents(3_000) }];
  const plan = (amount: number) =>
    planRefunds(payment, { failed: [], chargebacks: [taken(noon(1), amount)], unsent: [], sent }, noon(1));
  const { receipts, superseded, missing } = plan(5_000);
  assert.deepEqual(
    receipts.map(({ reversedAt, credited, taken: gone }) => [reversedAt === null ? '' : 'R', credited, gone]),
    [
      ['R', 0, 0],
      ['', 2_000, 2_000],
      ['', 0, 0],
    ],
  );
  assert.deepEqual([superseded, missing], [[], 0]);
  assert.deepEqual([plan(10_000).superseded, plan(10_000).missing], [['D'], 0]);
});

const anyTerms = fc.record({
  weeklyRate: fc.constantFrom(0, 20_000).map(ppm),
  extensionLimit: fc.constantFrom(0, 2),
});
const anyStep = fc.record({
  what: fc.constantFrom(
    'pay',
    'pay',
    'extend',
    'send',
    'return',
    'fail',
    'give up',
    'charge back',
    'charge back',
  ),
  hours: fc.integer({ min: -10 * 24, max: 40 * 24 }),
  amount: fc.integer({ min: 1, max: 15_000 }),
  which: fc.nat(),
});

/** Each centavo of each payment is applied, waits for a person, is held for a refund, was refunded, or was charged back. */
function assertConserved(agreed: Agreed, book: Book): void {
  const { receipts, toRefund } = allocateReceipts(agreed, book.facts);
  assert.deepEqual(toRefund, [], 'what is too much is held at once');
  for (const reference of new Set(book.facts.map((fact) => fact.reference))) {
    const own = receipts.filter(({ facts }) => facts.reference === reference);
    for (const { facts, applied } of own) {
      assert.ok(facts.refunded >= 0 && facts.taken >= 0 && facts.stranded >= 0 && hereOf(facts) >= 0);
      assert.ok(facts.reversedAt === null || facts.reversedAt >= facts.receivedAt);
      assert.equal(facts.stranded, facts.reversedAt === null ? applied.excess : 0);
    }
    const held = own.reduce((total, { facts }) => total + facts.refunded, 0);
    const ours = book.refunds.filter((refund) => refund.reference === reference && refund.status !== 'over');
    assert.equal(
      held,
      ours.reduce((total, { amount }) => total + amount, 0),
      'held is what refunds are to return',
    );
    const here = own
      .filter(({ facts }) => facts.reversedAt === null)
      .reduce((total, { facts }) => total + hereOf(facts), 0);
    assert.equal(
      here + held + (book.chargedBack.get(reference) ?? 0),
      own[0]!.facts.amount,
      'no centavo is lost or made',
    );
  }
}

test('random histories: no centavo is lost or made, whatever is heard of refunds and chargebacks, in whatever order', () => {
  fc.assert(
    fc.property(anyTerms, fc.array(anyStep, { maxLength: 12 }), (terms, steps) => {
      const agreed = agree(terms);
      const book = openBook(agreed);
      let payments = 0;
      for (const { what, hours, amount, which } of steps) {
        const at = startOfDay(DUE) + hours * HOUR_MS;
        const open = book.refunds.filter(({ status }) => status === 'asked' || status === 'sent');
        const refund = open[which % Math.max(1, open.length)];
        if (what === 'pay') book.pay(`E${payments++}`, at, amount);
        else if (what === 'extend') book.pay(`E${payments++}`, at, 500, 'extend');
        else if (what === 'charge back') {
          if (payments > 0) book.hear(`E${which % payments}`, { chargebacks: [taken(at, amount)] }, at);
        } else if (!refund) continue;
        else if (what === 'send') refund.status = 'sent';
        else if (what === 'return') refund.status = 'returned';
        else book.hear(refund.reference, { failed: [{ ...refund, isGivenUp: what === 'give up' }] }, at);
        assertConserved(agreed, book);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('chargebacks of one payment leave the same, heard of together, one after the other, or the other way round', () => {
  fc.assert(
    fc.property(
      anyTerms,
      fc.integer({ min: 2, max: 14_000 }),
      fc.array(fc.integer({ min: 1, max: 7_000 }), { minLength: 2, maxLength: 3 }),
      (terms, paid, amounts) => {
        const heard = (orders: number[][]) => {
          const book = openBook(agree(terms));
          book.pay('A', noon(-20), paid);
          for (const order of orders)
            book.hear('A', { chargebacks: order.map((i) => taken(noon(i - 9), amounts[i]!)) }, noon(-5));
          const { outstanding, fine, interest } = book.debt(noon(9));
          return { owed: [outstanding, fine, interest], taken: book.chargedBack.get('A') };
        };
        const each = amounts.map((_, i) => [i]);
        const together = heard([each.flat().toReversed()]);
        assert.deepEqual(heard(each), together);
        // A chargeback dated before another that was reported first counts from that one on: so here the days must not matter.
        const reversed = heard(each.toReversed());
        assert.equal(reversed.taken, together.taken);
        if (terms.weeklyRate === 0) assert.deepEqual(reversed, together);
      },
    ),
    { numRuns: 500 },
  );
});
