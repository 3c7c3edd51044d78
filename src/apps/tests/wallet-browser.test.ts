import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database/db.ts';
import { startWeb } from '../start.ts';
import { inspect, openBrowser } from './in-browser.ts';
import { button, signIn, walkFromInvitation } from './journeys.ts';
import { openSite } from './testing.ts';

const { service, siteUrl, options } = await openSite();
const { open, watch } = await openBrowser(siteUrl);
const PHONE = { viewport: { width: 390, height: 844 } };
const ANA = { phone: '+5511987650001', password: 'semana-demo-1' };

const unfold = (page: Page, name: string) => page.locator('summary', { hasText: name }).click();

test('somebody new, on a phone: invited, signed up, an offer accepted, a PIX paid, green by itself, cashback', async () => {
  const { page, complaints } = await open(PHONE);
  await walkFromInvitation(page, service, { phone: '(11) 98765-4321', cpf: '862.883.667-57' }, async () => {
    await page.getByRole('heading', { name: /^Recebemos R\$\s30,00\.$/ }).waitFor();
  });
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('every page of the wallet: axe finds nothing, the console is silent, nothing scrolls sideways', async () => {
  // What merchants write is not always made of words.
  const offer = { phone: '+5511987650001', amount: 50, installments: 2, description: 'PEDIDO'.repeat(12) };
  assert.equal((await service.post('/merchant/offers', offer, { key: 'sandbox-merchant-key' })).status, 201);
  const { page, complaints } = await open();
  const faults: string[] = [];
  const look = async () => {
    faults.push(...(await inspect(page)));
  };
  for (const path of [
    '/carteira/entrar',
    '/carteira/cadastro?convite=K7RW29AX',
    '/carteira/senha',
    '/carteira/sem-conexao',
  ]) {
    await page.goto(path);
    await look();
  }
  await page.goto('/carteira/entrar');
  await button(page, 'Entrar').click();
  await page.getByRole('alert').waitFor();
  await look();
  await page.goto('/carteira/cadastro');
  await page.getByLabel('Celular com DDD').fill('(31) 98765-4321');
  await button(page, 'Receber código').click();
  await page.getByRole('heading', { name: 'Complete o seu cadastro' }).waitFor();
  await look();
  await button(page, 'Criar conta').click();
  await page.getByRole('alert').waitFor();
  await look();
  for (const path of ['/carteira/entrar/codigo', '/carteira/senha/nova']) {
    await page.goto(path);
    await look();
  }
  await signIn(page, ANA);
  for (const path of ['', '?situacao=pagas', '/ofertas', '/pagar', '/cashback', '/convites', '/perfil']) {
    await page.goto(`/carteira${path}`);
    if (path === '') await page.locator('.sandbox summary').click();
    await look();
  }
  await page.goto('/carteira?situacao=atrasadas');
  await page.locator('.rows a').first().click();
  await page.getByRole('heading', { name: 'Semana a semana' }).waitFor();
  await page.getByText('O que foi combinado').click();
  await look();
  await page.getByRole('link', { name: /Pagar a/ }).click();
  await page.getByRole('heading', { name: 'Escolha o que cabe hoje' }).waitFor();
  await look();
  await unfold(page, 'Usar cashback');
  await button(page, 'Usar cashback').click();
  await page.getByRole('heading', { name: 'Confirme o uso do cashback' }).waitFor();
  await look();
  await page.getByRole('link', { name: 'Voltar sem usar' }).click();
  for (const name of ['Pagar uma parte', 'Prorrogar por 7 dias', 'Usar cashback']) await unfold(page, name);
  await look();
  await button(page, /Prorrogar/).click();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await look();
  await page.locator('.sandbox summary').click();
  await button(page, 'Receber uma oferta').click();
  await page.getByRole('heading', { name: 'Quanto custa' }).waitFor();
  await look();
  await button(page, 'Recusar').click();
  await page.getByText('Oferta recusada').waitFor();
  assert.deepEqual([...faults, ...complaints], []);
  await page.context().close();
});

test('with the keyboard alone: in, to the late installment, a part of it, to the code; never under the tabs', async () => {
  const { page } = await open({ viewport: { width: 360, height: 640 } });
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  const isUnderTabs = () =>
    page.evaluate(() => {
      const { left, right, top, bottom } = document.activeElement!.getBoundingClientRect();
      const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return !document.activeElement!.closest('.tabs') && seen?.closest('.tabs') !== null;
    });
  const tabTo = async (text: RegExp) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      assert.equal(await isUnderTabs(), false, `${await focused()} is under the tabs`);
      if (text.test((await focused()) ?? '')) return;
    }
    assert.fail(`no way to ${text} by keyboard`);
  };
  await page.goto('/carteira/entrar');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Ir para o conteúdo');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('11987650001');
  await page.keyboard.press('Tab');
  await page.keyboard.type('semana-demo-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Olá, Ana' }).waitFor();
  await tabTo(/^Ótica Vista Linda/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Semana a semana' }).waitFor();
  await tabTo(/^Pagar a/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Escolha o que cabe hoje' }).waitFor();
  await tabTo(/^Pagar uma parte/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await page.context().close();
});

test('back after a POST shows the page again and sends nothing; a double click sends once', async () => {
  const { page, complaints } = await open();
  await signIn(page, ANA);
  let posts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') posts += 1;
  });
  await page.goto('/carteira?situacao=abertas');
  await page.locator('.rows a').first().click();
  await page.getByRole('link', { name: /Pagar a/ }).click();
  await unfold(page, 'Pagar uma parte');
  await page.getByLabel('Quanto pagar agora').fill('1.500');
  await button(page, 'Gerar PIX desta parte').dblclick();
  await page.getByText('Escreva o valor assim').waitFor();
  assert.equal(await page.getByLabel('Quanto pagar agora').inputValue(), '1.500');
  await page.getByLabel('Quanto pagar agora').fill('20');
  await button(page, 'Gerar PIX desta parte').dblclick();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  assert.equal(posts, 2);
  await page.goBack();
  await page.getByRole('link', { name: /Ver o código PIX de R\$\s20,00/ }).waitFor();
  await unfold(page, 'Usar cashback');
  await page.getByLabel('Quanto usar').fill('0,5');
  await button(page, 'Usar cashback').dblclick();
  await button(page, /^Usar R\$\s0,50 de cashback$/).dblclick();
  await page.getByText(/Você usou R\$\s0,50 de cashback/).waitFor();
  assert.equal(posts, 4);
  await page.goBack();
  await page.goForward();
  assert.equal(posts, 4);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a session that ends in the middle of a form: one signs in, and what was typed is there', async () => {
  const { page } = await open();
  await signIn(page, ANA);
  await page.goto('/carteira?situacao=abertas');
  await page.locator('.rows a').first().click();
  await page.getByRole('link', { name: /Pagar a/ }).click();
  await unfold(page, 'Pagar uma parte');
  await page.getByLabel('Quanto pagar agora').fill('13,37');
  const form = page.url();
  await service.db.run(sql`delete from sessions`);
  service.clock.advance(16 * 60_000);
  await button(page, 'Gerar PIX desta parte').click();
  await page.getByText('o que você escreveu está salvo').waitFor();
  await page.getByLabel('Celular com DDD').fill('11 98765-0001');
  await page.getByLabel('Senha').fill('errada');
  await button(page, 'Entrar').click();
  await page.getByText('Celular ou senha incorretos').waitFor();
  assert.equal(await page.getByLabel('Celular com DDD').inputValue(), '(11) 98765-0001');
  await page.getByLabel('Senha').fill('semana-demo-1');
  await button(page, 'Entrar').click();
  await page.waitForURL(form);
  assert.equal(await page.getByLabel('Quanto pagar agora').inputValue(), '13,37');
  await button(page, 'Gerar PIX desta parte').click();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await page.context().close();
});

