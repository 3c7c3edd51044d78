/** Refunds that are requested in time, and that the PSP refuses as too old. The simulator enforces the limit of 90 days. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import type { TestCustomer } from '../../../test/purchase-driver.ts';

const service = await openService();
const pixDriver = createPixDriver(service);
const runCommand = createCommandRunner(service);
const PURCHASED_AT = '2027-02-26T15:00:00.000Z'; // a Friday
const setHoursAfterPurchase = (hours: number) =>
  service.clock.set(new Date(Date.parse(PURCHASED_AT) + hours * HOUR_MS).toISOString());
const REFUND_PERIOD_HOURS = 90 * 24;

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const listRefunds = async (customer: TestCustomer): Promise<Body[]> =>
  (await pixDriver.callStaff('GET', `/admin/pix/refunds?customer=${customer.id}`)).body.data.toSorted(
    (a: Body, b: Body) => a.tries - b.tries, // `tries` is 1 for the first attempt to refund, 2 for the second
  );

const getCashbackBalance = async (customer: TestCustomer): Promise<number> =>
  (await service.get('/wallet/cashback/balance', { token: await pixDriver.createToken(customer) })).body
    .available;

/** Sells 100.00 in one installment, and pays this amount. */
async function sellAndPay(value: number) {
  setHoursAfterPurchase(0);
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer);
  const { id, txid } = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  await pixDriver.payCharge(txid, { value });
  await pixDriver.waitForStatus(customer, id, 'paid');
  return { customer, hash: hash as string, txid: txid as string, pixId: id as string };
}

/** Waits until the second refund, after a failed one, is requested too late and refused. Returns both. */
async function waitUntilRefusedAsTooOld(customer: TestCustomer): Promise<Body[]> {
  await eventually('a second refund waits', async () => (await listRefunds(customer)).length === 2);
  await pixDriver.setPspFaults({});
  setHoursAfterPurchase(REFUND_PERIOD_HOURS + 1);
  await pixDriver.runJob('pix_reconcile');
  await eventually(
    'the second refund was refused',
    async () => (await listRefunds(customer)).at(-1).status !== 'asked', // requested
  );
  return listRefunds(customer);
}

test('a refund of a return that the PSP refuses as too old becomes cashback, which all views show', async () => {
  const { customer, hash } = await sellAndPay(100);
  setHoursAfterPurchase(REFUND_PERIOD_HOURS - 1);
  await pixDriver.setPspFaults({ refund: 'fails' });
  const returnResponse = await pixDriver.requestReturn(hash, 40);
  assert.deepEqual(
    [returnResponse.status, returnResponse.body.cashback, returnResponse.body.refunds.length],
    [201, 0, 1],
    returnResponse.text,
  );
  const [failedRefund, creditedRefund] = await waitUntilRefusedAsTooOld(customer);
  assert.deepEqual(
    [failedRefund.status, creditedRefund.status, creditedRefund.stranded],
    ['failed', 'credited', 0], // nothing is still owed to the payer
  );
  assert.equal(failedRefund.reason, 'Conta do pagador encerrada.');
  assert.match(creditedRefund.reason, /PixDevolucaoInvalida.* 90 dias/);
  assert.equal(await getCashbackBalance(customer), 40);

  const { body: statement } = await service.get('/wallet/cashback/ledger', {
    token: await pixDriver.createToken(customer),
  });
  assert.deepEqual(
    statement.data.map(({ kind, amount, checkout_hash }: Body) => [kind, amount, checkout_hash]),
    [['redeemed', 40, hash]],
  );
  assert.match(statement.data[0].description, /não poder voltar por Pix/);
  const { body: events } = await pixDriver.callStaff(
    'GET',
    `/admin/events?customer=${customer.id}&limit=100`,
  );
  const listEvents = (type: string) => events.data.filter((event: Body) => event.type === type);
  assert.deepEqual(
    [
      listEvents('installment.overpaid').map(({ data }: Body) => data.amount),
      listEvents('cashback.changed').length,
    ],
    [[40], 1],
  );
  const { body: timeline } = await pixDriver.callStaff('GET', `/admin/customers/${customer.id}/story`);
  assert.match(JSON.stringify(timeline.data), /recusada: o pagamento tem mais de 90 dias/);
  assert.match(
    await runCommand('pix refunds list', '--status', 'credited', '--customer', customer.id),
    /credited .*The PSP refused: PixDevolucaoInvalida .* 90 dias/,
  );
  const retryResponse = await pixDriver.callStaff('POST', `/admin/pix/refunds/${creditedRefund.id}/retry`);
  assert.deepEqual([retryResponse.status, retryResponse.body.code], [409, 'refund_not_given_up']);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    merchant_payable: -6_000,
    pix_clearing: 10_000,
    cashback_owed: -4_000,
  });
  assert.deepEqual(await pixDriver.listMismatches(customer.id), []);
});

test('a refund of an excess becomes cashback, and a chargeback of the payment removes the cashback', async () => {
  await pixDriver.setPspFaults({ refund: 'fails' });
  const { customer, hash, txid, pixId } = await sellAndPay(120);
  const [, creditedRefund] = await waitUntilRefusedAsTooOld(customer);
  const [refundView, ...otherViews] = (await pixDriver.getCharge(customer, pixId)).refunds;
  assert.deepEqual([refundView.value, refundView.status, otherViews], [20, 'cashback', []]);
  assert.match(refundView.explanation, /mais de 90 dias.*virou cashback/);
  assert.equal(creditedRefund.status, 'credited');
  assert.equal(await getCashbackBalance(customer), 20);
  assert.deepEqual(await pixDriver.listMismatches(customer.id), []);
  await pixDriver.chargeBackCharge(txid);
  await eventually('the cashback is removed', async () => (await getCashbackBalance(customer)) === 0);
  assert.equal((await pixDriver.getInstallment(hash)).outstanding, 100);
  assert.deepEqual(await pixDriver.listMismatches(customer.id), []);
});

test('a refund that is too old first pays the outstanding amount, and only the remainder becomes cashback', async () => {
  setHoursAfterPurchase(0);
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer);
  const firstCharge = await pixDriver.createCharge(customer, installments[0].id, 'settle_partial', 60);
  await pixDriver.payCharge(firstCharge.txid);
  await pixDriver.waitForStatus(customer, firstCharge.id, 'paid');
  service.clock.advance(1_000);
  await pixDriver.setPspFaults({ refund: 'fails' });
  // 40.00 of the 90.00 pay the outstanding amount, and 50.00 are excess.
  const secondCharge = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  await pixDriver.payCharge(secondCharge.txid, { value: 90 });
  await eventually('a second refund waits', async () => (await listRefunds(customer)).length === 2);
  await pixDriver.chargeBackCharge(firstCharge.txid, 10);
  await eventually('10.00 are owed', async () => (await pixDriver.getInstallment(hash)).outstanding === 10);
  await pixDriver.setPspFaults({});
  setHoursAfterPurchase(REFUND_PERIOD_HOURS + 1);
  await pixDriver.runJob('pix_reconcile');
  await eventually('the second refund became cashback', async () => (await getCashbackBalance(customer)) > 0);
  assert.deepEqual(
    [(await pixDriver.getInstallment(hash)).status, await getCashbackBalance(customer)],
    ['paid', 40],
  );
  assert.deepEqual(await pixDriver.listMismatches(customer.id), []);
});
