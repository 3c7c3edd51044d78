import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';

const service = await openService();
/** Used by tests that change the catalog, because the other tests rely on the demo data. */
const scratchService = await openService();

type Merchant = {
  slug: string;
  name: string;
  category: { slug: string; name: string };
  cashback_percent: number;
};
const listSlugs = (data: Merchant[]) => data.map((merchant) => merchant.slug);
const listNames = (data: Merchant[]) => data.map((merchant) => merchant.name);
const listMerchants = async (query: string) => {
  const response = await service.get(`/public/merchants${query}`);
  assert.equal(response.status, 200, response.text);
  return response.body as { data: Merchant[]; pagination: Record<string, number> };
};

/** Returns the URLs of a Link header, by relation. */
function parseLinks(header: string | null): Record<string, string> {
  const links = [...(header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, url, rel]) => [rel, url]));
}

/** Reads every page from `start` on, using only the links. */
async function followLinks(start: string): Promise<{ pages: Merchant[][]; totals: number[] }> {
  const pages: Merchant[][] = [];
  const totals: number[] = [];
  let nextUrl: string | undefined = start;
  while (nextUrl !== undefined) {
    assert.ok(pages.length < 100, 'the links end');
    const { status, body, headers } = await service.get(nextUrl);
    assert.equal(status, 200);
    pages.push(body.data);
    totals.push(body.pagination.total);
    const linkUrl: string | undefined = parseLinks(headers.get('link')).next;
    nextUrl = linkUrl?.slice(service.partnerUrl.length);
  }
  return { pages, totals };
}

test('without q, merchants are in order of name, ignoring accents and case', async () => {
  const { data } = await listMerchants('?limit=100');
  const keys = listNames(data).map((name) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());
  const wordKeys = keys.map((key) => key.replace(/\W+/g, ' '));
  assert.deepEqual(wordKeys, wordKeys.toSorted());

  const namesInOrder = [
    'abacate',
    'Ábaco',
    'ABADE',
    'Água',
    'Água Viva',
    'aguardente',
    'Élan',
    'elástico',
    'Zé',
    'zê',
  ];
  await scratchService.db.run(sql`truncate merchants`);
  // Slugs are '0' to '9' in the expected order, so that slugs order the two merchants named zê.
  for (const [i, name] of namesInOrder.toReversed().entries()) {
    await scratchService.db.run(sql`
      insert into merchants (slug, name, name_key, category_slug) values (${`${9 - i}`}, ${name}, 'x', 'moda')`);
  }
  const merchants = await eventually('all merchants are listed', async () => {
    const { body } = await scratchService.get('/public/merchants');
    return body.pagination.total === namesInOrder.length && (body.data as Merchant[]);
  });
  assert.deepEqual(listNames(merchants), namesInOrder, 'merchants with the same name are in order of slug');
});

test('the links lead through all pages, without missing or duplicate merchants', async () => {
  const storedRows = await service.db.rows<{ slug: string }>(sql`select slug from merchants where listed`);
  for (const limit of [1, 7, 20, 77, 100]) {
    const { pages, totals } = await followLinks(`/public/merchants?limit=${limit}`);
    const linkedSlugs = listSlugs(pages.flat());
    assert.equal(new Set(linkedSlugs).size, linkedSlugs.length, `limit ${limit}: no duplicates`);
    assert.deepEqual(
      linkedSlugs.toSorted(),
      storedRows.map(({ slug }) => slug).toSorted(),
      `limit ${limit}: none missing`,
    );
    assert.deepEqual([...new Set(totals)], [storedRows.length]);
    assert.ok(pages.slice(0, -1).every((page) => page.length === limit));
  }
});

test('the links keep q and category, and lead through the pages of a search', async () => {
  const allResults = await listMerchants('?q=p%C3%A3o%20da&category=padarias&limit=100');
  const { pages } = await followLinks('/public/merchants?category=padarias&q=p%C3%A3o+da&limit=1');
  assert.ok(pages.length > 1);
  assert.deepEqual(listSlugs(pages.flat()), listSlugs(allResults.data));
});

