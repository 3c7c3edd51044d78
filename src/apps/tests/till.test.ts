import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { CLERK_TEO, OWNER_LUCIA } from '../../../test/members.ts';
import { createOfferDriver, OTHER_MERCHANT } from '../../../test/offer-driver.ts';
import { createPurchaseDriver, newPhone } from '../../../test/purchase-driver.ts';
import { CookieJar, readLocation } from './cookie-jar.ts';
import { CODE_PAUSE_MS, MAX_SCRIPT_BYTES, openSite, readSandboxCode, readTitle } from './site.ts';

const { service, siteUrl, startSite, readLog } = await openSite();
const { createOpenOffer, claim, accept, createToken } = await createOfferDriver(service);
const driver = createPurchaseDriver(service);

/** Signs a member in. A phone gets a code at most once a minute, so tests share sessions unless they end one. */
async function signIn(phone: string): Promise<CookieJar> {
  const jar = new CookieJar(siteUrl);
  service.clock.advance(CODE_PAUSE_MS);
  assert.equal(readLocation(await jar.post('/balcao/entrar', { phone })), '/balcao/entrar/codigo');
  const code = readSandboxCode(await jar.text('/balcao/entrar/codigo'));
  const response = await jar.post('/balcao/entrar/codigo', { code });
  assert.match(readLocation(response)!, /^\/balcao(\/lojas)?$/);
  return jar;
}

const ownerJar = await signIn(OWNER_LUCIA);
const clerkJar = await signIn(CLERK_TEO);

/** Submits a form, and returns the address that it redirects to. */
const submit = async (jar: CookieJar, path: string, fields: Record<string, string>) =>
  readLocation(await jar.post(path, fields))!;

/** Sells at the bakery to a new customer, R$ 100,00 in 3 weeks by default, and returns the hash of the sale. */
async function sell(overrides: object = {}): Promise<string> {
  const offer = await createOpenOffer(overrides);
  const token = await createToken(await driver.createCustomer());
  await claim({ token: offer.link.split('/').at(-1) }, token);
  const response = await accept(offer.id, token);
  assert.equal(response.status, 201, response.text);
  return response.body.hash;
}

const SALE_HASH = await sell();
const OFFER = await createOpenOffer();
const MEMBER_PATHS = [
  '/balcao',
  '/balcao?valor=45&tecla=9',
  '/balcao/venda?valor=45,90',
  '/balcao/venda?valor=',
  '/balcao/lojas',
  `/balcao/ofertas/${OFFER.id}`,
  '/balcao/vendas',
  '/balcao/vendas?q=nada',
  `/balcao/vendas/${SALE_HASH}`,
  `/balcao/vendas/${SALE_HASH}/comprovante`,
  '/balcao/perfil',
];
const OWNER_PATHS = [
  `/balcao/vendas/${SALE_HASH}/devolver`,
  `/balcao/vendas/${SALE_HASH}/devolver?valor=10&motivo=troca`,
  '/balcao/dinheiro',
  '/balcao/dinheiro/extrato',
  '/balcao/dinheiro/repasses',
  '/balcao/dinheiro/conta',
  '/balcao/equipe',
  '/balcao/equipe/convidar',
  '/balcao/equipe/mbr_00000000000000000000000002', // Téo
];

test('pages of the till are not cached, have no personal data in titles and no inline code, and redirect visitors to the sign-in', async () => {
  for (const path of [...MEMBER_PATHS, ...OWNER_PATHS]) {
    const response = await ownerJar.send(path);
    const html = await response.text();
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'same-origin');
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|<script(?![^>]*src=)/, path);
    assert.doesNotMatch(readTitle(html), /Padaria|Téo|R\$|\d/, path);
    assert.equal(html.match(/<h1/g)?.length, 1, path);
    const visitorResponse = await new CookieJar(siteUrl).send(path);
    assert.match(readLocation(visitorResponse)!, /^\/balcao\/entrar/, path);
  }
  const [, scriptPath] = /src="(\/assets\/till[^"]+\.js)"/.exec(await ownerJar.text('/balcao'))!;
  assert.ok((await (await fetch(siteUrl + scriptPath)).arrayBuffer()).byteLength < MAX_SCRIPT_BYTES);
  assert.doesNotMatch(readLog(), /98765|Lúcia|eyJ/);
});

