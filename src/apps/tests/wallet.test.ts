import assert from 'node:assert/strict';
import diagnosticsChannel from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually } from '../../../test/harness.ts';
import { newCustomer } from '../../../test/support/customers.ts';
import { CookieJar } from './cookie-jar.ts';
import { openSite } from './testing.ts';

const { service, siteUrl, restartSite, readLog } = await openSite();
const ANA = { phone: '(11) 98765-0001', password: 'semana-demo-1' };

class Jar extends CookieJar {
  constructor(site = siteUrl, cookies: Iterable<[string, string]> = []) {
    super(site, cookies);
  }
}

async function signedIn(): Promise<Jar> {
  const jar = new Jar();
  const response = await jar.post('/carteira/entrar', ANA);
  assert.equal(response.headers.get('location'), '/carteira');
  return jar;
}

const ana = await signedIn();
/** The first purchase of a list. */
const purchaseIn = async (list: string) =>
  /class="rows".*?\/carteira\/compras\/(\w{22})"/s.exec(await ana.text(`/carteira?situacao=${list}`))![1]!;
const [HASH, OPEN_HASH] = [await purchaseIn('atrasadas'), await purchaseIn('abertas')];
const readStatuses = (responses: Response[]) => responses.map(({ status }) => status);
const PRIVATE = [
  '/carteira',
  '/carteira?situacao=pagas',
  `/carteira/compras/${HASH}`,
  `/carteira/compras/${HASH}/3`,
  '/carteira/ofertas',
  '/carteira/pagar',
  '/carteira/cashback',
  '/carteira/limite',
  '/carteira/convites',
  '/carteira/perfil',
  '/carteira/avisos',
  '/carteira/avisos/como',
];

test('pages of the wallet are not cached, have no personal data in titles and no inline code, and redirect visitors to the sign-in', async () => {
  for (const path of PRIVATE) {
    const response = await ana.send(path);
    const html = await response.text();
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'same-origin');
    assert.equal(response.headers.get('etag'), null);
    assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/);
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|<script(?![^>]*src=)/, path);
    assert.doesNotMatch(/<title>([^<]*)/.exec(html)![1]!, /Ana|Ótica|R\$|\d/, path);
    assert.equal(html.match(/<h1/g)?.length, 1, path);
    const stranger = await new Jar().send(path);
    assert.equal(stranger.status, 303);
    assert.match(stranger.headers.get('location')!, /^\/carteira\/entrar/);
    assert.equal(stranger.headers.get('cache-control'), 'no-store');
  }
  const html = await ana.text('/carteira');
  const scripts = [...html.matchAll(/src="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!);
  for (const path of scripts)
    assert.ok((await (await fetch(siteUrl + path)).arrayBuffer()).byteLength < 15_000);
  assert.doesNotMatch(readLog(), /98765|Ana|eyJ/);
});

test('the home page and each list of purchases take one call of the API', async (t) => {
  const paths: string[] = [];
  const record = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (service.partnerUrl.endsWith(`${request.getHeader('host')}`)) paths.push(request.path);
  };
  diagnosticsChannel.subscribe('http.client.request.start', record);
  t.after(() => diagnosticsChannel.unsubscribe('http.client.request.start', record));
  await ana.text('/carteira');
  await ana.text('/carteira?situacao=pagas');
  assert.deepEqual(paths, ['/wallet/home', '/wallet/checkouts?page=1&limit=10&status=paid']);
});

test('a resource that is missing or of another customer is a 404 page of the wallet', async () => {
  for (const path of [
    'compras/0000000000000000000000',
    `compras/${HASH}/99`,
    'compras/%00',
    'ofertas/off_x',
    `compras/${HASH}/3/pix/pix_x`,
    'nada',
  ]) {
    const response = await ana.send(`/carteira/${path}`);
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), /href="\/carteira">Minha carteira/, path);
  }
});

test('an offer to another phone says so, without showing that phone', async () => {
  const offer = { phone: '+5511987650002', amount: 30, installments: 2 };
  const createResponse = await service.post('/merchant/offers', offer, { key: 'sandbox-merchant-key' });
  const response = await ana.send(`/carteira/ofertas/${createResponse.body.id}`);
  assert.equal(response.status, 404);
  const html = await response.text();
  assert.match(html, /Esta oferta foi feita para outro celular/);
  assert.doesNotMatch(html, /98765-?0002/);
});

