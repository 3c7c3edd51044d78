import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/stall.ts';
import { newCustomer } from '../../../test/support/customers.ts';
import { openTill } from '../../../test/till.ts';
import { faultsOf, LOOKS, openBrowser } from './in-browser.ts';
import { button, enterAs, heading, link, staffOf, WIDE } from './office-pages.ts';
import { openOfficeSite } from './office-testing.ts';

const { service, officeUrl } = await openOfficeSite();
const { open } = await openBrowser(officeUrl);
const staff = staffOf(service);
test('content’s day, without JavaScript: a post with its preview, a cover and a schedule; a file with what it would change', async () => {
  const { page } = await open({ ...WIDE, javaScriptEnabled: false });
  await enterAs(page, 'Conteúdo');
  await page.goto('/posts/novo');
  await page.getByLabel('Endereço').fill('juros-explicados');
  await page.getByLabel('Título').fill('Juros explicados');
  await page.getByLabel('Resumo').fill('O que é o CET.');
  await page.getByLabel('Autor').fill('Equipe');
  await page.getByLabel('Publicar em').fill('2099-03-02T09:00');
  const long = 'Um parágrafo comprido. '.repeat(40);
  await page.getByLabel('Texto, em Markdown').fill(`## O *CET*\n\n${long}`);
  await button(page, 'Pré-visualizar').click();
  await page.locator('.office-preview').getByRole('heading', { name: 'O CET', level: 2 }).waitFor();
  const kept = await page.getByLabel('Texto, em Markdown').inputValue();
  assert.ok(kept.length > 800, 'nothing that was typed is lost');
  assert.equal(
    (await staff('GET', '/admin/posts/juros-explicados')).status,
    404,
    'nothing is saved by looking',
  );
  await button(page, 'Salvar').click();
  await page.getByText('Post salvo.').waitFor();
  await link(page, 'Trocar a capa').click();
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#074"/></svg>';
  const svg = { name: 'capa.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(picture) };
  await button(page, 'Usar esta imagem').click();
  await page.getByText('Escolha uma imagem.').waitFor();
  await page.getByLabel('Imagem').setInputFiles(svg);
  await button(page, 'Usar esta imagem').click();
  await page.getByText('Capa trocada.').waitFor();
  const width = await page.locator('.office-cover').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });
  assert.equal(width, 8, 'the office shows it');
  const { body: post } = await staff('GET', '/admin/posts/juros-explicados');
  assert.deepEqual(
    [post.published_at, post.cover_url.startsWith('/media/files/')],
    ['2099-03-02T12:00:00.000Z', true],
  );
  await page.goto('/posts?status=scheduled');
  await link(page, 'Juros explicados').waitFor();

  await link(page, 'Importar').click();
  await page.getByLabel('O que o arquivo tem').selectOption('Perguntas');
  const csv = 'id;topic;question;answer\r\njuros-novos;custos;Há juros?;Não há.\r\n';
  await page
    .getByLabel('Arquivo', { exact: true })
    .setInputFiles({ name: 'faq.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') });
  await button(page, 'Ver o que mudaria').click();
  await heading(page, 'O que mudaria').waitFor();
  await page.getByRole('cell', { name: 'Não há.' }).waitFor();
  assert.equal((await staff('GET', '/admin/faq/juros-novos')).status, 404);
  await button(page, 'Importar').click();
  await page.getByText('Importado: 1 novo, 0 mudados.').waitFor();
  assert.equal((await staff('GET', '/admin/faq/juros-novos')).body.answer, 'Não há.');
});

