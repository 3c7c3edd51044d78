import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService } from '../harness.ts';
import { MERCHANT_KEY, openOfferDesk } from '../offer-desk.ts';
import { MERCHANT, OPERATOR_KEY, openShop } from '../shop.ts';
import { openReceiver, type ReceivedDelivery, respondWith } from '../support/webhook-receiver.ts';
import { type Body, openMedusa, openNetwork, openProvider } from './medusa.ts';

const RETURN_URL = 'http://localhost:3005/volta';
const service = await openService();
const customers = openShop(service);
const { accept, claim, decline, getOffer, createToken } = await openOfferDesk(service);

// Webhooks go through a receiver that can hold them back.
const hold = respondWith(204);
const receiver = await openReceiver(hold);
const { body: endpoint } = await service.staff('POST', '/admin/webhooks', {
  key: OPERATOR_KEY,
  body: { partner: 'Padaria Flor do Trigo', merchant: MERCHANT, url: receiver.url },
});
const network = await openNetwork(service.partnerUrl);
const medusa = await openMedusa({
  SEMANA_URL: network.url,
  SEMANA_KEY: MERCHANT_KEY,
  SEMANA_WEBHOOK_SECRET: endpoint.secret,
  RETURN_URL,
});
const { call, must } = medusa;

/** A cart with two cakes, R$ 180.00. */
async function newCart(): Promise<string> {
  const { cart } = await must('POST', '/store/carts', {
    region_id: medusa.regionId,
    email: 'ana@example.com',
    items: [{ variant_id: medusa.variantId, quantity: 2 }],
  });
  assert.equal(cart.total, 180);
  return cart.id;
}

/** What the storefront does at "Pagar por semana". */
async function startPayment(cartId: string, data: object = {}): Promise<Body> {
  const { payment_collection: collection } = await must('POST', '/store/payment-collections', {
    cart_id: cartId,
  });
  const made = await must('POST', `/store/payment-collections/${collection.id}/payment-sessions`, {
    provider_id: 'pp_semana_semana',
    data,
  });
  const [session] = made.payment_collection.payment_sessions;
  return { ...session, offerId: session.data.offer_id, token: session.data.link.split('/').at(-1) };
}

/** A new customer opens the link and accepts. */
async function pay({ offerId, token }: Body): Promise<string> {
  const by = await createToken(await customers.newShopper());
  assert.equal((await claim({ token }, by)).status, 200);
  const buyResponse = await accept(offerId, by);
  assert.equal(buyResponse.status, 201, buyResponse.text);
  return buyResponse.body.hash;
}

/** What the storefront does when the customer comes back. */
const complete = (cartId: string) => call('POST', `/store/carts/${cartId}/complete`);

const FIELDS =
  '+payment_collections.*,+payment_collections.payments.*,+payment_collections.payments.captures.*';
const ordersOf = async (): Promise<Body[]> =>
  (await must('GET', '/admin/orders?limit=100&fields=id,cart.id')).orders;
const orderOf = (cartId: string): Promise<Body> =>
  ordersOf().then((all) => all.find(({ cart }) => cart?.id === cartId));
const paymentsOf = async (orderId: string): Promise<Body[]> =>
  (await must('GET', `/admin/orders/${orderId}?fields=${FIELDS}`)).order.payment_collections.flatMap(
    ({ payments }: Body) => payments,
  );

const webhookOf = ({ offerId }: Body, type = 'offer.accepted'): Promise<ReceivedDelivery> =>
  eventually(`${type} is delivered`, async () =>
    receiver.received.find(({ body }) => body.type === type && body.data.offer_id === offerId),
  );

/** The network delivers a webhook to Medusa. */
async function deliver({ raw, headers }: Pick<ReceivedDelivery, 'raw' | 'headers'>): Promise<void> {
  const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
  const { status } = await fetch(`${medusa.url}/hooks/payment/semana_semana`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(signed) },
    body: raw,
  });
  assert.equal(status, 200);
}

async function assertPaidOnce(orderId: string): Promise<Body> {
  const payments = await paymentsOf(orderId);
  assert.equal(payments.length, 1);
  const [{ amount, captured_at, captures }] = payments;
  assert.deepEqual([amount, captures.map((capture: Body) => capture.amount)], [180, [180]]);
  assert.ok(captured_at);
  return payments[0];
}

