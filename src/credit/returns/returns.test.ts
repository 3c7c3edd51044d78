/** Returns over HTTP of purchases paid by Pix at the simulator, checked to the centavo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openPixShop } from '../../../test/pix-shop.ts';
import { runSemana } from '../../../test/processes.ts';
import { MERCHANT, type Shopper } from '../../../test/shop.ts';
import { createModuleEvents, readConfiguration } from '../../modules.ts';
import { adjustCashback } from '../../rewards/cashback-account.ts';

const service = await openService();
const pixShop = openPixShop(service);
const BOUGHT = '2027-02-26T15:00:00.000Z'; // a Friday
const inDays = (days: number) =>
  service.clock.set(new Date(Date.parse(BOUGHT) + days * DAY_MS).toISOString());

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

async function buy(
  order: Record<string, unknown> = {},
): Promise<{ buyer: Shopper; hash: string; ids: string[] }> {
  service.clock.set(BOUGHT);
  const buyer = await pixShop.newShopper();
  const { hash, installments } = await pixShop.sell(buyer, order);
  return { buyer, hash, ids: installments.map(({ id }: { id: string }) => id) };
}

/** Pays an installment in full by Pix. Returns the end-to-end id. */
async function settle(buyer: Shopper, id: string, type = 'settle'): Promise<string> {
  const { id: pixId, txid } = await pixShop.createCharge(buyer, id, type);
  const { end_to_end_id } = await pixShop.payCharge(txid);
  await pixShop.waitForStatus(buyer, pixId, 'paid');
  return end_to_end_id;
}

async function giveBack(hash: string, amount?: number): Promise<Body> {
  const response = await pixShop.requestReturn(hash, amount);
  assert.equal(response.status, 201, response.text);
  return response.body;
}

/** paid + discount + returned, outstanding, status */
const figures = ({ installments }: Body): string[] =>
  installments.map((i: Body) => `${i.paid}+${i.discount}+${i.returned} ${i.outstanding} ${i.status}`);

const atPsp = async (buyer: Shopper): Promise<number> =>
  pixShop.readCount(sql`
    select coalesce(sum(amount_cents), 0)::bigint as count from pix_refunds
    where customer_id = ${buyer.id} and status = 'returned' and not forced`);

const whenRefunded = (buyer: Shopper, centavos: number) =>
  eventually(`${centavos} centavos are back`, async () => (await atPsp(buyer)) === centavos);

const assertAuditAgrees = async (buyer: Shopper) =>
  assert.deepEqual(await pixShop.listMismatches(buyer.id), []);

test('before any payment: all installments are reduced, pending codes are cancelled, and the merchant is owed less', async () => {
  const { buyer, hash, ids } = await buy({ installments: 3 });
  const pending = await pixShop.createCharge(buyer, ids[0]!, 'settle');
  const returned = await giveBack(hash, 40);
  assert.deepEqual([returned.amount, returned.refunds, returned.cashback], [40, [], 0]);
  // 60.00 in three; 33.34, 33.33 and 33.33 were agreed.
  assert.deepEqual(figures(returned.checkout), [
    '0+0+13.34 20 open',
    '0+0+13.33 20 open',
    '0+0+13.33 20 open',
  ]);
  assert.deepEqual(returned.checkout.amounts, {
    financed: 100,
    paid: 0,
    returned: 40,
    outstanding: 60,
    penalties: 0,
    total_due: 60,
  });
  assert.equal(returned.checkout.returned_at, null);
  assert.deepEqual(await pixShop.readBalances(buyer.id), { receivable: 6_000, merchant_payable: -6_000 });
  assert.equal((await pixShop.getCharge(buyer, pending.id)).status, 'cancelled');
  const { body: me } = await pixShop.callStaff('GET', `/admin/checkouts/${hash}`);
  assert.equal(me.installments[0].pix_options[0].value, 20);
  const { body: list } = await service.get('/wallet/checkouts', { token: await pixShop.createToken(buyer) });
  assert.equal(list.data[0].amounts.returned, 40);
  // The payer still pays the old code of 33.34: 20.00 are taken, 13.34 go back.
  inDays(0.1);
  await pixShop.payCharge(pending.txid, { force: true });
  await whenRefunded(buyer, 1_334);
  assert.equal((await pixShop.getInstallment(hash)).status, 'paid');
  await assertAuditAgrees(buyer);
});

