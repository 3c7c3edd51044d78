import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openService } from './harness.ts';
import { PROJECT } from './project.ts';
import { OPERATOR_KEY } from './purchase-driver.ts';
import { sendRequest } from './wire.ts';

const service = await openService();

/** Fetches openapi.json of both APIs. */
const fetchDocuments = async () => [
  (await service.get('/openapi.json')).body,
  (await service.staff('GET', '/openapi.json', { key: null })).body,
];

test('openapi.json has no error and no warning under the recommended rules of Redocly', async () => {
  const cli = join(PROJECT, 'node_modules/@redocly/cli/bin/cli.js');
  const { stdout, stderr } = await runProgram(process.execPath, [
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

function runProgram(program: string, args: string[]): Promise<{ stdout: string; stderr: string }> {
  // Redocly must not call other systems.
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NO_COLOR: '1',
  };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: PROJECT, env }, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

test('POST /public/leads accepts the example of openapi.json', async () => {
  const operation = (await service.get('/openapi.json')).body.paths['/public/leads'].post;
  const { example } = operation.requestBody.content['application/json'];
  assert.equal((await service.post('/public/leads', example)).status, 201);
});

test('the examples of the staff API work in the sandbox unchanged', async () => {
  const { paths } = (await service.staff('GET', '/openapi.json', { key: null })).body;
  const pathsWithBody = [
    '/admin/checkouts',
    '/admin/customers',
    '/sandbox/clock',
    '/sandbox/psp/faults',
    '/admin/partners',
    '/admin/keys',
    '/admin/staff',
    '/admin/offers',
    '/admin/categories',
    '/admin/merchants',
    '/admin/faq',
    '/admin/posts',
    '/admin/categories/{slug}',
    '/admin/merchants/{slug}',
    '/admin/faq/{id}',
    '/admin/posts/{slug}',
  ];
  for (const path of pathsWithBody) {
    for (const [method, { requestBody, parameters }] of Object.entries<DocumentedOperation>(paths[path])) {
      if (!requestBody) continue;
      const body = requestBody.content['application/json'].example;
      const url = path.replace(/\{(.*)\}/, (_, name) => findExample(parameters, name));
      const response = await service.staff(method.toUpperCase(), url, { key: OPERATOR_KEY, body });
      assert.ok(response.status < 300, `${method} ${path} ${response.text}`);
    }
  }
});

test('every example of both APIs matches its schema', async () => {
  for (const document of await fetchDocuments()) {
    const ajv = new Ajv2020({ allErrors: true, strict: false, discriminator: false });
    addFormats.default(ajv);
    for (const ownFormat of ['phone', 'text', 'reais', 'cpf', 'birth-date']) ajv.addFormat(ownFormat, true);
    ajv.addSchema(document, 'openapi');
    const errors = listObjects(document, [])
      .filter(({ node }) => 'schema' in node && 'example' in node)
      .flatMap(({ node, path }) => {
        const pointer = [...path, 'schema'].map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
        const validate = ajv.getSchema(`openapi#/${encodeURI(pointer.join('/'))}`)!;
        return validate(node.example) ? [] : [`${path.join(' ')}: ${ajv.errorsText(validate.errors)}`];
      });
    assert.deepEqual(errors, []);
  }
});

type DocumentObject = { node: Record<string, unknown>; path: string[] };

/** Lists every object of a document with its path. */
function listObjects(node: unknown, path: string[]): DocumentObject[] {
  if (typeof node !== 'object' || node === null) return [];
  return [
    { node: node as DocumentObject['node'], path },
    ...Object.entries(node).flatMap(([name, child]) => listObjects(child, [...path, name])),
  ];
}

test('a shared schema is named with an identifier, from which generators create types', async () => {
  for (const { components } of await fetchDocuments()) {
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
  const pathsWithRole = Object.entries<object>(paths)
    .filter(([, methods]) => Object.values(methods).some((operation) => 'x-role' in operation))
    .map(([path]) => path);
  assert.ok(pathsWithRole.length > 10);
  assert.deepEqual(
    pathsWithRole.filter((path) => !path.startsWith('/merchant/')),
    [],
  );
  const staffDocument = await service.staff('GET', '/openapi.json', { key: null });
  assert.ok(staffDocument.text.includes('role_missing'));
});

test('no body of either API accepts unknown fields', async () => {
  for (const document of await fetchDocuments()) {
    for (const [path, operations] of Object.entries<Record<string, { requestBody?: { content: Content } }>>(
      document.paths,
    ))
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const schema = requestBody?.content['application/json']?.schema;
        assert.deepEqual(findOpenObjects(document, schema), [], `${method} ${path}`);
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

/** Finds the objects of a body that allow unknown fields. */
function findOpenObjects(
  document: Record<string, never>,
  schema: Schema | undefined,
  pointer = '/',
): string[] {
  if (!schema) return [];
  if (schema.$ref) {
    const target = schema.$ref
      .slice(2)
      .split('/')
      .reduce<Record<string, never>>((node, name) => node[name]!, document);
    return findOpenObjects(document, target, pointer);
  }
  const { anyOf = [], properties, additionalProperties, items } = schema;
  return [
    ...(properties && additionalProperties !== false ? [pointer] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, field]) =>
      findOpenObjects(document, field, `${pointer}${name}/`),
    ),
    ...[...anyOf, items].flatMap((subschema) => findOpenObjects(document, subschema, pointer)),
  ];
}

type Parameter = { name: string; schema: { examples?: string[] } };
type DocumentedOperation = { requestBody?: RequestBody; parameters: Parameter[] };
const findExample = (parameters: Parameter[], parameterName: string): string =>
  parameters.find(({ name }) => name === parameterName)!.schema.examples![0]!;

type RequestBody = { content: { 'application/json': { example: unknown } } };

test('each API has its own title and URL, and only operations of customers require a token', async () => {
  const partnerDocument = (await service.get('/openapi.json', { key: null })).body;
  const staffDocument = (await service.staff('GET', '/openapi.json', { key: null })).body;
  assert.deepEqual(
    [partnerDocument.info.title, staffDocument.info.title],
    ['Semana API', 'Semana operator API'],
  );
  assert.deepEqual(partnerDocument.servers, [{ url: service.partnerUrl }]);
  assert.deepEqual(staffDocument.servers, [{ url: service.staffUrl }]);
  assert.deepEqual(Object.keys(partnerDocument.components.securitySchemes), ['apiKey', 'token']);
  assert.deepEqual(Object.keys(staffDocument.components.securitySchemes), ['apiKey']);
  const [partnerPage, staffPage] = [
    await service.get('/docs/reference/'),
    await service.staff('GET', '/docs/'),
  ];
  assert.match(partnerPage.text, /<title>Semana API</);
  assert.match(staffPage.text, /<title>Semana operator API</);
  assert.deepEqual(readAuthentication(partnerPage.text).preferredSecurityScheme, [['apiKey', 'token']]);
  assert.deepEqual(readAuthentication(staffPage.text).preferredSecurityScheme, 'apiKey');
});

/** Reads how the reference page sends credentials. */
function readAuthentication(page: string): { preferredSecurityScheme: unknown } {
  return JSON.parse(/"authentication":\s*(\{.*?\}\s*\}\s*\})/s.exec(page)![1]!);
}

test('/docs/reference contains all its resources and loads nothing from other hosts', async () => {
  const page = await service.get('/docs/reference/');
  assert.equal(page.status, 200);
  const loadedUrls = Array.from(
    page.text.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g),
    ([, url]) => url!,
  );
  assert.ok(loadedUrls.length > 0);
  for (const loadedUrl of loadedUrls) {
    const { origin, pathname } = new URL(loadedUrl, `${service.partnerUrl}/docs/reference/`);
    assert.equal(origin, service.partnerUrl);
    assert.equal((await service.get(pathname)).status, 200);
  }
  assert.match(page.headers.get('content-security-policy')!, /connect-src 'self'/);
});

test('every enum of openapi.json has a type, and the names of schemas have one style', async () => {
  const { body } = await service.get('/openapi.json');
  const enumsWithoutType: string[] = [];
  const collectEnums = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { enum: values, type } = value as { enum?: unknown; type?: unknown };
    if (Array.isArray(values) && type === undefined) enumsWithoutType.push(path);
    for (const [name, child] of Object.entries(value)) collectEnums(child, `${path}/${name}`);
  };
  collectEnums(body, '');
  assert.deepEqual(enumsWithoutType, []);
  assert.deepEqual(
    Object.keys(body.components.schemas).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name)),
    [],
  );
});

test('openapi.json is compressed, smaller than 100 KB, and has an ETag for 304', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const response = await sendRequest(service.partnerUrl, 'GET', '/openapi.json', { headers });
    assert.equal(response.status, 200);
    assert.equal(response.headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
    if (encoding !== 'identity') assert.ok(Number(response.headers['content-length']) < 100_000, encoding);
    const conditionalResponse = await sendRequest(service.partnerUrl, 'GET', '/openapi.json', {
      headers: { ...headers, 'if-none-match': String(response.headers.etag) },
    });
    assert.equal(conditionalResponse.status, 304, encoding);
  }
});
