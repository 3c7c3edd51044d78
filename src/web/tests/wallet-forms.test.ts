import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { CookieJar } from './cookie-jar.ts';
import { openSite } from './testing.ts';

const { service, siteUrl, again } = await openSite();
const ANA = { phone: '(11) 98765-0001', password: 'semana-demo-1' };
const CARLA = { phone: '(11) 98765-0003', password: 'semana-demo-3' };

async function signedIn(who = ANA): Promise<CookieJar> {
  const jar = new CookieJar(siteUrl);
  const answer = await jar.post('/carteira/entrar', who);
  assert.equal(answer.headers.get('location'), '/carteira');
  return jar;
}

const purchaseOf = async (jar: CookieJar) =>
  /class="rows".*?\/carteira\/compras\/(\w{22})"/s.exec(await jar.text('/carteira?situacao=abertas'))![1]!;

test('the home says first what is to pay, by due day: the amount that settles each, and one button', async () => {
  const html = await (await signedIn()).text('/carteira');
  const section = /<section class="to-pay".*?<\/section>/s.exec(html)![0];
  assert.ok(html.indexOf(section) < html.indexOf('Limite disponível'));
  const rows = [
    ...section.matchAll(/<h3>([^<]*)|<b>([^<]*)<\/b><small>([^<]*)<\/small>.*?>(Pagar [^<]*)<\/a>/gs),
  ].map(
    ([, title, merchant, words, button]) =>
      title ?? [merchant, words, button].join(' | ').replaceAll('\u00a0', ' '),
  );
  // How late it is depends on weekends and holidays.
  rows[1] = rows[1]!.replace(/há \d/, 'há N').replace(/,\d\d/g, ',NN');
  assert.deepEqual(rows, [
    'Em atraso',
    'Ótica Vista Linda | 3ª parcela · venceu há N dias · com R$ 1,NN de multa e juros | Pagar R$ 51,NN',
    'Esta semana',
    'Ótica Vista Linda | 4ª parcela · vence amanhã | Pagar R$ 50,00',
    'Livraria Página Virada | 1ª parcela · vence amanhã | Pagar R$ 50,00',
  ]);
});

test('a draft belongs to whoever typed it: the next person who signs in on that phone does not see it', async () => {
  const jar = await signedIn();
  const page = `/carteira/compras/${await purchaseOf(jar)}/2`;
  const [, chave] = /name="chave" value="([^"]+)"/.exec(await jar.text(page))!;
  const fields = { chave: chave!, type: 'settle_partial', value: '13,37' };
  const typedByAna = async () => {
    await service.db.run(sql`delete from sessions`);
    service.clock.advance(16 * 60_000);
    const refused = await jar.post(`${page}/pix`, fields);
    assert.match(refused.headers.get('location')!, /^\/carteira\/entrar/);
  };
  await typedByAna();
  const others = await jar.post('/carteira/entrar', { ...CARLA, para: page });
  assert.equal(others.headers.get('location'), '/carteira', 'not to a page that is not hers');
  assert.doesNotMatch(await jar.text('/carteira'), /13,37|tinha escrito/);
  assert.equal(jar.cookies.has('rascunho'), false);
  // Whoever typed it finds it, also where the session was gone before: the form says whose it is.
  await jar.post('/carteira/sair', {});
  await jar.post(`${page}/pix`, { ...fields, value: '14,41' });
  const own = await jar.post('/carteira/entrar', ANA);
  assert.equal(own.headers.get('location'), page);
  assert.match(await jar.text(page), /value="14,41"/);
  // A form that names nobody leaves nothing behind.
  await jar.post('/carteira/sair', {});
  await jar.post(`${page}/pix`, { type: 'settle_partial', value: '15,51' });
  assert.equal(jar.cookies.has('rascunho'), false);
});

test('five wrong codes: the page says that the code is blocked, and another one works', async () => {
  const jar = new CookieJar(siteUrl);
  const phone = '(11) 98765-0003';
  const page = '/carteira/entrar/codigo';
  await jar.post('/carteira/entrar/enviar', { phone });
  const codeIn = async () => /o código é <b>(\d{6})/.exec(await jar.text(page))![1]!;
  const right = await codeIn();
  const wrong = right === '000000' ? '111111' : '000000';
  for (let i = 1; i <= 4; i++) {
    await jar.post(page, { code: wrong });
    assert.match(await jar.text(page), /id="code-erro">Código incorreto ou vencido/, `wrong code ${i}`);
  }
  await jar.post(page, { code: wrong });
  assert.match(
    await jar.text(page),
    /id="code-erro">Este código foi bloqueado depois de 5 tentativas erradas\. Para continuar, toque em “Enviar outro código”/,
  );
  assert.equal((await jar.post(page, { code: right })).headers.get('location'), page, 'it is blocked');
  service.clock.advance(61_000);
  await jar.post(`${page}/reenviar`, {});
  assert.equal((await jar.post(page, { code: await codeIn() })).headers.get('location'), '/carteira');
});

test('a service that accepts and never answers: one request each, then a page in the frame of the wallet, to be tried again', async () => {
  const asked: string[] = [];
  const silent = createServer(({ url = '' }) => void asked.push(url.split('?')[0]!)).listen(0, '127.0.0.1');
  after(() => silent.closeAllConnections());
  after(() => silent.close());
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as { port: number };
  const changes = { apiUrl: `http://127.0.0.1:${port}`, sandbox: null, timeoutMs: 300 };
  const jar = new CookieJar(await again(changes), (await signedIn()).cookies);
  const answer = await jar.send('/carteira/cashback?pagina=2');
  const html = await answer.text();
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '5');
  assert.match(
    html,
    /<body class="wallet" .*<nav class="tabs".*fora do ar.*href="\/carteira\/cashback\?pagina=2">Tentar de novo/s,
  );
  const ofPage = asked.filter((path) => path !== '/public/creditor');
  assert.deepEqual(ofPage.toSorted(), ['/wallet/cashback/balance', '/wallet/cashback/ledger']);
  const missing = await (await signedIn()).send('/carteira/nada');
  assert.match(
    await missing.text(),
    /<body class="wallet" .*<nav class="tabs".*Não encontramos esta página/s,
  );
});

