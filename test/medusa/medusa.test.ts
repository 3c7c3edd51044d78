import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, eventually, openService } from '../harness.ts';
import { createOfferDriver, MERCHANT_KEY } from '../offer-driver.ts';
import { createPurchaseDriver, MERCHANT, OPERATOR_KEY } from '../purchase-driver.ts';
import { openWebhookReceiver, type ReceivedDelivery, respondWith } from '../support/webhook-receiver.ts';
import { CAKE_PRICE, openLossyProxy, openMedusa, openProvider } from './medusa.ts';

const RETURN_URL = 'http://localhost:3005/volta';
const service = await openService();
const purchaseDriver = createPurchaseDriver(service);
const { accept, claim, decline, getOffer, createToken } = await createOfferDriver(service);

// The test receives the webhooks, and delivers them to Medusa when it chooses to.
const receiver = await openWebhookReceiver(respondWith(204));
const { body: endpoint } = await service.staff('POST', '/admin/webhooks', {
  key: OPERATOR_KEY,
  body: { partner: 'Padaria Flor do Trigo', merchant: MERCHANT, url: receiver.url },
});
const proxy = await openLossyProxy(service.partnerUrl);
const medusa = await openMedusa({
  SEMANA_URL: proxy.url,
  SEMANA_KEY: MERCHANT_KEY,
  SEMANA_WEBHOOK_SECRET: endpoint.secret,
  RETURN_URL,
});
const { call, callSuccessfully } = medusa;

const CART_TOTAL = 2 * CAKE_PRICE;
/** Creates a cart with two cakes. */
async function newCart(): Promise<string> {
  const { cart } = await callSuccessfully('POST', '/store/carts', {
    region_id: medusa.regionId,
    email: 'ana@example.com',
    items: [{ variant_id: medusa.variantId, quantity: 2 }],
  });
  assert.equal(cart.total, CART_TOTAL);
  return cart.id;
}

/** Starts a payment session, as the storefront does at "Pagar por semana". */
async function startPayment(cartId: string, data: object = {}): Promise<Body> {
  const { payment_collection: collection } = await callSuccessfully('POST', '/store/payment-collections', {
    cart_id: cartId,
  });
  const sessionsResponse = await callSuccessfully(
    'POST',
    `/store/payment-collections/${collection.id}/payment-sessions`,
    {
      provider_id: 'pp_semana_semana',
      data,
    },
  );
  const [session] = sessionsResponse.payment_collection.payment_sessions;
  return { ...session, offerId: session.data.offer_id, token: session.data.link.split('/').at(-1) };
}

/** Claims and accepts the offer as a new customer. Returns the hash of the purchase. */
async function pay({ offerId, token }: Body): Promise<string> {
  const customerToken = await createToken(await purchaseDriver.createCustomer());
  assert.equal((await claim({ token }, customerToken)).status, 200);
  const acceptResponse = await accept(offerId, customerToken);
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  return acceptResponse.body.hash;
}

/** Completes a cart, as the storefront does when the customer returns. */
const completeCart = (cartId: string) => call('POST', `/store/carts/${cartId}/complete`);

/** The fields to request in addition to the default ones of an order. */
const PAYMENT_FIELDS =
  '+payment_collections.*,+payment_collections.payments.*,+payment_collections.payments.captures.*';
const listOrders = async (): Promise<Body[]> =>
  (await callSuccessfully('GET', '/admin/orders?limit=100&fields=id,cart.id')).orders;
const findOrder = (cartId: string): Promise<Body> =>
  listOrders().then((orders) => orders.find(({ cart }) => cart?.id === cartId));
const listPayments = async (orderId: string): Promise<Body[]> =>
  (
    await callSuccessfully('GET', `/admin/orders/${orderId}?fields=${PAYMENT_FIELDS}`)
  ).order.payment_collections.flatMap(({ payments }: Body) => payments);

const waitForWebhook = ({ offerId }: Body, type = 'offer.accepted'): Promise<ReceivedDelivery> =>
  eventually(`${type} is delivered`, async () =>
    receiver.received.find(({ body }) => body.type === type && body.data.offer_id === offerId),
  );

/** Delivers a webhook to Medusa. */
async function deliver({ raw, headers }: Pick<ReceivedDelivery, 'raw' | 'headers'>): Promise<void> {
  const webhookHeaders = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
  const { status } = await fetch(`${medusa.url}/hooks/payment/semana_semana`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(webhookHeaders) },
    body: raw,
  });
  assert.equal(status, 200);
}

async function assertPaidOnce(orderId: string): Promise<Body> {
  const payments = await listPayments(orderId);
  assert.equal(payments.length, 1);
  const [{ amount, captured_at, captures }] = payments;
  assert.deepEqual([amount, captures.map((capture: Body) => capture.amount)], [CART_TOTAL, [CART_TOTAL]]);
  assert.ok(captured_at);
  return payments[0];
}

