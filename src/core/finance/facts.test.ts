/**
 * Service, audit and property tests share the replay of receipts and returns, so none of them notices a fact that the replay ignores. Here
 * each fact and each term has to change the result. A new one does not compile without a case.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Day, day, type Instant, startOfDay } from '../values/day.ts';
import { HOUR_MS } from '../values/duration.ts';
import { cents } from '../values/money.ts';
import { ppm } from '../values/percent.ts';
import { allocatePurchase, type ReturnFacts } from './purchase.ts';
import { allocateReceipts, NEW_RECEIPT_STATE, type ReceiptFacts } from './receipts.ts';
import { DEFAULT_TERMS, type Terms } from './terms.ts';

const SOLD_ON = day('2026-02-27');
const DUE_ON = addDays(SOLD_ON, 7);
const noon = (date: Day, days = 0): Instant => startOfDay(addDays(date, days)) + 12 * HOUR_MS;

type Facts = { receipt: Partial<ReceiptFacts>; purchaseReturn: Partial<ReturnFacts>; terms: Partial<Terms> };
type Case = { readonly before?: Partial<Facts>; readonly after: Partial<Facts> };

/** A late payment with excess, of an installment whose purchase is later returned in part. */
function replay({ receipt = {}, purchaseReturn = {}, terms: overrides = {} }: Partial<Facts>) {
  const terms = { ...DEFAULT_TERMS, ...overrides };
  const installment = { amount: cents(10_000), dueOn: DUE_ON, terms };
  const facts: ReceiptFacts = {
    reference: 'A',
    part: 0,
    source: 'pix',
    receivedAt: noon(DUE_ON, 3),
    amount: cents(11_000),
    purpose: 'pay',
    pricedOn: null,
    waivesPenalties: false,
    reversedAt: null,
    ...NEW_RECEIPT_STATE,
    ...receipt,
  };
  const plan = {
    financed: installment.amount,
    installments: 1,
    weeklyRate: terms.weeklyRate,
    purchasedOn: SOLD_ON,
  };
  const alone = allocateReceipts(installment, [facts]);
  const whole = allocatePurchase({
    plan,
    installments: [installment],
    receipts: [{ ...facts, installmentIndex: 0 }],
    returns: [{ id: 'r', returnedAt: noon(DUE_ON, 5), amount: cents(4_000), ...purchaseReturn }],
  });
  // Without the facts and terms, which the results repeat.
  return {
    alone: {
      events: alone.installment.events,
      applied: alone.receipts.map(({ applied }) => applied),
      refundsDue: alone.refundsDue,
    },
    whole: {
      events: whole.installments.map(({ events }) => events),
      applied: whole.receipts.map(({ event, shares, excess }) => ({ event, shares, excess })),
      refundsDue: whole.refundsDue,
      creditsDue: whole.creditsDue,
    },
  };
}

const receipt = (after: Partial<ReceiptFacts>, before: Partial<ReceiptFacts> = {}): Case => ({
  before: { receipt: before },
  after: { receipt: { ...before, ...after } },
});
const term = (terms: Partial<Terms>, receiptOfBoth: Partial<ReceiptFacts> = {}): Case => ({
  before: { receipt: receiptOfBoth },
  after: { receipt: receiptOfBoth, terms },
});

const hundred = cents(100);
const withdrawals = [{ returnId: 'r', amount: hundred }];

const RECEIPT_CASES: Record<keyof ReceiptFacts, Case> = {
  reference: receipt({ reference: 'B' }),
  part: receipt({ part: 1 }),
  source: receipt({ source: 'manual' }),
  receivedAt: receipt({ receivedAt: noon(DUE_ON, 4) }),
  amount: receipt({ amount: cents(9_000) }),
  purpose: receipt({ purpose: 'extend' }),
  pricedOn: receipt({ pricedOn: DUE_ON }),
  waivesPenalties: receipt({ waivesPenalties: true }, { pricedOn: DUE_ON }),
  reversedAt: receipt({ reversedAt: noon(DUE_ON, 4) }),
  refunded: receipt({ refunded: hundred }),
  taken: receipt({ taken: hundred }),
  stranded: receipt({ stranded: hundred }),
  credited: receipt({ credited: hundred }),
  withdrawals: receipt({ withdrawals }),
};

const RETURN_CASES: Record<keyof ReturnFacts, Case> = {
  id: {
    before: { receipt: { withdrawals } },
    after: { receipt: { withdrawals }, purchaseReturn: { id: 's' } },
  },
  returnedAt: { after: { purchaseReturn: { returnedAt: noon(DUE_ON, -2) } } },
  amount: { after: { purchaseReturn: { amount: hundred } } },
};

const extension = { purpose: 'extend' } as const;
/** Cashback is earned by a paid installment, and changes nothing that is owed. */
const TERM_CASES: Record<Exclude<keyof Terms, 'cashback'>, Case> = {
  weeklyRate: term({ weeklyRate: ppm(20_000) }, { receivedAt: noon(SOLD_ON), amount: cents(5_000) }),
  fine: term({ fine: ppm(10_000) }),
  lateInterest: term({ lateInterest: ppm(5_000) }),
  extensionFee: term({ extensionFee: ppm(10_000) }, extension),
  extensionDays: term({ extensionDays: 14 }, extension),
  extensionLimit: term({ extensionLimit: 0 }, extension),
};

for (const [name, { before = {}, after }] of Object.entries({ ...RECEIPT_CASES, ...TERM_CASES }))
  test(`the replay depends on ${name}`, () => {
    const [resultBefore, resultAfter] = [replay(before), replay(after)];
    assert.notDeepEqual(resultAfter.whole, resultBefore.whole, 'of a purchase with returns');
    // Only a return withdraws money from a receipt.
    if (name !== 'withdrawals')
      assert.notDeepEqual(resultAfter.alone, resultBefore.alone, 'of one installment');
  });

for (const [name, { before = {}, after }] of Object.entries(RETURN_CASES))
  test(`the replay depends on ${name} of a return`, () => {
    assert.notDeepEqual(replay(after).whole, replay(before).whole);
  });
