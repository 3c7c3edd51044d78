import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shareService } from './harness.ts';
import { PROJECT } from './project.ts';
import { assertProblem, assertStandardHeaders, sendRequest, type WireResponse } from './wire.ts';

const service = await shareService();
const SCOPES = ['public', 'wallet', 'merchant', 'till', 'operator'] as const;

type Operation = {
  'x-scope'?: (typeof SCOPES)[number] | 'partner';
  security?: unknown[];
  responses: Record<string, { $ref?: string }>;
};
const document = JSON.parse(readFileSync(join(PROJECT, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: {
    responses: Record<string, { content: Record<string, { examples: Record<string, unknown> }> }>;
  };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, 'anything'),
    operation,
  })),
);

/** Creates a key with all scopes but these. A key cannot have both `merchant` and `till`, so `till` is left out if it has `merchant`. */
async function createKeyWithout(...scopes: Array<(typeof SCOPES)[number]>): Promise<string> {
  const otherScopes = SCOPES.filter((scope) => !scopes.includes(scope));
  const { secret } = await service.newKey({
    scopes: otherScopes.filter((scope) => scope !== 'till' || !otherScopes.includes('merchant')),
  });
  return secret;
}
const keyWithoutScope = {
  public: await createKeyWithout('public'),
  wallet: await createKeyWithout('wallet'),
  merchant: await createKeyWithout('merchant', 'till'),
  till: await createKeyWithout('till'),
  operator: await createKeyWithout('operator'),
  // Operations with the scope 'partner' accept keys of these three scopes. The error names the last one.
  partner: await createKeyWithout('public', 'wallet', 'merchant'),
};

test('openapi.json lists exactly the endpoints of the partner API that are documented', () => {
  const servedEndpoints = service.endpoints.partner
    .filter(({ undocumented }) => !undocumented)
    .map((spec) => `${spec.method} ${spec.url.replace(/:(\w+)/g, '{$1}')}`);
  assert.deepEqual(operations.map(({ name }) => name).sort(), servedEndpoints.sort());
});

test('the access in openapi.json equals that of the endpoint', () => {
  for (const { name, operation } of operations) {
    const spec = service.endpoints.partner.find(
      ({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}` === name,
    )!;
    const scope = spec.access === 'open' ? undefined : spec.access.scope;
    assert.equal(operation['x-scope'], scope, name);
    assert.equal(operation.security?.length === 0, scope === undefined, name);
  }
});

function assertDocumented({ responses }: Operation, status: number, code: string): void {
  const name = responses[status]?.$ref?.split('/').at(-1) ?? '';
  const examples = document.components.responses[name]?.content['application/problem+json']?.examples;
  assert.ok(code in (examples ?? {}), `${status} ${code} is in openapi.json`);
}

function assertChallenge({ headers }: WireResponse): void {
  assert.match(headers['www-authenticate']!, /^ApiKey realm="semana"/);
}

for (const { name, method, path, operation } of operations) {
  const scope = operation['x-scope'];
  if (scope === undefined) continue;
  const callWithHeaders = (headers: Record<string, string>) =>
    sendRequest(service.partnerUrl, method, path, { headers });

  test(`${name} refuses callers: 401 without a key, 401 with a wrong key, 403 with a key of another scope`, async () => {
    for (const headers of [{}, { 'x-api-key': '' }]) {
      const responseWithoutKey = await callWithHeaders(headers as Record<string, string>);
      assertProblem(responseWithoutKey, 401, 'api_key_missing');
      assertChallenge(responseWithoutKey);
      assertStandardHeaders(responseWithoutKey);
    }
    for (const key of ['wrong', 'sandbox-demo-kez', 'sandbox-demo-key2', 'SANDBOX-DEMO-KEY', 'null', 'é']) {
      const responseToWrongKey = await callWithHeaders({ 'x-api-key': key });
      assertProblem(responseToWrongKey, 401, 'api_key_invalid');
      assertChallenge(responseToWrongKey);
    }
    const responseToOtherScope = await callWithHeaders({ 'x-api-key': keyWithoutScope[scope] });
    assert.match(
      assertProblem(responseToOtherScope, 403, 'scope_missing').detail,
      new RegExp(`'${scope === 'partner' ? 'merchant' : scope}'`),
    );
    assert.equal(responseToOtherScope.headers['www-authenticate'], undefined);

    for (const code of ['api_key_missing', 'api_key_invalid']) assertDocumented(operation, 401, code);
    assertDocumented(operation, 403, 'scope_missing');
  });
}

test('a key is read from the header x-api-key only', async () => {
  const key = 'sandbox-demo-key';
  for (const headers of [
    { authorization: `Bearer ${key}` },
    { authorization: `ApiKey ${key}` },
    { cookie: `x-api-key=${key}` },
    { 'x-apikey': key },
  ]) {
    const response = await sendRequest(service.partnerUrl, 'GET', '/public/faq', {
      headers: headers as Record<string, string>,
    });
    assertProblem(response, 401, 'api_key_missing');
  }
  assertProblem(
    await sendRequest(service.partnerUrl, 'GET', `/public/faq?x-api-key=${key}`),
    401,
    'api_key_missing',
  );
});

test('without a key the partner API serves only pages without secrets', () => {
  const openEndpoints = service.endpoints.partner.filter(
    (spec) => spec.access === 'open' && spec.undocumented,
  );
  // Callers of a calendar or a callback must know a secret; see src/pix/callbacks/receive-callback.ts.
  const expectedUrls = [
    '/',
    '/calendar/:secret.ics',
    '/docs',
    '/docs/',
    '/docs/:language/:name',
    '/docs/:name',
    '/errors',
    '/errors/:code',
    '/healthz',
    '/messages/twilio/status',
    '/openapi.json',
    '/psp/callback/:secret',
    '/psp/callback/:secret/',
    '/psp/callback/:secret/cobr',
    '/psp/callback/:secret/cobr/',
    '/psp/callback/:secret/pix',
    '/psp/callback/:secret/pix/',
    '/psp/callback/:secret/rec',
    '/psp/callback/:secret/rec/',
  ];
  const urls = openEndpoints.map((spec) => spec.url).filter((url) => !url.startsWith('/.well-known/'));
  assert.deepEqual(urls.sort(), expectedUrls);
});

test('readiness and metrics are not in the partner API', async () => {
  for (const path of ['/readyz', '/metrics']) {
    assertProblem(await sendRequest(service.partnerUrl, 'GET', path), 404, 'not_found');
    assert.equal((await sendRequest(service.staffUrl, 'GET', path)).status, 200);
  }
});

test('a refusal reveals neither whether a resource exists nor which fields are missing in the body', async () => {
  const responseForMissingMerchant = await service.get('/public/merchants/none', { key: 'wrong' });
  const responseForMerchant = await service.get('/public/merchants/agropet-chapadao', { key: 'wrong' });
  const { request_id: _, ...bodyForMissingMerchant } = responseForMissingMerchant.body;
  const { request_id: __, ...bodyForMerchant } = responseForMerchant.body;
  assert.deepEqual(bodyForMissingMerchant, bodyForMerchant);
  assert.equal((await service.post('/public/leads', { nonsense: true }, { key: 'wrong' })).status, 401);
  assert.equal((await service.call('POST', '/public/leads', { key: null, raw: '{' })).status, 401);
});
