import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openService } from './harness.ts';
import { PROJECT } from './project.ts';
import { OPERATOR_KEY } from './shop.ts';
import { sendRequest } from './wire.ts';

const service = await openService();

test('openapi.json has no error and no warning under the recommended rules of Redocly', async () => {
  const cli = join(PROJECT, 'node_modules/@redocly/cli/bin/cli.js');
  const { stdout, stderr } = await run(process.execPath, [
    cli,
    'lint',
    '--extends=recommended',
    '--format=json',
    'openapi.json',
  ]);
  const { totals, problems } = JSON.parse(stdout) as { totals: Record<string, number>; problems: unknown[] };
  assert.deepEqual(
    totals,
    { errors: 0, warnings: 0, ignored: 0 },
    `${JSON.stringify(problems, null, 2)}${stderr}`,
  );
});

function run(program: string, words: string[]): Promise<{ stdout: string; stderr: string }> {
  // No call to any other system.
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NO_COLOR: '1',
  };
  return new Promise((resolve) => {
    execFile(program, words, { cwd: PROJECT, env }, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

test('POST /public/leads accepts the example of openapi.json', async () => {
  const operation = (await service.get('/openapi.json')).body.paths['/public/leads'].post;
  const { example } = operation.requestBody.content['application/json'];
  assert.equal((await service.post('/public/leads', example)).status, 201);
});

test('the examples of the staff API work in the sandbox unchanged', async () => {
  const { paths } = (await service.staff('GET', '/openapi.json', { key: null })).body;
  const bodies = [
    ...['/admin/checkouts', '/admin/customers', '/sandbox/clock', '/sandbox/psp/faults'],
    ...['/admin/partners', '/admin/keys', '/admin/staff', '/admin/offers'],
    ...['/admin/categories', '/admin/merchants', '/admin/faq', '/admin/posts'],
    ...['/admin/categories/{slug}', '/admin/merchants/{slug}', '/admin/faq/{id}', '/admin/posts/{slug}'],
  ];
  for (const path of bodies) {
    for (const [method, { requestBody, parameters }] of Object.entries<Documented>(paths[path])) {
      if (!requestBody) continue;
      const body = requestBody.content['application/json'].example;
      const address = path.replace(/\{(.*)\}/, (_, name) => exampleOf(parameters, name));
      const answer = await service.staff(method.toUpperCase(), address, { key: OPERATOR_KEY, body });
      assert.ok(answer.status < 300, `${method} ${path} ${answer.text}`);
    }
  }
});

test('every example of both APIs matches its schema', async () => {
  for (const ask of [service.get('/openapi.json'), service.staff('GET', '/openapi.json', { key: null })]) {
    const { body: document } = await ask;
    const ajv = new Ajv2020({ allErrors: true, strict: false, discriminator: false });
    addFormats.default(ajv);
    for (const own of ['phone', 'text', 'reais', 'cpf', 'birth-date']) ajv.addFormat(own, true);
    ajv.addSchema(document, 'openapi');
    const faults = placesOf(document, [])
      .filter(({ node }) => 'schema' in node && 'example' in node)
      .flatMap(({ node, at }) => {
        const pointer = [...at, 'schema'].map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
        const validate = ajv.getSchema(`openapi#/${encodeURI(pointer.join('/'))}`)!;
        return validate(node.example) ? [] : [`${at.join(' ')}: ${ajv.errorsText(validate.errors)}`];
      });
    assert.deepEqual(faults, []);
  }
});

type Place = { node: Record<string, unknown>; at: string[] };

/** Every object of a document, with its path. */
function placesOf(node: unknown, at: string[]): Place[] {
  if (typeof node !== 'object' || node === null) return [];
  return [
    { node: node as Place['node'], at },
    ...Object.entries(node).flatMap(([name, part]) => placesOf(part, [...at, name])),
  ];
}

test('a shared schema is named with an identifier, from which generators create types', async () => {
  for (const ask of [service.get('/openapi.json'), service.staff('GET', '/openapi.json', { key: null })]) {
    const { components } = (await ask).body;
    const names = Object.values<object>(components).flatMap((kind) => Object.keys(kind));
    assert.ok(names.length > 50);
    assert.deepEqual(
      names.filter((name) => !/^[A-Za-z]\w*$/.test(name)),
      [],
    );
  }
});

test('only operations of the staff API and of merchants’ members require a role', async () => {
  const { paths } = (await service.get('/openapi.json')).body;
  const withRole = Object.entries<object>(paths)
    .filter(([, methods]) => Object.values(methods).some((operation) => 'x-role' in operation))
    .map(([path]) => path);
  assert.ok(withRole.length > 10);
  assert.deepEqual(
    withRole.filter((path) => !path.startsWith('/merchant/')),
    [],
  );
  const staff = await service.staff('GET', '/openapi.json', { key: null });
  assert.ok(staff.text.includes('role_missing'));
});

test('no body of either API accepts unknown fields', async () => {
  for (const ask of [service.get('/openapi.json'), service.staff('GET', '/openapi.json', { key: null })]) {
    const { body: document } = await ask;
    for (const [path, operations] of Object.entries<Record<string, { requestBody?: { content: Content } }>>(
      document.paths,
    ))
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const schema = requestBody?.content['application/json']?.schema;
        assert.deepEqual(openPlaces(document, schema), [], `${method} ${path}`);
      }
  }
});

type Content = Record<string, { schema?: Schema }>;
type Schema = {
  $ref?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
};

/** The places in a body where any value is allowed. */
function openPlaces(document: Record<string, never>, schema: Schema | undefined, at = '/'): string[] {
  if (!schema) return [];
  if (schema.$ref) {
    const found = schema.$ref
      .slice(2)
      .split('/')
      .reduce<Record<string, never>>((part, name) => part[name]!, document);
    return openPlaces(document, found, at);
  }
  const { anyOf = [], properties, additionalProperties, items } = schema;
  return [
    ...(properties && additionalProperties !== false ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, field]) =>
      openPlaces(document, field, `${at}${name}/`),
    ),
    ...[...anyOf, items].flatMap((part) => openPlaces(document, part, at)),
  ];
}

