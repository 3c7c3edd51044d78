/** Returns over HTTP of purchases paid by Pix at the simulator, checked to the centavo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { runSemana } from '../../../test/processes.ts';
import { MERCHANT, type TestCustomer } from '../../../test/purchase-driver.ts';
import { createModuleEvents, readConfiguration } from '../../modules.ts';
import { adjustCashback } from '../../rewards/cashback-account.ts';

const service = await openService();
const pixDriver = createPixDriver(service);
const BOUGHT_AT = '2027-02-26T15:00:00.000Z'; // a Friday
const moveToDay = (days: number) =>
  service.clock.set(new Date(Date.parse(BOUGHT_AT) + days * DAY_MS).toISOString());

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

async function buy(
  checkoutInput: Record<string, unknown> = {},
): Promise<{ customer: TestCustomer; hash: string; installmentIds: string[] }> {
  service.clock.set(BOUGHT_AT);
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer, checkoutInput);
  return { customer, hash, installmentIds: installments.map(({ id }: { id: string }) => id) };
}

/** Pays an installment in full by Pix. Returns the end-to-end id. */
async function settle(customer: TestCustomer, installmentId: string): Promise<string> {
  const { id: chargeId, txid } = await pixDriver.createCharge(customer, installmentId, 'settle');
  const { end_to_end_id } = await pixDriver.payCharge(txid);
  await pixDriver.waitForStatus(customer, chargeId, 'paid');
  return end_to_end_id;
}

async function returnPurchase(hash: string, amount?: number): Promise<Body> {
  const response = await pixDriver.requestReturn(hash, amount);
  assert.equal(response.status, 201, response.text);
  return response.body;
}

/** Formats each installment as: paid + discount + returned, outstanding, status. */
const formatInstallments = ({ installments }: Body): string[] =>
  installments.map(
    ({ paid, discount, returned, outstanding, status }: Body) =>
      `${paid}+${discount}+${returned} ${outstanding} ${status}`,
  );

async function getCashback(customer: TestCustomer): Promise<number> {
  const token = await pixDriver.createToken(customer);
  return (await service.get('/wallet/cashback/balance', { token })).body.available;
}

const sumRefunds = async (customer: TestCustomer): Promise<number> =>
  pixDriver.readCount(sql`
    select coalesce(sum(amount_cents), 0)::bigint as count from pix_refunds
    where customer_id = ${customer.id} and status = 'returned' and not forced`);

const waitForRefunds = (customer: TestCustomer, centavos: number) =>
  eventually(`${centavos} centavos are refunded`, async () => (await sumRefunds(customer)) === centavos);

const assertAuditAgrees = async (customer: TestCustomer) =>
  assert.deepEqual(await pixDriver.listMismatches(customer.id), []);

test('a return before any payment reduces all installments and the payout of the merchant, and cancels pending codes', async () => {
  const { customer, hash, installmentIds } = await buy({ installments: 3 });
  const pendingCharge = await pixDriver.createCharge(customer, installmentIds[0]!, 'settle');
  const returnBody = await returnPurchase(hash, 40);
  assert.deepEqual([returnBody.amount, returnBody.refunds, returnBody.cashback], [40, [], 0]);
  // The remaining 60.00 are split in three; 33.34, 33.33 and 33.33 were agreed.
  assert.deepEqual(formatInstallments(returnBody.checkout), [
    '0+0+13.34 20 open',
    '0+0+13.33 20 open',
    '0+0+13.33 20 open',
  ]);
  assert.deepEqual(returnBody.checkout.amounts, {
    financed: 100,
    paid: 0,
    returned: 40,
    outstanding: 60,
    penalties: 0,
    total_due: 60,
  });
  assert.equal(returnBody.checkout.returned_at, null);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    receivable: 6_000,
    merchant_payable: -6_000,
  });
  assert.equal((await pixDriver.getCharge(customer, pendingCharge.id)).status, 'cancelled');
  const { body: checkout } = await pixDriver.callStaff('GET', `/admin/checkouts/${hash}`);
  assert.equal(checkout.installments[0].pix_options[0].value, 20);
  const { body: list } = await service.get('/wallet/checkouts', {
    token: await pixDriver.createToken(customer),
  });
  assert.equal(list.data[0].amounts.returned, 40);
  // The customer still pays the old code of 33.34: 20.00 are applied, 13.34 are refunded.
  moveToDay(0.1); // later on the day of the purchase
  await pixDriver.payCharge(pendingCharge.txid, { force: true });
  await waitForRefunds(customer, 1_334);
  assert.equal((await pixDriver.getInstallment(hash)).status, 'paid');
  await assertAuditAgrees(customer);
});

