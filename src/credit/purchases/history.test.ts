/** Rows, ledger and responses match the facts of an installment, regardless of the order in which they are reported. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RefundDue } from '#core/finance/receipts.ts';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { openService } from '../../../test/harness.ts';
import { createPurchaseDriver, type TestCustomer } from '../../../test/purchase-driver.ts';

const service = await openService();
const driver = createPurchaseDriver(service);
const PURCHASED_AT = '2027-02-26T15:00:00.000Z';
const START_MS = Date.parse(PURCHASED_AT);

const anyPurchase = fc.record({
  amount: fc.integer({ min: 300, max: 50_000 }).map((cents) => cents / 100),
  installments: fc.integer({ min: 1, max: 3 }),
  terms: fc.record({
    weekly_rate_percent: fc.constantFrom(0, 1.25),
    extension_limit: fc.constantFrom(0, 2),
  }),
});

const anyStep = fc.record({
  installmentIndex: fc.nat(2),
  /** When the money arrives, in hours after the purchase, not necessarily in the order of the steps. */
  hours: fc.integer({ min: 0, max: 40 * 24 }),
  /** The paid amount, in percent of the installment. */
  paidPercent: fc.integer({ min: 1, max: 130 }),
  isExtension: fc.boolean(),
  /** What happens to the payment. `manual`: it is no Pix, so its excess waits for a staff user. Repeated values are more likely. */
  fate: fc.constantFrom('final', 'final', 'chargeback', 'refunds fail', 'manual', 'move', 'move'),
  /** A return some days after the payment, in percent of the remaining amount. Other payments may arrive later than the return. */
  purchaseReturn: fc.option(
    fc.record({
      percent: fc.constantFrom(100, 40, 2),
      days: fc.constantFrom(0, 10, 100),
      refundsFail: fc.boolean(),
    }),
    { freq: 2 },
  ),
  /** Whether the purchase is written off before the payment, and reinstated after it. */
  writtenOff: fc.option(fc.constantFrom('for good', 'by mistake'), { freq: 4 }),
});

/** Asserts that every received centavo is used exactly once, and that applied amounts match the installments. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
function assertMoney(installments: any[], receipts: any[]): void {
  const sumCents = (amounts: number[]) => amounts.reduce((sum, reais) => sum + Math.round(reais * 100), 0);
  for (const { amount, applied, refunded, cashback, excess, gone } of receipts) {
    assert.ok(gone >= 0);
    const usedAmounts = applied.flatMap((share: Record<string, number>) => [
      share.interest,
      share.fine,
      share.extension_fee,
      share.principal,
    ]);
    assert.equal(sumCents([...usedAmounts, refunded, cashback, excess, gone]), sumCents([amount]));
  }
  for (const { number, paid, discount, charges_paid } of installments) {
    const ownShares = receipts.flatMap(({ applied }) =>
      applied.filter((share: { number: number }) => share.number === number),
    );
    const expectedSums = Object.entries({ principal: paid, discount, ...charges_paid }).map(
      ([part, reais]) => [part, sumCents([reais as number])],
    );
    assert.deepEqual(
      expectedSums.map(([part]) => [part, sumCents(ownShares.map((share) => share[part!]))]),
      expectedSums,
    );
  }
}

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** A purchase with its payments and returns so far. */
type History = {
  readonly customer: TestCustomer;
  readonly hash: string;
  readonly installments: ReadonlyArray<{ id: string; amount: number }>;
  /** The installment that each payment is assigned to. */
  readonly installmentIdByReference: Map<string, string>;
  /** The amount that is not returned yet. */
  remainingCents: number;
};

async function failRefunds({ customer, installmentIdByReference }: History, refunds: readonly RefundDue[]) {
  for (const refund of refunds)
    await driver.failRefunds(customer.id, installmentIdByReference.get(refund.reference)!, [refund]);
}

