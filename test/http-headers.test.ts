import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { eventually, shareService } from './harness.ts';
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

// The Date header has whole seconds, so it may be up to a second before the start.
const earliestDateMs = Date.now() - 1_000;
const service = await shareService();
const merchantSlug = (await service.get('/public/merchants?limit=1')).body.data[0].slug;
const postSlug = (await service.get('/public/blog?limit=1')).body.data[0].slug;
const walletKey = await service.newKey({ scopes: ['wallet'] });

const SLUGS: Record<string, string> = {
  '/public/merchants/:slug': merchantSlug,
  '/public/blog/:slug': postSlug,
};
const ERROR_CODE = 'not_found';
const buildPath = ({ url }: Endpoint) => url.replace(':slug', SLUGS[url] ?? '').replace(':code', ERROR_CODE);
const apis = [
  { base: service.partnerUrl, endpoints: service.endpoints.partner },
  { base: service.staffUrl, endpoints: service.endpoints.staff },
];
const callPartner = (
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

/** A request for each kind of response, by status. */
const RESPONSE_KINDS: Array<
  [status: number, name: string, send: (headers: Record<string, string>) => Promise<WireResponse>]
> = [
  [200, 'a list', (headers) => callPartner('GET', '/public/merchants', headers)],
  [200, 'a cached list', (headers) => callPartner('GET', '/public/merchants', headers)],
  [200, 'a single resource', (headers) => callPartner('GET', `/public/merchants/${merchantSlug}`, headers)],
  [200, 'a HEAD', (headers) => callPartner('HEAD', '/public/faq', headers)],
  [200, 'the OpenAPI document', (headers) => callPartner('GET', '/openapi.json', headers)],
  [200, 'a page', (headers) => callPartner('GET', '/errors', headers)],
  [200, 'a guide', (headers) => callPartner('GET', '/docs', headers)],
  [200, 'the reference', (headers) => callPartner('GET', '/docs/reference/', headers)],
  [
    200,
    'the script of the reference',
    (headers) => callPartner('GET', '/docs/reference/js/scalar.js', headers),
  ],
  [200, 'a picture', (headers) => callPartner('GET', `/media/logos/${merchantSlug}.svg`, headers)],
  [200, 'the health check', (headers) => callPartner('GET', '/healthz', headers)],
  [200, 'the readiness', (headers) => waitUntilReady(headers)],
  [200, 'the metrics', (headers) => sendRequest(service.staffUrl, 'GET', '/metrics', { headers })],
  [
    201,
    'a stored lead',
    (headers) => callPartner('POST', '/public/leads', { ...JSON_TYPE, ...headers }, LEAD),
  ],
  [204, 'OPTIONS', (headers) => callPartner('OPTIONS', '/public/leads', headers)],
  [302, 'a redirection', (headers) => callPartner('GET', '/', headers)],
  [
    304,
    'not modified',
    (headers) => callPartner('GET', '/public/categories', { ...headers, 'if-none-match': '*' }),
  ],
  [400, 'a wrong parameter', (headers) => callPartner('GET', '/public/merchants?page=0', headers)],
  [
    400,
    'a wrong body',
    (headers) => callPartner('POST', '/public/leads', { ...JSON_TYPE, ...headers }, '{}'),
  ],
  [
    400,
    'a body that is not JSON',
    (headers) => callPartner('POST', '/public/leads', { ...JSON_TYPE, ...headers }, '{'),
  ],
  [400, 'a badly encoded URL', (headers) => callPartner('GET', '/public/merchants/%zz', headers)],
  [401, 'no key', (headers) => sendRequest(service.partnerUrl, 'GET', '/public/faq', { headers })],
  [401, 'a wrong key', (headers) => callPartner('GET', '/public/faq', { ...headers, 'x-api-key': 'wrong' })],
  [
    403,
    'a key of another scope',
    (headers) => callPartner('GET', '/public/faq', { ...headers, 'x-api-key': walletKey.secret }),
  ],
  [404, 'an unknown path', (headers) => callPartner('GET', '/nothing/here', headers)],
  [404, 'an unknown resource', (headers) => callPartner('GET', '/public/merchants/none', headers)],
  [404, 'an unknown picture', (headers) => callPartner('GET', '/media/none.svg', headers)],
  [404, 'a directory of pictures', (headers) => callPartner('GET', '/media/logos/', headers)],
  [
    404,
    'a very long slug',
    (headers) => callPartner('GET', `/public/merchants/${'a'.repeat(2_000)}`, headers),
  ],
  [
    404,
    'an unknown path in the staff API',
    (headers) => sendRequest(service.staffUrl, 'GET', '/no', { headers }),
  ],
  [405, 'a method not allowed', (headers) => callPartner('DELETE', '/public/leads', headers)],
  [
    413,
    'a body too large',
    (headers) => callPartner('POST', '/public/leads', { ...JSON_TYPE, ...headers }, ' '.repeat(65_537)),
  ],
  [415, 'a body of another type', (headers) => callPartner('POST', '/public/leads', headers, LEAD)],
];

/** Waits until the service is ready. It may not be ready for a moment on a machine that stalls. */
function waitUntilReady(headers: Record<string, string>) {
  return eventually('the service is ready', async () => {
    const response = await sendRequest(service.staffUrl, 'GET', '/readyz', { headers });
    return response.status === 200 && response;
  });
}

for (const [status, caseName, send] of RESPONSE_KINDS) {
  test(`${status} ${caseName}: has all standard headers and the caller's request id`, async () => {
    const response = await send({ 'x-request-id': 'Order.77:a_b-c' });
    assert.equal(response.status, status, response.text);
    assertStandardHeaders(response, 'Order.77:a_b-c');
    assertStandardHeaders(await send({}));
  });
}

test('a request id of up to 128 characters of [A-Za-z0-9_.:-] is accepted; anything else is replaced', async () => {
  for (const validId of ['a', '0', 'a'.repeat(128), '5a0c1a4e-7f5e-4a52-9c5e-0d9f7c1f3b11']) {
    assertStandardHeaders(await callPartner('GET', '/healthz', { 'x-request-id': validId }), validId);
  }
  for (const invalidId of ['', 'a b', 'a'.repeat(129), 'a"b', 'a,b', '<a>', 'a\tb', 'é', '%0a', 'a{b}']) {
    const response = await callPartner('GET', '/nothing', { 'x-request-id': invalidId });
    assertStandardHeaders(response);
    assertProblem(response, 404, 'not_found');
  }
  const requestWithTwoIds =
    'GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: a\r\nx-request-id: b\r\nconnection: close\r\n\r\n';
  assertStandardHeaders(await sendBytes(service.partnerUrl, requestWithTwoIds));
});

test('HEAD returns the headers of GET, including content-length, and no body', async () => {
  const omitDate = ({ headers: { date: _, ...otherHeaders } }: WireResponse) => otherHeaders;
  for (const { base, endpoints } of apis) {
    // Metrics are left out, because they change with every request, and streams, because they have no length.
    const comparedEndpoints = endpoints.filter(
      (spec) => spec.method === 'GET' && !['/metrics', '/events/stream'].includes(spec.url),
    );
    for (const path of [
      ...comparedEndpoints.map(buildPath),
      '/docs/',
      '/docs/reference/',
      `/media/logos/${merchantSlug}.svg`,
      '/nothing',
    ]) {
      const headers = { ...DEMO_KEY_HEADER, 'x-request-id': 'same' };
      const getResponse = await sendRequest(base, 'GET', path, { headers });
      const headResponse = await sendRequest(base, 'HEAD', path, { headers });
      assert.equal(headResponse.text, '', path);
      assert.equal(headResponse.status, getResponse.status, path);
      assert.deepEqual(omitDate(headResponse), omitDate(getResponse), path);
      assert.equal(headResponse.headers['content-length'], String(Buffer.byteLength(getResponse.text)), path);
    }
  }
});

test('OPTIONS returns 204 with Allow for every path, without a key', async () => {
  for (const { base, endpoints } of apis) {
    for (const [url, specs] of Map.groupBy(endpoints, (spec) => spec.url)) {
      const response = await sendRequest(base, 'OPTIONS', buildPath(specs[0]!));
      assert.equal(response.status, 204, url);
      assert.equal(response.text, '');
      assert.deepEqual(readAllowedMethods(response), listAllowedMethods(specs), url);
    }
  }
});

test('a cached response has the same headers for every caller except the request id, also pipelined and at the end of a connection', async () => {
  const path = '/public/merchants?limit=2';
  const keyWithLimit = await service.newKey({ requests_per_minute: 1_000 });
  const keyWithoutOrigins = await service.newKey({});
  const buildRequest = (id: string, key: string, version = '1.1', moreHeaders = '') =>
    `GET ${path} HTTP/${version}\r\nhost: x\r\nx-request-id: ${id}\r\nx-api-key: ${key}\r\n${moreHeaders}\r\n`;
  const closingHeader = 'connection: close\r\n';
  await callPartner('GET', path); // from now on the response is cached
  const demoKey = DEMO_KEY_HEADER['x-api-key'];
  // A key with a limit is counted by hooks. The other requests skip all hooks. At least two of them fall in the same second, in which the
  // head of the response is cached as well.
  const requests = [
    buildRequest('limited', keyWithLimit.secret),
    buildRequest('demo-1', demoKey),
    buildRequest('demo-2', demoKey),
    buildRequest('no-origins', keyWithoutOrigins.secret),
    buildRequest('demo-3', demoKey),
    buildRequest('no-origins-last', keyWithoutOrigins.secret, '1.1', closingHeader),
  ];
  const receivedText = await sendAndReadAll(service.partnerUrl, requests.join(''));
  const responses = receivedText.split(/(?=HTTP\/1\.1 200 OK\r\n)/).map(parseResponse);
  const http10Response = await sendBytes(service.partnerUrl, buildRequest('demo-http-1.0', demoKey, '1.0'));
  const ids = ['limited', 'demo-1', 'demo-2', 'no-origins', 'demo-3', 'no-origins-last', 'demo-http-1.0'];
  const [firstResponse, ...otherResponses] = [...responses, http10Response];
  assert.equal(otherResponses.length, ids.length - 1);
  for (const [i, response] of [firstResponse!, ...otherResponses].entries()) {
    assert.equal(response.status, 200);
    assertStandardHeaders(response, ids[i]!);
    assert.equal(response.text, firstResponse!.text);
    const dateMs = Date.parse(response.headers.date!);
    assert.ok(dateMs >= earliestDateMs && dateMs <= Date.now(), response.headers.date);
    const closesConnection = ['no-origins-last', 'demo-http-1.0'].includes(ids[i]!);
    assert.equal(response.headers.connection, closesConnection ? 'close' : 'keep-alive');
    assert.equal(response.headers['keep-alive'], closesConnection ? undefined : 'timeout=65');
    // Only the demo key allows origins, so only its responses depend on the origin.
    assert.equal(response.headers.vary, ids[i]!.startsWith('demo') ? 'origin' : undefined, ids[i]);
    for (const name of ['etag', 'cache-control', 'link', 'content-type', 'content-length'])
      assert.equal(response.headers[name], firstResponse!.headers[name], name);
  }
});

test('405 with Allow for every other method of every path, before the key and the body are checked', async () => {
  const unusualMethods = METHODS.filter((name) => !USUAL_METHODS.includes(name) && name !== 'CONNECT');
  for (const { base, endpoints } of apis) {
    for (const [i, [url, specs]] of [...Map.groupBy(endpoints, (spec) => spec.url)].entries()) {
      const allowedMethods = listAllowedMethods(specs);
      // The same code refuses all unusual methods, so each path is tested with one of them.
      const testedMethods = [...USUAL_METHODS, unusualMethods[i % unusualMethods.length]!];
      for (const method of testedMethods.filter((name) => !allowedMethods.includes(name))) {
        const response = await sendRequest(base, method, buildPath(specs[0]!));
        if (method === 'HEAD') assert.equal(response.status, 405);
        else assertProblem(response, 405, 'method_not_allowed');
        assert.deepEqual(readAllowedMethods(response), allowedMethods, `${method} ${url}`);
      }
    }
  }
  for (const path of [
    '/docs',
    '/docs/',
    '/docs/reference',
    '/docs/reference/js/scalar.js',
    `/media/logos/${merchantSlug}.svg`,
  ]) {
    const response = await callPartner('PUT', path);
    assertProblem(response, 405, 'method_not_allowed');
    assert.deepEqual(readAllowedMethods(response), ['GET', 'HEAD', 'OPTIONS']);
  }
});

const USUAL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const readAllowedMethods = ({ headers }: WireResponse) => String(headers.allow).split(', ').sort();
const listAllowedMethods = (specs: Endpoint[]) =>
  [...specs.map((spec) => spec.method), ...(specs.some(isGet) ? ['HEAD'] : []), 'OPTIONS'].sort();
const isGet = (spec: Endpoint) => spec.method === 'GET';

test('catalog reads have a strong ETag and respond 304 without a body to any form of If-None-Match', async () => {
  const cachedReads = service.endpoints.partner.filter(
    (spec) => spec.cache && spec.url.startsWith('/public/'),
  );
  assert.ok(cachedReads.length >= 6);
  for (const path of cachedReads.map(buildPath)) {
    const firstResponse = await callPartner('GET', path);
    const etag = firstResponse.headers.etag!;
    assert.match(etag, /^"[\w-]+"$/);
    assert.equal(firstResponse.headers['cache-control'], 'private, no-cache');
    for (const matchingHeader of [etag, `W/${etag}`, `"other", ${etag}`, `W/"x",${etag},"y"`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const response = await callPartner(method, path, { 'if-none-match': matchingHeader });
        assert.equal(response.status, 304, `${method} ${path} ${matchingHeader}`);
        assert.equal(response.text, '');
        assert.equal(response.headers.etag, etag);
        assert.equal(response.headers['cache-control'], 'private, no-cache');
        assert.equal(response.headers['content-type'], undefined);
      }
    }
    for (const otherHeader of [
      '"other"',
      '""',
      etag.slice(1, -1),
      'garbage, "',
      ',,,',
      `${etag.slice(0, -1)}x"`,
    ]) {
      const response = await callPartner('GET', path, { 'if-none-match': otherHeader });
      assert.equal(response.status, 200, otherHeader);
      assert.equal(response.text, firstResponse.text);
    }
  }
});

test('responses outside of the catalog, and problems, have cache-control: no-store', async () => {
  assert.equal(
    (await callPartner('POST', '/public/leads', JSON_TYPE, LEAD)).headers['cache-control'],
    'no-store',
  );
  assert.equal((await callPartner('GET', '/public/merchants/none')).headers['cache-control'], 'no-store');
});

test('paths with another case, a trailing slash or a doubled slash are different resources and get 404', async () => {
  for (const path of [
    '/PUBLIC/merchants',
    '/public/merchants/',
    '//public/merchants',
    '/public',
    '/public/',
  ]) {
    assertProblem(await callPartner('GET', path), 404, 'not_found');
  }
});

test('a path with a trailing slash gets a hint to the path without it, whatever the method and the body', async () => {
  for (const [method, path, existingPath] of [
    ['POST', '/public/leads/', '/public/leads'],
    ['POST', '/public/leads//?a=1/', '/public/leads'],
    ['GET', `/public/merchants/${merchantSlug}/`, `/public/merchants/${merchantSlug}`],
  ] as const) {
    const { detail } = assertProblem(await callPartner(method, path), 404, 'not_found');
    assert.equal(
      detail,
      `There is no resource at this URL. The path is ${existingPath}, without a trailing slash.`,
    );
  }
  const responseToOtherType = await callPartner(
    'POST',
    '/public/leads/',
    { 'content-type': 'text/plain' },
    'a',
  );
  assert.match(assertProblem(responseToOtherType, 404, 'not_found').detail, /The path is \/public\/leads,/);
  const response = await callPartner(
    'POST',
    '/public/leads/',
    { ...JSON_TYPE, 'accept-language': 'pt-BR' },
    LEAD,
  );
  assert.match(
    assertProblem(response, 404, 'not_found').detail,
    /O caminho é \/public\/leads, sem barra no fim\./,
  );
  const problemOfUnknownPath = assertProblem(await callPartner('POST', '/public/leeds/'), 404, 'not_found');
  assert.equal(problemOfUnknownPath.detail, 'There is no resource at this URL.');
});

test('a response from the cache has the same headers and body as the first one, and the key and If-None-Match are still checked', async () => {
  const path = '/public/merchants?limit=3&page=2';
  const [firstResponse, cachedResponse] = [await service.get(path), await service.get(path)];
  const listHeaderNames = (response: typeof firstResponse) =>
    [...response.headers.keys()].filter((name) => name !== 'date').toSorted();
  assert.deepEqual(listHeaderNames(cachedResponse), listHeaderNames(firstResponse));
  assert.equal(cachedResponse.text, firstResponse.text);
  assert.equal(cachedResponse.headers.get('etag'), firstResponse.headers.get('etag'));
  const notModifiedResponse = await service.get(path, {
    headers: { 'x-request-id': 'mine-1', 'if-none-match': `"x", ${firstResponse.headers.get('etag')}` },
  });
  assert.deepEqual(
    [notModifiedResponse.status, notModifiedResponse.text, notModifiedResponse.headers.get('x-request-id')],
    [304, '', 'mine-1'],
  );
  assert.equal((await service.get(path, { key: 'wrong' })).status, 401);
  assert.equal((await service.get(path, { key: null })).status, 401);
  assert.match(service.readLog(), /"request_id":"mine-1".*"route":"\/public\/merchants","status":304/);
});

test('400: a request with two Host headers is refused by both APIs, even if its response is cached', async () => {
  const path = '/public/merchants?limit=7';
  for (let i = 0; i < 3; i++) assert.equal((await callPartner('GET', path)).status, 200);
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
