/** Balance, statement and ledger of an invited customer match, before and after the expiry job. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RefundDue } from '#core/finance/receipts.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { cents } from '#core/values/money.ts';
import type { EventContext } from '#events';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { type Body, openService } from '../../test/harness.ts';
import { createOfferDriver } from '../../test/offer-driver.ts';
import type { TestCustomer } from '../../test/purchase-driver.ts';
import { createCashbackDriver, summarizeLines } from '../../test/support/cashback-driver.ts';
import { openSessionFor } from '../../test/support/customers.ts';
import { createModuleEvents, readConfiguration } from '../modules.ts';
import { adjustCashback, redeemCashback } from './cashback-account.ts';

const service = await openService();
const cashbackDriver = createCashbackDriver(service);
const offerDriver = await createOfferDriver(service);
const START_MS = Date.parse('2027-02-26T15:00:00.000Z');

const OFFER_ERRORS = /^(too_many_offers)$/;
const ACCEPT_ERRORS = /^(offer_closed|offer_expired|credit_limit_exceeded|customer_overdue|cashback_owed)$/;
const REDEEM_ERRORS = /^(no_cashback|installment_paid|value_out_of_range)$/;

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;

/** Repeated kinds are more likely. */
const STEP_KINDS = (
  [
    ['pay', 'pay', 'pay', 'pay part', 'extend', 'report late', 'expire'],
    ['charge back', 'charge back', 'redeem', 'redeem', 'adjust', 'adjust'],
    ['return', 'return', 'offer', 'offer'],
  ] as const
).flat();

const anyStep = fc.record({
  kind: fc.constantFrom(...STEP_KINDS),
  installmentIndex: fc.nat(5),
  /** By how many days the clock moves before the step. In the sandbox it can also go back. */
  days: fc.constantFrom(0, 1, 3, 7, 20, 95, 181, -30),
  /** What happens to excess money: a staff user must handle it, it is held for a refund, or its refund fails. */
  excess: fc.constantFrom('stranded', 'held', 'failed'),
  /** Depending on the kind of the step a percentage, a number of days, or the choice of an amount or variant. */
  parameter: fc.integer({ min: 1, max: 120 }),
});

const anyHistory = fc.record({
  checkoutInput: fc.record({
    amount: fc.integer({ min: 300, max: 90_000 }).map((centavos) => centavos / 100),
    installments: fc.integer({ min: 2, max: 6 }),
    terms: fc.record({ weekly_rate_percent: fc.constantFrom(0, 0, 2) }),
  }),
  cashbackPercent: fc.constantFrom(0, 0.37, 5, 33.3333),
  limitCents: fc.constantFrom(10_000_000, 120_000),
  steps: fc.array(anyStep, { minLength: 2, maxLength: 12 }),
});
type History = ValueOf<typeof anyHistory>;

const toCentavos = (reais: number) => Math.round(reais * 100);

test('balance, statement, ledger and audit match after random payments, extensions, refunds, chargebacks, expiries, adjustments and offers', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ steps, ...start }) => {
      service.clock.set(new Date(START_MS).toISOString());
      const referrer = await cashbackDriver.createCustomer();
      const customer = await cashbackDriver.createCustomer(await cashbackDriver.getReferralCode(referrer));
      const wallet = await openWallet(customer, start);
      for (const step of steps) {
        await runStep(wallet, step);
        await assertConsistent(customer);
      }
      await assertConsistent(referrer);
      assert.deepEqual(await cashbackDriver.listMismatches(customer.id), []);
      assert.deepEqual(await cashbackDriver.listMismatches(referrer.id), []);
    }),
    { numRuns: Number(process.env.RUNS ?? 8) },
  );
});

/** What a customer has bought and paid so far. */
type Wallet = {
  readonly customer: TestCustomer;
  readonly limitCents: number;
  readonly installments: Array<{ id: string; hash: string }>;
  /** The amounts that are not returned yet, by the hash of the purchase. */
  readonly remainingCents: Map<string, number>;
  readonly payments: Array<{ installmentId: string; reference: string; isChargedBack: boolean }>;
};

