import assert from 'node:assert/strict';
import diagnosticsChannel from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually } from '../../../test/harness.ts';
import { MERCHANT } from '../../../test/purchase-driver.ts';
import { newCustomer } from '../../../test/support/customers.ts';
import { CookieJar, readLocation } from './cookie-jar.ts';
import { MAX_SCRIPT_BYTES, openSite, pickWrongCode, readSandboxCode, readTitle } from './site.ts';

const { service, siteUrl, startSite, readLog } = await openSite();
const ANA = { phone: '(11) 98765-0001', password: 'semana-demo-1' };

/** A jar for the site of this file, unless the test starts another one. */
class Jar extends CookieJar {
  constructor(site = siteUrl, cookies: Iterable<[string, string]> = []) {
    super(site, cookies);
  }
}

async function signIn(): Promise<Jar> {
  const jar = new Jar();
  const response = await jar.post('/carteira/entrar', ANA);
  assert.equal(readLocation(response), '/carteira');
  return jar;
}

const anaJar = await signIn();
/** Reads the hash of Ana's first purchase in a list. */
const readFirstHash = async (list: string) =>
  /class="rows".*?\/carteira\/compras\/(\w{22})"/s.exec(await anaJar.text(`/carteira?situacao=${list}`))![1]!;
const [HASH, OPEN_HASH] = [await readFirstHash('atrasadas'), await readFirstHash('abertas')];
const readStatuses = (responses: Response[]) => responses.map(({ status }) => status);
const PRIVATE_PATHS = [
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
  for (const path of PRIVATE_PATHS) {
    const response = await anaJar.send(path);
    const html = await response.text();
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'same-origin');
    assert.equal(response.headers.get('etag'), null);
    assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/);
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|<script(?![^>]*src=)/, path);
    assert.doesNotMatch(readTitle(html), /Ana|Ótica|R\$|\d/, path);
    assert.equal(html.match(/<h1/g)?.length, 1, path);
    const refusedResponse = await new Jar().send(path);
    assert.equal(refusedResponse.status, 303);
    assert.match(readLocation(refusedResponse)!, /^\/carteira\/entrar/);
    assert.equal(refusedResponse.headers.get('cache-control'), 'no-store');
  }
  const html = await anaJar.text('/carteira');
  const scripts = [...html.matchAll(/src="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!);
  for (const path of scripts)
    assert.ok((await (await fetch(siteUrl + path)).arrayBuffer()).byteLength < MAX_SCRIPT_BYTES);
  assert.doesNotMatch(readLog(), /98765|Ana|eyJ/);
});

test('the home page and each list of purchases take one call of the API', async (t) => {
  const paths: string[] = [];
  const recordPath = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (service.partnerUrl.endsWith(`${request.getHeader('host')}`)) paths.push(request.path);
  };
  diagnosticsChannel.subscribe('http.client.request.start', recordPath);
  t.after(() => diagnosticsChannel.unsubscribe('http.client.request.start', recordPath));
  await anaJar.text('/carteira');
  await anaJar.text('/carteira?situacao=pagas');
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
    const response = await anaJar.send(`/carteira/${path}`);
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), /href="\/carteira">Minha carteira/, path);
  }
});

test('the page of an offer for another phone says so, without showing that phone', async () => {
  const offerInput = { phone: '+5511987650002', amount: 30, installments: 2 };
  const createResponse = await service.post('/merchant/offers', offerInput, { key: 'sandbox-merchant-key' });
  const response = await anaJar.send(`/carteira/ofertas/${createResponse.body.id}`);
  assert.equal(response.status, 404);
  const html = await response.text();
  assert.match(html, /Esta oferta foi feita para outro celular/);
  assert.doesNotMatch(html, /98765-?0002/);
});

/** Counts the token refreshes that the service has logged so far. */
const countRefreshes = () => service.readLog().split('"route":"/wallet/auth/refresh"').length - 1;

