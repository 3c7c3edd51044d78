import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareService } from './harness.ts';
import { assertProblem, DEMO_KEY_HEADER, sendRequest } from './wire.ts';

const service = await shareService();
const PAGED_LISTS = ['/public/merchants', '/public/blog'];
const get = (path: string) => sendRequest(service.partnerUrl, 'GET', path, { headers: DEMO_KEY_HEADER });

const NOT_INTEGERS = [
  '',
  ' ',
  '1e3',
  '0x10',
  ' 2',
  '2 ',
  '+2',
  '1.0',
  '1.5',
  '1,5',
  '1_000',
  'NaN',
  'Infinity',
  'null',
  'true',
  'abc',
  '٣',
  '１',
  '\0',
  '1\0',
  '1;drop table leads',
  '9'.repeat(400),
];

for (const path of PAGED_LISTS) {
  test(`${path}: page and limit are plain integers, everything else gets 400 with a pointer`, async () => {
    for (const name of ['page', 'limit']) {
      for (const value of NOT_INTEGERS) {
        const response = await get(`${path}?${name}=${encodeURIComponent(value)}`);
        const { errors } = assertProblem(response, 400, 'validation_failed');
        assert.deepEqual(
          errors!.map(({ pointer }) => pointer),
          [`/${name}`],
          JSON.stringify(value),
        );
      }
      assertProblem(await get(`${path}?${name}=1&${name}=1`), 400, 'validation_failed');
      assertProblem(await get(`${path}?${name}=1&${name}=2&${name}=x`), 400, 'validation_failed');
      assertProblem(await get(`${path}?${name}`), 400, 'validation_failed');
    }
  });

  test(`${path}: a value out of bounds gets 400 and is never clamped`, async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=-1',
      'page=0',
      'page=-1',
      'page=-0',
      'page=1000000001',
    ]) {
      const { errors } = assertProblem(await get(`${path}?${query}`), 400, 'validation_failed');
      assert.match(errors![0]!.message, /^must be at (least|most) \d+$/, query);
    }
    const problemOfBoth = assertProblem(await get(`${path}?page=0&limit=101`), 400, 'validation_failed');
    assert.deepEqual(problemOfBoth.errors!.map(({ pointer }) => pointer).sort(), ['/limit', '/page']);
  });

  test(`${path}: a page past the end is an empty 200, whatever its number`, async () => {
    const firstPage = JSON.parse((await get(path)).text);
    assert.ok(firstPage.data.length > 0);
    const { total, pages } = firstPage.pagination;
    for (const page of [pages + 1, 999_999, 1_000_000_000]) {
      for (const limit of [firstPage.pagination.limit, 100]) {
        const response = await get(`${path}?page=${page}&limit=${limit}`);
        assert.equal(response.status, 200);
        const { data, pagination } = JSON.parse(response.text);
        assert.deepEqual(data, []);
        assert.deepEqual(pagination, { page, limit, total, pages: Math.ceil(total / limit) });
      }
    }
  });

  test(`${path}: the pages together are the whole list without duplicates, and Link leads through them`, async () => {
    const { pagination } = JSON.parse((await get(`${path}?limit=7`)).text);
    const seenSlugs: string[] = [];
    let nextPath: string | undefined = `${path}?limit=7&page=1`;
    for (let page = 1; nextPath; page++) {
      const response = await get(nextPath);
      const body = JSON.parse(response.text);
      assert.equal(body.pagination.page, page);
      seenSlugs.push(...body.data.map(({ slug }: { slug: string }) => slug));
      const link = response.headers.link as string;
      assert.match(link, /; rel="first"/);
      assert.match(link, new RegExp(`page=${pagination.pages}>; rel="last"`));
      assert.equal(/rel="prev"/.test(link), page > 1);
      const [, url] = /<([^>]+)>; rel="next"/.exec(link) ?? [];
      assert.ok(!url || url.startsWith(service.partnerUrl));
      nextPath = url?.slice(service.partnerUrl.length);
    }
    assert.equal(new Set(seenSlugs).size, seenSlugs.length);
    assert.equal(seenSlugs.length, pagination.total);
  });
}

test('limit defaults to 20, and to 10 for posts', async () => {
  assert.equal(JSON.parse((await get('/public/merchants')).text).pagination.limit, 20);
  assert.equal(JSON.parse((await get('/public/blog')).text).pagination.limit, 10);
});

test('400 for unknown parameters, with the nearest existing name; names that begin with utm_ or _ are ignored', async () => {
  const expectedResponse = await get('/public/merchants?limit=3');
  for (const ignoredQuery of ['utm_source=x', 'utm_=%00', '_=1', '_ga=1&_ga=2', '__proto__=1', '&&&']) {
    const response = await get(`/public/merchants?limit=3&${ignoredQuery}`);
    assert.equal(response.status, 200, ignoredQuery);
    assert.deepEqual(JSON.parse(response.text), JSON.parse(expectedResponse.text), ignoredQuery);
  }
  const messages: Array<[string, string, RegExp]> = [
    ['/public/merchants?Category=pets', '/Category', /did you mean 'category'\?/],
    ['/public/merchants?category[]=pets', '/category[]', /did you mean 'category'\?/],
    ['/public/merchants?limt=3', '/limt', /did you mean 'limit'\?/],
    ['/public/merchants?offset=3', '/offset', /its parameters are .*page.*limit/],
    ['/public/merchants?constructor=1', '/constructor', /its parameters are /],
    ['/public/categories?page=1', '/page', /^is not a parameter of this endpoint$/],
  ];
  for (const [path, pointer, message] of messages) {
    const { errors } = assertProblem(await get(path), 400, 'validation_failed');
    assert.equal(errors!.length, 1, path);
    assert.equal(errors![0]!.pointer, pointer);
    assert.match(errors![0]!.message, message, path);
  }
});

test('Link contains the known parameters, and only those', async () => {
  const { headers } = await get(
    `/public/merchants?q=a%20b&category=pets&limit=1&utm_x=${'x'.repeat(5_000)}&page=2`,
  );
  const [, firstUrl] = /<([^>]+)>; rel="first"/.exec(headers.link as string)!;
  const { pathname, searchParams } = new URL(firstUrl!);
  assert.equal(pathname, '/public/merchants');
  assert.deepEqual(Object.fromEntries(searchParams), { q: 'a b', category: 'pets', limit: '1', page: '1' });
});

test('a repeated text parameter gets 400', async () => {
  for (const path of [
    '/public/merchants?q=a&q=b',
    '/public/merchants?category=a&category=b',
    '/public/faq?topic=a&topic=b',
  ]) {
    assertProblem(await get(path), 400, 'validation_failed');
  }
});

test('an empty filter has no effect; a filter without matches returns an empty list', async () => {
  const totalWithoutFilter = JSON.parse((await get('/public/merchants')).text).pagination.total;
  assert.equal(JSON.parse((await get('/public/merchants?q=')).text).pagination.total, totalWithoutFilter);
  assert.equal(
    JSON.parse((await get('/public/merchants?category=')).text).pagination.total,
    totalWithoutFilter,
  );
  assert.deepEqual(
    JSON.parse((await get('/public/faq?topic=')).text),
    JSON.parse((await get('/public/faq')).text),
  );
  assert.deepEqual(JSON.parse((await get('/public/merchants?category=none')).text).data, []);
  assert.deepEqual(JSON.parse((await get('/public/faq?topic=none')).text).data, []);
});
