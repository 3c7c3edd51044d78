import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventually, openService } from '../../../test/harness.ts';
import { openPixShop } from '../../../test/pix-shop.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';
import {
  ConnectionError,
  createClient,
  fetchTransport,
  isProblem,
  memoryTokens,
  nodeTransport,
  type ProblemError,
  type TokenStore,
  type Transport,
  verifyWebhook,
  type WalletEvent,
  WebhookError,
} from './index.ts';
import { operations } from './operations.ts';

const service = await openService();
const pixShop = openPixShop(service);
const key = 'sandbox-demo-key';
const real = nodeTransport();
const api = createClient({ url: service.partnerUrl, key });

/** Counts requests, and loses the answers that `before` says. */
function watched(before?: (url: string, n: number) => 'lose the answer' | undefined) {
  const sent: Array<{ url: string; headers: Record<string, string> }> = [];
  const transport: Transport = async (request) => {
    sent.push({ url: request.url, headers: request.headers });
    const spoil = before?.(request.url, sent.length);
    const response = await real(request);
    if (!spoil) return response;
    for await (const _ of response.body); // it arrived and was done
    throw new ConnectionError('lost');
  };
  return { sent, client: createClient({ url: service.partnerUrl, key, transport }) };
}

test('every operation of the API has a function, which fills in the parameters of its path', async () => {
  for (const operation of Object.keys(operations))
    assert.equal(typeof api[operation as 'listFaq'], 'function');
  const merchants = await api.listMerchants({ query: { q: 'padria', limit: 2 } });
  assert.equal(merchants.data.length, 2);
  const { slug, name } = merchants.data[0]!;
  assert.equal((await api.getMerchant({ path: { slug } })).name, name);
  const otherClient = createClient({ url: `${service.partnerUrl}/`, key, transport: fetchTransport });
  assert.deepEqual(await otherClient.listCategories(), await api.listCategories());
});

test('the full response has the headers, so that a 304 saves the transfer of the body', async () => {
  const first = await api.call('listFaq');
  const again = await api.call('listFaq', { headers: { 'if-none-match': first.headers.etag! } });
  assert.deepEqual([again.status, again.data], [304, undefined]);
});

test('a problem is thrown as an error with its code and all invalid fields', async () => {
  const lead = { kind: 'partner', name: '', email: 'nobody' };
  const error: unknown = await api.createLead({ body: lead }).catch((refusal) => refusal);
  assert.ok(isProblem(error, 'validation_failed'));
  assert.ok(!isProblem(error, 'rate_limited'));
  assert.deepEqual(error.errors.map(({ pointer }) => pointer).sort(), ['/email', '/name']);
  assert.ok(error.requestId);
  const stranger = createClient({ url: service.partnerUrl, key: 'nobody' });
  await assert.rejects(stranger.listFaq(), (problem: ProblemError) => problem.code === 'api_key_invalid');
});

