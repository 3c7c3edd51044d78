import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY_MS, MINUTE_MS } from '#core/duration.ts';
import { eventually } from '../../../test/harness.ts';
import { enter, newCustomer } from '../../../test/support/customers.ts';
import { codeAt, stepAt } from '../../staff/sign-in/totp.ts';
import { faultsOf, findings, LOOKS, openBrowser } from './in-browser.ts';
import { button, enterAs, heading, link, staffOf, WIDE } from './office-pages.ts';
import { openOfficeSite } from './office-testing.ts';

const { service, officeUrl, logged } = await openOfficeSite();
const { open } = await openBrowser(officeUrl);
const PASSWORD = 'girafa-boia-longe';
const staff = staffOf(service);
async function accept(page: Page, role: string, email: string): Promise<string> {
  const { body } = await staff('POST', '/admin/staff', { name: 'Marina Duarte', role });
  await page.goto(`/convite/${body.invite_url.split('/').at(-1)}`);
  await heading(page, 'Olá, Marina').waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await button(page, 'Continuar').click();
  await heading(page, 'Escolha um segundo fator').waitFor();
  return body.id;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/entrar');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await button(page, 'Entrar').click();
  await heading(page, 'Segundo fator').waitFor();
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

test('without JavaScript: an invited person sets up one-time codes, gets recovery codes, and signs in with a code', async () => {
  const { page } = await open({ ...WIDE, javaScriptEnabled: false });
  await accept(page, 'support', 'marina@example.com');
  const secret = fromBase32((await page.locator('.office-secret').innerText()).replaceAll(' ', ''));
  const code = () => codeAt(secret, stepAt(service.clock.now()));
  await page.getByLabel('Código de 6 números').fill('000000');
  await button(page, 'Usar códigos').click();
  await page.getByText('O código ou a chave de acesso não confere.').waitFor();
  assert.equal(
    (await page.locator('.office-secret').innerText()).replaceAll(' ', '').length,
    32,
    'the secret is still the same',
  );
  await page.getByLabel('Código de 6 números').fill(code());
  await button(page, 'Usar códigos').click();
  await heading(page, 'Códigos de recuperação').waitFor();
  const codes = await page.locator('.office-codes code').allInnerTexts();
  assert.equal(codes.length, 10);
  await link(page, 'Guardei').click();
  await heading(page, 'Hoje').waitFor();
  await button(page, 'Sair').click();
  await heading(page, 'Retaguarda').waitFor();

  service.clock.advance(MINUTE_MS);
  await signIn(page, 'marina@example.com');
  await page.goto('/clientes');
  await heading(page, 'Retaguarda').waitFor();
  await page.goto('/entrar/fator');
  await page.getByLabel(/^Código do aplicativo/).fill('111111');
  await button(page, 'Confirmar').click();
  await page.getByText('Não confere.').waitFor();
  await page.getByLabel(/^Código do aplicativo/).fill(code());
  await button(page, 'Confirmar').click();
  await heading(page, 'Hoje').waitFor();
  await button(page, 'Sair').click();
  await signIn(page, 'marina@example.com');
  await page.getByLabel(/^Código do aplicativo/).fill(codes[0]!);
  await button(page, 'Confirmar').click();
  await heading(page, 'Hoje').waitFor();
});

test('admin invites somebody, who makes a passkey and signs in with it', async () => {
  const { page, complaints } = await open(WIDE);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await accept(page, 'finance', 'rui@example.com');
  await button(page, 'Criar chave de acesso').click();
  await heading(page, 'Códigos de recuperação').waitFor();
  await link(page, 'Guardei').click();
  await heading(page, 'Hoje').waitFor();
  await link(page, 'Marina Duarte Financeiro').click();
  await page.getByText('este aparelho').first().waitFor();
  await button(page, 'Sair').click();
  await signIn(page, 'rui@example.com');
  await button(page, 'Usar chave de acesso').click();
  await heading(page, 'Hoje').waitFor();
  assert.deepEqual(complaints, []);
});

test('support’s day: finds a caller by half a name with the keyboard, unlocks them, and sees no act of another role', async () => {
  const customer = await newCustomer(service);
  await staff('PATCH', `/admin/customers/${customer.id}`, { name: 'Zoraide Quaresma' });
  await staff('POST', `/admin/customers/${customer.id}/lock`, { reason: 'Pediu por telefone' });
  const { page, complaints } = await open(WIDE);
  await enterAs(page, 'Atendimento');
  await page.keyboard.press('/');
  await page.keyboard.type('zoraide qua');
  await page.keyboard.press('Enter');
  await heading(page, 'Zoraide Quaresma').waitFor();
  await page.getByText('Bloqueado desde').waitFor();
  assert.equal(await link(page, 'Mudar limite').count(), 0);
  assert.equal(await link(page, 'Apagar dados').count(), 0);
  await page.goto(`/clientes/${customer.id}/limite`);
  await heading(page, 'Seu papel não permite').waitFor();
  complaints.length = 0; // the 403 itself
  await page.goBack();
  await link(page, 'Desbloquear').click();
  await page.getByLabel('Motivo').fill('Confirmou os dados');
  await button(page, 'Desbloquear').dblclick();
  await page.getByText('Cliente desbloqueado.').waitFor();
  const { body } = await staff('GET', `/admin/audit-trail?subject=customer:${customer.id}`);
  const unlocks = body.data.filter(({ action }: { action: string }) => action === 'unlockCustomer');
  assert.deepEqual(
    unlocks.map(({ actor_name, reason }: Record<string, string>) => [actor_name, reason]),
    [['Demo support', 'Confirmou os dados']],
    'once, under their name, with the reason',
  );
  const views = await staff('GET', `/admin/audit-trail?subject=view:${customer.id}`);
  assert.ok(views.body.data.length > 0, 'looking at a person is in the trail');

  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await heading(page, 'Clientes').waitFor();
  assert.equal(await page.getByText('Zoraide Quaresma').count(), 0, 'masked in lists');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/clientes\/cus_/);
  await page.keyboard.press('Escape');
  await heading(page, 'Clientes').waitFor();
  await page.keyboard.press('?');
  await page.getByText('g c: Clientes').waitFor();
  assert.deepEqual(complaints, []);
});

