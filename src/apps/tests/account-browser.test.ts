import assert from 'node:assert/strict';
import { test } from 'node:test';
import webPush from 'web-push';
import { sql } from '#platform/database/db.ts';
import { eventually } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { MERCHANT } from '../../../test/purchase-driver.ts';
import { createCreditDriver } from '../../../test/support/credit-driver.ts';
import { listMessages, newCustomer, newPhone, OPERATOR_KEY } from '../../../test/support/customers.ts';
import { formatPhone } from '../text/format.ts';
import { findPageProblems, openBrowser } from './in-browser.ts';
import { findButton, findLink, signIn } from './journeys.ts';
import { CODE_PAUSE_MS, openSite } from './site.ts';

const vapidKeys = webPush.generateVAPIDKeys();
const { service, siteUrl } = await openSite({
  VAPID_SUBJECT: 'mailto:avisos@semana.example',
  VAPID_PUBLIC_KEY: vapidKeys.publicKey,
  VAPID_PRIVATE_KEY: vapidKeys.privateKey,
});
const { openPage } = await openBrowser(siteUrl);
const callStaff = (method: string, path: string, body: unknown) =>
  service.staff(method, path, { key: OPERATOR_KEY, body });

const PHONE_SCREEN = { viewport: { width: 360, height: 740 } };
const ANA = { phone: '+5511987650001', password: 'semana-demo-1' };

test('every page of the account passes axe, logs nothing to the console and does not scroll sideways', async () => {
  const customer = await newCustomer(service);
  const checkoutInput = { customer: customer.id, merchant: MERCHANT, amount: 40, installments: 2 };
  await callStaff('PATCH', `/admin/customers/${customer.id}`, { phone: newPhone() });
  const { page, consoleErrors } = await openPage();
  await signIn(page, customer, '/carteira/perfil');
  const problems: string[] = [];
  const checkPage = async () => problems.push(...(await findPageProblems(page)));
  await page.goto('/carteira/perfil');
  await checkPage();
  await findLink(page, 'Trocar o e-mail').click();
  await page.getByLabel('E-mail novo').waitFor();
  await checkPage();
  await page.getByLabel('E-mail novo').fill(`${'davi'.repeat(12)}@example.com`);
  await findButton(page, 'Receber código').click();
  await page.getByLabel('Código de 6 números').waitFor();
  await checkPage();
  service.clock.advance(CODE_PAUSE_MS);
  await page.goto('/carteira/perfil/celular');
  await checkPage();
  await page.getByLabel('Celular novo, com DDD').fill(formatPhone(newPhone()));
  await findButton(page, 'Receber os códigos').click();
  await page.getByLabel(/^Código enviado ao novo/).waitFor();
  await checkPage();
  service.clock.advance(CODE_PAUSE_MS);
  await page.goto('/carteira/perfil/encerrar');
  await checkPage();
  await findButton(page, 'Receber código para encerrar').click();
  await findButton(page, 'Apagar meus dados e encerrar').waitFor();
  await checkPage();
  // An open purchase prevents the customer from closing the account.
  assert.equal((await callStaff('POST', '/admin/checkouts', checkoutInput)).status, 201);
  await page.goto('/carteira/perfil/encerrar');
  await page.getByText('Há compras em aberto.').waitFor();
  await checkPage();
  assert.deepEqual(problems, []);
  assert.deepEqual(consoleErrors, []);
  await page.context().close();
});

test('a customer reads sent messages and chooses channels; the pages pass axe in every theme and width', async () => {
  const customer = await newCustomer(service);
  const { page } = await openPage(PHONE_SCREEN);
  await signIn(page, customer, '/carteira/avisos');
  await page.getByText('Ainda não há avisos.').waitFor();
  const offerInput = { phone: customer.phone, amount: 90, installments: 3 };
  assert.equal((await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY })).status, 201);
  await listMessages(service, customer.phone);
  await page.reload();
  await page.getByRole('heading', { name: 'Oferta de uma loja' }).waitFor();
  await page.getByRole('link', { name: 'Escolher como receber' }).click();
  assert.ok(await page.getByLabel('WhatsApp').isChecked());
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByLabel('E-mail', { exact: true }).check();
  await page.getByLabel('Lembrar um dia antes').uncheck();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Pronto: guardamos a sua escolha.').waitFor();
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole('link', { name: 'Escolher como receber' }).click();
  assert.ok(await page.getByLabel('E-mail', { exact: true }).isChecked());
  assert.ok(!(await page.getByLabel('Lembrar um dia antes').isChecked()));
});

test('the calendar lists weeks and shows its secret URL once; the sandbox shows an example of every message', async () => {
  const { page, consoleErrors } = await openPage(PHONE_SCREEN);
  await signIn(page, ANA, '/carteira');
  await page.waitForURL('**/carteira');
  await page.getByRole('link', { name: 'Ver o calendário das parcelas' }).click();
  await page.getByRole('heading', { name: 'Calendário', exact: true }).waitFor();
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole('button', { name: 'Criar endereço' }).click();
  const feedUrl = await page.getByLabel('Endereço secreto: aparece só agora').inputValue();
  assert.match(await (await fetch(feedUrl)).text(), /^BEGIN:VCALENDAR\r\n/);
  assert.deepEqual(await findPageProblems(page), []);
  await page.reload();
  await page.getByRole('button', { name: 'Criar outro endereço' }).waitFor();
  await page.getByRole('button', { name: 'Desligar' }).click();
  await page.getByText('O endereço do calendário não vale mais.').waitFor();
  assert.equal((await fetch(feedUrl)).status, 404);
  await page.locator('.sandbox summary').click();
  await page.getByRole('link', { name: 'Textos de todas as mensagens' }).click();
  await page.getByRole('heading', { name: 'Textos das mensagens' }).waitFor();
  assert.ok((await page.getByText('Pix copia e cola').count()) > 0);
  assert.deepEqual(await findPageProblems(page), []);
  assert.deepEqual(consoleErrors, []);
});