test('a payment session is an open offer of the cart, and data that the browser adds has no effect', async () => {
  const items = [
    { name: 'Bolo de casamento', quantity: 2, amount: 170 },
    { name: 'Entrega', quantity: 1, amount: 10 },
  ];
  const forged = { offer_id: 'off_x', link: 'https://evil.example/', amount: 1, session_id: 'payses_x' };
  const session = await startPayment(await newCart(), { items, ...forged });
  const offer = await getOffer(session.offerId);
  assert.deepEqual(
    [offer.status, offer.reference, offer.quote.amount, offer.items, offer.return_url],
    ['pending', session.id, 180, items, RETURN_URL],
  );
  assert.equal(session.data.link, offer.link);
  assert.equal(session.status, 'requires_more');
  const plain = await startPayment(await newCart(), { items: [{ name: 'x', quantity: 1, amount: 1 }] });
  assert.deepEqual((await getOffer(plain.offerId)).items, [], 'items that do not add up are left out');
});

test('if the customer returns first, the order is paid; two later webhooks change nothing', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  await pay(session);
  const actResponse = await complete(cartId);
  assert.equal(actResponse.body.type, 'order', JSON.stringify(actResponse.body));
  await assertPaidOnce(actResponse.body.order.id);
  const accepted = await webhookOf(session);
  for (const again of [accepted, accepted]) await deliver(again);
  const other = await newCart();
  const next = await startPayment(other);
  await pay(next);
  await deliver(await webhookOf(next));
  await eventually('later webhooks were worked on', async () => orderOf(other));
  await assertPaidOnce(actResponse.body.order.id);
  assert.equal((await ordersOf()).filter(({ cart }) => cart?.id === cartId).length, 1);
});

test('if a webhook arrives first, twice, one order exists before the customer returns', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  await pay(session);
  const accepted = await webhookOf(session);
  await Promise.all([deliver(accepted), deliver(accepted)]);
  const order = await eventually('the order is there', () => orderOf(cartId));
  await assertPaidOnce(order.id);
  const actResponse = await complete(cartId);
  assert.deepEqual([actResponse.body.type, actResponse.body.order.id], ['order', order.id]);
  await assertPaidOnce(order.id);
});

test('a concurrent webhook and return create one order that is paid once, without a refund', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  const hash = await pay(session);
  const held = network.hold();
  await deliver(await webhookOf(session));
  await held.reached;
  const completing = [complete(cartId), complete(cartId)];
  held.release();
  await Promise.all(completing);
  const done = await eventually('it is complete', async () => {
    const { body } = await complete(cartId);
    return body.type === 'order' && body;
  });
  await assertPaidOnce(done.order.id);
  assert.equal((await ordersOf()).filter(({ cart }) => cart?.id === cartId).length, 1);
  const sale = await service.get(`/merchant/checkouts/${hash}`, { key: MERCHANT_KEY });
  assert.equal(sale.body.amounts.returned, 0);
});

test('a return without an acceptance creates no order; the same cart can be paid afterwards', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  const earlyResponse = await complete(cartId);
  assert.notEqual(earlyResponse.body.type, 'order', JSON.stringify(earlyResponse.body));
  assert.equal(await orderOf(cartId), undefined);
  await pay(session);
  const actResponse = await complete(cartId);
  assert.equal(actResponse.body.type, 'order', JSON.stringify(actResponse.body));
  await assertPaidOnce(actResponse.body.order.id);
});

test('a declined offer creates no order, and a new payment session is a new offer', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  const by = await createToken(await customers.newShopper());
  await claim({ token: session.token }, by);
  assert.equal((await decline(session.offerId, by)).status, 204);
  assert.notEqual((await complete(cartId)).body.type, 'order');
  const next = await startPayment(cartId);
  assert.notEqual(next.offerId, session.offerId);
  await pay(next);
  assert.equal((await complete(cartId)).body.type, 'order');
});

test('a forged or unrelated webhook creates no order', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  const created = await webhookOf(session, 'offer.created');
  await pay(session);
  await deliver({ ...created, raw: created.raw.replace('offer.created', 'offer.accepted') });
  await deliver(created);
  await deliver({ raw: '{}', headers: {} });
  await eventually(
    'they were refused',
    async () => medusa.printed().split('a webhook was refused').length > 2,
  );
  assert.equal(await orderOf(cartId), undefined);
});