test('after payments, excess pays other installments, the earliest first, and the remainder is refunded, the newest payment first', async () => {
  const { customer, hash, installmentIds } = await buy({ installments: 4, terms: { cashback_percent: 10 } });
  const firstPaymentId = await settle(customer, installmentIds[0]!);
  const secondPaymentId = await settle(customer, installmentIds[1]!);
  assert.equal(await getCashback(customer), 5);
  // Installments are now 15.00: of each payment 10.00 are excess, which pay the third and 5.00 of the fourth.
  const returnBody = await returnPurchase(hash, 40);
  assert.deepEqual(formatInstallments(returnBody.checkout), [
    '15+0+10 0 paid',
    '15+0+10 0 paid',
    '15+0+10 0 paid',
    '5+0+10 10 open',
  ]);
  assert.deepEqual([returnBody.refunds, await getCashback(customer)], [[], 4.5]);
  const secondReturn = await returnPurchase(hash, 40);
  assert.deepEqual(secondReturn.refunds, [
    { end_to_end_id: secondPaymentId, amount: 25 },
    { end_to_end_id: firstPaymentId, amount: 5 },
  ]);
  assert.deepEqual([secondReturn.checkout.status, await getCashback(customer)], ['paid', 2]);
  await assertAuditAgrees(customer);
  const wholeReturn = await returnPurchase(hash);
  assert.deepEqual(
    [wholeReturn.amount, wholeReturn.refunds, await getCashback(customer)],
    [20, [{ end_to_end_id: firstPaymentId, amount: 20 }], 0],
  );
  assert.deepEqual(formatInstallments(wholeReturn.checkout), Array(4).fill('0+0+25 0 paid'));
  assert.equal(wholeReturn.checkout.returned_at, wholeReturn.returned_at);
  await waitForRefunds(customer, 5_000);
  await assertAuditAgrees(customer);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {}, 'all accounts are balanced');
  const events = (await pixDriver.listEvents(customer.id)).filter(({ type }) => type === 'checkout.returned');
  assert.deepEqual(
    events.map(({ data }) => [data.amount, data.returned, data.refunded, data.whole]),
    [
      [40, 40, 0, false],
      [40, 80, 30, false],
      [20, 100, 20, true],
    ],
  );
  const refusal = await pixDriver.requestReturn(hash);
  assert.deepEqual([refusal.status, refusal.body.code], [409, 'checkout_returned']);
});

test('a partial return of an overdue, extended purchase keeps penalties; a full return refunds them and cancels the debt', async () => {
  const { customer, hash, installmentIds } = await buy({ amount: 200, installments: 2 });
  moveToDay(14);
  const extension = await pixDriver.createCharge(customer, installmentIds[0]!, 'extend');
  // Fine 2.00, interest 0.23, fee 5 % of 100.00.
  assert.equal(extension.value, 7.23);
  await pixDriver.payCharge(extension.txid);
  await pixDriver.waitForStatus(customer, extension.id, 'paid');
  moveToDay(28);
  const checkout = await pixDriver.getCheckout(hash);
  // The second installment is 14 days late; the first, due on day 21, is seven days late.
  assert.deepEqual(
    checkout.installments.map(({ penalty }: Body) => penalty.total),
    [2.23, 2.46],
  );
  const halfReturn = await returnPurchase(hash, 100);
  assert.deepEqual(formatInstallments(halfReturn.checkout), ['0+0+50 50 overdue', '0+0+50 50 overdue']);
  assert.equal(halfReturn.checkout.amounts.penalties, 4.69);
  const wholeReturn = await returnPurchase(hash);
  assert.deepEqual(wholeReturn.checkout.amounts, {
    financed: 200,
    paid: 0,
    returned: 200,
    outstanding: 0,
    penalties: 0,
    total_due: 0,
  });
  assert.equal(wholeReturn.refunds[0].amount, 7.23);
  await waitForRefunds(customer, 723);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {});
  moveToDay(100);
  assert.equal((await pixDriver.getCheckout(hash)).amounts.total_due, 0);
  await assertAuditAgrees(customer);
});

