import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { eventually, openService } from '../../test/harness.ts';
import { createOfferDriver, MERCHANT_KEY } from '../../test/offer-driver.ts';
import { createPurchaseDriver, MERCHANT, OPERATOR_KEY } from '../../test/purchase-driver.ts';
import {
  type Behavior,
  openWebhookReceiver,
  type ReceivedDelivery,
  respondWith,
} from '../../test/support/webhook-receiver.ts';
import { openShop } from './shop.ts';

/** An interval that does not elapse during the test. */
const NEVER_MS = 1e9;
const WEB_URL = 'http://localhost:3003';
const SHOP_URL = 'http://localhost:3005';
const CAKE_PRICE = 180;
const BREAD_PRICE = 32.9;
/** The amount of the order that `placeOrder` places. */
const ORDER_AMOUNT = CAKE_PRICE + 2 * BREAD_PRICE;
const service = await openService();
const purchaseDriver = createPurchaseDriver(service);
const { accept, claim, decline, otherKey: otherMerchantKey, createToken } = await createOfferDriver(service);

// The test receives the webhooks, and delivers them to the shop when it chooses to.
const acceptWebhook = respondWith(204);
const receiver = await openWebhookReceiver();
const { body: endpoint } = await service.staff('POST', '/admin/webhooks', {
  key: OPERATOR_KEY,
  body: { partner: 'Padaria Flor do Trigo', merchant: MERCHANT, url: receiver.url },
});

const folder = await mkdtemp(join(tmpdir(), 'semana-shop-'));
after(() => rm(folder, { recursive: true }));

async function openTestShop({
  syncEveryMs = NEVER_MS,
  ordersPath = join(folder, `${randomUUID()}.json`),
  api = {},
} = {}) {
  const shop = await openShop({
    port: 0,
    url: SHOP_URL,
    api: { url: service.partnerUrl, key: MERCHANT_KEY, ...api },
    webhookSecret: endpoint.secret,
    webUrl: WEB_URL,
    merchantSlug: MERCHANT,
    ordersPath,
    syncEveryMs,
    log: () => undefined,
  });
  after(shop.close);
  const baseUrl = `http://127.0.0.1:${shop.port}`;
  const call = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(baseUrl + path, { redirect: 'manual', ...options });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    ...shop,
    ordersPath,
    call,
    send: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      call(path, { method: 'POST', headers, body: new URLSearchParams(form) }),
    /** Delivers a webhook to the shop. Returns the status of the response. */
    deliver: async ({ raw, headers }: Pick<ReceivedDelivery, 'raw' | 'headers'>) => {
      const webhookHeaders = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
      return (
        await call('/semana', { method: 'POST', headers: Object.fromEntries(webhookHeaders), body: raw })
      ).status;
    },
    /** Orders a cake and two dozens of bread. Returns the order with the link and the token of its offer. */
    async placeOrder(id = randomUUID()) {
      const response = await call('/pedidos', {
        method: 'POST',
        body: new URLSearchParams({ id, cart: 'bolo:1,broa:2' }),
      });
      const link = response.headers.get('location')!;
      assert.equal(response.status, 303, response.text);
      return { id, order: shop.orders.get(id)!, link, token: link.split('/').at(-1)! };
    },
  };
}
type TestShop = Awaited<ReturnType<typeof openTestShop>>;
type PlacedOrder = Awaited<ReturnType<TestShop['placeOrder']>>;

const newCustomer = async () => {
  const customer = await purchaseDriver.createCustomer();
  return { customer, token: await createToken(customer) };
};

/** Claims and accepts the offer of an order as a new customer. Returns the hash of the purchase. */
async function pay({ token, order }: PlacedOrder): Promise<string> {
  const customer = await newCustomer();
  const claimResponse = await claim({ token }, customer.token);
  assert.equal(claimResponse.status, 200, claimResponse.text);
  const acceptResponse = await accept(order.offer!.id, customer.token);
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  return acceptResponse.body.hash;
}

