import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { nodeTransport } from '#client';
import { sql } from '#platform/database/db.ts';
import { eventually } from '../../../test/harness.ts';
import { sendBytes } from '../../../test/wire.ts';
import { Cookies } from '../server/cookies.ts';
import { wrapText } from '../server/og-image.ts';
import { startWeb } from '../start.ts';
import {
  describeDueDay,
  formatLastMinuteBefore,
  formatLongDay,
  formatReais,
  formatShortDay,
  formatShortDayWithYear,
  formatShortTimeWithYear,
  keepAmountsTogether,
  parsePhone,
} from '../text/format.ts';
import { MAX_SCRIPT_BYTES, openSite, readTitle, SITE_PATHS } from './site.ts';

const { service, siteUrl, startSite, readLog } = await openSite();
const get = (path: string, init: RequestInit = {}) => fetch(siteUrl + path, { redirect: 'manual', ...init });
const readText = async (path: string) => (await get(path)).text();
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  get(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  });

test('every page has a title, a description and one h1, but no inline code and no foreign host', async () => {
  const titles = new Set<string>();
  for (const path of SITE_PATHS) {
    const response = await get(path);
    const html = await response.text();
    assert.equal(response.status, 200, path);
    assert.match(
      response.headers.get('content-security-policy')!,
      /default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(html, /\sstyle=|\son\w+=|<style|<script(?![^>]*(src=|ld\+json))/, path);
    const foreignUrls = [...html.matchAll(/(?:src|srcset|action)="(https?:[^"]*)"/g)].map(([, url]) => url);
    assert.deepEqual(foreignUrls, [], path);
    assert.equal(html.match(/<h1/g)?.length, 1, path);
    assert.ok(/<meta name="description" content="[^"]{10,}/.test(html), path);
    titles.add(readTitle(html));
  }
  // Some pages share a title, such as the pages of the blog's list.
  assert.ok(titles.size >= 10);
});

test('scripts are smaller than 15 KB, cached permanently and compressed', async () => {
  const html = await readText('/lojas');
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  assert.equal(assets.length, 4, 'font, styles, dark styles, script');
  for (const path of assets) {
    const response = await get(path);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    if (path.endsWith('.js')) assert.ok((await response.arrayBuffer()).byteLength < MAX_SCRIPT_BYTES);
  }
  // fetch would decompress the body.
  const response = await nodeTransport()({
    method: 'GET',
    url: siteUrl,
    headers: { 'accept-encoding': 'gzip, br' },
  });
  assert.equal(response.headers['content-encoding'], 'br');
  const compressedPage = Buffer.concat(await Array.fromAsync(response.body));
  assert.match(brotliDecompressSync(compressedPage).toString(), /Pague por semana/);
});

test('an unchanged page responds 304; a change in the catalog appears automatically', async () => {
  const path = '/lojas/padaria-flor-do-trigo';
  const etag = (await get(path)).headers.get('etag')!;
  assert.equal((await get(path, { headers: { 'if-none-match': etag } })).status, 304);
  await service.db.run(
    sql`update merchants set name = 'Padaria Renomeada' where slug = 'padaria-flor-do-trigo'`,
  );
  await eventually('the new name shows', async () => (await readText(path)).includes('Padaria Renomeada'));
  assert.equal((await get(path, { headers: { 'if-none-match': etag } })).status, 200);
});

test('an unknown page is a 404 page of the site, whatever characters its URL has', async () => {
  for (const path of [
    '/nada',
    '/lojas/nada',
    '/blog/nada',
    '/convite/!!',
    '/lojas/%00',
    '/lojas/%ff',
    '/blog/..%2f..%2fetc',
    '/og/lojas/nada.png',
    `/lojas/${'a'.repeat(190)}`,
  ]) {
    const response = await get(path);
    assert.ok([400, 404].includes(response.status), `${path}: ${response.status}`);
    assert.match(await response.text(), /<title>/, path);
  }
  assert.equal((await get('/lojas?pagina=abc&q=%00&categoria=a&categoria=b')).status, 200);
  assert.equal((await get('/media/../package.json')).status, 404);
  assert.equal(readLog(), '', 'none of these requests is logged');
});