test('a clerk neither sees nor can open the pages of an owner', async () => {
  for (const path of MEMBER_PATHS) assert.equal((await clerkJar.send(path)).status, 200, path);
  for (const path of OWNER_PATHS) assert.equal((await clerkJar.send(path)).status, 404, path);
  assert.doesNotMatch(await clerkJar.text('/balcao'), /\/balcao\/(equipe|dinheiro)/);
  assert.match(await ownerJar.text('/balcao'), /\/balcao\/equipe/);
  assert.doesNotMatch(await clerkJar.text(`/balcao/vendas/${SALE_HASH}`), /\/devolver"/);
  // In the demo data Téo may sell up to 300,00.
  assert.match(await clerkJar.text('/balcao/venda?valor=300,01'), /Você vende até R\$\s300,00/);
  const otherOfferPath = '/balcao/ofertas/off_00000000000000000000000000';
  assert.equal((await clerkJar.send(otherOfferPath)).status, 404);
});

test('a member and a customer can be signed in together, and sign out separately', async () => {
  const jar = await signIn(OWNER_LUCIA);
  await jar.post('/carteira/entrar', { phone: '(11) 98765-0001', password: 'semana-demo-1' });
  assert.match(await jar.text('/carteira'), /Olá, Ana/);
  assert.match(await jar.text('/balcao'), /Padaria Flor do Trigo/);
  assert.equal(await submit(jar, '/balcao/sair', {}), '/balcao/entrar?saiu=1');
  assert.equal(readLocation(await jar.send('/balcao')), '/balcao/entrar');
  assert.match(await jar.text('/carteira'), /Olá, Ana/);
});

test('without scripts the keypad works, and an invalid amount is reported beside it', async () => {
  assert.match(await ownerJar.text('/balcao?valor=45&tecla=%2C'), /value="45,"/);
  assert.match(await ownerJar.text('/balcao?valor=45%2C9&tecla=0'), /value="45,90"/);
  assert.match(await ownerJar.text('/balcao?valor=45%2C90&tecla=1'), /value="45,90"/);
  assert.match(await ownerJar.text('/balcao?valor=45&tecla=%3C'), /value="4"/); // < deletes the last character
  assert.match(await ownerJar.text('/balcao/venda?valor=5'), /id="valor-erro">A loja vende de R\$\s10,00 a/);
  const html = await ownerJar.text('/balcao/venda?valor=100%2C');
  // 100,00 divided by the number of weeks; the first installment has the remaining centavos.
  assert.match(html, /3 × R\$\s33,34/);
  assert.match(html, /12 × R\$\s8,34/);
});

test('a sale that is submitted twice exists once, even through two processes; another sale is separate', async () => {
  // `chave` is the idempotency key of the form.
  const fields = { chave: crypto.randomUUID(), valor: '45,90', installments: '4', reference: '', phone: '' };
  const secondJar = new CookieJar(await startSite(), ownerJar.cookies);
  const [firstPath, secondPath] = await Promise.all([
    submit(ownerJar, '/balcao/venda', fields),
    submit(secondJar, '/balcao/venda', fields),
  ]);
  assert.match(firstPath, /^\/balcao\/ofertas\/off_\w{26}$/);
  assert.equal(firstPath, secondPath);
  const otherPath = await submit(ownerJar, '/balcao/venda', { ...fields, chave: crypto.randomUUID() });
  assert.notEqual(otherPath, firstPath);
  const html = await ownerJar.text(firstPath);
  assert.match(html, /src="data:image\/png/);
  assert.match(html, /http-equiv="refresh"/);
  assert.match(await ownerJar.text('/balcao'), /vendas esperando o cliente/);
  assert.equal(await submit(ownerJar, `${firstPath}/cancelar`, {}), firstPath);
  assert.match(await ownerJar.text(firstPath), /Venda cancelada/);
});

test('a sale can be offered to a phone; an error is shown beside its field and the input is kept', async () => {
  const phone = newPhone();
  const fields = { valor: '30', installments: '2', description: 'Bolo', phone };
  assert.match(
    await ownerJar.text(await submit(ownerJar, '/balcao/venda', fields)),
    /Enviamos o link por SMS/,
  );
  assert.equal(await submit(ownerJar, '/balcao/venda', { ...fields, phone: '123' }), '/balcao/venda');
  const html = await ownerJar.text('/balcao/venda');
  assert.match(html, /id="phone-erro"/);
  assert.match(html, /value="Bolo"/);
  assert.equal(await submit(ownerJar, '/balcao/venda', { ...fields, installments: '' }), '/balcao/venda');
  assert.match(await ownerJar.text('/balcao/venda'), /Escolha em quantas semanas/);
});

test('a sale is found by hash, by the start of its hash, by code, by amount and by masked name', async () => {
  const offer = await createOpenOffer({ amount: 77.07 });
  const buyer = await driver.createCustomer();
  const token = await createToken(buyer);
  await claim({ code: offer.code }, token);
  const { hash } = (await accept(offer.id, token)).body;
  const searchSales = (text: string) => ownerJar.send(`/balcao/vendas?q=${encodeURIComponent(text)}`);
  assert.equal(readLocation(await searchSales(hash)), `/balcao/vendas/${hash}`);
  assert.equal(readLocation(await searchSales(offer.code)), `/balcao/vendas/${hash}`);
  const { customer } = (await service.get(`/merchant/checkouts/${hash}`, { key: 'sandbox-merchant-key' }))
    .body;
  const [firstName] = customer.name.split(' ');
  for (const text of [hash.slice(0, 6), '77,07', firstName])
    assert.match(await (await searchSales(text)).text(), new RegExp(`/balcao/vendas/${hash}`), text);
  assert.match(await (await searchSales('Zzzz')).text(), /Nada com/);
});

test('a return is previewed before the confirmation, and a double click creates one return', async () => {
  const hash = await sell();
  const returnPath = `/balcao/vendas/${hash}/devolver`;
  assert.match(await ownerJar.text(`${returnPath}?valor=0&motivo=`), /id="valor-erro".*id="motivo-erro"/s);
  assert.match(await ownerJar.text(`${returnPath}?valor=500&motivo=troca`), /id="valor-erro"/);
  const html = await ownerJar.text(`${returnPath}?valor=50&motivo=troca`);
  // The customer has paid nothing of the 100,00.
  assert.match(html, /Deixa de dever<\/dt><dd>R\$\s50,00/);
  assert.match(html, /Ainda deve desta compra<\/dt><dd>R\$\s50,00/);
  assert.match(html, /Deixa de receber/);
  const fields = { chave: crypto.randomUUID(), valor: '50', motivo: 'troca' };
  const [firstPath, secondPath] = await Promise.all([
    submit(ownerJar, returnPath, fields),
    submit(ownerJar, returnPath, fields),
  ]);
  assert.deepEqual([firstPath, secondPath], [`/balcao/vendas/${hash}`, `/balcao/vendas/${hash}`]);
  assert.match(await ownerJar.text(firstPath), /Devolvidos R\$\s50,00/);
  assert.equal(
    readLocation(await clerkJar.post(returnPath, { ...fields, chave: crypto.randomUUID() })),
    returnPath,
  );
  assert.match(await ownerJar.text(`/balcao/vendas/${hash}`), /Devolvidos R\$\s50,00/);
});

test('an owner invites, limits and removes members and ends their sessions; a removed member is redirected to the sign-in at the next request', async () => {
  const phone = newPhone();
  const memberInput = { name: 'Rui Alves', phone, role: 'clerk', max_amount: '50' };
  assert.equal(
    await submit(ownerJar, '/balcao/equipe/convidar', { ...memberInput, max_amount: 'x' }),
    '/balcao/equipe/convidar',
  );
  assert.match(await ownerJar.text('/balcao/equipe/convidar'), /id="max_amount-erro"/);
  assert.equal(await submit(ownerJar, '/balcao/equipe/convidar', memberInput), '/balcao/equipe');
  const team = await ownerJar.text('/balcao/equipe');
  const [, id] = /href="\/balcao\/equipe\/(mbr_\w{26})"><b>Rui Alves/.exec(team)!;
  const memberJar = await signIn(phone);
  assert.match(await memberJar.text('/balcao'), /Até R\$\s50,00 por venda/);
  assert.equal((await memberJar.send(`/balcao/vendas/${SALE_HASH}/devolver`)).status, 404);
  await ownerJar.post(`/balcao/equipe/${id}`, { role: 'clerk', max_amount: '80', may_return: 'sim' });
  assert.match(await memberJar.text('/balcao'), /Até R\$\s80,00 por venda/);
  assert.equal((await memberJar.send(`/balcao/vendas/${SALE_HASH}/devolver`)).status, 200);
  const secondJar = await signIn(phone);
  const [, endSessionPath] = /action="(\/balcao\/equipe\/mbr_\w+\/aparelhos\/ses_\w+)"/.exec(
    await ownerJar.text(`/balcao/equipe/${id}`),
  )!;
  await ownerJar.post(endSessionPath!, {});
  assert.match(await ownerJar.text(`/balcao/equipe/${id}`), /Aparelho fechado/);
  // The list of sessions does not distinguish the two devices, so either may have been signed out.
  const responses = [await memberJar.send('/balcao'), await secondJar.send('/balcao')];
  const statuses = responses.map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 303]);
  const remainingJar = statuses[0] === 200 ? memberJar : secondJar;
  assert.equal(await submit(ownerJar, `/balcao/equipe/${id}/remover`, {}), '/balcao/equipe');
  const saleResponse = await remainingJar.post('/balcao/venda', { valor: '20', installments: '1' });
  assert.equal(readLocation(saleResponse), '/balcao/entrar?para=%2Fbalcao%2Fvenda');
  assert.equal(remainingJar.cookies.has('balcao-sessao'), false);
  assert.equal(readLocation(await remainingJar.send('/balcao')), '/balcao/entrar');
  const ownPath = '/balcao/equipe/mbr_00000000000000000000000001'; // Lúcia
  assert.equal(await submit(ownerJar, `${ownPath}/remover`, {}), ownPath);
  assert.match(await ownerJar.text(ownPath), /única pessoa responsável/);
});

