import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { OWNER_LUCIA } from '../../../test/members.ts';
import { createOfferDriver } from '../../../test/offer-driver.ts';
import { createPurchaseDriver, newCpf, newPhone } from '../../../test/purchase-driver.ts';
import { findPageProblems, openBrowser } from './in-browser.ts';
import {
  buildPayPath,
  findButton,
  findLink,
  readCodeOnPage,
  signIn,
  signInToTill,
  startShopSite,
  typeAmount,
} from './journeys.ts';
import { openSite } from './site.ts';

const { service, siteUrl } = await openSite();
const { openPage, collectConsoleErrors } = await openBrowser(siteUrl);
const { createOpenOffer, getOffer, cancel: cancelOffer, ...offerDriver } = await createOfferDriver(service);
const driver = createPurchaseDriver(service);
const PHONE_SCREEN = { viewport: { width: 360, height: 740 } };

test('when the connection fails, the till reports it, keeps the input, and does not create a sale twice', async () => {
  const { page } = await openPage(PHONE_SCREEN);
  await signInToTill(page, service, OWNER_LUCIA);
  await typeAmount(page, '45,5');
  for (let i = 0; i < 2; i++) await findButton(page, 'apagar').click();
  assert.equal(await page.getByLabel('Valor da venda').inputValue(), '45');
  await findButton(page, 'Continuar').click();
  await page.locator('summary', { hasText: 'Descrição' }).click();
  await page.getByLabel('O que é vendido').pressSequentially('Bolo de fubá');
  const reference = `P ${crypto.randomUUID()}`;
  await page.getByLabel('Número do pedido').pressSequentially(reference);
  // Enter creates no sale.
  await page.getByLabel('Número do pedido').press('Enter');
  await page.getByText('Escolha em quantas semanas.').waitFor();
  assert.equal(await page.getByLabel('O que é vendido').inputValue(), 'Bolo de fubá');
  await page.context().setOffline(true);
  await page.getByText('Sem conexão.').waitFor();
  await findButton(page, /^3 × R\$\s15,00/).click();
  await page.getByText('Sem conexão.').waitFor();
  assert.equal(await page.getByLabel('O que é vendido').inputValue(), 'Bolo de fubá');
  await page.context().setOffline(false);
  await page.getByText('Sem conexão.').waitFor({ state: 'hidden' });
  // The request arrives, but its response is lost.
  const loseResponse = async (route: Route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  };
  await page.route('**/balcao/venda', loseResponse, { times: 1 });
  await findButton(page, /^3 × R\$\s15,00/).click();
  await page.getByText('Sem conexão.').waitFor();
  // After a reload the form still has its idempotency key.
  await page.reload();
  assert.equal(await page.getByLabel('Número do pedido').inputValue(), reference);
  await findButton(page, /^3 × R\$\s15,00/).click();
  await page.waitForURL('**/ofertas/*');
  const { body } = await service.get(`/merchant/offers?limit=100&status=pending`, {
    key: 'sandbox-merchant-key',
  });
  const createdOffers = (body.data as Array<{ description: string | null }>).filter(
    ({ description }) => description === 'Bolo de fubá',
  );
  assert.equal(createdOffers.length, 1);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  // Without a connection the till shows the offline page, and then continues on the same page.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().setOffline(true);
  await page.goto('/balcao/venda?valor=45');
  await page.getByRole('heading', { name: 'Sem conexão' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Tentar de novo' }).click();
  await page.getByRole('heading', { name: 'Em quantas semanas?' }).waitFor();
  await page.context().close();
});

test('in the sandbox the clerk opens the offer as the customer in another tab, and both pages show the acceptance', async () => {
  const { page, consoleErrors } = await openPage({ viewport: { width: 1280, height: 800 } });
  await signInToTill(page, service, OWNER_LUCIA);
  // Typed digits go into the amount if no other field has the focus.
  await page.keyboard.type('80');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^4 × R\$\s20,00/ }).click();
  const newTabEvent = page.context().waitForEvent('page');
  await findLink(page, 'Abrir como cliente').click();
  const wallet = await newTabEvent;
  await findLink(wallet, 'Entrar com a senha').click();
  await wallet.getByLabel('Celular com DDD').fill('(11) 98765-0003');
  await wallet.getByLabel('Senha', { exact: true }).fill('semana-demo-3');
  await findButton(wallet, 'Entrar').click();
  await findButton(wallet, 'Pagar com a Semana').click();
  await page.getByText('O cliente abriu a compra.').waitFor();
  await wallet.getByRole('button', { name: /^Aceitar/ }).click();
  await wallet.getByRole('heading', { name: /^Compra feita/ }).waitFor();
  await page.getByRole('heading', { name: /^Vendido/ }).waitFor();
  assert.deepEqual(consoleErrors, []);
  await page.context().close();
});