/** How often tokens were exchanged so far, as the service saw it. */
const exchanges = () => service.readLog().split('"route":"/wallet/auth/refresh"').length - 1;

test('concurrent requests refresh a session once; after a restart and in a second process it continues, even with the previous cookie', async () => {
  const jar = await signedIn();
  const before = new Map(jar.cookies);
  service.clock.advance(16 * MINUTE_MS);
  const seen = exchanges();
  const responses = await Promise.all(PRIVATE.map((path) => new Jar(siteUrl, before).send(path)));
  assert.deepEqual(
    readStatuses(responses),
    PRIVATE.map(() => 200),
  );
  assert.equal(exchanges() - seen, 1);
  // Other processes do not know the new token. Their exchange repeats the first, like one whose response was lost.
  const others = [await restartSite(), await restartSite()].map((site) => new Jar(site, before));
  const otherResponses = await Promise.all(others.map((otherJar) => otherJar.send('/carteira')));
  assert.deepEqual(readStatuses(otherResponses), [200, 200]);
  assert.equal(others[0]!.cookies.size, 1);
  service.clock.advance(16 * MINUTE_MS);
  assert.equal((await others[1]!.send('/carteira/perfil')).status, 200);
  // Without the secret there is no such repeating: it ends the session.
  const thief = new Jar(await restartSite({ secret: Buffer.alloc(32, 9) }), before);
  assert.equal((await thief.send('/carteira')).status, 303);
});

test('signing out ends the session immediately, whatever cookie remains', async () => {
  const jar = await signedIn();
  const copy = new Jar(siteUrl, jar.cookies);
  const otherJar = new Jar(await restartSite(), jar.cookies);
  const response = await jar.post('/carteira/sair', {});
  assert.equal(response.headers.get('location'), '/carteira/entrar?saiu=1');
  assert.equal(jar.cookies.size, 0);
  for (const oldJar of [copy, otherJar]) {
    const refusal = await oldJar.send('/carteira/perfil');
    assert.equal(refusal.headers.get('location'), '/carteira/entrar?para=%2Fcarteira%2Fperfil');
    assert.equal(oldJar.cookies.has('sessao'), false);
  }
});

test('sessions are listed, and can be ended from another device', async () => {
  const [firstJar, secondJar] = [await signedIn(), await signedIn()];
  const html = await firstJar.text('/carteira/perfil');
  assert.equal(html.match(/Este aparelho/g)?.length, 1);
  const ends = [...html.matchAll(/action="(\/carteira\/perfil\/sessoes\/ses_\w+)"/g)].map(
    ([, path]) => path!,
  );
  for (const path of ends) await firstJar.post(path, {});
  assert.match(await firstJar.text('/carteira/perfil'), /Sessão encerrada no outro aparelho/);
  assert.equal((await secondJar.send('/carteira')).status, 303);
  await ana.post('/carteira/entrar', ANA); // hers was one of them
});

test('a form of another site changes nothing', async () => {
  for (const path of [
    '/carteira/sair',
    '/carteira/entrar',
    `/carteira/compras/${HASH}/3/pix`,
    '/carteira/sandbox/relogio',
  ]) {
    assert.equal((await ana.post(path, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await ana.post(path, {}, { 'sec-fetch-site': 'same-site' })).status, 403);
  }
  assert.equal((await ana.send('/carteira')).status, 200);
});

test('after signing in, no redirect leaves the wallet', async () => {
  for (const para of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/lojas',
    '/carteiras',
    '/carteira/\n//x',
  ]) {
    const response = await new Jar().post('/carteira/entrar', { ...ANA, para });
    assert.equal(response.headers.get('location'), '/carteira', para);
  }
  const response = await new Jar().post('/carteira/entrar', { ...ANA, para: '/carteira/cashback?pagina=2' });
  assert.equal(response.headers.get('location'), '/carteira/cashback?pagina=2');
});

