import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { MERCHANT } from '../../../test/purchase-driver.ts';
import { newCustomer } from '../../../test/support/customers.ts';
import { parseDecimal } from '../office/form-values.ts';
import { CookieJar, readLocation } from './cookie-jar.ts';
import { createStaffCaller } from './office-pages.ts';
import { createSignIn, openOfficeSite, postFields, readHiddenValues, submitForm } from './office-testing.ts';

const { service, officeUrl, readLog } = await openOfficeSite({}, { FOUR_EYES_AMOUNT: '100.00' });

const callStaff = createStaffCaller(service);
const signInAs = createSignIn(officeUrl);

test('the session is in an encrypted HttpOnly cookie with SameSite=Strict; every page has the policy of the wallet and is not cached', async () => {
  const response = await fetch(`${officeUrl}/entrar/papel`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ role: 'admin' }),
  });
  const [cookie] = response.headers.getSetCookie();
  assert.match(cookie!, /^escritorio=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.ok(!cookie!.includes('semana_session'));
  const page = await (await signInAs('admin')).send('/');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self'/);
  assert.equal(page.headers.get('referrer-policy'), 'same-origin');
  assert.ok(!(await page.text()).includes('semana_session'));
});

test('without a session every page redirects to the sign-in and back; forms of other sites are refused', async () => {
  const visitorJar = new CookieJar(officeUrl);
  const response = await visitorJar.send('/clientes?status=locked');
  assert.equal(response.status, 303);
  assert.equal(readLocation(response), '/entrar?para=%2Fclientes%3Fstatus%3Dlocked');
  const csvResponse = await visitorJar.send('/clientes.csv');
  assert.equal(csvResponse.status, 303);
  const jar = await signInAs('support');
  const foreignResponse = await jar.post('/sair', {}, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreignResponse.status, 403);
  for (const target of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    const fields = { role: 'viewer', para: target };
    const signInResponse = await new CookieJar(officeUrl).post('/entrar/papel', fields);
    assert.equal(readLocation(signInResponse), '/', target);
  }
});

test('a staff user who is removed or signs out loses access at the next request; the partner API rejects staff sessions', async () => {
  const jar = await signInAs('content');
  assert.equal((await jar.send('/lojas')).status, 200);
  const { data } = (await callStaff('GET', '/admin/staff')).body;
  const { id } = data.find(({ role }: { role: string }) => role === 'content');
  assert.equal((await callStaff('DELETE', `/admin/staff/${id}`)).status, 204);
  const nextResponse = await jar.send('/lojas');
  assert.equal(readLocation(nextResponse), '/entrar?para=%2Flojas');

  const { body } = await service.staff('POST', '/sandbox/sessions', { key: null, body: { role: 'admin' } });
  const headers = { authorization: `Bearer ${body.session}` };
  assert.equal((await service.staff('GET', '/admin/me', { key: null, headers })).status, 200);
  for (const path of ['/admin/me', '/public/faq', '/events']) {
    const response = await service.call('GET', path, { key: null, headers });
    assert.ok([401, 404].includes(response.status), path);
  }
});

test('a filter that the API rejects is reported on the page; an unknown page is a 404 in the layout of the office', async () => {
  const jar = await signInAs('viewer');
  assert.match(await jar.text('/compras?from=ontem'), /O filtro não serve: “De” /);
  assert.equal((await jar.send('/clientes/cus_00000000000000000000000000')).status, 404);
  assert.equal((await jar.send('/nada')).status, 404);
  assert.equal((await jar.send('/%E0%A4%A')).status, 400);
  assert.equal(readLog(), '');
});

test('a form that is submitted twice is executed once', async () => {
  const jar = await signInAs('admin');
  const fields = { name: 'Duas Vezes', role: 'viewer', chave: crypto.randomUUID() };
  const send = () => jar.post('/equipe/nova', fields);
  const [firstResponse, secondResponse] = await Promise.all([send(), send()]);
  assert.equal(readLocation(firstResponse), readLocation(secondResponse));
  const { data } = (await callStaff('GET', '/admin/staff?limit=100')).body;
  assert.equal(data.filter(({ name }: { name: string }) => name === 'Duas Vezes').length, 1);
});