test('push notifications are offered after a payment, requested only on a click, and can be switched off', async () => {
  const { page } = await openPage(PHONE_SCREEN);
  // Tests reach no push service, so parts of the browser are replaced.
  await page.addInitScript(() => {
    const requests = { count: 0 };
    Object.assign(globalThis, { permissionRequests: requests });
    const permission = { get: () => (requests.count > 0 ? 'granted' : 'default') };
    Object.defineProperty(Notification, 'permission', permission);
    Notification.requestPermission = async () => {
      requests.count++;
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
  const countPermissionRequests = () =>
    page.evaluate(
      () => (globalThis as unknown as { permissionRequests: { count: number } }).permissionRequests.count,
    );
  await signIn(page, ANA, '/carteira');
  await page.waitForURL('**/carteira');
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
  const activateButton = page.getByRole('button', { name: 'Ativar avisos neste aparelho' });
  await activateButton.waitFor();
  assert.equal(await countPermissionRequests(), 0, 'loading the page requests no permission');
  assert.deepEqual(await findPageProblems(page), []);
  await activateButton.click();
  await page.getByText('Pronto: os avisos chegam também neste aparelho.').waitFor();
  assert.ok(await page.getByLabel('Notificação neste aparelho').isChecked());
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole('button', { name: 'Desligar as notificações' }).click();
  await page.getByText('As notificações estão desligadas.').waitFor();
  assert.ok(await page.getByLabel('WhatsApp').isChecked());
});

test('the credit page shows the limit and its reasons, accepts an offered limit, and lets the customer request a review', async () => {
  // The credit policy has set a limit of 150.00 and offers one of 200.00.
  const customer = await newCustomer(service);
  await service.db.run(sql`update customers set credit_limit_cents = 15000 where id = ${customer.id}`);
  await service.db.run(sql`
    insert into credit_standings (customer_id, limit_cents, offered_cents) values (${customer.id}, 15000, 20000)`);
  await service.db.run(sql`
    insert into credit_decisions (customer_id, id, moment, outcome, decided, limit_cents, decided_limit_cents, reasons, policy_version,
                                  facts, decided_at)
    values (${customer.id}, 'dec_00000000000000000000000001', 'growth', 'approved', 'approved', 20000, 20000, '{paid_on_time}', 1,
            '{"moment": "growth"}', ${service.clock.now()})`);
  const { page, consoleErrors } = await openPage();
  await signIn(page, customer, '/carteira');
  await page.getByRole('link', { name: /ver por quê/ }).click();
  await page.getByRole('heading', { name: 'Seu limite', exact: true }).waitFor();
  await page.getByText('Você pagou as suas compras em dia.').waitFor();
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole('button', { name: /^Sim, quero R\$\s200,00$/ }).click();
  await page.getByText(/o seu limite agora é de R\$\s200,00/).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Sim, quero/ }).count(), 0);
  await page.getByRole('button', { name: 'Pedir a análise de uma pessoa' }).click();
  await page.getByText(/Uma pessoa está analisando desde/).waitFor();
  assert.equal(await page.getByRole('button', { name: /análise/ }).count(), 0);
  const [pendingReview] = await createCreditDriver(service).listDecisions(customer.id);
  assert.deepEqual([pendingReview.moment, pendingReview.outcome], ['review', 'review']);
  assert.deepEqual(consoleErrors, []);
});

test('a customer signs in, accepts the bakery’s offer, authorises autopay with one scan, sees the debits, and ends autopay', async () => {
  const { page } = await openPage({ viewport: { width: 360, height: 780 } });
  await signIn(page, { phone: '+5511987650003', password: 'semana-demo-3' }, '/carteira');
  await page.getByRole('button', { name: 'Receber uma oferta' }).first().click();
  await page.waitForURL('**/carteira/ofertas/*');
  await page.getByRole('button', { name: /^Aceitar/ }).click();
  await page.waitForURL('**/carteira/compras/*');
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole('button', { name: 'Pagar a 1ª parcela e ligar' }).click();
  await page.waitForURL('**/debito');
  await page.getByText('Um código só: paga a 1ª parcela e autoriza as seguintes.').waitFor();
  // Field 80 of a BR Code is the URL of the autopay authorisation.
  assert.match(
    await page.getByLabel('Código para o banco').inputValue(),
    /^000201.*80\d\d0014br\.gov\.bcb\.pix/,
  );
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole('button', { name: 'Autorizar como o banco' }).click();
  await page.getByRole('heading', { name: 'Débito automático ligado.' }).waitFor();
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole('link', { name: 'Ver a compra' }).click();
  await page.waitForURL('**/carteira/compras/*');
  await eventually('the first installment is paid', async () => {
    await page.reload();
    return page.getByText(/A 2ª parcela, de .* será debitada/).isVisible();
  });
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole('button', { name: 'Desligar' }).click();
  await page.getByText('Débito automático desligado. As parcelas são pagas por código.').waitFor();
});