test('finance corrects a payment, without JavaScript: what each side would owe first, then the deed, and back', async () => {
  const [wrong, right] = [await newCustomer(service), await newCustomer(service)];
  const sell = async ({ id }: { id: string }) => {
    const order = { customer: id, merchant: 'padaria-flor-do-trigo', amount: 30, installments: 1 };
    const { body } = await staff('POST', '/admin/checkouts', order);
    return { hash: body.hash as string, id: body.installments[0].id as string };
  };
  const [one, other] = [await sell(wrong), await sell(right)];
  const till = openTill(service);
  const { end_to_end_id: payment } = await till.payCode(await till.strangeCharge());
  await eventually(
    'it is an orphan',
    async () => (await staff('GET', `/admin/pix/orphans/${payment}`)).status === 200,
  );
  const { page } = await open({ ...WIDE, javaScriptEnabled: false });
  await enterAs(page, 'Financeiro');
  await page.goto(`/sem-dono/${payment}/atribuir`);
  await page.getByLabel('Id da parcela').fill(one.id);
  await button(page, 'Ver as contas').click();
  await page.getByText('Ficaria em aberto').waitFor();
  await button(page, 'Atribuir').click();
  await page.getByText('Pagamento atribuído.').waitFor();
  await page.goto(`/pagamentos/${payment}`);
  await link(page, 'Mover para outra parcela').click();
  await page.getByLabel('Id da parcela certa').fill(other.id);
  await button(page, 'Ver as contas').click();
  await page.getByText(/Sai de/).waitFor();
  assert.match(await page.locator('.office-figures').innerText(), /R\$\s30,00[\s\S]*R\$\s20,00/);
  await button(page, 'Mover').click();
  await page
    .getByText(/Motivo|motivo/)
    .first()
    .waitFor();
  await page.getByLabel('Motivo').fill('Cliente errada');
  await button(page, 'Mover').click();
  await page.getByText('Pagamento movido, com lançamentos novos.').waitFor();
  await page.getByRole('cell', { name: 'Saiu daqui' }).waitFor();
  assert.equal((await till.look(other.hash)).amounts.paid, 10);
  assert.equal((await till.look(one.hash)).amounts.paid, 0);
  await page.goto(`/compras/${other.hash}`);
  await link(page, 'Registrar devolução').click();
  await button(page, 'Ver as contas').click();
  await page.getByText('Volta por PIX').waitFor();
  assert.match(await page.locator('.office-figures').innerText(), /Volta por PIX\s+R\$\s10,00/);
});

test('support opens a purchase: where the centavos went, what was returned, the contract, and who was told; a viewer gets no contract', async () => {
  const till = openTill(service);
  const shopper = await till.newShopper();
  const token = await till.token(shopper);
  const order = { phone: shopper.phone, amount: 60, installments: 2, description: 'Bolo' };
  const { body: offer } = await service.post('/merchant/offers', order, { key: MERCHANT_KEY });
  const accepted = await service.post(`/wallet/offers/${offer.id}/accept`, {}, { token });
  assert.equal(accepted.status, 201, accepted.text);
  const { hash, installments, terms } = accepted.body;
  const pay = async (value: number) => {
    const charge = await till.charge(shopper, installments[0].id, 'settle_partial', value);
    const { end_to_end_id } = await till.payCode(charge.txid);
    await till.whenStatus(shopper, charge.id, 'paid');
    return end_to_end_id as string;
  };
  const [first] = [await pay(10), await pay(20)];
  // More codes than the page shows, none of which is lost: each is in the list that it leads to.
  for (let i = 0; i < 20; i++) {
    service.clock.advance(1_000);
    await till.charge(shopper, installments[1].id, 'settle_partial', 1 + i);
  }
  assert.equal((await till.giveBack(hash)).status, 201);
  const recorded = await till.sell(shopper, { amount: 20 });

  const { page } = await open({ ...WIDE, javaScriptEnabled: false });
  await enterAs(page, 'Atendimento');
  await page.goto(`/compras/${hash}`);
  const table = (name: string) => page.getByRole('region', { name, exact: true });
  assert.match(await table('Pagamentos').innerText(), /Voltou por PIX/);
  assert.equal(await table('Pagamentos').locator('tbody tr').count(), 2);
  await page.locator(`section[aria-label="Devoluções"] a[href="/pagamentos/${first}"]`).waitFor();
  assert.match(await table('Devoluções').innerText(), /Feita[\s\S]*R\$\s60,00[\s\S]*Não serviu/);
  assert.equal(await table('Estornos').locator('tbody tr').count(), 2);
  assert.match(await table('Mensagens ao cliente').innerText(), /compra aceita|Compra aceita/);
  await page.getByText('Demo partner').first().waitFor();
  await page.getByText(terms.contract_sha256).waitFor();
  const address = await link(page, 'Contrato em PDF').getAttribute('href');
  const contract = await (await page.request.get(address!)).body();
  assert.equal(createHash('sha256').update(contract).digest('hex'), terms.contract_sha256);
  await link(page, 'Ver todas (22)').click();
  await page.getByText('22 linhas').waitFor();

  await page.goto(`/compras/${recorded.hash}`);
  await page.getByText(/^Sem contrato/).waitFor();
  await page.goto(`/clientes/${shopper.id}`);
  assert.match(await table('O que deve agora').innerText(), /1\s[\s\S]*R\$\s20,00/);

  const { page: other } = await open({ ...WIDE, javaScriptEnabled: false });
  await enterAs(other, 'Leitura');
  await other.goto(`/compras/${hash}`);
  assert.equal(await other.getByText(terms.contract_sha256).count(), 0);
  assert.equal((await other.goto(`/compras/${hash}/contrato.pdf`))!.status(), 403);
});