test('a creation is retried with the same Idempotency-Key if its response is lost, and happens once', async () => {
  const { sent, client } = watched((_, n) => (n < 3 ? 'lose the answer' : undefined));
  const lead = await client.createLead({
    body: { kind: 'partner', name: 'Joana', email: 'joana@example.com' },
  });
  assert.match(lead.id, /^lead_/);
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

test('a request that is not safe to repeat is sent once', async () => {
  const { sent, client } = watched(() => 'lose the answer');
  await assert.rejects(client.checkPhone({ body: { phone: '+5511987650001' } }), ConnectionError);
  assert.equal(sent.length, 1);
});

test('if no server responds, three attempts are made before the error is thrown', async () => {
  let tries = 0;
  const transport: Transport = (request) => {
    tries += 1;
    return real({ ...request, url: 'http://127.0.0.1:9/' });
  };
  await assert.rejects(createClient({ url: service.partnerUrl, key, transport }).listFaq(), ConnectionError);
  assert.equal(tries, 3);
});

test('a list is iterated page by page, until the caller stops', async () => {
  const { sent, client } = watched();
  const slugs: string[] = [];
  for await (const { slug } of client.each('listMerchants', { query: { limit: 30 } })) slugs.push(slug);
  const { pagination } = await api.listMerchants();
  assert.equal(new Set(slugs).size, pagination.total);
  assert.equal(sent.length, Math.ceil(pagination.total / 30));
  for await (const _ of client.each('listMerchants', { query: { limit: 10 } })) break;
  assert.equal(sent.length, Math.ceil(pagination.total / 30) + 1);
});

test('the event feed is iterated to its end, also from a given event on', async () => {
  const { sent, client } = watched();
  const leads: string[] = [];
  for (const name of ['Rui', 'Eva', 'Gil']) {
    const { id } = await client.createLead({
      body: { kind: 'partner', name, email: `${name}@example.com` },
    });
    leads.push(id);
  }
  const read = async (query: { after?: string; limit?: number }) => {
    const found: Array<{ event: string; lead: string }> = [];
    for await (const event of client.each('listEvents', { query: { ...query, types: 'lead.received' } })) {
      assert.equal(event.type, 'lead.received');
      if (leads.includes(event.data.id)) found.push({ event: event.id, lead: event.data.id });
    }
    return found;
  };
  const all = await eventually('the feed has the leads', async () => {
    const found = await read({});
    return found.length === leads.length && found;
  });
  const sentCountBefore = sent.length;
  assert.deepEqual(await read({ limit: 1, after: all[0]!.event }), all.slice(1));
  assert.ok(sent.length - sentCountBefore >= 2, 'a page holds one');
});

test('the event stream of a partner is an async iterator that continues after a given event, and ends when its signal aborts', async () => {
  const abort = new AbortController();
  const { id } = await api.createLead({ body: { kind: 'partner', name: 'Ivo', email: 'ivo@example.com' } });
  const [first] = await eventually('the feed has the lead', async () => {
    const events = [];
    for await (const event of api.each('listEvents')) events.push(event);
    const found = events.findIndex((event) => event.type === 'lead.received' && event.data.id === id);
    return found < 1 ? undefined : [events[found - 1]!];
  });
  const heard: string[] = [];
  const options = { signal: abort.signal, lastEventId: first!.id };
  for await (const event of api.streamPartnerEvents(options)) {
    if (event.type === 'lead.received') heard.push(event.data.id);
    if (heard.includes(id)) abort.abort();
  }
  assert.deepEqual(heard, [id]);
});

test('an image is returned as its exact bytes', async () => {
  const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"></svg>');
  const uploaded = await fetch(`${service.staffUrl}/admin/media`, {
    method: 'POST',
    body: new Uint8Array(picture),
    headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'image/svg+xml' },
  });
  const { name } = (await uploaded.json()) as { name: string };
  assert.deepEqual(Buffer.from(await api.getMediaFile({ path: { name } })), picture);
});

test('concurrent calls, also of two clients with a shared token store, refresh an expired token once', async () => {
  const shopper = await pixShop.newShopper();
  const login = await api.logIn({ body: { phone: shopper.phone, password: shopper.password } });
  let queue: Promise<unknown> = Promise.resolve();
  const store: TokenStore = {
    ...memoryTokens(login),
    lock(work) {
      const turn = queue.then(work);
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
  const { sent, client } = watched();
  const tabs = [client.with({ tokens: store }), client.with({ tokens: store })];
  service.clock.advance(16 * 60_000);
  const all = await Promise.all([1, 2, 3].flatMap(() => tabs.map((tab) => tab.getMe())));
  assert.equal(new Set(all.map(({ phone }) => phone)).size, 1);
  assert.equal(sent.filter(({ url }) => url.endsWith('/refresh')).length, 1);
  await tabs[0]!.logOut({ body: { refresh_token: (await store.read())!.refresh_token } });
  await assert.rejects(tabs[1]!.getMe(), (error) => isProblem(error, 'token_invalid'));
});

test('the tokens of an ended session are deleted', async () => {
  const shopper = await pixShop.newShopper();
  const login = await api.logIn({ body: { phone: shopper.phone, password: shopper.password } });
  await api.logOut({ body: { refresh_token: login.refresh_token } });
  const tokens = memoryTokens({ ...login, expires_at: new Date(0).toISOString() });
  await assert.rejects(api.with({ tokens }).getMe(), (error) => isProblem(error, 'token_invalid'));
  assert.equal(await tokens.read(), undefined);
});

test('a stream that reconnects continues after its last event, and misses none', async () => {
  const shopper = await pixShop.newShopper();
  const login = await api.logIn({ body: { phone: shopper.phone, password: shopper.password } });
  const abort = new AbortController();
  let cut: (() => void) | undefined;
  let opened = 0;
  const transport: Transport = async (request) => {
    const line = new AbortController();
    request.signal?.addEventListener('abort', () => line.abort());
    const response = await real({ ...request, signal: line.signal });
    if (request.url.endsWith('/wallet/events')) {
      cut = () => line.abort();
      opened += 1;
    }
    return response;
  };
  const customer = createClient({ url: service.partnerUrl, key, transport, tokens: memoryTokens(login) });
  const heard: WalletEvent[] = [];
  const listening = (async () => {
    for await (const event of customer.streamEvents({ signal: abort.signal })) heard.push(event);
  })();
  await eventually('the stream is open', async () => opened === 1);
  const firstCheckout = await pixShop.sell(shopper);
  await eventually('the first purchase is heard', async () => heard.length > 0);
  cut!();
  const secondCheckout = await pixShop.sell(shopper);
  const bought = () =>
    heard.flatMap((event) => (event.type === 'checkout.created' ? [event.data.checkout_hash] : []));
  await eventually('the second is heard', async () => bought().length === 2);
  assert.deepEqual(bought(), [firstCheckout.hash, secondCheckout.hash]);
  assert.equal(opened, 2);
  abort.abort();
  await listening;
});

test('a delivery is verified according to Standard Webhooks; forged, modified and old ones are rejected', () => {
  const [secret, next] = ['whsec_c2VtYW5hLXNlbWFuYS1zZW1hbmE=', 'whsec_b3V0cmEtb3V0cmEtb3V0cmEtb3V0cmE='];
  const body = '{"type":"pix.paid"}';
  const now = new Date();
  const headers = (signature: string, instant = now) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(instant.getTime() / 1000)),
    'webhook-signature': signature,
  });
  const signed = new Webhook(secret).sign('evt_1', now, body);
  assert.deepEqual(verifyWebhook({ secrets: secret, headers: headers(signed), body }), { type: 'pix.paid' });
  assert.ok(verifyWebhook({ secrets: [next, secret], headers: headers(`v1,AAAA ${signed}`), body }));
  const refused = [
    { secrets: next, headers: headers(signed), body },
    { secrets: secret, headers: headers(signed), body: `${body} ` },
    { secrets: secret, headers: {}, body },
    { secrets: secret, headers: headers(signed), body, now: new Date(now.getTime() + 301_000) },
  ];
  for (const given of refused) assert.throws(() => verifyWebhook(given), WebhookError);
});