test('after payments: excess pays other installments, the earliest first, and the rest is refunded, the newest payment first', async () => {
  const { buyer, hash, ids } = await buy({ installments: 4, terms: { cashback_percent: 10 } });
  const first = await settle(buyer, ids[0]!);
  const second = await settle(buyer, ids[1]!);
  const earned = async () =>
    (await service.get('/wallet/cashback/balance', { token: await pixShop.createToken(buyer) })).body
      .available;
  assert.equal(await earned(), 5);
  // 15.00 each: 10.00 of each payment are free, which pay the third, and 5.00 of the fourth.
  const returned = await giveBack(hash, 40);
  assert.deepEqual(figures(returned.checkout), [
    ...['15+0+10 0 paid', '15+0+10 0 paid', '15+0+10 0 paid', '5+0+10 10 open'],
  ]);
  assert.deepEqual([returned.refunds, await earned()], [[], 4.5]);
  const repeatedReturn = await giveBack(hash, 40);
  assert.deepEqual(repeatedReturn.refunds, [
    { end_to_end_id: second, amount: 25 },
    { end_to_end_id: first, amount: 5 },
  ]);
  assert.deepEqual([repeatedReturn.checkout.status, await earned()], ['paid', 2]);
  await assertAuditAgrees(buyer);
  const wholeReturn = await giveBack(hash);
  assert.deepEqual(
    [wholeReturn.amount, wholeReturn.refunds, await earned()],
    [20, [{ end_to_end_id: first, amount: 20 }], 0],
  );
  assert.deepEqual(figures(wholeReturn.checkout), Array(4).fill('0+0+25 0 paid'));
  assert.equal(wholeReturn.checkout.returned_at, wholeReturn.returned_at);
  await whenRefunded(buyer, 5_000);
  await assertAuditAgrees(buyer);
  assert.deepEqual(await pixShop.readBalances(buyer.id), {}, 'nobody has anything of it');
  const emitted = (await pixShop.listEvents(buyer.id)).filter(({ type }) => type === 'checkout.returned');
  assert.deepEqual(
    emitted.map(({ data }) => [data.amount, data.returned, data.refunded, data.whole]),
    [
      [40, 40, 0, false],
      [40, 80, 30, false],
      [20, 100, 20, true],
    ],
  );
  const refusal = await pixShop.requestReturn(hash);
  assert.deepEqual([refusal.status, refusal.body.code], [409, 'checkout_returned']);
});

test('overdue and extended: a partial return keeps penalties; a full return refunds them and cancels the debt', async () => {
  const { buyer, hash, ids } = await buy({ amount: 200, installments: 2 });
  inDays(14);
  const extended = await pixShop.createCharge(buyer, ids[0]!, 'extend');
  // Fine 2.00, interest 0.23, fee 5 % of 100.00.
  assert.equal(extended.value, 7.23);
  await pixShop.payCharge(extended.txid);
  await pixShop.waitForStatus(buyer, extended.id, 'paid');
  inDays(28);
  const due = await pixShop.getCheckout(hash);
  // The second is 14 days late, the first, which fell due on day 21, seven.
  assert.deepEqual(
    due.installments.map((i: Body) => i.penalty.total),
    [2.23, 2.46],
  );
  const half = await giveBack(hash, 100);
  assert.deepEqual(figures(half.checkout), ['0+0+50 50 overdue', '0+0+50 50 overdue']);
  assert.equal(half.checkout.amounts.penalties, 4.69);
  const wholeReturn = await giveBack(hash);
  assert.deepEqual(wholeReturn.checkout.amounts, {
    financed: 200,
    paid: 0,
    returned: 200,
    outstanding: 0,
    penalties: 0,
    total_due: 0,
  });
  assert.equal(wholeReturn.refunds[0].amount, 7.23);
  await whenRefunded(buyer, 723);
  assert.deepEqual(await pixShop.readBalances(buyer.id), {});
  inDays(100);
  assert.equal((await pixShop.getCheckout(hash)).amounts.total_due, 0);
  await assertAuditAgrees(buyer);
});

