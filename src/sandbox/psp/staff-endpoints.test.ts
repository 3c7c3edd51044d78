import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import { createApiServer } from '#platform/http/api-server.ts';
import { buildEndpoints } from '#platform/http/endpoint.ts';
import { buildOpenApi } from '#platform/http/openapi.ts';
import { createMetrics } from '#platform/observability/metrics.ts';
import { unavailable } from '#platform/problem.ts';
import {
  buildChargeBody,
  newTxid,
  openTestSimulator,
  PIX_KEY,
  send,
} from '../../../test/support/psp-simulator.ts';
import { Faults, NO_FAULTS } from './faults.ts';
import * as endpoints from './http/index.ts';
import { getSandboxPsp } from './http/sandbox-psp.ts';

const simulatorHost = await openTestSimulator();
const { call, clock, simulator } = simulatorHost;
type OperationBody = {
  required: boolean;
  content: { 'application/json': { schema: { properties: Record<string, unknown> } } };
};
/** Contains characters that HTML must escape. */
const OPERATOR_KEY = 'key "of" <the> operator';

const staffServer = createApiServer({
  name: 'staff',
  https: false,
  trustProxy: false,
  log: simulatorHost.log,
  metrics: createMetrics(),
  publicUrl: () => 'http://localhost',
  guard(request, _reply, access) {
    if (access !== 'open' && request.headers['x-api-key'] !== OPERATOR_KEY)
      throw unavailable({ en: 'No key.', pt: 'Sem chave.' });
    return undefined;
  },
});
const { staff: staffEndpoints } = buildEndpoints(endpoints, {
  simulator,
  autopay: { findRecId: async () => null, sync: async () => null },
  mayCallerPay: async () => false,
  clock,
});
staffServer.mount([...staffEndpoints, getSandboxPsp(OPERATOR_KEY)]);
const staffUrl = await staffServer.fastify.listen({ host: '127.0.0.1', port: 0 });
after(() => staffServer.fastify.close());