test('every page of the till passes axe, logs nothing to the console and does not scroll sideways', async () => {
  const { page, consoleErrors } = await openPage();
  const problems: string[] = [];
  // Merchants may write long texts without spaces.
  const offer = await createOpenOffer({ description: 'PEDIDO'.repeat(12) });
  const token = await offerDriver.createToken(await driver.createCustomer());
  await offerDriver.claim({ code: offer.code }, token);
  const { hash } = (await offerDriver.accept(offer.id, token)).body;
  const cancelledOffer = await createOpenOffer();
  await cancelOffer(cancelledOffer.id);
  const payoutsResponse = await service.staff('POST', '/admin/payouts', {
    key: 'sandbox-operator-key',
    body: {},
  });
  const payoutId = payoutsResponse.body.data[0].id;
  const checkPage = async (path?: string) => {
    if (path) await page.goto(path);
    problems.push(...(await findPageProblems(page)));
  };
  await checkPage('/balcao/entrar');
  await findButton(page, 'Receber o código').click();
  await page.locator('#phone-erro').waitFor();
  await checkPage();
  await signInToTill(page, service, OWNER_LUCIA);
  const pendingOffer = await createOpenOffer();
  for (const path of [
    '/balcao',
    '/balcao/venda?valor=x',
    '/balcao/venda?valor=4999,99',
    '/balcao/lojas',
    `/balcao/ofertas/${pendingOffer.id}`,
    `/balcao/ofertas/${offer.id}`,
    `/balcao/ofertas/${cancelledOffer.id}`,
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
    `/balcao/dinheiro/repasses/${payoutId}`,
    '/balcao/dinheiro/conta',
    '/balcao/equipe',
    '/balcao/equipe/convidar',
    '/balcao/equipe/mbr_00000000000000000000000002', // Téo
    '/balcao/perfil',
    '/balcao/sem-conexao',
    '/balcao/nada',
  ])
    await checkPage(path);
  // The browser logs the 404 of a missing page.
  assert.deepEqual([...problems, ...consoleErrors.filter((line) => !line.includes('404'))], []);
  await page.context().close();
});

async function submitPhone(page: Page, phone: string): Promise<void> {
  await page.getByLabel('Seu celular com DDD').fill(phone);
  await findButton(page, 'Continuar').click();
  await page.waitForURL('**/codigo');
}

async function submitCode(page: Page): Promise<void> {
  await page.getByLabel('Código de 6 números').fill(await readCodeOnPage(page));
  await findButton(page, 'Continuar').click();
}

/** Makes the page refresh, as if its tab became visible. A page that is already reloading rejects the call. */
const refreshPage = (page: Page) =>
  page.evaluate(() => dispatchEvent(new Event('visibilitychange'))).catch(() => undefined);

const findAcceptButton = (page: Page) => findButton(page, /^Aceitar: 3 × /);
const findDoneHeading = (page: Page) => page.getByRole('heading', { name: /^Compra feita: R\$\s100,00\.$/ });