test('paid early at a weekly rate: the rest costs what it would have cost, and the interest on the returned part is cancelled', async () => {
  const { buyer, hash, ids } = await buy({ installments: 1, terms: { weekly_rate_percent: 2 } });
  await settle(buyer, ids[0]!);
  assert.deepEqual(figures(await pixShop.getCheckout(hash)), ['100+2+0 0 paid']);
  const returned = await giveBack(hash, 50);
  assert.deepEqual(figures(returned.checkout), ['50+1+51 0 paid']);
  assert.deepEqual(
    returned.refunds.map((refund: Body) => refund.amount),
    [50],
  );
  await whenRefunded(buyer, 5_000);
  assert.deepEqual(await pixShop.readBalances(buyer.id), { merchant_payable: -5_000, pix_clearing: 5_000 });
  await assertAuditAgrees(buyer);
});

test('money older than 90 days, or paid with cashback, becomes cashback', async () => {
  const { buyer, hash, ids } = await buy({ installments: 2 });
  await settle(buyer, ids[0]!);
  const adjustment = { customer: buyer.id, amountCents: 2_000, reason: 'Desculpe', reference: null };
  const context = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
  await customerTransaction(service.db, buyer.id, (tx) => adjustCashback(tx, adjustment, context));
  const token = await pixShop.createToken(buyer);
  const spent = await service.post(`/wallet/installments/${ids[1]}/cashback`, { value: 12 }, { token });
  assert.equal(spent.status, 201, spent.text);
  inDays(91);
  const returned = await giveBack(hash);
  assert.deepEqual([returned.refunds, returned.cashback], [[], 62]);
  const { body: balance } = await service.get('/wallet/cashback/balance', {
    token: await pixShop.createToken(buyer),
  });
  assert.equal(balance.available, 70);
  assert.deepEqual(await pixShop.readBalances(buyer.id), {
    cashback_expense: 2_000,
    cashback_owed: -7_000,
    pix_clearing: 5_000,
  });
  await assertAuditAgrees(buyer);
});

test('a chargeback first reopens the paid part, and then debits the part that became cashback', async () => {
  const { buyer, hash, ids } = await buy();
  const { id, txid } = await pixShop.createCharge(buyer, ids[0]!, 'settle');
  await pixShop.payCharge(txid);
  await pixShop.waitForStatus(buyer, id, 'paid');
  inDays(91);
  assert.equal((await giveBack(hash, 40)).cashback, 40);
  const available = async () =>
    (await service.get('/wallet/cashback/balance', { token: await pixShop.createToken(buyer) })).body
      .available;
  for (const [taken, left] of [
    [70, 30],
    [30, 0],
  ] as const) {
    await pixShop.chargeBackCharge(txid, taken);
    await eventually('the chargeback is known', async () => (await available()) === left);
    assert.deepEqual(figures(await pixShop.getCheckout(hash)), ['0+0+40 60 overdue']);
    await assertAuditAgrees(buyer);
  }
});

