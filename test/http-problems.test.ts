import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { FORMAT_MESSAGES, KEYWORD_MESSAGES } from '#platform/http/validation.ts';
import { listAllProblems } from '../src/api-servers.ts';
import { eventually, openService, shareService } from './harness.ts';
import { assertProblem, assertStandardHeaders, DEMO_KEY_HEADER, sendBytes, sendRequest } from './wire.ts';

const service = await shareService();
const otherService = await openService({ demo: false, env: { PUBLIC_URL: 'https://api.semana.example/' } });
const PROBLEM_KINDS = [
  ...new Set(listAllProblems([...service.endpoints.partner, ...service.endpoints.staff])),
].map(({ kind }) => kind);

test('a problem has type, title, status, detail, code and request_id, in this order and nothing else', async () => {
  const response = await sendRequest(service.partnerUrl, 'GET', '/public/merchants/none', {
    headers: DEMO_KEY_HEADER,
  });
  const problem = assertProblem(response, 404, 'not_found');
  assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail', 'code', 'request_id']);
});

test('details and messages are in Portuguese, with amounts in Brazilian format', async () => {
  const headers = { ...DEMO_KEY_HEADER, 'accept-language': 'pt-BR' };
  const readText = async (path: string) =>
    (await sendRequest(service.partnerUrl, 'GET', path, { headers })).text;
  assert.match(await readText('/public/merchants/none'), /"detail":"Nenhuma loja tem este slug\."/);
  const problem = JSON.parse(await readText('/public/merchants?limit=0'));
  assert.equal(problem.detail, 'Há um erro nos parâmetros.');
  assert.deepEqual(problem.errors, [{ pointer: '/limit', message: 'deve ser no mínimo 1' }]);
  const quote = JSON.parse(
    await readText('/public/merchants/padaria-flor-do-trigo/quote?amount=1&installments=2'),
  );
  assert.match(quote.detail, /^Esta loja vende de R\$ 10,00 a R\$ 5\.000,00\.$/);
});

test('every problem has a title in both languages', () => {
  for (const { code, title } of PROBLEM_KINDS) {
    assert.ok(title.en.trim() && title.pt.trim(), code);
    assert.notEqual(title.en, title.pt, code);
  }
});

test('no text of src is identical in both languages', async () => {
  const identicalTexts: string[] = [];
  for await (const file of glob('src/**/*.ts')) {
    const source = await readFile(file, 'utf8');
    for (const [, en, pt] of source.matchAll(/\ben: (['"`].*?['"`]),?\s+pt: (['"`].*?['"`])[\s,]/g))
      if (en === pt || pt!.length <= 2) identicalTexts.push(`${file}: ${en}`);
  }
  assert.deepEqual(identicalTexts, []);
});

test('every keyword and format of the request schemas has a message', () => {
  const keywords = new Set<string>();
  const formats = new Set<string>();
  const collectKeywords = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, value] of Object.entries(schema)) {
      if (name === 'properties') for (const property of Object.values(value)) collectKeywords(property);
      else if (['items', 'anyOf', 'allOf'].includes(name))
        for (const subschema of [value].flat()) collectKeywords(subschema);
      else keywords.add(name);
      if (name === 'format') formats.add(value as string);
    }
  };
  const { partner, staff } = service.endpoints;
  for (const { query, body, headers } of [...partner, ...staff])
    for (const schema of [query, body, headers]) collectKeywords(schema);
  const ANNOTATIONS = /^(~.*|\$id|title|description|examples?|default|deprecated|contentEncoding)$/;
  const keywordsWithoutMessage = [...keywords].filter(
    (name) => !ANNOTATIONS.test(name) && !(name in KEYWORD_MESSAGES),
  );
  assert.deepEqual(keywordsWithoutMessage, []);
  assert.deepEqual(
    [...formats].filter((format) => !(format in FORMAT_MESSAGES)),
    [],
  );
  assert.ok(keywords.size > 8 && formats.size > 4);
});

