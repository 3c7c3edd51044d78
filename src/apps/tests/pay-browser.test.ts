import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newCpf, newPhone, openShop } from '../../../test/shop.ts';
import { openStall } from '../../../test/stall.ts';
import { inspect, openBrowser } from './in-browser.ts';
import { button, codeOnPage, payAddress, returnToShop, signIn } from './journeys.ts';
import { openSite } from './testing.ts';

const { service, siteUrl } = await openSite();
const { open, watch } = await openBrowser(siteUrl);
const { openOffer, show, cancel } = await openStall(service);
const shop = openShop(service);
const PHONE = { viewport: { width: 360, height: 740 } };

async function givePhone(page: Page, phone: string): Promise<void> {
  await page.getByLabel('Seu celular com DDD').fill(phone);
  await button(page, 'Continuar').click();
  await page.waitForURL('**/codigo');
}

async function giveCode(page: Page): Promise<void> {
  await page.getByLabel('Código de 6 números').fill(await codeOnPage(page));
  await button(page, 'Continuar').click();
}

/** As if the tab became visible again: the page looks. It may be loading anew already. */
const wake = (page: Page) =>
  page.evaluate(() => dispatchEvent(new Event('visibilitychange'))).catch(() => undefined);

const accept = (page: Page) => button(page, /^Aceitar: 3 × /);
const done = (page: Page) => page.getByRole('heading', { name: /^Compra feita: R\$\s100,00\.$/ });