test('an owner reads the statement as a table and as a file, and changes the payout account with a code, effective after a day', async () => {
  const statementPage = await ownerJar.text('/balcao/dinheiro/extrato');
  assert.match(statementPage, /Devolução<\/a><\/th><td[^>]*>-R\$\s50,00/);
  const fileResponse = await ownerJar.send('/balcao/dinheiro/extrato.csv');
  assert.match(fileResponse.headers.get('content-disposition')!, /attachment; filename="extrato-/);
  assert.match(await fileResponse.text(), /^id;kind;amount.*\r?\n.*return/s);
  assert.equal((await clerkJar.send('/balcao/dinheiro/extrato.csv')).status, 404);
  const account = {
    pix_key: '11222333000181',
    holder_name: 'Padaria Flor do Trigo Ltda',
    tax_id: '11222333000182', // its last check digit is wrong
  };
  assert.equal(
    await submit(ownerJar, '/balcao/dinheiro/conta', { ...account, pix_key: '' }),
    '/balcao/dinheiro/conta',
  );
  assert.match(await ownerJar.text('/balcao/dinheiro/conta'), /id="pix_key-erro"/);
  service.clock.advance(CODE_PAUSE_MS);
  const codePagePath = '/balcao/dinheiro/conta/codigo';
  const confirmAccount = async (newAccount: typeof account) => {
    assert.equal(await submit(ownerJar, '/balcao/dinheiro/conta', newAccount), codePagePath);
    const code = readSandboxCode(await ownerJar.text(codePagePath));
    return submit(ownerJar, codePagePath, { code });
  };
  assert.equal(await submit(ownerJar, '/balcao/dinheiro/conta', account), codePagePath);
  assert.equal(await submit(ownerJar, codePagePath, { code: '000000' }), codePagePath);
  assert.match(await ownerJar.text(codePagePath), /id="code-erro"/);
  assert.equal(await confirmAccount(account), '/balcao/dinheiro/conta');
  assert.match(await ownerJar.text('/balcao/dinheiro/conta'), /id="tax_id-erro"/);
  assert.equal(await confirmAccount({ ...account, tax_id: '11.222.333/0001-81' }), '/balcao/dinheiro/conta');
  assert.match(await ownerJar.text('/balcao/dinheiro/conta'), /Combinado: a loja recebe na conta nova/);
});

test('a member of several merchants chooses one, and switches without another code', async () => {
  const phone = newPhone();
  for (const slug of ['padaria-flor-do-trigo', OTHER_MERCHANT]) {
    const response = await service.staff('POST', `/admin/merchants/${slug}/members`, {
      key: 'sandbox-operator-key',
      body: { name: 'Bia Ramos', phone, role: 'owner' },
    });
    assert.equal(response.status, 201, response.text);
    service.clock.advance(1_000);
  }
  const memberJar = await signIn(phone);
  const html = await memberJar.text('/balcao/lojas');
  assert.match(html, /Padaria Flor do Trigo.*aberta agora/s);
  assert.equal(await submit(memberJar, '/balcao/lojas', { merchant: OTHER_MERCHANT }), '/balcao');
  assert.match(await memberJar.text('/balcao'), /<span>Ótica/);
  assert.equal((await memberJar.send(`/balcao/vendas/${SALE_HASH}`)).status, 404);
  assert.match(await memberJar.text('/balcao/perfil'), /Trocar de loja/);
});

test('concurrent requests refresh a member’s session once, and a second process accepts the previous cookie', async () => {
  const oldCookies = new Map(ownerJar.cookies);
  service.clock.advance(16 * MINUTE_MS); // the access token expires after 15 minutes
  const countRefreshes = () => service.readLog().split('"route":"/merchant/auth/refresh"').length - 1;
  const refreshCount = countRefreshes();
  const responses = await Promise.all(
    MEMBER_PATHS.map((path) => new CookieJar(siteUrl, oldCookies).send(path)),
  );
  assert.deepEqual(
    responses.map(({ status }) => status),
    MEMBER_PATHS.map(() => 200),
  );
  assert.equal(countRefreshes() - refreshCount, 1);
  assert.equal((await new CookieJar(await startSite(), oldCookies).send('/balcao')).status, 200);
});

test('no page may be framed, in the sandbox or in live mode', async () => {
  const liveSiteUrl = await startSite({ sandbox: null });
  for (const site of [siteUrl, liveSiteUrl])
    for (const path of ['/balcao/entrar', '/carteira/entrar', '/']) {
      const { headers } = await fetch(site + path);
      assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/, path);
    }
});

test('the till can be installed beside the wallet; without an API key for the till the site has no till', async () => {
  const readJson = async (path: string) => (await fetch(siteUrl + path)).json();
  const [tillManifest, walletManifest] = [
    await readJson('/balcao/manifest.webmanifest'),
    await readJson('/manifest.webmanifest'),
  ] as Array<{
    id: string;
    scope: string;
    start_url: string;
    icons: Array<{ src: string }>;
  }>;
  assert.deepEqual(
    [tillManifest!.id, tillManifest!.start_url, tillManifest!.scope],
    ['/balcao', '/balcao', '/balcao'],
  );
  assert.notEqual(tillManifest!.id, walletManifest!.id);
  for (const { src } of tillManifest!.icons) assert.equal((await fetch(siteUrl + src)).status, 200, src);
  const worker = await fetch(`${siteUrl}/balcao/worker.js`);
  assert.equal(worker.headers.get('service-worker-allowed'), '/balcao');
  assert.match(await worker.text(), /\/balcao\/sem-conexao/);
  const siteWithoutTill = await startSite({ tillKey: null });
  for (const path of ['/balcao', '/balcao/entrar', '/balcao/worker.js'])
    assert.equal((await fetch(siteWithoutTill + path)).status, 404, path);
});