const callApi = (method: string, path: string, body?: unknown) =>
  send(staffUrl + path, {
    method,
    headers: { 'x-api-key': OPERATOR_KEY, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function createCharge(amount = '10.50') {
  const txid = newTxid();
  return (await call('PUT', `/v2/cob/${txid}`, buildChargeBody(amount, { solicitacaoPagador: 'Parcela 1' })))
    .body;
}

test('all endpoints except the page require the operator key', async () => {
  for (const { method, url, access } of staffServer.endpoints) {
    if (url === '/sandbox/psp') assert.equal(access, 'open');
    else assert.ok(access !== 'open' && access.scope === 'operator', `${method} ${url}`);
  }
});

test('pay: without a body, the whole amount is paid now', async () => {
  const { txid } = await createCharge();
  const { status, body } = await callApi('POST', `/sandbox/pix/${txid}/pay`);
  assert.equal(status, 201);
  assert.match(body.end_to_end_id, /^E\d{8}\d{12}[a-zA-Z0-9]{11}$/);
  assert.deepEqual(body, {
    end_to_end_id: body.end_to_end_id,
    txid,
    value: 10.5,
    paid_at: clock.now().toISOString(),
  });
});

test('pay: the body can set the amount and the time of the payment', async () => {
  const { txid } = await createCharge();
  clock.advance(MINUTE_MS);
  const at = '2026-11-16T15:00:30Z';
  const { body } = await callApi('POST', `/sandbox/pix/${txid}/pay`, { value: 3.33, at });
  assert.deepEqual([body.value, body.paid_at], [3.33, '2026-11-16T15:00:30.000Z']);
  clock.set('2026-11-16T15:00:00Z');
});

test('pay: a time before the creation of the charge is refused, except with force', async () => {
  const { txid } = await createCharge();
  const at = '2026-11-16T14:59:59.999Z';
  const earlyResponse = await callApi('POST', `/sandbox/pix/${txid}/pay`, { at });
  assert.deepEqual([earlyResponse.status, earlyResponse.body.code], [400, 'validation_failed']);
  assert.equal(earlyResponse.body.errors[0].pointer, '/at');
  assert.match(earlyResponse.body.errors[0].message, /2026-11-16T15:00:00\.000Z/);
  const forcedResponse = await callApi('POST', `/sandbox/pix/${txid}/pay`, { at, force: true });
  assert.deepEqual([forcedResponse.status, forcedResponse.body.paid_at], [201, at]);
});

test('pay: the largest amount that the standard can express is accepted, larger amounts are refused', async () => {
  const { txid } = await createCharge();
  const pay = (value: number) => callApi('POST', `/sandbox/pix/${txid}/pay`, { value });
  for (const value of [10_000_000_000, 1_000_000_000_000, 1e300]) {
    const { status, body } = await pay(value);
    assert.deepEqual([status, body.errors?.[0].pointer], [400, '/value'], String(value));
  }
  const { status, body } = await pay(9_999_999_999.99);
  assert.deepEqual([status, body.value], [201, 9_999_999_999.99]);
  const pixResponse = await call('GET', `/v2/pix/${body.end_to_end_id}`);
  assert.equal(pixResponse.body.valor, '9999999999.99');
});

test('pay: 404, 409 and 400 for invalid requests', async () => {
  assert.equal((await callApi('POST', `/sandbox/pix/${newTxid()}/pay`)).status, 404);
  for (const action of ['pay', 'reverse'])
    assert.equal((await callApi('POST', `/sandbox/pix/%00/${action}`)).status, 404);
  const { txid } = await createCharge();
  const pay = (body?: unknown) => callApi('POST', `/sandbox/pix/${txid}/pay`, body);
  const invalidBodies: Array<[body: unknown, pointer: string]> = [
    [{ value: 0 }, '/value'],
    [{ value: 1.005 }, '/value'],
    [{ value: '1.00' }, '/value'],
    [{ at: 'yesterday' }, '/at'],
    [{ at: '2026-11-16T15:02:00Z' }, '/at'],
    [{ at: '0000-01-01T00:00:00Z', force: true }, '/at'],
    [{ at: '2026-12-31T23:59:60Z' }, '/at'],
    [{ at: '2026-02-30T00:00:00Z' }, '/at'],
    [{ force: 1 }, '/force'],
    [{ amount: 1 }, '/amount'],
    [[], ''],
  ];
  for (const [body, pointer] of invalidBodies) {
    const response = await pay(body);
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.equal(response.body.code, 'validation_failed');
    assert.deepEqual(
      response.body.errors.map((error: { pointer: string }) => error.pointer),
      [pointer],
    );
  }
  clock.advance(HOUR_MS + 1);
  assert.equal((await pay()).body.code, 'charge_expired');
  assert.equal((await pay({ force: true })).status, 201);
  const repeatedResponse = await pay();
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.code], [409, 'charge_not_payable']);
});

test('pay and reverse: the body is optional in openapi.json', async () => {
  const { paths } = buildOpenApi({
    endpoints: staffServer.endpoints,
    title: '',
    url: '',
    tags: [{ name: 'Sandbox', paths: ['/sandbox'], description: '' }],
    description: '',
    callerProblems: { key: [], customer: [], role: [], staff: [] },
  }) as {
    paths: Record<string, { post: { requestBody: OperationBody; responses: Record<string, unknown> } }>;
  };
  for (const [action, fields] of [
    ['pay', ['value', 'at', 'force']],
    ['reverse', ['value']],
  ] as const) {
    const { requestBody, responses } = paths[`/sandbox/pix/{txid}/${action}`]!.post;
    assert.equal(requestBody.required, false);
    const { schema } = requestBody.content['application/json'];
    assert.deepEqual(Object.keys(schema.properties), fields);
    for (const status of [400, 404, 413, 415]) assert.ok(responses[status], `${action} ${status}`);
    const { txid } = await createCharge();
    const url = `${staffUrl}/sandbox/pix/${txid}/${action}`;
    const headers = { 'x-api-key': OPERATOR_KEY, 'content-type': 'text/plain' };
    assert.equal((await send(url, { method: 'POST', headers, body: '{}' })).status, 415);
  }
});

test('reverse: charges back the payment', async () => {
  const { txid } = await createCharge();
  assert.equal((await callApi('POST', `/sandbox/pix/${txid}/reverse`)).body.code, 'nothing_to_reverse');
  const payment = (await callApi('POST', `/sandbox/pix/${txid}/pay`)).body;
  const { status, body } = await callApi('POST', `/sandbox/pix/${txid}/reverse`);
  assert.equal(status, 201);
  assert.deepEqual([body.end_to_end_id, body.value, body.txid], [payment.end_to_end_id, 10.5, txid]);
  assert.match(body.refund_id, /^[a-zA-Z0-9]{1,35}$/);
  assert.equal((await callApi('POST', `/sandbox/pix/${newTxid()}/reverse`)).status, 404);
});

test('reverse: charges back partial amounts, up to the amount of the payment', async () => {
  const { txid } = await createCharge();
  await callApi('POST', `/sandbox/pix/${txid}/pay`);
  const reverse = (body: unknown) => callApi('POST', `/sandbox/pix/${txid}/reverse`, body);
  for (const invalidBody of [
    { value: 0 },
    { value: -1 },
    { value: 1.001 },
    { value: '1' },
    { part: 1 },
    [1],
  ]) {
    const { status, body } = await reverse(invalidBody);
    assert.deepEqual([status, body.code], [400, 'validation_failed'], JSON.stringify(invalidBody));
  }
  const tooMuchResponse = await reverse({ value: 10.51 });
  assert.deepEqual([tooMuchResponse.status, tooMuchResponse.body.errors[0].pointer], [400, '/value']);
  assert.match(tooMuchResponse.body.errors[0].message, /at most 10\.50/);
  assert.equal((await reverse({ value: 4 })).body.value, 4);
  assert.equal((await reverse({ value: 6.51 })).status, 400);
  assert.equal((await reverse({})).body.value, 6.5);
  assert.equal((await reverse({ value: 0.01 })).body.code, 'nothing_to_reverse');
});

test('faults can be read and replaced; invalid faults are refused', async () => {
  assert.deepEqual((await callApi('GET', '/sandbox/psp/faults')).body, NO_FAULTS);
  const faultsResponse = await callApi('PUT', '/sandbox/psp/faults', {
    latency_ms: 1,
    notify: 'twice',
    wrong_amount: -0.29,
  });
  assert.deepEqual(faultsResponse.body, {
    ...NO_FAULTS,
    latency_ms: 1,
    notify: 'twice',
    wrong_amount: -0.29,
  });
  assert.deepEqual((await callApi('GET', '/sandbox/psp/faults')).body, faultsResponse.body);
  for (const invalidFaults of [
    { error_rate: 1.1 },
    { notify: 'loudly' },
    { latency_ms: '5' },
    { unknown: 1 },
    { wrong_amount: 0.001 },
  ])
    assert.equal(
      (await callApi('PUT', '/sandbox/psp/faults', invalidFaults)).status,
      400,
      JSON.stringify(invalidFaults),
    );
  assert.deepEqual((await callApi('PUT', '/sandbox/psp/faults', {})).body, NO_FAULTS);
});

test('scan: returns what the payer’s app shows, or an error for an invalid code', async () => {
  const { pixCopiaECola, txid, calendario } = await createCharge('52.30');
  const { status, body } = await callApi('POST', '/sandbox/psp/scan', {
    br_code: ` ${pixCopiaECola}\n`,
  });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    txid,
    value: 52.3,
    receiver: { name: 'Semana Sandbox', city: 'Sao Paulo', key: PIX_KEY },
    note: 'Parcela 1',
    status: 'ATIVA',
    expires_at: new Date(Date.parse(calendario.criacao) + HOUR_MS).toISOString(),
    payable: true,
  });
  await simulator.pay(txid);
  const paidCharge = (await callApi('POST', '/sandbox/psp/scan', { br_code: pixCopiaECola })).body;
  assert.deepEqual([paidCharge.status, paidCharge.payable], ['CONCLUIDA', false]);
  const mistypedCode = pixCopiaECola.replace('SEMANA', 'SEMENA').replace('Semana', 'Semena');
  const unreadableResponse = await callApi('POST', '/sandbox/psp/scan', { br_code: mistypedCode });
  assert.deepEqual([unreadableResponse.status, unreadableResponse.body.code], [422, 'br_code_unreadable']);
  const foreignCode =
    '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4';
  assert.equal((await callApi('POST', '/sandbox/psp/scan', { br_code: foreignCode })).status, 404);
});

