import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATOR_KEY } from '../../../test/shop.ts';
import { CookieJar } from './cookie-jar.ts';
import { openOfficeSite } from './office-testing.ts';

const { service, officeUrl, logged } = await openOfficeSite();

async function entered(role: string): Promise<CookieJar> {
  const jar = new CookieJar(officeUrl);
  const answer = await jar.post('/entrar/papel', { role, chave: crypto.randomUUID() });
  assert.equal(answer.status, 303);
  return jar;
}

test('the session is in a sealed cookie, HttpOnly and SameSite=Strict; every page has the policy of the wallet and is not kept', async () => {
  const answer = await fetch(`${officeUrl}/entrar/papel`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ role: 'admin' }),
  });
  const [cookie] = answer.headers.getSetCookie();
  assert.match(cookie!, /^escritorio=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.ok(!cookie!.includes('semana_session'));
  const page = await (await entered('admin')).send('/');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self'/);
  assert.equal(page.headers.get('referrer-policy'), 'same-origin');
  assert.ok(!(await page.text()).includes('semana_session'));
});

test('without a session every page leads to the sign-in, and back; every form of another site is refused', async () => {
  const stranger = new CookieJar(officeUrl);
  const answer = await stranger.send('/clientes?status=locked');
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), '/entrar?para=%2Fclientes%3Fstatus%3Dlocked');
  const csv = await stranger.send('/clientes.csv');
  assert.equal(csv.status, 303);
  const jar = await entered('support');
  const foreign = await jar.post('/sair', {}, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
  for (const para of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    const to = await new CookieJar(officeUrl).post('/entrar/papel', { role: 'viewer', para });
    assert.equal(to.headers.get('location'), '/', para);
  }
});

test('a person who is removed, or signs out, is out at the next click; the front door knows no session', async () => {
  const jar = await entered('content');
  assert.equal((await jar.send('/lojas')).status, 200);
  const { data } = (await service.staff('GET', '/admin/staff', { key: OPERATOR_KEY })).body;
  const { id } = data.find(({ role }: { role: string }) => role === 'content');
  assert.equal((await service.staff('DELETE', `/admin/staff/${id}`, { key: OPERATOR_KEY })).status, 204);
  const next = await jar.send('/lojas');
  assert.equal(next.headers.get('location'), '/entrar?para=%2Flojas');

  const { body } = await service.staff('POST', '/sandbox/sessions', { key: null, body: { role: 'admin' } });
  const headers = { authorization: `Bearer ${body.session}` };
  assert.equal((await service.staff('GET', '/admin/me', { key: null, headers })).status, 200);
  for (const path of ['/admin/me', '/public/faq', '/events']) {
    const answer = await service.call('GET', path, { key: null, headers });
    assert.ok([401, 404].includes(answer.status), path);
  }
});

test('a filter that the service refuses is said on the page; a page that is not there is 404, in the frame', async () => {
  const jar = await entered('viewer');
  assert.match(await jar.text('/compras?from=ontem'), /O filtro não serve/);
  assert.equal((await jar.send('/clientes/cus_00000000000000000000000000')).status, 404);
  assert.equal((await jar.send('/nada')).status, 404);
  assert.equal((await jar.send('/%E0%A4%A')).status, 400);
  assert.equal(logged(), '');
});

test('the same form sent twice is done once', async () => {
  const jar = await entered('admin');
  const fields = { name: 'Duas Vezes', role: 'viewer', chave: crypto.randomUUID() };
  const [one, two] = await Promise.all([jar.post('/equipe/nova', fields), jar.post('/equipe/nova', fields)]);
  assert.equal(one.headers.get('location'), two.headers.get('location'));
  const { data } = (await service.staff('GET', '/admin/staff?limit=100', { key: OPERATOR_KEY })).body;
  assert.equal(data.filter(({ name }: { name: string }) => name === 'Duas Vezes').length, 1);
});
