// npm run shop: starts the example shop, which uses a sandbox on this machine.
import { join } from 'node:path';
import { openShop } from './shop.ts';

const {
  SHOP_PORT = '3005',
  SEMANA_URL = 'http://localhost:3000',
  SEMANA_WEB_URL = 'http://localhost:3003',
  SEMANA_STAFF_URL = 'http://localhost:3001',
  SEMANA_KEY = 'sandbox-merchant-key',
  SEMANA_OPERATOR_KEY = 'sandbox-operator-key',
} = process.env;
const MERCHANT_SLUG = 'padaria-flor-do-trigo';
const PARTNER = 'Padaria Flor do Trigo';

/** Registers the webhook of the shop in the sandbox, and returns its secret. In live mode the operator does this once. */
async function registerWebhook(url: string): Promise<string> {
  const endpoints = await callWebhookApi('GET', `?partner=${encodeURIComponent(PARTNER)}&limit=100`);
  const existingEndpoint = endpoints.data.find((endpoint) => endpoint.url === url);
  if (!existingEndpoint)
    return (await callWebhookApi('POST', '', { partner: PARTNER, merchant: MERCHANT_SLUG, url })).secret;
  await callWebhookApi('POST', `/${existingEndpoint.id}/enable`);
  return (await callWebhookApi('POST', `/${existingEndpoint.id}/rotate`, {})).secret;
}

/** A response has `data` if it is a list, and `secret` if it is a webhook. */
type WebhookResponse = { data: Array<{ id: string; url: string }>; secret: string };

/** Calls an operation on webhooks of the staff API. `path` is relative to /admin/webhooks. */
async function callWebhookApi(method: string, path: string, body?: object): Promise<WebhookResponse> {
  const response = await fetch(`${SEMANA_STAFF_URL}/admin/webhooks${path}`, {
    method,
    headers: { 'x-api-key': SEMANA_OPERATOR_KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as WebhookResponse;
}

try {
  const webhookSecret = await registerWebhook(`http://127.0.0.1:${SHOP_PORT}/semana`);
  const shop = await openShop({
    port: Number(SHOP_PORT),
    url: `http://localhost:${SHOP_PORT}`,
    api: { url: SEMANA_URL, key: SEMANA_KEY },
    webhookSecret,
    webUrl: SEMANA_WEB_URL,
    merchantSlug: MERCHANT_SLUG,
    ordersPath: join(import.meta.dirname, '../../.semana/shop.json'),
    syncEveryMs: 60_000,
    log: (text) => void process.stderr.write(`${text}\n`),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shop.close());
  process.stdout.write(`The shop is running: http://localhost:${shop.port} (Ctrl-C stops it)\n`);
} catch (error) {
  const { cause } = error as Error;
  process.stderr.write(
    `The shop could not start: ${cause ?? error}. Is the sandbox running ('npm start')?\n`,
  );
  process.exitCode = 1;
}