const waitForWebhook = (placedOrder: PlacedOrder, type: string) =>
  eventually(`${type} is delivered`, async () =>
    receiver.received.find(({ body }) => body.type === type && body.data.reference === placedOrder.id),
  );

const readStatus = ({ text }: { text: string }) => {
  const [, status] = /role="status">([^<]*)</.exec(text)!;
  return status!;
};

test('an order creates an offer and redirects the customer to its page', async () => {
  const shop = await openTestShop();
  const { id, order, link } = await shop.placeOrder();
  const offer = await service.get(`/merchant/offers/${order.offer!.id}`, { key: MERCHANT_KEY });
  assert.equal(offer.body.link, link);
  assert.deepEqual(
    [offer.body.reference, offer.body.return_url, offer.body.status],
    [id, `${SHOP_URL}/pedidos/${id}`, 'pending'],
  );
  assert.deepEqual(offer.body.items, [
    { name: 'Bolo de casamento', quantity: 1, amount: CAKE_PRICE },
    { name: 'Broas de fubá, dúzia', quantity: 2, amount: 2 * BREAD_PRICE },
  ]);
  assert.equal(offer.body.quote.amount, ORDER_AMOUNT);
  const page = await shop.call(`/pedidos/${id}`);
  assert.equal(readStatus(page), 'Aguardando o pagamento');
  assert.match(page.text, /http-equiv="refresh"/);
  assert.ok(page.text.includes(`href="${link}"`));
});

test('a form that is sent twice, also concurrently, creates one order and one offer', async () => {
  const shop = await openTestShop();
  const id = randomUUID();
  const [firstOrder, secondOrder] = await Promise.all([shop.placeOrder(id), shop.placeOrder(id)]);
  assert.equal(firstOrder.link, secondOrder.link);
  const offers = await service.get(`/merchant/offers?reference=${id}`, { key: MERCHANT_KEY });
  assert.equal(offers.body.pagination.total, 1);
});

test('a webhook marks the order as paid before the customer returns', async () => {
  const shop = await openTestShop();
  const forward: Behavior = (response, _request, received) => {
    shop.deliver(received).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  };
  receiver.behave = forward;
  const placedOrder = await shop.placeOrder();
  const hash = await pay(placedOrder);
  await eventually('the webhook was accepted', async () => placedOrder.order.status === 'paid');
  receiver.behave = acceptWebhook;
  assert.equal(placedOrder.order.checkoutHash, hash);
  const page = await shop.call(`/pedidos/${placedOrder.id}?offer_id=x&status=declined`);
  assert.equal(readStatus(page), 'Pago. Obrigado!');
  assert.doesNotMatch(page.text, /http-equiv="refresh"/);
});

test('an order is paid when the customer returns first and the webhook arrives twice afterwards', async () => {
  const shop = await openTestShop();
  const placedOrder = await shop.placeOrder();
  await pay(placedOrder);
  assert.equal(placedOrder.order.status, 'pending', 'the shop has received no webhook');
  const webhook = await waitForWebhook(placedOrder, 'offer.accepted');
  assert.equal(readStatus(await shop.call(`/pedidos/${placedOrder.id}?status=accepted`)), 'Pago. Obrigado!');
  for (const delivery of [webhook, webhook, await waitForWebhook(placedOrder, 'offer.created')]) {
    assert.equal(await shop.deliver(delivery), 204);
    assert.equal(placedOrder.order.status, 'paid');
  }
});

test('if no webhook arrives and the customer does not return, polling finds the payment, also after a restart', async () => {
  const shop = await openTestShop();
  const placedOrder = await shop.placeOrder();
  await pay(placedOrder);
  shop.close();
  const restartedShop = await openTestShop({ ordersPath: shop.ordersPath, syncEveryMs: 20 });
  await eventually('the order is read from the service and stored', async () => {
    const [storedOrder] = JSON.parse(await readFile(shop.ordersPath, 'utf8'));
    return storedOrder.status === 'paid' && restartedShop.orders.get(placedOrder.id)!.status === 'paid';
  });
});

