// npm run shop: the example shop beside a sandbox on this machine.
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
const MERCHANT = 'padaria-flor-do-trigo';
const PARTNER = 'Padaria Flor do Trigo';

/** In live the operator registers a shop's webhook once, and gives it the secret. Here the shop does both. */
async function registerWebhook(url: string): Promise<string> {
  const found = await staff('GET', `?partner=${encodeURIComponent(PARTNER)}&limit=100`);
  const known = found.data.find((endpoint) => endpoint.url === url);
  if (!known) return (await staff('POST', '', { partner: PARTNER, merchant: MERCHANT, url })).secret;
  await staff('POST', `/${known.id}/enable`);
  return (await staff('POST', `/${known.id}/rotate`, {})).secret;
}

type Staff = { data: Array<{ id: string; url: string }>; secret: string };

async function staff(method: string, path: string, body?: object): Promise<Staff> {
  const response = await fetch(`${SEMANA_STAFF_URL}/admin/webhooks${path}`, {
    method,
    headers: { 'x-api-key': SEMANA_OPERATOR_KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Staff;
}

try {
  const webhookSecret = await registerWebhook(`http://127.0.0.1:${SHOP_PORT}/semana`);
  const shop = await openShop({
    port: Number(SHOP_PORT),
    url: `http://localhost:${SHOP_PORT}`,
    api: { url: SEMANA_URL, key: SEMANA_KEY },
    webhookSecret,
    webUrl: SEMANA_WEB_URL,
    merchant: MERCHANT,
    file: join(import.meta.dirname, '../../.semana/shop.json'),
    askEveryMs: 60_000,
    log: (text) => void process.stderr.write(`${text}\n`),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shop.close());
  process.stdout.write(`The shop is open: http://localhost:${shop.port} (ctrl-C ends it)\n`);
} catch (error) {
  const { cause } = error as Error;
  process.stderr.write(`The shop cannot open: ${cause ?? error}. Is the sandbox running ('npm start')?\n`);
  process.exitCode = 1;
}
