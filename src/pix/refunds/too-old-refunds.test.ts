/** Refunds that are requested in time, and that the PSP refuses as too old. The simulator enforces the limit of 90 days. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openPixShop } from '../../../test/pix-shop.ts';
import type { Shopper } from '../../../test/shop.ts';

const service = await openService();
const pixShop = openPixShop(service);
const runCommand = createCommandRunner(service);
const PURCHASED_AT = '2027-02-26T15:00:00.000Z'; // a Friday
const setHoursAfterPurchase = (hours: number) =>
  service.clock.set(new Date(Date.parse(PURCHASED_AT) + hours * HOUR_MS).toISOString());
const REFUND_PERIOD_HOURS = 90 * 24;

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const listRefunds = async (shopper: Shopper): Promise<Body[]> =>
  (await pixShop.callStaff('GET', `/admin/pix/refunds?customer=${shopper.id}`)).body.data.toSorted(
    (a: Body, b: Body) => a.tries - b.tries,
  );

const findCashback = async (shopper: Shopper): Promise<number> =>
  (await service.get('/wallet/cashback/balance', { token: await pixShop.createToken(shopper) })).body
    .available;

/** Sells 100.00 in one installment, and pays this amount. */
async function sellAndPay(value: number) {
  setHoursAfterPurchase(0);
  const shopper = await pixShop.newShopper();
  const { hash, installments } = await pixShop.sell(shopper);
  const { id, txid } = await pixShop.createCharge(shopper, installments[0].id, 'settle');
  await pixShop.payCharge(txid, { value });
  await pixShop.waitForStatus(shopper, id, 'paid');
  return { shopper, hash: hash as string, txid: txid as string, pixId: id as string };
}

/** Waits until the second refund, after a failed one, is requested too late and refused. Returns both. */
async function waitUntilRefusedAsTooOld(shopper: Shopper): Promise<Body[]> {
  await eventually('a second refund waits', async () => (await listRefunds(shopper)).length === 2);
  await pixShop.setPspFaults({});
  setHoursAfterPurchase(REFUND_PERIOD_HOURS + 1);
  await pixShop.runJob('pix_reconcile');
  await eventually('it was refused', async () => (await listRefunds(shopper))[1].status !== 'asked');
  return listRefunds(shopper);
}

test('a refund of a return that the PSP refuses as too old becomes cashback, which all views show', async () => {
  const { shopper, hash } = await sellAndPay(100);
  setHoursAfterPurchase(REFUND_PERIOD_HOURS - 1);
  await pixShop.setPspFaults({ refund: 'fails' });
  const createResponse = await pixShop.requestReturn(hash, 40);
  assert.deepEqual(
    [createResponse.status, createResponse.body.cashback, createResponse.body.refunds.length],
    [201, 0, 1],
    createResponse.text,
  );
  const [failure, credit] = await waitUntilRefusedAsTooOld(shopper);
  assert.deepEqual([failure.status, credit.status, credit.stranded], ['failed', 'credited', 0]);
  assert.equal(failure.reason, 'Conta do pagador encerrada.');
  assert.match(credit.reason, /PixDevolucaoInvalida.* 90 dias/);
  assert.equal(await findCashback(shopper), 40);

  const { body: statement } = await service.get('/wallet/cashback/ledger', {
    token: await pixShop.createToken(shopper),
  });
  assert.deepEqual(
    statement.data.map(({ kind, amount, checkout_hash }: Body) => [kind, amount, checkout_hash]),
    [['redeemed', 40, hash]],
  );
  assert.match(statement.data[0].description, /não poder voltar por Pix/);
  const { body: events } = await pixShop.callStaff('GET', `/admin/events?customer=${shopper.id}&limit=100`);
  const listEvents = (type: string) => events.data.filter((event: Body) => event.type === type);
  assert.deepEqual(
    [
      listEvents('installment.overpaid').map(({ data }: Body) => data.amount),
      listEvents('cashback.changed').length,
    ],
    [[40], 1],
  );
  const { body: timeline } = await pixShop.callStaff('GET', `/admin/customers/${shopper.id}/story`);
  assert.match(JSON.stringify(timeline.data), /recusada: o pagamento tem mais de 90 dias/);
  assert.match(
    await runCommand('pix refunds list', '--status', 'credited', '--customer', shopper.id),
    /credited .*The PSP refused: PixDevolucaoInvalida .* 90 dias/,
  );
  const repeatedResponse = await pixShop.callStaff('POST', `/admin/pix/refunds/${credit.id}/retry`);
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.code], [409, 'refund_not_given_up']);
  assert.deepEqual(await pixShop.readBalances(shopper.id), {
    merchant_payable: -6_000,
    pix_clearing: 10_000,
    cashback_owed: -4_000,
  });
  assert.deepEqual(await pixShop.listMismatches(shopper.id), []);
});

test('a refund of an excess becomes cashback, and a chargeback of the payment removes the cashback', async () => {
  await pixShop.setPspFaults({ refund: 'fails' });
  const { shopper, hash, txid, pixId } = await sellAndPay(120);
  const [, credit] = await waitUntilRefusedAsTooOld(shopper);
  const [refundView, ...otherViews] = (await pixShop.getCharge(shopper, pixId)).refunds;
  assert.deepEqual([refundView.value, refundView.status, otherViews], [20, 'cashback', []]);
  assert.match(refundView.explanation, /mais de 90 dias.*virou cashback/);
  assert.equal(credit.status, 'credited');
  assert.equal(await findCashback(shopper), 20);
  assert.deepEqual(await pixShop.listMismatches(shopper.id), []);
  await pixShop.chargeBackCharge(txid);
  await eventually('the cashback is removed', async () => (await findCashback(shopper)) === 0);
  assert.equal((await pixShop.getInstallment(hash)).outstanding, 100);
  assert.deepEqual(await pixShop.listMismatches(shopper.id), []);
});

test('a refund that is too old first pays the outstanding amount, and only the remainder becomes cashback', async () => {
  setHoursAfterPurchase(0);
  const shopper = await pixShop.newShopper();
  const { hash, installments } = await pixShop.sell(shopper);
  const firstCharge = await pixShop.createCharge(shopper, installments[0].id, 'settle_partial', 60);
  await pixShop.payCharge(firstCharge.txid);
  await pixShop.waitForStatus(shopper, firstCharge.id, 'paid');
  service.clock.advance(1_000);
  await pixShop.setPspFaults({ refund: 'fails' });
  // 40.00 pay, 50.00 are too much.
  const secondCharge = await pixShop.createCharge(shopper, installments[0].id, 'settle');
  await pixShop.payCharge(secondCharge.txid, { value: 90 });
  await eventually('a second refund waits', async () => (await listRefunds(shopper)).length === 2);
  await pixShop.chargeBackCharge(firstCharge.txid, 10);
  await eventually('10.00 are owed', async () => (await pixShop.getInstallment(hash)).outstanding === 10);
  await pixShop.setPspFaults({});
  setHoursAfterPurchase(REFUND_PERIOD_HOURS + 1);
  await pixShop.runJob('pix_reconcile');
  await eventually('it was refused', async () => (await findCashback(shopper)) > 0);
  assert.deepEqual([(await pixShop.getInstallment(hash)).status, await findCashback(shopper)], ['paid', 40]);
  assert.deepEqual(await pixShop.listMismatches(shopper.id), []);
});
