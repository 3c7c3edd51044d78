/** Dora signs up by Ana's invitation, buys a cake, pays for a part of it, and returns it. All steps over HTTP, all amounts exact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiResponse, type Body, eventually, openService } from '../harness.ts';
import { createPixDriver } from '../pix-driver.ts';
import { ANA, OPERATOR_KEY } from '../purchase-driver.ts';
import { newCpf, newPhone } from '../support/customers.ts';

const service = await openService();
service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday, noon in São Paulo
const pixDriver = createPixDriver(service);
const PHONE = newPhone();
const CAKE_SHOP = 'confeitaria-do-largo';

// Earlier tests set these for later ones: the key of the merchant, Dora's token, the offer and the purchase.
let [merchantKey, doraToken, offerId, hash] = ['', '', '', ''];
let anaBalanceBefore = 0;

/** Asserts the status of a response. Returns its body. */
const assertStatus = ({ status, text, body }: ApiResponse, expectedStatus = 200): Body => {
  assert.equal(status, expectedStatus, text);
  return body;
};
const callStaff = async (method: string, path: string, body?: unknown, expectedStatus = 200) =>
  assertStatus(
    await service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) }),
    expectedStatus,
  );
const getWallet = async (path: string) => assertStatus(await service.get(path, { token: doraToken }));
const getAsMerchant = async (path: string) => assertStatus(await service.get(path, { key: merchantKey }));
const readCashback = async (customerToken: string) =>
  assertStatus(await service.get('/wallet/cashback/balance', { token: customerToken })).available;
const readStatement = async () =>
  (await getAsMerchant('/merchant/statement')).data.map((line: Body) => [
    line.kind,
    line.amount,
    line.balance_after,
  ]);

test('the operator creates a merchant with a plan and a key', async () => {
  const plan = { merchant_fee_percent: 3, payout_days: 0, cashback_percent: 2 };
  const form = { slug: CAKE_SHOP, name: 'Confeitaria do Largo', category: 'padarias', plan };
  await callStaff('POST', '/admin/merchants', form, 201);
  const partner = await callStaff('POST', '/admin/partners', { name: 'Caixa do Largo' }, 201);
  const keyInput = { partner: partner.id, scopes: ['merchant'], merchant: CAKE_SHOP };
  merchantKey = (await callStaff('POST', '/admin/keys', keyInput, 201)).key;
  await getAsMerchant('/merchant/offers');
});

test('Dora signs up with the code of Ana’s invitation link', async () => {
  const anaToken = await pixDriver.createToken(ANA);
  anaBalanceBefore = await readCashback(anaToken);
  const { link } = assertStatus(await service.get('/wallet/referral', { token: anaToken }));
  const { challenge_id } = assertStatus(await service.post('/wallet/auth/otp', { phone: PHONE }), 202);
  const inbox = await eventually('the code was sent', async () => {
    const { data } = await callStaff('GET', `/sandbox/messages?phone=${encodeURIComponent(PHONE)}`);
    return data.length > 0 && data;
  });
  const person = { name: 'Dora Lemos', cpf: newCpf(), birth_date: '1990-05-31', email: 'dora@example.com' };
  const proof = { phone: PHONE, challenge_id, code: inbox[0].code };
  const form = { ...person, ...proof, referral_code: link.split('/').at(-1), terms: '2026-11' };
  doraToken = assertStatus(await service.post('/wallet/auth/signup', form), 201).token;
  assert.deepEqual((await getWallet('/wallet/me')).credit, {
    limit: 500,
    used: 0,
    available: 500,
    blocked_by: null,
  });
});

test('the till quotes R$ 100.00 in three installments and offers it to Dora’s phone; she accepts', async () => {
  const quote = assertStatus(
    await service.post('/merchant/quotes', { amount: 100, installments: 3 }, { key: merchantKey }),
  );
  assert.deepEqual(
    quote.installments.map((installment: Body) => [
      installment.number,
      installment.due_on,
      installment.amount,
    ]),
    [
      [1, '2027-03-08', 33.34],
      [2, '2027-03-15', 33.33],
      [3, '2027-03-22', 33.33],
    ],
  );
  assert.deepEqual([quote.total, quote.cost, quote.terms.cet_percent_year], [100, 0, 0]);
  const order = { phone: PHONE, amount: 100, installments: 3, description: 'Bolo de casamento' };
  offerId = assertStatus(await service.post('/merchant/offers', order, { key: merchantKey }), 201).id;
  const message = await eventually('the link was sent', async () => {
    const { data } = await callStaff('GET', `/sandbox/messages?phone=${encodeURIComponent(PHONE)}`);
    return data.find(({ text }: Body) => text.includes(offerId));
  });
  assert.match(message.text, /Confeitaria do Largo/);
  assert.deepEqual(
    (await getWallet('/wallet/offers?status=pending')).data.map(({ id }: Body) => id),
    [offerId],
  );
  hash = assertStatus(
    await service.post(`/wallet/offers/${offerId}/accept`, {}, { token: doraToken }),
    201,
  ).hash;
  assert.equal((await getWallet('/wallet/me')).credit.available, 400);
  assert.deepEqual(await readStatement(), [
    ['fee', -3, 97],
    ['sale', 100, 100],
  ]);
});

