/** Cashback is spent on installments immediately and exactly once, also concurrently. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { createOfferDriver } from '../../test/offer-driver.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import { ANA, type TestCustomer } from '../../test/purchase-driver.ts';
import { createCashbackDriver, summarizeLines } from '../../test/support/cashback-driver.ts';
import { assertRefused } from '../../test/support/customers.ts';
import { createModuleEvents, readConfiguration } from '../modules.ts';
import { adjustCashback } from './cashback-account.ts';

const service = await openService();
const cashbackDriver = createCashbackDriver(service);
const pixDriver = createPixDriver(service);
const offerDriver = await createOfferDriver(service);
const otherNode = await service.startNode();
const MONDAY = '2027-03-01T15:00:00.000Z';
const daysAfterPurchase = (days: number) => new Date(Date.parse(MONDAY) + days * DAY_MS).toISOString();

const NO_CASHBACK = 0;

/** Creates a purchase on a Monday by a customer who has this cashback. The purchase earns 5 % cashback. */
async function newPurchase(cashbackReais: number, checkoutInput: Record<string, unknown> = {}) {
  service.clock.set(MONDAY);
  const customer = await cashbackDriver.createCustomer();
  await giveCashback(customer.id, cashbackReais);
  const { hash, installments } = await cashbackDriver.sell(customer, checkoutInput);
  return { customer, hash, installmentId: installments[0].id as string, installments };
}

async function giveCashback(customerId: string, reais: number): Promise<void> {
  const context = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
  const adjustment = { customer: customerId, amountCents: reais * 100, reason: 'teste', reference: null };
  if (reais !== 0)
    await customerTransaction(service.db, customerId, (tx) => adjustCashback(tx, adjustment, context));
}

/** Spends cashback on an installment. Without a value, spends all available cashback. */
const spend = async (
  customer: Pick<TestCustomer, 'phone' | 'password'>,
  installmentId: string,
  value?: number,
  { headers = {}, node = service as typeof otherNode } = {},
) =>
  node.post(`/wallet/installments/${installmentId}/cashback`, value === undefined ? {} : { value }, {
    token: await pixDriver.createToken(customer),
    headers,
  });