test('a return of a purchase paid early at a weekly rate cancels the interest on the returned part', async () => {
  const { customer, hash, installmentIds } = await buy({
    installments: 1,
    terms: { weekly_rate_percent: 2 },
  });
  await settle(customer, installmentIds[0]!);
  // The installment of 102.00 was paid on the day of the purchase, with a discount of 2.00.
  assert.deepEqual(formatInstallments(await pixDriver.getCheckout(hash)), ['100+2+0 0 paid']);
  const returnBody = await returnPurchase(hash, 50);
  assert.deepEqual(formatInstallments(returnBody.checkout), ['50+1+51 0 paid']);
  assert.deepEqual(
    returnBody.refunds.map((refund: Body) => refund.amount),
    [50],
  );
  await waitForRefunds(customer, 5_000);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    merchant_payable: -5_000,
    pix_clearing: 5_000,
  });
  await assertAuditAgrees(customer);
});

test('returned money is converted to cashback if it was paid more than 90 days ago or with cashback', async () => {
  const { customer, hash, installmentIds } = await buy({ installments: 2 });
  await settle(customer, installmentIds[0]!);
  const adjustment = { customer: customer.id, amountCents: 2_000, reason: 'Desculpe', reference: null };
  const context = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
  await customerTransaction(service.db, customer.id, (tx) => adjustCashback(tx, adjustment, context));
  const token = await pixDriver.createToken(customer);
  const redemption = await service.post(
    `/wallet/installments/${installmentIds[1]}/cashback`,
    { value: 12 },
    { token },
  );
  assert.equal(redemption.status, 201, redemption.text);
  moveToDay(91);
  const returnBody = await returnPurchase(hash);
  // The Pix of 50.00 is too old to refund, and 12.00 were cashback.
  assert.deepEqual([returnBody.refunds, returnBody.cashback], [[], 62]);
  assert.equal(await getCashback(customer), 70); // 20 - 12 + 62
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    cashback_expense: 2_000,
    cashback_owed: -7_000,
    pix_clearing: 5_000,
  });
  await assertAuditAgrees(customer);
});

test('a chargeback first reopens the paid part, and then debits the part that was converted to cashback', async () => {
  const { customer, hash, installmentIds } = await buy();
  const { id, txid } = await pixDriver.createCharge(customer, installmentIds[0]!, 'settle');
  await pixDriver.payCharge(txid);
  await pixDriver.waitForStatus(customer, id, 'paid');
  moveToDay(91);
  assert.equal((await returnPurchase(hash, 40)).cashback, 40);
  // The first chargeback reopens the paid 60.00 and debits 10.00 of the cashback.
  for (const { amount, remainingCashback } of [
    { amount: 70, remainingCashback: 30 },
    { amount: 30, remainingCashback: 0 },
  ]) {
    await pixDriver.chargeBackCharge(txid, amount);
    await eventually(
      'the chargeback is applied',
      async () => (await getCashback(customer)) === remainingCashback,
    );
    assert.deepEqual(formatInstallments(await pixDriver.getCheckout(hash)), ['0+0+40 60 overdue']);
    await assertAuditAgrees(customer);
  }
});