test('every link in the demo posts leads to an existing page and heading', async () => {
  const { data } = (await service.get('/public/blog?limit=100')).body;
  const hrefs = new Set<string>();
  for (const { slug } of data) {
    const { body_html } = (await service.get(`/public/blog/${slug}`)).body;
    for (const [, href] of body_html.matchAll(/href="(\/[^"]*)"/g)) hrefs.add(href);
  }
  assert.ok(hrefs.size > 5);
  for (const href of hrefs) {
    const [path, heading] = href.split('#');
    const response = await get(path!);
    assert.equal(response.status, 200, href);
    if (heading) assert.ok((await response.text()).includes(`id="${heading}"`), href);
  }
});

test('a page number past the end redirects to the last page', async () => {
  const readLocation = async (path: string) => (await get(path)).headers.get('location');
  // The demo catalog has four pages of merchants, four of posts, and one of merchants that match the search.
  assert.equal(await readLocation('/lojas?pagina=99999'), '/lojas?pagina=4');
  assert.equal(await readLocation('/lojas?page=99999'), '/lojas?pagina=4');
  assert.equal(await readLocation(`/lojas?pagina=${'9'.repeat(30)}`), '/lojas?pagina=4');
  assert.equal(await readLocation('/lojas?q=padaria+flor&pagina=99999'), '/lojas?q=padaria+flor');
  assert.equal(await readLocation('/blog?pagina=99999'), '/blog?pagina=4');
});

test('a form sets the theme in a cookie and returns to the page', async () => {
  const readDarkMedia = async (path: string, cookie: string) => {
    const html = await (await get(path, { headers: { cookie } })).text();
    return /<link rel="stylesheet" href="\/assets\/dark-[^"]*" media="([^"]*)"/.exec(html)?.[1];
  };
  const chooseTheme = (tema: string, referer: string) => post('/tema', { tema }, { referer });
  const darkResponse = await chooseTheme('escuro', `${siteUrl}/lojas?pagina=2`);
  assert.equal(darkResponse.headers.get('location'), '/lojas?pagina=2');
  const [cookie = ''] = darkResponse.headers.get('set-cookie')!.split(';');
  assert.equal(cookie, 'tema=escuro');
  for (const path of ['/', '/carteira/entrar', '/nada']) {
    assert.equal(await readDarkMedia(path, ''), 'screen and (prefers-color-scheme: dark)', path);
    assert.equal(await readDarkMedia(path, cookie), 'screen', path);
    assert.equal(await readDarkMedia(path, 'tema=claro'), undefined, path);
    assert.equal(await readDarkMedia(path, 'tema=<b>'), 'screen and (prefers-color-scheme: dark)', path);
  }
  const systemResponse = await chooseTheme('automatico', 'https://evil.example/x');
  assert.equal(systemResponse.headers.get('location'), '/');
  assert.match(systemResponse.headers.get('set-cookie')!, /^tema=automatico; Max-Age=0;/);
  assert.equal((await post('/tema', { tema: 'escuro' }, { 'sec-fetch-site': 'cross-site' })).status, 403);
});

test('a lead is stored with the sender’s IP address; a second click stores nothing new', async () => {
  const fields = {
    name: 'Joana Prado',
    email: 'joana@example.com',
    phone: '(11) 98765-4321',
    company: 'Padaria',
    message: '',
  };
  for (let click = 1; click <= 2; click++) {
    const response = await post('/seja-parceiro', fields);
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), '/seja-parceiro/obrigado');
  }
  const [row] = await service.db.rows<{ count: number }>(
    sql`select count(*)::int as count from leads where kind = 'partner'`,
  );
  assert.equal(row!.count, 1);
});

test('an error is shown beside its field, and the form shows the input again', async () => {
  const response = await post('/contato', {
    name: 'José <b>',
    email: 'jose@',
    phone: '123',
    message: 'Olá "mundo"',
  });
  const html = await response.text();
  assert.equal(response.status, 422);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(html, /aria-describedby="email-dica email-erro" aria-invalid/);
  assert.match(html, /id="phone-erro">Confira o telefone/);
  assert.match(html, /value="José &lt;b>"/);
  assert.match(html, /Olá "mundo"<\/textarea>|Olá &quot;mundo&quot;<\/textarea>/);
  assert.doesNotMatch(html, /id="name-erro"/);
  const page = await (await post('/contato', {})).text();
  for (const field of ['name', 'email', 'message']) assert.match(page, new RegExp(`id="${field}-erro"`));
});

