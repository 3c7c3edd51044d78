import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { eventually, openService } from './harness.ts';
import {
  assertProblem,
  assertStandardHeaders,
  DEMO_KEY_HEADER,
  parseResponse,
  sendAndReadAll,
  sendBytes,
  sendRequest,
  type WireResponse,
} from './wire.ts';

// The Date header counts whole seconds.
const openedMs = Date.now() - 1_000;
const service = await openService();
const merchant = (await service.get('/public/merchants?limit=1')).body.data[0].slug;
const post = (await service.get('/public/blog?limit=1')).body.data[0].slug;
const reader = await service.newKey({ scopes: ['wallet'] });

const SLUGS: Record<string, string> = { '/public/merchants/:slug': merchant, '/public/blog/:slug': post };
const pathOf = ({ url }: Endpoint) => url.replace(':slug', SLUGS[url] ?? '').replace(':code', 'not_found');
const apis = [
  { base: service.partnerUrl, endpoints: service.endpoints.partner },
  { base: service.staffUrl, endpoints: service.endpoints.staff },
];
const front = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<WireResponse> =>
  sendRequest(service.partnerUrl, method, path, {
    headers: { ...DEMO_KEY_HEADER, ...headers },
    ...(body !== undefined && { body }),
  });

const JSON_TYPE = { 'content-type': 'application/json' };
const LEAD = JSON.stringify({ kind: 'contact', name: 'Headers', email: 'headers@example.com' });

/** One request for each kind of answer, by status. */
const KINDS: Array<
  [status: number, what: string, send: (headers: Record<string, string>) => Promise<WireResponse>]
> = [
  [200, 'a list', (h) => front('GET', '/public/merchants', h)],
  [200, 'a cached list', (h) => front('GET', '/public/merchants', h)],
  [200, 'a single thing', (h) => front('GET', `/public/merchants/${merchant}`, h)],
  [200, 'a HEAD', (h) => front('HEAD', '/public/faq', h)],
  [200, 'the interface', (h) => front('GET', '/openapi.json', h)],
  [200, 'a page', (h) => front('GET', '/errors', h)],
  [200, 'a guide', (h) => front('GET', '/docs', h)],
  [200, 'the reference', (h) => front('GET', '/docs/reference/', h)],
  [200, 'the script of the reference', (h) => front('GET', '/docs/reference/js/scalar.js', h)],
  [200, 'a picture', (h) => front('GET', `/media/logos/${merchant}.svg`, h)],
  [200, 'a sign of life', (h) => front('GET', '/healthz', h)],
  [200, 'the readiness', (h) => whenReady(h)],
  [200, 'the measurements', (h) => sendRequest(service.staffUrl, 'GET', '/metrics', { headers: h })],
  [201, 'something stored', (h) => front('POST', '/public/leads', { ...JSON_TYPE, ...h }, LEAD)],
  [204, 'OPTIONS', (h) => front('OPTIONS', '/public/leads', h)],
  [302, 'a redirection', (h) => front('GET', '/', h)],
  [304, 'not modified', (h) => front('GET', '/public/categories', { ...h, 'if-none-match': '*' })],
  [400, 'a wrong parameter', (h) => front('GET', '/public/merchants?page=0', h)],
  [400, 'a wrong body', (h) => front('POST', '/public/leads', { ...JSON_TYPE, ...h }, '{}')],
  [400, 'a body that is no JSON', (h) => front('POST', '/public/leads', { ...JSON_TYPE, ...h }, '{')],
  [400, 'a badly encoded address', (h) => front('GET', '/public/merchants/%zz', h)],
  [401, 'no key', (h) => sendRequest(service.partnerUrl, 'GET', '/public/faq', { headers: h })],
  [401, 'a wrong key', (h) => front('GET', '/public/faq', { ...h, 'x-api-key': 'wrong' })],
  [403, 'a key of another scope', (h) => front('GET', '/public/faq', { ...h, 'x-api-key': reader.secret })],
  [404, 'an unknown address', (h) => front('GET', '/nothing/here', h)],
  [404, 'an unknown thing', (h) => front('GET', '/public/merchants/none', h)],
  [404, 'an unknown picture', (h) => front('GET', '/media/none.svg', h)],
  [404, 'a directory of pictures', (h) => front('GET', '/media/logos/', h)],
  [404, 'an endless name', (h) => front('GET', `/public/merchants/${'a'.repeat(2_000)}`, h)],
  [
    404,
    'an unknown address in the staff API',
    (h) => sendRequest(service.staffUrl, 'GET', '/no', { headers: h }),
  ],
  [405, 'a method not allowed', (h) => front('DELETE', '/public/leads', h)],
  [
    413,
    'a body too large',
    (h) => front('POST', '/public/leads', { ...JSON_TYPE, ...h }, ' '.repeat(65_537)),
  ],
  [415, 'a body of another type', (h) => front('POST', '/public/leads', h, LEAD)],
];