test('concurrent requests refresh a session once; the session continues after a restart and in a second process, even with the previous cookie', async () => {
  const jar = await signIn();
  const oldCookies = new Map(jar.cookies);
  service.clock.advance(16 * MINUTE_MS); // the access token expires after 15 minutes
  const refreshCount = countRefreshes();
  const responses = await Promise.all(PRIVATE_PATHS.map((path) => new Jar(siteUrl, oldCookies).send(path)));
  assert.deepEqual(
    readStatuses(responses),
    PRIVATE_PATHS.map(() => 200),
  );
  assert.equal(countRefreshes() - refreshCount, 1);
  // Other processes do not know the new token. Their refresh repeats the first one, as after a lost response.
  const otherJars = [await startSite(), await startSite()].map((site) => new Jar(site, oldCookies));
  const otherResponses = await Promise.all(otherJars.map((otherJar) => otherJar.send('/carteira')));
  assert.deepEqual(readStatuses(otherResponses), [200, 200]);
  assert.equal(otherJars[0]!.cookies.size, 1);
  service.clock.advance(16 * MINUTE_MS);
  assert.equal((await otherJars[1]!.send('/carteira/perfil')).status, 200);
  // Without the secret the refresh has another idempotency key, so it ends the session.
  const otherSecretJar = new Jar(await startSite({ secret: Buffer.alloc(32, 9) }), oldCookies);
  assert.equal((await otherSecretJar.send('/carteira')).status, 303);
});

test('signing out ends the session immediately, whatever cookie remains', async () => {
  const jar = await signIn();
  const jarCopy = new Jar(siteUrl, jar.cookies);
  const otherJar = new Jar(await startSite(), jar.cookies);
  const response = await jar.post('/carteira/sair', {});
  assert.equal(readLocation(response), '/carteira/entrar?saiu=1');
  assert.equal(jar.cookies.size, 0);
  for (const oldJar of [jarCopy, otherJar]) {
    const refusedResponse = await oldJar.send('/carteira/perfil');
    assert.equal(readLocation(refusedResponse), '/carteira/entrar?para=%2Fcarteira%2Fperfil');
    assert.equal(oldJar.cookies.has('sessao'), false);
  }
});

test('sessions are listed, and can be ended from another device', async () => {
  const [firstJar, secondJar] = [await signIn(), await signIn()];
  const html = await firstJar.text('/carteira/perfil');
  assert.equal(html.match(/Este aparelho/g)?.length, 1);
  const endPaths = [...html.matchAll(/action="(\/carteira\/perfil\/sessoes\/ses_\w+)"/g)].map(
    ([, path]) => path!,
  );
  for (const path of endPaths) await firstJar.post(path, {});
  assert.match(await firstJar.text('/carteira/perfil'), /Sessão encerrada no outro aparelho/);
  assert.equal((await secondJar.send('/carteira')).status, 303);
  await anaJar.post('/carteira/entrar', ANA); // Ana's session was ended, too
});

test('a form of another site changes nothing', async () => {
  for (const path of [
    '/carteira/sair',
    '/carteira/entrar',
    `/carteira/compras/${HASH}/3/pix`,
    '/carteira/sandbox/relogio',
  ]) {
    assert.equal((await anaJar.post(path, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await anaJar.post(path, {}, { 'sec-fetch-site': 'same-site' })).status, 403);
  }
  assert.equal((await anaJar.send('/carteira')).status, 200);
});

test('after signing in, no redirect leaves the wallet', async () => {
  for (const target of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/lojas',
    '/carteiras',
    '/carteira/\n//x',
  ]) {
    const response = await new Jar().post('/carteira/entrar', { ...ANA, para: target });
    assert.equal(readLocation(response), '/carteira', target);
  }
  const response = await new Jar().post('/carteira/entrar', { ...ANA, para: '/carteira/cashback?pagina=2' });
  assert.equal(readLocation(response), '/carteira/cashback?pagina=2');
});