test('without a value all available cashback is spent immediately, and the part paid with it earns no cashback', async () => {
  const { customer, hash, installmentId } = await newPurchase(30);
  const { status, body } = await spend(customer, installmentId);
  assert.equal(status, 201);
  assert.deepEqual([body.applied, body.balance, body.installment.outstanding], [30, 0, 70]);
  assert.deepEqual(
    body.installment,
    (await cashbackDriver.getAsCustomer(customer, `/wallet/checkouts/${hash}`)).body.installments[0],
  );
  assert.equal((await cashbackDriver.getBalance(customer)).pending, 3.5);
  await cashbackDriver.pay(customer.id, installmentId, 70);
  const [earnedLine, redeemedLine] = (await cashbackDriver.getStatement(customer)).data;
  assert.deepEqual([earnedLine.kind, earnedLine.amount], ['earned', 3.5]);
  assert.deepEqual(
    [
      redeemedLine.kind,
      redeemedLine.amount,
      redeemedLine.balance_after,
      redeemedLine.checkout_hash,
      redeemedLine.description,
      redeemedLine.installment_id,
    ],
    ['redeemed', -30, 0, hash, 'Pago com cashback: parcela 1 de 1, Padaria Flor do Trigo', installmentId],
  );
  assert.deepEqual(await cashbackDriver.readBalances(customer.id), {
    cashback_expense: 33_50,
    cashback_owed: -3_50,
    merchant_payable: -100_00,
    pix_clearing: 70_00,
  });
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('cashback_if_on_time excludes returned amounts and amounts paid with cashback', async () => {
  const { customer, hash, installmentId } = await newPurchase(30, { amount: 200, installments: 2 });
  const listPromisedCashback = async () =>
    (await cashbackDriver.getAsCustomer(customer, `/wallet/checkouts/${hash}`)).body.installments.map(
      (installment: { cashback_if_on_time: number }) => installment.cashback_if_on_time,
    );
  assert.deepEqual(await listPromisedCashback(), [5, 5]);
  assert.equal((await spend(customer, installmentId)).body.installment.cashback_if_on_time, 3.5);
  assert.equal((await cashbackDriver.requestReturn(hash, 80)).status, 201);
  // Each installment is 60.00 after the return; 30.00 of the first were paid with cashback.
  assert.deepEqual(await listPromisedCashback(), [1.5, 3]);
  assert.equal((await cashbackDriver.getBalance(customer)).pending, 4.5);
  await cashbackDriver.pay(customer.id, installmentId, 30);
  assert.deepEqual(await listPromisedCashback(), [0, 3], 'a paid installment has earned its cashback');
  const [line] = (await cashbackDriver.getStatement(customer)).data;
  assert.deepEqual([line.kind, line.amount, line.installment_id], ['earned', 1.5, installmentId]);
  service.clock.set(daysAfterPurchase(15));
  assert.deepEqual(await listPromisedCashback(), [0, 0], 'a late installment earns none');
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('with more cashback than owed, only the discounted settle amount is spent, and the purchase is paid', async () => {
  const { customer, hash, installmentId } = await newPurchase(200, {
    amount: 100,
    terms: { weekly_rate_percent: 2 },
  });
  const { status, body } = await spend(customer, installmentId);
  assert.equal(status, 201);
  // 102.00 in a week are 100.00 now.
  assert.deepEqual([body.applied, body.balance, body.installment.status], [100, 100, 'paid']);
  assert.deepEqual([body.installment.paid, body.installment.discount], [100, 2]);
  const emittedEvents = await service.db.rows<{ type: string; kind: string | null }>(sql`
    select type, data->>'kind' as kind from events
    where customer_id = ${customer.id} and (checkout_hash is not null or data->>'kind' = 'redeemed') order by position`);
  assert.deepEqual(
    emittedEvents.map(({ type, kind }) => [type, kind]),
    [
      ['checkout.created', null],
      ['cashback.changed', 'redeemed'],
      ['installment.paid', null],
      ['checkout.paid', null],
    ],
  );
  assert.equal((await cashbackDriver.getCheckout(hash)).status, 'paid');
  assert.equal((await cashbackDriver.getBalance(customer)).lifetime_earned, 0, 'spending earns nothing');
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('cashback spent on a late installment pays interest first, then the fine, then the amount', async () => {
  const { customer, installmentId } = await newPurchase(3);
  service.clock.set(daysAfterPurchase(14));
  const { body } = await spend(customer, installmentId, 2.3);
  // Seven days late: fine 2.00 and interest 0.23, less the 2.30 that were spent.
  assert.deepEqual([body.installment.penalty.total, body.installment.outstanding], [0, 99.93]);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('redeeming too much, too little or an invalid amount, a paid or unknown installment, or no cashback is rejected', async () => {
  const { customer, installmentId } = await newPurchase(10);
  for (const value of [10.01, 0, -1]) {
    const { status, body } = await spend(customer, installmentId, value);
    assert.deepEqual(
      [status, body.code, body.min, body.max],
      [422, 'value_out_of_range', 0.01, 10],
      `${value}`,
    );
  }
  assert.deepEqual([(await spend(customer, installmentId, 1.005)).status], [400]);
  const poorPurchase = await newPurchase(NO_CASHBACK);
  const withoutCashbackResponse = await spend(poorPurchase.customer, poorPurchase.installmentId);
  assert.deepEqual([withoutCashbackResponse.status, withoutCashbackResponse.body.code], [409, 'no_cashback']);
  await cashbackDriver.pay(customer.id, installmentId, 100);
  const paidInstallmentResponse = await spend(customer, installmentId, 1);
  assert.deepEqual(
    [paidInstallmentResponse.status, paidInstallmentResponse.body.code],
    [409, 'installment_paid'],
  );
  assert.equal((await spend(ANA, installmentId, 1)).status, 404);
  assert.equal((await spend(customer, 'ins_x', 1)).status, 404);
});

test('cashback that expires first is spent first, and expired cashback cannot be spent', async () => {
  const { customer, installmentId } = await newPurchase(4);
  service.clock.set(daysAfterPurchase(30));
  await giveCashback(customer.id, 6);
  await spend(customer, installmentId, 5);
  assert.deepEqual((await cashbackDriver.getBalance(customer)).expiring, [
    { amount: 5, expires_on: '2027-09-27' },
  ]);
  service.clock.set('2027-09-28T03:00:00.000Z');
  assert.equal((await spend(customer, installmentId)).body.code, 'no_cashback');
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer))[0], ['expired', -5, 0]);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('the same Idempotency-Key spends once and repeats the response; it is rejected for another installment', async () => {
  const { customer, installmentId, installments } = await newPurchase(50, { installments: 2 });
  const headers = { 'idempotency-key': 'once' };
  const firstResponse = await spend(customer, installmentId, 20, { headers });
  const repeatedResponse = await spend(customer, installmentId, 20, { headers, node: otherNode });
  assert.deepEqual([repeatedResponse.status, repeatedResponse.text], [201, firstResponse.text]);
  assert.equal(repeatedResponse.headers.get('idempotency-replayed'), 'true');
  assert.equal(
    (await spend(customer, installments[1].id, 20, { headers })).body.code,
    'idempotency_key_reused',
  );
  assert.equal((await cashbackDriver.getBalance(customer)).available, 30);
});

test('concurrent redemptions on two nodes, during the expiry job and a chargeback, spend no centavo twice', async () => {
  const { customer, installments } = await newPurchase(40, { installments: 4 });
  const [firstInstallmentId, ...otherIds] = installments.map(({ id }: { id: string }) => id);
  const { reference } = await cashbackDriver.pay(customer.id, firstInstallmentId, 25);
  service.clock.set(daysAfterPurchase(1));
  const responses = await Promise.all([
    ...[...otherIds, ...otherIds].map((id, i) =>
      spend(customer, id, 10, { node: i % 2 ? service : otherNode }),
    ),
    cashbackDriver.chargeBack(customer.id, firstInstallmentId, reference),
    cashbackDriver.expireDueCashback(),
  ]);
  const spentCount = responses.filter((response) => (response as { status?: number }).status === 201).length;
  const { available } = await cashbackDriver.getBalance(customer);
  assert.ok(spentCount === 4 || spentCount === 3, `${spentCount} redemptions of 10.00`);
  // The chargeback reverses the 1.25 that the first installment had earned, even if it is spent.
  assert.equal(available, 40 - spentCount * 10);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('a PIX reported late overpays an installment settled partly with cashback; the excess cashback is credited again', async () => {
  const { customer, hash, installmentId } = await newPurchase(60);
  service.clock.set(daysAfterPurchase(3));
  await spend(customer, installmentId, 60);
  const latePayment = await cashbackDriver.pay(customer.id, installmentId, 70, {
    paidAt: daysAfterPurchase(1),
  });
  assert.deepEqual(latePayment.toRefund, [], 'the PIX was owed');
  assert.equal((await cashbackDriver.getCheckout(hash)).status, 'paid');
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)), [
    ['earned', 3.5, 33.5],
    ['redeemed', 30, 30],
    ['redeemed', -60, 0],
    ['adjusted', 60, 60],
  ]);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
  // After a chargeback of the PIX, its part is owed again; the cashback stays with the customer.
  await cashbackDriver.chargeBack(customer.id, installmentId, latePayment.reference);
  assert.equal((await cashbackDriver.getCheckout(hash)).installments[0].outstanding, 70);
  assert.equal((await cashbackDriver.getBalance(customer)).available, 30);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('a PIX reported late for an installment settled with cashback corrects the earned cashback', async () => {
  const { customer, installmentId } = await newPurchase(100);
  service.clock.set(daysAfterPurchase(3));
  await spend(customer, installmentId, 100);
  await cashbackDriver.pay(customer.id, installmentId, 40, { paidAt: daysAfterPurchase(1) });
  // 60.00 are still paid with cashback, so 5 % of 40.00 were earned.
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(customer)).slice(0, 2), [
    ['earned', 2, 42],
    ['redeemed', 40, 40],
  ]);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('reversing spent cashback makes the balance negative, and the next credits reduce the debt', async () => {
  const purchase = await newPurchase(NO_CASHBACK);
  const { customer } = purchase;
  const { reference } = await cashbackDriver.pay(customer.id, purchase.installmentId, 100);
  const { installments } = await cashbackDriver.sell(customer);
  await spend(customer, installments[0].id);
  await cashbackDriver.chargeBack(customer.id, purchase.installmentId, reference);
  assert.equal((await cashbackDriver.getBalance(customer)).available, -5);
  assert.equal((await spend(customer, installments[0].id)).body.code, 'no_cashback');
  await giveCashback(customer.id, 6);
  assert.equal((await spend(customer, installments[0].id)).body.applied, 1);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('409 cashback_owed: a customer with a negative balance cannot buy, by offer or through the operator', async () => {
  const purchase = await newPurchase(NO_CASHBACK);
  const { customer } = purchase;
  await cashbackDriver.pay(customer.id, purchase.installmentId, 100);
  const { installments } = await cashbackDriver.sell(customer, { amount: 60 });
  await spend(customer, installments[0].id, 5);
  await cashbackDriver.returnWithoutPsp(customer.id, purchase.hash);
  assert.equal((await cashbackDriver.getBalance(customer)).available, -5);
  const offer = await offerDriver.createOffer(customer.phone);
  const token = await pixDriver.createToken(customer);
  const accept = () => service.post(`/wallet/offers/${offer.id}/accept`, {}, { token });
  for (const refusal of [
    await accept(),
    await cashbackDriver.requestCheckout(customer),
    await cashbackDriver.requestCheckout(customer, { dry_run: true }),
  ]) {
    assertRefused(refusal, 409, 'cashback_owed');
    assert.equal(refusal.body.owed, 5);
  }
  // 55.00 paid by PIX earn 2.75, which reduces the debt first.
  await cashbackDriver.pay(customer.id, installments[0].id, 55);
  assert.equal((await cashbackDriver.getBalance(customer)).available, -2.25);
  assertRefused(await accept(), 409, 'cashback_owed');
  await giveCashback(customer.id, 2.25);
  assert.deepEqual((await cashbackDriver.getBalance(customer)).expiring, [], 'all of it reduced the debt');
  assert.equal((await accept()).status, 201);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('pending PIX codes of the installment are cancelled, and the next charge is for the remaining amount', async () => {
  const { customer, installmentId, installments } = await newPurchase(30, { installments: 2 });
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  const otherCharge = await pixDriver.createCharge(customer, installments[1].id, 'settle');
  await spend(customer, installmentId, 30);
  assert.equal((await pixDriver.getCharge(customer, charge.id)).status, 'cancelled');
  assert.equal((await pixDriver.getCharge(customer, otherCharge.id)).status, 'pending');
  assert.equal((await pixDriver.createCharge(customer, installmentId, 'settle')).value, 20);
});

test('the audit reports a cashback receipt that is missing from the statement', async () => {
  const { customer, installmentId } = await newPurchase(10);
  await spend(customer, installmentId, 10);
  // The driver's type excludes this source, because such a payment is wrong without a line of the statement.
  await cashbackDriver.pay(customer.id, installmentId, 5, {
    source: 'cashback' as 'pix',
    reference: 'cashback csh_x',
  });
  const mismatches = await cashbackDriver.listMismatches();
  assert.ok(mismatches.some((text) => text.includes('receipt cashback csh_x: is not in the statement')));
  assert.ok(mismatches.some((text) => text.includes(`customer ${customer.id}: cashback_clearing is`)));
});
