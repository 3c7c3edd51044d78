import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openService } from '../../test/harness.ts';

const service = await openService();
const { body: openapi } = await service.get('/openapi.json', { key: null });

const ajv = new Ajv2020({ allErrors: true, strict: false, discriminator: false });
addFormats.default(ajv);
ajv.addFormat('phone', true).addFormat('text', true).addFormat('reais', true).addSchema(openapi, 'openapi');

type Response = { $ref?: string; content?: object; headers?: object };

/** What openapi.json promises for this answer, by the path as it is written there. */
function promised(method: string, path: string, status: number): { response: Response; pointer: string } {
  const { responses } = openapi.paths[path][method.toLowerCase()];
  assert.ok(responses[status], `${method} ${path} says that it may answer ${status}`);
  const shared = (responses[status] as Response).$ref?.split('/').at(-1);
  const response: Response = shared ? openapi.components.responses[shared] : responses[status];
  const [type] = Object.keys(response.content ?? {});
  const steps = [
    ...(shared
      ? ['components', 'responses', shared]
      : ['paths', path, method.toLowerCase(), 'responses', String(status)]),
    ...['content', type!, 'schema'],
  ];
  const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  return { response, pointer: `openapi#/${encodeURI(pointer)}` };
}

async function assertKept(method: string, path: string, address: string, status: number, form?: unknown) {
  const answer = await service.call(method, address, form === undefined ? {} : { body: form });
  assert.equal(answer.status, status, answer.text);
  const { response, pointer } = promised(method, path, status);
  const validate = ajv.getSchema(pointer);
  assert.ok(validate, pointer);
  assert.ok(validate(answer.body), `${method} ${address}: ${ajv.errorsText(validate.errors)}`);
  // The demo key has no limit.
  const sometimes = ['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy'];
  for (const name of Object.keys(response.headers ?? {})) {
    if (!sometimes.includes(name)) assert.ok(answer.headers.has(name), `${address} has ${name}`);
  }
  return answer;
}

const form = { kind: 'partner', name: 'Joana', email: 'joana@example.com' };

test('every answer of the catalog is as openapi.json says', async () => {
  const [merchant] = (await service.get('/public/merchants?limit=1')).body.data;
  const [post] = (await service.get('/public/blog?limit=1')).body.data;
  const told: string[] = [];
  const kept = async (...[method, path, ...rest]: Parameters<typeof assertKept>) => {
    told.push(`${method} ${path}`);
    await assertKept(method, path, ...rest);
  };
  await kept('GET', '/public/merchants', '/public/merchants', 200);
  await kept('GET', '/public/merchants', '/public/merchants?limit=100', 200);
  await kept('GET', '/public/merchants', '/public/merchants?q=farmacia&category=farmacias', 200);
  await kept('GET', '/public/merchants', '/public/merchants?page=1000', 200);
  await kept('GET', '/public/merchants', '/public/merchants?page=0&limit=0', 400);
  await kept('GET', '/public/merchants/{slug}', `/public/merchants/${merchant.slug}`, 200);
  await kept('GET', '/public/merchants/{slug}', '/public/merchants/nenhuma', 404);
  await kept('GET', '/public/categories', '/public/categories', 200);
  await kept('GET', '/public/creditor', '/public/creditor', 200);
  await kept('GET', '/public/agreements/{kind}', '/public/agreements/terms', 200);
  await kept('GET', '/public/agreements/{kind}', '/public/agreements/nenhum', 404);
  await kept('GET', '/public/faq', '/public/faq', 200);
  await kept('GET', '/public/faq', '/public/faq?topic=%00', 400);
  const quote = '/public/merchants/padaria-flor-do-trigo/quote';
  await kept('GET', '/public/merchants/{slug}/quote', `${quote}?amount=100&installments=3`, 200);
  await kept('GET', '/public/merchants/{slug}/quote', `${quote}?amount=x`, 400);
  await kept('GET', '/public/blog', '/public/blog?limit=100', 200);
  await kept('GET', '/public/blog', '/public/blog?page=x', 400);
  await kept('GET', '/public/blog/{slug}', `/public/blog/${post.slug}`, 200);
  await kept('GET', '/public/blog/{slug}', '/public/blog/nenhum', 404);
  const order = await service.post(
    '/merchant/offers',
    { amount: 100, installments: 3 },
    { key: 'sandbox-merchant-key' },
  );
  const token = order.body.link.split('/').at(-1);
  await kept('GET', '/public/offers/{token}', `/public/offers/${token}`, 200);
  await kept('GET', '/public/offers/{token}', `/public/offers/${'x'.repeat(22)}`, 404);
  await kept('POST', '/public/leads', '/public/leads', 201, form);
  await kept('POST', '/public/leads', '/public/leads', 400, { kind: 'X', extra: 1 });

  const all = Object.entries(openapi.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const catalog = all.filter((name) => name.includes(' /public/'));
  assert.deepEqual([...new Set(told)].toSorted(), catalog.toSorted(), 'no endpoint was left out');
});

test('every single merchant and post of the demo is as openapi.json says', async () => {
  for (let page = 1; page <= 4; page++) {
    const { body } = await service.get(`/public/merchants?page=${page}`);
    for (const { slug } of body.data) {
      await assertKept('GET', '/public/merchants/{slug}', `/public/merchants/${slug}`, 200);
    }
  }
  for (const { slug } of (await service.get('/public/blog?limit=100')).body.data) {
    await assertKept('GET', '/public/blog/{slug}', `/public/blog/${slug}`, 200);
  }
});

test('the checks themselves notice a wrong type, a missing field and a bad instant', () => {
  const { pointer } = promised('GET', '/public/blog/{slug}', 200);
  const [example] = openapi.components.schemas.Post.examples;
  const validate = ajv.getSchema(pointer)!;
  assert.ok(validate(example));
  for (const wrong of [{ tags: 'x' }, { title: undefined }, { published_at: 'ontem' }, { cover_url: 1 }]) {
    assert.equal(validate(JSON.parse(JSON.stringify({ ...example, ...wrong }))), false);
  }
});

test('every example in openapi.json is as its own schema says', () => {
  for (const [name, schema] of Object.entries(
    openapi.components.schemas as Record<string, { examples?: unknown[] }>,
  )) {
    const validate = ajv.getSchema(`openapi#/components/schemas/${name}`)!;
    for (const example of schema.examples ?? []) {
      assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`);
    }
  }
});