test('search as one types: arrows walk what is found, Enter opens it, Esc closes it; looking alone opens nobody', async () => {
  const customer = await newCustomer(service);
  await staff('PATCH', `/admin/customers/${customer.id}`, { name: 'Quitéria Vasques' });
  const { page, complaints } = await open(WIDE);
  await enterAs(page, 'Atendimento');
  await page.keyboard.press('/');
  await page.keyboard.type('quitér', { delay: 20 });
  const found = page.locator('.office-found a');
  await found.first().waitFor();
  assert.equal(await found.first().innerText(), 'Quitéria V***');
  const views = await staff('GET', `/admin/audit-trail?subject=view:${customer.id}`);
  assert.deepEqual(views.body.data, []);
  assert.deepEqual(await faultsOf(page, LOOKS[0]!), []);
  await page.keyboard.press('Escape');
  await found.first().waitFor({ state: 'hidden' });
  await page.keyboard.type('i');
  await found.first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading(page, 'Quitéria Vasques').waitFor();
  assert.deepEqual(complaints, []);
});

test('by keyboard: all rows are chosen by one box and done; of two people at one text both versions are shown; axe finds nothing', async () => {
  for (const name of ['Joana', 'Rita'])
    await service.post('/public/leads', { kind: 'partner', name, email: `${name}@example.com` });
  const { page, complaints } = await open(WIDE);
  await enterAs(page, 'Conteúdo');
  await page.goto('/contatos?status=new');
  await page.getByLabel('Escolher todas').focus();
  await page.keyboard.press('Space');
  await button(page, 'Marcar como atendido').focus();
  await page.keyboard.press('Enter');
  await heading(page, 'Marcar como atendido: 2 linhas').waitFor();
  const found = await findings(page);
  await button(page, 'Marcar como atendido (2)').focus();
  await page.keyboard.press('Enter');
  await heading(page, 'Marcar como atendido: resultado').waitFor();
  found.push(...(await findings(page)));
  const left = await staff('GET', '/admin/leads?status=new');
  assert.equal(left.body.pagination.total, 0);

  const { id } = (await staff('GET', '/admin/faq?limit=1')).body.data[0];
  await page.goto(`/perguntas/${id}/editar`);
  await page.getByLabel('Resposta').fill('A minha resposta.');
  await staff('PATCH', `/admin/faq/${id}`, { answer: 'A outra resposta.' });
  complaints.length = 0;
  await button(page, 'Salvar').click();
  await page.getByRole('group', { name: 'Resposta: qual fica?' }).waitFor();
  found.push(...(await findings(page)));
  await page.getByLabel('Como você escreveu').focus();
  await page.keyboard.press('Space');
  await button(page, 'Salvar').focus();
  await page.keyboard.press('Enter');
  await page.getByText('Pergunta salva.').waitFor();
  assert.equal((await staff('GET', `/admin/faq/${id}`)).body.answer, 'A minha resposta.');
  assert.deepEqual(found, []);
  assert.deepEqual(
    complaints.filter((one) => !one.includes('412')),
    [],
  );
});

