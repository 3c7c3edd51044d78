import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eventually, openService } from '../../test/harness.ts';
import { MERCHANT_KEY, openOfferDesk } from '../../test/offer-desk.ts';
import { MERCHANT, OPERATOR_KEY, openShop as openCustomers } from '../../test/shop.ts';
import {
  type Behavior,
  openReceiver,
  type ReceivedDelivery,
  respondWith,
} from '../../test/support/webhook-receiver.ts';
import { openShop } from './shop.ts';

const NEVER_MS = 1e9;
const WEB = 'http://localhost:3003';
const service = await openService();
const customers = openCustomers(service);
const { accept, claim, decline, otherKey, createToken: tokenOf } = await openOfferDesk(service);

// Webhooks go through a receiver that can hold them back.
const hold = respondWith(204);
const receiver = await openReceiver();
const { body: endpoint } = await service.staff('POST', '/admin/webhooks', {
  key: OPERATOR_KEY,
  body: { partner: 'Padaria Flor do Trigo', merchant: MERCHANT, url: receiver.url },
});

const folder = await mkdtemp(join(tmpdir(), 'semana-shop-'));
after(() => rm(folder, { recursive: true }));

async function open({ syncEveryMs = NEVER_MS, file = join(folder, `${randomUUID()}.json`), api = {} } = {}) {
  const shop = await openShop({
    port: 0,
    url: 'http://localhost:3005',
    api: { url: service.partnerUrl, key: MERCHANT_KEY, ...api },
    webhookSecret: endpoint.secret,
    webUrl: WEB,
    merchant: MERCHANT,
    file,
    syncEveryMs,
    log: () => undefined,
  });
  after(shop.close);
  const base = `http://127.0.0.1:${shop.port}`;
  const call = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(base + path, { redirect: 'manual', ...options });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    ...shop,
    file,
    call,
    send: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      call(path, { method: 'POST', headers, body: new URLSearchParams(form) }),
    /** The network delivers a webhook. */
    deliver: async ({ raw, headers }: Pick<ReceivedDelivery, 'raw' | 'headers'>) => {
      const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
      return (await call('/semana', { method: 'POST', headers: Object.fromEntries(signed), body: raw }))
        .status;
    },
    /** Orders a cake and bread; returns the order and the token of its offer. */
    async order(id = randomUUID()) {
      const sent = await call('/pedidos', {
        method: 'POST',
        body: new URLSearchParams({ id, cart: 'bolo:1,broa:2' }),
      });
      const link = sent.headers.get('location')!;
      assert.equal(sent.status, 303, sent.text);
      return { id, order: shop.orders.get(id)!, link, token: link.split('/').at(-1)! };
    },
  };
}
type Opened = Awaited<ReturnType<typeof open>>;
type Placed = Awaited<ReturnType<Opened['order']>>;

const newCustomer = async () => {
  const shopper = await customers.newShopper();
  return { shopper, token: await tokenOf(shopper) };
};

/** A new customer opens the link and accepts. */
async function pay({ token, order }: Placed): Promise<string> {
  const by = await newCustomer();
  const claimed = await claim({ token }, by.token);
  assert.equal(claimed.status, 200, claimed.text);
  const bought = await accept(order.offer!.id, by.token);
  assert.equal(bought.status, 201, bought.text);
  return bought.body.hash;
}

const webhookOf = (placed: Placed, type: string) =>
  eventually(`${type} is delivered`, async () =>
    receiver.received.find(({ body }) => body.type === type && body.data.reference === placed.id),
  );

const statusShown = ({ text }: { text: string }) => /role="status">([^<]*)</.exec(text)![1];

test('an order creates an offer and redirects the customer to its page', async () => {
  const shop = await open();
  const { id, order, link } = await shop.order();
  const made = await service.get(`/merchant/offers/${order.offer!.id}`, { key: MERCHANT_KEY });
  assert.equal(made.body.link, link);
  assert.deepEqual(
    [made.body.reference, made.body.return_url, made.body.status],
    [id, `http://localhost:3005/pedidos/${id}`, 'pending'],
  );
  assert.deepEqual(made.body.items, [
    { name: 'Bolo de casamento', quantity: 1, amount: 180 },
    { name: 'Broas de fubá, dúzia', quantity: 2, amount: 65.8 },
  ]);
  assert.equal(made.body.quote.amount, 245.8);
  const page = await shop.call(`/pedidos/${id}`);
  assert.equal(statusShown(page), 'Aguardando o pagamento');
  assert.match(page.text, /http-equiv="refresh"/);
  assert.ok(page.text.includes(`href="${link}"`));
});