/** A machine that stalls is not ready for a moment. */
function whenReady(headers: Record<string, string>) {
  return eventually('the service is ready', async () => {
    const response = await sendRequest(service.staffUrl, 'GET', '/readyz', { headers });
    return response.status === 200 && response;
  });
}

for (const [status, caseName, send] of KINDS) {
  test(`${status} ${caseName}: has all standard headers and the caller's request id`, async () => {
    const response = await send({ 'x-request-id': 'Order.77:a_b-c' });
    assert.equal(response.status, status, response.text);
    assertStandardHeaders(response, 'Order.77:a_b-c');
    assertStandardHeaders(await send({}));
  });
}

test('a request id of up to 128 characters of [A-Za-z0-9_.:-] is accepted; anything else is replaced', async () => {
  for (const good of ['a', '0', 'a'.repeat(128), '5a0c1a4e-7f5e-4a52-9c5e-0d9f7c1f3b11']) {
    assertStandardHeaders(await front('GET', '/healthz', { 'x-request-id': good }), good);
  }
  for (const bad of ['', 'a b', 'a'.repeat(129), 'a"b', 'a,b', '<a>', 'a\tb', 'é', '%0a', 'a{b}']) {
    const response = await front('GET', '/nothing', { 'x-request-id': bad });
    assertStandardHeaders(response);
    assertProblem(response, 404, 'not_found');
  }
  const twice =
    'GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: a\r\nx-request-id: b\r\nconnection: close\r\n\r\n';
  assertStandardHeaders(await sendBytes(service.partnerUrl, twice));
});

test('HEAD returns the headers of GET, including content-length, and no body', async () => {
  const withoutDate = ({ headers: { date: _, ...rest } }: WireResponse) => rest;
  for (const { base, endpoints } of apis) {
    // Left out: metrics change with every request, and a stream has no length.
    const readable = endpoints.filter(
      (spec) => spec.method === 'GET' && !['/metrics', '/events/stream'].includes(spec.url),
    );
    for (const path of [
      ...readable.map(pathOf),
      '/docs/',
      '/docs/reference/',
      `/media/logos/${merchant}.svg`,
      '/nothing',
    ]) {
      const headers = { ...DEMO_KEY_HEADER, 'x-request-id': 'same' };
      const get = await sendRequest(base, 'GET', path, { headers });
      const head = await sendRequest(base, 'HEAD', path, { headers });
      assert.equal(head.text, '', path);
      assert.equal(head.status, get.status, path);
      assert.deepEqual(withoutDate(head), withoutDate(get), path);
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.text)), path);
    }
  }
});

test('OPTIONS returns 204 with Allow for every path, without a key', async () => {
  for (const { base, endpoints } of apis) {
    for (const [url, specs] of Map.groupBy(endpoints, (spec) => spec.url)) {
      const response = await sendRequest(base, 'OPTIONS', pathOf(specs[0]!));
      assert.equal(response.status, 204, url);
      assert.equal(response.text, '');
      assert.deepEqual(allowed(response), allowedBy(specs), url);
    }
  }
});

