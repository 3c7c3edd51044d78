import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from './harness.ts';
import { openPixShop } from './pix-shop.ts';
import { OPERATOR_KEY } from './shop.ts';

// Values of the right type that are no valid amount or instant: refused at every endpoint that accepts one.

const service = await openService();
const pixShop = openPixShop(service);

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

const fieldsOf = (schema: Schema, format: string): string[] => {
  const known = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
  const own = Object.entries(known.properties ?? {}).filter(([, field]) => field.format === format);
  return [
    ...new Set([
      ...own.map(([name]) => name),
      ...(known.anyOf ?? []).flatMap((part) => fieldsOf(part, format)),
    ]),
  ];
};
const addressOf = (path: string, parameters: Parameter[]) =>
  path.replace(
    /\{(\w+)\}/g,
    (_, name) => parameters.find((known) => known.name === name)!.schema.examples![0]!,
  );

type Answer = {
  status: number;
  text: string;
  body: { code: string; errors?: Array<{ pointer: string; message: string }> };
};
const faultAt = (answer: Answer, pointer: string, what: string): string => {
  assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], `${what}: ${answer.text}`);
  const messages = answer.body
    .errors!.filter((fault) => fault.pointer === pointer)
    .map(({ message }) => message);
  assert.equal(messages.length, 1, `${what}: ${answer.text}`);
  return messages[0]!;
};

const NO_INSTANTS = [
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
  const tried: string[] = [];
  for (const { path, method, operation } of operations) {
    const { parameters = [], requestBody } = operation;
    const content = requestBody?.content['application/json'];
    const body = content?.example;
    const queries = parameters.filter((known) => known.in === 'query' && known.schema.format === 'date-time');
    const fields = content ? fieldsOf(content.schema, 'date-time') : [];
    for (const instant of NO_INSTANTS) {
      for (const { name } of queries) {
        const target = `${addressOf(path, parameters)}?${name}=${encodeURIComponent(instant)}`;
        const response = await service.staff(method, target, { key: OPERATOR_KEY, ...(body && { body }) });
        faultAt(response, `/${name}`, `${method} ${target}`);
      }
      for (const name of fields) {
        const sent = { ...body, [name]: instant };
        const response = await service.staff(method, addressOf(path, parameters), {
          key: OPERATOR_KEY,
          body: sent,
        });
        faultAt(response, `/${name}`, `${method} ${path} ${JSON.stringify(sent)}`);
      }
    }
    tried.push(...[...queries.map(({ name }) => name), ...fields].map((name) => `${method} ${path} ${name}`));
  }
  for (const known of [
    'GET /admin/audit-trail since',
    'POST /admin/checkouts purchased_at',
    'POST /admin/posts published_at',
    'POST /sandbox/clock now',
  ])
    assert.ok(tried.includes(known), `${known} is not among ${tried.join(', ')}`);
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

const TOO_MUCH = 10 ** 20;

test('an amount that is too large is refused as too large, not for its decimals', async () => {
  const shopper = await pixShop.newShopper();
  const sale = await pixShop.sell(shopper);
  const installment = sale.installments[0]!.id;
  const merchant = { key: 'sandbox-merchant-key' };
  const staff = (path: string, body: object) => service.staff('POST', path, { key: OPERATOR_KEY, body });
  const order = { merchant: 'padaria-flor-do-trigo', installments: 4, amount: TOO_MUCH };
  const quote = `/public/merchants/${order.merchant}/quote?installments=4&amount=${'1'.padEnd(21, '0')}`;
  const answers: Array<[pointer: string, answer: Answer]> = [
    ['/amount', await service.get(quote)],
    ['/amount', await service.post('/merchant/quotes', { amount: TOO_MUCH, installments: 4 }, merchant)],
    [
      '/value',
      await pixShop.requestCharge(shopper, installment, { type: 'settle_partial', value: TOO_MUCH }),
    ],
    ['/amount', await staff('/admin/checkouts', { ...order, customer: shopper.id })],
  ];
  for (const [pointer, answer] of answers)
    assert.match(faultAt(answer, pointer, answer.text), /^must be at most \d+$/);
  const decimals = await service.get(quote.replace(/amount=.*/, 'amount=10.001'));
  assert.match(faultAt(decimals, '/amount', 'decimals'), /two decimals/);
});