test('risk’s day, without JavaScript: the queue of reviews with its facts first, many answered at once, a policy tried on the past and set', async () => {
  const reviews = [];
  for (let i = 0; i < 12; i++) {
    const { token } = await enter(service, await newCustomer(service));
    reviews.push((await service.post('/wallet/credit/review', undefined, { token })).body.id);
  }
  const { page } = await open({ ...WIDE, javaScriptEnabled: false });
  await enterAs(page, 'Financeiro');
  await link(page, '12 Análises de crédito').click();
  await page.getByText('12 linhas').waitFor();
  await page.locator('tbody a').first().click();
  await link(page, 'Recusar').click();
  await page.getByText('O que se sabia').first().waitFor();
  await page.getByLabel('Motivo').fill('Os documentos não conferem.');
  await button(page, 'Recusar').click();
  await page.getByText('Recusada. O cliente é avisado.').waitFor();
  await page.locator('a[href^="/clientes/cus_"]').click();
  await eventually('the customer was told', async () => {
    await page.reload();
    return (await link(page, 'Reenviar').count()) === 1;
  });
  await link(page, 'Reenviar').click();
  await button(page, 'Reenviar').click();
  await page.getByText(/^Na fila de novo: /).waitFor();

  await page.goto('/decisoes?outcome=review');
  for (const box of await page.locator('tbody input[type=checkbox]').all()) await box.check();
  await button(page, 'Aprovar').click();
  await heading(page, 'Aprovar: 11 linhas').waitFor();
  await page.getByLabel('Motivo').fill('Conferidos');
  await button(page, 'Aprovar (11)').click();
  await heading(page, 'Aprovar: resultado').waitFor();
  await page.getByText('11 de 11 linhas').waitFor();
  assert.equal(await page.getByText('Feito', { exact: true }).count(), 11);
  const left = await staff('GET', '/admin/credit-decisions?outcome=review');
  assert.equal(left.body.pagination.total, 0);

  await link(page, 'Política').click();
  await link(page, 'Experimentar ou propor outra').click();
  await page.getByLabel('Regras').fill('age_years; ; 200');
  await button(page, 'Continuar').click();
  await page.getByText(/seriam diferentes|seria diferente/).waitFor();
  assert.equal(await page.getByLabel('Regras').inputValue(), 'age_years; ; 200');
  await page.getByLabel('O que fazer com ela').selectOption('shadow');
  await button(page, 'Continuar').click();
  await page.getByText('A sombra é consultada a partir de agora.').waitFor();
  const { body } = await staff('GET', '/admin/credit-policy');
  assert.deepEqual(body.shadow.policy.rules, { age_years: { declined: 200 } });
  assert.deepEqual(body.shadow.policy.growth, body.policy.growth, 'what was not changed is as it was');
  await link(page, 'Tirar a sombra').click();
  await button(page, 'Tirar a sombra').click();
  await page.getByText('A sombra foi tirada.').waitFor();
});