test('a form of another site is refused', async () => {
  const fields = { name: 'Ana', email: 'ana@example.com', message: 'x' };
  assert.equal((await post('/contato', fields, { 'sec-fetch-site': 'cross-site' })).status, 403);
  const request = { method: 'POST', body: new URLSearchParams(fields) };
  assert.equal(
    (await get('/contato', { ...request, headers: { origin: 'https://evil.example' } })).status,
    403,
  );
  assert.equal(
    (await get('/contato', { ...request, body: '{}', headers: { 'content-type': 'application/json' } }))
      .status,
    415,
  );
});

test('two Host headers get a 400; an invalid address from a trusted proxy prevents no form', async () => {
  const twoHosts = 'GET / HTTP/1.1\r\nhost: a.example\r\nHost: b.example\r\nconnection: close\r\n\r\n';
  assert.equal((await sendBytes(siteUrl, twoHosts)).status, 400);
  const proxiedSiteUrl = await startSite({ trustProxy: '127.0.0.1' });
  const response = await fetch(`${proxiedSiteUrl}/contato`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ name: 'Lia Lixo', email: 'lia@example.com', message: 'Olá' }),
    headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': 'lixo, 10.0.0.300' },
  });
  assert.equal(response.status, 303, await response.text());
});

test('sitemap, feed and robots.txt contain the URL of every page', async () => {
  const sitemap = await readText('/sitemap.xml');
  const { body } = await service.get('/public/merchants');
  assert.equal(sitemap.match(/\/lojas\/[a-z]/g)!.length, body.pagination.total);
  for (const [, address] of [...sitemap.matchAll(/<loc>([^<]*)/g)].slice(0, 12))
    assert.equal((await fetch(address!.replaceAll('&amp;', '&'))).status, 200, address);
  const robots = await readText('/robots.txt');
  assert.match(robots, new RegExp(`Sitemap: ${siteUrl}/sitemap.xml`));
  assert.doesNotMatch(robots, /convite/, 'preview images of invitations can be fetched');
  assert.match(await readText('/convite/K7RW29AX'), /<meta name="robots" content="noindex"\/>/);
  const feedResponse = await get('/blog/feed.xml');
  assert.match(feedResponse.headers.get('content-type')!, /atom/);
  assert.equal((await feedResponse.text()).match(/<entry>/g)!.length, 20);
});

test('no public page names the amount of a referral reward: it is a setting that the wallet shows', async () => {
  for (const path of ['/', '/convite/K7RW29AX'])
    assert.doesNotMatch(await readText(path), /R\$\s(?:10|20),00/, path);
});

test('the structured data for search engines is valid', async () => {
  const typesByPath = {
    '/lojas/padaria-pao-da-vila': 'LocalBusiness',
    '/perguntas': 'FAQPage',
    '/blog/por-que-pensar-o-dinheiro-por-semana': 'Article',
  };
  for (const [path, type] of Object.entries(typesByPath)) {
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await readText(path))!;
    assert.equal(JSON.parse(json!)['@type'], type);
  }
});

test('the simulator starts with the merchant’s plan, and explains in full sentences what the plan excludes', async () => {
  const slug = 'padaria-pao-da-vila';
  const plan = { min_amount: 300, max_amount: 900, max_installments: 3 };
  await service.staff('PATCH', `/admin/merchants/${slug}`, { key: 'sandbox-operator-key', body: { plan } });
  await eventually('the new plan shows', async () =>
    (await readText(`/lojas/${slug}`)).includes('value="300,00"'),
  );
  const page = await readText(`/lojas/${slug}`);
  // The example of 200,00 in 4 weeks is fitted to the plan: 300,00 in 3 weeks.
  assert.match(page, /3 ×<\/span> R\$\s100,00/);
  assert.doesNotMatch(page, /aria-invalid/);
  const readError = async (query: string, field = 'valor') => {
    const html = await readText(`/lojas/${slug}?${query}`);
    assert.match(
      html,
      new RegExp(`id="${field}"[^>]* aria-describedby="${field}-erro" aria-invalid="true" autofocus`),
    );
    return new RegExp(`<p class="error" id="${field}-erro"[^>]*>([^<]*)`).exec(html)?.[1];
  };
  assert.equal(await readError('valor=40'), 'Esta loja vende de R$\u00a0300,00 a R$\u00a0900,00.');
  const weeksError = await readError('valor=400&parcelas=8', 'parcelas');
  assert.equal(weeksError, 'Aqui são possíveis no máximo 3 parcelas.');
  for (const valor of ['0', '-5', 'muito'])
    assert.match((await readError(`valor=${valor}`))!, /^Escreva o valor/);
});

