import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, type Node, openService } from '../../test/harness.ts';
import { CLERK_TEO, logInMember, OWNER_LUCIA, TILL_KEY } from '../../test/members.ts';
import { createOfferDriver, MERCHANT_KEY, OTHER_MERCHANT } from '../../test/offer-driver.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  newPhone,
  OPERATOR_KEY,
  openSessionFor,
} from '../../test/support/customers.ts';
import { openEventStream } from '../../test/support/event-stream.ts';

const service = await openService(BEHIND_PROXY);
const pixDriver = createPixDriver(service);
const offerDriver = await createOfferDriver(service);
const BAKERY = 'padaria-flor-do-trigo';
const HEARTBEAT_INTERVAL_MS = 15_000;
const owner = await logInMember(service, OWNER_LUCIA);
const clerk = await logInMember(service, CLERK_TEO);

/** Opens a stream of the merchant's events. */
const openMerchantStream = (headers: Record<string, string>, node: Node = service) =>
  openEventStream(`${node.partnerUrl}/merchant/events`, headers);
const buildMemberHeaders = (token: string) => ({ 'x-api-key': TILL_KEY, 'x-token': token });

/** Creates an open offer of the clerk, which a new customer claims and accepts. */
async function sell() {
  const offer = await offerDriver.createOpenOffer({}, { key: TILL_KEY, token: clerk.token });
  const { token } = await openSessionFor(service, await pixDriver.createCustomer());
  await offerDriver.claim({ code: offer.code }, token);
  const acceptResponse = await offerDriver.accept(offer.id, token);
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  return { offerId: offer.id as string, hash: acceptResponse.body.hash as string };
}

test('events of an offer are streamed in the order in which they occurred', async () => {
  const stream = await openMerchantStream(buildMemberHeaders(clerk.token));
  const offerIds: string[] = [];
  for (let i = 0; i < 3; i++) {
    const offer = await offerDriver.createOpenOffer({}, { key: TILL_KEY, token: clerk.token });
    const { token } = await openSessionFor(service, await pixDriver.createCustomer());
    service.clock.advance(1);
    await offerDriver.claim({ code: offer.code }, token);
    service.clock.advance(1);
    const cancelResponse = await offerDriver.cancel(offer.id);
    assert.equal(cancelResponse.status, 200, cancelResponse.text);
    offerIds.push(offer.id);
  }
  await eventually(
    'all three cancellations are received',
    async () => stream.events.filter(({ type }) => type === 'offer.cancelled').length === 3,
  );
  for (const id of offerIds)
    assert.deepEqual(
      stream.events.filter(({ data }) => data.offer_id === id).map(({ type }) => type),
      ['offer.created', 'offer.claimed', 'offer.cancelled'],
    );
  stream.close();
});

test('streams on every node receive the events of their merchant and of no other', async () => {
  const otherNode = await service.startNode();
  const streams = [
    await openMerchantStream(buildMemberHeaders(clerk.token), otherNode),
    await openMerchantStream(buildMemberHeaders(owner.token)),
    await openMerchantStream({ 'x-api-key': MERCHANT_KEY }),
  ];
  const otherMerchantStream = await openMerchantStream({ 'x-api-key': offerDriver.otherKey }, otherNode);
  const { offerId, hash } = await sell();
  for (const stream of streams) {
    await stream.waitForEvent('checkout.created');
    const types = stream.events.map(({ type }) => type);
    assert.deepEqual(types.toSorted(), [
      'checkout.created',
      'offer.accepted',
      'offer.claimed',
      'offer.created',
    ]);
    const acceptedEvent = stream.events.find(({ type }) => type === 'offer.accepted')!;
    assert.deepEqual([acceptedEvent.data.offer_id, acceptedEvent.data.checkout_hash], [offerId, hash]);
    stream.close();
  }
  await offerDriver.createOpenOffer({}, { key: offerDriver.otherKey });
  await otherMerchantStream.waitForEvent('offer.created');
  assert.equal(otherMerchantStream.events.length, 1, 'only its own offer');
  otherMerchantStream.close();
});