test('a new customer gets from the link to the accepted purchase on a phone; a lost connection loses no input', async () => {
  const offer = await createOpenOffer({ description: 'Cesta' });
  const { page, consoleErrors } = await openPage(PHONE_SCREEN);
  await page.goto(buildPayPath(offer));
  await submitPhone(page, newPhone());
  await submitCode(page);
  await page.getByRole('heading', { name: 'Só faltam os seus dados' }).waitFor();
  assert.equal(await page.getByLabel('Código de 6 números').count(), 0);
  await page.getByLabel('Nome completo').pressSequentially('Lia Batista');
  await page.getByLabel('CPF').fill(newCpf());
  await page.getByLabel('Data de nascimento').fill('31/05/1990');
  await page.getByLabel('E-mail').fill('lia@example.com');
  await page.getByRole('checkbox').check();
  const cpf = await page.getByLabel('CPF').inputValue();
  await page.context().setOffline(true);
  await findButton(page, 'Continuar').click();
  await page.getByRole('heading', { name: 'Sem conexão' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Tentar de novo' }).click();
  await page.getByRole('heading', { name: 'Só faltam os seus dados' }).waitFor();
  assert.equal(await page.getByLabel('Nome completo').inputValue(), 'Lia Batista');
  assert.equal(await page.getByLabel('CPF').inputValue(), cpf);
  assert.equal(await page.getByLabel('E-mail').inputValue(), 'lia@example.com');
  await page.getByRole('checkbox').check();
  await findButton(page, 'Continuar').click();
  await findAcceptButton(page).click();
  await findDoneHeading(page).waitFor();
  await page.getByText('Mostre esta tela em Padaria Flor do Trigo').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  assert.equal((await getOffer(offer.id)).status, 'accepted');
  await page.getByRole('link', { name: 'Minha carteira' }).click();
  await page.getByRole('heading', { name: 'Olá, Lia' }).waitFor();
  assert.deepEqual(
    consoleErrors.filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED')),
    [],
  );
  await page.context().close();
});

test('with a second tab open, both tabs show the result of an offer, and a cancellation appears automatically', async () => {
  const [offer, otherOffer] = [await createOpenOffer(), await createOpenOffer()];
  const customer = await driver.createCustomer();
  const { page, consoleErrors } = await openPage(PHONE_SCREEN);
  await page.goto(buildPayPath(offer));
  const secondTab = await page.context().newPage();
  const secondTabErrors = collectConsoleErrors(secondTab);
  await secondTab.goto(buildPayPath(offer));
  await submitPhone(page, customer.phone);
  await submitCode(page);
  await findAcceptButton(page).waitFor();
  await page.getByLabel('Em quantas semanas você quer pagar?').selectOption('2');
  await findButton(page, /^Aceitar: 2 × R\$\s50,00$/).waitFor();
  await secondTab.bringToFront();
  await refreshPage(secondTab);
  await findAcceptButton(secondTab).click();
  await findDoneHeading(secondTab).waitFor();
  await findDoneHeading(page).waitFor(); // The page follows the stream of events.
  await page.goto(buildPayPath(otherOffer));
  await findButton(page, /^Pagar com a Semana/).click();
  await findAcceptButton(page).waitFor();
  await cancelOffer(otherOffer.id);
  await refreshPage(page);
  await page.getByRole('heading', { name: 'A loja cancelou esta oferta.' }).waitFor();
  assert.deepEqual([...consoleErrors, ...secondTabErrors], []);
  await page.context().close();
});

test('an offer expires on the page of a visitor who has not signed in', async () => {
  const expiresInSeconds = 60;
  const offer = await createOpenOffer({ expires_in: expiresInSeconds });
  const { page } = await openPage(PHONE_SCREEN);
  await page.goto(buildPayPath(offer));
  await page.getByLabel('Seu celular com DDD').waitFor();
  service.clock.advance(expiresInSeconds * 1_000);
  await refreshPage(page);
  await page.getByRole('heading', { name: 'O prazo desta oferta acabou.' }).waitFor();
  await page.context().close();
});

test('after the acceptance the customer returns to the shop, which receives no referrer', async () => {
  const { visits, createOffer } = await startShopSite(service);
  const { page } = await openPage(PHONE_SCREEN);
  await signIn(page, await driver.createCustomer());
  await page.goto(buildPayPath(await createOffer()));
  await findButton(page, /^Pagar com a Semana/).click();
  await findAcceptButton(page).click();
  await page.getByRole('heading', { name: 'De volta à loja' }).waitFor();
  assert.deepEqual(
    visits.map(({ url, referrer }) => [url.searchParams.get('status'), referrer]),
    [['accepted', undefined]],
  );
  await page.context().close();
});

test('the wallet scans a QR code where the browser supports it, uses only its token, and claims the offer', async () => {
  const offer = await createOpenOffer();
  const { page, consoleErrors } = await openPage(PHONE_SCREEN);
  await signIn(page, await driver.createCustomer());
  await page.goto('/carteira/pagar');
  const scanButton = findButton(page, 'Ler o QR code com a câmera');
  assert.equal(await scanButton.isVisible(), false, 'this browser cannot scan');
  const scannedTexts = ['https://example.com/golpe', `https://example.com${buildPayPath(offer)}`];
  await page.addInitScript((codes) => {
    const createStream = () => document.createElement('canvas').captureStream();
    Object.assign(globalThis, {
      BarcodeDetector: class {
        async detect() {
          const rawValue = codes.length > 1 ? codes.shift() : codes[0];
          return [{ rawValue }];
        }
      },
    });
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: async () => createStream() } });
    HTMLMediaElement.prototype.play = async () => {};
  }, scannedTexts);
  await page.reload();
  await scanButton.click();
  await page.waitForURL(`**/carteira/ofertas/${offer.id}`);
  await findAcceptButton(page).waitFor();
  assert.deepEqual(consoleErrors, []);
  await page.context().close();
});