test('a changed cart gets a new offer, and the old one can no longer be accepted', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  await must('POST', `/store/carts/${cartId}/line-items`, { variant_id: medusa.variantId, quantity: 1 });
  assert.equal((await getOffer(session.offerId)).status, 'cancelled');
  const next = await startPayment(cartId);
  assert.equal((await getOffer(next.offerId)).quote.amount, 270);
});

test('a paid cart cannot be changed, and is completed with the paid amount', async () => {
  const cartId = await newCart();
  await pay(await startPayment(cartId));
  const changeResponse = await call('POST', `/store/carts/${cartId}/line-items`, {
    variant_id: medusa.variantId,
    quantity: 1,
  });
  assert.notEqual(changeResponse.status, 200);
  const actResponse = await complete(cartId);
  assert.equal(actResponse.body.type, 'order', JSON.stringify(actResponse.body));
  await assertPaidOnce(actResponse.body.order.id);
});

test('a refund of half is one return of half, even if its response is lost; then the rest can be returned', async () => {
  const cartId = await newCart();
  const hash = await pay(await startPayment(cartId));
  const { body } = await complete(cartId);
  const payment = await assertPaidOnce(body.order.id);
  const returned = async () =>
    (await service.get(`/merchant/checkouts/${hash}`, { key: MERCHANT_KEY })).body.amounts.returned;
  network.lose = 3;
  assert.notEqual((await call('POST', `/admin/payments/${payment.id}/refund`, { amount: 90 })).status, 200);
  assert.equal(network.lose, 0);
  assert.equal(await returned(), 90, 'the service has done it, and Medusa does not know');
  const refund = await must('POST', `/admin/payments/${payment.id}/refund`, { amount: 90 });
  assert.equal(refund.payment.refunds.length, 1);
  assert.equal(await returned(), 90);
  await must('POST', `/admin/payments/${payment.id}/refund`, { amount: 60 });
  await must('POST', `/admin/payments/${payment.id}/refund`, { amount: 30 });
  assert.equal(await returned(), 180);
  assert.notEqual((await call('POST', `/admin/payments/${payment.id}/refund`, { amount: 1 })).status, 200);
});

test('the provider creates another offer for another amount, does not cancel a paid one, and accepts only BRL', async () => {
  const options = {
    apiUrl: service.partnerUrl,
    apiKey: MERCHANT_KEY,
    webhookSecret: endpoint.secret,
    returnUrl: RETURN_URL,
  };
  const provider = openProvider(options);
  const order = (amount: number, data: object, currency_code = 'brl') => ({ amount, currency_code, data });
  const first = await provider.initiatePayment(order(100, { session_id: 'payses_alone' }));
  const initiatePaymentLater = await provider.initiatePayment(order(100, { session_id: 'payses_alone' }));
  assert.deepEqual(initiatePaymentLater, first, 'repeated, it is the same offer');
  assert.deepEqual((await provider.updatePayment(order(100, first.data))).data, first.data);
  const second = await provider.updatePayment(order(120.5, first.data));
  assert.deepEqual((await provider.updatePayment(order(120.5, first.data))).data, second.data, 'as well');
  assert.equal((await getOffer(first.data.offer_id)).status, 'cancelled');
  assert.equal((await getOffer(second.data.offer_id)).quote.amount, 120.5);
  const third = await provider.updatePayment(order(100, second.data));
  assert.equal((await provider.getPaymentStatus({ data: third.data })).status, 'requires_more');
  await assert.rejects(provider.capturePayment({ data: third.data }), /pending/);
  await assert.rejects(provider.refundPayment({ data: third.data, amount: 1 }), /pending/);
  await pay({ offerId: third.data.offer_id, token: third.data.link.split('/').at(-1) });
  assert.equal((await provider.authorizePayment({ data: third.data })).status, 'captured');
  await provider.capturePayment({ data: third.data });
  for (const change of [
    () => provider.cancelPayment({ data: third.data }),
    () => provider.deletePayment({ data: third.data }),
    () => provider.updatePayment(order(50, third.data)),
  ])
    await assert.rejects(change, /has paid/);
  const stolen = { ...third.data, session_id: 'payses_other' };
  await assert.rejects(provider.authorizePayment({ data: stolen }), /another payment session/);
  await assert.rejects(provider.initiatePayment(order(100, { session_id: 'payses_usd' }, 'usd')), /BRL/);
  assert.deepEqual(await provider.deletePayment({ data: {} }), { data: {} });
  for (const name of Object.keys(options))
    assert.throws(() => openProvider({ ...options, [name]: '' }), new RegExp(name));
});