test('the Link header has first, prev, next and last where they exist', async () => {
  const fetchLinks = async (query: string) =>
    parseLinks((await service.get(`/public/merchants${query}`)).headers.get('link'));
  const buildUrl = (page: number) => `${service.partnerUrl}/public/merchants?limit=20&page=${page}`;
  assert.deepEqual(await fetchLinks('?limit=20'), {
    first: buildUrl(1),
    next: buildUrl(2),
    last: buildUrl(4),
  });
  assert.deepEqual(await fetchLinks('?limit=20&page=2'), {
    first: buildUrl(1),
    prev: buildUrl(1),
    next: buildUrl(3),
    last: buildUrl(4),
  });
  assert.deepEqual(await fetchLinks('?limit=20&page=4'), {
    first: buildUrl(1),
    prev: buildUrl(3),
    last: buildUrl(4),
  });
  assert.deepEqual(
    await fetchLinks('?limit=20&page=9'),
    { first: buildUrl(1), prev: buildUrl(4), last: buildUrl(4) },
    'past the end, prev is the last page',
  );
  const buildEmptyUrl = (page: number) =>
    `${service.partnerUrl}/public/merchants?q=%21%21%21&limit=20&page=${page}`;
  assert.deepEqual(await fetchLinks('?q=!!!'), { first: buildEmptyUrl(1), last: buildEmptyUrl(1) });
});

test('the pagination has the total; a page past the end is empty', async () => {
  assert.deepEqual((await listMerchants('')).pagination, { page: 1, limit: 20, total: 77, pages: 4 });
  const pagePastEnd = await listMerchants('?page=5');
  assert.deepEqual(pagePastEnd, { data: [], pagination: { page: 5, limit: 20, total: 77, pages: 4 } });
  assert.deepEqual((await listMerchants('?page=1000000000&limit=100')).data, []);
  assert.deepEqual((await listMerchants('?q=!!!')).pagination, { page: 1, limit: 20, total: 0, pages: 0 });
});

test('an invalid page, limit or q gets 400 with the name of the parameter', async () => {
  for (const [query, pointer] of [
    ['page=0', '/page'],
    ['page=-1', '/page'],
    ['page=1.5', '/page'],
    ['page=x', '/page'],
    ['page=', '/page'],
    ['page=1e3', '/page'],
    ['page=99999999999999999999', '/page'],
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['page=1&page=2', '/page'],
    ['q=a&q=b', '/q'],
    [`q=${'x'.repeat(201)}`, '/q'],
  ]) {
    const { status, body } = await service.get(`/public/merchants?${query}`);
    assert.equal(status, 400, query);
    assert.equal(body.code, 'validation_failed', query);
    assert.deepEqual(
      body.errors.map((error: { pointer: string }) => error.pointer),
      [pointer],
      query,
    );
  }
});

test('category selects its merchants; an unknown or empty category has none', async () => {
  const { data, pagination } = await listMerchants('?category=farmacias');
  assert.deepEqual([...new Set(data.map((merchant) => merchant.category.slug))], ['farmacias']);
  const { total } = (await service.db.row<{ total: number }>(
    sql`select count(*) as total from merchants where category_slug = 'farmacias' and listed`,
  ))!;
  assert.equal(pagination.total, total);
  for (const category of ['nenhuma', '__proto__', 'constructor', '%00', 'FARMACIAS']) {
    assert.deepEqual((await listMerchants(`?category=${category}`)).data, [], category);
    assert.deepEqual((await listMerchants(`?category=${category}&q=farmacia`)).data, [], category);
  }

  await scratchService.db.run(sql`insert into categories (slug, name) values ('vazia', 'Vazia')`);
  await eventually('the new category is listed', async () => {
    const { body } = await scratchService.get('/public/categories');
    return body.data.some((category: { slug: string }) => category.slug === 'vazia');
  });
  const { body } = await scratchService.get('/public/merchants?category=vazia');
  assert.deepEqual(body, { data: [], pagination: { page: 1, limit: 20, total: 0, pages: 0 } });
});

test('a blank q or category is ignored', async () => {
  const allMerchants = await listMerchants('');
  for (const query of ['?q=', '?q=%20%20', '?q=+%09', '?category=', '?q=&category=']) {
    assert.deepEqual(await listMerchants(query), allMerchants, query);
  }
});