test('finance’s day, without JavaScript: a payout run with its figures first, paid and told; a list is its address, and CSV is what it shows', async () => {
  const customer = await newCustomer(service);
  const order = { customer: customer.id, merchant: 'padaria-flor-do-trigo', amount: 40, installments: 2 };
  const sold = await staff('POST', '/admin/checkouts', order);
  assert.equal(sold.status, 201, sold.text);
  const { page } = await open({ ...WIDE, javaScriptEnabled: false });
  await enterAs(page, 'Financeiro');
  service.clock.advance(20 * MINUTE_MS);

  await page.goto(`/compras?customer=${customer.id}&status=open`);
  await page.getByText(/^1 linha · soma R\$\s40,00$/).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link(page, 'Baixar CSV').click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines.length, 2, 'the filter is that of the page');
  assert.match(lines[0]!, /^Compra;Situação;/);
  const exports = await staff('GET', '/admin/audit-trail?subject=export:listCheckoutsOfAll');
  assert.deepEqual(exports.body.data[0].after.filter.status, 'open');

  await page.goto('/compras');
  await page.getByLabel('Cliente, loja, compra ou referência').fill(sold.body.hash);
  await button(page, 'Filtrar').click();
  await page.getByText(/^1 linha · soma R\$\s40,00$/).waitFor();

  await page.goto(`/compras/${sold.body.hash}`);
  await link(page, 'Dar baixa por perda').click();
  await page.getByText('Principal em aberto').waitFor();
  await page.getByLabel('Motivo').fill('Cliente faleceu');
  await button(page, 'Dar baixa').click();
  await page.getByText('Baixa registrada.').waitFor();
  await link(page, 'Desfazer a baixa').click();
  await page.getByLabel('Motivo').fill('Era engano');
  await button(page, 'Desfazer a baixa').click();
  await page.getByText('A baixa foi desfeita').waitFor();

  // A session lasts twelve hours; what is due is due weeks later.
  service.clock.advance(60 * DAY_MS);
  await enterAs(page, 'Financeiro');
  await link(page, 'Repasses').click();
  await link(page, 'Fazer repasses').click();
  await page.getByText(/são devidos/).waitFor();
  await button(page, 'Fazer os repasses').click();
  await page.getByText(/repasses? feitos?\./).waitFor();
  await page.locator('tbody a').first().click();
  await heading(page, /^Repasse a/).waitFor();
  await link(page, 'Marcar como pago').click();
  await page.getByLabel('Comprovante do banco').fill('E123');
  await button(page, 'Marcar como pago').click();
  await page.getByText('Repasse pago.').waitFor();
  assert.equal(await link(page, 'Marcar como pago').count(), 0);
});

test('what a role may not do is not there: a viewer sees no act on any page, and money is refused besides', async () => {
  const { page } = await open(WIDE);
  await enterAs(page, 'Leitura');
  const { body } = await staff('GET', '/admin/checkouts?status=overdue&limit=1');
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
  assert.equal(await link(page, 'Ajustes').count(), 0);
});

test('every kind of page: axe finds nothing, nothing scrolls sideways, in both lights, at 200 %', async () => {
  const { page, complaints } = await open(WIDE);
  await page.goto('/entrar');
  const found: string[] = [];
  const { body } = await staff('GET', '/admin/checkouts?status=overdue&limit=1');
  const { hash, customer_id } = body.data[0];
  await staff('POST', `/admin/customers/${customer_id}/notes`, { text: 'Prefere ser chamada à tarde.' });
  const view = { list: 'listCustomers', name: 'Bloqueados', query: 'status=locked' };
  await staff('POST', '/admin/me/views', view);
  const decision = (await staff('GET', '/admin/credit-decisions?limit=1')).body.data[0].id;
  const PAGES = [
    ...['/', '/clientes', `/clientes/${customer_id}`, `/compras/${hash}`, `/compras/${hash}/baixar`],
    ...['/lojas/padaria-flor-do-trigo', '/repasses/novos', '/relatorios/carteira', '/equipe/nova', '/conta'],
    ...[`/clientes/varios?acao=bloquear&id=${customer_id}&page=1`, `/decisoes/${decision}`],
    ...['/politica/propor', '/tarefas'],
    ...['/busca?q=ana', '/trilha', '/entrar/novo-fator', '/posts/novo', '/ajustes', '/nada-aqui'],
    ...['/importar', '/imagens', '/relatorios/safras', `/compras/${hash}/devolver`],
    ...['/relatorios/autopay', '/relatorios/recusas', '/relatorios/mensagens', '/relatorios/lembretes'],
  ];
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.goto('/entrar');
    if (look.colorScheme === 'dark') found.push(...(await faultsOf(page, look)));
    if (await button(page, 'Administração').count()) await button(page, 'Administração').click();
    for (const path of PAGES) {
      await page.goto(path);
      found.push(...(await faultsOf(page, look)));
    }
  }
  assert.deepEqual(found, []);
  assert.deepEqual(
    complaints.filter((one) => !one.includes('404')),
    [],
  );
  await eventually('nothing was logged', async () => logged() === '' || assert.fail(logged()));
});
