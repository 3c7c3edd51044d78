import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MERCHANT } from '../../../test/purchase-driver.ts';
import { newCustomer } from '../../../test/support/customers.ts';
import { findPageProblems, openBrowser } from './in-browser.ts';
import {
  createStaffCaller,
  DESKTOP_SCREEN,
  findButton,
  findHeading,
  findLink,
  signInAs,
} from './office-pages.ts';
import { openOfficeSite } from './office-testing.ts';

const { service, officeUrl } = await openOfficeSite();
const { openPage } = await openBrowser(officeUrl);
const callStaff = createStaffCaller(service);

test('the page of a merchant previews its card with the picture, and links to its public page', async () => {
  const { page } = await openPage(DESKTOP_SCREEN);
  await signInAs(page, 'Conteúdo');
  await page.goto('/lojas/padaria-flor-do-trigo');
  const card = page.locator('.office-card');
  await card.getByRole('link', { name: 'Padaria Flor do Trigo' }).waitFor();
  const publicUrl = 'https://semana.example/lojas/padaria-flor-do-trigo';
  assert.equal(await findLink(page, 'Página no site').getAttribute('href'), publicUrl);
  assert.equal(await card.getByRole('link').getAttribute('href'), publicUrl);
  const imageWidth = await card.locator('img').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });
  assert.ok(imageWidth > 0, 'the picture has loaded');
});

test('finance uploads the bank’s return file: a preview has the totals and every line, then the payouts are marked', async () => {
  const customer = await newCustomer(service);
  const createPayout = async (amount: number) => {
    const checkoutInput = { customer: customer.id, merchant: MERCHANT, amount, installments: 1 };
    await callStaff('POST', '/admin/checkouts', checkoutInput);
    const { body } = await callStaff('POST', '/admin/payouts', { until: '2100-01-01' });
    return body.data.find(({ merchant }: { merchant: string }) => merchant === MERCHANT).id as string;
  };
  // Payouts are the amounts sold less the merchant's fee. The file names a wrong amount, 9,99, for the third one.
  const [paidPayout, failedPayout, wrongPayout] = [
    await createPayout(30),
    await createPayout(20),
    await createPayout(10),
  ];
  const csv =
    'Repasse;Situação;Referência;Motivo;Valor\r\n' +
    `${paidPayout};pago;TED 482913;;\r\n${failedPayout};falhou;;Conta encerrada, avisar à loja;\r\n${wrongPayout};pago;TED 9;;9,99\r\n`;
  const file = { name: 'retorno.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') };
  const { page, consoleErrors } = await openPage(DESKTOP_SCREEN);
  await signInAs(page, 'Financeiro');
  await findLink(page, 'Repasses').click();
  await findLink(page, 'Arquivo de retorno do banco').click();
  await findButton(page, 'Ver o que mudaria').click();
  await page.getByText('Escolha um arquivo.').first().waitFor();
  const previewFile = async () => {
    await page.getByLabel('Arquivo', { exact: true }).setInputFiles(file);
    await findButton(page, 'Ver o que mudaria').click();
    await findHeading(page, 'O que mudaria').waitFor();
    return page.locator('main').innerText();
  };
  const previewText = await previewFile();
  assert.match(previewText, /Pagos\s+1 · R\$\s[\s\S]*Falharam\s+1 · R\$\s[\s\S]*Com erro\s+1 linha/i);
  assert.match(previewText, /O arquivo diz R\$\s9,99, o repasse é de R\$/);
  assert.match(previewText, /Conta encerrada, avisar à loja/);
  assert.deepEqual(await findPageProblems(page), []);
  const readStatus = async (id: string) => (await callStaff('GET', `/admin/payouts/${id}`)).body.status;
  assert.equal(await readStatus(paidPayout), 'pending', 'a preview changes nothing');
  await findButton(page, 'Marcar 2 repasses').click();
  await findHeading(page, 'O que mudou').waitFor();
  assert.deepEqual(
    [await readStatus(paidPayout), await readStatus(failedPayout), await readStatus(wrongPayout)],
    ['paid', 'failed', 'pending'],
  );
  await page.getByText("Pago pelo banco como 'TED 482913'.").waitFor();
  await page.goto('/repasses');
  await findLink(page, 'Arquivo de retorno do banco').click();
  assert.match(await previewFile(), /Já registrados\s+2 · R\$/i);
  assert.equal(await page.getByRole('button', { name: /^Marcar/ }).count(), 0, 'there is nothing to do');
  // The browser logs the 422 of the form without a file.
  assert.deepEqual(
    consoleErrors.filter((message) => !message.includes('422')),
    [],
  );
});
