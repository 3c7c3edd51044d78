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
const MERCHANT = 'padaria-flor-do-trigo';
const PARTNER = 'Padaria Flor do Trigo';

/** In live mode the operator registers the webhook of a shop once and provides the secret. In the sandbox the shop registers it. */
async function registerWebhook(url: string): Promise<string> {
  const endpoints = await callStaffApi('GET', `?partner=${encodeURIComponent(PARTNER)}&limit=100`);
  const existingEndpoint = endpoints.data.find((endpoint) => endpoint.url === url);
  if (!existingEndpoint)
    return (await callStaffApi('POST', '', { partner: PARTNER, merchant: MERCHANT, url })).secret;
  await callStaffApi('POST', `/${existingEndpoint.id}/enable`);
  return (await callStaffApi('POST', `/${existingEndpoint.id}/rotate`, {})).secret;
}

type StaffResponse = { data: Array<{ id: string; url: string }>; secret: string };

async function callStaffApi(method: string, path: string, body?: object): Promise<StaffResponse> {
  const response = await fetch(`${SEMANA_STAFF_URL}/admin/webhooks${path}`, {
    method,
    headers: { 'x-api-key': SEMANA_OPERATOR_KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as StaffResponse;
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
