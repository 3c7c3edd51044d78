import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
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
const pixDriver = createPixDriver(service);
const key = 'sandbox-demo-key';
const TOKEN_TTL_MS = 15 * 60_000;
/** The default tolerance of `verifyWebhook`. */
const TOLERANCE_MS = 300_000;
/** The default maximum number of attempts of a call. */
const MAX_ATTEMPTS = 3;
const UNREACHABLE_URL = 'http://127.0.0.1:9/';
const workingTransport = nodeTransport();
const api = createClient({ url: service.partnerUrl, key });

/** Creates a client that records its requests, and loses the responses for which `losesResponse` returns true. */
function createRecordingClient(losesResponse: (requestNumber: number) => boolean = () => false) {
  const sentRequests: Array<{ url: string; headers: Record<string, string> }> = [];
  const transport: Transport = async (request) => {
    sentRequests.push({ url: request.url, headers: request.headers });
    const isLost = losesResponse(sentRequests.length);
    const response = await workingTransport(request);
    if (!isLost) return response;
    for await (const _ of response.body); // the service has performed the request
    throw new ConnectionError('lost');
  };
  return { sentRequests, client: createClient({ url: service.partnerUrl, key, transport }) };
}

test('every operation of the API has a function, which fills in the parameters of its path', async () => {
  for (const operation of Object.keys(operations) as Array<keyof typeof operations>)
    assert.equal(typeof api[operation], 'function');
  const merchants = await api.listMerchants({ query: { q: 'padria', limit: 2 } });
  assert.equal(merchants.data.length, 2);
  const { slug, name } = merchants.data[0]!;
  assert.equal((await api.getMerchant({ path: { slug } })).name, name);
  const otherClient = createClient({ url: `${service.partnerUrl}/`, key, transport: fetchTransport });
  assert.deepEqual(await otherClient.listCategories(), await api.listCategories());
});

test('the full response has the headers, so that a 304 saves the transfer of the body', async () => {
  const firstResponse = await api.call('listFaq');
  const conditionalResponse = await api.call('listFaq', {
    headers: { 'if-none-match': firstResponse.headers.etag! },
  });
  assert.deepEqual([conditionalResponse.status, conditionalResponse.data], [304, undefined]);
});

test('a problem is thrown as an error with its code and all invalid fields', async () => {
  const lead = { kind: 'partner', name: '', email: 'nobody' };
  const error: unknown = await api.createLead({ body: lead }).catch((thrownError) => thrownError);
  assert.ok(isProblem(error, 'validation_failed'));
  assert.ok(!isProblem(error, 'rate_limited'));
  assert.deepEqual(error.errors.map(({ pointer }) => pointer).sort(), ['/email', '/name']);
  assert.ok(error.requestId);
  const clientWithWrongKey = createClient({ url: service.partnerUrl, key: 'wrong-key' });
  await assert.rejects(
    clientWithWrongKey.listFaq(),
    (problem: ProblemError) => problem.code === 'api_key_invalid',
  );
});