test('a payment session is an open offer of the cart, and data that the browser adds has no effect', async () => {
  const items = [
    { name: 'Bolo de casamento', quantity: 2, amount: 170 },
    { name: 'Entrega', quantity: 1, amount: 10 },
  ];
  const forgedData = { offer_id: 'off_x', link: 'https://evil.example/', amount: 1, session_id: 'payses_x' };
  const session = await startPayment(await newCart(), { items, ...forgedData });
  const offer = await getOffer(session.offerId);
  assert.deepEqual(
    [offer.status, offer.reference, offer.quote.amount, offer.items, offer.return_url],
    ['pending', session.id, CART_TOTAL, items, RETURN_URL],
  );
  assert.equal(session.data.link, offer.link);
  assert.equal(session.status, 'requires_more');
  const sessionWithWrongItems = await startPayment(await newCart(), {
    items: [{ name: 'x', quantity: 1, amount: 1 }],
  });
  assert.deepEqual(
    (await getOffer(sessionWithWrongItems.offerId)).items,
    [],
    'items that do not add up are left out',
  );
});

test('if the customer returns first, the order is paid; two later webhooks change nothing', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  await pay(session);
  const completeResponse = await completeCart(cartId);
  assert.equal(completeResponse.body.type, 'order', JSON.stringify(completeResponse.body));
  await assertPaidOnce(completeResponse.body.order.id);
  const webhook = await waitForWebhook(session);
  for (let attempt = 1; attempt <= 2; attempt++) await deliver(webhook);
  const otherCartId = await newCart();
  const nextSession = await startPayment(otherCartId);
  await pay(nextSession);
  await deliver(await waitForWebhook(nextSession));
  // Webhooks are handled after their response: once a later one was handled, the first two were, too.
  await eventually('the webhook of another cart was handled', async () => findOrder(otherCartId));
  await assertPaidOnce(completeResponse.body.order.id);
  assert.equal((await listOrders()).filter(({ cart }) => cart?.id === cartId).length, 1);
});

test('if a webhook arrives first, twice, one order exists before the customer returns', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  await pay(session);
  const webhook = await waitForWebhook(session);
  await Promise.all([deliver(webhook), deliver(webhook)]);
  const order = await eventually('the order exists', () => findOrder(cartId));
  await assertPaidOnce(order.id);
  const completeResponse = await completeCart(cartId);
  assert.deepEqual([completeResponse.body.type, completeResponse.body.order.id], ['order', order.id]);
  await assertPaidOnce(order.id);
});

test('a concurrent webhook and return create one order that is paid once, without a refund', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  const hash = await pay(session);
  const delayedRead = proxy.delayNextRead();
  await deliver(await waitForWebhook(session));
  await delayedRead.reached;
  const completions = [completeCart(cartId), completeCart(cartId)];
  delayedRead.release();
  await Promise.all(completions);
  const completedCart = await eventually('the cart is completed', async () => {
    const { body } = await completeCart(cartId);
    return body.type === 'order' && body;
  });
  await assertPaidOnce(completedCart.order.id);
  assert.equal((await listOrders()).filter(({ cart }) => cart?.id === cartId).length, 1);
  const sale = await service.get(`/merchant/checkouts/${hash}`, { key: MERCHANT_KEY });
  assert.equal(sale.body.amounts.returned, 0);
});

test('a return without an acceptance creates no order; the same cart can be paid afterwards', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  const earlyResponse = await completeCart(cartId);
  assert.notEqual(earlyResponse.body.type, 'order', JSON.stringify(earlyResponse.body));
  assert.equal(await findOrder(cartId), undefined);
  await pay(session);
  const completeResponse = await completeCart(cartId);
  assert.equal(completeResponse.body.type, 'order', JSON.stringify(completeResponse.body));
  await assertPaidOnce(completeResponse.body.order.id);
});

test('a declined offer creates no order, and a new payment session is a new offer', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  const customerToken = await createToken(await purchaseDriver.createCustomer());
  await claim({ token: session.token }, customerToken);
  assert.equal((await decline(session.offerId, customerToken)).status, 204);
  assert.notEqual((await completeCart(cartId)).body.type, 'order');
  const nextSession = await startPayment(cartId);
  assert.notEqual(nextSession.offerId, session.offerId);
  await pay(nextSession);
  assert.equal((await completeCart(cartId)).body.type, 'order');
});

test('a forged or unrelated webhook creates no order', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  const webhook = await waitForWebhook(session, 'offer.created');
  await pay(session);
  await deliver({ ...webhook, raw: webhook.raw.replace('offer.created', 'offer.accepted') });
  await deliver(webhook);
  await deliver({ raw: '{}', headers: {} });
  const countRefusals = () => medusa.readOutput().match(/a webhook was refused/g)?.length ?? 0;
  await eventually('both webhooks without a valid signature were refused', async () => countRefusals() >= 2);
  assert.equal(await findOrder(cartId), undefined);
});