test('a payment reported during the return, and a chargeback after it, are both applied correctly', async () => {
  const { buyer, hash, ids } = await buy({ installments: 4 });
  const { txid } = await pixShop.createCharge(buyer, ids[0]!, 'settle');
  // The charge is paid but not reported yet while the purchase is returned.
  await pixShop.setPspFaults({ notify: 'never' });
  await pixShop.payCharge(txid);
  const [returned] = await Promise.all([giveBack(hash, 80), pixShop.runJob('pix_sweep')]);
  await pixShop.setPspFaults({ notify: 'normal' });
  assert.equal(returned.amount, 80);
  await pixShop.runJob('pix_sweep');
  // In either order 5.00 of each is paid, and 5.00 is refunded.
  await whenRefunded(buyer, 500);
  assert.deepEqual(figures(await pixShop.getCheckout(hash)), Array(4).fill('5+0+20 0 paid'));
  await assertAuditAgrees(buyer);
  await pixShop.chargeBackCharge(txid, 12);
  await pixShop.runJob('pix_sweep_refunds');
  await eventually(
    'the chargeback is known',
    async () => (await pixShop.getCheckout(hash)).status === 'open',
  );
  assert.deepEqual(figures(await pixShop.getCheckout(hash)), [
    ...['5+0+20 0 paid', '3+0+20 2 open', '0+0+20 5 open', '0+0+20 5 open'],
  ]);
  await assertAuditAgrees(buyer);
});

test('a merchant can return only its own sales, once per Idempotency-Key; the command line does the same', async () => {
  const keyOf = async (merchant: string) => {
    const { body: partner } = await pixShop.callStaff('POST', '/admin/partners', { name: merchant });
    const issued = await pixShop.callStaff('POST', '/admin/keys', {
      partner: partner.id,
      scopes: ['merchant'],
      merchant,
    });
    assert.equal(issued.status, 201, issued.text);
    return issued.body.key;
  };
  const [own, other] = [await keyOf(MERCHANT), await keyOf('otica-lume')];
  const { buyer, hash } = await buy({ installments: 2 });
  const path = `/merchant/checkouts/${hash}/returns`;
  const ask = (key: string, body: object, headers = {}) => service.post(path, body, { key, headers });
  const stranger = await ask(other, { reason: 'x' });
  assert.deepEqual([stranger.status, stranger.body.code], [404, 'not_found']);
  const tooMuch = await ask(own, { amount: 100.01, reason: 'x' });
  assert.deepEqual([tooMuch.status, tooMuch.body.code, tooMuch.body.max], [422, 'value_out_of_range', 100]);
  assert.equal((await ask(own, { amount: 0, reason: 'x' })).status, 422);
  assert.equal((await ask(own, { amount: 1.005, reason: 'x' })).status, 400);
  assert.equal((await ask(own, { amount: 1 })).status, 400);
  const key = { 'idempotency-key': 'one' };
  const returnResponse = await ask(own, { amount: 10, reason: 'Riscado' }, key);
  assert.equal(returnResponse.status, 201, returnResponse.text);
  const repeatedResponse = await ask(own, { amount: 10, reason: 'Riscado' }, key);
  assert.deepEqual(
    [repeatedResponse.body, repeatedResponse.headers.get('idempotency-replayed')],
    [returnResponse.body, 'true'],
  );
  assert.deepEqual(Object.keys(returnResponse.body.checkout.customer), ['name']);
  assert.ok(!('customer_id' in returnResponse.body.checkout));
  const command = ['checkouts', 'return', hash, '--amount', '20,00', '--reason', 'Riscado'];
  const env = { SEMANA_URL: service.staffUrl };
  const unsure = await runSemana(command, env);
  assert.equal(unsure.code, 2, 'it asks first');
  const doneOutcome = await runSemana([...command, '--yes'], env);
  assert.equal(doneOutcome.code, 0, doneOutcome.stderr);
  assert.match(doneOutcome.stderr, /Returned 20\.00: 0\.00 converted to cashback\./);
  assert.equal((await pixShop.getCheckout(hash)).amounts.returned, 30);
  await assertAuditAgrees(buyer);
});
