import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { CookieJar } from './cookie-jar.ts';
import { openSite, SITE_PATHS } from './site.ts';

const { siteUrl, service } = await openSite();
const get = (path: string) => fetch(siteUrl + path, { redirect: 'manual' });
const CREDITOR =
  /Credor: Semana Demonstração Ltda\., CNPJ 11\.222\.333\/0001-81\. Rua de Exemplo.*contato@semana\.example/;

test('the footer of every page names the creditor and links to the privacy page', async () => {
  for (const path of [
    ...SITE_PATHS,
    '/nao-existe',
    '/carteira/entrar',
    '/carteira/nao-existe',
    '/pagar/nao-existe',
  ]) {
    const html = await (await get(path)).text();
    const footer = html.slice(html.lastIndexOf('<footer'));
    assert.match(footer, CREDITOR, path);
    assert.match(footer, /href="\/privacidade"/, path);
  }
});

test('an offer names the creditor before it can be accepted', async () => {
  const anaJar = new CookieJar(siteUrl);
  await anaJar.post('/carteira/entrar', { phone: '(11) 98765-0001', password: 'semana-demo-1' });
  await anaJar.post('/carteira/sandbox/oferta', { volta: '/carteira/ofertas' });
  const [, id] = /ofertas\/(off_\w+)/.exec(await anaJar.text('/carteira/ofertas'))!;
  const html = await anaJar.text(`/carteira/ofertas/${id}`);
  assert.match(html.slice(0, html.indexOf('/aceitar"')), CREDITOR);
});

async function createOffer(recipient: { phone?: string }) {
  const body = { amount: 120, installments: 4, ...recipient };
  return (await service.post('/merchant/offers', body, { key: 'sandbox-merchant-key' })).body;
}

test('a signed-out visitor of an offer link sees the merchant and the amount, but no personal data', async () => {
  const { id } = await createOffer({ phone: '+5511987650003' });
  const redirectResponse = await get(`/carteira/ofertas/${id}`);
  assert.equal(redirectResponse.status, 303);
  const html = await (await get(redirectResponse.headers.get('location')!)).text();
  assert.match(html, /<b>Padaria Flor do Trigo<\/b> oferece uma compra de <b>R\$\s120,00<\/b> em 4 semanas/);
  assert.doesNotMatch(html, /Carla|98765-0003/);
  const { body } = await service.get(`/public/offers/${id}`);
  assert.equal(body.claimed, true, 'no other customer can claim it');
  assert.doesNotMatch(JSON.stringify(body), /Carla|0003/);
});

test('an offer that is not addressed to a customer cannot be read by its id without a login', async () => {
  const openOffer = await createOffer({});
  assert.equal((await service.get(`/public/offers/${openOffer.id}`)).status, 404);
});

test('security.txt has a contact, a future expiry and languages (RFC 9116)', async () => {
  const response = await get('/.well-known/security.txt');
  const text = await response.text();
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(text, /^Contact: mailto:contato@semana\.example$/m);
  assert.match(text, /^Preferred-Languages: pt, en$/m);
  const [, expiry] = /^Expires: (\S+)$/m.exec(text)!;
  const expiresAtMs = Date.parse(expiry!);
  assert.ok(expiresAtMs > Date.now() && expiresAtMs < Date.now() + 365 * DAY_MS);
});

test('/.well-known/change-password redirects to the page that sets a password', async () => {
  const response = await get('/.well-known/change-password');
  assert.deepEqual([response.status, response.headers.get('location')], [302, '/carteira/senha']);
  assert.equal((await get('/carteira/senha')).status, 200);
});