test('a new post that is submitted again from another session is not created twice', async () => {
  const postInput = {
    slug: 'duas-vezes',
    title: 'Duas vezes',
    summary: 'Uma só.',
    author: 'Equipe',
    body: 'Uma só.',
  };
  const fields = { ...postInput, tags: '', published_at: '', chave: crypto.randomUUID() };
  for (const jar of [await signInAs('admin'), await signInAs('admin')]) {
    const response = await jar.post('/posts/novo', fields);
    assert.deepEqual([response.status, readLocation(response)], [303, '/posts/duas-vezes']);
  }
});

test('a list view is saved under a name for its user, with its filter, without a script, and not if it contains a phone number', async () => {
  const jar = await signInAs('support');
  const query = 'status=locked&sort=oldest';
  const fields = { name: 'Bloqueados antigos', query, chave: crypto.randomUUID() };
  const saveResponse = await jar.post('/clientes/guardar-visao', fields);
  assert.equal(readLocation(saveResponse), `/clientes?${query}`);
  assert.match(await jar.text(`/clientes?${query}`), /Visão “Bloqueados antigos” guardada/);
  const page = await jar.text('/clientes');
  assert.match(page, /href="\/clientes\?status=locked&amp;sort=oldest"[^>]*>Bloqueados antigos</);
  assert.doesNotMatch(await (await signInAs('finance')).text('/clientes'), /Bloqueados antigos/);
  assert.doesNotMatch(await jar.text('/compras'), /Bloqueados antigos/);
  const phoneFields = { ...fields, query: 'phone=%2B5511987650001', chave: crypto.randomUUID() };
  const refusal = await jar.post('/clientes/guardar-visao', phoneFields);
  assert.equal(readLocation(refusal), `/clientes?${phoneFields.query}`, 'the URL still has the filter');
  const pageWithError = await jar.text(`/clientes?${phoneFields.query}`);
  assert.match(pageWithError, /que indica uma pessoa/);
  assert.match(pageWithError, /<details open[^>]*>/);
  const [, viewId] = /name="id" value="(vie_\w+)"/.exec(page)!;
  await jar.post('/clientes/remover-visao', { id: viewId!, query: '', chave: crypto.randomUUID() });
  assert.doesNotMatch(await jar.text('/clientes'), /Bloqueados antigos/);
});

const RUN_FIELDS = ['linha', 'acao', 'lote', 'reason'];

/** Continues a bulk action until it is finished. Returns all its progress pages. */
async function finishBulkRun(jar: CookieJar, firstPage: string): Promise<string[]> {
  const pages = [firstPage];
  for (;;) {
    const page = pages.at(-1)!;
    if (!page.includes('data-continue')) return pages;
    const fields = RUN_FIELDS.flatMap((name) => readHiddenValues(page, name).map((value) => [name, value]));
    const response = await postFields(jar, '/clientes/varios', [...fields, ['chave', crypto.randomUUID()]]);
    pages.push(await response.text());
  }
}