test('a cached response has the same headers for every caller except the request id, also pipelined and at the end of a connection', async () => {
  const path = '/public/merchants?limit=2';
  const counted = await service.newKey({ requests_per_minute: 1_000 });
  const originless = await service.newKey({});
  const requestFor = (id: string, key: string, version = '1.1', more = '') =>
    `GET ${path} HTTP/${version}\r\nhost: x\r\nx-request-id: ${id}\r\nx-api-key: ${key}\r\n${more}\r\n`;
  const closing = 'connection: close\r\n';
  await front('GET', path); // from now on the response is cached
  // The first has a key with a limit, so it runs all hooks; of the others at least two fall in the same second.
  const keys = [
    counted.secret,
    DEMO_KEY_HEADER['x-api-key'],
    DEMO_KEY_HEADER['x-api-key'],
    originless.secret,
    DEMO_KEY_HEADER['x-api-key'],
  ];
  const last = requestFor('last', originless.secret, '1.1', closing);
  const came = await sendAndReadAll(
    service.partnerUrl,
    [...keys.map((key, i) => requestFor(`e${i}`, key)), last].join(''),
  );
  const responses = came.split(/(?=HTTP\/1\.1 200 OK\r\n)/).map(parseResponse);
  const oldResponse = await sendBytes(
    service.partnerUrl,
    requestFor('old', DEMO_KEY_HEADER['x-api-key'], '1.0'),
  );
  const ids = ['e0', 'e1', 'e2', 'e3', 'e4', 'last', 'old'];
  const [firstResponse, ...otherResponses] = [...responses, oldResponse];
  assert.equal(otherResponses.length, ids.length - 1);
  for (const [i, response] of [firstResponse!, ...otherResponses].entries()) {
    assert.equal(response.status, 200);
    assertStandardHeaders(response, ids[i]!);
    assert.equal(response.text, firstResponse!.text);
    const dateMs = Date.parse(response.headers.date!);
    assert.ok(dateMs >= openedMs && dateMs <= Date.now(), response.headers.date);
    const isLast = ['last', 'old'].includes(ids[i]!);
    assert.equal(response.headers.connection, isLast ? 'close' : 'keep-alive');
    assert.equal(response.headers['keep-alive'], isLast ? undefined : 'timeout=65');
    const isOriginless = ['e0', 'e3', 'last'].includes(ids[i]!);
    assert.equal(response.headers.vary, isOriginless ? undefined : 'origin', ids[i]);
    for (const name of ['etag', 'cache-control', 'link', 'content-type', 'content-length'])
      assert.equal(response.headers[name], firstResponse!.headers[name], name);
  }
});

test('405 with Allow for every other method of every path, before the key and the body are checked', async () => {
  const unusual = METHODS.filter((name) => !USUAL.includes(name) && name !== 'CONNECT');
  for (const { base, endpoints } of apis) {
    for (const [i, [url, specs]] of [...Map.groupBy(endpoints, (spec) => spec.url)].entries()) {
      const allow = allowedBy(specs);
      // Unusual methods are all refused by the same code, so each address tries one of them.
      const tried = [...USUAL, unusual[i % unusual.length]!];
      for (const method of tried.filter((name) => !allow.includes(name))) {
        const response = await sendRequest(base, method, pathOf(specs[0]!));
        if (method === 'HEAD') assert.equal(response.status, 405);
        else assertProblem(response, 405, 'method_not_allowed');
        assert.deepEqual(allowed(response), allow, `${method} ${url}`);
      }
    }
  }
  for (const path of [
    '/docs',
    '/docs/',
    '/docs/reference',
    '/docs/reference/js/scalar.js',
    `/media/logos/${merchant}.svg`,
  ]) {
    const response = await front('PUT', path);
    assertProblem(response, 405, 'method_not_allowed');
    assert.deepEqual(allowed(response), ['GET', 'HEAD', 'OPTIONS']);
  }
});

const USUAL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const allowed = ({ headers }: WireResponse) => String(headers.allow).split(', ').sort();
const allowedBy = (specs: Endpoint[]) =>
  [...specs.map((spec) => spec.method), ...(specs.some(isGet) ? ['HEAD'] : []), 'OPTIONS'].sort();
const isGet = (spec: Endpoint) => spec.method === 'GET';

test('catalog reads have a strong ETag and respond 304 without a body to any form of If-None-Match', async () => {
  const reads = service.endpoints.partner.filter((spec) => spec.cache && spec.url.startsWith('/public/'));
  assert.ok(reads.length >= 6);
  for (const path of reads.map(pathOf)) {
    const firstResponse = await front('GET', path);
    const etag = firstResponse.headers.etag!;
    assert.match(etag, /^"[\w-]+"$/);
    assert.equal(firstResponse.headers['cache-control'], 'private, no-cache');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `W/"x",${etag},"y"`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const response = await front(method, path, { 'if-none-match': known });
        assert.equal(response.status, 304, `${method} ${path} ${known}`);
        assert.equal(response.text, '');
        assert.equal(response.headers.etag, etag);
        assert.equal(response.headers['cache-control'], 'private, no-cache');
        assert.equal(response.headers['content-type'], undefined);
      }
    }
    for (const known of ['"other"', '""', etag.slice(1, -1), 'garbage, "', ',,,', `${etag.slice(0, -1)}x"`]) {
      const response = await front('GET', path, { 'if-none-match': known });
      assert.equal(response.status, 200, known);
      assert.equal(response.text, firstResponse.text);
    }
  }
});

