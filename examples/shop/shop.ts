import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient, WebhookError } from '#client';
import { openOrders } from './orders.ts';
import { openPages } from './pages.ts';
import { type Order, openPayments } from './payments.ts';
import { amountOf, itemsOf, PRODUCTS, readCart, writeCart } from './products.ts';

export type ShopOptions = {
  port: number;
  /** The shop as browsers see it. */
  url: string;
  /** The front door, and the merchant's key. */
  api: { url: string; key: string };
  webhookSecret: string;
  /** Semana's pages, where the widget comes from, and the merchant whose plan it shows. */
  webUrl: string;
  merchant: string;
  /** Where orders are kept. */
  file: string;
  /** How often the service is asked about orders that wait. */
  askEveryMs: number;
  log: (text: string) => void;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOST_BYTES = 100_000;
const KEEP_ALIVE_MS = 65_000;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function openShop(options: ShopOptions) {
  const { port, url, webUrl, webhookSecret, askEveryMs, log } = options;
  const orders = openOrders(options.file);
  const api = createClient({ ...options.api, headers: { 'accept-language': 'pt-BR' } });
  const payments = openPayments({ api, url, webhookSecret, find: orders.get, save: orders.save });
  const pages = openPages(options);
  const style = readFileSync(join(import.meta.dirname, 'style.css'));

  /** While the service does not answer, what is known of an order is shown. */
  const trySync = (order: Order) => payments.sync(order).catch((error: unknown) => log(String(error)));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, place = '', id = '', verb] = new URL(request.url ?? '/', url).pathname.split('/');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const cart = readCart(/(?:^|; )sacola=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
    const show = (page: string) => send(response, 200, page);
    const orderAsked = () => {
      const order = orders.get(id);
      if (!order) throw new Refused(404, 'Não há um pedido neste endereço.');
      return order;
    };
    switch (`${method} /${place}${id && '/:id'}${verb ? `/${verb}` : ''}`) {
      case 'GET /':
        return show(pages.home());
      case 'GET /style.css':
        return void response.writeHead(200, { 'content-type': 'text/css' }).end(style);
      case 'GET /produtos/:id': {
        const product = PRODUCTS.find((one) => one.id === id);
        if (!product) throw new Refused(404, 'Não temos este produto.');
        return show(pages.product(product));
      }
      case 'GET /sacola':
        return show(pages.cart(cart, randomUUID()));
      case 'POST /sacola': {
        const { add, remove } = await readForm(request);
        const kept = cart.filter(({ product }) => product.id !== remove);
        return redirect(response, '/sacola', writeCart(readCart(`${writeCart(kept)},${add}:1`)));
      }
      case 'POST /pedidos': {
        const { id: asked = '', cart: text = '' } = await readForm(request);
        const wanted = readCart(text);
        if (!UUID.test(asked) || wanted.length === 0) throw new Refused(400, 'A sacola está vazia.');
        const fresh = { id: asked, items: itemsOf(wanted), amount: amountOf(wanted) };
        const order = orders.get(asked) ?? {
          ...fresh,
          status: 'pending',
          returned: 0,
          isWhollyReturned: false,
        };
        orders.save(order);
        await trySync(order);
        const payable = order.status === 'pending' && order.offer;
        return redirect(response, payable ? payable.link : `/pedidos/${asked}`, '');
      }
      // The customer comes back here. What the address says of the outcome is ignored: anybody can type it.
      case 'GET /pedidos/:id': {
        await trySync(orderAsked());
        return show(pages.order(orderAsked(), randomUUID()));
      }
      case 'POST /pedidos/:id/cancelar':
        await payments.cancel(orderAsked());
        return redirect(response, `/pedidos/${id}`);
      case 'POST /semana':
        await payments.hear(request.headers, await readBody(request));
        return void response.writeHead(204).end();
      default:
        throw new Refused(404, 'Não há nada neste endereço.');
    }
  }

  function send(response: ServerResponse, status: number, page: string): void {
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      // Browsers check where a form is redirected to as well: so Semana's pages are in form-action.
      'content-security-policy':
        `default-src 'none'; style-src 'self'; img-src data:; script-src ${webUrl}; connect-src ${webUrl}; ` +
        `form-action 'self' ${webUrl}`,
    });
    response.end(page);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const status = error instanceof Refused ? error.status : error instanceof WebhookError ? 400 : 500;
      if (status === 500) log(String(error));
      const text = error instanceof Refused ? error.message : 'Algo deu errado. Tente de novo daqui a pouco.';
      send(response, status, pages.fault(text));
    });
  });
  // Longer than callers keep a connection, so that none is closed while a request is on its way.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // For orders that no webhook told of, and whose customer did not come back.
  const asking = setInterval(() => {
    for (const order of orders.all()) if (order.status === 'pending') void trySync(order);
  }, askEveryMs);
  return {
    port: (server.address() as AddressInfo).port,
    orders,
    close() {
      clearInterval(asking);
      server.close();
      server.closeAllConnections();
    },
  };
}

function redirect(response: ServerResponse, location: string, cart?: string): void {
  const cookie = cart === undefined ? {} : { 'set-cookie': `sacola=${cart}; Path=/; HttpOnly; SameSite=Lax` };
  response.writeHead(303, { location, ...cookie }).end();
}

/** Browsers and the service say how long a body is; Node holds them to it. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const size = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (size > MOST_BYTES) throw new Refused(413, 'É demais de uma vez.');
  return Buffer.concat((await request.toArray()) as Buffer[]);
}

const readForm = async (request: IncomingMessage): Promise<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams((await readBody(request)).toString()));