/** Pays an installment, and charges the payment back, moves it or lets its refunds fail. */
async function payInstallment(history: History, step: Step, paidAt: Date): Promise<void> {
  const { customer, hash, installments, installmentIdByReference } = history;
  const { installmentIndex, paidPercent, isExtension, fate } = step;
  const { id, amount } = installments[installmentIndex % installments.length]!;
  const installmentView = (await driver.getCheckout(hash)).installments.find(
    (candidate: { id: string }) => candidate.id === id,
  );
  const extensionPrice = installmentView.pix_options.find(
    ({ type }: { type: string }) => type === 'extend',
  )?.value;
  // A percentage of an amount in reais is an amount in centavos.
  const paidCents = Math.max(1, Math.round(amount * paidPercent));
  const reais = isExtension && extensionPrice ? extensionPrice : paidCents / 100;
  const purpose = isExtension ? 'extend' : 'pay';
  const source = fate === 'manual' ? 'manual' : 'pix';
  const payOptions = { paidAt: paidAt.toISOString(), purpose, source } as const;
  const { reference, toRefund } = await driver.pay(customer.id, id, reais, payOptions);
  installmentIdByReference.set(reference, id);
  const chargedBackAt = new Date(paidAt.getTime() + DAY_MS).toISOString();
  if (fate === 'chargeback') await driver.chargeBack(customer.id, id, reference, chargedBackAt);
  if (fate === 'refunds fail') await failRefunds(history, toRefund);
  if (fate === 'move') {
    const { id: otherId } = installments[(installmentIndex + 1) % installments.length]!;
    const isMoved = await driver.movePayment(customer.id, { from: id, to: otherId, reference, reais });
    if (isMoved) installmentIdByReference.set(reference, otherId);
  }
}

/** Returns a part of what remains of the purchase. */
async function returnPart(history: History, { percent, refundsFail }: NonNullable<Step['purchaseReturn']>) {
  const returnedCents = Math.max(1, Math.round((history.remainingCents * percent) / 100));
  const { customer, hash } = history;
  const refunds = await driver.returnWithoutPsp(customer.id, hash, returnedCents / 100);
  if (refundsFail) await failRefunds(history, refunds);
  history.remainingCents -= returnedCents;
}

async function runStep(history: History, step: Step): Promise<void> {
  const { hours, purchaseReturn, writtenOff } = step;
  if (writtenOff) await driver.writeOff(history.hash);
  const paidAt = new Date(START_MS + hours * HOUR_MS);
  service.clock.set(paidAt.toISOString());
  await payInstallment(history, step, paidAt);
  if (purchaseReturn && history.remainingCents > 0) {
    service.clock.set(new Date(paidAt.getTime() + purchaseReturn.days * DAY_MS).toISOString());
    await returnPart(history, purchaseReturn);
  }
  if (writtenOff === 'by mistake') await driver.reinstate(history.hash);
}

/** Asserts that the audit finds no mismatch, and that responses match each other and the ledger. */
async function assertConsistent({ customer, hash }: History): Promise<void> {
  assert.deepEqual(await driver.listMismatches(customer.id), []);
  service.clock.set(new Date(START_MS + 150 * DAY_MS).toISOString());
  const {
    customer_id,
    terms,
    installments,
    receipts,
    returns,
    cost,
    written_off_at,
    customer_name: _name,
    autopay: _autopay,
    ...listFields
  } = await driver.getCheckout(hash);
  assertMoney(installments, receipts);
  const owedCents = Math.round(listFields.amounts.outstanding * 100);
  const { receivable = 0, credit_losses: losses = 0 } = await driver.readBalances(customer.id);
  assert.deepEqual([receivable, losses], written_off_at ? [0, owedCents] : [owedCents, 0]);
  const { body } = await driver.getAsCustomer(customer, '/wallet/checkouts');
  assert.deepEqual(body.data, [listFields]);
}

test('after random histories the audit finds no mismatch, and the list matches the detail', async () => {
  const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyPurchase, anySteps, async (purchase, steps) => {
      service.clock.set(PURCHASED_AT);
      const customer = await driver.createCustomer();
      const { hash, installments } = await driver.sell(customer, purchase);
      const remainingCents = Math.round(purchase.amount * 100);
      const history = { customer, hash, installments, installmentIdByReference: new Map(), remainingCents };
      // The first step may write the purchase off, which then is late.
      service.clock.set(new Date(START_MS + 45 * DAY_MS).toISOString());
      for (const step of steps) await runStep(history, step);
      await assertConsistent(history);
    }),
    { numRuns: Number(process.env.RUNS ?? 14) },
  );
});
