import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { findIdentity } from '#customers';
import { openService } from '../../../test/harness.ts';
import { CLERK_TEO, logInMember, OWNER_LUCIA, TILL_KEY } from '../../../test/members.ts';
import { MERCHANT_KEY, OTHER_MERCHANT } from '../../../test/offer-driver.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { MERCHANT } from '../../../test/purchase-driver.ts';
import {
  assertRefused,
  BEHIND_PROXY,
  newPhone,
  OPERATOR_KEY,
  openSessionFor,
} from '../../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const pixDriver = createPixDriver(service);
const toMemberOptions = (token: string) => ({ key: TILL_KEY, token });
const owner = await logInMember(service, OWNER_LUCIA);
const clerk = await logInMember(service, CLERK_TEO);
const TEO_AS_CREATOR = { id: clerk.member.id, name: clerk.member.name };
const buildOfferBody = (overrides: object = {}) => ({ amount: 100, installments: 2, ...overrides });
const postOffer = (token: string, overrides: object = {}) =>
  service.post('/merchant/offers', buildOfferBody(overrides), toMemberOptions(token));

/** Creates an open offer as the member with this token, and has a new customer accept it. */
async function sell(token: string) {
  const customer = await pixDriver.createCustomer();
  const createResponse = await postOffer(token);
  assert.equal(createResponse.status, 201, createResponse.text);
  const customerOptions = { token: (await openSessionFor(service, customer)).token };
  assert.equal(
    (await service.post('/wallet/offers/claim', { code: createResponse.body.code }, customerOptions)).status,
    200,
  );
  const acceptResponse = await service.post(
    `/wallet/offers/${createResponse.body.id}/accept`,
    {},
    customerOptions,
  );
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  return { offer: createResponse.body, hash: acceptResponse.body.hash as string };
}

test('a clerk can quote any amount and offer up to their limit (422 amount_over_limit); an owner has no limit', async () => {
  const quoteResponse = await service.post(
    '/merchant/quotes',
    { amount: 900, installments: 2 },
    toMemberOptions(clerk.token),
  );
  assert.equal(quoteResponse.status, 200, quoteResponse.text);
  // The demo data limits offers of Téo to R$ 300.
  const excessResponse = await postOffer(clerk.token, { amount: 300.01 });
  assertRefused(excessResponse, 422, 'amount_over_limit');
  assert.equal(excessResponse.body.max, 300);
  const createResponse = await postOffer(clerk.token, { amount: 300 });
  assert.equal(createResponse.status, 201, createResponse.text);
  assert.deepEqual(createResponse.body.by, TEO_AS_CREATOR);
  assert.equal((await postOffer(owner.token, { amount: 900 })).status, 201);
});

test('a change by an owner applies from the next request on', async () => {
  const path = `/merchant/members/${clerk.member.id}`;
  const patchMember = (body: object) =>
    service.call('PATCH', path, { ...toMemberOptions(owner.token), body });
  assert.equal((await patchMember({ max_amount: 50 })).status, 200);
  assertRefused(await postOffer(clerk.token), 422, 'amount_over_limit');
  assert.equal((await patchMember({ max_amount: 300 })).status, 200);
  assert.equal((await postOffer(clerk.token)).status, 201);
});

test('offers, sales and returns have the member who created them, or null for the merchant’s own server', async () => {
  const newSale = await sell(clerk.token);
  const offerResponse = await service.get(
    `/merchant/offers/${newSale.offer.id}`,
    toMemberOptions(owner.token),
  );
  assert.deepEqual(offerResponse.body.by, TEO_AS_CREATOR);
  const sale = await service.get(`/merchant/checkouts/${newSale.hash}`, toMemberOptions(owner.token));
  assert.deepEqual(sale.body.by, TEO_AS_CREATOR);
  const listResponse = await service.get('/merchant/checkouts', { key: MERCHANT_KEY });
  const listedSale = listResponse.body.data.find(({ hash }: { hash: string }) => hash === newSale.hash);
  assert.deepEqual(listedSale.by, TEO_AS_CREATOR);
  const returnRequest = { amount: 10, reason: 'Não serviu' };
  const path = `/merchant/checkouts/${newSale.hash}/returns`;
  const returnResponse = await service.post(path, returnRequest, toMemberOptions(owner.token));
  assert.equal(returnResponse.status, 201, returnResponse.text);
  assert.deepEqual(returnResponse.body.by, { id: owner.member.id, name: owner.member.name });
  assert.deepEqual(returnResponse.body.checkout.by, TEO_AS_CREATOR);
  assert.equal((await service.post(path, returnRequest, { key: MERCHANT_KEY })).body.by, null);
  const ownResponse = await service.post('/merchant/offers', buildOfferBody(), { key: MERCHANT_KEY });
  assert.equal(ownResponse.body.by, null);
});

