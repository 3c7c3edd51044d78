import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { eventually, openService } from '../../../test/harness.ts';
import { openWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { createClient, memoryTokens, verifyWebhook } from './index.ts';
import { listen } from './listen.ts';

const service = await openService();
const key = 'sandbox-demo-key';
const UNREACHABLE_URL = 'http://127.0.0.1:9';
const TOKEN_TTL_SECONDS = 900;
const folder = await mkdtemp(join(tmpdir(), 'semana-browser-'));
after(() => rm(folder, { recursive: true, force: true }));

test('the bundle for browsers imports no module of Node, logs a customer in and streams by fetch', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'browser.ts')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'es2020',
  });
  const { text } = outputFiles[0]!;
  assert.doesNotMatch(text, /\bnode:|\bBuffer\b|\bprocess\./);
  const file = join(folder, 'client.mjs');
  await writeFile(file, text);
  const bundle: typeof import('./browser.ts') = await import(file);
  const tokens = bundle.memoryTokens();
  const api = bundle.createClient({ url: service.partnerUrl, key, tokens });
  const login = await api.logIn({ body: { phone: '+5511987650001', password: 'semana-demo-1' } });
  assert.equal(login.expires_in, TOKEN_TTL_SECONDS);
  await tokens.write(login);
  assert.equal((await api.getMe()).id, login.customer.id);
  const interruption = new AbortController();
  const onOpen = () =>
    void api.createLead({ body: { kind: 'partner', name: 'Stream', phone: '+5511987654321' } });
  for await (const event of api.streamPartnerEvents({ onOpen, signal: interruption.signal })) {
    assert.equal(event.type, 'lead.received');
    break;
  }
  interruption.abort();
});

test('creations do not require crypto.randomUUID, which React Native lacks', async () => {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
  try {
    const keys = Array.from({ length: 100 }, newIdempotencyKey);
    assert.equal(new Set(keys).size, 100);
    for (const idempotencyKey of keys) assert.match(idempotencyKey, /^[0-9a-f]{32}$/);
  } finally {
    Object.defineProperty(globalThis, 'crypto', descriptor);
  }
  assert.match(newIdempotencyKey(), /^[0-9a-f-]{36}$/);
});

test('after one refresh a wrong clock of the device has no effect', async () => {
  const api = createClient({ url: service.partnerUrl, key });
  const login = await api.logIn({ body: { phone: '+5511987650003', password: 'semana-demo-3' } });
  // The tokens of a device whose clock is years ahead seem to have expired.
  const tokens = memoryTokens({ ...login, expires_at: '2020-01-01T00:00:00Z' });
  const deviceApi = api.with({ tokens });
  await deviceApi.getMe();
  const refreshedTokens = await tokens.read();
  assert.notEqual(refreshedTokens!.refresh_token, login.refresh_token);
  assert.ok(
    Date.parse(refreshedTokens!.expires_at) > Date.now(),
    'expires_at is computed by the clock of the device',
  );
  await deviceApi.getMe();
  assert.equal(
    (await tokens.read())!.refresh_token,
    refreshedTokens!.refresh_token,
    'the tokens are not refreshed again',
  );
});

test('a delivery is verified with a Headers object, with header names in any case, and with any type of raw body', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"id":"evt_1"}';
  const now = new Date();
  const headers = {
    'Webhook-Id': 'evt_1',
    'WEBHOOK-TIMESTAMP': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };
  const bytes = new TextEncoder().encode(body);
  for (const receivedHeaders of [headers, new Headers(headers)])
    for (const rawBody of [body, bytes, bytes.buffer, Buffer.from(body)])
      assert.deepEqual(verifyWebhook({ secrets: secret, headers: receivedHeaders, body: rawBody }), {
        id: 'evt_1',
      });
});

test('listen reports that the key is wrong or the API is unreachable, instead of waiting', async () => {
  const options = { targetUrl: UNREACHABLE_URL, replay: false, signal: new AbortController().signal };
  const print = (line: string) => assert.fail(line);
  await assert.rejects(listen({ ...options, url: service.partnerUrl, key: 'wrong', print }), {
    code: 'api_key_invalid',
  });
  await assert.rejects(listen({ ...options, url: UNREACHABLE_URL, key, print }), {
    name: 'ConnectionError',
  });
});

test('listen forwards events with a stable secret, and prints the response of the receiver', async () => {
  const receiver = await openWebhookReceiver((response) => void response.writeHead(500).end('not yet'));
  const lead = { kind: 'partner', name: 'Listen', phone: '+5511987654322' };
  const { id } = (await service.post('/public/leads', lead)).body;
  await eventually('the event is in the feed', async () => {
    const { body } = await service.get('/events?types=lead.received&limit=100');
    return body.data.some(({ data }: { data: { id: string } }) => data.id === id);
  });
  /** Forwards earlier events, and ends when the stream is open. Returns the printed lines. */
  const listenUntilOpen = async () => {
    const interruption = new AbortController();
    const lines: string[] = [];
    const listening = listen({
      url: service.partnerUrl,
      key,
      targetUrl: receiver.url,
      replay: true,
      signal: interruption.signal,
      print: (line) => void lines.push(line),
    });
    await eventually('the stream is open', async () => lines.some((line) => line.startsWith('Forwarding')));
    interruption.abort();
    await listening;
    return lines;
  };
  const [secretLine, ...eventLines] = await listenUntilOpen();
  const [secretLineOfSecondRun] = await listenUntilOpen();
  assert.equal(secretLine, secretLineOfSecondRun);
  const secret = secretLine!.replace('Secret: ', '');
  assert.ok(eventLines.some((line) => /^lead\.received {2}evt_\w+ {2}500 not yet$/.test(line)));
  for (const { raw, headers } of receiver.received) verifyWebhook({ secrets: secret, headers, body: raw });
  assert.ok(receiver.received.length >= 2, 'each run forwards the event');
});