type Parameter = { name: string; schema: { examples?: string[] } };
type Documented = { requestBody?: RequestBody; parameters: Parameter[] };
const exampleOf = (parameters: Parameter[], wanted: string): string =>
  parameters.find(({ name }) => name === wanted)!.schema.examples![0]!;

type RequestBody = { content: { 'application/json': { example: unknown } } };

test('each API has its own title and URL, and only operations of customers require a token', async () => {
  const front = (await service.get('/openapi.json', { key: null })).body;
  const staff = (await service.staff('GET', '/openapi.json', { key: null })).body;
  assert.deepEqual([front.info.title, staff.info.title], ['Semana API', 'Semana operator API']);
  assert.deepEqual(front.servers, [{ url: service.partnerUrl }]);
  assert.deepEqual(staff.servers, [{ url: service.staffUrl }]);
  assert.deepEqual(Object.keys(front.components.securitySchemes), ['apiKey', 'token']);
  assert.deepEqual(Object.keys(staff.components.securitySchemes), ['apiKey']);
  const [frontPage, staffPage] = [
    await service.get('/docs/reference/'),
    await service.staff('GET', '/docs/'),
  ];
  assert.match(frontPage.text, /<title>Semana API</);
  assert.match(staffPage.text, /<title>Semana operator API</);
  assert.deepEqual(readSettings(frontPage.text).preferredSecurityScheme, [['apiKey', 'token']]);
  assert.deepEqual(readSettings(staffPage.text).preferredSecurityScheme, 'apiKey');
});

/** How the reference page is to send credentials. */
function readSettings(page: string): { preferredSecurityScheme: unknown } {
  return JSON.parse(/"authentication":\s*(\{.*?\}\s*\}\s*\})/s.exec(page)![1]!);
}

test('/docs/reference contains all its resources and loads nothing from other hosts', async () => {
  const page = await service.get('/docs/reference/');
  assert.equal(page.status, 200);
  const loaded = Array.from(
    page.text.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g),
    ([, address]) => address!,
  );
  assert.ok(loaded.length > 0);
  for (const address of loaded) {
    const { origin, pathname } = new URL(address, `${service.partnerUrl}/docs/reference/`);
    assert.equal(origin, service.partnerUrl);
    assert.equal((await service.get(pathname)).status, 200);
  }
  assert.match(page.headers.get('content-security-policy')!, /connect-src 'self'/);
});

test('every enum of openapi.json has a type, and the names of schemas have one style', async () => {
  const { body } = await service.get('/openapi.json');
  const untyped: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { enum: values, type } = value as { enum?: unknown; type?: unknown };
    if (Array.isArray(values) && type === undefined) untyped.push(path);
    for (const [name, part] of Object.entries(value)) visit(part, `${path}/${name}`);
  };
  visit(body, '');
  assert.deepEqual(untyped, []);
  assert.deepEqual(
    Object.keys(body.components.schemas).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name)),
    [],
  );
});

test('openapi.json is compressed, smaller than 100 KB, and has an ETag for 304', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const served = await sendRequest(service.partnerUrl, 'GET', '/openapi.json', { headers });
    assert.equal(served.status, 200);
    assert.equal(served.headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
    if (encoding !== 'identity') assert.ok(Number(served.headers['content-length']) < 100_000, encoding);
    const again = await sendRequest(service.partnerUrl, 'GET', '/openapi.json', {
      headers: { ...headers, 'if-none-match': String(served.headers.etag) },
    });
    assert.equal(again.status, 304, encoding);
  }
});