test('every page of a payment passes axe, logs nothing to the console and does not scroll sideways', async () => {
  const { page, consoleErrors } = await openPage();
  const problems: string[] = [];
  const checkPage = async () => {
    problems.push(...(await findPageProblems(page)));
  };
  // Merchants may write long texts without spaces.
  const offer = await createOpenOffer({
    description: 'PEDIDO'.repeat(12),
    items: [{ name: 'PEDIDO'.repeat(12), quantity: 3, amount: 100 }],
    return_url: 'http://localhost:3003/volta',
  });
  const [ownOffer, cancelledOffer] = [await createOpenOffer(), await createOpenOffer()];
  await page.goto(buildPayPath(offer));
  await checkPage();
  await findButton(page, 'Continuar').click();
  await page.locator('#phone-erro').waitFor();
  await checkPage();
  await submitPhone(page, newPhone());
  await checkPage();
  await submitCode(page);
  await page.getByRole('heading', { name: 'Só faltam os seus dados' }).waitFor();
  await checkPage();
  await page.context().clearCookies();
  await signIn(page, await driver.createCustomer());
  await page.goto(buildPayPath(offer));
  await checkPage();
  await findButton(page, /^Pagar com a Semana/).click();
  await findAcceptButton(page).waitFor();
  await checkPage();
  await page.goto(buildPayPath(ownOffer));
  await findButton(page, /^Pagar com a Semana/).click();
  await findAcceptButton(page).click();
  await findDoneHeading(page).waitFor();
  await checkPage();
  await cancelOffer(cancelledOffer.id);
  for (const path of [buildPayPath(cancelledOffer), '/carteira/pagar']) {
    await page.goto(path);
    await checkPage();
  }
  assert.deepEqual([...problems, ...consoleErrors], []);
  await page.context().close();
});