/** Sets the credit limit of a customer, and sells the first purchase. */
async function openWallet(
  customer: TestCustomer,
  { checkoutInput, cashbackPercent, limitCents }: Omit<History, 'steps'>,
): Promise<Wallet> {
  await service.db.run(
    sql`update customers set credit_limit_cents = ${limitCents} where id = ${customer.id}`,
  );
  const wallet: Wallet = { customer, limitCents, installments: [], remainingCents: new Map(), payments: [] };
  const checkout = await cashbackDriver.sell(customer, checkoutInput, cashbackPercent);
  addPurchase(wallet, checkout, checkoutInput.amount);
  return wallet;
}

function addPurchase({ installments, remainingCents }: Wallet, checkout: Body, amount: number): void {
  for (const { id } of checkout.installments) installments.push({ id, hash: checkout.hash });
  remainingCents.set(checkout.hash, toCentavos(amount));
}

/** Lets refunds fail. After a return, the excess may come from the payment of another installment. */
async function failRefunds({ customer, payments }: Wallet, refunds: readonly RefundDue[]): Promise<void> {
  for (const refund of refunds) {
    const { installmentId } = payments.find(({ reference }) => reference === refund.reference)!;
    await cashbackDriver.failRefunds(customer.id, installmentId, [refund]);
  }
}

/** Charges back one of the payments that are not charged back yet, if there are any. */
async function chargeBackPayment({ customer, payments }: Wallet, index: number): Promise<void> {
  const openPayments = payments.filter(({ isChargedBack }) => !isChargedBack);
  const payment = openPayments[index % (openPayments.length || 1)];
  if (!payment) return;
  await cashbackDriver.chargeBack(customer.id, payment.installmentId, payment.reference);
  payment.isChargedBack = true;
}

/** Returns a part of the remaining amount of a purchase, and returns the refunds that are due. */
async function returnPart({ customer, remainingCents }: Wallet, hash: string, percent: number) {
  const remaining = remainingCents.get(hash)!;
  if (remaining === 0) return [];
  const returnedCents = Math.max(1, Math.round((remaining * Math.min(100, percent)) / 100));
  const refunds = await cashbackDriver.returnWithoutPsp(customer.id, hash, returnedCents / 100);
  remainingCents.set(hash, remaining - returnedCents);
  return refunds;
}

/** Creates an offer, cancels or declines it in two of five cases, and then accepts it twice concurrently. */
async function acceptOffer(wallet: Wallet, choice: number): Promise<void> {
  const { customer, limitCents } = wallet;
  const amount = (20_00 + choice * 2_51) / 100;
  const offerOrder = { amount, installments: 1 + (choice % 4) };
  const { status, body: offer } = await offerDriver.requestOffer(customer.phone, offerOrder);
  if (status !== 201) {
    assert.match(offer.code, OFFER_ERRORS);
    return;
  }
  const { token } = await openSessionFor(service, customer);
  if (choice % 5 === 0) await offerDriver.cancel(offer.id);
  if (choice % 5 === 1) await offerDriver.decline(offer.id, token);
  const responses = await Promise.all([1, 2].map(() => offerDriver.accept(offer.id, token)));
  const acceptResponses = responses.filter((response) => response.status === 201);
  const maxAcceptances = choice % 5 > 1 ? 1 : 0;
  assert.ok(acceptResponses.length <= maxAcceptances, 'accepted once, never after it was closed');
  for (const response of responses)
    if (response.status !== 201) assert.match(response.body.code, ACCEPT_ERRORS);
  for (const { body } of acceptResponses) {
    addPurchase(wallet, body, amount);
    const { credit } = (await service.get('/wallet/me', { token })).body;
    assert.ok(toCentavos(credit.used) <= limitCents, 'the limit is never exceeded');
  }
}