test('a clerk sees the sales and offers of today and those they look up; 403 role_missing for other days', async () => {
  const sale = await sell(owner.token);
  service.clock.advance(DAY_MS);
  const { token } = await logInMember(service, CLERK_TEO);
  const options = toMemberOptions(token);
  const today = await service.get('/merchant/checkouts', options);
  assert.deepEqual(today.body.data, []);
  assert.equal((await service.get(`/merchant/checkouts/${sale.hash}`, options)).status, 200);
  assert.deepEqual((await service.get('/merchant/offers', options)).body.data, []);
  const searchResponse = await service.get(`/merchant/offers?code=${sale.offer.code.toLowerCase()}`, options);
  assert.deepEqual(
    searchResponse.body.data.map(({ id, checkout_hash }: Record<string, string>) => [id, checkout_hash]),
    [[sale.offer.id, sale.hash]],
  );
  for (const path of [
    '/merchant/checkouts?from=2026-01-01',
    '/merchant/returns',
    '/merchant/payouts',
    '/merchant/statement',
    '/merchant/members',
  ]) {
    const refusal = await service.get(path, options);
    assert.equal(`${refusal.status} ${refusal.body.code}`, '403 role_missing', path);
    assert.match(refusal.body.detail, /'owner'/);
  }
  assert.equal((await service.get('/merchant/offers?code=AAAAAAAA', options)).body.data.length, 0);
});

test('a clerk can cancel only their own offers, and return sales only with may_return', async () => {
  const { token } = await logInMember(service, CLERK_TEO);
  const { token: ownerToken } = await logInMember(service, OWNER_LUCIA);
  const ownOffer = (await postOffer(token)).body;
  const ownerOffer = (await postOffer(ownerToken)).body;
  const cancel = (id: string, memberToken: string) =>
    service.post(`/merchant/offers/${id}/cancel`, {}, toMemberOptions(memberToken));
  assert.equal((await cancel(ownOffer.id, token)).status, 200);
  assert.equal((await cancel(ownerOffer.id, token)).body.code, 'role_missing');
  assert.equal((await cancel(ownerOffer.id, ownerToken)).status, 200);

  const sale = await sell(token);
  const path = `/merchant/checkouts/${sale.hash}/returns`;
  const returnRequest = { amount: 10, reason: 'Não serviu' };
  assert.equal((await service.post(path, returnRequest, toMemberOptions(token))).body.code, 'role_missing');
  const patch = { ...toMemberOptions(ownerToken), body: { may_return: true } };
  assert.equal((await service.call('PATCH', `/merchant/members/${clerk.member.id}`, patch)).status, 200);
  assert.equal((await service.post(path, returnRequest, toMemberOptions(token))).status, 201);
});

test('a member of another merchant gets 404 for offers, sales and returns', async () => {
  const phone = newPhone();
  const body = { name: 'Estranha', phone, role: 'owner' };
  await service.staff('POST', `/admin/merchants/${OTHER_MERCHANT}/members`, { key: OPERATOR_KEY, body });
  const { token } = await logInMember(service, phone);
  const { token: ownerToken } = await logInMember(service, OWNER_LUCIA);
  const sale = await sell(ownerToken);
  const openOffer = (await postOffer(ownerToken)).body;
  const calls = [
    service.get(`/merchant/offers/${openOffer.id}`, toMemberOptions(token)),
    service.post(`/merchant/offers/${openOffer.id}/cancel`, {}, toMemberOptions(token)),
    service.get(`/merchant/checkouts/${sale.hash}`, toMemberOptions(token)),
    service.post(`/merchant/checkouts/${sale.hash}/returns`, { reason: 'x' }, toMemberOptions(token)),
  ];
  for (const response of await Promise.all(calls)) assert.equal(response.status, 404, response.text);
  assert.deepEqual((await service.get('/merchant/checkouts', toMemberOptions(token))).body.data, []);
  const searchByCodeResponse = await service.get(
    `/merchant/offers?code=${openOffer.code}`,
    toMemberOptions(token),
  );
  assert.deepEqual(searchByCodeResponse.body.data, []);
});

