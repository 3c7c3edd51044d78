import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';
import { newCustomer } from '../../../test/support/customers.ts';
import { parseAmount } from '../office/form-values.ts';
import { CookieJar } from './cookie-jar.ts';
import { createSignIn, openOfficeSite } from './office-testing.ts';

const { service, officeUrl, readLog } = await openOfficeSite({}, { FOUR_EYES_AMOUNT: '100.00' });

const staff = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.staff(method, path, { key: OPERATOR_KEY, headers, ...(body !== undefined && { body }) });
const entered = createSignIn(officeUrl);
/** The values of a page's hidden inputs with this name. */
const hidden = (page: string, name: string) =>
  Array.from(
    page.matchAll(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`, 'g')),
    ([, value]) => value!.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
  );
const readLocation = (response: Response) => response.headers.get('location');
const postAll = (jar: CookieJar, path: string, fields: string[][]) =>
  jar.send(path, { method: 'POST', body: new URLSearchParams(fields) });

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
  const page = await (await entered('admin')).send('/');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self'/);
  assert.equal(page.headers.get('referrer-policy'), 'same-origin');
  assert.ok(!(await page.text()).includes('semana_session'));
});

test('without a session every page redirects to the sign-in and back; forms of other sites are refused', async () => {
  const stranger = new CookieJar(officeUrl);
  const response = await stranger.send('/clientes?status=locked');
  assert.equal(response.status, 303);
  assert.equal(readLocation(response), '/entrar?para=%2Fclientes%3Fstatus%3Dlocked');
  const csv = await stranger.send('/clientes.csv');
  assert.equal(csv.status, 303);
  const jar = await entered('support');
  const foreign = await jar.post('/sair', {}, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
  for (const para of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    const signInResponse = await new CookieJar(officeUrl).post('/entrar/papel', { role: 'viewer', para });
    assert.equal(readLocation(signInResponse), '/', para);
  }
});

test('a staff user who is removed or signs out loses access at the next request; the partner API rejects staff sessions', async () => {
  const jar = await entered('content');
  assert.equal((await jar.send('/lojas')).status, 200);
  const { data } = (await service.staff('GET', '/admin/staff', { key: OPERATOR_KEY })).body;
  const { id } = data.find(({ role }: { role: string }) => role === 'content');
  assert.equal((await service.staff('DELETE', `/admin/staff/${id}`, { key: OPERATOR_KEY })).status, 204);
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
  const jar = await entered('viewer');
  assert.match(await jar.text('/compras?from=ontem'), /O filtro não serve: “De” /);
  assert.equal((await jar.send('/clientes/cus_00000000000000000000000000')).status, 404);
  assert.equal((await jar.send('/nada')).status, 404);
  assert.equal((await jar.send('/%E0%A4%A')).status, 400);
  assert.equal(readLog(), '');
});

test('effective settings are explained in Portuguese', async () => {
  const page = await (await entered('admin')).text('/ajustes');
  assert.match(page, />quanto uma loja pode dever, em reais;/);
  assert.doesNotMatch(page, /lang="en"|a merchant may owe/);
});

test('a form that is submitted twice is executed once', async () => {
  const jar = await entered('admin');
  const fields = { name: 'Duas Vezes', role: 'viewer', chave: crypto.randomUUID() };
  const [firstResponse, secondResponse] = await Promise.all([
    jar.post('/equipe/nova', fields),
    jar.post('/equipe/nova', fields),
  ]);
  assert.equal(readLocation(firstResponse), readLocation(secondResponse));
  const { data } = (await service.staff('GET', '/admin/staff?limit=100', { key: OPERATOR_KEY })).body;
  assert.equal(data.filter(({ name }: { name: string }) => name === 'Duas Vezes').length, 1);
});

test('a new post that is submitted again from another session is not created twice', async () => {
  const text = {
    slug: 'duas-vezes',
    title: 'Duas vezes',
    summary: 'Uma só.',
    author: 'Equipe',
    body: 'Uma só.',
  };
  const fields = { ...text, tags: '', published_at: '', chave: crypto.randomUUID() };
  for (const jar of [await entered('admin'), await entered('admin')]) {
    const response = await jar.post('/posts/novo', fields);
    assert.deepEqual([response.status, readLocation(response)], [303, '/posts/duas-vezes']);
  }
});

test('a list view is saved under a name for its user, with its filter, without a script, and not if it contains a phone number', async () => {
  const jar = await entered('support');
  const query = 'status=locked&sort=oldest';
  const fields = { name: 'Bloqueados antigos', query, chave: crypto.randomUUID() };
  const saveResponse = await jar.post('/clientes/guardar-visao', fields);
  assert.equal(readLocation(saveResponse), `/clientes?${query}`);
  assert.match(await jar.text(`/clientes?${query}`), /Visão “Bloqueados antigos” guardada/);
  const page = await jar.text('/clientes');
  assert.match(page, /href="\/clientes\?status=locked&amp;sort=oldest"[^>]*>Bloqueados antigos</);
  assert.doesNotMatch(await (await entered('finance')).text('/clientes'), /Bloqueados antigos/);
  assert.doesNotMatch(await jar.text('/compras'), /Bloqueados antigos/);
  const phone = { ...fields, query: 'phone=%2B5511987650001', chave: crypto.randomUUID() };
  const refusal = await jar.post('/clientes/guardar-visao', phone);
  assert.equal(readLocation(refusal), `/clientes?${phone.query}`, 'the filter is kept');
  const again = await jar.text(`/clientes?${phone.query}`);
  assert.match(again, /que indica uma pessoa/);
  assert.match(again, /<details open[^>]*>/);
  const id = /name="id" value="(vie_\w+)"/.exec(page)![1]!;
  await jar.post('/clientes/remover-visao', { id, query: '', chave: crypto.randomUUID() });
  assert.doesNotMatch(await jar.text('/clientes'), /Bloqueados antigos/);
});

/** Continues a run until it is over; returns its last page and the addresses on the way. */
async function followRun(jar: CookieJar, start: Response): Promise<{ page: string; steps: string[] }> {
  const steps = [readLocation(start)!];
  for (;;) {
    const page = await jar.text(steps.at(-1)!);
    if (!page.includes('data-continue')) return { page, steps };
    const form = { lote: hidden(page, 'lote')[0]!, chave: crypto.randomUUID() };
    steps.push((await jar.post('/clientes/varios/andamento', form)).headers.get('location')!);
  }
}

test('an act on many records shows its effect on each, asks for one reason and reports each result; a failure stops no others and can be retried', async () => {
  const people = [];
  for (let i = 0; i < 23; i++) people.push(await newCustomer(service));
  const [erased, lockedCustomer, ...others] = people;
  await staff('POST', `/admin/customers/${lockedCustomer!.id}/lock`);
  const jar = await entered('support');
  assert.doesNotMatch(await (await entered('viewer')).text('/clientes'), /type="checkbox"/);
  assert.match(await jar.text('/clientes'), /value="bloquear"/);
  const chosen = new URLSearchParams([['acao', 'bloquear'], ...people.map(({ id }) => ['id', id])]);
  const preview = await jar.text(`/clientes/varios?${chosen}`);
  assert.match(preview, /Nada: já está bloqueado/);
  const ids = hidden(preview, 'id');
  assert.equal(ids.length, 22);
  const rows = ids.flatMap((id, i) => [
    ['id', id],
    ['rotulo', hidden(preview, 'rotulo')[i]!],
  ]);
  const form = (reason: string) => [
    ...rows,
    ['acao', 'bloquear'],
    ['volta', String(chosen)],
    ['reason', reason],
    ['chave', crypto.randomUUID()],
  ];
  const blank = await postAll(jar, '/clientes/varios', form(''));
  assert.equal(readLocation(blank), `/clientes/varios?${chosen}`);
  assert.match(await jar.text(`/clientes/varios?${chosen}`), /Preencha este campo/);

  await staff('POST', `/admin/customers/${erased!.id}/erase`, { reason: 'Pedido' });
  const fields = form('Suspeita de fraude');
  const [firstResponse, secondResponse] = await Promise.all([
    postAll(jar, '/clientes/varios', fields),
    postAll(jar, '/clientes/varios', fields),
  ]);
  assert.equal(readLocation(firstResponse), readLocation(secondResponse), 'a double click is one');
  const pendingCount = async () => (await jar.text(readLocation(firstResponse)!)).split('Esperando').length;
  assert.equal(await pendingCount(), await pendingCount(), 'reading the page performs nothing');
  const { page, steps } = await followRun(jar, firstResponse);
  assert.ok(steps.length >= 3, 'a few rows a request');
  assert.match(page, /22 de 22 linhas, 1 falhou/);
  assert.match(page, /Não resta nenhum dado deste cliente/);
  const locks = async (id: string) => {
    const { body } = await staff('GET', `/admin/audit-trail?subject=customer:${id}`);
    return body.data.filter(({ action }: { action: string }) => action === 'lockCustomer');
  };
  for (const { id } of others)
    assert.deepEqual(
      (await locks(id)).map(({ reason }: { reason: string }) => reason),
      ['Suspeita de fraude'],
    );
  assert.equal(await (await jar.send(steps.at(-1)!)).text().then((text) => text.includes('22 de 22')), true);
  assert.equal((await locks(others[0]!.id)).length, 1, 'loaded again, it does nothing');
  assert.deepEqual(hidden(page, 'id'), [erased!.id], 'the one that failed can be tried again');

  const stranger = await entered('finance');
  assert.equal((await stranger.send(steps[0]!)).status, 404, 'a run is its owner’s');
  assert.equal((await jar.send('/clientes/varios/andamento?lote=AAAA')).status, 404);
  assert.equal((await jar.send(`/contatos/varios/andamento?${steps[0]!.split('?')[1]}`)).status, 404);
});

test('after a concurrent change nothing is overwritten: both versions are shown, and the user chooses one', async () => {
  const jar = await entered('admin');
  const { data } = (await staff('GET', '/admin/faq?limit=1')).body;
  const [{ id, topic }] = data;
  const path = `/perguntas/${id}/editar`;
  const versao = hidden(await jar.text(path), 'versao')[0]!;
  assert.ok(versao);
  await staff('PATCH', `/admin/faq/${id}`, { answer: 'A resposta da outra pessoa.' });
  const long = `A minha resposta. ${'Longa. '.repeat(300)}`.trim();
  const mine = { question: 'A minha pergunta?', topic, answer: long, listed: 'true' };
  const conflict = await jar.post(path, { ...mine, versao, chave: crypto.randomUUID() });
  assert.equal(conflict.status, 412);
  const page = await conflict.text();
  assert.match(page, /A resposta da outra pessoa\./);
  assert.ok(page.includes(long), 'what was typed is there, whole');
  const now = {
    ...mine,
    versao: hidden(page, 'versao')[0]!,
    'agora-answer': hidden(page, 'agora-answer')[0]!,
    'agora-question': hidden(page, 'agora-question')[0]!,
  };
  assert.notEqual(now.versao, versao);
  const undecided = await jar.post(path, { ...now, 'fica-answer': 'agora', chave: crypto.randomUUID() });
  assert.match(await undecided.text(), /Escolha qual das duas versões fica/);
  const decided = { ...now, 'fica-answer': 'agora', 'fica-question': 'meu' };
  assert.equal((await jar.post(path, { ...decided, chave: crypto.randomUUID() })).status, 303);
  const { body } = await staff('GET', `/admin/faq/${id}`);
  assert.deepEqual([body.question, body.answer], ['A minha pergunta?', 'A resposta da outra pessoa.']);
});

test('an act that requires a second person says so beforehand', async () => {
  const [jar, risk] = [await entered('finance'), await entered('risk')];
  const { id } = await newCustomer(service);
  assert.match(await risk.text(`/clientes/${id}/limite`), /Acima de R\$\s100,00, espera a aprovação/);
  const accountPage = await jar.text('/lojas/padaria-flor-do-trigo/conta');
  assert.match(accountPage, /Só vale depois da aprovação de outra pessoa/);
  const page = await risk.text(`/clientes/${id}/limite?credit_limit=480.50`);
  const fields = { versao: hidden(page, 'versao')[0]!, reason: 'Pediu', chave: crypto.randomUUID() };
  // With a point, as some write: it is no thousand.
  const changeResponse = await risk.post(`/clientes/${id}/limite`, { ...fields, credit_limit: '480.50' });
  assert.equal(changeResponse.status, 303);
  assert.equal((await staff('GET', `/admin/customers/${id}`)).body.credit.limit, 480.5);
  const order = { customer: id, merchant: 'padaria-flor-do-trigo', amount: 150, installments: 2 };
  const { hash } = (await staff('POST', '/admin/checkouts', order)).body;
  assert.match(await jar.text(`/compras/${hash}/baixar`), /São R\$\s150,00, acima de R\$\s100,00/);
  const small = (await staff('POST', '/admin/checkouts', { ...order, amount: 50 })).body;
  assert.doesNotMatch(await jar.text(`/compras/${small.hash}/baixar`), /espera a aprovação/);
});

test('the page of a record says that an act on it waits for a second person', async () => {
  const { id } = await newCustomer(service);
  const [risk, viewer] = [await entered('risk'), await entered('viewer')];
  await staff('PATCH', `/admin/customers/${id}`, { credit_limit: 9_000, reason: 'Pediu' });
  for (const jar of [risk, viewer])
    assert.match(
      (await jar.text(`/clientes/${id}`)).replaceAll('\u00a0', ' '),
      /href="\/aprovacoes\/apr_\w+">[^<]+ de R\$ 9\.000,00<\/a>, a pedido de [^<]+, espera a aprovação de outra pessoa/,
    );
  const order = { customer: id, merchant: 'padaria-flor-do-trigo', amount: 150, installments: 2 };
  const { hash } = (await staff('POST', '/admin/checkouts', order)).body;
  await staff('POST', `/admin/checkouts/${hash}/write-off`, { reason: 'Sem esperança' });
  assert.match(await viewer.text(`/compras/${hash}`), /href="\/aprovacoes\/apr_\w+">.*espera a aprovação/s);
  const account = { pix_key: 'nova@flor.example', holder_name: 'Flor Ltda.', tax_id: '11222333000181' };
  await staff('PUT', '/admin/merchants/padaria-flor-do-trigo/payout-account', account);
  assert.match(await viewer.text('/lojas/padaria-flor-do-trigo'), /href="\/aprovacoes\/apr_\w+">.*espera/s);
});

test('every act that may wait for a second person shows its consequences', async () => {
  // TSX can be loaded once the office runs.
  const { ACTS } = await import('../office/routes.ts');
  const { body } = await service.staff('GET', '/openapi.json', { key: null });
  const held = Object.values(
    body.paths as Record<string, Record<string, { operationId: string; responses: object }>>,
  )
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => JSON.stringify(responses).includes('schemas/Approval"'))
    .map(({ operationId }) => operationId);
  assert.ok(held.includes('refundPixOrphan'));
  const silent = ACTS.filter(({ call, approvalAmount }) => held.includes(call) && !approvalAmount).map(
    ({ path }) => path,
  );
  // Their own pages are about it; contact data is no money.
  const about = ['/aprovacoes/:id/aprovar', '/aprovacoes/:id/recusar', '/clientes/:id/contato'];
  assert.deepEqual(
    silent.filter((path) => !about.includes(path)),
    [],
  );
});

/** Sends the form of an act with what its page has hidden in it; follows it to where it leads. */
async function act(jar: CookieJar, path: string, fields: Record<string, string> = {}): Promise<string> {
  const [version = ''] = hidden(await jar.text(path), 'versao');
  const actResponse = await jar.post(path, { versao: version, chave: crypto.randomUUID(), ...fields });
  assert.equal(actResponse.status, 303, `${path}: ${await actResponse.text()}`);
  return jar.text(readLocation(actResponse)!);
}

test('a lead becomes a merchant with owner and plan in one flow; plan, members and a pending account change can be edited on its page', async () => {
  const lead = { kind: 'partner', name: 'Rita Lemos', company: 'Empório da Rita', phone: '+5511987651234' };
  const { id } = (await service.post('/public/leads', lead)).body;
  const jar = await entered('finance');
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
  const made = await act(jar, `/contatos/${id}/loja`, {
    ...shop,
    ...owner,
    'plan/merchant_fee_percent': '2,5',
  });
  assert.match(made, /Espera a aprovação de outra pessoa/);
  const [approval] = (await staff('GET', '/admin/approvals?status=waiting&kind=merchant_owner')).body.data;
  await act(await entered('admin'), `/aprovacoes/${approval.id}/aprovar`);
  assert.match(await jar.text('/lojas/emporio-da-rita'), /Rita Lemos[\s\S]*Responsável/);
  const { body: merchant } = await staff('GET', '/admin/merchants/emporio-da-rita');
  assert.deepEqual([merchant.plan.merchant_fee_percent, merchant.plan.max_installments], [2.5, 12]);
  assert.equal((await staff('GET', `/admin/leads/${id}`)).body.status, 'handled');

  const path = '/lojas/emporio-da-rita';
  await act(jar, `${path}/plano`, {
    ...Object.fromEntries(
      Object.entries(merchant.plan).map(([name, value]) => [`plan/${name}`, String(value)]),
    ),
    'plan/max_installments': '8',
  });
  assert.equal((await staff('GET', `/admin/merchants${path.slice(6)}`)).body.plan.max_installments, 8);
  assert.doesNotMatch(await (await entered('content')).text(path), /\/plano"/, 'content changes no plan');
  const clerk = { name: 'Téo', phone: '(11) 98765-4322', role: 'clerk', max_amount: '150,00' };
  assert.match(await act(jar, `${path}/pessoas/nova`, { ...clerk, may_return: 'false' }), /R\$\s150,00/);
  const { body: members } = await staff('GET', '/admin/merchants/emporio-da-rita/members');
  const teo = members.data.find(({ role }: { role: string }) => role === 'clerk').id;
  assert.match(await jar.text(path), new RegExp(`href="${path}/pessoas/${teo}/remover"`));
  assert.match(await act(jar, `${path}/pessoas/${teo}/remover`), /Pessoa removida da loja/);

  await service.db.run(sql`
    insert into payout_accounts (merchant_id, change, change_counts_at)
    select id, '{"pix_key": "nova@loja.example", "holder_name": "Outra", "tax_id": "11222333000181", "asked_by": "mbr_1",
                 "asked_at": "2026-11-17T12:00:00.000Z"}', now() + interval '1 day'
    from merchants where slug = 'emporio-da-rita'`);
  assert.match(await jar.text(path), /Troca de conta para nova@loja\.example/);
  assert.doesNotMatch(await act(jar, `${path}/conta/parar`), /nova@loja\.example/);
});

test('the role content creates, renames and deletes categories and FAQ entries; the role admin creates partners, keys and webhooks, and redelivers events', async () => {
  const content = await entered('content');
  await act(content, '/categorias/nova', { slug: 'brinquedos', name: 'Brinquedos' });
  const categoryPage = await act(content, '/categorias/brinquedos/editar', { name: 'Brinquedos e jogos' });
  assert.match(categoryPage, /Brinquedos e jogos/);
  assert.equal((await staff('GET', '/admin/categories/brinquedos')).body.name, 'Brinquedos e jogos');
  assert.doesNotMatch(await act(content, '/categorias/brinquedos/remover'), /Brinquedos/);
  const question = {
    id: 'o-que-e-cet',
    question: 'O que é o CET?',
    topic: 'custos',
    answer: 'O custo.',
    listed: 'true',
  };
  assert.match(await act(content, '/perguntas/nova', question), /O que é o CET\?/);
  await act(content, '/perguntas/o-que-e-cet/remover');
  assert.equal((await staff('GET', '/admin/faq/o-que-e-cet')).status, 404);

  const admin = await entered('admin');
  await act(admin, '/parceiros/novo', { name: 'Loja Virtual' });
  const { data } = (await staff('GET', '/admin/partners?limit=100')).body;
  const partner = data.find(({ name }: { name: string }) => name === 'Loja Virtual').id;
  const [, key] = /de novo: (\w[\w-]+)/.exec(
    await act(admin, '/chaves/nova', { partner, scopes: 'public wallet' }),
  )!;
  assert.equal((await service.get('/public/categories', { key: key! })).status, 200);
  const [, page] = /href="(\/chaves\/key_[^"]+)"/.exec(await admin.text(`/chaves?partner=${partner}`))!;
  await service.db.run(sql`
    insert into api_keys (id, partner_id, label, hash, hint, scopes, created_at)
    select 'key_' || n, ${data[0].id}, '', ('x' || n)::bytea, 'x' || n, '{public}', now() from generate_series(1, 120) n`);
  assert.match(await admin.text(page!), /\/trocar"[\s\S]*\/encerrar"/);
  assert.doesNotMatch(await (await entered('viewer')).text(page!), /\/encerrar"/, 'a viewer sees no act');

  const url = 'http://127.0.0.1:9/eventos';
  const webhookPage = await act(admin, '/webhooks/novo', { partner, url, events: 'checkout.paid' });
  assert.match(webhookPage, /mostrado só agora: whsec_/);
  const [hook] = (await staff('GET', `/admin/webhooks?partner=${partner}`)).body.data;
  const path = `/webhooks/${hook.id}`;
  assert.match(await admin.text(path), /Entregar de novo/);
  assert.match(await act(admin, `${path}/repetir`, { since: '2026-01-01T00:00' }), /0 eventos vão de novo/);
  const nothingResponse = await admin.post(`${path}/repetir`, { chave: crypto.randomUUID() });
  assert.match(await nothingResponse.text(), /Diga desde quando, ou qual evento/);
});

test('a page is found by its name if the role may open it; Enter opens a single result', async () => {
  const jar = await entered('viewer');
  const only = await jar.send('/busca?q=devolu%C3%A7oes');
  assert.equal(readLocation(only), '/devolucoes');
  assert.match(await jar.text('/busca/sugestoes?q=repasses'), /href="\/repasses"/);
  assert.match(await jar.text('/busca?q=importar'), /Nada encontrado/);
});

test('an empty amount is not zero', async () => {
  assert.ok(Number.isNaN(parseAmount('')));
  assert.ok(Number.isNaN(parseAmount(undefined)));
  assert.equal(parseAmount('1.234,56'), 1234.56);
  const customer = await newCustomer(service);
  const jar = await entered('admin');
  const limits = async () => (await staff('GET', `/admin/customers/${customer.id}`)).body.credit.limit;
  const limitsBefore = await limits();
  const response = await jar.post(`/clientes/${customer.id}/limite`, {
    credit_limit: '',
    reason: 'Engano',
    chave: crypto.randomUUID(),
  });
  assert.equal(response.status, 422);
  assert.equal(await limits(), limitsBefore);
});

test('a limit and a cashback adjustment show the resulting amounts before asking for the reason', async () => {
  const { id } = await newCustomer(service);
  const [risk, finance] = [await entered('risk'), await entered('finance')];
  const path = `/clientes/${id}/limite`;
  const first = await risk.text(path);
  assert.match(first, /Ver as contas/);
  assert.doesNotMatch(first, /Motivo/);
  const { limit } = (await staff('GET', `/admin/customers/${id}`)).body.credit;
  const second = (await risk.text(`${path}?credit_limit=${limit + 80}`)).replaceAll('\u00a0', ' ');
  const reais = (amount: number) => `R\\$ ${amount.toFixed(2).replace('.', ',')}`;
  assert.match(second, new RegExp(`Limite</dt><dd>${reais(limit)} → <b>${reais(limit + 80)}`));
  assert.match(second, /name="reason"/);
  assert.match(await risk.text(`${path}?credit_limit=muito`), /Informe um número/);
  const cashback = await finance.text(`/clientes/${id}/cashback?amount=-5,00`);
  assert.match(cashback.replaceAll('\u00a0', ' '), /Disponível<\/dt><dd>R\$ 0,00 → <b>-R\$ 5,00/);
});

test('a form submitted after the session ended explains this and is restored after sign-in, for the same user only', async () => {
  const jar = await entered('support');
  const { id } = await newCustomer(service);
  const path = `/clientes/${id}/anotar`;
  const [chave] = hidden(await jar.text(path), 'chave');
  service.clock.advance(13 * 3_600_000);
  const response = await jar.post(path, { text: 'Ligou às nove.', chave: chave! });
  const signIn = readLocation(response)!;
  assert.equal(signIn, `/entrar?para=${encodeURIComponent(path)}&fim=1`);
  assert.match(await jar.text(signIn), /Sua sessão terminou\./);
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
  assert.equal((await staff('GET', `/admin/customers/${phone}/owed`)).status, 200);
  const jar = await entered('admin');
  assert.match(await jar.text(`/clientes/${phone}`), /\/desbloquear"/);
  const order = { customer: customer.id, merchant: 'padaria-flor-do-trigo', amount: 50, installments: 2 };
  const { hash } = (await staff('POST', '/admin/checkouts', order)).body;
  assert.match(await jar.text(`/compras/${hash}`), /<dt>Vencido<\/dt>[\s\S]*<dt>Para quitar<\/dt>/);
  const wrong = await jar.text('/sem-dono/E1/atribuir?installment_id=ins_errado');
  assert.match(wrong, /name="installment_id"[^>]*value="ins_errado"/);
  assert.match(wrong, /não está no formato esperado/);
});