test('a merchant’s page shows the card of the site, with its picture, and leads to its page there', async () => {
  const { page } = await open(WIDE);
  await enterAs(page, 'Conteúdo');
  await page.goto('/lojas/padaria-flor-do-trigo');
  const card = page.locator('.office-card');
  await card.getByRole('link', { name: 'Padaria Flor do Trigo' }).waitFor();
  const there = 'https://semana.example/lojas/padaria-flor-do-trigo';
  assert.equal(await link(page, 'Página no site').getAttribute('href'), there);
  assert.equal(await card.getByRole('link').getAttribute('href'), there);
  const width = await card.locator('img').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });
  assert.ok(width > 0, 'the picture is there');
});

test('finance marks payouts by the bank’s file: the figures and each line first, then the deed and its result', async () => {
  const customer = await newCustomer(service);
  const pay = async (amount: number) => {
    const order = { customer: customer.id, merchant: 'padaria-flor-do-trigo', amount, installments: 1 };
    await staff('POST', '/admin/checkouts', order);
    const { body } = await staff('POST', '/admin/payouts', { until: '2100-01-01' });
    return body.data.find(({ merchant }: { merchant: string }) => merchant === order.merchant).id as string;
  };
  const [paid, failed, wrong] = [await pay(30), await pay(20), await pay(10)];
  const csv =
    'Repasse;Situação;Referência;Motivo;Valor\r\n' +
    `${paid};pago;TED 482913;;\r\n${failed};falhou;;Conta encerrada, avisar à loja;\r\n${wrong};pago;TED 9;;9,99\r\n`;
  const file = { name: 'retorno.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') };
  const { page, complaints } = await open(WIDE);
  await enterAs(page, 'Financeiro');
  await link(page, 'Repasses').click();
  await link(page, 'Arquivo de retorno do banco').click();
  await button(page, 'Ver o que mudaria').click();
  await page.getByText('Escolha um arquivo.').first().waitFor();
  const choose = async () => {
    await page.getByLabel('Arquivo', { exact: true }).setInputFiles(file);
    await button(page, 'Ver o que mudaria').click();
    await heading(page, 'O que mudaria').waitFor();
    return page.locator('main').innerText();
  };
  const seen = await choose();
  assert.match(seen, /Pagos\s+1 · R\$\s[\s\S]*Falharam\s+1 · R\$\s[\s\S]*Com erro\s+1 linha/i);
  assert.match(seen, /O arquivo diz R\$\s9,99, o repasse é de R\$/);
  assert.match(seen, /Conta encerrada, avisar à loja/);
  for (const look of LOOKS) assert.deepEqual(await faultsOf(page, look), []);
  const statusOf = async (id: string) => (await staff('GET', `/admin/payouts/${id}`)).body.status;
  assert.equal(await statusOf(paid), 'pending', 'nothing is done by looking');
  await button(page, 'Marcar 2 repasses').click();
  await heading(page, 'O que mudou').waitFor();
  assert.deepEqual(
    [await statusOf(paid), await statusOf(failed), await statusOf(wrong)],
    ['paid', 'failed', 'pending'],
  );
  await page.getByText("Pago pelo banco como 'TED 482913'.").waitFor();
  await page.goto('/repasses');
  await link(page, 'Arquivo de retorno do banco').click();
  assert.match(await choose(), /Já registrados\s+2 · R\$/i);
  assert.equal(await page.getByRole('button', { name: /^Marcar/ }).count(), 0, 'there is nothing to do');
  assert.deepEqual(
    complaints.filter((one) => !one.includes('422')),
    [],
  );
});