test('a form that is sent twice, also concurrently, creates one order and one offer', async () => {
  const shop = await open();
  const id = randomUUID();
  const both = await Promise.all([shop.order(id), shop.order(id)]);
  assert.equal(both[0].link, both[1].link);
  const found = await service.get(`/merchant/offers?reference=${id}`, { key: MERCHANT_KEY });
  assert.equal(found.body.pagination.total, 1);
});

test('a webhook marks the order as paid before the customer returns', async () => {
  const shop = await open();
  const forward: Behavior = (response, _request, received) => {
    shop.deliver(received).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  };
  receiver.behave = forward;
  const placed = await shop.order();
  const hash = await pay(placed);
  await eventually('the webhook was believed', async () => placed.order.status === 'paid');
  receiver.behave = hold;
  assert.equal(placed.order.checkoutHash, hash);
  const page = await shop.call(`/pedidos/${placed.id}?offer_id=x&status=declined`);
  assert.equal(statusShown(page), 'Pago. Obrigado!');
  assert.doesNotMatch(page.text, /http-equiv="refresh"/);
});

test('an order is paid when the customer returns first and the webhook arrives twice afterwards', async () => {
  const shop = await open();
  const placed = await shop.order();
  await pay(placed);
  assert.equal(placed.order.status, 'pending', 'the shop has received no webhook');
  const accepted = await webhookOf(placed, 'offer.accepted');
  assert.equal(statusShown(await shop.call(`/pedidos/${placed.id}?status=accepted`)), 'Pago. Obrigado!');
  for (const again of [accepted, accepted, await webhookOf(placed, 'offer.created')]) {
    assert.equal(await shop.deliver(again), 204);
    assert.equal(placed.order.status, 'paid');
  }
});

test('without a webhook and without a return polling finds the payment, also after a restart', async () => {
  const shop = await open();
  const placed = await shop.order();
  await pay(placed);
  shop.close();
  const again = await open({ file: shop.file, syncEveryMs: 20 });
  await eventually('the order is read from the service and stored', async () => {
    const [storedOrder] = JSON.parse(await readFile(shop.file, 'utf8'));
    return storedOrder.status === 'paid' && again.orders.get(placed.id)!.status === 'paid';
  });
});

test('a return without an acceptance changes nothing, whatever the query says', async () => {
  const shop = await open();
  const placed = await shop.order();
  const back = `/pedidos/${placed.id}?offer_id=${placed.order.offer!.id}&status=accepted&reference=${placed.id}`;
  assert.equal(statusShown(await shop.call(back)), 'Aguardando o pagamento');
  const by = await newCustomer();
  await claim({ token: placed.token }, by.token);
  assert.equal((await decline(placed.order.offer!.id, by.token)).status, 204);
  const page = await shop.call(back);
  assert.equal(statusShown(page), 'Não foi pago. Você recusou a compra.');
  assert.match(page.text, /action="\/pedidos"/, 'it can be ordered again');
});

test('an offer that is not accepted in time leaves the order unpaid, and a new order of the same goods creates a new offer', async () => {
  const shop = await open();
  const placed = await shop.order();
  service.clock.advance(3_600_000);
  assert.equal(
    statusShown(await shop.call(`/pedidos/${placed.id}`)),
    'Não foi pago. O prazo para pagar terminou.',
  );
  const again = await shop.order();
  assert.notEqual(again.link, placed.link);
});

test('the customer can cancel an order; an order that was accepted just before stays paid', async () => {
  const shop = await open();
  const [one, two] = [await shop.order(), await shop.order()];
  assert.equal((await shop.send(`/pedidos/${one.id}/cancelar`, {})).status, 303);
  assert.deepEqual([one.order.status, one.order.reason], ['unpaid', 'cancelled']);
  await pay(two);
  assert.equal((await shop.send(`/pedidos/${two.id}/cancelar`, {})).status, 303);
  assert.equal(two.order.status, 'paid');
});

