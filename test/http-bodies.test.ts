import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Type } from 'typebox';
import { findSyntaxError } from '#platform/http/json-body.ts';
import { StrictObject, TextOrNull } from '#platform/http/schemas.ts';
import { removeAbsentFields } from '#platform/http/validation.ts';
import { openService } from './harness.ts';
import { OPERATOR_KEY } from './purchase-driver.ts';
import { listLeadsNamed } from './support/catalog.ts';
import {
  assertProblem,
  assertStandardHeaders,
  DEMO_KEY_HEADER,
  type Problem,
  parseResponse,
  sendAndReadAll,
  sendBytes,
  sendRequest,
} from './wire.ts';

const CALLBACK_SECRET = 'a-secret-of-the-psp-for-this-test';
const service = await openService({
  env: {
    PSP_CALLBACK_SECRET: CALLBACK_SECRET,
    SMS_SENDER: 'twilio',
    TWILIO_URL: 'https://127.0.0.1:9',
    TWILIO_ACCOUNT_SID: 'AC0',
    TWILIO_AUTH_TOKEN: 'secret',
    TWILIO_FROM: '+15005550006',
  },
});
const VALID_LEAD = { kind: 'partner', name: 'Joana Prado', email: 'joana@example.com' };
const MAX_BODY_BYTES = 64 * 1024;
const LIVE_LEADS_PER_MINUTE = 10;

const postLead = (
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) =>
  sendRequest(service.partnerUrl, 'POST', '/public/leads', {
    headers: { ...DEMO_KEY_HEADER, ...headers },
    body,
  });

async function readErrors(body: unknown): Promise<Problem['errors']> {
  return assertProblem(await postLead(JSON.stringify(body)), 400, 'validation_failed').errors;
}
const readPointers = async (body: unknown) => (await readErrors(body))!.map(({ pointer }) => pointer).sort();

const NOT_JSON: Record<string, string> = {
  'an open brace': '{',
  'a syntax error': '{"kind": }',
  'single quotes': "{'kind': 'partner'}",
  'a trailing comma': '{"kind": "partner",}',
  'two documents': '{}{}',
  'a comment': '{} // note',
  'a number with a leading zero': '{"kind": 01}',
  NaN: '{"kind": NaN}',
  'a bare word': 'kind',
  'a form': 'kind=partner&name=Joana',
  'only blanks': '   ',
  '__proto__ as a member': '{"__proto__": {"kind": "partner"}, "name": "x"}',
  '__proto__ written with escapes': '{"\\u005f_proto__": {"kind": "partner"}}',
  'constructor.prototype as a member': '{"constructor": {"prototype": {"kind": "x"}}}',
};

for (const [caseName, body] of Object.entries(NOT_JSON)) {
  test(`400 malformed_json for ${caseName}`, async () => {
    const response = await postLead(body);
    assertProblem(response, 400, 'malformed_json');
    assertStandardHeaders(response);
  });
}

test('400 malformed_json for an empty body, with or without a content type', async () => {
  assertProblem(await postLead(''), 400, 'malformed_json');
  assertProblem(await postLead('', {}), 400, 'malformed_json');
  const requestWithoutBody = `POST /public/leads HTTP/1.1\r\nhost: x\r\nx-api-key: ${DEMO_KEY_HEADER['x-api-key']}\r\nconnection: close\r\n\r\n`;
  assertProblem(await sendBytes(service.partnerUrl, requestWithoutBody), 400, 'malformed_json');
});

test('an empty body that is declared as JSON is accepted if no body is required; null is not an empty body', async () => {
  const jsonType = { 'content-type': 'application/json' };
  const [cancelPath, payPath] = [
    '/merchant/offers/off_00000000000000000000000000/cancel',
    '/sandbox/pix/nobody/pay',
  ];
  const merchantHeaders = { ...jsonType, 'x-api-key': 'sandbox-merchant-key' };
  const staffHeaders = { ...jsonType, 'x-api-key': OPERATOR_KEY };
  // Neither the offer nor the charge exists.
  const cancelResponse = await sendRequest(service.partnerUrl, 'POST', cancelPath, {
    headers: merchantHeaders,
    body: '',
  });
  assertProblem(cancelResponse, 404, 'not_found');
  const postPayment = (body: string) =>
    sendRequest(service.staffUrl, 'POST', payPath, { headers: staffHeaders, body });
  assertProblem(await postPayment(''), 404, 'not_found');
  assertProblem(await postPayment('null'), 400, 'validation_failed');
});

