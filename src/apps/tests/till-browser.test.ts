import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { LUCIA } from '../../../test/members.ts';
import { newPhone, openShop } from '../../../test/shop.ts';
import { openStall } from '../../../test/stall.ts';
import { inspect, openBrowser } from './in-browser.ts';
import { button, enterTill, link, sellAndReturn, typeAmount } from './journeys.ts';
import { openSite } from './testing.ts';

const { service, siteUrl } = await openSite();
const { open } = await openBrowser(siteUrl);
const { openOffer, claim, accept, tokenOf } = await openStall(service);
const shop = openShop(service);
const PHONE = { viewport: { width: 360, height: 740 } };

test('two people: sold by the link of the QR code, both pages turn green, half is returned, and the statement has it', async () => {
  const [till, wallet] = await Promise.all([open(PHONE), open(PHONE)]);
  await sellAndReturn(till.page, wallet.page, service);
  assert.deepEqual([...till.complaints, ...wallet.complaints], []);
  await Promise.all([till.page.context().close(), wallet.page.context().close()]);
});

test('when the line breaks it is said, nothing typed is lost, and a sale sent before is there once', async () => {
  const { page } = await open(PHONE);
  await enterTill(page, service, LUCIA);
  await typeAmount(page, '45');
  await button(page, 'Continuar').click();
  await page.locator('summary', { hasText: 'Descrição' }).click();
  await page.getByLabel('O que é vendido').pressSequentially('Bolo de fubá');
  const reference = `P ${crypto.randomUUID()}`;
  await page.getByLabel('Número do pedido').pressSequentially(reference);
  // Enter sells nothing.
  await page.getByLabel('Número do pedido').press('Enter');
  await page.getByText('Escolha em quantas semanas.').waitFor();
  assert.equal(await page.getByLabel('O que é vendido').inputValue(), 'Bolo de fubá');
  await page.context().setOffline(true);
  await page.getByText('Sem conexão.').waitFor();
  await button(page, /^3 × R\$\s15,00/).click();
  await page.getByText('Sem conexão.').waitFor();
  assert.equal(await page.getByLabel('O que é vendido').inputValue(), 'Bolo de fubá');
  await page.context().setOffline(false);
  await page.getByText('Sem conexão.').waitFor({ state: 'hidden' });
  // It arrives, but its answer does not.
  const loseAnswer = async (route: Route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  };
  await page.route('**/balcao/venda', loseAnswer, { times: 1 });
  await button(page, /^3 × R\$\s15,00/).click();
  await page.getByText('Sem conexão.').waitFor();
  // The tab was closed and opened again: the form still has its key.
  await page.reload();
  assert.equal(await page.getByLabel('Número do pedido').inputValue(), reference);
  await button(page, /^3 × R\$\s15,00/).click();
  await page.waitForURL('**/ofertas/*');
  const { body } = await service.get(`/merchant/offers?limit=100&status=pending`, {
    key: 'sandbox-merchant-key',
  });
  const made = (body.data as Array<{ description: string | null }>).filter(
    ({ description }) => description === 'Bolo de fubá',
  );
  assert.equal(made.length, 1);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await page.context().close();
});