test('a customer who returns without an acceptance changes nothing, whatever the query says', async () => {
  const shop = await openTestShop();
  const placedOrder = await shop.placeOrder();
  const returnPath = `/pedidos/${placedOrder.id}?offer_id=${placedOrder.order.offer!.id}&status=accepted&reference=${placedOrder.id}`;
  assert.equal(readStatus(await shop.call(returnPath)), 'Aguardando o pagamento');
  const customer = await newCustomer();
  await claim({ token: placedOrder.token }, customer.token);
  assert.equal((await decline(placedOrder.order.offer!.id, customer.token)).status, 204);
  const page = await shop.call(returnPath);
  assert.equal(readStatus(page), 'Não foi pago. Você recusou a compra.');
  assert.match(page.text, /action="\/pedidos"/, 'the page has a form that orders the same again');
});

test('an offer that is not accepted in time leaves the order unpaid, and a new order of the same goods creates a new offer', async () => {
  const shop = await openTestShop();
  const placedOrder = await shop.placeOrder();
  service.clock.advance(HOUR_MS);
  assert.equal(
    readStatus(await shop.call(`/pedidos/${placedOrder.id}`)),
    'Não foi pago. O prazo para pagar terminou.',
  );
  const newOrder = await shop.placeOrder();
  assert.notEqual(newOrder.link, placedOrder.link);
});

test('the customer can cancel an order; an order that was accepted just before stays paid', async () => {
  const shop = await openTestShop();
  const [cancelledOrder, paidOrder] = [await shop.placeOrder(), await shop.placeOrder()];
  assert.equal((await shop.send(`/pedidos/${cancelledOrder.id}/cancelar`, {})).status, 303);
  assert.deepEqual([cancelledOrder.order.status, cancelledOrder.order.reason], ['unpaid', 'cancelled']);
  await pay(paidOrder);
  assert.equal((await shop.send(`/pedidos/${paidOrder.id}/cancelar`, {})).status, 303);
  assert.equal(paidOrder.order.status, 'paid');
});

test('a partial and a full return of goods reach the order, by webhook and by polling', async () => {
  const shop = await openTestShop();
  const placedOrder = await shop.placeOrder();
  const hash = await pay(placedOrder);
  const returnGoods = async (amount?: number) => {
    const body = { reason: 'Um bolo a menos', ...(amount !== undefined && { amount }) };
    const response = await service.post(`/merchant/checkouts/${hash}/returns`, body, { key: MERCHANT_KEY });
    assert.equal(response.status, 201, response.text);
  };
  await returnGoods(ORDER_AMOUNT / 2);
  assert.equal(await shop.deliver(await waitForWebhook(placedOrder, 'checkout.returned')), 204);
  assert.deepEqual([placedOrder.order.status, placedOrder.order.isFullyReturned], ['paid', false]);
  assert.ok(placedOrder.order.returnedAmount > 0);
  const page = await shop.call(`/pedidos/${placedOrder.id}`);
  assert.equal(readStatus(page), 'Pago, devolvido em parte');
  await returnGoods();
  assert.equal(readStatus(await shop.call(`/pedidos/${placedOrder.id}`)), 'Devolvido');
});

