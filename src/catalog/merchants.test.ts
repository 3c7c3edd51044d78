import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../test/harness.ts';

const service = await openService();
/** For tests that change the catalog: the other tests rely on the demo data. */
const scratch = await openService();

type Merchant = {
  slug: string;
  name: string;
  category: { slug: string; name: string };
  cashback_percent: number;
};
const slugs = (data: Merchant[]) => data.map((merchant) => merchant.slug);
const names = (data: Merchant[]) => data.map((merchant) => merchant.name);
const list = async (query: string) => {
  const response = await service.get(`/public/merchants${query}`);
  assert.equal(response.status, 200, response.text);
  return response.body as { data: Merchant[]; pagination: Record<string, number> };
};

/** The URLs of a Link header, by relation. */
function parseLinks(header: string | null): Record<string, string> {
  const links = [...(header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, address, rel]) => [rel, address]));
}

/** Reads every page from `start` on, using only the links. */
async function followLinks(start: string): Promise<{ pages: Merchant[][]; totals: number[] }> {
  const pages: Merchant[][] = [];
  const totals: number[] = [];
  let next: string | undefined = start;
  while (next !== undefined) {
    assert.ok(pages.length < 100, 'the links end');
    const { status, body, headers } = await service.get(next);
    assert.equal(status, 200);
    pages.push(body.data);
    totals.push(body.pagination.total);
    const address: string | undefined = parseLinks(headers.get('link')).next;
    next = address?.slice(service.partnerUrl.length);
  }
  return { pages, totals };
}