test('the example of the simulator is within the bounds of the merchant that are known', async () => {
  const { fitAmount } = await import('../site/merchants.tsx');
  assert.equal(fitAmount(200, { min_amount: 300, max_amount: 900 }), 300);
  assert.equal(fitAmount(200, { min_amount: 10, max_amount: 150 }), 150);
  assert.equal(fitAmount(200, { min_amount: 300 }), 300);
  assert.equal(fitAmount(200, { min_amount: 10 }), 200);
  assert.equal(fitAmount(200, { max_amount: 150 }), 150);
  assert.equal(fitAmount(300, {}), 300);
});

test('the text of an image does not overlap its bars, in capitals and with long words, too', () => {
  assert.deepEqual(wrapText('Por que pensar o dinheiro por semana'), [
    'Por que pensar o dinheiro',
    'por semana',
  ]);
  assert.deepEqual(wrapText('SUPERMERCADO MAMMA MARIA'), ['SUPERMERCADO', 'MAMMA MARIA']);
  assert.deepEqual(wrapText('Hortifrutigranjeiros&Companhia'), ['Hortifrutigranjeiros&Com…']);
  assert.equal(wrapText('uma duas três quatro cinco seis sete oito nove dez '.repeat(3)).length, 3);
});

test('a character that XML cannot contain breaks neither the feed nor an image', async () => {
  const { slug } = (await service.get('/public/blog?limit=1')).body.data[0];
  const body = { title: 'Dinheiro\u0001\u001b[31m e \ufffe semana' };
  await service.staff('PATCH', `/admin/posts/${slug}`, { key: 'sandbox-operator-key', body });
  await eventually('the feed has the new title', async () =>
    /Dinheiro/.test(await readText('/blog/feed.xml')),
  );
  assert.match(await readText('/blog/feed.xml'), /<title>Dinheiro\ufffd\ufffd\[31m e \ufffd semana<\/title>/);
  const imageResponse = await get(`/og/blog/${slug}.png`);
  assert.deepEqual([imageResponse.status, imageResponse.headers.get('content-type')], [200, 'image/png']);
});

test('the preview image of a page has the size that social networks show, 1200 × 630', async () => {
  const [, address] = /property="og:image" content="([^"]*)"/.exec(
    await readText('/blog/por-que-pensar-o-dinheiro-por-semana'),
  )!;
  const image = PNG.sync.read(Buffer.from(await (await fetch(address!)).arrayBuffer()));
  assert.deepEqual([image.width, image.height], [1200, 630]);
});

test('a form that is not received completely is aborted after a timeout', async () => {
  const impatientSiteUrl = await startSite({ requestTimeoutMs: 500 });
  const contentTypeHeader = 'content-type: application/x-www-form-urlencoded';
  const { status } = await sendBytes(
    impatientSiteUrl,
    `POST /contato HTTP/1.1\r\nhost: x\r\n${contentTypeHeader}\r\ncontent-length: 100\r\n\r\na=`,
  );
  assert.equal(status, 408);
});

test('while the API is unavailable cached pages are served; other pages are a 503', async () => {
  const node = await service.startNode();
  const web = await startWeb({
    port: 0,
    host: '127.0.0.1',
    url: null,
    trustProxy: false,
    apiUrl: node.partnerUrl,
    key: 'sandbox-web-key',
    tillKey: null,
    secret: Buffer.alloc(32),
    sandbox: null,
    log: { warn: () => undefined, error: () => undefined } as never,
  });
  try {
    assert.equal((await fetch(`${web.url}/perguntas`)).status, 200);
    await node.stop();
    await new Promise((resolve) => setTimeout(resolve, 300)); // the cached data is stale by then
    assert.equal((await fetch(`${web.url}/perguntas`)).status, 200);
    const otherResponse = await fetch(`${web.url}/blog`);
    assert.equal(otherResponse.status, 503);
    assert.match(await otherResponse.text(), /fora do ar.*href="\/blog">Tentar de novo/s);
  } finally {
    await web.close();
  }
});