test('an action on many records shows its effect on each, asks for one reason and reports each result; a failure stops no others and can be retried', async () => {
  const customers = [];
  // One of the 23 is locked already, so 22 will be locked; one of these is erased in the meantime, which makes its row fail.
  for (let i = 0; i < 23; i++) customers.push(await newCustomer(service));
  const [erasedCustomer, lockedCustomer, ...otherCustomers] = customers;
  await callStaff('POST', `/admin/customers/${lockedCustomer!.id}/lock`);
  const jar = await signInAs('support');
  assert.doesNotMatch(await (await signInAs('viewer')).text('/clientes'), /type="checkbox"/);
  assert.match(await jar.text('/clientes'), /value="bloquear"/);
  const selection = new URLSearchParams([['acao', 'bloquear'], ...customers.map(({ id }) => ['id', id])]);
  const preview = await jar.text(`/clientes/varios?${selection}`);
  assert.match(preview, /Nada: já está bloqueado/);
  const rows = readHiddenValues(preview, 'linha').map((row) => ['linha', row]);
  assert.equal(rows.length, 22);
  const buildFields = (reason: string) => [
    ...rows,
    ['acao', 'bloquear'],
    ['volta', String(selection)],
    ['reason', reason],
    ['chave', crypto.randomUUID()],
  ];
  const blankResponse = await postFields(jar, '/clientes/varios', buildFields(''));
  assert.equal(readLocation(blankResponse), `/clientes/varios?${selection}`);
  assert.match(await jar.text(`/clientes/varios?${selection}`), /Preencha este campo/);

  await callStaff('POST', `/admin/customers/${erasedCustomer!.id}/erase`, { reason: 'Pedido' });
  const fields = buildFields('Suspeita de fraude');
  const [firstResponse, secondResponse] = await Promise.all([
    postFields(jar, '/clientes/varios', fields),
    postFields(jar, '/clientes/varios', fields),
  ]);
  const firstPage = await firstResponse.text();
  const readRows = (page: string) => readHiddenValues(page, 'linha');
  assert.deepEqual(
    readRows(firstPage),
    readRows(await secondResponse.text()),
    'a double click starts one run',
  );
  const pages = await finishBulkRun(jar, firstPage);
  const page = pages.at(-1)!;
  assert.ok(pages.length >= 3, 'a request processes a few rows');
  assert.match(page, /22 de 22 linhas, 1 falhou/);
  assert.match(page, /Os dados deste cliente foram apagados/);
  const listLocks = async (id: string) => {
    const { body } = await callStaff('GET', `/admin/audit-trail?subject=customer:${id}`);
    return body.data.filter(({ action }: { action: string }) => action === 'lockCustomer');
  };
  for (const { id } of otherCustomers)
    assert.deepEqual(
      (await listLocks(id)).map(({ reason }: { reason: string }) => reason),
      ['Suspeita de fraude'],
    );
  const failedIds = readRows(page).map((row) => JSON.parse(row).id);
  assert.deepEqual(failedIds, [erasedCustomer!.id], 'the failed row can be retried');
  assert.equal(readLocation(await postFields(jar, '/clientes/varios', [['acao', 'bloquear']])), '/clientes');
});

test('after a concurrent change nothing is overwritten: both versions are shown side by side', async () => {
  const jar = await signInAs('admin');
  const { data } = (await callStaff('GET', '/admin/faq?limit=1')).body;
  const [{ id, topic }] = data;
  const path = `/perguntas/${id}/editar`;
  const [version] = readHiddenValues(await jar.text(path), 'versao');
  assert.ok(version);
  await callStaff('PATCH', `/admin/faq/${id}`, { answer: 'A resposta da outra pessoa.' });
  const longAnswer = `A minha resposta. ${'Longa. '.repeat(300)}`.trim();
  const ownEdit = { question: 'A minha pergunta?', topic, answer: longAnswer, listed: 'true' };
  const conflictResponse = await jar.post(path, { ...ownEdit, versao: version, chave: crypto.randomUUID() });
  assert.equal(conflictResponse.status, 412);
  const page = await conflictResponse.text();
  assert.match(page, /A resposta da outra pessoa\./);
  assert.ok(page.includes(longAnswer), 'the whole input is shown again');
  const [newVersion] = readHiddenValues(page, 'versao');
  assert.notEqual(newVersion, version);
  const decidedEdit = { ...ownEdit, versao: newVersion!, answer: 'A resposta da outra pessoa.' };
  assert.equal((await jar.post(path, { ...decidedEdit, chave: crypto.randomUUID() })).status, 303);
  const { body } = await callStaff('GET', `/admin/faq/${id}`);
  assert.deepEqual([body.question, body.answer], ['A minha pergunta?', 'A resposta da outra pessoa.']);
});