test('without a connection the till opens a page that says so, and goes on where it was', async () => {
  const { page } = await open(PHONE);
  await enterTill(page, service, LUCIA);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().setOffline(true);
  await page.goto('/balcao/venda?valor=45');
  await page.getByRole('heading', { name: 'Sem conexão' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Tentar de novo' }).click();
  await page.getByRole('heading', { name: 'Em quantas semanas?' }).waitFor();
  await page.context().close();
});

test('an owner removes a clerk, whose next tap is refused; digits go into the amount wherever the focus is', async () => {
  const [owner, clerk] = await Promise.all([open(), open(PHONE)]);
  const phone = newPhone();
  await enterTill(owner.page, service, LUCIA);
  await owner.page.goto('/balcao/equipe/convidar');
  await owner.page.getByLabel('Nome e sobrenome').fill('Rui Alves');
  await owner.page.getByLabel('Celular com DDD').fill(phone);
  await owner.page.getByLabel('Limite por venda').fill('80');
  await button(owner.page, 'Convidar').click();
  await owner.page.getByText('já pode entrar no balcão').waitFor();
  await enterTill(clerk.page, service, phone);
  assert.equal(await link(clerk.page, 'Equipe').count(), 0);
  await clerk.page.keyboard.type('81');
  await clerk.page.keyboard.press('Enter');
  await clerk.page.getByText(/^Você vende até R\$\s80,00/).waitFor();
  await link(owner.page, 'Rui Alves').click();
  await owner.page.locator('summary', { hasText: 'Remover Rui' }).click();
  await button(owner.page, 'Remover da equipe').click();
  await owner.page.getByText('saiu da equipe').waitFor();
  await link(clerk.page, 'Vendas').click();
  await clerk.page.waitForURL('**/balcao/entrar**');
  await Promise.all([owner.page.context().close(), clerk.page.context().close()]);
});

test('in the sandbox the clerk opens the offer as the customer, in another tab, and both turn green', async () => {
  service.clock.advance(13 * 60_000);
  const { page, complaints } = await open({ viewport: { width: 1280, height: 800 } });
  await enterTill(page, service, LUCIA);
  await page.getByLabel('Valor da venda').fill('80');
  await button(page, 'Continuar').click();
  await page.getByRole('button', { name: /^4 × R\$\s20,00/ }).click();
  const opened = page.context().waitForEvent('page');
  await link(page, 'Abrir como cliente').click();
  const wallet = await opened;
  await link(wallet, 'Entrar com a senha').click();
  await wallet.getByLabel('Celular com DDD').fill('(11) 98765-0003');
  await wallet.getByLabel('Senha', { exact: true }).fill('semana-demo-3');
  await button(wallet, 'Entrar').click();
  await button(wallet, 'Pagar com a Semana').click();
  await wallet.getByRole('button', { name: /^Aceitar/ }).click();
  await wallet.getByRole('heading', { name: /^Compra feita/ }).waitFor();
  await page.getByRole('heading', { name: /^Vendido/ }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('every page of the till: axe finds nothing, the console is silent, nothing scrolls sideways', async () => {
  const { page, complaints } = await open();
  const faults: string[] = [];
  // What merchants write is not always made of words.
  const offer = await openOffer({ description: 'PEDIDO'.repeat(12) });
  const token = await tokenOf(await shop.newShopper());
  await claim({ code: offer.code }, token);
  const { hash } = (await accept(offer.id, token)).body;
  const cancelled = await openOffer();
  await service.post(`/merchant/offers/${cancelled.id}/cancel`, undefined, { key: 'sandbox-merchant-key' });
  const paid = await service.staff('POST', '/admin/payouts', { key: 'sandbox-operator-key', body: {} });
  const payout = paid.body.data[0].id;
  const look = async (path?: string) => {
    if (path) await page.goto(path);
    faults.push(...(await inspect(page)));
  };
  await look('/balcao/entrar');
  await button(page, 'Receber o código').click();
  await page.locator('#phone-erro').waitFor();
  await look();
  await enterTill(page, service, LUCIA);
  const waiting = await openOffer();
  for (const path of [
    '/balcao',
    '/balcao/venda?valor=x',
    '/balcao/venda?valor=4999,99',
    '/balcao/lojas',
    `/balcao/ofertas/${waiting.id}`,
    `/balcao/ofertas/${offer.id}`,
    `/balcao/ofertas/${cancelled.id}`,
    '/balcao/vendas',
    '/balcao/vendas?q=nada',
    '/balcao/vendas?q=100',
    `/balcao/vendas/${hash}`,
    `/balcao/vendas/${hash}/devolver`,
    `/balcao/vendas/${hash}/devolver?valor=10&motivo=troca`,
    `/balcao/vendas/${hash}/comprovante`,
    '/balcao/dinheiro',
    '/balcao/dinheiro/extrato',
    '/balcao/dinheiro/repasses',
    `/balcao/dinheiro/repasses/${payout}`,
    '/balcao/dinheiro/conta',
    '/balcao/equipe',
    '/balcao/equipe/convidar',
    '/balcao/equipe/mbr_00000000000000000000000002',
    '/balcao/perfil',
    '/balcao/sem-conexao',
    '/balcao/nada',
  ])
    await look(path);
  // A page that is not there is a 404, which the console tells.
  assert.deepEqual([...faults, ...complaints.filter((line) => !line.includes('404'))], []);
  await page.context().close();
});
