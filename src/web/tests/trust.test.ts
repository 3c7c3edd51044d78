import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CookieJar } from './cookie-jar.ts';
import { openSite, PAGES } from './testing.ts';

const { siteUrl } = await openSite();
const get = (path: string) => fetch(siteUrl + path, { redirect: 'manual' });
const CREDITOR =
  /Credor: Semana Demonstração Ltda\., CNPJ 11\.222\.333\/0001-81\. Rua de Exemplo.*contato@semana\.example/;

test('the foot of every page names the creditor and leads to the privacy page', async () => {
  for (const path of [
    ...PAGES,
    '/nao-existe',
    '/carteira/entrar',
    '/carteira/nao-existe',
    '/pagar/nao-existe',
  ]) {
    const html = await (await get(path)).text();
    const foot = html.slice(html.lastIndexOf('<footer'));
    assert.match(foot, CREDITOR, path);
    assert.match(foot, /href="\/privacidade"/, path);
  }
});

test('an offer names the creditor before the yes', async () => {
  const ana = new CookieJar(siteUrl);
  await ana.post('/carteira/entrar', { phone: '(11) 98765-0001', password: 'semana-demo-1' });
  await ana.post('/carteira/sandbox/oferta', { volta: '/carteira/ofertas' });
  const [, id] = /ofertas\/(off_\w+)/.exec(await ana.text('/carteira/ofertas'))!;
  const html = await ana.text(`/carteira/ofertas/${id}`);
  assert.match(html.slice(0, html.indexOf('/aceitar"')), CREDITOR);
});

test('security.txt has a contact, an end that is to come, and languages (RFC 9116)', async () => {
  const answer = await get('/.well-known/security.txt');
  const text = await answer.text();
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(text, /^Contact: mailto:contato@semana\.example$/m);
  assert.match(text, /^Preferred-Languages: pt, en$/m);
  const expires = Date.parse(/^Expires: (\S+)$/m.exec(text)![1]!);
  assert.ok(expires > Date.now() && expires < Date.now() + 365 * 86_400_000);
});

test('change-password leads to where a password is set', async () => {
  const answer = await get('/.well-known/change-password');
  assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/carteira/senha']);
  assert.equal((await get('/carteira/senha')).status, 200);
});