test('409 own_merchant: a member can neither claim nor accept an offer of their merchant; other customers still can', async () => {
  const customer = await pixDriver.createCustomer();
  const { token: ownerToken } = await logInMember(service, OWNER_LUCIA);
  const customerOptions = { token: (await openSessionFor(service, customer)).token };
  const phoneOffer = (await postOffer(ownerToken, { phone: customer.phone })).body;
  const openOffer = (await postOffer(ownerToken)).body;
  const claimedOffer = (await postOffer(ownerToken)).body;
  const claim = (code: string, options: object) => service.post('/wallet/offers/claim', { code }, options);
  assert.equal((await claim(claimedOffer.code, customerOptions)).status, 200);

  const body = { name: 'Nova', phone: customer.phone, role: 'clerk' };
  const addResponse = await service.post('/merchant/members', body, toMemberOptions(ownerToken));
  assert.equal(addResponse.status, 201, addResponse.text);
  assertRefused(await claim(openOffer.code, customerOptions), 409, 'own_merchant');
  for (const { id } of [phoneOffer, claimedOffer])
    assertRefused(
      await service.post(`/wallet/offers/${id}/accept`, {}, customerOptions),
      409,
      'own_merchant',
    );

  const otherCustomer = await pixDriver.createCustomer();
  assert.equal(
    (await claim(openOffer.code, { token: (await openSessionFor(service, otherCustomer)).token })).status,
    200,
  );
  await service.call('DELETE', `/merchant/members/${addResponse.body.id}`, toMemberOptions(ownerToken));
  assert.equal(
    (await service.post(`/wallet/offers/${phoneOffer.id}/accept`, {}, customerOptions)).status,
    201,
  );
});

test('409 own_merchant: the person whose CPF is on the payout account can neither claim nor accept an offer', async () => {
  const customer = await pixDriver.createCustomer();
  const { token: ownerToken } = await logInMember(service, OWNER_LUCIA);
  const customerOptions = { token: (await openSessionFor(service, customer)).token };
  const openOffer = (await postOffer(ownerToken)).body;
  const { id } = (await postOffer(ownerToken, { phone: customer.phone })).body;
  const { cpf } = (await findIdentity(service.db, customer.id))!;
  const setPayoutAccount = (tax_id: string) =>
    service.staff('PUT', `/admin/merchants/${MERCHANT}/payout-account`, {
      key: OPERATOR_KEY,
      body: { pix_key: 'pix@example.com', holder_name: 'Nova Dona', tax_id },
    });
  assert.equal((await setPayoutAccount(cpf)).status, 200);
  const claim = () => service.post('/wallet/offers/claim', { code: openOffer.code }, customerOptions);
  assertRefused(await claim(), 409, 'own_merchant');
  assertRefused(await service.post(`/wallet/offers/${id}/accept`, {}, customerOptions), 409, 'own_merchant');
  const cnpj = '11222333000181';
  assert.equal((await setPayoutAccount(cnpj)).status, 200);
  assert.equal((await claim()).status, 200);
});

test('an Idempotency-Key of one member does not affect other members', async () => {
  const headers = { 'idempotency-key': 'balcao-1' };
  const { token: ownerToken } = await logInMember(service, OWNER_LUCIA);
  const { token } = await logInMember(service, CLERK_TEO);
  const create = (memberToken: string) =>
    service.post('/merchant/offers', buildOfferBody(), { ...toMemberOptions(memberToken), headers });
  const [ownerResponse, clerkResponse] = [await create(ownerToken), await create(token)];
  assert.deepEqual([ownerResponse.status, clerkResponse.status], [201, 201]);
  assert.notEqual(ownerResponse.body.id, clerkResponse.body.id);
  assert.equal((await create(token)).body.id, clerkResponse.body.id);
});