test('an action that requires a second person announces this beforehand', async () => {
  const [jar, riskJar] = [await signInAs('finance'), await signInAs('risk')];
  const { id } = await newCustomer(service);
  assert.match(await riskJar.text(`/clientes/${id}/limite`), /Acima de R\$\s100,00, espera a aprovação/);
  const accountPage = await jar.text('/lojas/padaria-flor-do-trigo/conta');
  assert.match(accountPage, /Só vale depois da aprovação de outra pessoa/);
  const page = await riskJar.text(`/clientes/${id}/limite?credit_limit=480.50`);
  const [version] = readHiddenValues(page, 'versao');
  const fields = { versao: version!, reason: 'Pediu', chave: crypto.randomUUID() };
  // Some users type a decimal point, which is not a thousands separator.
  const changeResponse = await riskJar.post(`/clientes/${id}/limite`, { ...fields, credit_limit: '480.50' });
  assert.equal(changeResponse.status, 303);
  assert.equal((await callStaff('GET', `/admin/customers/${id}`)).body.credit.limit, 480.5);
  const checkoutInput = { customer: id, merchant: MERCHANT, amount: 150, installments: 2 };
  const { hash } = (await callStaff('POST', '/admin/checkouts', checkoutInput)).body;
  assert.match(await jar.text(`/compras/${hash}/baixar`), /São R\$\s150,00, acima de R\$\s100,00/);
  const smallPurchase = (await callStaff('POST', '/admin/checkouts', { ...checkoutInput, amount: 50 })).body;
  assert.doesNotMatch(await jar.text(`/compras/${smallPurchase.hash}/baixar`), /espera a aprovação/);
});

test('the page of a record says that an action on it waits for a second person', async () => {
  const { id } = await newCustomer(service);
  const [riskJar, viewerJar] = [await signInAs('risk'), await signInAs('viewer')];
  await callStaff('PATCH', `/admin/customers/${id}`, { credit_limit: 9_000, reason: 'Pediu' });
  for (const jar of [riskJar, viewerJar])
    assert.match(
      (await jar.text(`/clientes/${id}`)).replaceAll('\u00a0', ' '),
      /href="\/aprovacoes\/apr_\w+">[^<]+ de R\$ 9\.000,00<\/a>, a pedido de [^<]+, espera a aprovação de outra pessoa/,
    );
  const checkoutInput = { customer: id, merchant: MERCHANT, amount: 150, installments: 2 };
  const { hash } = (await callStaff('POST', '/admin/checkouts', checkoutInput)).body;
  await callStaff('POST', `/admin/checkouts/${hash}/write-off`, { reason: 'Sem esperança' });
  const purchasePage = await viewerJar.text(`/compras/${hash}`);
  assert.match(purchasePage, /href="\/aprovacoes\/apr_\w+">.*espera a aprovação/s);
  const account = { pix_key: 'nova@flor.example', holder_name: 'Flor Ltda.', tax_id: '11222333000181' };
  await callStaff('PUT', '/admin/merchants/padaria-flor-do-trigo/payout-account', account);
  const merchantPage = await viewerJar.text('/lojas/padaria-flor-do-trigo');
  assert.match(merchantPage, /href="\/aprovacoes\/apr_\w+">.*espera/s);
});

test('every action that may wait for a second person shows its consequences', async () => {
  // TSX can be loaded once the office runs.
  const { ACTIONS } = await import('../office/routes.ts');
  const { body } = await service.staff('GET', '/openapi.json', { key: null });
  const operationsWithApproval = Object.values(
    body.paths as Record<string, Record<string, { operationId: string; responses: object }>>,
  )
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => JSON.stringify(responses).includes('schemas/Approval"'))
    .map(({ operationId }) => operationId);
  assert.ok(operationsWithApproval.includes('refundPixOrphan'));
  const actionsWithoutNotice = ACTIONS.filter(
    ({ operation, approvalRule }) => operationsWithApproval.includes(operation) && !approvalRule,
  ).map(({ path }) => path);
  // Approvals themselves need no notice, and contact data is not about money.
  const expectedPaths = ['/aprovacoes/:id/aprovar', '/aprovacoes/:id/recusar', '/clientes/:id/contato'];
  assert.deepEqual(
    actionsWithoutNotice.filter((path) => !expectedPaths.includes(path)),
    [],
  );
});