test('a partial and a full return reach the order, by webhook and by polling', async () => {
  const shop = await open();
  const placed = await shop.order();
  const hash = await pay(placed);
  const giveBack = async (amount?: number) => {
    const body = { reason: 'Um bolo a menos', ...(amount !== undefined && { amount }) };
    const made = await service.post(`/merchant/checkouts/${hash}/returns`, body, { key: MERCHANT_KEY });
    assert.equal(made.status, 201, made.text);
  };
  await giveBack(122.9);
  assert.equal(await shop.deliver(await webhookOf(placed, 'checkout.returned')), 204);
  assert.deepEqual([placed.order.status, placed.order.isFullyReturned], ['paid', false]);
  assert.ok(placed.order.returned > 0);
  const page = await shop.call(`/pedidos/${placed.id}`);
  assert.equal(statusShown(page), 'Pago, devolvido em parte');
  await giveBack();
  assert.equal(statusShown(await shop.call(`/pedidos/${placed.id}`)), 'Devolvido');
});

test('while the service does not respond an order stays pending, and later gets one offer', async () => {
  const file = join(folder, 'away.json');
  const away = await open({ file, api: { url: 'http://127.0.0.1:1' } });
  const id = randomUUID();
  const { link } = await away.order(id);
  assert.equal(link, `/pedidos/${id}`);
  assert.match(statusShown(await away.call(link))!, /ainda não respondeu/);
  away.close();
  const back = await open({ file });
  assert.equal(statusShown(await back.call(link)), 'Aguardando o pagamento');
  assert.match(back.orders.get(id)!.offer!.link, /\/pagar\//);
});

test('an offer that the service refuses leaves the order unpaid, with the reason', async () => {
  const shop = await open({ api: { key: otherKey } });
  const { order } = await shop.order();
  assert.equal(order.status, 'unpaid');
  assert.match(order.reason!, /return_url/);
});

test('a webhook with a wrong signature, for another order or of another kind changes nothing', async () => {
  const shop = await open();
  const placed = await shop.order();
  const created = await webhookOf(placed, 'offer.created');
  await pay(placed);
  const forged = { ...created, raw: created.raw.replace('offer.created', 'offer.accepted') };
  assert.equal(await shop.deliver(forged), 400);
  assert.equal(await shop.deliver({ raw: '{}', headers: {} }), 400);
  assert.equal(placed.order.status, 'pending');
  const tried = await service.staff('POST', `/admin/webhooks/${endpoint.id}/test`, { key: OPERATOR_KEY });
  assert.equal(tried.status, 200, tried.text);
  const kind = receiver.received.find(({ body }) => body.type === 'webhook.test')!;
  assert.equal(await shop.deliver(kind), 204);
  assert.equal(await (await open()).deliver(created), 204, 'an order that this shop does not know');
});

test('the pages have products with the widget, a cart without a script, and clear refusals', async () => {
  const shop = await open();
  assert.match((await shop.call('/')).text, /href="\/produtos\/bolo"/);
  const product = await shop.call('/produtos/broa');
  assert.match(
    product.text,
    /<semana-parcelas merchant="padaria-flor-do-trigo" amount="32.90" installments="4">/,
  );
  assert.ok(product.text.includes(`<script src="${WEB}/widget.js" async>`));
  assert.match((await shop.call('/sacola')).text, /vazia/);
  const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')!.split(';')[0]!;
  let cookie = '';
  for (const form of [{ add: 'broa' }, { add: 'broa' }, { add: 'bolo' }, { add: 'x' }, { remove: 'bolo' }])
    cookie = cookieOf(await shop.send('/sacola', form as Record<string, string>, { cookie }));
  assert.equal(cookie, 'sacola=broa:2');
  const cart = await shop.call('/sacola', { headers: { cookie } });
  assert.match(cart.text, /Total R\$\s65,80/);
  for (const [path, form, status] of [
    ['/pedidos', { id: 'x', cart: 'bolo:1' }, 400],
    ['/pedidos', { id: randomUUID(), cart: 'x:1,bolo:-1,broa:NaN' }, 400],
    ['/pedidos', { cart: 'x'.repeat(200_000) }, 413],
    ['/pedidos/x/cancelar', {}, 404],
    ['/', {}, 404],
  ] as const)
    assert.equal((await shop.send(path, form)).status, status, path);
  for (const path of ['/pedidos/x', '/produtos/x', '/produtos', '/x', '/pedidos/%3Cb%3E'])
    assert.equal((await shop.call(path)).status, 404, path);
});

test('docs/shops.md contains the code of the example', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/shops.md'), 'utf8');
  const code = await readFile(join(import.meta.dirname, 'payments.ts'), 'utf8');
  assert.ok(page.includes(code.replace(`'#client'`, `'@semana/client'`)));
});
