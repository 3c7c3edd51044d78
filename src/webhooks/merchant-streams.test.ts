import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, type Node, openService } from '../../test/harness.ts';
import { enterTill, LUCIA, TEO, TILL_KEY } from '../../test/members.ts';
import { MERCHANT_KEY, OTHER_MERCHANT, openStall } from '../../test/stall.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  enter,
  newPhone,
  OPERATOR_KEY,
} from '../../test/support/customers.ts';
import { openTill } from '../../test/till.ts';

const service = await openService(BEHIND_PROXY);
const shop = openTill(service);
const stall = await openStall(service);
const BAKERY = 'padaria-flor-do-trigo';
const owner = await enterTill(service, LUCIA);
const clerk = await enterTill(service, TEO);

type StreamedEvent = { id: string; type: string; data: Record<string, unknown> };

/** Opens a stream and collects its events. */
async function listen(headers: Record<string, string>, node: Node = service) {
  const abort = new AbortController();
  const response = await fetch(`${node.partnerUrl}/merchant/events`, { headers, signal: abort.signal });
  assert.equal(response.status, 200);
  const received: StreamedEvent[] = [];
  let raw = '';
  const ended = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      raw += chunk;
      const blocks = raw.split('\n\n').slice(0, -1);
      const data = blocks.flatMap((block) => /^id: .*\ndata: (.*)$/ms.exec(block)?.[1] ?? []);
      for (const text of data.slice(received.length)) received.push(JSON.parse(text));
    }
    return 'ended' as const;
  })();
  ended.catch(() => undefined); // closed by the test
  const whenReceived = (type: string) =>
    eventually(`${type} is received`, async () => received.find((event) => event.type === type));
  return { received, raw: () => raw, ended, whenReceived, close: () => abort.abort() };
}
const till = (token: string) => ({ 'x-api-key': TILL_KEY, 'x-token': token });

/** A customer buys at the bakery by an open offer of the clerk. */
async function sell() {
  const made = await stall.openOffer({}, { key: TILL_KEY, token: clerk.token });
  const { token } = await enter(service, await shop.newShopper());
  await stall.claim({ code: made.code }, token);
  const accepted = await stall.accept(made.id, token);
  assert.equal(accepted.status, 201, accepted.text);
  return { offerId: made.id as string, hash: accepted.body.hash as string };
}

test('events of an offer are streamed in the order in which they occurred', async () => {
  const stream = await listen(till(clerk.token));
  const offerIds: string[] = [];
  for (let i = 0; i < 3; i++) {
    const offer = await stall.openOffer({}, { key: TILL_KEY, token: clerk.token });
    const { token } = await enter(service, await shop.newShopper());
    service.clock.advance(1);
    await stall.claim({ code: offer.code }, token);
    service.clock.advance(1);
    const cancelled = await stall.cancel(offer.id);
    assert.equal(cancelled.status, 200, cancelled.text);
    offerIds.push(offer.id);
  }
  await eventually(
    'all are received',
    async () => stream.received.filter(({ type }) => type === 'offer.cancelled').length === 3,
  );
  for (const id of offerIds)
    assert.deepEqual(
      stream.received.filter(({ data }) => data.offer_id === id).map(({ type }) => type),
      ['offer.created', 'offer.claimed', 'offer.cancelled'],
    );
  stream.close();
});

test('streams on every node receive the events of their merchant and of no other', async () => {
  const other = await service.join();
  const streams = [
    await listen(till(clerk.token), other),
    await listen(till(owner.token)),
    await listen({ 'x-api-key': MERCHANT_KEY }),
  ];
  const strange = await listen({ 'x-api-key': stall.otherKey }, other);
  const { offerId, hash } = await sell();
  for (const stream of streams) {
    await stream.whenReceived('checkout.created');
    const types = stream.received.map(({ type }) => type);
    assert.deepEqual(types.toSorted(), [
      'checkout.created',
      'offer.accepted',
      'offer.claimed',
      'offer.created',
    ]);
    const accepted = stream.received.find(({ type }) => type === 'offer.accepted')!;
    assert.deepEqual([accepted.data.offer_id, accepted.data.checkout_hash], [offerId, hash]);
    stream.close();
  }
  await stall.openOffer({}, { key: stall.otherKey });
  await strange.whenReceived('offer.created');
  assert.equal(strange.received.length, 1, 'only its own offer');
  strange.close();
});