test('a lead becomes a merchant with owner and plan in one flow; plan, members and a pending account change can be edited on its page', async () => {
  const lead = { kind: 'partner', name: 'Rita Lemos', company: 'Empório da Rita', phone: '+5511987651234' };
  const { id } = (await service.post('/public/leads', lead)).body;
  const jar = await signInAs('finance');
  assert.match(await jar.text(`/contatos/${id}`), /href="\/contatos\/\w+\/loja"/);
  assert.match(await jar.text(`/contatos/${id}/loja`), /value="Empório da Rita"/);
  const shop = { name: 'Empório da Rita', category: 'padarias', city: 'Recife', state: 'PE' };
  const owner = { 'owner/name': 'Rita Lemos', 'owner/phone': '(11) 98765-1234' };
  const wrongResponse = await jar.post(`/contatos/${id}/loja`, {
    ...shop,
    ...owner,
    'owner/phone': '12',
    chave: crypto.randomUUID(),
  });
  assert.equal(wrongResponse.status, 422);
  const pageWithError = await wrongResponse.text();
  assert.match(pageWithError, /id="owner\/phone"[^>]*aria-invalid="true"/, 'the error is beside the field');
  const resultPage = await submitForm(jar, `/contatos/${id}/loja`, {
    ...shop,
    ...owner,
    'plan/merchant_fee_percent': '2,5',
  });
  assert.match(resultPage, /Espera a aprovação de outra pessoa/);
  const [approval] = (await callStaff('GET', '/admin/approvals?status=waiting&kind=merchant_owner')).body
    .data;
  await submitForm(await signInAs('admin'), `/aprovacoes/${approval.id}/aprovar`);
  assert.match(await jar.text('/lojas/emporio-da-rita'), /Rita Lemos[\s\S]*Responsável/);
  const { body: merchant } = await callStaff('GET', '/admin/merchants/emporio-da-rita');
  assert.deepEqual([merchant.plan.merchant_fee_percent, merchant.plan.max_installments], [2.5, 12]);
  assert.equal((await callStaff('GET', `/admin/leads/${id}`)).body.status, 'handled');

  const path = '/lojas/emporio-da-rita';
  await submitForm(jar, `${path}/plano`, {
    ...Object.fromEntries(
      Object.entries(merchant.plan).map(([name, value]) => [`plan/${name}`, String(value)]),
    ),
    'plan/max_installments': '8',
  });
  assert.equal((await callStaff('GET', '/admin/merchants/emporio-da-rita')).body.plan.max_installments, 8);
  assert.doesNotMatch(await (await signInAs('content')).text(path), /\/plano"/, 'content may not set it');
  const clerk = { name: 'Téo', phone: '(11) 98765-4322', role: 'clerk', max_amount: '150,00' };
  assert.match(
    await submitForm(jar, `${path}/pessoas/nova`, { ...clerk, may_return: 'false' }),
    /R\$\s150,00/,
  );
  const { body: members } = await callStaff('GET', '/admin/merchants/emporio-da-rita/members');
  const clerkId = members.data.find(({ role }: { role: string }) => role === 'clerk').id;
  assert.match(await jar.text(path), new RegExp(`href="${path}/pessoas/${clerkId}/remover"`));
  assert.match(await submitForm(jar, `${path}/pessoas/${clerkId}/remover`), /Pessoa removida da loja/);

  await service.db.run(sql`
    insert into payout_accounts (merchant_id, change, change_counts_at)
    select id, '{"pix_key": "nova@loja.example", "holder_name": "Outra", "tax_id": "11222333000181", "asked_by": "mbr_1",
                 "asked_at": "2026-11-17T12:00:00.000Z"}', now() + interval '1 day'
    from merchants where slug = 'emporio-da-rita'`);
  assert.match(await jar.text(path), /Troca de conta para nova@loja\.example/);
  assert.doesNotMatch(await submitForm(jar, `${path}/conta/parar`), /nova@loja\.example/);
});

test('the role content creates, renames and deletes categories and FAQ entries; the role admin creates partners, keys and webhooks, and redelivers events', async () => {
  const contentJar = await signInAs('content');
  await submitForm(contentJar, '/categorias/nova', { slug: 'brinquedos', name: 'Brinquedos' });
  const changes = { name: 'Brinquedos e jogos' };
  const categoryPage = await submitForm(contentJar, '/categorias/brinquedos/editar', changes);
  assert.match(categoryPage, /Brinquedos e jogos/);
  assert.equal((await callStaff('GET', '/admin/categories/brinquedos')).body.name, 'Brinquedos e jogos');
  assert.doesNotMatch(await submitForm(contentJar, '/categorias/brinquedos/remover'), /Brinquedos/);
  const question = {
    id: 'o-que-e-cet',
    question: 'O que é o CET?',
    topic: 'custos',
    answer: 'O custo.',
    listed: 'true',
  };
  assert.match(await submitForm(contentJar, '/perguntas/nova', question), /O que é o CET\?/);
  await submitForm(contentJar, '/perguntas/o-que-e-cet/remover');
  assert.equal((await callStaff('GET', '/admin/faq/o-que-e-cet')).status, 404);

  const adminJar = await signInAs('admin');
  await submitForm(adminJar, '/parceiros/novo', { name: 'Loja Virtual' });
  const { data } = (await callStaff('GET', '/admin/partners?limit=100')).body;
  const partnerId = data.find(({ name }: { name: string }) => name === 'Loja Virtual').id;
  const [, key] = /de novo: (\w[\w-]+)/.exec(
    await submitForm(adminJar, '/chaves/nova', { partner: partnerId, scopes: 'public,wallet' }),
  )!;
  assert.equal((await service.get('/public/categories', { key: key! })).status, 200);
  const keysPage = await adminJar.text(`/chaves?partner=${partnerId}`);
  const [, keyPath] = /href="(\/chaves\/key_[^"]+)"/.exec(keysPage)!;
  await service.db.run(sql`
    insert into api_keys (id, partner_id, label, hash, hint, scopes, created_at)
    select 'key_' || n, ${data[0].id}, '', ('x' || n)::bytea, 'x' || n, '{public}', now() from generate_series(1, 120) n`);
  assert.match(await adminJar.text(keyPath!), /\/trocar"[\s\S]*\/encerrar"/);
  assert.doesNotMatch(await (await signInAs('viewer')).text(keyPath!), /\/encerrar"/, 'no action is shown');

  const webhook = { partner: partnerId, url: 'http://127.0.0.1:9/eventos', events: 'checkout.paid' };
  const webhookPage = await submitForm(adminJar, '/webhooks/novo', webhook);
  assert.match(webhookPage, /mostrado só agora: whsec_/);
  const [{ id: webhookId }] = (await callStaff('GET', `/admin/webhooks?partner=${partnerId}`)).body.data;
  const path = `/webhooks/${webhookId}`;
  assert.match(await adminJar.text(path), /Entregar de novo/);
  const resultPage = await submitForm(adminJar, `${path}/repetir`, { since: '2026-01-01T00:00' });
  assert.match(resultPage, /0 eventos vão de novo/);
  const nothingResponse = await adminJar.post(`${path}/repetir`, { chave: crypto.randomUUID() });
  assert.match(await nothingResponse.text(), /Diga desde quando, ou qual evento/);
});