test('without q, merchants are in order of name, ignoring accents and case', async () => {
  const { data } = await list('?limit=100');
  const keys = names(data).map((name) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());
  const words = keys.map((key) => key.replace(/\W+/g, ' '));
  assert.deepEqual(words, words.toSorted());

  const inOrder = [
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
  await scratch.db.run(sql`truncate merchants`);
  for (const [i, name] of inOrder.toReversed().entries()) {
    await scratch.db.run(sql`
      insert into merchants (slug, name, name_key, category_slug) values (${`${9 - i}`}, ${name}, 'x', 'moda')`);
  }
  const ordered = await eventually('all merchants are listed', async () => {
    const { body } = await scratch.get('/public/merchants');
    return body.pagination.total === inOrder.length && (body.data as Merchant[]);
  });
  assert.deepEqual(names(ordered), inOrder, 'merchants with the same name are in order of slug');
});

test('the links lead through all pages, without missing or duplicate merchants', async () => {
  const stored = await service.db.rows<{ slug: string }>(sql`select slug from merchants where listed`);
  for (const limit of [1, 7, 20, 77, 100]) {
    const { pages, totals } = await followLinks(`/public/merchants?limit=${limit}`);
    const seen = slugs(pages.flat());
    assert.equal(new Set(seen).size, seen.length, `limit ${limit}: none doubled`);
    assert.deepEqual(
      seen.toSorted(),
      stored.map(({ slug }) => slug).toSorted(),
      `limit ${limit}: none missing`,
    );
    assert.deepEqual([...new Set(totals)], [stored.length]);
    assert.ok(pages.slice(0, -1).every((page) => page.length === limit));
  }
});

test('the links keep q and category, and lead through the pages of a search', async () => {
  const whole = await list('?q=p%C3%A3o%20da&category=padarias&limit=100');
  const { pages } = await followLinks('/public/merchants?category=padarias&q=p%C3%A3o+da&limit=1');
  assert.ok(pages.length > 1);
  assert.deepEqual(slugs(pages.flat()), slugs(whole.data));
});

test('the Link header has first, prev, next and last where they exist', async () => {
  const links = async (query: string) =>
    parseLinks((await service.get(`/public/merchants${query}`)).headers.get('link'));
  const at = (page: number) => `${service.partnerUrl}/public/merchants?limit=20&page=${page}`;
  assert.deepEqual(await links('?limit=20'), { first: at(1), next: at(2), last: at(4) });
  assert.deepEqual(await links('?limit=20&page=2'), { first: at(1), prev: at(1), next: at(3), last: at(4) });
  assert.deepEqual(await links('?limit=20&page=4'), { first: at(1), prev: at(3), last: at(4) });
  assert.deepEqual(
    await links('?limit=20&page=9'),
    { first: at(1), prev: at(4), last: at(4) },
    'past the end, prev is the last page',
  );
  const nothing = (page: number) =>
    `${service.partnerUrl}/public/merchants?q=%21%21%21&limit=20&page=${page}`;
  assert.deepEqual(await links('?q=!!!'), { first: nothing(1), last: nothing(1) });
});

test('the pagination has the total; a page past the end is empty', async () => {
  assert.deepEqual((await list('')).pagination, { page: 1, limit: 20, total: 77, pages: 4 });
  const past = await list('?page=5');
  assert.deepEqual(past, { data: [], pagination: { page: 5, limit: 20, total: 77, pages: 4 } });
  assert.deepEqual((await list('?page=1000000000&limit=100')).data, []);
  assert.deepEqual((await list('?q=!!!')).pagination, { page: 1, limit: 20, total: 0, pages: 0 });
});

test('400 for a page or limit out of range names the parameter', async () => {
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
  const { data, pagination } = await list('?category=farmacias');
  assert.deepEqual([...new Set(data.map((merchant) => merchant.category.slug))], ['farmacias']);
  const { total } = (await service.db.row<{ total: number }>(
    sql`select count(*) as total from merchants where category_slug = 'farmacias' and listed`,
  ))!;
  assert.equal(pagination.total, total);
  for (const category of ['nenhuma', '__proto__', 'constructor', '%00', 'FARMACIAS']) {
    assert.deepEqual((await list(`?category=${category}`)).data, [], category);
    assert.deepEqual((await list(`?category=${category}&q=farmacia`)).data, [], category);
  }

  await scratch.db.run(sql`insert into categories (slug, name) values ('vazia', 'Vazia')`);
  await eventually('the new category is listed', async () => {
    const { body } = await scratch.get('/public/categories');
    return body.data.some((category: { slug: string }) => category.slug === 'vazia');
  });
  const { body } = await scratch.get('/public/merchants?category=vazia');
  assert.deepEqual(body, { data: [], pagination: { page: 1, limit: 20, total: 0, pages: 0 } });
});

test('a blank q or category is ignored', async () => {
  const all = await list('');
  for (const query of ['?q=', '?q=%20%20', '?q=+%09', '?category=', '?q=&category=']) {
    assert.deepEqual(await list(query), all, query);
  }
});

test('q ignores accents and case, matches beginnings of words and one typo, best match first', async () => {
  const found = async (q: string) => names((await list(`?q=${encodeURIComponent(q)}&limit=100`)).data);
  const pharmacies = await found('farmacia');
  assert.deepEqual(pharmacies.slice(0, 3), [
    'Farmácia Boa Hora',
    'Farmácia Ipê-Amarelo',
    'Farmácia São Jocundo',
  ]);
  assert.deepEqual(await found('FARMÁCIA'), pharmacies);
  assert.equal((await found('padria'))[0]?.startsWith('Padaria '), true);
  assert.ok((await found('padria')).filter((name) => name.startsWith('Padaria')).length >= 5);
  assert.equal((await found('sao jo'))[0], 'Farmácia São Jocundo');
  assert.equal((await found('PÃO'))[0], 'Padaria Pão da Vila');
  assert.deepEqual(await found('pão da vila'), await found('pao da vila'));
  assert.equal((await found('farmácia são jocundo'))[0], 'Farmácia São Jocundo');
  assert.deepEqual(await found('!!!'), []);
  assert.deepEqual(await found('xyzxyzxyz'), []);
});

test('q and category together return only merchants that match both', async () => {
  const both = await list('?q=boa&category=mercados');
  assert.ok(both.data.length > 0);
  assert.deepEqual([...new Set(both.data.map(({ category }) => category.slug))], ['mercados']);
  const onlyQ = slugs((await list('?q=boa&limit=100')).data);
  assert.ok(both.data.every(({ slug }) => onlyQ.includes(slug)));
  assert.ok(onlyQ.length > both.data.length);
  assert.equal(both.pagination.total, both.data.length);
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
  for (const raw of ['%ff', '%', '%zz', '%c3', '[]', '{}', '&&&', '=']) {
    assert.ok((await service.get(`/public/merchants?q=${raw}`)).status < 500, raw);
  }
});

test('a single merchant has the same fields as in lists', async () => {
  const { data } = await list('?q=farmacia+sao+jocundo&limit=1');
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

test('404 not_found for every slug that is not of a listed merchant', async () => {
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
  const stored = await service.db.rows<{ slug: string; name: string; merchants: number }>(sql`
    select c.slug, c.name, count(m.id) filter (where m.listed) as merchants
    from categories c left join merchants m on m.category_slug = c.slug group by c.slug`);
  const byName = new Intl.Collator('pt-BR', { sensitivity: 'base' });
  assert.deepEqual(body, { data: stored.toSorted((a, b) => byName.compare(a.name, b.name)) });
});