test('with Last-Event-ID no event is missed; with an unknown one the first event is reset', async () => {
  const stream = await listen(till(clerk.token));
  await stall.openOffer();
  const { id } = await stream.whenReceived('offer.created');
  stream.close();
  await sell();
  const resumed = await listen({ ...till(clerk.token), 'last-event-id': id });
  await resumed.whenReceived('checkout.created');
  assert.equal(resumed.received.length, 4);
  resumed.close();
  const lost = await listen({ ...till(clerk.token), 'last-event-id': 'evt_01kfx3v9e2r4s6t8w0y2a4c6e8' });
  await eventually('reset is received', async () => lost.raw().includes('event: reset'));
  lost.close();
});

test('a clerk gets events of offers, sales and returns; an owner also of payments and payouts', async () => {
  const streams = { clerk: await listen(till(clerk.token)), owner: await listen(till(owner.token)) };
  const shopper = await shop.newShopper();
  const { installments } = await shop.sell(shopper, { merchant: BAKERY });
  const charge = await shop.charge(shopper, installments[0].id, 'settle');
  await shop.payCode(charge.txid);
  await streams.owner.whenReceived('pix.paid');
  const until = '2199-12-31';
  const payouts = await service.staff('POST', '/admin/payouts', { key: OPERATOR_KEY, body: { until } });
  const own = payouts.body.data.find((payout: { merchant: string }) => payout.merchant === BAKERY);
  const body = { reference: 'TED 1' };
  await service.staff('POST', `/admin/payouts/${own.id}/paid`, { key: OPERATOR_KEY, body });
  await streams.owner.whenReceived('payout.paid');
  await stall.openOffer();
  await streams.clerk.whenReceived('offer.created');
  assert.deepEqual(
    streams.clerk.received.map(({ type }) => type),
    ['checkout.created', 'offer.created'],
  );
  for (const stream of Object.values(streams)) stream.close();
});

test('the stream ends when the session ends, and when the member is changed or removed', async () => {
  const other = await service.join();
  const added = await service.call('POST', '/merchant/members', {
    key: TILL_KEY,
    token: owner.token,
    body: { name: 'Rui Sá', phone: newPhone(), role: 'clerk' },
  });
  assert.equal(added.status, 201, added.text);
  const path = `/merchant/members/${added.body.id}`;
  const asOwner = { key: TILL_KEY, token: owner.token };
  const enterAgain = () => enterTill(service, added.body.phone);

  const first = await enterAgain();
  const loggedOut = await listen(till(first.token), other);
  await service.post('/merchant/auth/logout', { refresh_token: first.refresh_token }, { key: TILL_KEY });
  assert.equal(await loggedOut.ended, 'ended');

  service.clock.advance(60_000);
  const second = await enterAgain();
  const changed = await listen(till(second.token), other);
  assert.equal((await service.call('PATCH', path, { ...asOwner, body: { role: 'owner' } })).status, 200);
  assert.equal(await changed.ended, 'ended');

  const removed = await listen(till(second.token), other);
  assert.equal((await service.call('DELETE', path, asOwner)).status, 204);
  assert.equal(await removed.ended, 'ended');
  assertRefused(
    await service.get('/merchant/events', { key: TILL_KEY, token: second.token }),
    401,
    'token_invalid',
  );
});

test('429 too_many_streams: each member has at most five open streams', async () => {
  const open = await Promise.all(Array.from({ length: 5 }, () => listen(till(clerk.token))));
  const sixth = await service.get('/merchant/events', { key: TILL_KEY, token: clerk.token });
  assert.equal(`${sixth.status} ${sixth.body.code}`, '429 too_many_streams');
  open.push(await listen(till(owner.token)));
  for (const stream of open) stream.close();
});

test('a till key without token, a token of a customer and a member of another merchant receive nothing', async () => {
  const openStream = (options: object) => service.get('/merchant/events', { key: TILL_KEY, ...options });
  assertRefused(await openStream({}), 401, 'token_missing');
  assertRefused(await openStream({ token: (await enter(service, ANA)).token }), 401, 'token_invalid');
  const phone = newPhone();
  const body = { name: 'Eva Luz', phone, role: 'owner' };
  await service.staff('POST', `/admin/merchants/${OTHER_MERCHANT}/members`, { key: OPERATOR_KEY, body });
  const strange = await listen(till((await enterTill(service, phone)).token));
  await stall.openOffer();
  await stall.openOffer({}, { key: stall.otherKey });
  const { data } = await strange.whenReceived('offer.created');
  assert.deepEqual([data.merchant, strange.received.length], [OTHER_MERCHANT, 1]);
  strange.close();
});