test('a changed cart gets a new offer, and the old one can no longer be accepted', async () => {
  const cartId = await newCart();
  const session = await startPayment(cartId);
  await callSuccessfully('POST', `/store/carts/${cartId}/line-items`, {
    variant_id: medusa.variantId,
    quantity: 1,
  });
  assert.equal((await getOffer(session.offerId)).status, 'cancelled');
  const nextSession = await startPayment(cartId);
  assert.equal((await getOffer(nextSession.offerId)).quote.amount, 3 * CAKE_PRICE);
});

test('a paid cart cannot be changed, and is completed with the paid amount', async () => {
  const cartId = await newCart();
  await pay(await startPayment(cartId));
  const changeResponse = await call('POST', `/store/carts/${cartId}/line-items`, {
    variant_id: medusa.variantId,
    quantity: 1,
  });
  assert.notEqual(changeResponse.status, 200);
  const completeResponse = await completeCart(cartId);
  assert.equal(completeResponse.body.type, 'order', JSON.stringify(completeResponse.body));
  await assertPaidOnce(completeResponse.body.order.id);
});

test('a refund of half is one return of half, even if its response is lost; then the other half can be returned', async () => {
  const cartId = await newCart();
  const hash = await pay(await startPayment(cartId));
  const { body } = await completeCart(cartId);
  const payment = await assertPaidOnce(body.order.id);
  const readReturnedAmount = async () =>
    (await service.get(`/merchant/checkouts/${hash}`, { key: MERCHANT_KEY })).body.amounts.returned;
  proxy.responsesToLose = 3; // the client makes three attempts
  const half = { amount: CART_TOTAL / 2 };
  assert.notEqual((await call('POST', `/admin/payments/${payment.id}/refund`, half)).status, 200);
  assert.equal(proxy.responsesToLose, 0);
  assert.equal(
    await readReturnedAmount(),
    half.amount,
    'the service has made the return, and Medusa does not know of it',
  );
  const refund = await callSuccessfully('POST', `/admin/payments/${payment.id}/refund`, half);
  assert.equal(refund.payment.refunds.length, 1);
  assert.equal(await readReturnedAmount(), half.amount);
  await callSuccessfully('POST', `/admin/payments/${payment.id}/refund`, { amount: 60 });
  await callSuccessfully('POST', `/admin/payments/${payment.id}/refund`, { amount: 30 });
  assert.equal(await readReturnedAmount(), CART_TOTAL);
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
  const createInput = (amount: number, data: object, currency_code = 'brl') => ({
    amount,
    currency_code,
    data,
  });
  const firstSession = await provider.initiatePayment(createInput(100, { session_id: 'payses_alone' }));
  const repeatedSession = await provider.initiatePayment(createInput(100, { session_id: 'payses_alone' }));
  assert.deepEqual(repeatedSession, firstSession, 'a repeated call returns the same offer');
  assert.deepEqual(
    (await provider.updatePayment(createInput(100, firstSession.data))).data,
    firstSession.data,
  );
  const secondSession = await provider.updatePayment(createInput(120.5, firstSession.data));
  assert.deepEqual(
    (await provider.updatePayment(createInput(120.5, firstSession.data))).data,
    secondSession.data,
    'a repeated update returns the same offer',
  );
  assert.equal((await getOffer(firstSession.data.offer_id)).status, 'cancelled');
  assert.equal((await getOffer(secondSession.data.offer_id)).quote.amount, 120.5);
  const thirdSession = await provider.updatePayment(createInput(100, secondSession.data));
  assert.equal((await provider.getPaymentStatus({ data: thirdSession.data })).status, 'requires_more');
  await assert.rejects(provider.capturePayment({ data: thirdSession.data }), /pending/);
  await assert.rejects(provider.refundPayment({ data: thirdSession.data, amount: 1 }), /pending/);
  await pay({ offerId: thirdSession.data.offer_id, token: thirdSession.data.link.split('/').at(-1) });
  assert.equal((await provider.authorizePayment({ data: thirdSession.data })).status, 'captured');
  await provider.capturePayment({ data: thirdSession.data });
  for (const change of [
    () => provider.cancelPayment({ data: thirdSession.data }),
    () => provider.deletePayment({ data: thirdSession.data }),
    () => provider.updatePayment(createInput(50, thirdSession.data)),
  ])
    await assert.rejects(change, /has paid/);
  const dataOfOtherSession = { ...thirdSession.data, session_id: 'payses_other' };
  await assert.rejects(provider.authorizePayment({ data: dataOfOtherSession }), /another payment session/);
  await assert.rejects(
    provider.initiatePayment(createInput(100, { session_id: 'payses_usd' }, 'usd')),
    /BRL/,
  );
  assert.deepEqual(await provider.deletePayment({ data: {} }), { data: {} });
  for (const name of Object.keys(options))
    assert.throws(() => openProvider({ ...options, [name]: '' }), new RegExp(name));
});