test('two clicks have one effect in any form, without scripts and concurrently', async () => {
  const path = `/carteira/compras/${OPEN_HASH}/2`;
  const [, chave] = /name="chave" value="([^"]+)"/.exec(await ana.text(path))!;
  const fields = { chave: chave!, type: 'settle_partial', value: '12,34' };
  const clicks = await Promise.all([1, 2, 3].map(() => ana.post(`${path}/pix`, fields)));
  const places = new Set(clicks.map(({ headers }) => headers.get('location')));
  assert.equal(places.size, 1);
  assert.match([...places][0]!, /\/pix\/pix_\w{26}$/);
  // A code that was asked for twice was sent once, and both know of it: no "too soon" for the one that is shown.
  const jar = new Jar();
  const phone = { chave: crypto.randomUUID(), phone: '11 98765-0007' };
  for (const sendResponse of await Promise.all([1, 2].map(() => jar.post('/carteira/cadastro', phone))))
    assert.equal(sendResponse.headers.get('location'), '/carteira/cadastro/dados');
  const redeemResponses = await Promise.all(
    [1, 2].map(() =>
      ana.post(`${path}/cashback/confirmar`, { chave: crypto.randomUUID(), cashback: '1,00' }),
    ),
  );
  assert.deepEqual(readStatuses(redeemResponses), [303, 303]);
  const once = { chave: crypto.randomUUID(), cashback: '1,00' };
  const balanceBefore = await balance();
  await Promise.all([1, 2, 3].map(() => ana.post(`${path}/cashback/confirmar`, once)));
  assert.equal(Math.round((balanceBefore - (await balance())) * 100), 100);
});

async function balance(): Promise<number> {
  const text = /Disponível agora<\/p><p class="glance-figure">R\$\s([\d,]+)/.exec(
    await ana.text('/carteira/cashback'),
  )![1]!;
  return Number(text.replace(',', '.'));
}

test('a changed price, an excessive partial amount and an unavailable PSP are explained, the input is kept, and no charge is created', async () => {
  const path = `/carteira/compras/${HASH}/3`;
  await ana.post(`${path}/pix`, { type: 'settle_with_penalty', shown: '50' });
  assert.match(
    await ana.text(path),
    /O valor mudou desde que você abriu esta página: agora são R\$\s5\d,\d\d/,
  );
  await ana.post(`${path}/pix`, { type: 'settle_partial', value: '5000' });
  const html = await ana.text(path);
  assert.match(html, /id="value-erro">Escolha um valor entre/);
  assert.match(html, /value="5000"/);
  assert.doesNotMatch(await ana.text(path), /value-erro/, 'it is said once');
  await service.staff('PUT', '/sandbox/psp/faults', { key: 'sandbox-operator-key', body: { error_rate: 1 } });
  await ana.post(`${path}/pix`, { type: 'settle_partial', value: '7,77' });
  await service.staff('PUT', '/sandbox/psp/faults', { key: 'sandbox-operator-key', body: { error_rate: 0 } });
  assert.match(await ana.text(path), /O banco que gera o PIX não respondeu. Nada foi cobrado/);
});

test('an offer that cannot be accepted now explains why, stays pending, and can be declined', async () => {
  const [, offer] = /ofertas\/(off_\w+)/.exec(
    (await ana.post('/carteira/sandbox/oferta', {})).headers.get('location')!,
  )!;
  const path = `/carteira/ofertas/${offer}`;
  assert.match(await ana.text(`${path}?parcelas=2`), /2 ×<\/span> R\$\s60,00/);
  assert.match(await ana.text(path), /Cashback, pagando em dia<\/dt><dd>até\sR\$\s3,00/);
  const page = await ana.text(path);
  assert.match(page, /Compras pausadas.*Há parcela em atraso.*Pagar e liberar/s);
  assert.ok(!page.includes('Aceitar:'));
  assert.match(await ana.text('/carteira/limite'), /Compras pausadas.*Pagar e liberar/s);
  // From a page that was loaded earlier.
  await ana.post(`${path}/aceitar`, { installments: '4' });
  assert.match(await ana.text(path), /Você tem parcela atrasada. Assim que estiver tudo em dia/);
  const declineResponse = await ana.post(`${path}/recusar`, {});
  assert.equal(declineResponse.headers.get('location'), '/carteira/ofertas');
  assert.match(await ana.text('/carteira/ofertas'), /Oferta recusada/);
  await ana.post(`${path}/aceitar`, { installments: '4' });
  assert.match(await ana.text(path), /já foi respondida ou cancelada/);
});