test('q ignores accents and case, matches beginnings of words and one typo, best match first', async () => {
  const search = async (q: string) =>
    listNames((await listMerchants(`?q=${encodeURIComponent(q)}&limit=100`)).data);
  const pharmacies = await search('farmacia');
  assert.deepEqual(pharmacies.slice(0, 3), [
    'Farmácia Boa Hora',
    'Farmácia Ipê-Amarelo',
    'Farmácia São Jocundo',
  ]);
  assert.deepEqual(await search('FARMÁCIA'), pharmacies);
  assert.equal((await search('padria'))[0]?.startsWith('Padaria '), true);
  assert.ok((await search('padria')).filter((name) => name.startsWith('Padaria')).length >= 5);
  assert.equal((await search('sao jo'))[0], 'Farmácia São Jocundo');
  assert.equal((await search('PÃO'))[0], 'Padaria Pão da Vila');
  assert.deepEqual(await search('pão da vila'), await search('pao da vila'));
  assert.equal((await search('farmácia são jocundo'))[0], 'Farmácia São Jocundo');
  assert.deepEqual(await search('!!!'), []);
  assert.deepEqual(await search('xyzxyzxyz'), []);
});

test('q and category together return only merchants that match both', async () => {
  const matches = await listMerchants('?q=boa&category=mercados');
  assert.ok(matches.data.length > 0);
  assert.deepEqual([...new Set(matches.data.map(({ category }) => category.slug))], ['mercados']);
  const queryMatches = listSlugs((await listMerchants('?q=boa&limit=100')).data);
  assert.ok(matches.data.every(({ slug }) => queryMatches.includes(slug)));
  assert.ok(queryMatches.length > matches.data.length);
  assert.equal(matches.pagination.total, matches.data.length);
});

test('any text in q gives 200', async () => {
  for (const q of [
    '%00',
    '%',
    '%25',
    "' or 1=1 --",
    '\\',
    '😀',
    '\u202e',
    'ﷺ',
    'a'.repeat(200),
    '\ud83d',
    '<b>',
    '((',
  ]) {
    const { status } = await service.get(`/public/merchants?q=${encodeURIComponent(q.toWellFormed())}`);
    assert.equal(status, 200, q);
  }
  for (const rawQuery of ['%ff', '%', '%zz', '%c3', '[]', '{}', '&&&', '=']) {
    assert.ok((await service.get(`/public/merchants?q=${rawQuery}`)).status < 500, rawQuery);
  }
});

test('a single merchant has the same fields as in lists', async () => {
  const { data } = await listMerchants('?q=farmacia+sao+jocundo&limit=1');
  const { status, body } = await service.get('/public/merchants/farmacia-sao-jocundo');
  assert.equal(status, 200);
  assert.deepEqual(body, data[0]!);
  assert.deepEqual(Object.keys(body), [
    'slug',
    'name',
    'category',
    'description',
    'logo_url',
    'city',
    'state',
    'website',
    'cashback_percent',
  ]);
  assert.equal(typeof body.cashback_percent, 'number');
});

test('uploaded files have an absolute URL that can be fetched', async () => {
  const { body } = await service.get('/public/merchants/farmacia-sao-jocundo');
  assert.ok(body.logo_url.startsWith(`${service.partnerUrl}/media/`));
  const { status, headers } = await service.get(body.logo_url.slice(service.partnerUrl.length), {
    key: null,
  });
  assert.equal(status, 200);
  assert.match(headers.get('content-type')!, /^image\/svg/);
});

test('every slug that is not of a listed merchant gets 404 not_found', async () => {
  await service.db.run(sql`
    insert into merchants (slug, name, name_key, category_slug, listed)
    values ('fechada', 'Fechada', 'fechada', 'moda', false)`);
  for (const slug of [
    'nenhuma',
    'fechada',
    'FARMACIA-SAO-JOCUNDO',
    'farmacia-sao-jocundo%20',
    '%00',
    '__proto__',
    'constructor',
    '%2e%2e%2fetc',
    'a%2Fb',
    '%F0%9F%98%80',
    '-',
    "'",
    'x'.repeat(290),
    'x'.repeat(1_000),
  ]) {
    const { status, body } = await service.get(`/public/merchants/${slug}`);
    assert.equal(status, 404, slug);
    assert.equal(body.code, 'not_found', slug);
  }
});

test('categories are in order of name, each with the number of its listed merchants', async () => {
  const { body } = await service.get('/public/categories');
  const storedRows = await service.db.rows<{ slug: string; name: string; merchants: number }>(sql`
    select category.slug, category.name, count(merchant.id) filter (where merchant.listed) as merchants
    from categories category left join merchants merchant on merchant.category_slug = category.slug group by category.slug`);
  const collator = new Intl.Collator('pt-BR', { sensitivity: 'base' });
  assert.deepEqual(body, { data: storedRows.toSorted((a, b) => collator.compare(a.name, b.name)) });
});