test('somebody new, on a phone, from the link to the green screen; a lost connection loses nothing', async () => {
  const offer = await openOffer({ description: 'Cesta' });
  const { page, complaints } = await open(PHONE);
  await page.goto(payAddress(offer));
  await givePhone(page, newPhone());
  await giveCode(page);
  await page.getByRole('heading', { name: 'Só faltam os seus dados' }).waitFor();
  assert.equal(await page.getByLabel('Código de 6 números').count(), 0);
  await page.getByLabel('Nome completo').pressSequentially('Lia Batista');
  await page.getByLabel('CPF').fill(newCpf());
  await page.getByLabel('Data de nascimento').fill('31/05/1990');
  await page.getByLabel('E-mail').fill('lia@example.com');
  await page.getByRole('checkbox').check();
  const cpf = await page.getByLabel('CPF').inputValue();
  await page.context().setOffline(true);
  await button(page, 'Continuar').click();
  await page.getByRole('heading', { name: 'Sem conexão' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Tentar de novo' }).click();
  await page.getByRole('heading', { name: 'Só faltam os seus dados' }).waitFor();
  assert.equal(await page.getByLabel('Nome completo').inputValue(), 'Lia Batista');
  assert.equal(await page.getByLabel('CPF').inputValue(), cpf);
  assert.equal(await page.getByLabel('E-mail').inputValue(), 'lia@example.com');
  await page.getByRole('checkbox').check();
  await button(page, 'Continuar').click();
  await accept(page).click();
  await done(page).waitFor();
  await page.getByText('Mostre esta tela em Padaria Flor do Trigo').waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  assert.equal((await show(offer.id)).status, 'accepted');
  await page.getByRole('link', { name: 'Minha carteira' }).click();
  await page.getByRole('heading', { name: 'Olá, Lia' }).waitFor();
  assert.deepEqual(
    complaints.filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED')),
    [],
  );
  await page.context().close();
});

test('a customer, with a second tab: both show what became of it, and a cancelled one says so by itself', async () => {
  const [offer, other] = [await openOffer(), await openOffer()];
  const customer = await shop.newShopper();
  const { page, complaints } = await open(PHONE);
  await page.goto(payAddress(offer));
  const tab = await page.context().newPage();
  const more = watch(tab);
  await tab.goto(payAddress(offer));
  await givePhone(page, customer.phone);
  await giveCode(page);
  await accept(page).waitFor();
  await page.getByLabel('Em quantas semanas você quer pagar?').selectOption('2');
  await button(page, /^Aceitar: 2 × R\$\s50,00$/).waitFor();
  await tab.bringToFront();
  await wake(tab);
  await accept(tab).click();
  await done(tab).waitFor();
  await done(page).waitFor(); // told by the stream
  await page.goto(payAddress(other));
  await button(page, /^Pagar com a Semana/).click();
  await accept(page).waitFor();
  await cancel(other.id);
  await wake(page);
  await page.getByRole('heading', { name: 'A loja cancelou esta oferta.' }).waitFor();
  assert.deepEqual([...complaints, ...more], []);
  await page.context().close();
});

test('a visitor who waits too long sees it expire, without having signed in', async () => {
  const offer = await openOffer({ expires_in: 60 });
  const { page } = await open(PHONE);
  await page.goto(payAddress(offer));
  await page.getByLabel('Seu celular com DDD').waitFor();
  service.clock.advance(60_000);
  await wake(page);
  await page.getByRole('heading', { name: 'O prazo desta oferta acabou.' }).waitFor();
  await page.context().close();
});

test('two people press at once: one may say yes, the other is told', async () => {
  const offer = await openOffer();
  const pages = await Promise.all(
    [1, 2].map(async () => {
      const { page } = await open(PHONE);
      await signIn(page, await shop.newShopper());
      await page.goto(payAddress(offer));
      return page;
    }),
  );
  await Promise.all(pages.map((page) => button(page, /^Pagar com a Semana/).click()));
  const seen = await Promise.all(
    pages.map(async (page) => {
      const told = page.getByRole('alert').filter({ hasText: 'Outra pessoa já começou a pagar' });
      await accept(page).or(told).first().waitFor();
      return (await accept(page).count()) === 1;
    }),
  );
  assert.deepEqual(seen.toSorted(), [false, true]);
  await Promise.all(pages.map((page) => page.context().close()));
});

test('the customer returns to the shop after yes, no and too late; the shop gets no referrer', async () => {
  const { page } = await open(PHONE);
  await signIn(page, await shop.newShopper());
  await returnToShop(page, service);
  await page.context().close();
});

test('the wallet reads a QR code where the browser can, takes nothing of it but the token, and claims that', async () => {
  const offer = await openOffer();
  const { page, complaints } = await open(PHONE);
  await signIn(page, await shop.newShopper());
  await page.goto('/carteira/pagar');
  const scan = button(page, 'Ler o QR code com a câmera');
  assert.equal(await scan.isVisible(), false, 'this browser cannot');
  const seen = ['https://example.com/golpe', `https://example.com${payAddress(offer)}`];
  await page.addInitScript((codes) => {
    const stream = () => document.createElement('canvas').captureStream();
    Object.assign(globalThis, {
      BarcodeDetector: class {
        async detect() {
          const rawValue = codes.length > 1 ? codes.shift() : codes[0];
          return [{ rawValue }];
        }
      },
    });
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: async () => stream() } });
    HTMLMediaElement.prototype.play = async () => {};
  }, seen);
  await page.reload();
  await scan.click();
  await page.waitForURL(`**/carteira/ofertas/${offer.id}`);
  await accept(page).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('every page of a payment: axe finds nothing, the console is silent, nothing scrolls sideways', async () => {
  const { page, complaints } = await open();
  const faults: string[] = [];
  const look = async () => {
    faults.push(...(await inspect(page)));
  };
  // What merchants write is not always made of words.
  const offer = await openOffer({
    description: 'PEDIDO'.repeat(12),
    items: [{ name: 'PEDIDO'.repeat(12), quantity: 3, amount: 100 }],
    return_url: 'http://localhost:3003/volta',
  });
  const [mine, off] = [await openOffer(), await openOffer()];
  await page.goto(payAddress(offer));
  await look();
  await button(page, 'Continuar').click();
  await page.locator('#phone-erro').waitFor();
  await look();
  await givePhone(page, newPhone());
  await look();
  await giveCode(page);
  await page.getByRole('heading', { name: 'Só faltam os seus dados' }).waitFor();
  await look();
  await page.context().clearCookies();
  await signIn(page, await shop.newShopper());
  await page.goto(payAddress(offer));
  await look();
  await button(page, /^Pagar com a Semana/).click();
  await accept(page).waitFor();
  await look();
  await page.goto(payAddress(mine));
  await button(page, /^Pagar com a Semana/).click();
  await accept(page).click();
  await done(page).waitFor();
  await look();
  await cancel(off.id);
  for (const path of [payAddress(off), '/carteira/pagar']) {
    await page.goto(path);
    await look();
  }
  assert.deepEqual([...faults, ...complaints], []);
  await page.context().close();
});