test('a page is found by its name if the role may open it; Enter opens a single result', async () => {
  const jar = await signInAs('viewer');
  const redirectResponse = await jar.send('/busca?q=devolu%C3%A7oes');
  assert.equal(readLocation(redirectResponse), '/devolucoes');
  assert.match(await jar.text('/busca/sugestoes?q=repasses'), /href="\/repasses"/);
  assert.match(await jar.text('/busca?q=importar'), /Nada encontrado/);
});

test('an empty amount is not zero', async () => {
  assert.ok(Number.isNaN(parseDecimal('')));
  assert.ok(Number.isNaN(parseDecimal(undefined)));
  assert.equal(parseDecimal('1.234,56'), 1234.56);
  const customer = await newCustomer(service);
  const jar = await signInAs('admin');
  const readLimit = async () => (await callStaff('GET', `/admin/customers/${customer.id}`)).body.credit.limit;
  const limitBefore = await readLimit();
  const response = await jar.post(`/clientes/${customer.id}/limite`, {
    credit_limit: '',
    reason: 'Engano',
    chave: crypto.randomUUID(),
  });
  assert.equal(response.status, 422);
  assert.equal(await readLimit(), limitBefore);
});

test('a limit and a cashback adjustment show the resulting amounts before asking for the reason', async () => {
  const { id } = await newCustomer(service);
  const [riskJar, financeJar] = [await signInAs('risk'), await signInAs('finance')];
  const path = `/clientes/${id}/limite`;
  const firstPage = await riskJar.text(path);
  assert.match(firstPage, /Ver as contas/);
  assert.doesNotMatch(firstPage, /Motivo/);
  const { limit } = (await callStaff('GET', `/admin/customers/${id}`)).body.credit;
  const impactPage = (await riskJar.text(`${path}?credit_limit=${limit + 80}`)).replaceAll('\u00a0', ' ');
  const toPattern = (amount: number) => `R\\$ ${amount.toFixed(2).replace('.', ',')}`;
  assert.match(impactPage, new RegExp(`Limite</dt><dd>${toPattern(limit)} → <b>${toPattern(limit + 80)}`));
  assert.match(impactPage, /name="reason"/);
  assert.match(await riskJar.text(`${path}?credit_limit=muito`), /Informe um número/);
  const cashbackPage = await financeJar.text(`/clientes/${id}/cashback?amount=-5,00`);
  assert.match(cashbackPage.replaceAll('\u00a0', ' '), /Disponível<\/dt><dd>R\$ 0,00 → <b>-R\$ 5,00/);
});

