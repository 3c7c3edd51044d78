import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/harness.ts';
import { faultsOf, LOOKS, openBrowser } from './in-browser.ts';
import { openSite } from './testing.ts';

const { siteUrl } = await openSite();
const { open } = await openBrowser(siteUrl);

test('somebody signs in, accepts the bakery’s offer, scans once, and sees what is debited; off again at any time', async () => {
  const { page } = await open({ viewport: { width: 360, height: 780 } });
  await page.goto('/carteira/entrar');
  await page.getByLabel('Celular com DDD').fill('(11) 98765-0003');
  await page.getByLabel('Senha').fill('semana-demo-3');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/carteira');
  await page.getByRole('button', { name: 'Receber uma oferta' }).first().click();
  await page.waitForURL('**/carteira/ofertas/*');
  await page.getByRole('button', { name: /^Aceitar/ }).click();
  await page.waitForURL('**/carteira/compras/*');
  assert.deepEqual(await faultsOf(page, LOOKS[0]!), []);
  await page.getByRole('button', { name: 'Pagar a 1ª parcela e ligar' }).click();
  await page.waitForURL('**/debito');
  await page.getByText('Um código só: paga a 1ª parcela e autoriza as seguintes.').waitFor();
  assert.match(
    await page.getByLabel('Código para o banco').inputValue(),
    /^000201.*80\d\d0014br\.gov\.bcb\.pix/,
  );
  assert.deepEqual(await faultsOf(page, LOOKS[0]!), []);
  await page.getByRole('button', { name: 'Autorizar como o banco' }).click();
  await page.getByRole('heading', { name: 'Débito automático ligado.' }).waitFor();
  assert.deepEqual(await faultsOf(page, LOOKS[0]!), []);
  await page.getByRole('link', { name: 'Ver a compra' }).click();
  await page.waitForURL('**/carteira/compras/*');
  await eventually('the first installment is paid', async () => {
    await page.reload();
    return page.getByText(/A 2ª parcela, de .* será debitada/).isVisible();
  });
  assert.deepEqual(await faultsOf(page, LOOKS[0]!), []);
  await page.getByRole('button', { name: 'Desligar' }).click();
  await page.getByText('Débito automático desligado. As parcelas são pagas por código.').waitFor();
});