test('Dora pays the first installment by Pix: she earns cashback, and Ana and she get the rewards of the invitation', async () => {
  const { installments } = await getWallet(`/wallet/checkouts/${hash}`);
  const path = `/wallet/installments/${installments[0].id}/pix`;
  const charge = assertStatus(
    await service.post(path, { type: 'settle', value: 33.34 }, { token: doraToken }),
    201,
  );
  await callStaff('POST', `/sandbox/pix/${charge.txid}/pay`, undefined, 201);
  await eventually(
    'the charge is paid',
    async () => (await getWallet(`/wallet/pix/${charge.id}`)).status === 'paid',
  );
  assert.equal(await readCashback(doraToken), 10.66); // the reward of 10.00, and 2 % of 33.34
  assert.equal(await readCashback(await pixDriver.createToken(ANA)), anaBalanceBefore + 20);
});

test('Dora pays R$ 5.00 of the second installment with cashback; the merchant is paid R$ 97.00', async () => {
  const { installments } = await getWallet(`/wallet/checkouts/${hash}`);
  const path = `/wallet/installments/${installments[1].id}/cashback`;
  const spending = assertStatus(await service.post(path, { value: 5 }, { token: doraToken }), 201);
  assert.deepEqual([spending.applied, spending.balance, spending.installment.outstanding], [5, 5.66, 28.33]);
  const { data } = await callStaff('POST', '/admin/payouts', {}, 201);
  const payout = data.find(({ merchant }: Body) => JSON.stringify(merchant).includes(CAKE_SHOP));
  assert.equal(payout.amount, 97);
  await callStaff('POST', `/admin/payouts/${payout.id}/paid`, { reference: 'TED 1' });
});

test('returning the whole purchase reverses the payment, the cashback and the merchant’s part completely', async () => {
  const returnInput = { reason: 'Desistência' };
  const purchaseReturn = assertStatus(
    await service.post(`/merchant/checkouts/${hash}/returns`, returnInput, { key: merchantKey }),
    201,
  );
  assert.deepEqual(
    [
      purchaseReturn.amount,
      purchaseReturn.refunds.map(({ amount }: Body) => amount),
      purchaseReturn.cashback,
    ],
    [100, [33.34], 5],
  );
  const checkout = await getWallet(`/wallet/checkouts/${hash}`);
  assert.equal(checkout.status, 'paid');
  assert.ok(checkout.returned_at);
  assert.deepEqual(checkout.amounts, {
    financed: 100,
    paid: 0,
    outstanding: 0,
    penalties: 0,
    total_due: 0,
    returned: 100,
  });
  assert.deepEqual(
    checkout.installments.map(({ amount, returned }: Body) => [amount, returned]),
    [
      [33.34, 33.34],
      [33.33, 33.33],
      [33.33, 33.33],
    ],
  );
  assert.equal((await getWallet('/wallet/me')).credit.available, 500);
  // The 5.00 that she spent are credited. Then all cashback that her payments earned is reversed: 0.66 and the reward of 10.00.
  assert.equal(await readCashback(doraToken), 0);
  assert.equal(await readCashback(await pixDriver.createToken(ANA)), anaBalanceBefore);
  assert.deepEqual(await readStatement(), [
    ['return_fee', 3, -97],
    ['return', -100, -100],
    ['payout', -97, 0],
    ['fee', -3, 97],
    ['sale', 100, 100],
  ]);
  assert.deepEqual(
    (await callStaff('POST', '/admin/payouts', {}, 201)).data,
    [],
    'the negative balance is carried over',
  );
  await pixDriver.waitForJobs();
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('no other principal can read or change any of it', async () => {
  const anaToken = await pixDriver.createToken(ANA);
  for (const path of [`/wallet/offers/${offerId}`, `/wallet/checkouts/${hash}`])
    assert.equal((await service.get(path, { token: anaToken })).status, 404, path);
  assert.equal((await service.post(`/wallet/offers/${offerId}/accept`, {}, { token: anaToken })).status, 404);
  const otherKey = 'sandbox-merchant-key';
  for (const path of [`/merchant/offers/${offerId}`, `/merchant/checkouts/${hash}`])
    assert.equal((await service.get(path, { key: otherKey })).status, 404, path);
  const returnInput = { reason: 'Não é minha' };
  assert.equal(
    (await service.post(`/merchant/checkouts/${hash}/returns`, returnInput, { key: otherKey })).status,
    404,
  );
  assert.equal((await service.get(`/merchant/checkouts/${hash}`)).status, 403, 'a key of another scope');
});
