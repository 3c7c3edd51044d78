import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { inspect, openBrowser } from './in-browser.ts';
import { openSite, PAGES } from './testing.ts';

const { service, siteUrl } = await openSite();
const { open } = await openBrowser(siteUrl);

test('every page of the site: axe finds nothing, the console is silent, nothing scrolls sideways', async () => {
  const { page, complaints } = await open();
  const faults: string[] = [];
  for (const path of PAGES) {
    await page.goto(path);
    faults.push(...(await inspect(page)));
  }
  assert.deepEqual([...faults, ...complaints], []);
  await page.goto('/nada');
  assert.deepEqual(await inspect(page), []);
});

test('an inspection finds what is wrong in one colour scheme or at one width only', async () => {
  const { page } = await open();
  await page.goto('/contato');
  await page.evaluate(() => {
    const add = (tag: string, text: string, style: Partial<CSSStyleDeclaration>) => {
      const element = document.createElement(tag);
      element.textContent = text;
      Object.assign(element.style, style);
      document.querySelector('main')!.append(element);
    };
    add('p', 'Too dark', { color: '#444' });
    add('p', 'Too light', { color: '#ccc' });
    add('input', '', {});
    add('div', 'Wide', { width: '190px' });
    add('div', 'Tall '.repeat(200), { height: '40px', width: '100px', overflow: 'auto' });
    add('p', 'R$ 1.234,56', { width: '5rem' });
    const form = document.querySelector('main form')!;
    form.insertAdjacentHTML('afterbegin', '<button formaction="/other">Other</button>');
  });
  const faults = (await inspect(page)).join('\n');
  for (const fault of [
    /dark: color-contrast: [\s\S]*?foreground color: #444444/,
    /contato color-contrast: [\s\S]*?foreground color: #cccccc/,
    /contato label: /,
    /sideways at 180 px\n/,
    /dark: scrollable-region-focusable: /,
    /breaks R\$ 1\.234,56 in .* at 200 %/,
    /Enter in name leads to \/other/,
  ])
    assert.match(faults, fault);
  assert.doesNotMatch(faults, /at 320 px|at 1280 px/);
});

test('the search answers while one types, keeps the address, and the last word wins', async () => {
  const { page, complaints } = await open();
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
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('with the keyboard alone: past the menu, through the form, to the thanks; back does not send again', async () => {
  const { page } = await open();
  await page.goto('/seja-parceiro');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Ir para o conteúdo');
  await page.keyboard.press('Enter');
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
  const [row] = await service.db.rows<{ n: number }>(
    sql`select count(*)::int as n from leads where kind = 'partner'`,
  );
  assert.equal(row!.n, 1);
  await page.context().close();
});

test('a double click sends once', async () => {
  const { page } = await open();
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1;
  });
  await page.goto('/contato');
  await page.getByLabel('Seu nome').fill('Téo');
  await page.getByLabel('Telefone com DDD').fill('11 98765-0009');
  await page.getByLabel('Mensagem').fill('Oi');
  await page.getByRole('button', { name: 'Enviar mensagem' }).dblclick();
  await page.getByRole('heading', { name: 'Recebemos a sua mensagem.' }).waitFor();
  assert.equal(sent, 1);
  // One that gets no answer may be sent again after a while.
  await page.clock.install();
  await page.goto('/contato');
  const form = page.locator('form[data-once]');
  await form.dispatchEvent('submit');
  assert.equal(await form.getAttribute('aria-busy'), 'true');
  await page.clock.fastForward(15_000);
  assert.equal(await form.getAttribute('aria-busy'), null);
  await page.context().close();
});

test('the simulator of a merchant answers while one types', async () => {
  const { page } = await open();
  await page.goto('/lojas/padaria-flor-do-trigo');
  const amount = page.getByLabel('Valor da compra (R$)');
  await amount.fill('90,00');
  await page.getByLabel('Em quantas semanas').selectOption('3');
  await page.locator('#simulacao .big').filter({ hasText: '3 ×' }).waitFor();
  assert.equal(await page.locator('.schedule tbody tr').count(), 3);
  await amount.fill('0');
  await page.getByText('Escreva o valor assim').waitFor();
  // What is wrong is said of the field, also where the page was not loaded anew.
  assert.equal(await amount.getAttribute('aria-invalid'), 'true');
  assert.equal(await amount.getAttribute('aria-describedby'), 'valor-erro');
  assert.deepEqual(await inspect(page), []);
  await page.context().close();
});
