import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/harness.ts';
import { newCustomer, openSessionFor } from '../../../test/support/customers.ts';
import { findPageProblems, openBrowser } from './in-browser.ts';
import {
  acceptInvitation,
  createStaffCaller,
  DESKTOP_SCREEN,
  findButton,
  findHeading,
  findLink,
  signInAs,
  signInUpToSecondFactor,
} from './office-pages.ts';
import { openOfficeSite } from './office-testing.ts';

const { service, officeUrl, readLog } = await openOfficeSite();
const { openPage } = await openBrowser(officeUrl);
const callStaff = createStaffCaller(service);

test('an admin invites a staff user, who creates a passkey and signs in with it', async () => {
  const { page, consoleErrors } = await openPage(DESKTOP_SCREEN);
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
  await acceptInvitation(page, service, { role: 'finance', email: 'rui@example.com' });
  await findButton(page, 'Criar chave de acesso').click();
  await findHeading(page, 'Códigos de recuperação').waitFor();
  await findLink(page, 'Guardei').click();
  await findHeading(page, 'Hoje').waitFor();
  await findLink(page, 'Marina Duarte Financeiro').click();
  await page.getByText('este aparelho').first().waitFor();
  await findButton(page, 'Sair').click();
  await signInUpToSecondFactor(page, 'rui@example.com');
  await findButton(page, 'Usar chave de acesso').click();
  await findHeading(page, 'Hoje').waitFor();
  assert.deepEqual(consoleErrors, []);
});

test('the role support finds a customer by a part of the name with the keyboard, unlocks them, and sees no action of another role', async () => {
  const customer = await newCustomer(service);
  await callStaff('PATCH', `/admin/customers/${customer.id}`, { name: 'Zoraide Quaresma' });
  await callStaff('POST', `/admin/customers/${customer.id}/lock`, { reason: 'Pediu por telefone' });
  const { page, consoleErrors } = await openPage(DESKTOP_SCREEN);
  await signInAs(page, 'Atendimento');
  await page.keyboard.press('/');
  await page.keyboard.type('zoraide qua');
  await page.keyboard.press('Enter');
  await findHeading(page, 'Zoraide Quaresma').waitFor();
  await page.getByText('Bloqueado desde').waitFor();
  assert.equal(await findLink(page, 'Mudar limite').count(), 0);
  assert.equal(await findLink(page, 'Apagar dados').count(), 0);
  await page.goto(`/clientes/${customer.id}/limite`);
  await findHeading(page, 'Seu papel não permite').waitFor();
  consoleErrors.length = 0; // forgets the expected 403
  await page.goBack();
  await findLink(page, 'Desbloquear').click();
  await page.getByLabel('Motivo').fill('Confirmou os dados');
  await findButton(page, 'Desbloquear').dblclick();
  await page.getByText('Cliente desbloqueado.').waitFor();
  const { body } = await callStaff('GET', `/admin/audit-trail?subject=customer:${customer.id}`);
  const unlocks = body.data.filter(({ action }: { action: string }) => action === 'unlockCustomer');
  assert.deepEqual(
    unlocks.map(({ actor_name, reason }: Record<string, string>) => [actor_name, reason]),
    [['Demo support', 'Confirmou os dados']],
    'once, under their name, with the reason',
  );
  const viewsResponse = await callStaff('GET', `/admin/audit-trail?subject=view:${customer.id}`);
  assert.ok(viewsResponse.body.data.length > 0, 'opening a customer is audited');

  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await findHeading(page, 'Clientes').waitFor();
  assert.equal(await page.getByText('Zoraide Quaresma').count(), 0, 'masked in lists');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/clientes\/cus_/);
  await page.keyboard.press('Escape');
  await findHeading(page, 'Clientes').waitFor();
  await page.keyboard.press('?');
  await page.getByText('g c: Clientes').waitFor();
  assert.deepEqual(consoleErrors, []);
});

test('in the search, arrow keys move through the results, Enter opens one and Esc closes the list; moving opens no record', async () => {
  const customer = await newCustomer(service);
  await callStaff('PATCH', `/admin/customers/${customer.id}`, { name: 'Quitéria Vasques' });
  const { page, consoleErrors } = await openPage(DESKTOP_SCREEN);
  await signInAs(page, 'Atendimento');
  await page.keyboard.press('/');
  await page.keyboard.type('quitér', { delay: 20 });
  const suggestions = page.locator('.office-found a');
  await suggestions.first().waitFor();
  assert.equal(await suggestions.first().innerText(), 'Quitéria V***');
  // The audit trail records each customer page that is opened.
  const viewsResponse = await callStaff('GET', `/admin/audit-trail?subject=view:${customer.id}`);
  assert.deepEqual(viewsResponse.body.data, []);
  assert.deepEqual(await findPageProblems(page), []);
  await page.keyboard.press('Escape');
  await suggestions.first().waitFor({ state: 'hidden' });
  await page.keyboard.type('i');
  await suggestions.first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await findHeading(page, 'Quitéria Vasques').waitFor();
  assert.deepEqual(consoleErrors, []);
});