test('in the sandbox an IP address may send more forms than in live mode', async () => {
  for (let i = 0; i <= LIVE_LEADS_PER_MINUTE; i++)
    assert.equal((await postLead(JSON.stringify({ ...VALID_LEAD, message: `Teste ${i}` }))).status, 201);
});

test('400 malformed_json reports the position of the error, also for bytes that are not UTF-8', async () => {
  const latin1 = Buffer.from('{"kind":"partner",\n"name":"João"}', 'latin1');
  const invalidBodies: Array<[string | Buffer, RegExp]> = [
    [latin1, /not valid UTF-8\. Parsing stopped at line 2, column 12\./],
    ['{"kind": "partner",}', /line 1, column 20\./],
    ['{"kind": }', /line 1, column 10\./],
    ['{"kind": "partner"', /line 1, column 19\./],
    ['{\n  "a": 1\n  "b": 2\n}', /line 3, column 3\./],
    ['{} // note', /line 1, column 4\./],
    ['[1, 2', /line 1, column 6\./],
    ['{"a": "tab\there"}', /line 1, column 7\./],
    ['{"__proto__": {}}', /forbidden member name/],
  ];
  for (const [body, expected] of invalidBodies)
    assert.match(assertProblem(await postLead(body), 400, 'malformed_json').detail, expected, String(body));
  assert.equal(
    (await postLead(`\ufeff${JSON.stringify(VALID_LEAD)}`)).status,
    201,
    'a byte order mark is accepted',
  );
});

test('a syntax error is reported for every text that is not JSON, and for no other', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom(...'{}[],:"0a '),
      (json, offset, inserted) => {
        assert.equal(findSyntaxError(json), undefined);
        const position = offset % (json.length + 1);
        const text = json.slice(0, position) + inserted + json.slice(position);
        const syntaxError = findSyntaxError(text);
        assert.equal(syntaxError === undefined, isJson(text), text);
      },
    ),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('415 for a compressed body, with the accepted encoding', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'GZIP']) {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const response = await postLead(gzipSync(JSON.stringify(VALID_LEAD)), headers);
    assert.match(assertProblem(response, 415, 'unsupported_media_type').detail, /without content-encoding/);
    assert.equal(response.headers['accept-encoding'], 'identity');
  }
  const identityHeaders = { 'content-type': 'application/json', 'content-encoding': 'identity' };
  assert.equal((await postLead(JSON.stringify(VALID_LEAD), identityHeaders)).status, 201);
});

test('415 for every content type other than application/json, and for a missing one', async () => {
  const body = JSON.stringify(VALID_LEAD);
  for (const type of [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
    'application/problem+json',
    'application/json-patch+json',
    'json',
    '*/*',
    ';',
  ]) {
    assertProblem(await postLead(body, { 'content-type': type }), 415, 'unsupported_media_type');
  }
  assertProblem(await postLead(body, {}), 415, 'unsupported_media_type');
});

test('application/json is accepted in any case and with parameters', async () => {
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8',
  ]) {
    assert.equal((await postLead(JSON.stringify(VALID_LEAD), { 'content-type': type })).status, 201, type);
  }
});

test('64 KiB are accepted; one byte more gets 413, and the next request on the connection is served', async () => {
  const createLeadOfSize = (bytes: number) => JSON.stringify(VALID_LEAD).padEnd(bytes, ' ');
  assert.equal((await postLead(createLeadOfSize(MAX_BODY_BYTES))).status, 201);
  const response = await postLead(createLeadOfSize(MAX_BODY_BYTES + 1));
  assertProblem(response, 413, 'payload_too_large');
  assertStandardHeaders(response);
  assert.equal((await postLead(JSON.stringify(VALID_LEAD))).status, 201);
});

