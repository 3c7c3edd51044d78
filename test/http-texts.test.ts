import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { findLead } from '../src/catalog/leads/store.ts';
import { shareService } from './harness.ts';
import { OPERATOR_KEY } from './purchase-driver.ts';
import {
  assertProblem,
  assertStandardHeaders,
  DEMO_KEY_HEADER,
  sendRequest,
  type WireResponse,
} from './wire.ts';

const service = await shareService();
// Each test gets its own minute, because all tests together exceed the limit of requests per IP address.
beforeEach(() => service.clock.advance(MINUTE_MS));

/** Texts that often break programs. */
const PROBLEMATIC_TEXTS: Record<string, string> = {
  NUL: '\0',
  'NUL inside': 'far\0macia',
  'a lone high surrogate': 'a\ud800b',
  'a lone low surrogate': '\udc00',
  emoji: '💊 farmácia 👩‍👩‍👧‍👦',
  'combining marks': `a${'\u0301'.repeat(100)}`,
  'right to left': '\u202eaicamraf',
  'control characters': '\x01\x07\x1b[31m\x7f',
  'line ends': 'a\r\nx-evil: 1\r\n\r\n',
  'quotes and slashes': `'";\\/--%_$1\`{}[]<script>`,
  SQL: `'; drop table leads; --`,
  'percent signs': '%%%00%zz',
  'a byte order mark': '\ufeffabc',
  'special casing': 'ßİıſﬀΣς',
  'whitespace of every kind': '\u00a0\u2003\u3000\u200b\t',
  'property names': '__proto__ constructor toString hasOwnProperty',
  'a long text': 'farmacia '.repeat(600),
  'one long word': 'a'.repeat(4_000),
  'many words': Array.from({ length: 900 }, (_, i) => `w${i}`).join(' '),
};

/** Encodes a text for a URL. encodeURIComponent refuses lone surrogates, so these are replaced by their bytes. */
const encodeText = (text: string) =>
  text.isWellFormed() ? encodeURIComponent(text) : text.replace(/[\ud800-\udfff]/g, '%ED%A0%80');

function assertHandled(response: WireResponse, description: string): void {
  assert.ok(response.status < 500, `${description}: ${response.status} ${response.text}`);
  assertStandardHeaders(response);
  if (response.status >= 400) assertProblem(response, response.status, JSON.parse(response.text).code);
}

for (const [caseName, text] of Object.entries(PROBLEMATIC_TEXTS)) {
  test(`${caseName} in the URL never causes a 500`, async () => {
    for (const path of [
      `/public/merchants?q=${encodeText(text)}`,
      `/public/merchants?category=${encodeText(text)}`,
      `/public/merchants?q=${encodeText(text)}&category=pets&page=2`,
      `/public/merchants/${encodeText(text)}`,
      `/public/faq?topic=${encodeText(text)}`,
      `/public/blog/${encodeText(text)}`,
      `/public/blog?x=${encodeText(text)}`,
      `/errors/${encodeText(text)}`,
      `/media/${encodeText(text)}`,
      `/${encodeText(text)}`,
    ]) {
      assertHandled(await sendRequest(service.partnerUrl, 'GET', path, { headers: DEMO_KEY_HEADER }), path);
    }
  });

  test(`${caseName} in a lead is refused or stored, and never causes a 500`, async () => {
    const validLead = { kind: 'contact', name: 'Ana', email: 'a@example.com', company: 'c', message: 'm' };
    for (const field of ['kind', 'name', 'email', 'phone', 'company', 'message', 'extra', text]) {
      const body = JSON.stringify({ ...validLead, [field]: text });
      const headers = { ...DEMO_KEY_HEADER, 'content-type': 'application/json' };
      assertHandled(await sendRequest(service.partnerUrl, 'POST', '/public/leads', { headers, body }), field);
    }
  });
}

test('bytes above ASCII in any header never cause a 500', async () => {
  const lead = JSON.stringify({ kind: 'contact', name: 'Ana', email: 'a@example.com' });
  for (const value of ['\xff\xfe', 'é'.repeat(200), '\t\t', 'a'.repeat(4_000), '"', ',', '\x80']) {
    for (const name of [
      'x-api-key',
      'x-request-id',
      'if-none-match',
      'idempotency-key',
      'origin',
      'accept',
      'accept-encoding',
      'user-agent',
      'x-forwarded-for',
      'cookie',
      'authorization',
      'accept-version',
      'range',
      'if-modified-since',
    ]) {
      const headers = { ...DEMO_KEY_HEADER, 'content-type': 'application/json', [name]: value };
      for (const path of ['/public/faq', '/media/logos/none.svg']) {
        assertHandled(await sendRequest(service.partnerUrl, 'GET', path, { headers }), `${name}: ${value}`);
      }
      assertHandled(
        await sendRequest(service.partnerUrl, 'POST', '/public/leads', { headers, body: lead }),
        name,
      );
      assertHandled(await sendRequest(service.partnerUrl, 'OPTIONS', '/public/leads', { headers }), name);
    }
  }
});

test('a lead is stored unchanged, whatever its language', async () => {
  for (const message of ['💊 ação', 'שלום', '日本語', "O'Neill; drop table", '\u202ertl', 'a\nb\tc']) {
    const { status, body } = await service.post('/public/leads', {
      kind: 'contact',
      name: 'Zoë Ångström',
      phone: '+5511987654321',
      message,
    });
    assert.equal(status, 201);
    const { name, message: storedMessage } = (await findLead(service.db, body.id))!;
    assert.deepEqual({ name, storedMessage }, { name: 'Zoë Ångström', storedMessage: message.trim() });
  }
});

test('lengths of names count characters, not UTF-16 code units', async () => {
  const postLead = (name: string) =>
    service.post('/public/leads', { kind: 'contact', name, email: 'a@example.com' });
  assert.equal((await postLead('😀'.repeat(200))).status, 201);
  assert.equal((await postLead('😀'.repeat(201))).status, 400);
});

test('an unpaired surrogate, which JSON in the database cannot contain, is refused in every text', async () => {
  const text = 'a\ud800b';
  const { id } = (await service.staff('GET', '/admin/customers?limit=1', { key: OPERATOR_KEY })).body.data[0];
  const order = { customer: id, merchant: 'padaria-flor-do-trigo', amount: 90, installments: 3 };
  const post = { slug: 'a', title: 'a', summary: 'a', author: 'a', body: 'a' };
  const requests: Array<[method: string, path: string, body: object]> = [
    ['POST', '/admin/partners', { name: text }],
    ['POST', '/admin/staff', { name: text, role: 'viewer' }],
    ['PATCH', `/admin/customers/${id}`, { name: text }],
    ['POST', '/admin/checkouts', { ...order, description: text }],
    ['POST', '/admin/merchants', { slug: 'a', category: 'padarias', name: text }],
    ['POST', '/admin/posts', { ...post, title: text }],
    ['POST', '/admin/posts', { ...post, tags: [text] }],
    ['POST', '/admin/faq', { id: 'a', topic: 'a', question: text, answer: 'a' }],
  ];
  for (const [method, path, body] of requests) {
    const response = await service.staff(method, path, { key: OPERATOR_KEY, body });
    assert.deepEqual([response.status, response.body.code], [400, 'validation_failed'], response.text);
  }
});
