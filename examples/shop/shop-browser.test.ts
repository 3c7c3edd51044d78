import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import decodeQr from 'qr/decode.js';
import { openSite } from '../../src/apps/tests/site.ts';
import { launchBrowser } from '../../test/browser.ts';
import { createOfferDriver, MERCHANT_KEY } from '../../test/offer-driver.ts';
import { MERCHANT, newPhone, OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { openShop } from './shop.ts';

const PHONE_SCREEN = { viewport: { width: 360, height: 740 } };
/** An interval that does not elapse during the test. */
const NEVER_MS = 1e9;
/** The URLs of the site and the shop in the README. */
const SITE_URL = 'http://localhost:3003';
const SHOP_URL = 'http://localhost:3005';

const { service, siteUrl } = await openSite();
const { createOpenOffer, getOffer } = await createOfferDriver(service);
const folder = await mkdtemp(join(tmpdir(), 'semana-shop-'));
const { body: endpoint } = await service.staff('POST', '/admin/webhooks', {
  key: OPERATOR_KEY,
  body: { partner: 'Padaria Flor do Trigo', merchant: MERCHANT, url: 'http://127.0.0.1:9/semana' },
});
const shop = await openShop({
  port: 0,
  url: SHOP_URL,
  api: { url: service.partnerUrl, key: MERCHANT_KEY },
  webhookSecret: endpoint.secret,
  webUrl: SITE_URL,
  merchantSlug: MERCHANT,
  ordersPath: join(folder, 'orders.json'),
  syncEveryMs: NEVER_MS,
  log: () => undefined,
});
// The browser uses the URLs of the README, which these rules map to the ports of this test.
const resolverRules = [
  `MAP ${new URL(SITE_URL).host} ${new URL(siteUrl).host.replace('localhost', '127.0.0.1')}`,
  `MAP ${new URL(SHOP_URL).host} 127.0.0.1:${shop.port}`,
];
const browser = await launchBrowser([`--host-resolver-rules=${resolverRules.join(',')}`]);
after(async () => {
  await browser.close();
  shop.close();
  await rm(folder, { recursive: true });
});

const pressButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

/** Signs up on the page of an offer, and accepts the offer. */
async function signUpAndAccept(page: Page): Promise<void> {
  await page.getByLabel('Seu celular com DDD').fill(newPhone());
  await pressButton(page, 'Continuar');
  await page.waitForURL('**/codigo');
  const code = await page.locator('.sandbox-code b').innerText();
  await page.getByLabel('Código de 6 números').fill(code);
  await pressButton(page, 'Continuar');
  await pressButton(page, 'Preencher por mim');
  await page.getByRole('checkbox').check();
  await pressButton(page, 'Continuar');
  await pressButton(page, /^Aceitar: /);
}

const openPhoneContext = (): Promise<BrowserContext> => browser.newContext(PHONE_SCREEN);

test('on a phone: from a product with its weekly price, by way of sign-up, to an order that is paid', async () => {
  const context = await openPhoneContext();
  const page = await context.newPage();
  await page.goto(SHOP_URL);
  await page.getByRole('link', { name: 'Cesta de café da manhã' }).click();
  await page.getByText(/^ou 4\s× de/).waitFor();
  await pressButton(page, 'Pôr na sacola');
  await pressButton(page, 'Pagar por semana com a Semana');
  await page.waitForURL(`${SITE_URL}/pagar/**`);
  await signUpAndAccept(page);
  await page.getByRole('heading', { name: /^Compra feita: / }).waitFor();
  await page.waitForURL(`${SHOP_URL}/pedidos/**`);
  await page.getByText('Pago. Obrigado!').waitFor();
  const [order] = shop.orders.list();
  assert.equal(order!.status, 'paid');
  assert.equal((await getOffer(order!.offer!.id)).status, 'accepted');
  await context.close();
});

test('at a counter: a customer scans the QR code of the till with a phone, and accepts the offer', async () => {
  const offer = await createOpenOffer({ amount: 42.5, installments: 2, description: 'Pão e café' });
  const counter = await browser.newContext();
  const tillPage = await counter.newPage();
  await tillPage.setContent(`<img alt="QR code" src="${offer.qr_code}">`);
  const screenshot = PNG.sync.read(await tillPage.getByAltText('QR code').screenshot());
  const link = decodeQr(screenshot);
  assert.match(link, /^http:\/\/localhost:3003\/pagar\/[\w-]{22}$/);
  const context = await openPhoneContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Padaria Flor do Trigo' }).waitFor();
  await signUpAndAccept(page);
  await page.getByRole('heading', { name: /^Compra feita: R\$\s42,50\.$/ }).waitFor();
  await page.getByText('Mostre esta tela em Padaria Flor do Trigo').waitFor();
  assert.equal((await getOffer(offer.id)).status, 'accepted');
  await context.close();
});
