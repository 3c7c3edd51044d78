import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { eventually } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/offer-driver.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { MERCHANT } from '../../../test/purchase-driver.ts';
import { newCustomer, openSessionFor } from '../../../test/support/customers.ts';
import { computeCode, computeTimeStep } from '../../staff/sign-in/totp.ts';
import {
  acceptInvitation,
  createStaffCaller,
  findButton,
  findHeading,
  findLink,
  signInAs,
  signInUpToSecondFactor,
} from './office-pages.ts';
import { openOfficeSite } from './office-testing.ts';
import { PlainPage } from './plain-page.ts';

const { service, officeUrl } = await openOfficeSite();
const openPage = () => new PlainPage(officeUrl);
const callStaff = createStaffCaller(service);

/** Reads the secret of one-time codes that the page shows, in base32 (RFC 4648). */
async function readTotpSecret(page: PlainPage): Promise<Buffer> {
  return decodeBase32((await page.locator('.office-secret').innerText()).replaceAll(' ', ''));
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

test('an invited user sets up one-time codes, gets recovery codes, and signs in with a code', async () => {
  const page = openPage();
  await acceptInvitation(page, service, { role: 'support', email: 'marina@example.com' });
  const secret = await readTotpSecret(page);
  const computeCurrentCode = () => computeCode(secret, computeTimeStep(service.clock.now()));
  await page.getByLabel('Código de 6 números').fill('000000');
  await findButton(page, 'Usar códigos').click();
  await page.getByText('O segundo fator não confere.').waitFor();
  assert.deepEqual(await readTotpSecret(page), secret, 'the secret is still the same');
  await page.getByLabel('Código de 6 números').fill(computeCurrentCode());
  await findButton(page, 'Usar códigos').click();
  await findHeading(page, 'Códigos de recuperação').waitFor();
  const recoveryCodes = await page.locator('.office-codes code').allInnerTexts();
  assert.equal(recoveryCodes.length, 10);
  await findLink(page, 'Guardei').click();
  await findHeading(page, 'Hoje').waitFor();
  await findButton(page, 'Sair').click();
  await findHeading(page, 'Retaguarda').waitFor();

  service.clock.advance(MINUTE_MS); // a one-time code is accepted once
  await signInUpToSecondFactor(page, 'marina@example.com');
  await page.goto('/clientes');
  await findHeading(page, 'Retaguarda').waitFor();
  await page.goto('/entrar/fator');
  await page.getByLabel(/^Código do aplicativo/).fill('111111');
  await findButton(page, 'Confirmar').click();
  await page.getByText('Não confere.').waitFor();
  await page.getByLabel(/^Código do aplicativo/).fill(computeCurrentCode());
  await findButton(page, 'Confirmar').click();
  await findHeading(page, 'Hoje').waitFor();
  await findButton(page, 'Sair').click();
  await signInUpToSecondFactor(page, 'marina@example.com');
  await page.getByLabel(/^Código do aplicativo/).fill(recoveryCodes[0]!);
  await findButton(page, 'Confirmar').click();
  await findHeading(page, 'Hoje').waitFor();
});

test('after the second factor the user gets the page that required the sign-in', async () => {
  const page = openPage();
  await acceptInvitation(page, service, { role: 'support', email: 'davi@example.com' });
  const secret = await readTotpSecret(page);
  const computeCurrentCode = () => computeCode(secret, computeTimeStep(service.clock.now()));
  await page.getByLabel('Código de 6 números').fill(computeCurrentCode());
  await findButton(page, 'Usar códigos').click();
  await findHeading(page, 'Códigos de recuperação').waitFor();
  await findButton(page, 'Sair').click();
  service.clock.advance(MINUTE_MS); // a one-time code is accepted once
  await signInUpToSecondFactor(page, 'davi@example.com', '/compras?status=overdue');
  await page.getByLabel(/^Código do aplicativo/).fill('111111');
  await findButton(page, 'Confirmar').click();
  await page.getByText('Não confere.').waitFor();
  await page.getByLabel(/^Código do aplicativo/).fill(computeCurrentCode());
  await findButton(page, 'Confirmar').click();
  await findHeading(page, 'Compras').waitFor();
});

test('the role risk sees the facts of pending reviews, decides several together, tries a policy on past decisions, and sets it', async () => {
  const reviews = [];
  for (let i = 0; i < 12; i++) {
    const { token } = await openSessionFor(service, await newCustomer(service));
    reviews.push((await service.post('/wallet/credit/review', undefined, { token })).body.id);
  }
  const page = openPage();
  await signInAs(page, 'Risco');
  await page.getByRole('link', { name: /^12\s*Análises de crédito$/ }).click();
  await page.getByText('12 linhas').waitFor();
  await page.locator('tbody a').first().click();
  await findLink(page, 'Recusar').click();
  await page.getByText('O que se sabia').first().waitFor();
  await page.getByLabel('Motivo').fill('Os documentos não conferem.');
  await findButton(page, 'Recusar').click();
  await page.getByText('Recusada. O cliente é avisado.').waitFor();
  await page.locator('a[href^="/clientes/cus_"]').click();
  await eventually('the customer was notified', async () => {
    await page.reload();
    return (await findLink(page, 'Reenviar').count()) === 1;
  });
  await findLink(page, 'Reenviar').click();
  await findButton(page, 'Reenviar').click();
  await page.getByText(/^Na fila de novo: /).waitFor();

  await page.goto('/decisoes?outcome=review');
  for (const checkbox of await page.locator('tbody input[type=checkbox]').all()) await checkbox.check();
  await findButton(page, 'Aprovar').click();
  await findHeading(page, 'Aprovar: 11 linhas').waitFor();
  await page.getByLabel('Motivo').fill('Conferidos');
  await findButton(page, 'Aprovar (11)').click();
  // One of the 12 reviews was refused. Of the other 11, a batch processes at most ten; the form of the page starts the next batch.
  do await findButton(page, 'Continuar').click();
  while ((await findButton(page, 'Continuar').count()) > 0);
  await findHeading(page, 'Aprovar: resultado').waitFor();
  await page.getByText('11 de 11 linhas').waitFor();
  assert.equal(await page.getByText('Feito', { exact: true }).count(), 11);
  const reviewsResponse = await callStaff('GET', '/admin/credit-decisions?outcome=review');
  assert.equal(reviewsResponse.body.pagination.total, 0);

  await findLink(page, 'Política').click();
  await findLink(page, 'Experimentar ou propor outra').click();
  await page.getByLabel('Regras').fill('age_years; ; 200');
  await findButton(page, 'Continuar').click();
  await page.getByText(/seriam diferentes|seria diferente/).waitFor();
  assert.equal(await page.getByLabel('Regras').inputValue(), 'age_years; ; 200');
  await page.getByLabel('O que fazer com ela').selectOption('shadow');
  await findButton(page, 'Continuar').click();
  await page.getByText('A sombra é consultada a partir de agora.').waitFor();
  const { body } = await callStaff('GET', '/admin/credit-policy');
  assert.deepEqual(body.shadow.policy.rules, { age_years: { declined: 200 } });
  assert.deepEqual(body.shadow.policy.growth, body.policy.growth, 'other parts are unchanged');
  await findLink(page, 'Tirar a sombra').click();
  await findButton(page, 'Tirar a sombra').click();
  await page.getByText('A sombra foi tirada.').waitFor();
});

test('the role finance previews and pays a payout batch; a list keeps its filter in the URL, and its CSV has the same rows', async () => {
  const customer = await newCustomer(service);
  const checkoutInput = { customer: customer.id, merchant: MERCHANT, amount: 40, installments: 2 };
  const sellResponse = await callStaff('POST', '/admin/checkouts', checkoutInput);
  assert.equal(sellResponse.status, 201, sellResponse.text);
  const page = openPage();
  await signInAs(page, 'Financeiro');
  service.clock.advance(20 * MINUTE_MS); // a session ends only after 30 idle minutes

  await page.goto(`/compras?customer=${customer.id}&status=open`);
  await page.getByText(/^1 linha · soma R\$\s40,00$/).waitFor();
  const { text: csv } = await page.download(findLink(page, 'Baixar CSV'));
  const lines = csv.trim().split('\r\n');
  assert.equal(lines.length, 2, 'the CSV has the filter of the page');
  assert.match(lines[0]!, /^Compra;Situação;/);
  const exportsResponse = await callStaff('GET', '/admin/audit-trail?subject=export:listCheckoutsOfAll');
  assert.deepEqual(exportsResponse.body.data[0].after.filter.status, 'open');

  await page.goto('/compras');
  await page.getByLabel('Cliente, loja, compra ou referência').fill(sellResponse.body.hash);
  await findButton(page, 'Filtrar').click();
  await page.getByText(/^1 linha · soma R\$\s40,00$/).waitFor();

  await page.goto(`/compras/${sellResponse.body.hash}`);
  await findLink(page, 'Dar baixa por perda').click();
  await page.getByText('Principal em aberto').waitFor();
  await page.getByLabel('Motivo').fill('Cliente faleceu');
  await findButton(page, 'Dar baixa').click();
  await page.getByText('Baixa registrada.').waitFor();
  await findLink(page, 'Desfazer a baixa').click();
  await page.getByLabel('Motivo').fill('Era engano');
  await findButton(page, 'Desfazer a baixa').click();
  await page.getByText('A baixa foi desfeita').waitFor();

  // The payout falls due weeks later; the session has ended by then, because it lasts twelve hours.
  service.clock.advance(60 * DAY_MS);
  await signInAs(page, 'Financeiro');
  await findLink(page, 'Repasses').click();
  await findLink(page, 'Fazer repasses').click();
  await page.getByText(/são devidos/).waitFor();
  await findButton(page, 'Fazer os repasses').click();
  await page.getByText(/repasses? feitos?\./).waitFor();
  await page.locator('tbody a').first().click();
  await findHeading(page, /^Repasse a/).waitFor();
  await findLink(page, 'Marcar como pago').click();
  await page.getByLabel('Comprovante do banco').fill('E123');
  await findButton(page, 'Marcar como pago').click();
  await page.getByText('Repasse pago.').waitFor();
  assert.equal(await findLink(page, 'Marcar como pago').count(), 0);
});

test('a page offers only actions that the role may perform: the role viewer sees none', async () => {
  const page = openPage();
  await signInAs(page, 'Leitura');
  const { body } = await callStaff('GET', '/admin/checkouts?status=overdue&limit=1');
  const { hash, customer_id } = body.data[0];
  for (const path of [
    `/clientes/${customer_id}`,
    `/compras/${hash}`,
    '/lojas/padaria-flor-do-trigo',
    '/equipe',
    '/repasses',
  ]) {
    await page.goto(path);
    assert.equal(await page.locator('.office-title .actions a').count(), 0, path);
  }
  assert.equal(await findLink(page, 'Ajustes').count(), 0);
});

test('the role content previews a post, sets its cover and schedule, and sees the changes of a file before importing it', async () => {
  const page = openPage();
  await signInAs(page, 'Conteúdo');
  await page.goto('/posts/novo');
  await page.getByLabel('Endereço').fill('juros-explicados');
  await page.getByLabel('Título').fill('Juros explicados');
  await page.getByLabel('Resumo').fill('O que é o CET.');
  await page.getByLabel('Autor').fill('Equipe');
  await page.getByLabel('Publicar em').fill('2099-03-02T09:00');
  const longText = 'Um parágrafo comprido. '.repeat(40);
  await page.getByLabel('Texto, em Markdown').fill(`## O *CET*\n\n${longText}`);
  await findButton(page, 'Pré-visualizar').click();
  await page.locator('.office-preview').getByRole('heading', { name: 'O CET', level: 2 }).waitFor();
  const bodyText = await page.getByLabel('Texto, em Markdown').inputValue();
  assert.ok(bodyText.length > 800, 'the input is shown again');
  assert.equal(
    (await callStaff('GET', '/admin/posts/juros-explicados')).status,
    404,
    'a preview saves nothing',
  );
  await findButton(page, 'Salvar').click();
  await page.getByText('Post salvo.').waitFor();
  await findLink(page, 'Trocar a capa').click();
  const svgSource =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#074"/></svg>';
  const imageFile = { name: 'capa.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svgSource) };
  await findButton(page, 'Usar esta imagem').click();
  await page.getByText('Escolha uma imagem.').waitFor();
  await page.getByLabel('Imagem').setInputFiles(imageFile);
  await findButton(page, 'Usar esta imagem').click();
  await page.getByText('Capa trocada.').waitFor();
  const coverResponse = await page.fetch((await page.locator('.office-cover').getAttribute('src'))!);
  assert.deepEqual([coverResponse.status, coverResponse.headers.get('content-type')], [200, 'image/svg+xml']);
  const { body: post } = await callStaff('GET', '/admin/posts/juros-explicados');
  assert.deepEqual(
    [post.published_at, post.cover_url.startsWith('/media/files/')],
    ['2099-03-02T12:00:00.000Z', true],
  );
  await page.goto('/posts?status=scheduled');
  await findLink(page, 'Juros explicados').waitFor();

  await findLink(page, 'Importar').click();
  await page.getByLabel('O que o arquivo tem').selectOption('Perguntas');
  const csv = 'id;topic;question;answer\r\njuros-novos;custos;Há juros?;Não há.\r\n';
  await page
    .getByLabel('Arquivo', { exact: true })
    .setInputFiles({ name: 'faq.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') });
  await findButton(page, 'Ver o que mudaria').click();
  await findHeading(page, 'O que mudaria').waitFor();
  await page.getByRole('cell', { name: 'Não há.' }).waitFor();
  assert.equal((await callStaff('GET', '/admin/faq/juros-novos')).status, 404);
  await findButton(page, 'Importar').click();
  await page.getByText('Importado: 1 novo, 0 mudados.').waitFor();
  assert.equal((await callStaff('GET', '/admin/faq/juros-novos')).body.answer, 'Não há.');
});

test('before finance moves a payment, the page shows what both customers will owe; a return refunds it by PIX', async () => {
  const [wrongCustomer, rightCustomer] = [await newCustomer(service), await newCustomer(service)];
  const sell = async ({ id }: { id: string }) => {
    const checkoutInput = { customer: id, merchant: MERCHANT, amount: 30, installments: 1 };
    const { body } = await callStaff('POST', '/admin/checkouts', checkoutInput);
    return { hash: body.hash as string, installmentId: body.installments[0].id as string };
  };
  const [wrongPurchase, rightPurchase] = [await sell(wrongCustomer), await sell(rightCustomer)];
  const pixDriver = createPixDriver(service);
  // A payment of R$ 10,00 for a charge that the service did not create.
  const { end_to_end_id: paymentId } = await pixDriver.payCharge(await pixDriver.createForeignCharge());
  await eventually(
    'the payment is an orphan',
    async () => (await callStaff('GET', `/admin/pix/orphans/${paymentId}`)).status === 200,
  );
  const supportPage = openPage();
  await signInAs(supportPage, 'Atendimento');
  await supportPage.goto(`/sem-dono/${paymentId}/atribuir`);
  await supportPage.getByLabel('Id da parcela').fill(wrongPurchase.installmentId);
  await findButton(supportPage, 'Ver as contas').click();
  await supportPage.getByText('Ficaria em aberto').waitFor();
  await findButton(supportPage, 'Atribuir').click();
  await supportPage.getByText('Pagamento atribuído.').waitFor();
  const page = openPage();
  await signInAs(page, 'Financeiro');
  await page.goto(`/pagamentos/${paymentId}`);
  await findLink(page, 'Mover para outra parcela').click();
  await page.getByLabel('Id da parcela certa').fill(rightPurchase.installmentId);
  await findButton(page, 'Ver as contas').click();
  await page.getByText(/Sai de/).waitFor();
  // The right customer owes 30,00 before and 20,00 after the move.
  assert.match(await page.locator('.office-figures').innerText(), /R\$\s30,00[\s\S]*R\$\s20,00/);
  await findButton(page, 'Mover').click();
  assert.equal(
    await page.getByLabel('Motivo').getAttribute('aria-invalid'),
    'true',
    'the reason is required',
  );
  await page.getByLabel('Motivo').fill('Cliente errada');
  await findButton(page, 'Mover').click();
  await page.getByText('Pagamento movido, com lançamentos novos.').waitFor();
  await page.getByRole('cell', { name: 'Saiu daqui' }).waitFor();
  assert.equal((await pixDriver.getCheckout(rightPurchase.hash)).amounts.paid, 10);
  assert.equal((await pixDriver.getCheckout(wrongPurchase.hash)).amounts.paid, 0);
  await page.goto(`/compras/${rightPurchase.hash}`);
  await findLink(page, 'Registrar devolução').click();
  await findButton(page, 'Ver as contas').click();
  await page.getByText('Volta por PIX').waitFor();
  assert.match(await page.locator('.office-figures').innerText(), /Volta por PIX\s+R\$\s10,00/);
});

test('the role support sees payments, returns, contract and messages of a purchase; the role viewer gets no contract', async () => {
  const pixDriver = createPixDriver(service);
  const customer = await pixDriver.createCustomer();
  const token = await pixDriver.createToken(customer);
  const offerInput = { phone: customer.phone, amount: 60, installments: 2, description: 'Bolo' };
  const { body: offer } = await service.post('/merchant/offers', offerInput, { key: MERCHANT_KEY });
  const acceptResponse = await service.post(`/wallet/offers/${offer.id}/accept`, {}, { token });
  assert.equal(acceptResponse.status, 201, acceptResponse.text);
  const { hash, installments, terms } = acceptResponse.body;
  const pay = async (value: number) => {
    const charge = await pixDriver.createCharge(customer, installments[0].id, 'settle_partial', value);
    const { end_to_end_id } = await pixDriver.payCharge(charge.txid);
    await pixDriver.waitForStatus(customer, charge.id, 'paid');
    return end_to_end_id as string;
  };
  const firstPaymentId = await pay(10);
  await pay(20);
  // The page does not show 22 PIX codes, these 20 and the two that were paid: it links to a list of all of them.
  for (let i = 0; i < 20; i++) {
    service.clock.advance(1_000);
    await pixDriver.createCharge(customer, installments[1].id, 'settle_partial', 1 + i);
  }
  assert.equal((await pixDriver.requestReturn(hash)).status, 201);
  const recordedPurchase = await pixDriver.sell(customer, { amount: 20 });

  const page = openPage();
  await signInAs(page, 'Atendimento');
  await page.goto(`/compras/${hash}`);
  const findTable = (name: string) => page.getByRole('region', { name, exact: true });
  assert.match(await findTable('Pagamentos').innerText(), /Voltou por PIX/);
  assert.equal(await findTable('Pagamentos').locator('tbody tr').count(), 2);
  await page.locator(`section[aria-label="Devoluções"] a[href="/pagamentos/${firstPaymentId}"]`).waitFor();
  assert.match(await findTable('Devoluções').innerText(), /Feita[\s\S]*R\$\s60,00[\s\S]*Não serviu/);
  assert.equal(await findTable('Estornos').locator('tbody tr').count(), 2);
  const messagesText = await findTable('Mensagens ao cliente').innerText();
  assert.match(messagesText, /compra aceita|Compra aceita/);
  const { data: messages } = (await callStaff('GET', `/admin/messages?checkout=${hash}`)).body;
  const texts: string[] = messages.map(({ text }: { text: string }) => text.replaceAll(/\s+/g, ' '));
  assert.ok(
    texts.some((text) => text.length > 90),
    'a message is long',
  );
  for (const text of texts) assert.ok(messagesText.replaceAll(/\s+/g, ' ').includes(text), text);
  await page.getByText('Demo partner').first().waitFor();
  await page.getByText(terms.contract_sha256).waitFor();
  const contractPath = await findLink(page, 'Texto do contrato').getAttribute('href');
  const contractBytes = await (await page.fetch(contractPath!)).bytes();
  assert.equal(createHash('sha256').update(contractBytes).digest('hex'), terms.contract_sha256);
  const pdfResponse = await page.fetch((await findLink(page, 'Contrato em PDF').getAttribute('href'))!);
  assert.equal(pdfResponse.headers.get('content-type'), 'application/pdf');
  await findLink(page, 'Na lista (22)').click();
  await page.getByText('22 linhas').waitFor();

  await page.goto(`/compras/${recordedPurchase.hash}`);
  await page.getByText(/^Sem contrato/).waitFor();
  await page.goto(`/clientes/${customer.id}`);
  assert.match(await findTable('O que deve agora').innerText(), /1\s[\s\S]*R\$\s20,00/);

  const viewerPage = openPage();
  await signInAs(viewerPage, 'Leitura');
  await viewerPage.goto(`/compras/${hash}`);
  assert.equal(await viewerPage.getByText(terms.contract_sha256).count(), 0);
  assert.equal(await viewerPage.goto(`/compras/${hash}/contrato.pdf`), 403);
});

test('the page of a return shows the return, however many newer ones exist', async () => {
  const { id: customerId } = await newCustomer(service);
  const oldestId = newId('ret', service.clock.now());
  const insertReturns = (ids: string[], requestedAt: Date, reason: string) =>
    service.db.run(sql`
      insert into waiting_returns
        (id, merchant_id, merchant_slug, merchant_name, customer_id, checkout_hash, amount_cents, reason, asked_at, asked_by)
      select id, 1, 'loja', 'Loja', ${customerId}, ${'0'.repeat(22)}, 100, ${reason}, ${requestedAt}, 'key_1'
      from unnest(${ids}::text[]) id`);
  await insertReturns([oldestId], service.clock.now(), 'A primeira troca');
  // More than a page of the API has.
  const newerIds = Array.from({ length: 101 }, () => newId('ret', service.clock.now()));
  await insertReturns(newerIds, new Date(service.clock.now().getTime() + MINUTE_MS), 'Outra troca');

  const page = openPage();
  await signInAs(page, 'Leitura');
  await page.goto(`/devolucoes/${oldestId}`);
  await page.getByText('A primeira troca').waitFor();
});
