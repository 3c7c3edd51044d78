import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { openService } from '../../../test/harness.ts';
import { CLERK_TEO, logInMember, OWNER_LUCIA, TILL_KEY } from '../../../test/members.ts';
import { createOfferDriver } from '../../../test/offer-driver.ts';
import { BEHIND_PROXY, newCustomer, openSessionFor } from '../../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const offerDriver = await createOfferDriver(service);
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

/** Sells at the bakery to a new customer with this name. */
async function sell(sellerToken: string, name: string, amount: number) {
  const offer = await offerDriver.createOpenOffer({ amount }, { key: TILL_KEY, token: sellerToken });
  const { token } = await openSessionFor(service, await newCustomer(service, { name }));
  await offerDriver.claim({ code: offer.code }, token);
  const acceptResponse = await offerDriver.accept(offer.id, token);
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  return { code: offer.code as string, hash: acceptResponse.body.hash as string };
}

const yesterdayLogins = {
  owner: await logInMember(service, OWNER_LUCIA),
  clerk: await logInMember(service, CLERK_TEO),
};
const irisSale = await sell(yesterdayLogins.clerk.token, 'Íris Valadares Couto', 41.5);
service.clock.advance(1_000);
const ottoSale = await sell(yesterdayLogins.owner.token, 'Otto Pires', 42);
const yesterday = saoPauloDay(service.clock.now().getTime());
service.clock.advance(DAY_MS);
const owner = await logInMember(service, OWNER_LUCIA);
const clerk = await logInMember(service, CLERK_TEO);
const nairSale = await sell(clerk.token, 'Nair Pires', 41.5);
const today = saoPauloDay(service.clock.now().getTime());

const search = (token: string, query: string) =>
  service.get(`/merchant/checkouts?${query}`, { key: TILL_KEY, token });
async function listHashes(query: string, token = owner.token): Promise<string[]> {
  const { status, body, text } = await search(token, query);
  assert.equal(status, 200, text);
  assert.equal(body.pagination.total, body.data.length);
  return body.data.map(({ hash }: Body) => hash);
}

test('an owner finds sales by day, hash, code, amount, member, and the visible part of the name', async () => {
  assert.deepEqual(await listHashes(`on=${yesterday}`), [ottoSale.hash, irisSale.hash]);
  assert.deepEqual(await listHashes(`on=${today}`), [nairSale.hash]);
  assert.deepEqual(await listHashes(`from=${yesterday}`), [nairSale.hash, ottoSale.hash, irisSale.hash]);
  assert.deepEqual(await listHashes(`hash=${irisSale.hash}`), [irisSale.hash]);
  assert.deepEqual(await listHashes(`code=${ottoSale.code.toLowerCase()}`), [ottoSale.hash]);
  assert.deepEqual(await listHashes('amount=41.5'), [nairSale.hash, irisSale.hash]);
  assert.deepEqual(await listHashes('amount=41.50&q=iris'), [irisSale.hash]);
  assert.deepEqual(await listHashes(`by=${clerk.member.id}`), [nairSale.hash, irisSale.hash]);
  assert.deepEqual(await listHashes(`by=${owner.member.id}&on=${yesterday}`), [ottoSale.hash]);
  assert.deepEqual(await listHashes('q=%C3%8DRIS+v'), [irisSale.hash]);
  assert.deepEqual(await listHashes(`q=otto&on=${today}`), []);
});

test('the masked part of a name never matches', async () => {
  for (const q of ['Valadares', 'iris+valadares', 'couto', 'pires'])
    assert.deepEqual(await listHashes(`q=${q}`), []);
});

test('unknown or contradicting filters return an empty list; malformed filters return 400', async () => {
  const unknownFilters = [
    'hash=0000000000000000000000',
    'code=AAAAAAAA',
    'amount=9999',
    'by=mbr_00000000000000000000000000',
  ];
  for (const query of [...unknownFilters, `hash=${irisSale.hash}&code=${ottoSale.code}`])
    assert.deepEqual(await listHashes(query), []);
  for (const query of ['hash=x', 'amount=-1', 'amount=1.001', 'by=x', 'on=x'])
    assert.equal((await search(owner.token, query)).status, 400, query);
});

test('a clerk finds the sales of today, and any sale by hash or code', async () => {
  assert.deepEqual(await listHashes('', clerk.token), [nairSale.hash]);
  assert.deepEqual(await listHashes('amount=41.5', clerk.token), [nairSale.hash]);
  assert.deepEqual(await listHashes('q=otto', clerk.token), []);
  assert.deepEqual(await listHashes(`hash=${irisSale.hash}`, clerk.token), [irisSale.hash]);
  assert.deepEqual(await listHashes(`code=${ottoSale.code}`, clerk.token), [ottoSale.hash]);
  for (const query of [`on=${yesterday}`, `from=${yesterday}`, `to=${yesterday}`]) {
    const refusal = await search(clerk.token, query);
    assert.equal(`${refusal.status} ${refusal.body.code}`, '403 role_missing');
  }
});

test('a merchant does not find sales of another merchant, neither by hash nor by code', async () => {
  for (const query of [`hash=${irisSale.hash}`, `code=${irisSale.code}`, 'q=iris', 'amount=41.5']) {
    const { body } = await service.get(`/merchant/checkouts?${query}`, { key: offerDriver.otherKey });
    assert.deepEqual(body.data, [], query);
  }
});

test('the links to other pages keep the filters', async () => {
  const response = await search(owner.token, 'amount=41.5&q=i&limit=1');
  assert.equal(response.body.pagination.total, 2);
  assert.match(response.headers.get('link')!, /amount=41\.5/);
  assert.match(response.headers.get('link')!, /q=i/);
});
