import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { LUCIA } from '../../../test/members.ts';
import { newPhone, openShop } from '../../../test/shop.ts';
import { openStall } from '../../../test/stall.ts';
import { faultsOf, LOOKS, openBrowser } from './in-browser.ts';
import { openSite } from './testing.ts';

const { service, siteUrl } = await openSite();
const { open } = await openBrowser(siteUrl);
const { openOffer, claim, accept, tokenOf } = await openStall(service);
const shop = openShop(service);
const PHONE = { viewport: { width: 360, height: 740 } };

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

async function enter(page: Page, phone: string): Promise<void> {
  service.clock.advance(13 * 60_000); // five codes an hour
  await page.goto('/balcao/entrar');
  await page.getByLabel('Seu celular com DDD').fill(phone);
  await button(page, 'Receber o código').click();
  await page.waitForURL('**/codigo');
  await page.getByLabel('Código de 6 números').fill((await page.locator('.sandbox-code b').textContent())!);
  await button(page, 'Entrar').click();
  await page.getByLabel('Valor da venda').waitFor();
}

async function signIn(page: Page, { phone, password }: { phone: string; password: string }): Promise<void> {
  await page.goto('/carteira/entrar');
  await page.getByLabel('Celular com DDD').fill(phone);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await button(page, 'Entrar').click();
  await page.waitForURL('**/carteira');
}

async function typeAmount(page: Page, keys: string): Promise<void> {
  for (const key of keys) await button(page, key === ',' ? 'vírgula' : key).click();
}

const offerAddress = (page: Page) => link(page, 'Abrir como cliente').getAttribute('href');
const sold = (page: Page, amount: string) =>
  page.getByRole('heading', { name: new RegExp(`^Vendido: R\\$\\s${amount}\\.$`) });

for (const javaScriptEnabled of [true, false])
  test(`two people ${javaScriptEnabled ? 'with' : 'without'} JavaScript: sold by the link of the QR code, both turn green, half comes back, the statement says so`, async () => {
    const [till, wallet] = await Promise.all([
      open({ ...PHONE, javaScriptEnabled }),
      open({ ...PHONE, javaScriptEnabled }),
    ]);
    await enter(till.page, LUCIA);
    await signIn(wallet.page, await shop.newShopper());
    await typeAmount(till.page, '120,5');
    await button(till.page, 'apagar').click();
    await button(till.page, 'apagar').click();
    assert.equal(await till.page.getByLabel('Valor da venda').inputValue(), '120');
    await button(till.page, 'Continuar').click();
    await button(till.page, /^4 × R\$\s30,00/).click();
    await till.page.getByRole('img', { name: 'QR code desta venda' }).waitFor();
    await wallet.page.goto((await offerAddress(till.page))!);
    await button(wallet.page, /^Pagar com a Semana/).click();
    await till.page.getByText('O cliente abriu a compra.').waitFor(); // by itself
    await button(wallet.page, /^Aceitar: 4 × R\$\s30,00$/).click();
    await wallet.page.getByRole('heading', { name: /^Compra feita: R\$\s120,00\.$/ }).waitFor();
    await sold(till.page, '120,00').waitFor(); // by itself
    const code = await till.page.locator('.receipt b').textContent();
    assert.equal(await wallet.page.locator('.receipt b').textContent(), code);

    await link(till.page, 'Ver a venda').click();
    await till.page.getByText('Lúcia Prado').waitFor();
    await link(till.page, 'Devolver').click();
    await till.page.getByLabel('Quanto devolver').fill('60');
    await till.page.getByLabel('Motivo').fill('Um dos dois voltou');
    await button(till.page, 'Ver o que acontece').click();
    await till.page.getByText('Ainda deve desta compra').waitFor();
    await button(till.page, /^Devolver R\$\s60,00$/).click();
    await till.page.getByText(/^Devolução feita: R\$\s60,00/).waitFor();
    await till.page.getByText(/^Devolvidos R\$\s60,00$/).waitFor();
    await link(till.page, 'Dinheiro').click();
    await till.page.getByText('Você recebe', { exact: true }).waitFor();
    await link(till.page, 'Extrato').click();
    const line = till.page.getByRole('row', { name: /^Devolução/ }).first();
    assert.match((await line.textContent())!, /-R\$\s60,00/);
    await link(till.page, 'Vender').click();
    await till.page.getByLabel('Valor da venda').waitFor();
    assert.deepEqual([...till.complaints, ...wallet.complaints], []);
    await Promise.all([till.page.context().close(), wallet.page.context().close()]);
  });

test('when the line breaks it is said, nothing typed is lost, and a sale sent before is there once', async () => {
  const { page } = await open(PHONE);
  await enter(page, LUCIA);
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
  await enter(page, LUCIA);
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
  await enter(owner.page, LUCIA);
  await owner.page.goto('/balcao/equipe/convidar');
  await owner.page.getByLabel('Nome e sobrenome').fill('Rui Alves');
  await owner.page.getByLabel('Celular com DDD').fill(phone);
  await owner.page.getByLabel('Limite por venda').fill('80');
  await button(owner.page, 'Convidar').click();
  await owner.page.getByText('já pode entrar no balcão').waitFor();
  await enter(clerk.page, phone);
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

test('somebody who tries it opens both with one button, and sells in a minute', async () => {
  service.clock.advance(13 * 60_000);
  const { page, complaints } = await open({ viewport: { width: 1280, height: 800 } });
  await page.goto('/carteira/entrar');
  await page.locator('.sandbox summary').click();
  await button(page, 'Balcão e carteira lado a lado').click();
  await page.waitForURL('**/lado-a-lado');
  const [till, wallet] = ['balcao', 'carteira'].map((name) => page.frameLocator(`iframe[name=${name}]`));
  await till!.getByLabel('Valor da venda').fill('80');
  await till!.getByRole('button', { name: 'Continuar' }).click();
  await till!.getByRole('button', { name: /^4 × R\$\s20,00/ }).click();
  await till!.getByRole('link', { name: 'Abrir como cliente' }).click();
  await wallet!.getByRole('button', { name: /^Pagar com a Semana/ }).click();
  await wallet!.getByRole('button', { name: /^Aceitar/ }).click();
  await wallet!.getByRole('heading', { name: /^Compra feita/ }).waitFor();
  await till!.getByRole('heading', { name: /^Vendido/ }).waitFor();
  assert.deepEqual(complaints, []);
  assert.equal(page.context().pages().length, 1);
  await page.context().close();
});

test('every page of the till in both lights: axe finds nothing, the console is silent, nothing scrolls sideways', async () => {
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
  for (const how of LOOKS) {
    await page.context().clearCookies();
    await page.emulateMedia({ colorScheme: how.colorScheme });
    const look = async (path?: string) => {
      if (path) await page.goto(path);
      faults.push(...(await faultsOf(page, how)));
    };
    await look('/lado-a-lado');
    await look('/balcao/entrar');
    await button(page, 'Receber o código').click();
    await page.locator('#phone-erro').waitFor();
    await look();
    await enter(page, LUCIA);
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
  }
  // A page that is not there is a 404, which the console tells.
  assert.deepEqual([...faults, ...complaints.filter((line) => !line.includes('404'))], []);
  await page.context().close();
});