test('with the keyboard, one checkbox selects all rows for an action; concurrent edits of a text show both versions; axe reports nothing', async () => {
  for (const name of ['Joana', 'Rita'])
    await service.post('/public/leads', { kind: 'partner', name, email: `${name}@example.com` });
  const { page, consoleErrors } = await openPage(DESKTOP_SCREEN);
  await signInAs(page, 'Conteúdo');
  await page.goto('/contatos?status=new');
  await page.getByLabel('Escolher todas').focus();
  await page.keyboard.press('Space');
  await findButton(page, 'Marcar como atendido').focus();
  await page.keyboard.press('Enter');
  await findHeading(page, 'Marcar como atendido: 2 linhas').waitFor();
  const problems = await findPageProblems(page);
  await findButton(page, 'Marcar como atendido (2)').focus();
  await page.keyboard.press('Enter');
  await findHeading(page, 'Marcar como atendido: resultado').waitFor();
  problems.push(...(await findPageProblems(page)));
  const leadsResponse = await callStaff('GET', '/admin/leads?status=new');
  assert.equal(leadsResponse.body.pagination.total, 0);

  const { id } = (await callStaff('GET', '/admin/faq?limit=1')).body.data[0];
  await page.goto(`/perguntas/${id}/editar`);
  await page.getByLabel('Resposta').fill('A minha resposta.');
  await callStaff('PATCH', `/admin/faq/${id}`, { answer: 'A outra resposta.' });
  await findButton(page, 'Salvar').click();
  await page.getByText('Como está agora').waitFor();
  await page.getByText('A outra resposta.').waitFor();
  assert.equal(await page.getByLabel('Resposta').inputValue(), 'A minha resposta.');
  problems.push(...(await findPageProblems(page)));
  await findButton(page, 'Salvar').focus();
  await page.keyboard.press('Enter');
  await page.getByText('Pergunta salva.').waitFor();
  assert.equal((await callStaff('GET', `/admin/faq/${id}`)).body.answer, 'A minha resposta.');
  assert.deepEqual(problems, []);
  // The browser logs the 412 of the conflicting edit.
  assert.deepEqual(
    consoleErrors.filter((message) => !message.includes('412')),
    [],
  );
});

test('every kind of page passes axe and does not scroll sideways, in both themes and at 200 %', async () => {
  const { page, consoleErrors } = await openPage(DESKTOP_SCREEN);
  await page.goto('/entrar');
  const problems: string[] = [];
  const { body } = await callStaff('GET', '/admin/checkouts?status=overdue&limit=1');
  const { hash, customer_id } = body.data[0];
  await callStaff('POST', `/admin/customers/${customer_id}/notes`, { text: 'Prefere ser chamada à tarde.' });
  const viewInput = { list: 'listCustomers', name: 'Bloqueados', query: 'status=locked' };
  await callStaff('POST', '/admin/me/views', viewInput);
  const { token } = await openSessionFor(service, await newCustomer(service));
  const { id: decisionId } = (await service.post('/wallet/credit/review', undefined, { token })).body;
  const paths = [
    '/',
    '/clientes',
    `/clientes/${customer_id}`,
    `/compras/${hash}`,
    `/compras/${hash}/baixar`,
    '/lojas/padaria-flor-do-trigo',
    '/repasses/novos',
    '/relatorios/carteira',
    '/equipe/nova',
    '/conta',
    `/clientes/varios?acao=bloquear&id=${customer_id}&page=1`,
    `/decisoes/${decisionId}`,
    '/politica/propor',
    '/tarefas',
    '/busca?q=ana',
    '/trilha',
    '/entrar/novo-fator',
    '/posts/novo',
    '/ajustes',
    '/nada-aqui',
    '/importar',
    '/imagens',
    '/relatorios/safras',
    `/compras/${hash}/devolver`,
    '/relatorios/autopay',
    '/relatorios/recusas',
    '/relatorios/mensagens',
    '/relatorios/lembretes',
  ];
  problems.push(...(await findPageProblems(page)));
  await findButton(page, 'Administração').click();
  await findHeading(page, 'Hoje').waitFor();
  for (const path of paths) {
    await page.goto(path);
    problems.push(...(await findPageProblems(page)));
  }
  assert.deepEqual(problems, []);
  // The browser logs the 404 of /nada-aqui.
  assert.deepEqual(
    consoleErrors.filter((message) => !message.includes('404')),
    [],
  );
  await eventually('nothing was logged', async () => readLog() === '' || assert.fail(readLog()));
});