test('with Last-Event-ID no event is missed; with an unknown Last-Event-ID the first event is `reset`', async () => {
  const stream = await openMerchantStream(buildMemberHeaders(clerk.token));
  await offerDriver.createOpenOffer();
  const { id } = await stream.waitForEvent('offer.created');
  stream.close();
  await sell();
  const resumedStream = await openMerchantStream({ ...buildMemberHeaders(clerk.token), 'last-event-id': id });
  await resumedStream.waitForEvent('checkout.created');
  // An open offer is created, claimed and accepted, and becomes a checkout.
  assert.equal(resumedStream.events.length, 4);
  resumedStream.close();
  const headers = { ...buildMemberHeaders(clerk.token), 'last-event-id': 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8' };
  const resetStream = await openMerchantStream(headers);
  await resetStream.waitForText('event: reset');
  resetStream.close();
});

test('a clerk gets events of offers, sales and returns; an owner also of payments and payouts', async () => {
  const streams = {
    clerk: await openMerchantStream(buildMemberHeaders(clerk.token)),
    owner: await openMerchantStream(buildMemberHeaders(owner.token)),
  };
  const customer = await pixDriver.createCustomer();
  const { installments } = await pixDriver.sell(customer, { merchant: BAKERY });
  const charge = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  await pixDriver.payCharge(charge.txid);
  await streams.owner.waitForEvent('pix.paid');
  const farFutureDay = '2199-12-31'; // creates payouts of everything that the merchants are owed
  const payouts = await service.staff('POST', '/admin/payouts', {
    key: OPERATOR_KEY,
    body: { until: farFutureDay },
  });
  const bakeryPayout = payouts.body.data.find((payout: { merchant: string }) => payout.merchant === BAKERY);
  const paidInput = { reference: 'TED 1' };
  await service.staff('POST', `/admin/payouts/${bakeryPayout.id}/paid`, {
    key: OPERATOR_KEY,
    body: paidInput,
  });
  await streams.owner.waitForEvent('payout.paid');
  await offerDriver.createOpenOffer();
  await streams.clerk.waitForEvent('offer.created');
  assert.deepEqual(
    streams.clerk.events.map(({ type }) => type),
    ['checkout.created', 'offer.created'],
  );
  for (const stream of Object.values(streams)) stream.close();
});

test('the stream ends when the session ends, and when the member is changed or removed', async () => {
  const otherNode = await service.startNode();
  const addMemberResponse = await service.call('POST', '/merchant/members', {
    key: TILL_KEY,
    token: owner.token,
    body: { name: 'Rui Sá', phone: newPhone(), role: 'clerk' },
  });
  assert.equal(addMemberResponse.status, 201, addMemberResponse.text);
  const path = `/merchant/members/${addMemberResponse.body.id}`;
  const ownerCredentials = { key: TILL_KEY, token: owner.token };
  const logInNewMember = () => logInMember(service, addMemberResponse.body.phone);

  const session = await logInNewMember();
  const streamUntilLogout = await openMerchantStream(buildMemberHeaders(session.token), otherNode);
  await service.post('/merchant/auth/logout', { refresh_token: session.refresh_token }, { key: TILL_KEY });
  assert.equal(await streamUntilLogout.ended, 'ended');

  service.clock.advance(MINUTE_MS); // a phone may request one code a minute
  const newSession = await logInNewMember();
  const streamUntilChange = await openMerchantStream(buildMemberHeaders(newSession.token), otherNode);
  assert.equal(
    (await service.call('PATCH', path, { ...ownerCredentials, body: { role: 'owner' } })).status,
    200,
  );
  assert.equal(await streamUntilChange.ended, 'ended');

  const streamUntilRemoval = await openMerchantStream(buildMemberHeaders(newSession.token), otherNode);
  assert.equal((await service.call('DELETE', path, ownerCredentials)).status, 204);
  assert.equal(await streamUntilRemoval.ended, 'ended');
  assertRefused(
    await service.get('/merchant/events', { key: TILL_KEY, token: newSession.token }),
    401,
    'token_invalid',
  );
});

test('a heartbeat ends the stream of an owner who became a clerk, even if the change was not published', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const ownerStream = await openMerchantStream(buildMemberHeaders(owner.token));
  const clerkStream = await openMerchantStream(buildMemberHeaders(clerk.token));
  await ownerStream.waitForText('retry:');
  await service.db.run(sql`update members set role = 'clerk' where id = ${owner.member.id}`);
  mock.timers.tick(HEARTBEAT_INTERVAL_MS);
  assert.equal(await ownerStream.ended, 'ended');
  mock.timers.tick(HEARTBEAT_INTERVAL_MS);
  await clerkStream.waitForText('still here');
  // A stream that has ended would win the race.
  assert.equal(await Promise.race([clerkStream.ended, Promise.resolve('open')]), 'open');
  mock.timers.reset();
  await service.db.run(sql`update members set role = 'owner' where id = ${owner.member.id}`);
  clerkStream.close();
});

test('429 too_many_streams: each member has at most five open streams', async () => {
  const openStreams = await Promise.all(
    Array.from({ length: 5 }, () => openMerchantStream(buildMemberHeaders(clerk.token))),
  );
  const sixthResponse = await service.get('/merchant/events', { key: TILL_KEY, token: clerk.token });
  assert.equal(`${sixthResponse.status} ${sixthResponse.body.code}`, '429 too_many_streams');
  openStreams.push(await openMerchantStream(buildMemberHeaders(owner.token)));
  for (const stream of openStreams) stream.close();
});

test('a till key without token and a token of a customer are refused; a member of another merchant gets only its events', async () => {
  const requestStream = (options: object) => service.get('/merchant/events', { key: TILL_KEY, ...options });
  assertRefused(await requestStream({}), 401, 'token_missing');
  assertRefused(
    await requestStream({ token: (await openSessionFor(service, ANA)).token }),
    401,
    'token_invalid',
  );
  const phone = newPhone();
  const body = { name: 'Eva Luz', phone, role: 'owner' };
  await service.staff('POST', `/admin/merchants/${OTHER_MERCHANT}/members`, { key: OPERATOR_KEY, body });
  const otherMerchantStream = await openMerchantStream(
    buildMemberHeaders((await logInMember(service, phone)).token),
  );
  await offerDriver.createOpenOffer();
  await offerDriver.createOpenOffer({}, { key: offerDriver.otherKey });
  const { data } = await otherMerchantStream.waitForEvent('offer.created');
  assert.deepEqual([data.merchant, otherMerchantStream.events.length], [OTHER_MERCHANT, 1]);
  otherMerchantStream.close();
});