test('two clicks have one effect in any form, without scripts and concurrently', async () => {
  const path = `/carteira/compras/${OPEN_HASH}/2`;
  const [, chave] = /name="chave" value="([^"]+)"/.exec(await anaJar.text(path))!; // the idempotency key
  const fields = { chave: chave!, type: 'settle_partial', value: '12,34' };
  const responses = await Promise.all([1, 2, 3].map(() => anaJar.post(`${path}/pix`, fields)));
  const locations = new Set(responses.map(({ headers }) => headers.get('location')));
  assert.equal(locations.size, 1);
  assert.match([...locations][0]!, /\/pix\/pix_\w{26}$/);
  // Two requests for a code send one code, and both redirect to its form without a "too soon" error.
  const jar = new Jar();
  const phoneForm = { chave: crypto.randomUUID(), phone: '11 98765-0007' };
  for (const sendResponse of await Promise.all([1, 2].map(() => jar.post('/carteira/cadastro', phoneForm))))
    assert.equal(readLocation(sendResponse), '/carteira/cadastro/dados');
  const redeemResponses = await Promise.all(
    [1, 2].map(() =>
      anaJar.post(`${path}/cashback/confirmar`, { chave: crypto.randomUUID(), cashback: '1,00' }),
    ),
  );
  assert.deepEqual(readStatuses(redeemResponses), [303, 303]);
  const repeatedFields = { chave: crypto.randomUUID(), cashback: '1,00' };
  const balanceBefore = await readBalance();
  await Promise.all([1, 2, 3].map(() => anaJar.post(`${path}/cashback/confirmar`, repeatedFields)));
  const spentCents = Math.round((balanceBefore - (await readBalance())) * 100);
  assert.equal(spentCents, 100);
});

async function readBalance(): Promise<number> {
  const text = /Disponível agora<\/p><p class="glance-figure">R\$\s([\d,]+)/.exec(
    await anaJar.text('/carteira/cashback'),
  )![1]!;
  return Number(text.replace(',', '.'));
}

test('a changed price, an excessive partial amount and an unavailable PSP are explained, the input is kept, and no charge is created', async () => {
  const path = `/carteira/compras/${HASH}/3`;
  await anaJar.post(`${path}/pix`, { type: 'settle_with_penalty', shown: '50' });
  assert.match(
    await anaJar.text(path),
    /O valor mudou desde que você abriu esta página: agora são R\$\s5\d,\d\d/,
  );
  await anaJar.post(`${path}/pix`, { type: 'settle_partial', value: '5000' });
  const html = await anaJar.text(path);
  assert.match(html, /id="value-erro">Escolha um valor entre/);
  assert.match(html, /value="5000"/);
  assert.doesNotMatch(await anaJar.text(path), /value-erro/, 'the error is shown once');
  await service.staff('PUT', '/sandbox/psp/faults', { key: 'sandbox-operator-key', body: { error_rate: 1 } });
  await anaJar.post(`${path}/pix`, { type: 'settle_partial', value: '7,77' });
  await service.staff('PUT', '/sandbox/psp/faults', { key: 'sandbox-operator-key', body: { error_rate: 0 } });
  assert.match(await anaJar.text(path), /O banco que gera o PIX não respondeu. Nada foi cobrado/);
});

test('the page of an offer that cannot be accepted now explains why; the offer stays pending and can be declined', async () => {
  const [, offerId] = /ofertas\/(off_\w+)/.exec(
    readLocation(await anaJar.post('/carteira/sandbox/oferta', {}))!,
  )!;
  const path = `/carteira/ofertas/${offerId}`;
  // The offer of the sandbox is R$ 120,00 in 4 weeks; the bakery gives 2.5 % of it as cashback.
  assert.match(await anaJar.text(`${path}?parcelas=2`), /2 ×<\/span> R\$\s60,00/);
  assert.match(await anaJar.text(path), /Cashback, pagando em dia<\/dt><dd>até\sR\$\s3,00/);
  const html = await anaJar.text(path);
  assert.match(html, /Compras pausadas.*Há parcela em atraso.*Pagar e liberar/s);
  assert.ok(!html.includes('Aceitar:'));
  assert.match(await anaJar.text('/carteira/limite'), /Compras pausadas.*Pagar e liberar/s);
  // The form is from a page that was loaded earlier.
  await anaJar.post(`${path}/aceitar`, { installments: '4' });
  assert.match(await anaJar.text(path), /Você tem parcela atrasada. Assim que estiver tudo em dia/);
  const declineResponse = await anaJar.post(`${path}/recusar`, {});
  assert.equal(readLocation(declineResponse), '/carteira/ofertas');
  assert.match(await anaJar.text('/carteira/ofertas'), /Oferta recusada/);
  await anaJar.post(`${path}/aceitar`, { installments: '4' });
  assert.match(await anaJar.text(path), /já foi respondida ou cancelada/);
});