test('problems of the staff API are available in Portuguese, too', async () => {
  const headers = { 'accept-language': 'pt-BR' };
  const requestProblem = async (method: string, path: string, body?: unknown) =>
    (
      await service.staff(method, path, {
        key: 'sandbox-operator-key',
        headers,
        ...(body !== undefined && { body }),
      })
    ).body;
  assert.equal((await requestProblem('GET', '/admin/merchants/none')).detail, 'Nenhuma loja tem este slug.');
  const categoryProblem = await requestProblem('POST', '/admin/categories', { slug: 'A b', name: 'x' });
  assert.equal(categoryProblem.code, 'validation_failed');
  assert.match(categoryProblem.errors[0].message, /não é um slug|deve seguir o padrão/);
  const purchase = { customer: 'nobody', merchant: 'none', amount: 10, installments: 2 };
  const { detail, errors } = await requestProblem('POST', '/admin/checkouts', purchase);
  assert.equal(detail, 'Há 2 erros na compra.');
  assert.equal(errors[0].message, 'nenhum cliente tem este id ou telefone');
});

test('the title is in Portuguese when Accept-Language prefers it; the code never changes', async () => {
  const readTitle = async (language: string) => {
    const headers = { ...DEMO_KEY_HEADER, 'accept-language': language };
    const response = await sendRequest(service.partnerUrl, 'GET', '/public/merchants/none', { headers });
    return assertProblem(response, 404, 'not_found').title;
  };
  for (const language of ['pt', 'pt-BR', 'PT-br,en;q=0.9', 'fr, pt;q=0.5', 'en;q=0.4, pt-PT;q=0.5', 'pt, en'])
    assert.equal(await readTitle(language), 'Não encontrado', language);
  for (const language of ['', '*', 'en', 'en-US,pt;q=0.9', 'fr', 'ptx', 'pt;q=0', 'pt;q=0.1, en', ',;q='])
    assert.equal(await readTitle(language), 'Not found', language);
});

test('a field error has a list of errors, each with pointer and message', async () => {
  const response = await sendRequest(service.partnerUrl, 'GET', '/public/merchants?limit=0', {
    headers: DEMO_KEY_HEADER,
  });
  const problem = assertProblem(response, 400, 'validation_failed');
  assert.deepEqual(Object.keys(problem).at(-1), 'errors');
  assert.deepEqual(problem.errors, [{ pointer: '/limit', message: 'must be at least 1' }]);
});

test('codes are in snake_case and unique', () => {
  for (const { code } of PROBLEM_KINDS) assert.match(code, /^[a-z]+(_[a-z]+)*$/);
  assert.equal(new Set(PROBLEM_KINDS.map(({ code }) => code)).size, PROBLEM_KINDS.length);
});

test('every problem type links to a page with cause and remedy, and /errors links to every page', async () => {
  const index = await sendRequest(service.partnerUrl, 'GET', '/errors');
  for (const { code, cause, remedy } of PROBLEM_KINDS) {
    const page = await sendRequest(service.partnerUrl, 'GET', `/errors/${code}`);
    assert.equal(page.status, 200, code);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    const text = removeTags(page.text);
    assert.ok(text.includes(cause.replaceAll('`', '')), `${code} has its cause`);
    assert.ok(text.includes(remedy.replaceAll('`', '')), `${code} has its remedy`);
    assert.ok(index.text.includes(`href="/errors/${code}"`), `${code} is in the index`);
  }
  assertProblem(await sendRequest(service.partnerUrl, 'GET', '/errors/none'), 404, 'not_found');
});

/** Returns the text of a page. */
const removeTags = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number)))
    .replace(/&amp;/g, '&');

test('the type of a returned problem is a URL that resolves', async () => {
  const refusal = await service.get('/public/faq', { key: null });
  const page = await fetch(refusal.body.type);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type')!, /^text\/html/);
  assert.match(await page.text(), /x-api-key/);
});

test('the type begins with PUBLIC_URL if that is set', async () => {
  const response = await otherService.get('/nothing');
  assert.equal(response.body.type, 'https://api.semana.example/errors/not_found');
  assert.match(response.headers.get('strict-transport-security')!, /max-age=31536000/);
});