test('an acceptance that is repeated from an old page after its response was lost leads to the purchase', async () => {
  const customer = await newCustomer(service);
  const jar = new Jar(siteUrl);
  await jar.post('/carteira/entrar', { phone: customer.phone, password: customer.password });
  const { location } = Object.fromEntries((await jar.post('/carteira/sandbox/oferta', {})).headers);
  const firstResponse = await jar.post(`${location}/aceitar`, { chave: 'first', installments: '4' });
  const repeatedResponse = await jar.post(`${location}/aceitar`, { chave: 'second', installments: '4' });
  assert.match(firstResponse.headers.get('location')!, /^\/carteira\/compras\//);
  assert.equal(repeatedResponse.headers.get('location'), firstResponse.headers.get('location'));
  assert.match(await jar.text(repeatedResponse.headers.get('location')!), /Compra feita\./);
  assert.doesNotMatch(await jar.text(location!), /role="alert"/);
});

test('in live mode the sandbox bar and its endpoints do not exist', async () => {
  const live = new Jar(await restartSite({ sandbox: null }), ana.cookies);
  assert.doesNotMatch(await live.text('/carteira'), /class="sandbox"|Receber uma oferta/);
  for (const caseName of ['relogio', 'pagar', 'oferta', 'pessoa'])
    assert.equal((await live.post(`/carteira/sandbox/${caseName}`, {})).status, 404);
});

test('the wallet can be installed: it has a manifest, icons of the declared sizes, and a worker that caches no personal data', async () => {
  const manifest = (await (await fetch(`${siteUrl}/manifest.webmanifest`)).json()) as {
    icons: Array<{ src: string }>;
  };
  for (const { src } of manifest.icons) {
    const icon = await fetch(siteUrl + src);
    assert.equal(icon.status, 200, src);
    assert.match(icon.headers.get('content-type')!, /^image\//);
  }
  assert.equal((await fetch(`${siteUrl}/icon-77.png`)).status, 404);
  const worker = await (await fetch(`${siteUrl}/worker.js`)).text();
  const [, kept] = /\[("\/carteira\/sem-conexao"[^\]]*)\]/.exec(worker)!;
  assert.deepEqual(
    JSON.parse(`[${kept}]`).filter((path: string) => path.startsWith('/carteira')),
    ['/carteira/sem-conexao'],
  );
});

test('after wrong passwords a login by code still works, and both pages explain what to do', async () => {
  const jar = new Jar();
  const [rows] = await service.db.rows<{ n: number }>(sql`select count(*)::int as n from sessions`);
  for (let i = 0; i < 6; i++)
    await jar.post('/carteira/entrar', { phone: '(11) 98765-0003', password: `errada-${i}` });
  const signInPage = await jar.text('/carteira/entrar');
  assert.match(signInPage, /Muitas tentativas seguidas. Entre agora com um código ou espere \d+ minutos/);
  const sendResponse = await jar.post('/carteira/entrar/enviar', { phone: '(11) 98765-0003' });
  assert.equal(sendResponse.headers.get('location'), '/carteira/entrar/codigo');
  const [, code] = /o código é <b>(\d{6})/.exec(await jar.text('/carteira/entrar/codigo'))!;
  await jar.post('/carteira/entrar/codigo', { code: code === '000000' ? '111111' : '000000' });
  assert.match(await jar.text('/carteira/entrar/codigo'), /Código incorreto ou vencido/);
  const rightResponse = await jar.post('/carteira/entrar/codigo', {
    code: `${code!.slice(0, 3)} ${code!.slice(3)}`,
  });
  assert.equal(rightResponse.headers.get('location'), '/carteira');
  const [after] = await service.db.rows<{ n: number }>(sql`select count(*)::int as n from sessions`);
  assert.equal(after!.n - rows!.n, 1);
});

test('resetting a forgotten password needs a code and ends every other session', async () => {
  const otherJar = new Jar();
  service.clock.advance(16 * MINUTE_MS);
  await otherJar.post('/carteira/entrar', { phone: '(11) 98765-0003', password: 'semana-demo-3' });
  const jar = new Jar();
  await jar.post('/carteira/senha', { phone: '(11) 98765-0003' });
  const [, code] = /o código é <b>(\d{6})/.exec(await jar.text('/carteira/senha/nova'))!;
  await jar.post('/carteira/senha/nova', { code: code!, password: 'senha123' });
  assert.match(await jar.text('/carteira/senha/nova'), /id="password-erro">Esta senha é fácil de adivinhar/);
  const actResponse = await jar.post('/carteira/senha/nova', {
    code: code!,
    password: 'tucano-lilás-na-feira',
  });
  assert.equal(actResponse.headers.get('location'), '/carteira');
  assert.match(await jar.text('/carteira'), /Senha salva/);
  assert.equal((await otherJar.send('/carteira')).status, 303);
});

test('a Pix page shows the actual result: only cashback of this installment, and no amount or later due day that did not apply', async () => {
  const paid = async (number: number, type: string, value?: number) => {
    const path = `/carteira/compras/${HASH}/${number}`;
    const shown = new RegExp(
      `name="type" value="${type}"/><input type="hidden" name="shown" value="([^"]*)"`,
    );
    const [, sum] = shown.exec(await ana.text(path))!;
    const page = (await ana.post(`${path}/pix`, { type, shown: sum! })).headers.get('location')!;
    const charge = await service.db.row<{ txid: string }>(
      sql`select txid from pix_charges where id = ${page.split('/').at(-1)}`,
    );
    const body = value === undefined ? {} : { value };
    await service.staff('POST', `/sandbox/pix/${charge!.txid}/pay`, { key: 'sandbox-operator-key', body });
    await eventually('the money is here', async () => (await ana.text(page)).includes('Recebemos'));
    return page;
  };
  const short = await paid(3, 'extend', 1);
  assert.match(await ana.text(short), /Recebemos R\$\s1,00\..*Ainda faltam R\$\s5\d,\d\d da 3ª parcela/);
  const late = await paid(3, 'settle_with_penalty', 70);
  assert.match(await ana.text(late), /Recebemos R\$\s70,00\..*3ª parcela está paga.*será devolvido/);
  const settled = await ana.text(`/carteira/compras/${HASH}/3`);
  assert.match(settled, /Já pago<\/dt><dd>− R\$\s50,00.*Multa já paga<\/dt><dd>R\$\s1,00.*Juros já pagos/s);
  assert.ok(settled.includes(`href="${late}">Pagamento: R$\u00a070,00`), 'with the PIX that paid them');
  const open = `/carteira/compras/${HASH}/4`;
  assert.match(await ana.text(open), /Pagando até o vencimento, R\$\s2,50 voltam em cashback/);
  const onTime = await paid(4, 'settle');
  assert.match(await ana.text(onTime), /Recebemos R\$\s50,00\..*R\$\s2,50 voltaram em cashback/);
  assert.doesNotMatch(await ana.text(late), /voltaram em cashback/);
  assert.match(await ana.text(await paid(5, 'extend')), /Recebemos R\$\s2,50\..*Parcela prorrogada/);
});

test('a login with the password invalidates a pending code', async () => {
  const jar = new Jar();
  await jar.post('/carteira/entrar/enviar', { phone: ANA.phone });
  assert.ok(jar.cookies.has('codigo'));
  await jar.post('/carteira/entrar', ANA);
  assert.deepEqual([...jar.cookies.keys()].toSorted(), ['aparelho', 'sessao']);
});

test('after signing in the customer reaches the requested page: by a phone with an account, a reset password, or a code', async () => {
  const para = '/carteira/cashback?pagina=1';
  const query = new URLSearchParams({ para });
  const ways = (html: string) => [...html.matchAll(/href="([^"]*\?para=[^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual(ways(await new Jar().text(`/carteira/entrar?${query}`)), [
    `/carteira/cadastro?${query}`,
    `/carteira/senha?${query}`,
  ]);
  for (const page of ['/carteira/cadastro', '/carteira/senha'])
    assert.deepEqual(ways(await new Jar().text(`${page}?${query}`)), [`/carteira/entrar?${query}`]);

  const knownJar = new Jar();
  const requestResponse = await knownJar.post('/carteira/cadastro', { phone: ANA.phone, para });
  assert.equal(requestResponse.headers.get('location'), '/carteira/entrar');
  const html = await knownJar.text('/carteira/entrar');
  assert.match(html, /Este celular já tem conta/);
  assert.ok(html.includes(`name="para" value="${para}"`));

  const jar = new Jar();
  const phone = '(11) 98765-0003';
  service.clock.advance(16 * MINUTE_MS);
  await jar.post('/carteira/senha', { phone, para });
  // A code was sent just now: whoever asks again goes on with that one.
  const repeatedResponse = await jar.post('/carteira/entrar/enviar', { phone, para });
  assert.equal(repeatedResponse.headers.get('location'), '/carteira/entrar/codigo');
  const page = await jar.text('/carteira/entrar/codigo');
  assert.match(page, /Use o código que já enviamos\. Para pedir outro, espere \d+ segundos/);
  assert.deepEqual(ways(page), [`/carteira/entrar?${query}`]);
  const [, code] = /o código é <b>(\d{6})/.exec(page)!;
  const actResponse = await jar.post('/carteira/senha/nova', {
    code: code!,
    password: 'sabiá-amarelo-no-varal',
  });
  assert.equal(actResponse.headers.get('location'), para);
  assert.match(await jar.text(para), /Senha salva/);
});

test('a page number past the end redirects to the last page', async () => {
  for (const path of ['', '/ofertas', '/cashback', '/convites']) {
    const response = await ana.send(`/carteira${path}?pagina=99`);
    assert.equal(response.headers.get('location'), `/carteira${path}`);
  }
  const response = await ana.send('/carteira?situacao=pagas&pagina=99');
  assert.equal(response.headers.get('location'), '/carteira?situacao=pagas');
});

test('a purchase shows its late amount and since when it is overdue; returned amounts are labelled as such', async () => {
  const staff = (path: string, body: object) =>
    service.staff('POST', path, { key: 'sandbox-operator-key', body });
  const buy = async (installments: number) => {
    const order = { customer: '+5511987650003', merchant: 'padaria-flor-do-trigo', amount: 60, installments };
    return (await staff('/admin/checkouts', order)).body.hash as string;
  };
  const jar = new Jar();
  await jar.post('/carteira/entrar', { phone: '(11) 98765-0003', password: 'sabiá-amarelo-no-varal' });
  const [late, back] = [await buy(3), await buy(2)];
  await staff(`/admin/checkouts/${back}/returns`, { reason: 'Não serviu' });
  assert.match(
    await jar.text(`/carteira/compras/${back}`),
    /R\$\s60,00<\/p><p class="muted">devolvidos na loja: nada a pagar.*Devolvida<\/small>/s,
  );
  assert.match(await jar.text(`/carteira/compras/${back}/1`), /Parcela devolvida/);
  // Twice: it falls due after the second then, which is the next.
  for (const _ of [1, 2]) {
    const path = `/carteira/compras/${late}/1`;
    const shown = /name="type" value="extend"\/><input type="hidden" name="shown" value="([^"]*)"/;
    const [, sum] = shown.exec(await jar.text(path))!;
    const form = { chave: crypto.randomUUID(), type: 'extend', shown: sum! };
    const page = (await jar.post(`${path}/pix`, form)).headers.get('location')!;
    await jar.post('/carteira/sandbox/pagar', { pix: page.split('/').at(-1)! });
    await eventually('it is extended', async () => (await jar.text(page)).includes('Parcela prorrogada'));
  }
  assert.match(await jar.text(`/carteira/compras/${late}`), /Pagar a 2ª parcela.*· prorrogada<\/small>/s);
  assert.match(await jar.text(`/carteira/compras/${late}/1`), /Já foi prorrogada 2 vezes/);
  service.clock.advance(28 * DAY_MS);
  assert.match(
    await jar.text(`/carteira/compras/${late}`),
    /R\$\s61,\d\d<\/p><p class="muted">faltam desta compra, com R\$\s1,\d\d de multa e juros até hoje<\/p><p>3 parcelas atrasadas/,
  );
  assert.match(await jar.text('/carteira'), /Em atraso<\/h3>.*1ª parcela.*Compras pausadas/s);
});

test('documents are PDF files that only their customer can download, linked from their pages', async () => {
  const contract = `/carteira/compras/${HASH}/contrato.pdf`;
  assert.ok((await ana.text(`/carteira/compras/${HASH}`)).includes(contract));
  for (const path of [contract, `/carteira/extratos/${new Date().getUTCFullYear()}`]) {
    const response = await ana.send(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.match(response.headers.get('content-disposition')!, /^inline; filename="[\w-]+\.pdf"$/);
    assert.equal(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    );
    assert.equal((await new Jar().send(path)).status, 303);
  }
  assert.equal((await ana.send('/carteira/extratos/1999')).status, 404);
  assert.equal((await ana.send('/carteira/comprovantes/pix_x')).status, 404);
});
