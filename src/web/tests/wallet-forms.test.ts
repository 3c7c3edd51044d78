import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/db.ts';
import { CookieJar } from './cookie-jar.ts';
import { openSite } from './testing.ts';

const { service, siteUrl } = await openSite();
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