/** Invalid requests, which get a problem like any other error. Their connections are closed. */
const INVALID_REQUESTS: Array<[name: string, status: number, code: string, bytes: string]> = [
  ['no HTTP at all', 400, 'bad_request', 'hello\r\n\r\n'],
  ['an unknown method', 400, 'bad_request', 'FOO /healthz HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['the preface of HTTP/2', 400, 'bad_request', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a header with NUL', 400, 'bad_request', 'GET / HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n'],
  ['a header without a name', 400, 'bad_request', 'GET / HTTP/1.1\r\nhost: x\r\n: b\r\n\r\n'],
  [
    'bytes in the URL that are not ASCII',
    400,
    'bad_request',
    'GET /public/caf\xe9 HTTP/1.1\r\nhost: x\r\n\r\n',
  ],
  [
    'two content lengths',
    400,
    'bad_request',
    'POST /public/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'a negative length',
    400,
    'bad_request',
    'POST /public/leads HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
  ],
  [
    'headers of more than 16 KiB',
    431,
    'headers_too_large',
    `GET /healthz HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(17_000)}\r\n\r\n`,
  ],
  [
    'a URL of more than 16 KiB',
    431,
    'headers_too_large',
    `GET /public/merchants?q=${'b'.repeat(17_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  ],
];

for (const [caseName, status, code, bytes] of INVALID_REQUESTS) {
  test(`${status} ${code} for ${caseName}, with all standard headers, from both APIs`, async () => {
    for (const base of [service.partnerUrl, service.staffUrl]) {
      const response = await sendBytes(base, bytes);
      assertProblem(response, status, code);
      assertStandardHeaders(response);
      assert.equal(response.headers.connection, 'close');
    }
  });
}

test('400 for HTTP/1.1 without Host, with the request id of the caller', async () => {
  const bytes = 'GET /healthz HTTP/1.1\r\nx-request-id: mine\r\nconnection: close\r\n\r\n';
  const response = await sendBytes(service.partnerUrl, bytes);
  assertProblem(response, 400, 'bad_request');
  assertStandardHeaders(response, 'mine');
});

test('HTTP/1.0 without Host is accepted', async () => {
  const response = await sendBytes(service.partnerUrl, 'GET /healthz HTTP/1.0\r\n\r\n');
  assert.equal(response.status, 200);
});

test('an unknown Expect header is ignored', async () => {
  const headers = { ...DEMO_KEY_HEADER, expect: 'the-unexpected' };
  const response = await sendRequest(service.partnerUrl, 'GET', '/public/faq', { headers });
  assert.equal(response.status, 200);
  assertStandardHeaders(response);
});

test('400 for bad percent-encoding in the path; in the query it is read literally', async () => {
  for (const path of ['/public/merchants/%zz', '/public/blog/%E0%A4', '/errors/%', '/media/%zz', '/%ff']) {
    assertProblem(
      await sendRequest(service.partnerUrl, 'GET', path, { headers: DEMO_KEY_HEADER }),
      400,
      'bad_request',
    );
  }
  for (const query of ['q=%', 'q=%zz', 'q=100%', 'category=%E0%A4']) {
    const response = await sendRequest(service.partnerUrl, 'GET', `/public/merchants?${query}`, {
      headers: DEMO_KEY_HEADER,
    });
    assert.equal(response.status, 200, query);
  }
  for (const query of ['%zz=1', '%=%']) {
    const response = await sendRequest(service.partnerUrl, 'GET', `/public/merchants?${query}`, {
      headers: DEMO_KEY_HEADER,
    });
    assertProblem(response, 400, 'validation_failed');
  }
});

test('a file is never served from outside the media directory', async () => {
  for (const path of [
    '/media/../package.json',
    '/media/..%2f..%2fpackage.json',
    '/media/%2e%2e/%2e%2e/package.json',
  ]) {
    const response = await sendRequest(service.partnerUrl, 'GET', path);
    assert.doesNotMatch(response.text, /"name": "semana"/);
    assertProblem(response, 404, 'not_found');
  }
});

test('503 unavailable with Retry-After while the database is unavailable, and automatic recovery afterwards', async () => {
  const link = await service.openLink();
  const node = await service.startNode({ link });
  link.cut();
  const body = JSON.stringify({ kind: 'contact', name: 'Away', email: 'away@example.com' });
  const headers = { ...DEMO_KEY_HEADER, 'content-type': 'application/json' };
  const response = await sendRequest(node.partnerUrl, 'POST', '/public/leads', { headers, body });
  assertProblem(response, 503, 'unavailable');
  assertStandardHeaders(response);
  assert.match(response.headers['retry-after']!, /^\d+$/);
  assert.equal((await node.get('/healthz')).status, 200);
  assertProblem(await sendRequest(node.staffUrl, 'GET', '/readyz'), 503, 'unavailable');

  link.restore();
  const responseAfterRecovery = await eventually('the node serves again', async () => {
    const response = await sendRequest(node.partnerUrl, 'POST', '/public/leads', { headers, body });
    return response.status === 503 ? false : response;
  });
  assert.equal(responseAfterRecovery.status, 201);
  await eventually(
    'the node is ready again',
    async () => (await node.staff('GET', '/readyz')).status === 200,
  );
});