test('sign-up: a day that does not exist and a name of one word are said beside their fields', async () => {
  const jar = new CookieJar(siteUrl);
  await jar.post('/carteira/cadastro', { phone: '(11) 98765-7001' });
  const page = '/carteira/cadastro/dados';
  const [, code] = /o código é <b>(\d{6})/.exec(await jar.text(page))!;
  const person = { code: code!, cpf: '529.982.247-25', email: 'joana@example.com', terms: '2026-11' };
  const said = async (changes: Record<string, string>) => {
    await jar.post(page, { ...person, name: 'Joana Prado', birth_date: '31/05/1990', ...changes });
    return [...(await jar.text(page)).matchAll(/id="(\w+)-erro">([^<]*)/g)].map(
      ([, name, text]) => `${name}: ${text}`,
    );
  };
  assert.deepEqual(await said({ birth_date: '31/02/1990', name: 'Joana' }), [
    'name: Escreva nome e sobrenome, como no documento.',
    'birth_date: Esta data não existe. Confira o dia e o mês.',
  ]);
  assert.deepEqual(await said({ cpf: '529.982.247-26' }), ['cpf: CPF inválido. Confira os números.']);
  await jar.post(page, { ...person, name: 'Joana Prado', birth_date: '31/05/1990', terms: '' });
  assert.match(
    await jar.text(page),
    /id="terms"[^>]* aria-describedby="terms-erro" aria-invalid="true" autofocus/,
  );
});

test('cashback is spent after a yes only', async () => {
  const jar = await signedIn();
  const page = `/carteira/compras/${await purchaseOf(jar)}/2`;
  const balance = async () => /glance-figure">([^<]*)/.exec(await jar.text('/carteira/cashback'))![1];
  const before = await balance();
  const asked = await jar.post(`${page}/cashback`, { cashback: '2,5' });
  assert.equal(asked.headers.get('location'), `${page}/cashback?valor=2%2C5`);
  assert.match(await jar.text(`${page}/cashback?valor=2%2C5`), /\/cashback\/confirmar".*R\$\s2,50/s);
  assert.equal(await balance(), before);
  await jar.post(`${page}/cashback`, { cashback: '5000' });
  assert.match(await jar.text(page), /id="cashback-erro">Escolha um valor até o seu saldo/);
  await jar.post(`${page}/cashback/confirmar`, { chave: 'x', cashback: '2,5' });
  assert.match(await jar.text(page), /Você usou R\$\s2,50 de cashback/);
  assert.notEqual(await balance(), before);
  for (const nonsense of ['', '?valor=x', '?valor=-1', '?valor=0'])
    assert.equal((await jar.send(`${page}/cashback${nonsense}`)).headers.get('location'), page);
});

test('what a day of delay costs is described in words: no page computes an amount', async () => {
  const jar = await signedIn();
  const [, late] = /href="(\/carteira\/compras\/\w{22}\/3)"/.exec(await jar.text('/carteira'))!;
  const html = await jar.text(late!);
  assert.match(html, /Multa de 2%, uma vez por vencimento/);
  assert.match(html, /os juros de 1% ao mês são contados por dia/);
  assert.doesNotMatch(html, /cerca de|menos de um centavo|uma vez só/);
});

test('an offer over the limit says so instead of asking for a yes', async () => {
  const offer = { phone: '+5511987650003', amount: 5000, installments: 4, description: 'Festa' };
  const { body } = await service.post('/merchant/offers', offer, { key: 'sandbox-merchant-key' });
  const html = await (await signedIn(CARLA)).text(`/carteira/ofertas/${body.id}`);
  assert.match(
    html,
    /Esta compra passa do seu limite: o total é R\$\s5\.000,00 e o seu limite disponível é R\$/,
  );
  assert.doesNotMatch(html, /\/aceitar"/);
  assert.match(html, /\/recusar"/);
});

test('all cashback that expires is listed, however many days there are', async () => {
  const jar = await signedIn();
  const { id } = (await service.db.row<{ id: string }>(
    sql`select id from customers order by created_at limit 1`,
  ))!;
  for (let i = 0; i < 8; i++) {
    const body = { amount: 1, reason: 'Cortesia' };
    const { status } = await service.staff('POST', `/admin/cashback/${id}/adjust`, {
      key: 'sandbox-operator-key',
      body,
    });
    assert.equal(status, 201);
    service.clock.advance(24 * 3_600_000);
  }
  const html = await jar.text('/carteira/cashback');
  const days = html.match(/<dt>até /g)!.length;
  assert.ok(days > 8);
  assert.match(html, new RegExp(`<summary>Ver ${days - 6} outras datas</summary>`));
});

test('who signs out everywhere is out on every device', async () => {
  const [here, there] = [await signedIn(CARLA), await signedIn(CARLA)];
  const answer = await here.post('/carteira/sair/todos', {});
  assert.equal(answer.headers.get('location'), '/carteira/entrar?saiu=todos');
  assert.match(await here.text('/carteira/entrar?saiu=todos'), /Você saiu em todos os aparelhos/);
  assert.equal((await there.send('/carteira')).status, 303);
});
