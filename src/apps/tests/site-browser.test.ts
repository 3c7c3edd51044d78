import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database/db.ts';
import { findPageProblems, openBrowser } from './in-browser.ts';
import { openSite, SITE_PATHS, UNREACHABLE_URL } from './site.ts';

const SLUG = 'padaria-flor-do-trigo';
const { service, siteUrl, startSite } = await openSite();
const { openPage } = await openBrowser(siteUrl);

test('every page of the site passes axe, logs nothing to the console and does not scroll sideways', async () => {
  const { page, consoleErrors } = await openPage();
  const problems: string[] = [];
  for (const path of SITE_PATHS) {
    await page.goto(path);
    problems.push(...(await findPageProblems(page)));
  }
  assert.deepEqual([...problems, ...consoleErrors], []);
  await page.goto('/nada');
  assert.deepEqual(await findPageProblems(page), []);
});

test('findPageProblems finds errors that exist in one colour scheme or at one width only', async () => {
  const { page } = await openPage();
  await page.goto('/contato');
  await page.evaluate(() => {
    const addElement = (tag: string, text: string, style: Partial<CSSStyleDeclaration>) => {
      const element = document.createElement(tag);
      element.textContent = text;
      Object.assign(element.style, style);
      document.querySelector('main')!.append(element);
    };
    addElement('p', 'Too dark', { color: '#444' });
    addElement('p', 'Too light', { color: '#ccc' });
    addElement('input', '', {});
    addElement('div', 'Wide', { width: '190px' });
    addElement('div', 'Tall '.repeat(200), { height: '40px', width: '100px', overflow: 'auto' });
    addElement('p', 'R$ 1.234,56', { width: '5rem' });
    const form = document.querySelector('main form')!;
    form.insertAdjacentHTML('afterbegin', '<button formaction="/other">Other</button>');
  });
  const problems = (await findPageProblems(page)).join('\n');
  for (const problem of [
    /dark: color-contrast: [\s\S]*?foreground color: #444444/,
    /contato color-contrast: [\s\S]*?foreground color: #cccccc/,
    /contato label: /,
    /sideways at 180 px\n/,
    /dark: scrollable-region-focusable: /,
    /breaks R\$ 1\.234,56 in .* at 200 %/,
    /Enter in name leads to \/other/,
  ])
    assert.match(problems, problem);
  assert.doesNotMatch(problems, /at 320 px|at 1280 px/);
});

test('the search updates its results and the URL during typing, and shows the results of the latest input', async () => {
  const { page, consoleErrors } = await openPage();
  await page.goto('/lojas');
  const field = page.getByRole('searchbox', { name: 'Buscar loja' });
  await field.pressSequentially('farmcia', { delay: 15 });
  await page.getByRole('status').filter({ hasText: 'para “farmcia”' }).waitFor();
  await page
    .locator('#resultados')
    .getByRole('link', { name: /Farmácia/ })
    .first()
    .waitFor();
  assert.equal(new URL(page.url()).search, '?q=farmcia');
  await field.fill('');
  await page
    .getByRole('status')
    .filter({ hasText: /^\d+ lojas$/ })
    .waitFor();
  assert.equal(new URL(page.url()).search, '');
  await page.goto('/perguntas');
  await page.getByRole('searchbox').fill('PRORROGACAO');
  await page.getByRole('status').filter({ hasText: 'sobre “PRORROGACAO”' }).waitFor();
  assert.ok((await page.locator('.question').count()) < 10);
  assert.deepEqual(consoleErrors, []);
  await page.context().close();
});

test('the keyboard alone is enough to skip the menu, fill in the form and submit it; going back does not submit again', async () => {
  const { page } = await openPage();
  await page.goto('/seja-parceiro');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Ir para o conteúdo');
  await page.keyboard.press('Enter');
  // The fields are name, shop, e-mail (left empty), phone and message.
  for (const text of ['Célia Ramos', 'Mercado da Célia', '', '(31) 98765-4321', 'Vendo\nde tudo']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Recebemos a sua mensagem.' }).waitFor();
  await page.goBack();
  assert.equal(new URL(page.url()).pathname, '/seja-parceiro');
  await page.goForward();
  const [row] = await service.db.rows<{ count: number }>(
    sql`select count(*)::int as count from leads where kind = 'partner'`,
  );
  assert.equal(row!.count, 1);
  await page.context().close();
});

test('a double click submits once', async () => {
  const { page } = await openPage();
  let postCount = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') postCount += 1;
  });
  await page.goto('/contato');
  await page.getByLabel('Seu nome').fill('Téo');
  await page.getByLabel('Telefone com DDD').fill('11 98765-0009');
  await page.getByLabel('Mensagem').fill('Oi');
  await page.getByRole('button', { name: 'Enviar mensagem' }).dblclick();
  await page.getByRole('heading', { name: 'Recebemos a sua mensagem.' }).waitFor();
  assert.equal(postCount, 1);
  // A form without a response can be submitted again after 15 seconds.
  await page.clock.install();
  await page.goto('/contato');
  const form = page.locator('form[data-once]');
  await form.dispatchEvent('submit');
  assert.equal(await form.getAttribute('aria-busy'), 'true');
  await page.clock.fastForward(15_000);
  assert.equal(await form.getAttribute('aria-busy'), null);
  await page.context().close();
});