test('an acceptance that is repeated from an old page after its response was lost leads to the purchase', async () => {
  const customer = await newCustomer(service);
  const jar = new Jar(siteUrl);
  await jar.post('/carteira/entrar', { phone: customer.phone, password: customer.password });
  const location = readLocation(await jar.post('/carteira/sandbox/oferta', {}))!;
  const firstResponse = await jar.post(`${location}/aceitar`, { chave: 'first', installments: '4' });
  const repeatedResponse = await jar.post(`${location}/aceitar`, { chave: 'second', installments: '4' });
  assert.match(readLocation(firstResponse)!, /^\/carteira\/compras\//);
  assert.equal(readLocation(repeatedResponse), readLocation(firstResponse));
  assert.match(await jar.text(readLocation(repeatedResponse)!), /Compra feita\./);
  assert.doesNotMatch(await jar.text(location), /role="alert"/);
});

test('in live mode the sandbox bar and its endpoints do not exist', async () => {
  const liveJar = new Jar(await startSite({ sandbox: null }), anaJar.cookies);
  assert.doesNotMatch(await liveJar.text('/carteira'), /class="sandbox"|Receber uma oferta/);
  for (const formName of ['relogio', 'pagar', 'oferta', 'pessoa'])
    assert.equal((await liveJar.post(`/carteira/sandbox/${formName}`, {})).status, 404);
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
  const [, cachedPaths] = /\[("\/carteira\/sem-conexao"[^\]]*)\]/.exec(worker)!;
  assert.deepEqual(
    JSON.parse(`[${cachedPaths}]`).filter((path: string) => path.startsWith('/carteira')),
    ['/carteira/sem-conexao'],
  );
});

test('after wrong passwords a login by code still works, and both pages explain what to do', async () => {
  const jar = new Jar();
  const countSessions = async () =>
    (await service.db.row<{ count: number }>(sql`select count(*)::int as count from sessions`))!.count;
  const sessionCountBefore = await countSessions();
  for (let i = 0; i < 6; i++)
    await jar.post('/carteira/entrar', { phone: '(11) 98765-0003', password: `errada-${i}` });
  const signInPage = await jar.text('/carteira/entrar');
  assert.match(signInPage, /Muitas tentativas seguidas. Entre agora com um código ou espere \d+ minutos/);
  const sendResponse = await jar.post('/carteira/entrar/enviar', { phone: '(11) 98765-0003' });
  assert.equal(readLocation(sendResponse), '/carteira/entrar/codigo');
  const code = readSandboxCode(await jar.text('/carteira/entrar/codigo'));
  await jar.post('/carteira/entrar/codigo', { code: pickWrongCode(code) });
  assert.match(await jar.text('/carteira/entrar/codigo'), /Código incorreto ou vencido/);
  const rightResponse = await jar.post('/carteira/entrar/codigo', {
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  });
  assert.equal(readLocation(rightResponse), '/carteira');
  assert.equal((await countSessions()) - sessionCountBefore, 1);
});

test('resetting a forgotten password needs a code and ends every other session', async () => {
  const otherJar = new Jar();
  service.clock.advance(16 * MINUTE_MS); // wrong passwords lock the login for 15 minutes
  await otherJar.post('/carteira/entrar', { phone: '(11) 98765-0003', password: 'semana-demo-3' });
  const jar = new Jar();
  await jar.post('/carteira/senha', { phone: '(11) 98765-0003' });
  const code = readSandboxCode(await jar.text('/carteira/senha/nova'));
  await jar.post('/carteira/senha/nova', { code, password: 'senha123' });
  assert.match(await jar.text('/carteira/senha/nova'), /id="password-erro">Esta senha é fácil de adivinhar/);
  const newPassword = { code, password: 'tucano-lilás-na-feira' };
  const resetResponse = await jar.post('/carteira/senha/nova', newPassword);
  assert.equal(readLocation(resetResponse), '/carteira');
  assert.match(await jar.text('/carteira'), /Senha salva/);
  assert.equal((await otherJar.send('/carteira')).status, 303);
});

