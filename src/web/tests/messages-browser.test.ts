import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MERCHANT_KEY } from '../../../test/stall.ts';
import { messagesTo, newCustomer } from '../../../test/support/customers.ts';
import { showPhone } from '../ui/format.ts';
import { faultsOf, LOOKS, openBrowser } from './in-browser.ts';
import { openSite } from './testing.ts';

const { service, siteUrl } = await openSite();
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