async function runStep(wallet: Wallet, step: ValueOf<typeof anyStep>): Promise<void> {
  const { kind, installmentIndex, days, excess, parameter } = step;
  const { customer, installments, payments } = wallet;
  const now = new Date(Math.max(START_MS, service.clock.now().getTime() + days * DAY_MS));
  service.clock.set(now.toISOString());
  const context = { events: createModuleEvents(readConfiguration({})), now };
  const { id: installmentId, hash } = installments[installmentIndex % installments.length]!;
  const installmentView = (await cashbackDriver.getCheckout(hash)).installments.find(
    ({ id }: { id: string }) => id === installmentId,
  );
  const pay = async (reais: number, overrides: { paidAt?: string; purpose?: 'extend' } = {}) => {
    const source = excess === 'stranded' ? 'manual' : 'pix';
    const options = { source, ...overrides } as const;
    const { reference, toRefund } = await cashbackDriver.pay(customer.id, installmentId, reais, options);
    payments.push({ installmentId, reference, isChargedBack: false });
    if (excess === 'failed') await failRefunds(wallet, toRefund);
  };
  switch (kind) {
    case 'pay':
      return pay(installmentView.total_due || 1);
    case 'pay part':
      // A percentage of an amount in reais is an amount in centavos.
      return pay(Math.max(1, Math.round(installmentView.amount * parameter)) / 100);
    case 'extend': {
      const { value: price } =
        installmentView.pix_options.find(({ type }: { type: string }) => type === 'extend') ?? {};
      return price && pay(price, { purpose: 'extend' });
    }
    case 'report late': {
      const paidAtMs = Math.max(START_MS, now.getTime() - parameter * DAY_MS);
      return pay(installmentView.amount, { paidAt: new Date(paidAtMs).toISOString() });
    }
    case 'charge back':
      return chargeBackPayment(wallet, installmentIndex);
    case 'adjust':
      return adjust(customer, parameter, context);
    case 'redeem':
      return redeem(customer, { installmentId, choice: parameter }, context);
    case 'return': {
      const refunds = await returnPart(wallet, hash, parameter);
      return excess === 'failed' ? failRefunds(wallet, refunds) : undefined;
    }
    case 'offer':
      return acceptOffer(wallet, parameter);
    case 'expire':
      await cashbackDriver.expireDueCashback();
  }
}

/** Credits a few centavos, or in two of three cases debits cashback, at most what is available. */
async function adjust(customer: TestCustomer, choice: number, context: EventContext): Promise<void> {
  const { available } = await cashbackDriver.getBalance(customer);
  const isCredit = choice % 3 === 0;
  const amountCents = isCredit ? choice : -Math.min(choice * 50, Math.max(0, toCentavos(available)));
  if (amountCents === 0) return;
  const adjustment = { customer: customer.id, amountCents, reason: 'x', reference: null };
  await customerTransaction(service.db, customer.id, (tx) => adjustCashback(tx, adjustment, context));
}

/** Spends all available cashback on an installment, or in one of three cases a fixed amount. */
async function redeem(
  customer: TestCustomer,
  { installmentId, choice }: { installmentId: string; choice: number },
  context: EventContext,
): Promise<void> {
  const hasFixedAmount = choice % 3 === 0;
  const redemption = {
    customerId: customer.id,
    installmentId,
    ...(hasFixedAmount && { value: cents(choice * 10) }),
  };
  await customerTransaction(service.db, customer.id, (tx) => redeemCashback(tx, redemption, context)).catch(
    (error) => assert.match(error.kind?.code ?? error.message, REDEEM_ERRORS),
  );
}

const readAccount = async (customer: TestCustomer) => ({
  balance: await cashbackDriver.getBalance(customer),
  statement: await cashbackDriver.getStatement(customer, '?limit=100'),
});

async function assertConsistent(customer: TestCustomer): Promise<void> {
  const account = await readAccount(customer);
  const { balance, statement } = account;
  const lines = summarizeLines(statement);
  const lineTotal = lines.reduce((total, [, amount]) => total + toCentavos(amount), 0);
  assert.equal(toCentavos(balance.available), lineTotal, 'the balance is the sum of the lines');
  let runningTotal = 0;
  for (const [, amount, balanceAfter] of lines.toReversed()) {
    runningTotal += toCentavos(amount);
    assert.equal(toCentavos(balanceAfter), runningTotal, 'the balance after every line');
  }
  const expiringTotal = balance.expiring.reduce(
    (total: number, { amount }: { amount: number }) => total + toCentavos(amount),
    0,
  );
  assert.equal(expiringTotal, Math.max(0, lineTotal), 'all available cashback expires');
  const expiryDays = balance.expiring.map(({ expires_on }: { expires_on: string }) => expires_on);
  assert.deepEqual(
    expiryDays,
    [...new Set(expiryDays)].sort(),
    'each expiry day is listed once, the next first',
  );
  if (statement.data[0]?.kind !== 'expired') return;
  // The newest line is an expiry that may not be written yet.
  await cashbackDriver.expireDueCashback();
  assert.deepEqual(await readAccount(customer), account, 'the expiry job changes nothing');
  const owed = (await cashbackDriver.readBalances(customer.id)).cashback_owed ?? 0;
  assert.equal(owed + lineTotal, 0, 'the ledger has the same balance');
}