test('a Pix page shows the actual result: only cashback of this installment, and no amount or later due day that did not apply', async () => {
  /** Creates a charge of this type for an installment, and pays its value or `paidAmount`. Returns the path of the charge's page. */
  const pay = async (number: number, type: string, { paidAmount }: { paidAmount?: number } = {}) => {
    const path = `/carteira/compras/${HASH}/${number}`;
    const pattern = new RegExp(
      `name="type" value="${type}"/><input type="hidden" name="shown" value="([^"]*)"`,
    );
    const [, shownAmount] = pattern.exec(await anaJar.text(path))!;
    const pixPath = readLocation(await anaJar.post(`${path}/pix`, { type, shown: shownAmount! }))!;
    const charge = await service.db.row<{ txid: string }>(
      sql`select txid from pix_charges where id = ${pixPath.split('/').at(-1)}`,
    );
    const body = paidAmount === undefined ? {} : { value: paidAmount };
    await service.staff('POST', `/sandbox/pix/${charge!.txid}/pay`, { key: 'sandbox-operator-key', body });
    await eventually('the payment arrived', async () => (await anaJar.text(pixPath)).includes('Recebemos'));
    return pixPath;
  };
  // Each installment is R$ 50,00: a fine of 2 % is R$ 1,00, an extension of 5 % R$ 2,50, and cashback of 5 % R$ 2,50.
  const underpaidPath = await pay(3, 'extend', { paidAmount: 1 });
  const underpaidPage = await anaJar.text(underpaidPath);
  assert.match(underpaidPage, /Recebemos R\$\s1,00\..*Ainda faltam R\$\s5\d,\d\d da 3ª parcela/);
  const latePath = await pay(3, 'settle_with_penalty', { paidAmount: 70 });
  assert.match(await anaJar.text(latePath), /Recebemos R\$\s70,00\..*3ª parcela está paga.*será devolvido/);
  const paidPage = await anaJar.text(`/carteira/compras/${HASH}/3`);
  assert.match(paidPage, /Já pago<\/dt><dd>− R\$\s50,00.*Multa já paga<\/dt><dd>R\$\s1,00.*Juros já pagos/s);
  assert.ok(paidPage.includes(`href="${latePath}">Pagamento: R$\u00a070,00`), 'with a link to their payment');
  const openPath = `/carteira/compras/${HASH}/4`;
  assert.match(await anaJar.text(openPath), /Pagando até o vencimento, R\$\s2,50 voltam em cashback/);
  const onTimePath = await pay(4, 'settle');
  assert.match(await anaJar.text(onTimePath), /Recebemos R\$\s50,00\..*R\$\s2,50 voltaram em cashback/);
  assert.doesNotMatch(await anaJar.text(latePath), /voltaram em cashback/);
  assert.match(await anaJar.text(await pay(5, 'extend')), /Recebemos R\$\s2,50\..*Parcela prorrogada/);
});