test('an order stays pending while the service does not respond, and gets its offer later', async () => {
  const ordersPath = join(folder, 'offline.json');
  const offlineShop = await openTestShop({ ordersPath, api: { url: 'http://127.0.0.1:1' } });
  const id = randomUUID();
  const { link } = await offlineShop.placeOrder(id);
  assert.equal(link, `/pedidos/${id}`);
  assert.match(readStatus(await offlineShop.call(link)), /ainda não respondeu/);
  offlineShop.close();
  const onlineShop = await openTestShop({ ordersPath });
  assert.equal(readStatus(await onlineShop.call(link)), 'Aguardando o pagamento');
  assert.match(onlineShop.orders.get(id)!.offer!.link, /\/pagar\//);
});

test('an offer that the service refuses leaves the order unpaid, with the reason', async () => {
  const shop = await openTestShop({ api: { key: otherMerchantKey } });
  const { order } = await shop.placeOrder();
  assert.equal(order.status, 'unpaid');
  assert.match(order.reason!, /return_url/);
});

test('a webhook with a wrong signature, for another order or of another kind changes nothing', async () => {
  const shop = await openTestShop();
  const placedOrder = await shop.placeOrder();
  const webhook = await waitForWebhook(placedOrder, 'offer.created');
  await pay(placedOrder);
  const forgedWebhook = {
    ...webhook,
    raw: webhook.raw.replace('offer.created', 'offer.accepted'),
  };
  assert.equal(await shop.deliver(forgedWebhook), 400);
  assert.equal(await shop.deliver({ raw: '{}', headers: {} }), 400);
  assert.equal(placedOrder.order.status, 'pending');
  const testResponse = await service.staff('POST', `/admin/webhooks/${endpoint.id}/test`, {
    key: OPERATOR_KEY,
  });
  assert.equal(testResponse.status, 200, testResponse.text);
  const testWebhook = receiver.received.find(({ body }) => body.type === 'webhook.test')!;
  assert.equal(await shop.deliver(testWebhook), 204);
  assert.equal(
    await (await openTestShop()).deliver(webhook),
    204,
    'a webhook for an unknown order is ignored',
  );
});

test('product pages have the widget, the cart works without a script, and bad requests are refused', async () => {
  const shop = await openTestShop();
  assert.match((await shop.call('/')).text, /href="\/produtos\/bolo"/);
  const product = await shop.call('/produtos/broa');
  assert.match(
    product.text,
    /<semana-parcelas merchant="padaria-flor-do-trigo" amount="32.90" installments="4">/,
  );
  assert.ok(product.text.includes(`<script src="${WEB_URL}/widget.js" async>`));
  assert.match((await shop.call('/sacola')).text, /vazia/);
  const readCookie = ({ headers }: { headers: Headers }) => {
    const [cookie] = headers.get('set-cookie')!.split(';');
    return cookie!;
  };
  let cookie = '';
  const unknownProduct = { add: 'x' };
  for (const form of [{ add: 'broa' }, { add: 'broa' }, { add: 'bolo' }, unknownProduct, { remove: 'bolo' }])
    cookie = readCookie(await shop.send('/sacola', form as Record<string, string>, { cookie }));
  assert.equal(cookie, 'sacola=broa:2');
  const cart = await shop.call('/sacola', { headers: { cookie } });
  assert.match(cart.text, /Total R\$\s65,80/);
  for (const { path, form, status } of [
    { path: '/pedidos', form: { id: 'x', cart: 'bolo:1' }, status: 400 },
    { path: '/pedidos', form: { id: randomUUID(), cart: 'x:1,bolo:-1,broa:NaN' }, status: 400 },
    { path: '/pedidos', form: { cart: 'x'.repeat(200_000) }, status: 413 },
    { path: '/pedidos/x/cancelar', form: {}, status: 404 },
    { path: '/', form: {}, status: 404 },
  ])
    assert.equal((await shop.send(path, form as Record<string, string>)).status, status, path);
  for (const path of ['/pedidos/x', '/produtos/x', '/produtos', '/x', '/pedidos/%3Cb%3E'])
    assert.equal((await shop.call(path)).status, 404, path);
});

test('docs/shops.md contains the code of the example', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/shops.md'), 'utf8');
  const code = await readFile(join(import.meta.dirname, 'payments.ts'), 'utf8');
  assert.ok(page.includes(code.replace(`'#client'`, `'@semana/client'`)));
});
