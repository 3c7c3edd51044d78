import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient, WebhookError } from '#client';
import { openOrders } from './orders.ts';
import { createPages } from './pages.ts';
import { createPayments, type Order } from './payments.ts';
import { type Cart, formatCart, listItems, PRODUCTS, parseCart, sumAmount } from './products.ts';

export type ShopOptions = {
  port: number;
  /** The URL of the shop in browsers. */
  url: string;
  /** The partner API, and the merchant's key. */
  api: { url: string; key: string };
  webhookSecret: string;
  /** The URL of Semana's pages, which serve the widget. */
  webUrl: string;
  /** The merchant whose plan the widget displays. */
  merchantSlug: string;
  /** The path of the file that stores the orders. */
  ordersPath: string;
  /** The interval at which pending orders are updated from the service. */
  syncEveryMs: number;
  log: (text: string) => void;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_BODY_BYTES = 100_000;
const KEEP_ALIVE_MS = 65_000;

class RefusedRequest extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function openShop(options: ShopOptions) {
  const { port, url, webUrl, webhookSecret, syncEveryMs, log } = options;
  const orders = openOrders(options.ordersPath);
  const api = createClient({ ...options.api, headers: { 'accept-language': 'pt-BR' } });
  const payments = createPayments({ api, url, webhookSecret, findOrder: orders.get, saveOrder: orders.save });
  const pages = createPages(options);
  const style = readFileSync(join(import.meta.dirname, 'style.css'));

  /** Updates an order in place from the service. If the service does not respond, the order keeps its stored state. */
  const trySync = (order: Order) => payments.sync(order).catch((error: unknown) => log(String(error)));

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, resource = '', id = '', verb] = new URL(request.url ?? '/', url).pathname.split('/');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const [, cartText = ''] = /(?:^|; )sacola=([^;]*)/.exec(request.headers.cookie ?? '') ?? [];
    const cart = parseCart(cartText);
    const sendPage = (page: string) => send(response, 200, page);
    const requireOrder = () => {
      const order = orders.get(id);
      if (!order) throw new RefusedRequest(404, 'Não há um pedido neste endereço.');
      return order;
    };
    // For example 'GET /produtos/:id' or 'POST /pedidos/:id/cancelar'.
    const route = [`${method} /${resource}`, id && ':id', verb].filter(Boolean).join('/');
    switch (route) {
      case 'GET /':
        return sendPage(pages.renderHome());
      case 'GET /style.css':
        return void response.writeHead(200, { 'content-type': 'text/css' }).end(style);
      case 'GET /produtos/:id': {
        const product = PRODUCTS.find((candidate) => candidate.id === id);
        if (!product) throw new RefusedRequest(404, 'Não temos este produto.');
        return sendPage(pages.renderProduct(product));
      }
      case 'GET /sacola':
        return sendPage(pages.renderCart(cart, randomUUID()));
      case 'POST /sacola': {
        // The form has one of the two: the id of a product to add, or to remove.
        const { add: addedId, remove: removedId } = await readForm(request);
        const remainingCart = formatCart(cart.filter(({ product }) => product.id !== removedId));
        const newCart = addedId === undefined ? remainingCart : `${remainingCart},${addedId}:1`;
        return redirect(response, '/sacola', { newCart: parseCart(newCart) });
      }
      case 'POST /pedidos': {
        const { id: orderId = '', cart: orderedCartText = '' } = await readForm(request);
        const orderedCart = parseCart(orderedCartText);
        if (!UUID.test(orderId) || orderedCart.length === 0)
          throw new RefusedRequest(400, 'A sacola está vazia.');
        const newOrder = { id: orderId, items: listItems(orderedCart), amount: sumAmount(orderedCart) };
        const order = orders.get(orderId) ?? {
          ...newOrder,
          status: 'pending',
          returnedAmount: 0,
          isFullyReturned: false,
        };
        orders.save(order);
        await trySync(order);
        const payableOffer = order.status === 'pending' && order.offer;
        return redirect(response, payableOffer ? payableOffer.link : `/pedidos/${orderId}`, { newCart: [] });
      }
      // The customer returns here. The outcome in the query is ignored, because any visitor can type it.
      case 'GET /pedidos/:id': {
        const order = requireOrder();
        await trySync(order);
        return sendPage(pages.renderOrder(order, randomUUID()));
      }
      case 'POST /pedidos/:id/cancelar':
        await payments.cancel(requireOrder());
        return redirect(response, `/pedidos/${id}`);
      case 'POST /semana':
        await payments.receiveWebhook(request.headers, await readBody(request));
        return void response.writeHead(204).end();
      default:
        throw new RefusedRequest(404, 'Não há nada neste endereço.');
    }
  }

  function send(response: ServerResponse, status: number, page: string): void {
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      // Browsers also check the targets of redirects after a form, so form-action includes Semana's pages.
      'content-security-policy':
        `default-src 'none'; style-src 'self'; img-src data:; script-src ${webUrl}; connect-src ${webUrl}; ` +
        `form-action 'self' ${webUrl}`,
    });
    response.end(page);
  }

  const server = createServer((request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      const status =
        error instanceof RefusedRequest ? error.status : error instanceof WebhookError ? 400 : 500;
      if (status === 500) log(String(error));
      const text =
        error instanceof RefusedRequest ? error.message : 'Algo deu errado. Tente de novo daqui a pouco.';
      send(response, status, pages.renderError(text));
    });
  });
  // This is longer than the keep-alive time of callers, so that no connection is closed while a request is being sent.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // Updates orders whose webhook did not arrive and whose customer did not return.
  const syncTimer = setInterval(() => {
    for (const order of orders.list()) if (order.status === 'pending') void trySync(order);
  }, syncEveryMs);
  return {
    port: (server.address() as AddressInfo).port,
    orders,
    close() {
      clearInterval(syncTimer);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Redirects the browser. With `newCart`, replaces the cart in its cookie. */
function redirect(response: ServerResponse, location: string, { newCart }: { newCart?: Cart } = {}): void {
  const cookie = newCart && { 'set-cookie': `sacola=${formatCart(newCart)}; Path=/; HttpOnly; SameSite=Lax` };
  response.writeHead(303, { location, ...cookie }).end();
}

/** Reads a body, and refuses a large one. Browsers and the service send a content-length, which Node enforces. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const size = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (size > MAX_BODY_BYTES) throw new RefusedRequest(413, 'É demais de uma vez.');
  return Buffer.concat((await request.toArray()) as Buffer[]);
}

const readForm = async (request: IncomingMessage): Promise<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams((await readBody(request)).toString()));
