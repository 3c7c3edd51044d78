import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import webPush from 'web-push';
import { MERCHANT_KEY } from '../../../test/stall.ts';
import { messagesTo, newCustomer } from '../../../test/support/customers.ts';
import { showPhone } from '../text/format.ts';
import { faultsOf, LOOKS, openBrowser } from './in-browser.ts';
import { openSite } from './testing.ts';

const vapid = webPush.generateVAPIDKeys();
const { service, siteUrl } = await openSite({
  VAPID_SUBJECT: 'mailto:avisos@semana.example',
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
});
const { open } = await openBrowser(siteUrl);

test('what was said is read, and how to be told is chosen; nothing to complain of in any look', async () => {
  const customer = await newCustomer(service);
  const { page } = await open({ viewport: { width: 360, height: 740 } });
  await page.goto('/carteira/entrar?para=%2Fcarteira%2Favisos');
  await page.getByLabel('Celular com DDD').fill(showPhone(customer.phone));
  await page.getByLabel('Senha').fill(customer.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByText('Ainda não há avisos.').waitFor();
  const offer = { phone: customer.phone, amount: 90, installments: 3 };
  assert.equal((await service.post('/merchant/offers', offer, { key: MERCHANT_KEY })).status, 201);
  await messagesTo(service, customer.phone);
  await page.reload();
  await page.getByRole('heading', { name: 'Oferta de uma loja' }).waitFor();
  await page.getByRole('link', { name: 'Escolher como receber' }).click();
  assert.ok(await page.getByLabel('WhatsApp').isChecked());
  for (const look of LOOKS) assert.deepEqual(await faultsOf(page, look), []);
  await page.getByLabel('E-mail', { exact: true }).check();
  await page.getByLabel('Lembrar um dia antes').uncheck();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Pronto: guardamos a sua escolha.').waitFor();
  for (const look of LOOKS) assert.deepEqual(await faultsOf(page, look), []);
  await page.getByRole('link', { name: 'Escolher como receber' }).click();
  assert.ok(await page.getByLabel('E-mail', { exact: true }).isChecked());
  assert.ok(!(await page.getByLabel('Lembrar um dia antes').isChecked()));
});

async function signIn(page: Page): Promise<void> {
  await page.goto('/carteira/entrar');
  await page.getByLabel('Celular com DDD').fill('(11) 98765-0001');
  await page.getByLabel('Senha').fill('semana-demo-1');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/carteira');
}

test('the calendar shows weeks, and its secret address once; every message has an example in the sandbox', async () => {
  const { page, complaints } = await open({ viewport: { width: 360, height: 740 } });
  await signIn(page);
  await page.getByRole('link', { name: 'Ver o calendário das parcelas' }).click();
  await page.getByRole('heading', { name: 'Calendário', exact: true }).waitFor();
  for (const look of LOOKS) assert.deepEqual(await faultsOf(page, look), []);
  await page.getByRole('button', { name: 'Criar endereço' }).click();
  const address = await page.getByLabel('Endereço secreto: aparece só agora').inputValue();
  assert.match(await (await fetch(address)).text(), /^BEGIN:VCALENDAR\r\n/);
  for (const look of LOOKS) assert.deepEqual(await faultsOf(page, look), []);
  await page.reload();
  await page.getByRole('button', { name: 'Criar outro endereço' }).waitFor();
  await page.getByRole('button', { name: 'Desligar' }).click();
  await page.getByText('O endereço do calendário não vale mais.').waitFor();
  assert.equal((await fetch(address)).status, 404);
  await page.locator('.sandbox summary').click();
  await page.getByRole('link', { name: 'Textos de todas as mensagens' }).click();
  await page.getByRole('heading', { name: 'Textos das mensagens' }).waitFor();
  assert.ok((await page.getByText('Pix copia e cola').count()) > 0);
  for (const look of LOOKS) assert.deepEqual(await faultsOf(page, look), []);
  assert.deepEqual(complaints, []);
});

test('notifications are offered after a payment, asked for on a click and never before, and ended again', async () => {
  const { page } = await open({ viewport: { width: 360, height: 740 } });
  // No push service is reached from here: the browser's part is played.
  await page.addInitScript(() => {
    const asked = { count: 0 };
    Object.assign(globalThis, { asked });
    const granted = { get: () => (asked.count > 0 ? 'granted' : 'default') };
    Object.defineProperty(Notification, 'permission', granted);
    Notification.requestPermission = async () => {
      asked.count++;
      return 'granted';
    };
    PushManager.prototype.getSubscription = async () => null;
    PushManager.prototype.subscribe = async () =>
      ({
        toJSON: () => ({
          endpoint: 'https://fcm.googleapis.com/fcm/send/um',
          expirationTime: null,
          keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
        }),
      }) as unknown as PushSubscription;
  });
  const asked = () =>
    page.evaluate(() => (globalThis as unknown as { asked: { count: number } }).asked.count);
  await signIn(page);
  await page
    .getByRole('link', { name: /^Pagar R/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Pagar .* com PIX|Gerar PIX/ })
    .first()
    .click();
  await page.waitForURL('**/pix/*');
  assert.equal(await page.locator('[data-push]').count(), 0);
  await page.getByRole('button', { name: 'Pagar este PIX' }).click();
  const turnOn = page.getByRole('button', { name: 'Ativar avisos neste aparelho' });
  await turnOn.waitFor();
  assert.equal(await asked(), 0, 'nothing is asked on arrival');
  for (const look of LOOKS) assert.deepEqual(await faultsOf(page, look), []);
  await turnOn.click();
  await page.getByText('Pronto: os avisos chegam também neste aparelho.').waitFor();
  assert.ok(await page.getByLabel('Notificação neste aparelho').isChecked());
  for (const look of LOOKS) assert.deepEqual(await faultsOf(page, look), []);
  await page.getByRole('button', { name: 'Desligar as notificações' }).click();
  await page.getByText('As notificações estão desligadas.').waitFor();
  assert.ok(await page.getByLabel('WhatsApp').isChecked());
});
