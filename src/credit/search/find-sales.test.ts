import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { openService } from '../../../test/harness.ts';
import { CLERK_TEO, logInMember, OWNER_LUCIA, TILL_KEY } from '../../../test/members.ts';
import { openOfferDesk } from '../../../test/offer-desk.ts';
import { BEHIND_PROXY, newCustomer, openSessionFor } from '../../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const offerDesk = await openOfferDesk(service);
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const dayOf = (instant: Date) => new Date(instant.getTime() - 3 * HOUR_MS).toISOString().slice(0, 10);

/** Sells something of the bakery to a new customer with this name. */
async function sell(seller: string, name: string, amount: number) {
  const offer = await offerDesk.createOpenOffer({ amount }, { key: TILL_KEY, token: seller });
  const { token } = await openSessionFor(service, await newCustomer(service, { name }));
  await offerDesk.claim({ code: offer.code }, token);
  const acceptResponse = await offerDesk.accept(offer.id, token);
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  return { code: offer.code as string, hash: acceptResponse.body.hash as string };
}

const before = {
  owner: await logInMember(service, OWNER_LUCIA),
  clerk: await logInMember(service, CLERK_TEO),
};
const iris = await sell(before.clerk.token, 'Íris Valadares Couto', 41.5);
service.clock.advance(1_000);
const otto = await sell(before.owner.token, 'Otto Pires', 42);
const yesterday = dayOf(service.clock.now());
service.clock.advance(DAY_MS);
const owner = await logInMember(service, OWNER_LUCIA);
const clerk = await logInMember(service, CLERK_TEO);
const nair = await sell(clerk.token, 'Nair Pires', 41.5);
const today = dayOf(service.clock.now());

const search = (token: string, query: string) =>
  service.get(`/merchant/checkouts?${query}`, { key: TILL_KEY, token });
async function found(query: string, token = owner.token): Promise<string[]> {
  const { status, body, text } = await search(token, query);
  assert.equal(status, 200, text);
  assert.equal(body.pagination.total, body.data.length);
  return body.data.map(({ hash }: Body) => hash);
}

test('an owner finds sales by day, hash, code, amount, member, and the visible part of the name', async () => {
  assert.deepEqual(await found(`on=${yesterday}`), [otto.hash, iris.hash]);
  assert.deepEqual(await found(`on=${today}`), [nair.hash]);
  assert.deepEqual(await found(`from=${yesterday}`), [nair.hash, otto.hash, iris.hash]);
  assert.deepEqual(await found(`hash=${iris.hash}`), [iris.hash]);
  assert.deepEqual(await found(`code=${otto.code.toLowerCase()}`), [otto.hash]);
  assert.deepEqual(await found('amount=41.5'), [nair.hash, iris.hash]);
  assert.deepEqual(await found('amount=41.50&q=iris'), [iris.hash]);
  assert.deepEqual(await found(`by=${clerk.member.id}`), [nair.hash, iris.hash]);
  assert.deepEqual(await found(`by=${owner.member.id}&on=${yesterday}`), [otto.hash]);
  assert.deepEqual(await found('q=%C3%8DRIS+v'), [iris.hash]);
  assert.deepEqual(await found(`q=otto&on=${today}`), []);
});

test('the masked part of a name never matches', async () => {
  for (const q of ['Valadares', 'iris+valadares', 'couto', 'pires'])
    assert.deepEqual(await found(`q=${q}`), []);
});

test('unknown or contradicting filters return an empty list; malformed ones 400', async () => {
  const none = [
    'hash=0000000000000000000000',
    'code=AAAAAAAA',
    'amount=9999',
    'by=mbr_00000000000000000000000000',
  ];
  for (const query of [...none, `hash=${iris.hash}&code=${otto.code}`])
    assert.deepEqual(await found(query), []);
  for (const query of ['hash=x', 'amount=-1', 'amount=1.001', 'by=x', 'on=x'])
    assert.equal((await search(owner.token, query)).status, 400, query);
});

test('a clerk finds the sales of today, and any sale by hash or code', async () => {
  assert.deepEqual(await found('', clerk.token), [nair.hash]);
  assert.deepEqual(await found('amount=41.5', clerk.token), [nair.hash]);
  assert.deepEqual(await found('q=otto', clerk.token), []);
  assert.deepEqual(await found(`hash=${iris.hash}`, clerk.token), [iris.hash]);
  assert.deepEqual(await found(`code=${otto.code}`, clerk.token), [otto.hash]);
  for (const query of [`on=${yesterday}`, `from=${yesterday}`, `to=${yesterday}`]) {
    const refusal = await search(clerk.token, query);
    assert.equal(`${refusal.status} ${refusal.body.code}`, '403 role_missing');
  }
});

test('a merchant does not find sales of another merchant, neither by hash nor by code', async () => {
  for (const query of [`hash=${iris.hash}`, `code=${iris.code}`, 'q=iris', 'amount=41.5']) {
    const { body } = await service.get(`/merchant/checkouts?${query}`, { key: offerDesk.otherKey });
    assert.deepEqual(body.data, [], query);
  }
});

test('the links to other pages keep the filters', async () => {
  const response = await search(owner.token, 'amount=41.5&q=i&limit=1');
  assert.equal(response.body.pagination.total, 2);
  assert.match(response.headers.get('link')!, /amount=41\.5/);
  assert.match(response.headers.get('link')!, /q=i/);
});