test('the simulator of a merchant updates during typing', async () => {
  const { page } = await openPage();
  await page.goto('/lojas/padaria-flor-do-trigo');
  const amount = page.getByLabel('Valor da compra (R$)');
  await amount.fill('90,00');
  await page.getByLabel('Em quantas semanas').selectOption('3');
  await page.locator('#simulacao .big').filter({ hasText: '3 ×' }).waitFor();
  assert.equal(await page.locator('.schedule tbody tr').count(), 3);
  await amount.fill('0');
  await page.getByText('Escreva o valor assim').waitFor();
  // The error belongs to the field, although the page was not reloaded.
  assert.equal(await amount.getAttribute('aria-invalid'), 'true');
  assert.equal(await amount.getAttribute('aria-describedby'), 'valor-erro');
  assert.deepEqual(await findPageProblems(page), []);
  await page.context().close();
});

/**
 * The site of a shop, with its own strict Content-Security-Policy. Its query may set the URL of the site that serves the widget, the
 * attribute by which the script loads, and the merchant.
 */
const shopServer = createServer((request, response) => {
  if (request.url === '/shop.css')
    return response
      .writeHead(200, { 'content-type': 'text/css' })
      .end(
        'semana-parcelas { display: block; min-height: 4.4em; font-size: .875rem; line-height: 1.4 } ' +
          '@media (max-width: 30rem) { semana-parcelas { min-height: 10.2em } }',
      );
  const query = new URL(request.url!, 'http://shop').searchParams;
  const widgetSiteUrl = query.get('widget') ?? siteUrl;
  const loadAttribute = query.get('load') ?? 'async';
  const merchant = query.get('merchant') ?? SLUG;
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${widgetSiteUrl}; connect-src ${widgetSiteUrl}; style-src 'self'; img-src data:`,
  });
  return response.end(`<!doctype html><html lang="pt-BR"><head><title>Loja</title>
    <link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css">
    <script src="${widgetSiteUrl}/widget.js" ${loadAttribute}></script></head>
    <body><h1>Bolo</h1><semana-parcelas merchant="${merchant}" amount="120" installments="4">Fale com a gente</semana-parcelas><p id="below">Comprar</p></body></html>`);
});
await new Promise<void>((resolve) => shopServer.listen(0, '127.0.0.1', resolve));
after(() => shopServer.close());
const shopUrl = `http://127.0.0.1:${(shopServer.address() as AddressInfo).port}`;

const readWidgetText = async (page: Page) =>
  (await page.locator('semana-parcelas div').first().innerText()).replaceAll('\u00a0', ' ');

async function waitForWidgetText(page: Page, text: string): Promise<string> {
  await page.locator('semana-parcelas div:not(.reserve)').filter({ hasText: text }).waitFor();
  return readWidgetText(page);
}

/** Records the layout shifts of the pages that are loaded from now on. `listShifts` returns them. */
const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });

const listShifts = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { layoutShifts: number[] }).layoutShifts);

test('under a strict content policy of a shop the widget shows price, total, CET and creditor with one request and no layout shift', async () => {
  const { page, consoleErrors } = await openPage();
  const requestedPaths: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(siteUrl)) requestedPaths.push(request.url().slice(siteUrl.length));
  });
  await recordShifts(page);
  await page.goto(shopUrl);
  const text = await waitForWidgetText(page, 'por semana');
  assert.match(text, /4 × de .*R\$ \d+,\d\d.* por semana, no PIX/s);
  assert.match(text, /Total R\$ 1\d\d,\d\d/);
  assert.match(text, /CET [\d,]+% ao mês, [\d,]+% ao ano/);
  assert.match(text, /Credor: .+, CNPJ .+Sujeito a análise/);
  assert.deepEqual(requestedPaths, [
    '/widget.js',
    `/public/merchants/${SLUG}/quote?amount=120.00&installments=4`,
  ]);
  assert.deepEqual(await listShifts(page), []);
  assert.deepEqual(await page.context().cookies(), []);
  assert.deepEqual(consoleErrors, []);
});