test('two tabs: who leaves in one has left in the other, also from a page that waits for money', async () => {
  const { page } = await open();
  await signIn(page, ANA);
  const other = await page.context().newPage();
  watch(other);
  await other.goto('/carteira/perfil');
  const waiting = await page.context().newPage();
  await waiting.goto('/carteira?situacao=abertas');
  await waiting.locator('.rows a').first().click();
  await waiting.getByRole('link', { name: /Pagar a/ }).click();
  await button(waiting, /com PIX$/).click();
  await waiting.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await page.goto('/carteira/perfil');
  await button(page, 'Sair deste aparelho').click();
  await page.getByText('Você saiu da sua conta.').waitFor();
  for (const tab of [other, waiting])
    await tab.getByRole('heading', { name: 'Entre na sua carteira' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Entre na sua carteira' }).waitFor();
  await page.context().close();
});

test('without a connection: a page that says so, with nothing of anybody, and back when there is one', async () => {
  const web = await startWeb(options());
  const { page } = await open({ baseURL: web.url });
  await signIn(page, ANA);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(
    async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller !== null,
  );
  await web.close();
  await page.goto('/carteira/cashback');
  await page.getByRole('heading', { name: 'Sem conexão' }).waitFor();
  assert.doesNotMatch((await page.textContent('body'))!, /Ana|R\$|98765/);
  const kept = await page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  assert.deepEqual(
    kept.filter((path) => path.startsWith('/carteira')),
    ['/carteira/sem-conexao'],
  );
  const back = await startWeb(options({ port: Number(new URL(web.url).port) }));
  try {
    await page.getByRole('link', { name: 'Tentar de novo' }).click();
    await page.getByRole('heading', { name: 'Cashback', exact: true }).waitFor();
  } finally {
    await page.context().close();
    await back.close();
  }
});

test('the clock of the sandbox moves the wallet: a code expires, an installment is late, and both say so kindly', async () => {
  const { page } = await open(PHONE);
  await signIn(page, ANA);
  await page.goto('/carteira?situacao=abertas');
  await page.locator('.rows a').first().click();
  await page.getByRole('link', { name: /Pagar a/ }).click();
  await button(page, /com PIX$/).click();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await page.locator('.sandbox summary').click();
  await button(page, '+ 7 dias').click();
  await page.getByRole('heading', { name: 'Este código venceu.' }).waitFor();
  await page.getByRole('link', { name: 'Ver a parcela' }).click();
  await page.getByText('Multa de 2%, uma vez por vencimento').waitFor();
  await page.locator('.sandbox summary').click();
  await button(page, 'Voltar para hoje').click();
  await page.getByRole('heading', { name: 'Como você quer pagar' }).waitFor();
  await page.context().close();
});