test('a form submitted after the session ended explains this and is restored after sign-in, for the same user only', async () => {
  const jar = await signInAs('support');
  const { id } = await newCustomer(service);
  const path = `/clientes/${id}/anotar`;
  const [chave] = readHiddenValues(await jar.text(path), 'chave');
  service.clock.advance(13 * HOUR_MS); // a session lasts twelve hours
  const response = await jar.post(path, { text: 'Ligou às nove.', chave: chave! });
  const signInPath = readLocation(response)!;
  assert.equal(signInPath, `/entrar?para=${encodeURIComponent(path)}&fim=1`);
  assert.match(await jar.text(signInPath), /Sua sessão terminou\./);
  await jar.post('/entrar/papel', { role: 'admin', chave: crypto.randomUUID() });
  assert.doesNotMatch(await jar.text(path), /Ligou às nove/, 'another user does not see it');
  await jar.post('/entrar/papel', { role: 'support', chave: crypto.randomUUID() });
  const page = await jar.text(path);
  assert.match(page, /Sua sessão tinha terminado, e nada foi feito/);
  assert.match(page, /Ligou às nove\./);
});

test('a customer is found by phone in every section; an invalid id does not clear the form; the page lists overdue amounts', async () => {
  const customer = await newCustomer(service);
  const phone = encodeURIComponent(customer.phone);
  assert.equal((await callStaff('GET', `/admin/customers/${phone}/owed`)).status, 200);
  const jar = await signInAs('admin');
  assert.match(await jar.text(`/clientes/${phone}`), /\/desbloquear"/);
  const checkoutInput = { customer: customer.id, merchant: MERCHANT, amount: 50, installments: 2 };
  const { hash } = (await callStaff('POST', '/admin/checkouts', checkoutInput)).body;
  assert.match(await jar.text(`/compras/${hash}`), /<dt>Vencido<\/dt>[\s\S]*<dt>Para quitar<\/dt>/);
  const pageWithError = await jar.text('/sem-dono/E1/atribuir?installment_id=ins_errado');
  assert.match(pageWithError, /name="installment_id"[^>]*value="ins_errado"/);
  assert.match(pageWithError, /não está no formato esperado/);
});