test('responses that require a key are never stored by shared caches: the catalog is private, everything else no-store', async () => {
  assert.equal((await front('POST', '/public/leads', JSON_TYPE, LEAD)).headers['cache-control'], 'no-store');
  assert.equal((await front('GET', '/public/merchants/none')).headers['cache-control'], 'no-store');
});

test('paths with another case, a trailing slash or a doubled slash are different resources and get 404', async () => {
  for (const path of [
    '/PUBLIC/merchants',
    '/public/merchants/',
    '//public/merchants',
    '/public',
    '/public/',
  ]) {
    assertProblem(await front('GET', path), 404, 'not_found');
  }
});

test('a path with a trailing slash gets a hint to the path without it, whatever the method and the body', async () => {
  for (const [method, path, known] of [
    ['POST', '/public/leads/', '/public/leads'],
    ['POST', '/public/leads//?a=1/', '/public/leads'],
    ['GET', `/public/merchants/${merchant}/`, `/public/merchants/${merchant}`],
  ] as const) {
    const { detail } = assertProblem(await front(method, path), 404, 'not_found');
    assert.equal(detail, `There is no resource at this URL. The path is ${known}, without a trailing slash.`);
  }
  const unread = await front('POST', '/public/leads/', { 'content-type': 'text/plain' }, 'a');
  assert.match(assertProblem(unread, 404, 'not_found').detail, /The path is \/public\/leads,/);
  const response = await front('POST', '/public/leads/', { ...JSON_TYPE, 'accept-language': 'pt-BR' }, LEAD);
  assert.match(
    assertProblem(response, 404, 'not_found').detail,
    /O caminho é \/public\/leads, sem barra no fim\./,
  );
  const unknown = assertProblem(await front('POST', '/public/leeds/'), 404, 'not_found');
  assert.equal(unknown.detail, 'There is no resource at this URL.');
});

test('a cached response has the same headers as the first one', async () => {
  const path = '/public/merchants?limit=3&page=2';
  const [createResponse, ready] = [await service.get(path), await service.get(path)];
  const named = (response: typeof createResponse) =>
    [...response.headers.keys()].filter((name) => name !== 'date').toSorted();
  assert.deepEqual(named(ready), named(createResponse));
  assert.equal(ready.text, createResponse.text);
  assert.equal(ready.headers.get('etag'), createResponse.headers.get('etag'));
  const repeatedResponse = await service.get(path, {
    headers: { 'x-request-id': 'mine-1', 'if-none-match': `"x", ${createResponse.headers.get('etag')}` },
  });
  assert.deepEqual(
    [repeatedResponse.status, repeatedResponse.text, repeatedResponse.headers.get('x-request-id')],
    [304, '', 'mine-1'],
  );
  assert.equal((await service.get(path, { key: 'wrong' })).status, 401);
  assert.equal((await service.get(path, { key: null })).status, 401);
  assert.match(service.readLog(), /"request_id":"mine-1".*"route":"\/public\/merchants","status":304/);
});

test('400: a request with two Host headers is refused by both APIs, even if its response is cached', async () => {
  const path = '/public/merchants?limit=7';
  for (let i = 0; i < 3; i++) assert.equal((await front('GET', path)).status, 200);
  for (const [base, target] of [
    [service.partnerUrl, path],
    [service.partnerUrl, '/healthz'],
    [service.staffUrl, '/healthz'],
  ] as const) {
    const response = await sendBytes(
      base,
      `GET ${target} HTTP/1.1\r\nHost: a.example\r\nhOST: b.example\r\nx-api-key: ${DEMO_KEY_HEADER['x-api-key']}\r\nconnection: close\r\n\r\n`,
    );
    assertProblem(response, 400, 'bad_request');
  }
});
