/** Refunds asked for in time that the PSP refuses for age: over HTTP, with the simulator, which keeps the 90 days. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import type { Shopper } from '../../../test/shop.ts';
import { openTill } from '../../../test/till.ts';

const service = await openService();
const till = openTill(service);
const semana = commandRunner(service);
const BOUGHT = '2027-02-26T15:00:00.000Z'; // a Friday
const inHours = (hours: number) =>
  service.clock.set(new Date(Date.parse(BOUGHT) + hours * 3_600_000).toISOString());
const DAYS_90 = 90 * 24;

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const refundsOf = async (by: Shopper): Promise<Body[]> =>
  (await till.staff('GET', `/admin/pix/refunds?customer=${by.id}`)).body.data.toSorted(
    (a: Body, b: Body) => a.tries - b.tries,
  );

const available = async (by: Shopper): Promise<number> =>
  (await service.get('/wallet/cashback/balance', { token: await till.token(by) })).body.available;

/** A purchase of 100.00 in one installment, paid with this much. */
async function paid(value: number) {
  inHours(0);
  const by = await till.newShopper();
  const { hash, installments } = await till.sell(by);
  const { id, txid } = await till.charge(by, installments[0].id, 'settle');
  await till.payCode(txid, { value });
  await till.whenStatus(by, id, 'paid');
  return { by, hash: hash as string, txid: txid as string, pixId: id as string };
}

/** The PSP does not carry out the first refund, and is asked for the next one too late. */
async function refusedForAge(by: Shopper): Promise<Body[]> {
  await eventually('a second refund waits', async () => (await refundsOf(by)).length === 2);
  await till.faults({});
  inHours(DAYS_90 + 1);
  await till.run('pix_reconcile');
  await eventually('it was refused', async () => (await refundsOf(by))[1].status !== 'asked');
  return refundsOf(by);
}

test('what a return gives back and the PSP refuses for age becomes cashback, and everybody is told', async () => {
  const { by, hash } = await paid(100);
  inHours(DAYS_90 - 1);
  await till.faults({ refund: 'fails' });
  const made = await till.giveBack(hash, 40);
  assert.deepEqual([made.status, made.body.cashback, made.body.refunds.length], [201, 0, 1], made.text);
  const [failed, credited] = await refusedForAge(by);
  assert.deepEqual([failed.status, credited.status, credited.stranded], ['failed', 'credited', 0]);
  assert.equal(failed.reason, 'Conta do pagador encerrada.');
  assert.match(credited.reason, /PixDevolucaoInvalida.* 90 dias/);
  assert.equal(await available(by), 40);

  const { body: statement } = await service.get('/wallet/cashback/ledger', { token: await till.token(by) });
  assert.deepEqual(
    statement.data.map(({ kind, amount, checkout_hash }: Body) => [kind, amount, checkout_hash]),
    [['redeemed', 40, hash]],
  );
  assert.match(statement.data[0].description, /não poder voltar por Pix/);
  const { body: events } = await till.staff('GET', `/admin/events?customer=${by.id}&limit=100`);
  const told = (type: string) => events.data.filter((event: Body) => event.type === type);
  assert.deepEqual(
    [told('installment.overpaid').map(({ data }: Body) => data.amount), told('cashback.changed').length],
    [[40], 1],
  );
  const { body: story } = await till.staff('GET', `/admin/customers/${by.id}/story`);
  assert.match(JSON.stringify(story.data), /recusada: o pagamento tem mais de 90 dias/);
  assert.match(
    await semana('pix refunds', '--status', 'credited', '--customer', by.id),
    /credited: The PSP refused: PixDevolucaoInvalida .* 90 dias/,
  );
  const again = await till.staff('POST', `/admin/pix/refunds/${credited.id}/retry`);
  assert.deepEqual([again.status, again.body.code], [409, 'refund_not_given_up']);
  assert.deepEqual(await till.balances(by.id), {
    merchant_payable: -6_000,
    pix_clearing: 10_000,
    cashback_owed: -4_000,
  });
  assert.deepEqual(await till.audit(by.id), []);
});

test('what was paid too much becomes cashback, and is taken back with the payment', async () => {
  await till.faults({ refund: 'fails' });
  const { by, hash, txid, pixId } = await paid(120);
  const [, credited] = await refusedForAge(by);
  const [shown, ...others] = (await till.show(by, pixId)).refunds;
  assert.deepEqual([shown.value, shown.status, others], [20, 'cashback', []]);
  assert.match(shown.explanation, /mais de 90 dias.*virou cashback/);
  assert.equal(credited.status, 'credited');
  assert.equal(await available(by), 20);
  assert.deepEqual(await till.audit(by.id), []);
  await till.takeBackCode(txid);
  await eventually('the cashback is gone', async () => (await available(by)) === 0);
  assert.equal((await till.installment(hash)).outstanding, 100);
  assert.deepEqual(await till.audit(by.id), []);
});

test('what is owed by then is paid first, and only the rest becomes cashback', async () => {
  inHours(0);
  const by = await till.newShopper();
  const { hash, installments } = await till.sell(by);
  const first = await till.charge(by, installments[0].id, 'settle_partial', 60);
  await till.payCode(first.txid);
  await till.whenStatus(by, first.id, 'paid');
  service.clock.advance(1_000);
  await till.faults({ refund: 'fails' });
  // 40.00 pay, 50.00 are too much.
  const second = await till.charge(by, installments[0].id, 'settle');
  await till.payCode(second.txid, { value: 90 });
  await eventually('a second refund waits', async () => (await refundsOf(by)).length === 2);
  await till.takeBackCode(first.txid, 10);
  await eventually('10.00 are owed', async () => (await till.installment(hash)).outstanding === 10);
  await till.faults({});
  inHours(DAYS_90 + 1);
  await till.run('pix_reconcile');
  await eventually('it was refused', async () => (await available(by)) > 0);
  assert.deepEqual([(await till.installment(hash)).status, await available(by)], ['paid', 40]);
  assert.deepEqual(await till.audit(by.id), []);
});