test('413 for a body of unknown length as soon as it is too large, and the connection is closed', async () => {
  const head = `POST /public/leads HTTP/1.1\r\nhost: x\r\nx-api-key: ${DEMO_KEY_HEADER['x-api-key']}\r\n`;
  const chunked = `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
  const chunk = `8000\r\n${' '.repeat(0x8000)}\r\n`;
  const responseToEndlessBody = await sendBytes(service.partnerUrl, chunked + chunk.repeat(3));
  assertProblem(responseToEndlessBody, 413, 'payload_too_large');
  assert.equal(responseToEndlessBody.headers.connection, 'close');
  const responseToWholeBody = await sendBytes(service.partnerUrl, `${chunked}${chunk.repeat(3)}0\r\n\r\n`);
  assertProblem(responseToWholeBody, 413, 'payload_too_large');
});

const KIB = 1024;
/** Ways to frame a body of a given size in a request. */
const FRAMINGS: Record<string, (size: number) => string> = {
  'declared length': (size) => `content-length: ${size}\r\n\r\n${'x'.repeat(size)}`,
  'chunked body': (size) =>
    `transfer-encoding: chunked\r\n\r\n${size ? `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n` : ''}0\r\n\r\n`,
};
/** Lists the endpoints that read bodies without parsing them. Of the callbacks of the PSP, one URL is enough. */
const listRawBodyEndpoints = (api: 'partner' | 'staff') =>
  service.endpoints[api]
    .filter(({ rawBody, url }) => rawBody && !/callback.+(\/|pix|rec|cobr)$/.test(url))
    .map(({ method, url }) => ({
      method,
      url: url.replace(':secret', CALLBACK_SECRET).replace(/:\w+/g, 'x'),
      base: api === 'partner' ? service.partnerUrl : service.staffUrl,
    }));

for (const [framing, frame] of Object.entries(FRAMINGS)) {
  test(`a raw body of any size does not block the next request on its connection: ${framing}`, async () => {
    const endpoints = [...listRawBodyEndpoints('partner'), ...listRawBodyEndpoints('staff')];
    assert.ok(endpoints.length >= 6, 'Twilio, PSP, pictures, import, return file');
    const unknownCallback = { method: 'POST', url: '/psp/callback/wrong', base: service.partnerUrl };
    for (const { method, url, base } of [...endpoints, unknownCallback]) {
      for (const size of [0, 17 * KIB, 65 * KIB, 2_049 * KIB]) {
        const description = `${method} ${url} ${size}`;
        const headers = `host: x\r\nx-api-key: ${OPERATOR_KEY}\r\nx-twilio-signature: x\r\n`;
        const nextRequest = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
        const text = await sendAndReadAll(
          base,
          `${method} ${url} HTTP/1.1\r\n${headers}${frame(size)}${nextRequest}`,
        );
        const firstResponse = parseResponse(text);
        assert.ok(
          firstResponse.status < 500 && firstResponse.status !== 408,
          `${description}: ${firstResponse.status}`,
        );
        const nextStatusLines = text.match(/HTTP\/1\.1 \d+/g)!.slice(1);
        const isClosed = firstResponse.headers.connection === 'close';
        assert.deepEqual(nextStatusLines, isClosed ? [] : ['HTTP/1.1 200'], description);
        if (size <= 17 * KIB && framing === 'declared length')
          assert.ok(!isClosed, `${description}: stays open`);
      }
    }
  });
}

test('a large body of a caller without a key is not read', async () => {
  const head = 'HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2000000\r\n\r\n';
  for (const target of ['/psp/callback/wrong', '/messages/twilio/status', '/public/leads', '/nothing']) {
    // Nothing of the body is sent: the response does not wait for it, and the connection ends.
    const response = await sendBytes(service.partnerUrl, `POST ${target} ${head}`);
    assert.ok([401, 404, 413].includes(response.status), `${target}: ${response.status}`);
    assert.equal(response.headers.connection, 'close', target);
  }
});

test('a truncated body stores nothing', async () => {
  const body = JSON.stringify({ ...VALID_LEAD, name: 'Cut Off' });
  const head = `POST /public/leads HTTP/1.1\r\nhost: x\r\nx-api-key: ${DEMO_KEY_HEADER['x-api-key']}\r\n`;
  const chunks = `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`;
  assertProblem(await sendBytes(service.partnerUrl, `${head}${chunks}nonsense\r\n\r\n`), 400, 'bad_request');
  assert.equal((await listLeadsNamed(service.db, 'Cut Off')).length, 0);
});

test('an unknown field is refused with a pointer to it', async () => {
  assert.deepEqual(await readErrors({ ...VALID_LEAD, admin: true }), [
    { pointer: '/admin', message: 'is not a known field' },
  ]);
  assert.deepEqual(await readPointers({ ...VALID_LEAD, 'a/b~c': 1, '': 2, toString: 3 }), [
    '/',
    '/a~1b~0c',
    '/toString',
  ]);
});

test('all errors are reported together', async () => {
  const invalidLead = {
    kind: 'Not A Word',
    name: '   ',
    email: 'not-an-address',
    phone: '119876543',
    company: 'x'.repeat(201),
    message: 'x'.repeat(20_001),
    extra: 1,
  };
  const allPointers = ['/company', '/email', '/extra', '/kind', '/message', '/name', '/phone'];
  assert.deepEqual(await readPointers(invalidLead), allPointers);
  assert.deepEqual(await readPointers({}), ['/email', '/kind', '/name', '/phone']);
  const { errors } = assertProblem(await postLead('{}'), 400, 'validation_failed');
  assert.ok(errors!.some(({ message }) => message === 'email or phone is required'));
});

test('of a thousand errors the first fifty are reported', async () => {
  const manyFields = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`field${i}`, i]));
  assert.equal((await readErrors(manyFields))!.length, 50);
});

test('a body with more than a thousand members is refused without validating each', async () => {
  const createFields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 0]));
  const createNestedJson = (depth: number) => `${'[{"a":'.repeat(depth)}0${'}]'.repeat(depth)}`;
  const expectedErrors = [{ pointer: '', message: 'must have at most 1000 fields and elements in all' }];
  assert.deepEqual(await readErrors(createFields(1_001)), expectedErrors);
  assert.deepEqual(await readErrors({ ...VALID_LEAD, message: createFields(1_001) }), expectedErrors);
  assert.deepEqual(await readErrors({ ...VALID_LEAD, message: Array(1_001).fill(0) }), expectedErrors);
  const responseToNestedBody = await postLead(`{"kind":${createNestedJson(4_000)}}`);
  assert.deepEqual(assertProblem(responseToNestedBody, 400, 'validation_failed').errors, expectedErrors);
});

test('a body that is not an object is refused as a whole', async () => {
  for (const body of [null, true, 7, 'text', [], [VALID_LEAD]]) {
    assert.deepEqual(await readErrors(body), [{ pointer: '', message: 'must be an object' }]);
  }
});

test('no value is coerced: a value of another type is an error', async () => {
  for (const field of ['kind', 'name', 'email', 'phone', 'company', 'message']) {
    for (const value of [1, 0, true, [], ['partner'], {}, { $ne: null }]) {
      const pointers = await readPointers({ ...VALID_LEAD, phone: '+5511987654321', [field]: value });
      assert.deepEqual(pointers, [`/${field}`], `${field} ${JSON.stringify(value)}`);
    }
  }
});

test('null and an empty text in an optional field of a form mean that it is absent; a required field is required', async () => {
  for (const emptyValue of [null, '']) {
    assert.equal(
      (
        await postLead(
          JSON.stringify({ ...VALID_LEAD, phone: emptyValue, company: emptyValue, message: emptyValue }),
        )
      ).status,
      201,
    );
    assert.deepEqual(await readPointers({ ...VALID_LEAD, email: emptyValue, phone: emptyValue }), [
      '/email',
      '/phone',
    ]);
    assert.deepEqual(await readPointers({ ...VALID_LEAD, name: emptyValue }), ['/name']);
  }
});

test('null in an optional field means that it is absent, unless null is one of its values', () => {
  const schema = StrictObject({
    plain: Type.Optional(Type.String()),
    nullable: Type.Optional(TextOrNull()),
    required: Type.String(),
    nested: Type.Optional(StrictObject({ plain: Type.Optional(Type.Integer()) })),
    list: Type.Optional(Type.Array(StrictObject({ plain: Type.Optional(Type.Boolean()) }))),
  });
  const body = {
    plain: null,
    nullable: null,
    required: null,
    nested: { plain: null },
    list: [{ plain: null }],
  };
  removeAbsentFields(body, schema);
  assert.deepEqual(body, { nullable: null, required: null, nested: {}, list: [{}] });
});

test('of a duplicate member the last value takes effect', async () => {
  const body = '{"kind":"Not A Word","kind":"partner","name":"Joana Prado","email":"joana@example.com"}';
  assert.equal((await postLead(body)).status, 201);
});

test('the body of a GET is ignored', async () => {
  const headers = { ...DEMO_KEY_HEADER, 'content-type': 'application/json' };
  const response = await sendRequest(service.partnerUrl, 'GET', '/public/faq', { headers, body: '{' });
  assert.equal(response.status, 200);
});
