import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createPurchaseDriver, MERCHANT, newPhone } from '../../../test/purchase-driver.ts';
import { listMessages, newCustomer, openSessionFor } from '../../../test/support/customers.ts';
import { formatPhone } from '../text/format.ts';
import {
  checkFieldErrors,
  checkRedirectsToShop,
  findButton,
  findLink,
  readCodeOnPage,
  sellAndReturnHalf,
  signIn,
  signUpByInvitationAndPay,
} from './journeys.ts';
import { isFocused, PlainPage } from './plain-page.ts';
import { CODE_PAUSE_MS, openSite } from './site.ts';

const { service, siteUrl } = await openSite();
const openPage = () => new PlainPage(siteUrl);
const ANA = { phone: '+5511987650001', password: 'semana-demo-1' };
const callStaff = (method: string, path: string, body: unknown) =>
  service.staff(method, path, { key: 'sandbox-operator-key', body });
const readLastCode = async (phone: string) =>
  (await listMessages(service, phone)).find((message) => message.code)!.code;

test('search, pages, menu and a form with an error work without scripts', async () => {
  const page = openPage();
  await page.goto('/');
  await page.getByText('Menu', { exact: true }).click();
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Lojas' }).click();
  await page.getByRole('link', { name: 'Próxima' }).click();
  assert.equal(new URL(page.url()).search, '?pagina=2');
  await page.getByRole('searchbox').fill('padria');
  await page.getByRole('button', { name: 'Buscar' }).click();
  await page
    .locator('#resultados')
    .getByRole('link', { name: /Padaria/ })
    .first()
    .click();
  assert.match(page.url(), /\/lojas\/padaria/);
  await page.goto('/contato');
  await page.getByLabel('Seu nome').fill('Rita');
  await page.getByLabel('E-mail').fill('rita@exemplo'); // the browser accepts this address, the service does not
  await page.getByLabel('Mensagem').fill('Olá');
  await page.getByRole('button', { name: 'Enviar mensagem' }).click();
  assert.match((await page.getByRole('alert').textContent())!, /Confira o campo marcado/);
  assert.equal(await page.getByLabel('Mensagem').inputValue(), 'Olá');
  assert.ok(await isFocused(page.getByLabel('E-mail')));
  assert.deepEqual(await page.getByLabel('E-mail').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('E-mail').fill('rita@exemplo.com.br');
  await page.getByRole('button', { name: 'Enviar mensagem' }).click();
  await page.getByRole('heading', { name: 'Recebemos a sua mensagem.' }).waitFor();
});

test('without scripts an invited person signs up, buys, pays and gets cashback', async () => {
  const page = openPage();
  const waitUntilPaid = () => page.getByRole('heading', { name: /^Recebemos/ }).waitFor();
  await signUpByInvitationAndPay(
    page,
    service,
    { phone: '(21) 98765-4321', cpf: '390.533.447-05' },
    waitUntilPaid,
  );
});

test('a customer downloads their data, changes e-mail and phone with codes, and deletes the account once nothing is owed', async () => {
  const customer = await newCustomer(service);
  const { id } = customer;
  const page = openPage();
  await signIn(page, customer, '/carteira/perfil');

  const download = await page.download(findLink(page, 'Baixar meus dados'));
  assert.equal(download.fileName, 'meus-dados.json');
  const exportedData = JSON.parse(download.text);
  assert.equal(exportedData.tables.customers[0].name, 'Davi Teste');

  await findLink(page, 'Trocar o e-mail').click();
  await page.getByLabel('E-mail novo').fill('errado');
  await findButton(page, 'Receber código').click();
  await page.getByText('E-mail incompleto.').waitFor();
  await page.getByLabel('E-mail novo').fill('davi.novo@example.com');
  await findButton(page, 'Receber código').click();
  await page.getByLabel('Código de 6 números').fill('12');
  await findButton(page, 'Trocar o e-mail').click();
  await page.getByText('O código tem 6 números.').waitFor();
  await page.getByLabel('Código de 6 números').fill(await readLastCode(customer.phone));
  await findButton(page, 'Trocar o e-mail').click();
  await page.getByText('E-mail trocado.').waitFor();
  await page.getByText('davi.novo@example.com').waitFor();

  service.clock.advance(CODE_PAUSE_MS);
  const phone = newPhone();
  await findLink(page, 'Trocar o celular').click();
  await page.getByLabel('Celular novo, com DDD').fill(formatPhone(phone));
  await findButton(page, 'Receber os códigos').click();
  await page.getByLabel(/^Código enviado ao atual/).fill(await readLastCode(customer.phone));
  await page.getByLabel(/^Código enviado ao novo/).fill('000000');
  await findButton(page, 'Trocar o celular').click();
  await page.getByText('Código incorreto ou vencido.').waitFor();
  assert.equal(
    await page.getByLabel(/^Código enviado ao novo/).getAttribute('aria-invalid'),
    'true',
    'the error is at the field of the wrong code',
  );
  await page.getByLabel(/^Código enviado ao novo/).fill(await readLastCode(phone));
  await findButton(page, 'Trocar o celular').click();
  await page.getByText('Celular trocado.').waitFor();
  await page.getByText(formatPhone(phone)).first().waitFor();

  const checkoutInput = { customer: id, merchant: MERCHANT, amount: 40, installments: 2 };
  const sellResponse = await callStaff('POST', '/admin/checkouts', checkoutInput);
  await findLink(page, 'Encerrar a conta').click();
  await page.getByText('Há compras em aberto.').waitFor();
  assert.equal(await findButton(page, 'Receber código para encerrar').count(), 0);
  await callStaff('POST', `/admin/checkouts/${sellResponse.body.hash}/returns`, {
    amount: 40,
    reason: 'Engano',
  });
  service.clock.advance(CODE_PAUSE_MS);
  await page.reload();
  await findButton(page, 'Receber código para encerrar').click();
  await page.getByLabel('Código de 6 números').fill(await readLastCode(phone));
  await findButton(page, 'Apagar meus dados e encerrar').click();
  await page.getByText('Sua conta foi encerrada, e os seus dados foram apagados.').waitFor();
  assert.equal((await callStaff('GET', `/admin/customers/${id}`, undefined)).body.name, 'apagado');
});

test('a phone change that staff requested is shown, and the customer can cancel it', async () => {
  const customer = await newCustomer(service);
  const newNumber = newPhone();
  await callStaff('PATCH', `/admin/customers/${customer.id}`, { phone: newNumber });
  const page = openPage();
  await signIn(page, customer, '/carteira/perfil');
  await page.getByText(`Foi pedida a troca do seu celular pelo de final ${newNumber.slice(-4)}`).waitFor();
  await findButton(page, 'Cancelar a troca').click();
  await page.getByText('Troca cancelada.').waitFor();
  const { token } = await openSessionFor(service, customer);
  assert.deepEqual((await service.get('/wallet/phone-change', { token })).body, { phone_change: null });
});

test('the sandbox creates an offer and fills in the form for a visitor', async () => {
  const page = openPage();
  await page.goto('/carteira/entrar');
  await page.locator('.sandbox summary').click();
  await findButton(page, 'Comprar no balcão').click();
  await page.waitForURL('**/pagar/*');
  await page.getByLabel('Seu celular com DDD').fill(newPhone());
  await findButton(page, 'Continuar').click();
  await page.getByLabel('Código de 6 números').fill(await readCodeOnPage(page));
  await findButton(page, 'Continuar').click();
  await findButton(page, 'Preencher por mim').click();
  await page.getByRole('checkbox').check();
  await findButton(page, 'Continuar').click();
  await findButton(page, /^Aceitar: 4 × R\$\s30,00$/).click();
  await page.getByRole('heading', { name: /^Compra feita/ }).waitFor();
});

test('the customer returns to the shop after accepting, declining and letting an offer expire', async () => {
  const page = openPage();
  await signIn(page, await createPurchaseDriver(service).createCustomer());
  await checkRedirectsToShop(page, service);
});

test('a member sells by the link of the QR code and returns half, and the statement contains both', async () => {
  await sellAndReturnHalf(openPage(), openPage(), service);
});

test('an invalid field refers to its error message and has the focus: code, terms, simulator', async () => {
  await checkFieldErrors(openPage(), '(71) 98765-4321');
});

test('if the session ends while a form is filled in, the input is restored after signing in again', async () => {
  const page = openPage();
  await signIn(page, ANA);
  await page.goto('/carteira?situacao=abertas');
  await page.locator('.rows a').first().click();
  await page.getByRole('link', { name: /Pagar a/ }).click();
  await page.locator('summary', { hasText: 'Pagar uma parte' }).click();
  await page.getByLabel('Quanto pagar agora').fill('13,37');
  const formUrl = page.url();
  await service.db.run(sql`delete from sessions`);
  service.clock.advance(16 * MINUTE_MS); // the access token expires after 15 minutes
  await findButton(page, 'Gerar PIX desta parte').click();
  await page.getByText('o que você escreveu está salvo').waitFor();
  await page.getByLabel('Celular com DDD').fill('11 98765-0001');
  await page.getByLabel('Senha').fill('errada');
  await findButton(page, 'Entrar').click();
  await page.getByText('Celular ou senha incorretos').waitFor();
  assert.equal(await page.getByLabel('Celular com DDD').inputValue(), '11 98765-0001');
  await page.getByLabel('Senha').fill('semana-demo-1');
  await findButton(page, 'Entrar').click();
  assert.equal(page.url(), formUrl);
  assert.equal(await page.getByLabel('Quanto pagar agora').inputValue(), '13,37');
  await findButton(page, 'Gerar PIX desta parte').click();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
});

test('the clock of the sandbox applies to the wallet: a code expires and an installment becomes overdue, and both pages explain it', async () => {
  const page = openPage();
  await signIn(page, ANA);
  await page.goto('/carteira?situacao=abertas');
  await page.locator('.rows a').first().click();
  await page.getByRole('link', { name: /Pagar a/ }).click();
  await findButton(page, /com PIX$/).click();
  await page.getByRole('img', { name: 'QR code deste PIX' }).waitFor();
  await page.locator('.sandbox summary').click();
  await findButton(page, '+ 7 dias').click();
  await page.getByRole('heading', { name: 'Este código venceu.' }).waitFor();
  await page.getByRole('link', { name: 'Ver a parcela' }).click();
  await page.getByText('Multa de 2%, uma vez por vencimento').waitFor();
  await page.locator('.sandbox summary').click();
  await findButton(page, 'Voltar para hoje').click();
  await page.getByRole('heading', { name: 'Como você quer pagar' }).waitFor();
});