test('a creation is retried with the same Idempotency-Key if its response is lost, and happens once', async () => {
  const { sentRequests, client } = createRecordingClient((requestNumber) => requestNumber < MAX_ATTEMPTS);
  const lead = await client.createLead({
    body: { kind: 'partner', name: 'Joana', email: 'joana@example.com' },
  });
  assert.match(lead.id, /^lead_/);
  assert.equal(sentRequests.length, MAX_ATTEMPTS);
  assert.equal(new Set(sentRequests.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

test('a request that is not safe to repeat is sent once', async () => {
  const { sentRequests, client } = createRecordingClient(() => true);
  await assert.rejects(client.checkPhone({ body: { phone: '+5511987650001' } }), ConnectionError);
  assert.equal(sentRequests.length, 1);
});

test('if no server responds, three attempts are made before the error is thrown', async () => {
  let attempts = 0;
  const transport: Transport = (request) => {
    attempts += 1;
    return workingTransport({ ...request, url: UNREACHABLE_URL });
  };
  await assert.rejects(createClient({ url: service.partnerUrl, key, transport }).listFaq(), ConnectionError);
  assert.equal(attempts, MAX_ATTEMPTS);
});

test('a list is iterated page by page, until the caller stops', async () => {
  const { sentRequests, client } = createRecordingClient();
  const slugs: string[] = [];
  const query = { limit: 30 };
  for await (const { slug } of client.each('listMerchants', { query })) slugs.push(slug);
  const { pagination } = await api.listMerchants();
  assert.equal(new Set(slugs).size, pagination.total);
  const pageCount = Math.ceil(pagination.total / query.limit);
  assert.equal(sentRequests.length, pageCount);
  for await (const _ of client.each('listMerchants', { query })) break;
  assert.equal(sentRequests.length, pageCount + 1, 'only one more page is requested');
});

test('the event feed is iterated to its end, also from a given event on', async () => {
  const { sentRequests, client } = createRecordingClient();
  const leadIds: string[] = [];
  for (const name of ['Rui', 'Eva', 'Gil']) {
    const { id } = await client.createLead({
      body: { kind: 'partner', name, email: `${name}@example.com` },
    });
    leadIds.push(id);
  }
  const readLeadEvents = async (query: { after?: string; limit?: number }) => {
    const leadEvents: Array<{ eventId: string; leadId: string }> = [];
    for await (const event of client.each('listEvents', { query: { ...query, types: 'lead.received' } })) {
      assert.equal(event.type, 'lead.received');
      if (leadIds.includes(event.data.id)) leadEvents.push({ eventId: event.id, leadId: event.data.id });
    }
    return leadEvents;
  };
  const events = await eventually('the feed has the leads', async () => {
    const leadEvents = await readLeadEvents({});
    return leadEvents.length === leadIds.length && leadEvents;
  });
  const sentCountBefore = sentRequests.length;
  assert.deepEqual(await readLeadEvents({ limit: 1, after: events[0]!.eventId }), events.slice(1));
  assert.ok(sentRequests.length - sentCountBefore >= 2, 'each page has at most one event');
});

test('the event stream of a partner is an async iterator that continues after a given event, and ends when its signal aborts', async () => {
  const controller = new AbortController();
  const { id } = await api.createLead({ body: { kind: 'partner', name: 'Ivo', email: 'ivo@example.com' } });
  const eventBefore = await eventually('the feed has the lead', async () => {
    const events = [];
    for await (const event of api.each('listEvents')) events.push(event);
    const index = events.findIndex((event) => event.type === 'lead.received' && event.data.id === id);
    return events[index - 1];
  });
  const receivedIds: string[] = [];
  const options = { signal: controller.signal, lastEventId: eventBefore.id };
  for await (const event of api.streamPartnerEvents(options)) {
    if (event.type === 'lead.received') receivedIds.push(event.data.id);
    if (receivedIds.includes(id)) controller.abort();
  }
  assert.deepEqual(receivedIds, [id]);
});

test('an image is returned as its exact bytes', async () => {
  const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"></svg>');
  const uploadResponse = await fetch(`${service.staffUrl}/admin/media`, {
    method: 'POST',
    body: new Uint8Array(picture),
    headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'image/svg+xml' },
  });
  const { name } = (await uploadResponse.json()) as { name: string };
  assert.deepEqual(Buffer.from(await api.getMediaFile({ path: { name } })), picture);
});

test('concurrent calls, also of two clients with a shared token store, refresh an expired token once', async () => {
  const customer = await pixDriver.createCustomer();
  const login = await api.logIn({ body: { phone: customer.phone, password: customer.password } });
  let queue: Promise<unknown> = Promise.resolve();
  const store: TokenStore = {
    ...memoryTokens(login),
    lock(work) {
      const result = queue.then(work);
      queue = result.catch(() => undefined);
      return result;
    },
  };
  const { sentRequests, client } = createRecordingClient();
  const tabs = [client.with({ tokens: store }), client.with({ tokens: store })];
  service.clock.advance(TOKEN_TTL_MS + 1_000);
  const customers = await Promise.all([...tabs, ...tabs, ...tabs].map((tab) => tab.getMe()));
  assert.equal(new Set(customers.map(({ phone }) => phone)).size, 1);
  assert.equal(sentRequests.filter(({ url }) => url.endsWith('/refresh')).length, 1);
  await tabs[0]!.logOut({ body: { refresh_token: (await store.read())!.refresh_token } });
  await assert.rejects(tabs[1]!.getMe(), (error) => isProblem(error, 'token_invalid'));
});

test('the tokens of an ended session are deleted', async () => {
  const customer = await pixDriver.createCustomer();
  const login = await api.logIn({ body: { phone: customer.phone, password: customer.password } });
  await api.logOut({ body: { refresh_token: login.refresh_token } });
  const tokens = memoryTokens({ ...login, expires_at: new Date(0).toISOString() });
  await assert.rejects(api.with({ tokens }).getMe(), (error) => isProblem(error, 'token_invalid'));
  assert.equal(await tokens.read(), undefined);
});

test('a stream that reconnects continues after its last event, and misses no event', async () => {
  const customer = await pixDriver.createCustomer();
  const login = await api.logIn({ body: { phone: customer.phone, password: customer.password } });
  const controller = new AbortController();
  let cutConnection: (() => void) | undefined;
  let openCount = 0;
  const transport: Transport = async (request) => {
    const connection = new AbortController();
    request.signal?.addEventListener('abort', () => connection.abort());
    const response = await workingTransport({ ...request, signal: connection.signal });
    if (request.url.endsWith('/wallet/events')) {
      cutConnection = () => connection.abort();
      openCount += 1;
    }
    return response;
  };
  const tokens = memoryTokens(login);
  const customerApi = createClient({ url: service.partnerUrl, key, transport, tokens });
  const events: WalletEvent[] = [];
  const listening = (async () => {
    for await (const event of customerApi.streamEvents({ signal: controller.signal })) events.push(event);
  })();
  await eventually('the stream is open', async () => openCount === 1);
  const firstCheckout = await pixDriver.sell(customer);
  await eventually('the event of the first purchase is received', async () => events.length > 0);
  cutConnection!();
  const secondCheckout = await pixDriver.sell(customer);
  const listPurchaseHashes = () =>
    events.flatMap((event) => (event.type === 'checkout.created' ? [event.data.checkout_hash] : []));
  await eventually(
    'the event of the second purchase is received',
    async () => listPurchaseHashes().length === 2,
  );
  assert.deepEqual(listPurchaseHashes(), [firstCheckout.hash, secondCheckout.hash]);
  assert.equal(openCount, 2);
  controller.abort();
  await listening;
});

test('a delivery is verified according to Standard Webhooks; forged, modified and old ones are rejected', () => {
  const [secret, otherSecret] = [
    'whsec_c2VtYW5hLXNlbWFuYS1zZW1hbmE=',
    'whsec_b3V0cmEtb3V0cmEtb3V0cmEtb3V0cmE=',
  ];
  const body = '{"type":"pix.paid"}';
  const now = new Date();
  const createHeaders = (signature: string, instant = now) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(instant.getTime() / 1000)),
    'webhook-signature': signature,
  });
  const signature = new Webhook(secret).sign('evt_1', now, body);
  assert.deepEqual(verifyWebhook({ secrets: secret, headers: createHeaders(signature), body }), {
    type: 'pix.paid',
  });
  assert.ok(
    verifyWebhook({ secrets: [otherSecret, secret], headers: createHeaders(`v1,AAAA ${signature}`), body }),
  );
  const invalidDeliveries = [
    { secrets: otherSecret, headers: createHeaders(signature), body },
    { secrets: secret, headers: createHeaders(signature), body: `${body} ` },
    { secrets: secret, headers: {}, body },
    {
      secrets: secret,
      headers: createHeaders(signature),
      body,
      now: new Date(now.getTime() + TOLERANCE_MS + 1_000),
    },
  ];
  for (const delivery of invalidDeliveries) assert.throws(() => verifyWebhook(delivery), WebhookError);
});