test('if the API key of the site exceeds its rate limit, pages are briefly unavailable, and nothing breaks', async () => {
  const operatorOptions = { key: 'sandbox-operator-key' };
  const { body: partner } = await service.staff('POST', '/admin/partners', {
    ...operatorOptions,
    body: { name: 'Páginas' },
  });
  const body = { partner: partner.id, scopes: ['public', 'wallet'], backend: true, requests_per_minute: 2 };
  const { body: createdKey } = await service.staff('POST', '/admin/keys', { ...operatorOptions, body });
  const limitedSiteUrl = await startSite({ key: createdKey.key });
  assert.equal((await fetch(`${limitedSiteUrl}/perguntas`)).status, 200);
  let response = await fetch(`${limitedSiteUrl}/blog`);
  // One of the two requests a minute may have loaded the creditor. A new minute may start between these pages, but only once.
  for (const path of ['/lojas', '/privacidade', '/blog?page=2', '/lojas?page=2'])
    if (response.status === 200) response = await fetch(`${limitedSiteUrl}${path}`);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '5');
  assert.match(await response.text(), /fora do ar no momento/);
});

test('an encrypted cookie can be read only by the app that set it, until it expires, and under its own name', () => {
  const [secret, otherSecret] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const siteOrigin = 'https://semana.example';
  const maxAgeSeconds = 60;
  const cookies = new Cookies(secret, siteOrigin);
  const header = cookies.buildHeader('session', { a: 1 }, maxAgeSeconds);
  assert.match(header, /^__Host-session=[\w-]+; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const [pair = ''] = header.split(';');
  assert.deepEqual(cookies.read(`x=1; ${pair}`, 'session'), { a: 1 });
  assert.equal(cookies.read(pair, 'session', Date.now() + (maxAgeSeconds + 1) * 1_000), undefined);
  assert.equal(cookies.read(pair.replace('session', 'other'), 'other'), undefined);
  assert.equal(cookies.read(`${pair}A`, 'session'), undefined);
  assert.equal(new Cookies(otherSecret, siteOrigin).read(pair, 'session'), undefined);
});

test('phone numbers are accepted in the formats that people use', () => {
  for (const phone of [
    '(11) 98765-0001',
    '11987650001',
    '+55 11 98765-0001',
    '011 98765 0001',
    '5511987650001',
  ])
    assert.equal(parsePhone(phone), '+5511987650001');
  assert.equal(parsePhone('123'), '123');
});

test('an amount due on a weekend or holiday is not overdue before the next business day has ended', () => {
  const describeOn = (dueOn: string, day: string) => describeDueDay(dueOn, new Date(`${day}T12:00:00-03:00`));
  // 28 November 2026 is a Saturday. 25 December is a Friday and a holiday, so the next business day is Monday the 28th.
  assert.equal(describeOn('2026-11-28', '2026-11-27'), 'vence amanhã');
  assert.equal(describeOn('2026-11-28', '2026-11-28'), 'vence hoje');
  assert.equal(describeOn('2026-11-28', '2026-11-29'), 'sem multa até seg, 30 de nov');
  assert.equal(describeOn('2026-11-28', '2026-11-30'), 'sem multa até hoje');
  assert.equal(describeOn('2026-11-28', '2026-12-01'), 'venceu ontem');
  assert.equal(describeOn('2026-12-25', '2026-12-30'), 'venceu há 2 dias');
});

test('days and amounts are in Brazilian format', () => {
  assert.equal(formatLongDay('2026-12-01'), '1º de dezembro de 2026');
  assert.equal(formatShortDay('2026-12-01'), 'ter, 1º de dez');
  assert.equal(formatShortDay('2026-12-11'), 'sex, 11 de dez');
  assert.equal(formatLastMinuteBefore('2026-11-17T03:00:00.000Z'), '16 de nov, 23:59');
  const lastEvening = '2027-01-01T01:00:00.000Z'; // 31 December 2026, 22:00 in Brasília
  assert.equal(
    formatShortTimeWithYear(lastEvening, new Date('2027-06-01T12:00:00Z')),
    '31 de dez de 2026, 22:00',
  );
  assert.equal(formatShortDayWithYear('2026-12-31', new Date(lastEvening)), 'qui, 31 de dez');
  assert.equal(keepAmountsTogether('De R$ 1.234,56'), `De ${formatReais(1234.56)}`);
});