test('after signing in the customer reaches the requested page: by a phone with an account, a reset password, or a code', async () => {
  const target = '/carteira/cashback?pagina=1';
  const query = new URLSearchParams({ para: target });
  const listLinks = (html: string) =>
    [...html.matchAll(/href="([^"]*\?para=[^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual(listLinks(await new Jar().text(`/carteira/entrar?${query}`)), [
    `/carteira/cadastro?${query}`,
    `/carteira/senha?${query}`,
  ]);
  for (const page of ['/carteira/cadastro', '/carteira/senha'])
    assert.deepEqual(listLinks(await new Jar().text(`${page}?${query}`)), [`/carteira/entrar?${query}`]);

  const customerJar = new Jar();
  const requestResponse = await customerJar.post('/carteira/cadastro', { phone: ANA.phone, para: target });
  assert.equal(readLocation(requestResponse), '/carteira/entrar');
  const html = await customerJar.text('/carteira/entrar');
  assert.match(html, /Este celular já tem conta/);
  assert.ok(html.includes(`name="para" value="${target}"`));

  const jar = new Jar();
  const phone = '(11) 98765-0003';
  service.clock.advance(16 * MINUTE_MS); // another code can be requested after a minute
  await jar.post('/carteira/senha', { phone, para: target });
  // A code was just sent, so another request continues with that code.
  const repeatedResponse = await jar.post('/carteira/entrar/enviar', { phone, para: target });
  assert.equal(readLocation(repeatedResponse), '/carteira/entrar/codigo');
  const page = await jar.text('/carteira/entrar/codigo');
  assert.match(page, /Use o código que já enviamos\. Para pedir outro, espere \d+ segundos/);
  assert.deepEqual(listLinks(page), [`/carteira/entrar?${query}`]);
  const code = readSandboxCode(page);
  const newPassword = { code, password: 'sabiá-amarelo-no-varal' };
  const resetResponse = await jar.post('/carteira/senha/nova', newPassword);
  assert.equal(readLocation(resetResponse), target);
  assert.match(await jar.text(target), /Senha salva/);
});

test('a page number past the end redirects to the last page', async () => {
  for (const path of ['', '/ofertas', '/cashback', '/convites']) {
    const response = await anaJar.send(`/carteira${path}?pagina=99`);
    assert.equal(readLocation(response), `/carteira${path}`);
  }
  const response = await anaJar.send('/carteira?situacao=pagas&pagina=99');
  assert.equal(readLocation(response), '/carteira?situacao=pagas');
});

test('a purchase shows its late amount and since when it is overdue; returned amounts are labelled as such', async () => {
  const postToStaff = (path: string, body: object) =>
    service.staff('POST', path, { key: 'sandbox-operator-key', body });
  const buy = async (installments: number) => {
    const checkoutInput = { customer: '+5511987650003', merchant: MERCHANT, amount: 60, installments };
    return (await postToStaff('/admin/checkouts', checkoutInput)).body.hash as string;
  };
  const jar = new Jar();
  await jar.post('/carteira/entrar', { phone: '(11) 98765-0003', password: 'sabiá-amarelo-no-varal' });
  const [lateHash, returnedHash] = [await buy(3), await buy(2)];
  await postToStaff(`/admin/checkouts/${returnedHash}/returns`, { reason: 'Não serviu' });
  assert.match(
    await jar.text(`/carteira/compras/${returnedHash}`),
    /R\$\s60,00<\/p><p class="muted">devolvidos na loja: nada a pagar.*Devolvida<\/small>/s,
  );
  assert.match(await jar.text(`/carteira/compras/${returnedHash}/1`), /Parcela devolvida/);
  // After two extensions the first installment is due after the second one.
  for (let extension = 1; extension <= 2; extension++) {
    const path = `/carteira/compras/${lateHash}/1`;
    const pattern = /name="type" value="extend"\/><input type="hidden" name="shown" value="([^"]*)"/;
    const [, shownAmount] = pattern.exec(await jar.text(path))!;
    const form = { chave: crypto.randomUUID(), type: 'extend', shown: shownAmount! };
    const page = readLocation(await jar.post(`${path}/pix`, form))!;
    await jar.post('/carteira/sandbox/pagar', { pix: page.split('/').at(-1)! });
    await eventually('the installment is extended', async () =>
      (await jar.text(page)).includes('Parcela prorrogada'),
    );
  }
  assert.match(await jar.text(`/carteira/compras/${lateHash}`), /Pagar a 2ª parcela.*· prorrogada<\/small>/s);
  assert.match(await jar.text(`/carteira/compras/${lateHash}/1`), /Já foi prorrogada 2 vezes/);
  // All three installments are late then: R$ 60,00, a fine of 2 % (R$ 1,20), and interest.
  service.clock.advance(28 * DAY_MS);
  assert.match(
    await jar.text(`/carteira/compras/${lateHash}`),
    /R\$\s61,\d\d<\/p><p class="muted">faltam desta compra, com R\$\s1,\d\d de multa e juros até hoje<\/p><p>3 parcelas atrasadas/,
  );
  assert.match(await jar.text('/carteira'), /Em atraso<\/h3>.*1ª parcela.*Compras pausadas/s);
});

test('documents are PDF files that only their customer can download, linked from their pages', async () => {
  const contractPath = `/carteira/compras/${HASH}/contrato.pdf`;
  assert.ok((await anaJar.text(`/carteira/compras/${HASH}`)).includes(contractPath));
  for (const path of [contractPath, `/carteira/extratos/${new Date().getUTCFullYear()}`]) {
    const response = await anaJar.send(path);
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
  assert.equal((await anaJar.send('/carteira/extratos/1999')).status, 404);
  assert.equal((await anaJar.send('/carteira/comprovantes/pix_x')).status, 404);
});