test('the widget follows the amount, shows only the latest quote, and nothing for an invalid amount', async () => {
  const { page } = await openPage();
  await page.goto(shopUrl);
  await waitForWidgetText(page, 'Total R$');
  const setAmount = (amount: string) =>
    page
      .locator('semana-parcelas')
      .evaluate((element, value) => element.setAttribute('amount', value), amount);
  for (const amount of ['200', '300', '40,00']) await setAmount(amount);
  await waitForWidgetText(page, 'Total R$\u00a04'); // the quote of 40,00
  await setAmount('de graça');
  await page.locator('semana-parcelas slot').waitFor({ state: 'attached' });
});

test('on narrow phones the widget causes no layout shift, and a classic or module script requests the quote once', async () => {
  for (const [width, loadAttribute] of [
    [320, ''],
    [360, 'type="module"'],
    [412, 'async'],
  ] as const) {
    const { page, consoleErrors } = await openPage();
    await page.setViewportSize({ width, height: 700 });
    let quoteCount = 0;
    page.on('request', (request) => {
      if (request.url().includes('/quote?')) quoteCount += 1;
    });
    await recordShifts(page);
    await page.goto(`${shopUrl}/?load=${encodeURIComponent(loadAttribute)}`);
    await waitForWidgetText(page, 'por semana');
    assert.deepEqual([width, quoteCount, await listShifts(page)], [width, 1, []]);
    assert.deepEqual(consoleErrors, []);
  }
});

test('for an unknown merchant the widget shows its fallback text and logs one warning with the reason', async () => {
  const { page } = await openPage();
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await page.goto(`${shopUrl}/?merchant=nenhuma`);
  await page.locator('semana-parcelas slot').waitFor({ state: 'attached' });
  assert.match(await page.locator('body').innerText(), /Fale com a gente/);
  assert.deepEqual(warnings, ['<semana-parcelas>: não há loja "nenhuma"']);
});

test('if the API is unavailable the widget shows its fallback text, and the shop’s page does not change otherwise', async () => {
  const brokenSiteUrl = await startSite({ apiUrl: UNREACHABLE_URL });
  const { page } = await openPage();
  const quoteResponseEvent = page.waitForResponse(/\/quote\?/);
  await page.goto(`${shopUrl}/?widget=${encodeURIComponent(brokenSiteUrl)}`);
  assert.equal((await quoteResponseEvent).status(), 503);
  await page.locator('semana-parcelas slot').waitFor({ state: 'attached' });
  assert.equal(await page.locator('body').innerText(), 'Bolo\nFale com a gente\n\nComprar');
});

test('the widget script has at most 5 KB, allows every origin, and sets no cookie', async () => {
  const response = await fetch(`${siteUrl}/widget.js`, { headers: { 'accept-encoding': 'br' } });
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(response.headers.get('set-cookie'), null);
  const length = Number(response.headers.get('content-length'));
  assert.ok(length > 0 && length <= 5 * 1024, `${length} bytes`);
  assert.match(await response.text(), /semana-parcelas/);
});

test('quotes of the widget are cacheable, allow every origin and equal those of the API; invalid input is refused', async () => {
  const getQuote = (path: string, slug = SLUG) => fetch(`${siteUrl}/public/merchants/${slug}/quote${path}`);
  const response = await getQuote('?amount=120&installments=4');
  assert.equal(response.headers.get('cache-control'), 'public, max-age=300');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  const { creditor, ...quote } = (await response.json()) as Record<string, unknown>;
  assert.ok(creditor);
  const apiResponse = await service.get(`/public/merchants/${SLUG}/quote?amount=120&installments=4`);
  assert.deepEqual(quote, apiResponse.body);
  for (const query of [
    '',
    '?amount=0.001&installments=4',
    '?amount=12&installments=x',
    '?amount=1e9&installments=4',
  ])
    assert.equal((await getQuote(query)).status, 400, query);
  assert.equal((await getQuote('?amount=12&installments=4', 'nenhuma')).status, 404);
  assert.equal((await getQuote('?amount=12&installments=99')).status, 400);
});

test('an IP address gets 120 widget quotes a minute, and exceeding them does not affect the pages of the site', async () => {
  const freshSiteUrl = await startSite(); // the other tests of this file have used up a part of the limit
  const requestQuote = () =>
    fetch(`${freshSiteUrl}/public/merchants/${SLUG}/quote?amount=120&installments=4`);
  const firstResponses = await Promise.all(Array.from({ length: 120 }, requestQuote));
  assert.ok(firstResponses.every(({ status }) => status === 200));
  const refusal = await requestQuote();
  assert.equal(refusal.status, 429);
  assert.equal(refusal.headers.get('retry-after'), '60');
  assert.equal(refusal.headers.get('access-control-allow-origin'), '*');
  assert.equal((await fetch(`${freshSiteUrl}/lojas`)).status, 200);
});