test('a payment reported during the return, and a chargeback after it, are both applied correctly', async () => {
  const { customer, hash, installmentIds } = await buy({ installments: 4 });
  const { txid } = await pixDriver.createCharge(customer, installmentIds[0]!, 'settle');
  // The charge is paid but not reported yet while the purchase is returned.
  await pixDriver.setPspFaults({ notify: 'never' });
  await pixDriver.payCharge(txid);
  const [returnBody] = await Promise.all([returnPurchase(hash, 80), pixDriver.runJob('pix_sweep')]);
  await pixDriver.setPspFaults({ notify: 'normal' });
  assert.equal(returnBody.amount, 80);
  await pixDriver.runJob('pix_sweep');
  await pixDriver.runJob('pix_sweep_refunds');
  // In either order 5.00 of each installment are paid, and 5.00 are refunded.
  await waitForRefunds(customer, 500);
  assert.deepEqual(formatInstallments(await pixDriver.getCheckout(hash)), Array(4).fill('5+0+20 0 paid'));
  await assertAuditAgrees(customer);
  await pixDriver.chargeBackCharge(txid, 12);
  await pixDriver.runJob('pix_sweep_refunds');
  await eventually(
    'the chargeback is applied',
    async () => (await pixDriver.getCheckout(hash)).status === 'open',
  );
  assert.deepEqual(formatInstallments(await pixDriver.getCheckout(hash)), [
    '5+0+20 0 paid',
    '3+0+20 2 open',
    '0+0+20 5 open',
    '0+0+20 5 open',
  ]);
  await assertAuditAgrees(customer);
});

test('a merchant can return only its own sales, once per Idempotency-Key; the command line can return any sale', async () => {
  const createKey = async (merchant: string) => {
    const { body: partner } = await pixDriver.callStaff('POST', '/admin/partners', { name: merchant });
    const keyResponse = await pixDriver.callStaff('POST', '/admin/keys', {
      partner: partner.id,
      scopes: ['merchant'],
      merchant,
    });
    assert.equal(keyResponse.status, 201, keyResponse.text);
    return keyResponse.body.key;
  };
  const [ownKey, otherKey] = [await createKey(MERCHANT), await createKey('otica-lume')];
  const { customer, hash } = await buy({ installments: 2 });
  const path = `/merchant/checkouts/${hash}/returns`;
  const sendReturn = (key: string, body: object, requestHeaders = {}) =>
    service.post(path, body, { key, headers: requestHeaders });
  const strangerResponse = await sendReturn(otherKey, { reason: 'x' });
  assert.deepEqual([strangerResponse.status, strangerResponse.body.code], [404, 'not_found']);
  const tooLargeResponse = await sendReturn(ownKey, { amount: 100.01, reason: 'x' });
  assert.deepEqual(
    [tooLargeResponse.status, tooLargeResponse.body.code, tooLargeResponse.body.max],
    [422, 'value_out_of_range', 100],
  );
  assert.equal((await sendReturn(ownKey, { amount: 0, reason: 'x' })).status, 422);
  assert.equal((await sendReturn(ownKey, { amount: 1.005, reason: 'x' })).status, 400);
  assert.equal((await sendReturn(ownKey, { amount: 1 })).status, 400);
  const headers = { 'idempotency-key': 'one' };
  const returnResponse = await sendReturn(ownKey, { amount: 10, reason: 'Riscado' }, headers);
  assert.equal(returnResponse.status, 201, returnResponse.text);
  const repeatedResponse = await sendReturn(ownKey, { amount: 10, reason: 'Riscado' }, headers);
  assert.deepEqual(
    [repeatedResponse.body, repeatedResponse.headers.get('idempotency-replayed')],
    [returnResponse.body, 'true'],
  );
  assert.deepEqual(Object.keys(returnResponse.body.checkout.customer), ['name']);
  assert.ok(!('customer_id' in returnResponse.body.checkout));
  const command = ['checkouts', 'return', hash, '--amount', '20,00', '--reason', 'Riscado'];
  const env = { SEMANA_URL: service.staffUrl };
  const unconfirmedOutcome = await runSemana(command, env);
  assert.equal(unconfirmedOutcome.code, 2, 'the command requires a confirmation');
  const confirmedOutcome = await runSemana([...command, '--yes'], env);
  assert.equal(confirmedOutcome.code, 0, confirmedOutcome.stderr);
  assert.match(confirmedOutcome.stderr, /Returned 20\.00: 0\.00 converted to cashback\./);
  assert.equal((await pixDriver.getCheckout(hash)).amounts.returned, 30);
  await assertAuditAgrees(customer);
});
