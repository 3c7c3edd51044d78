import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { shareService } from '../../test/harness.ts';

const service = await shareService();
const { body: openapi } = await service.get('/openapi.json', { key: null });

const ajv = new Ajv2020({ allErrors: true, strict: false, discriminator: false });
addFormats.default(ajv);
ajv.addFormat('phone', true).addFormat('text', true).addFormat('reais', true).addSchema(openapi, 'openapi');

type Response = { $ref?: string; content?: object; headers?: object };

/** Finds the declaration of a response in openapi.json, by the path template. */
function findDeclaredResponse(
  method: string,
  path: string,
  status: number,
): { response: Response; pointer: string } {
  const { responses } = openapi.paths[path][method.toLowerCase()];
  assert.ok(responses[status], `${method} ${path} declares the status ${status}`);
  const sharedName = (responses[status] as Response).$ref?.split('/').at(-1);
  const response: Response = sharedName ? openapi.components.responses[sharedName] : responses[status];
  const [type] = Object.keys(response.content ?? {});
  const pointerSegments = [
    ...(sharedName
      ? ['components', 'responses', sharedName]
      : ['paths', path, method.toLowerCase(), 'responses', String(status)]),
    'content',
    type!,
    'schema',
  ];
  const pointer = pointerSegments
    .map((segment) => segment.replaceAll('~', '~0').replaceAll('/', '~1'))
    .join('/');
  return { response, pointer: `openapi#/${encodeURI(pointer)}` };
}

async function assertConforms(
  method: string,
  path: string,
  url: string,
  status: number,
  requestBody?: unknown,
) {
  const actualResponse = await service.call(
    method,
    url,
    requestBody === undefined ? {} : { body: requestBody },
  );
  assert.equal(actualResponse.status, status, actualResponse.text);
  const { response, pointer } = findDeclaredResponse(method, path, status);
  const validate = ajv.getSchema(pointer);
  assert.ok(validate, pointer);
  assert.ok(validate(actualResponse.body), `${method} ${url}: ${ajv.errorsText(validate.errors)}`);
  // The demo key has no rate limit, so its responses lack the headers of rate limits.
  const optionalHeaders = ['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy'];
  for (const name of Object.keys(response.headers ?? {})) {
    if (!optionalHeaders.includes(name)) assert.ok(actualResponse.headers.has(name), `${url} has ${name}`);
  }
  return actualResponse;
}

const leadForm = { kind: 'partner', name: 'Joana', email: 'joana@example.com' };

test('every response of the catalog conforms to openapi.json', async () => {
  const [merchant] = (await service.get('/public/merchants?limit=1')).body.data;
  const [post] = (await service.get('/public/blog?limit=1')).body.data;
  const checkedEndpoints: string[] = [];
  const check = async (method: string, path: string, url: string, status: number, body?: unknown) => {
    checkedEndpoints.push(`${method} ${path}`);
    await assertConforms(method, path, url, status, body);
  };
  await check('GET', '/public/merchants', '/public/merchants', 200);
  await check('GET', '/public/merchants', '/public/merchants?limit=100', 200);
  await check('GET', '/public/merchants', '/public/merchants?q=farmacia&category=farmacias', 200);
  await check('GET', '/public/merchants', '/public/merchants?page=1000', 200);
  await check('GET', '/public/merchants', '/public/merchants?page=0&limit=0', 400);
  await check('GET', '/public/merchants/{slug}', `/public/merchants/${merchant.slug}`, 200);
  await check('GET', '/public/merchants/{slug}', '/public/merchants/nenhuma', 404);
  await check('GET', '/public/categories', '/public/categories', 200);
  await check('GET', '/public/creditor', '/public/creditor', 200);
  await check('GET', '/public/agreements/{kind}', '/public/agreements/terms', 200);
  await check('GET', '/public/agreements/{kind}', '/public/agreements/nenhum', 404);
  await check('GET', '/public/faq', '/public/faq', 200);
  await check('GET', '/public/faq', '/public/faq?topic=%00', 400);
  await check('GET', '/public/faq/topics', '/public/faq/topics', 200);
  const quotePath = '/public/merchants/padaria-flor-do-trigo/quote';
  await check('GET', '/public/merchants/{slug}/quote', `${quotePath}?amount=100&installments=3`, 200);
  await check('GET', '/public/merchants/{slug}/quote', `${quotePath}?amount=x`, 400);
  await check('GET', '/public/blog', '/public/blog?limit=100', 200);
  await check('GET', '/public/blog', '/public/blog?page=x', 400);
  await check('GET', '/public/blog/{slug}', `/public/blog/${post.slug}`, 200);
  await check('GET', '/public/blog/{slug}', '/public/blog/nenhum', 404);
  const offerResponse = await service.post(
    '/merchant/offers',
    { amount: 100, installments: 3 },
    { key: 'sandbox-merchant-key' },
  );
  const token = offerResponse.body.link.split('/').at(-1);
  await check('GET', '/public/offers/{token}', `/public/offers/${token}`, 200);
  await check('GET', '/public/offers/{token}', `/public/offers/${'x'.repeat(22)}`, 404);
  await check('POST', '/public/leads', '/public/leads', 201, leadForm);
  await check('POST', '/public/leads', '/public/leads', 400, { kind: 'X', extra: 1 });

  const endpoints = Object.entries(openapi.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const publicEndpoints = endpoints.filter((name) => name.includes(' /public/'));
  assert.deepEqual(
    [...new Set(checkedEndpoints)].toSorted(),
    publicEndpoints.toSorted(),
    'every endpoint is checked',
  );
});

test('every merchant and post of the demo conforms to openapi.json', async () => {
  for (let page = 1; page <= 4; page++) {
    const { body } = await service.get(`/public/merchants?page=${page}`);
    for (const { slug } of body.data) {
      await assertConforms('GET', '/public/merchants/{slug}', `/public/merchants/${slug}`, 200);
    }
  }
  for (const { slug } of (await service.get('/public/blog?limit=100')).body.data) {
    await assertConforms('GET', '/public/blog/{slug}', `/public/blog/${slug}`, 200);
  }
});

test('the checks fail for a wrong type, a missing field and an invalid timestamp', () => {
  const { pointer } = findDeclaredResponse('GET', '/public/blog/{slug}', 200);
  const [example] = openapi.components.schemas.Post.examples;
  const validate = ajv.getSchema(pointer)!;
  assert.ok(validate(example));
  for (const invalidFields of [
    { tags: 'x' },
    { title: undefined },
    { published_at: 'ontem' },
    { cover_url: 1 },
  ]) {
    assert.equal(validate(JSON.parse(JSON.stringify({ ...example, ...invalidFields }))), false);
  }
});

test('every example in openapi.json conforms to its schema', () => {
  for (const [name, schema] of Object.entries(
    openapi.components.schemas as Record<string, { examples?: unknown[] }>,
  )) {
    const validate = ajv.getSchema(`openapi#/components/schemas/${name}`)!;
    for (const example of schema.examples ?? []) {
      assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`);
    }
  }
});
