import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { enter, messagesTo, newCustomer, newPhone } from '../../../test/support/customers.ts';
import { showPhone } from '../text/format.ts';
import { faultsOf, LOOKS, openBrowser } from './in-browser.ts';
import { openSite } from './testing.ts';

const { service, siteUrl } = await openSite();
const { open } = await openBrowser(siteUrl);
const KEY = 'sandbox-operator-key';
const staff = (method: string, path: string, body: unknown) =>
  service.staff(method, path, { key: KEY, body });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const lastCode = async (phone: string) =>
  (await messagesTo(service, phone)).find((message) => message.code)!.code;

async function signIn(page: Page, { phone, password }: { phone: string; password: string }): Promise<void> {
  await page.goto('/carteira/entrar?para=%2Fcarteira%2Fperfil');
  await page.getByLabel('Celular com DDD').fill(showPhone(phone));
  await page.getByLabel('Senha').fill(password);
  await button(page, 'Entrar').click();
  await page.getByRole('heading', { name: 'Perfil', exact: true }).waitFor();
}

test('without JavaScript: data are downloaded, e-mail and phone changed with codes, and one leaves once nothing is owed', async () => {
  const customer = await newCustomer(service);
  const { id } = customer;
  const { page } = await open({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
  await signIn(page, customer);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    link(page, 'Baixar meus dados').click(),
  ]);
  assert.equal(download.suggestedFilename(), 'meus-dados.json');
  const held = JSON.parse(await readFile(await download.path(), 'utf8'));
  assert.equal(held.tables.customers[0].name, 'Davi Teste');

  await link(page, 'Trocar o e-mail').click();
  await page.getByLabel('E-mail novo').fill('errado');
  await button(page, 'Receber código').click();
  await page.getByText('E-mail incompleto.').waitFor();
  await page.getByLabel('E-mail novo').fill('davi.novo@example.com');
  await button(page, 'Receber código').click();
  await page.getByLabel('Código de 6 números').fill('12');
  await button(page, 'Trocar o e-mail').click();
  await page.getByText('O código tem 6 números.').waitFor();
  await page.getByLabel('Código de 6 números').fill(await lastCode(customer.phone));
  await button(page, 'Trocar o e-mail').click();
  await page.getByText('E-mail trocado.').waitFor();
  await page.getByText('davi.novo@example.com').waitFor();

  service.clock.advance(61_000);
  const phone = newPhone();
  await link(page, 'Trocar o celular').click();
  await page.getByLabel('Celular novo, com DDD').fill(showPhone(phone));
  await button(page, 'Receber os códigos').click();
  await page.getByLabel(/^Código enviado ao atual/).fill(await lastCode(customer.phone));
  await page.getByLabel(/^Código enviado ao novo/).fill('000000');
  await button(page, 'Trocar o celular').click();
  await page.getByText('Código incorreto ou vencido.').waitFor();
  assert.equal(
    await page.getByLabel(/^Código enviado ao novo/).getAttribute('aria-invalid'),
    'true',
    'beside the right field',
  );
  await page.getByLabel(/^Código enviado ao novo/).fill(await lastCode(phone));
  await button(page, 'Trocar o celular').click();
  await page.getByText('Celular trocado.').waitFor();
  await page.getByText(showPhone(phone)).first().waitFor();

  const order = { customer: id, merchant: 'padaria-flor-do-trigo', amount: 40, installments: 2 };
  const sold = await staff('POST', '/admin/checkouts', order);
  await link(page, 'Encerrar a conta').click();
  await page.getByText('Há compras em aberto.').waitFor();
  assert.equal(await button(page, 'Receber código para encerrar').count(), 0);
  await staff('POST', `/admin/checkouts/${sold.body.hash}/returns`, { amount: 40, reason: 'Engano' });
  service.clock.advance(61_000);
  await page.reload();
  await button(page, 'Receber código para encerrar').click();
  await page.getByLabel('Código de 6 números').fill(await lastCode(phone));
  await button(page, 'Apagar meus dados e encerrar').click();
  await page.getByText('Sua conta foi encerrada, e os seus dados foram apagados.').waitFor();
  assert.equal((await staff('GET', `/admin/customers/${id}`, undefined)).body.name, 'apagado');
  await page.context().close();
});

test('a change of the phone that staff asked for is shown, and cancelled with one button', async () => {
  const customer = await newCustomer(service);
  const wanted = newPhone();
  await staff('PATCH', `/admin/customers/${customer.id}`, { phone: wanted });
  const { page } = await open({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
  await signIn(page, customer);
  await page.getByText(`Foi pedida a troca do seu celular pelo de final ${wanted.slice(-4)}`).waitFor();
  await button(page, 'Cancelar a troca').click();
  await page.getByText('Troca cancelada.').waitFor();
  const { token } = await enter(service, customer);
  assert.deepEqual((await service.get('/wallet/phone-change', { token })).body, { phone_change: null });
  await page.context().close();
});

test('these pages in both lights: axe finds nothing, the console is silent, nothing scrolls sideways', async () => {
  const customer = await newCustomer(service);
  const order = { customer: customer.id, merchant: 'padaria-flor-do-trigo', amount: 40, installments: 2 };
  await staff('PATCH', `/admin/customers/${customer.id}`, { phone: newPhone() });
  const { page, complaints } = await open();
  await signIn(page, customer);
  const faults: string[] = [];
  for (const how of LOOKS) {
    await page.emulateMedia({ colorScheme: how.colorScheme });
    service.clock.advance(61_000);
    const look = async () => faults.push(...(await faultsOf(page, how)));
    await page.goto('/carteira/perfil');
    await look();
    await link(page, 'Trocar o e-mail').click();
    await look();
    await page.getByLabel('E-mail novo').fill(`${'davi'.repeat(12)}@example.com`);
    await button(page, 'Receber código').click();
    await page.getByLabel('Código de 6 números').waitFor();
    await look();
    service.clock.advance(61_000);
    await page.goto('/carteira/perfil/celular');
    await look();
    await page.getByLabel('Celular novo, com DDD').fill(showPhone(newPhone()));
    await button(page, 'Receber os códigos').click();
    await page.getByLabel(/^Código enviado ao novo/).waitFor();
    await look();
    service.clock.advance(61_000);
    await page.goto('/carteira/perfil/encerrar');
    await look();
    const isOpen = await button(page, 'Receber código para encerrar').count();
    if (isOpen === 0) continue;
    await button(page, 'Receber código para encerrar').click();
    await button(page, 'Apagar meus dados e encerrar').waitFor();
    await look();
    // In the other light there is something in the way.
    assert.equal((await staff('POST', '/admin/checkouts', order)).status, 201);
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(complaints, []);
  await page.context().close();
});
