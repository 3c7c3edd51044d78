import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareService } from './harness.ts';
import { createPixDriver } from './pix-driver.ts';
import { OPERATOR_KEY } from './purchase-driver.ts';

// Values of the correct type that are not a valid amount or instant are refused by every endpoint that accepts one.

const service = await shareService();
const pixDriver = createPixDriver(service);

type Schema = { $ref?: string; format?: string; properties?: Record<string, Schema>; anyOf?: Schema[] };
type Parameter = { name: string; in: string; schema: Schema & { examples?: string[] } };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example: Record<string, unknown> }> };
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const document: Document = (await service.staff('GET', '/openapi.json', { key: null })).body;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const listFieldsOfFormat = (schema: Schema, format: string): string[] => {
  const resolvedSchema = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
  const ownFields = Object.entries(resolvedSchema.properties ?? {}).filter(
    ([, field]) => field.format === format,
  );
  return [
    ...new Set([
      ...ownFields.map(([name]) => name),
      ...(resolvedSchema.anyOf ?? []).flatMap((part) => listFieldsOfFormat(part, format)),
    ]),
  ];
};
const buildExamplePath = (path: string, parameters: Parameter[]) =>
  path.replace(
    /\{(\w+)\}/g,
    (_, name) => parameters.find((parameter) => parameter.name === name)!.schema.examples![0]!,
  );

type ProblemResponse = {
  status: number;
  text: string;
  body: { code: string; errors?: Array<{ pointer: string; message: string }> };
};
const readErrorAt = (response: ProblemResponse, pointer: string, description: string): string => {
  assert.deepEqual(
    [response.status, response.body.code],
    [400, 'validation_failed'],
    `${description}: ${response.text}`,
  );
  const messages = response.body
    .errors!.filter((error) => error.pointer === pointer)
    .map(({ message }) => message);
  assert.equal(messages.length, 1, `${description}: ${response.text}`);
  return messages[0]!;
};

const INVALID_INSTANTS = [
  '2026-11-15T23:59:60Z',
  '2016-12-31T23:59:60Z',
  '2026-11-15T20:59:60-03:00',
  '2026-02-29T12:00:00Z',
  '2026-11-15T24:00:00Z',
  '2026-11-15T12:00:00+99:00',
  '0000-01-01T00:00:00Z',
  '2026-11-15',
];

test('an invalid instant, also a leap second, gets 400 wherever an instant is accepted', async () => {
  const testedParameters: string[] = [];
  for (const { path, method, operation } of operations) {
    const { parameters = [], requestBody } = operation;
    const content = requestBody?.content['application/json'];
    const body = content?.example;
    const instantParameters = parameters.filter(
      (parameter) => parameter.in === 'query' && parameter.schema.format === 'date-time',
    );
    const instantFields = content ? listFieldsOfFormat(content.schema, 'date-time') : [];
    for (const instant of INVALID_INSTANTS) {
      for (const { name } of instantParameters) {
        const target = `${buildExamplePath(path, parameters)}?${name}=${encodeURIComponent(instant)}`;
        const response = await service.staff(method, target, { key: OPERATOR_KEY, ...(body && { body }) });
        readErrorAt(response, `/${name}`, `${method} ${target}`);
      }
      for (const name of instantFields) {
        const invalidBody = { ...body, [name]: instant };
        const response = await service.staff(method, buildExamplePath(path, parameters), {
          key: OPERATOR_KEY,
          body: invalidBody,
        });
        readErrorAt(response, `/${name}`, `${method} ${path} ${JSON.stringify(invalidBody)}`);
      }
    }
    testedParameters.push(
      ...[...instantParameters.map(({ name }) => name), ...instantFields].map(
        (name) => `${method} ${path} ${name}`,
      ),
    );
  }
  for (const parameter of [
    'GET /admin/audit-trail since',
    'POST /admin/checkouts purchased_at',
    'POST /admin/posts published_at',
    'POST /sandbox/clock now',
  ])
    assert.ok(
      testedParameters.includes(parameter),
      `${parameter} is not among ${testedParameters.join(', ')}`,
    );
});

test('the last instant of a minute and other offsets are valid instants', async () => {
  for (const instant of [
    '2026-11-15T23:59:59.999999Z',
    '2026-11-15T23:59:59-03:00',
    '2026-11-15t12:00:00z',
  ]) {
    const { status, text } = await service.staff(
      'GET',
      `/admin/audit-trail?since=${encodeURIComponent(instant)}`,
      {
        key: OPERATOR_KEY,
      },
    );
    assert.equal(status, 200, `${instant}: ${text}`);
  }
});

const TOO_LARGE = 10 ** 20;

test('an amount that is too large is refused as too large, not for its decimals', async () => {
  const customer = await pixDriver.createCustomer();
  const purchase = await pixDriver.sell(customer);
  const installmentId = purchase.installments[0]!.id;
  const merchantOptions = { key: 'sandbox-merchant-key' };
  const postAsStaff = (path: string, body: object) =>
    service.staff('POST', path, { key: OPERATOR_KEY, body });
  const order = { merchant: 'padaria-flor-do-trigo', installments: 4, amount: TOO_LARGE };
  const quotePath = `/public/merchants/${order.merchant}/quote?installments=4&amount=${'1'.padEnd(21, '0')}`;
  const responses: Array<[pointer: string, response: ProblemResponse]> = [
    ['/amount', await service.get(quotePath)],
    [
      '/amount',
      await service.post('/merchant/quotes', { amount: TOO_LARGE, installments: 4 }, merchantOptions),
    ],
    [
      '/value',
      await pixDriver.requestCharge(customer, installmentId, { type: 'settle_partial', value: TOO_LARGE }),
    ],
    ['/amount', await postAsStaff('/admin/checkouts', { ...order, customer: customer.id })],
  ];
  for (const [pointer, response] of responses)
    assert.match(readErrorAt(response, pointer, response.text), /^must be at most \d+$/);
  const decimalsResponse = await service.get(quotePath.replace(/amount=.*/, 'amount=10.001'));
  assert.match(readErrorAt(decimalsResponse, '/amount', 'decimals'), /two decimals/);
});