test('the page contains all its resources, and its policy allows no others', async () => {
  const response = await fetch(`${staffUrl}/sandbox/psp`);
  const html = await response.text();
  assert.match(response.headers.get('content-type')!, /^text\/html/);
  assert.match(html, /value="key &#34;of&#34; &#60;the&#62; operator"/);
  assert.doesNotMatch(html, /(src|href)=/);
  const policy = response.headers.get('content-security-policy')!;
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; connect-src 'self'/,
  );
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html)!;
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(script))).toString('base64');
  assert.ok(policy.includes(`'sha256-${hash}'`), 'the policy contains the hash of the script');
  assert.match(script, /toLocaleString\('pt-BR', \{ style: 'currency', currency: 'BRL' \}\)/);
  assert.doesNotMatch(script, /R\$/, 'the script writes no currency symbol itself');
  const [, choicesAttribute = ''] = /data-choices="([^"]*)"/.exec(html)!;
  const choices = JSON.parse(
    choicesAttribute.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  );
  for (const [name, schema] of Object.entries(Faults.properties))
    assert.deepEqual(choices[name], (schema as { enum?: string[] }).enum, name);
  for (const [, plainPath, templatePath] of script.matchAll(/'(\/sandbox\/[^']*)'|`(\/sandbox\/[^`]*)`/g)) {
    const url = (plainPath ?? templatePath)!.replace(/\$\{\w+\}/g, ':txid');
    assert.ok(
      staffServer.endpoints.some((endpoint) => endpoint.url === url),
      url,
    );
  }
});
