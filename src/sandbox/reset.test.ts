import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { saoPauloDay } from '#core/values/day.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { findCustomerId } from '#customers';
import { createEvents, type EventHandler } from '#events';
import { systemClock } from '#platform/clock.ts';
import { type Db, openDb, sql } from '#platform/database/db.ts';
import { migrate } from '#platform/database/migrate.ts';
import { eventually, type Node, openService } from '../../test/harness.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import { createUnmigratedDatabase } from '../../test/processes.ts';
import { ANA, CARLA, getMe, logIn, OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { assertRefused } from '../../test/support/customers.ts';
import { createModuleEvents, readConfiguration } from '../modules.ts';
import { allowReturnToSite, DEMO_SHOP_URL } from './demo-data.ts';
import { resetSandbox } from './reset.ts';

const service = await openService();
const otherNode = await service.startNode();
const freshService = await openService();

/** The number of keys that `seedKeys` creates. */
const DEMO_KEY_COUNT = 5;

const requestReset = (node: Node) => node.staff('POST', '/sandbox/reset', { key: OPERATOR_KEY });

const readDemoIds = (db: Db) =>
  Promise.all([
    db.values<string>(sql`select id from customers order by id`),
    db.values<string>(sql`select hash from checkout_hashes order by hash`),
    db.values<string>(sql`select id from offers order by id`),
    db.values<string>(sql`select id from partners order by id`),
    db.values<string>(sql`select code from customer_referral_codes order by code`),
  ]);

test('demo data that is written on the same day has the same ids and hashes everywhere', async () => {
  const databases = [await openService({ demo: false }), await openService({ demo: false })];
  const events = createModuleEvents(readConfiguration({}));
  const today = () => saoPauloDay(Date.now());
  // Repeated if midnight passes meanwhile: ids depend on the day.
  for (let seededDay = ''; seededDay !== today(); ) {
    seededDay = today();
    for (const node of databases)
      await resetSandbox(node.db, { clock: systemClock, vault: node.db.vault, events });
  }
  const [ids, otherIds] = await Promise.all(databases.map(({ db }) => readDemoIds(db)));
  assert.deepEqual(ids, otherIds);
  assert.ok(ids!.every((list) => list.length > 0));
});

test('the key of the demo merchant returns to the site at its actual address', async () => {
  const readOrigins = async () =>
    (await freshService.db.value<string[]>(sql`
      select return_origins from api_keys where ${DEMO_SHOP_URL} = any(return_origins)`))!;
  await freshService.db.run(sql`
    update api_keys set return_origins = return_origins || '{https://loja.example,http://localhost:8080}'::text[]
    where ${DEMO_SHOP_URL} = any(return_origins)`);
  const ownOrigins = [DEMO_SHOP_URL, 'https://loja.example', 'http://localhost:8080'];
  for (const port of [40123, 40124]) {
    await allowReturnToSite(freshService.db, `http://localhost:${port}`);
    assert.deepEqual(await readOrigins(), [
      ...ownOrigins,
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}`,
    ]);
  }
  await allowReturnToSite(freshService.db, 'https://site.example');
  assert.deepEqual(await readOrigins(), [...ownOrigins, 'https://site.example']);
});

async function resetAndCheckCounts(node: Node): Promise<void> {
  const response = await requestReset(node);
  assert.equal(response.status, 200, response.text);
  const { merchants, customers, checkouts } = await countRows(freshService.db);
  const reset_at = service.clock.now().toISOString();
  assert.deepEqual(response.body, { reset_at, merchants, customers, checkouts });
}

/** Counts the rows of each table (`query_to_xml` runs a query for each), except tables that jobs and nodes write at any time. */
async function countRows(db: Db): Promise<Record<string, number>> {
  const rows = await db.rows<{ name: string; count: string }>(sql`
    select relname as name,
           (xpath('/row/c/text()', query_to_xml('select count(*) as c from ' || oid::regclass, false, true, '')))[1]::text as count
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`);
  const nodeTables = ['pix_sweep', 'sandbox_clock', 'sender_health', 'psp_sim_webhooks'];
  return Object.fromEntries(
    rows.filter(({ name }) => !nodeTables.includes(name)).map(({ name, count }) => [name, Number(count)]),
  );
}

/** Reads what callers see, without values that differ after every reset. */
async function readViews(node: Node): Promise<unknown> {
  const { token } = await logIn(node, ANA);
  const responses = await Promise.all([
    ...['/public/merchants?limit=100', '/public/categories', '/public/faq', '/public/blog?limit=100'].map(
      (path) => node.get(path),
    ),
    node.get('/wallet/checkouts', { token }),
    node.get('/wallet/me', { token }),
    node.staff('GET', '/sandbox/psp/faults', { key: OPERATOR_KEY }),
    node.staff('GET', '/sandbox/messages', { key: OPERATOR_KEY }),
    node.staff('GET', '/admin/pix/orphans', { key: OPERATOR_KEY }),
  ]);
  return responses.map(({ status, text }) => {
    const comparable = text
      .replaceAll(node.partnerUrl, '')
      .replace(/"(hash|id|created_at)":"[^"]{20,}"/g, '"$1":""');
    return { status, body: JSON.parse(comparable) };
  });
}

const readClockOffset = async (node: Node): Promise<number> =>
  (await node.staff('GET', '/sandbox/clock', { key: OPERATOR_KEY })).body.offset_seconds;

const DUE_JOBS = sql`select count(*) from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`;

test('a reset removes all additions and changes on every node, and restores the demo data of the first start', async () => {
  const pixDriver = createPixDriver(service);
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const leadInput = { kind: 'contact', name: 'Davi', email: 'davi@example.com' };
  assert.equal(
    (await service.post('/public/leads', leadInput, { headers: { 'idempotency-key': 'reset' } })).status,
    201,
  );
  assert.equal((await service.post('/wallet/auth/otp', { phone: customer.phone })).status, 202);
  const { secret } = await service.newKey({ scopes: ['public'] });
  await service.db.run(sql`insert into categories (slug, name) values ('nova', 'Nova')`);
  await service.db.run(sql`update merchants set listed = false where slug = 'otica-lume'`);
  await service.db.run(sql`update posts set published_at = null`);
  await service.db.run(sql`delete from faq_entries`);
  await service.db.run(
    sql`update customers set credit_limit_cents = 7 where id = ${await findCustomerId(service.db, ANA.phone)}`,
  );
  await service.db.run(
    sql`select graphile_worker.add_job('pix_sync', '{}', run_at => now() + interval '1 day')`,
  );
  await pixDriver.setPspFaults({ notify: 'never', wrong_amount: 1 });
  await service.staff('POST', '/sandbox/clock', { key: OPERATOR_KEY, body: { advance: 'P30D' } });
  for (const node of [service, otherNode]) assert.equal((await node.get('/public/faq')).body.data.length, 0);
  // A reminder in preparation may have requested a code from the PSP, which would arrive after the reset.
  await eventually('all reminders are sent', async () => (await pixDriver.readCount(DUE_JOBS)) === 0);

  await resetAndCheckCounts(otherNode);
  for (const node of [service, otherNode]) {
    assert.deepEqual(await readViews(node), await readViews(freshService));
    assert.equal(await readClockOffset(node), 0);
    assert.equal((await node.get('/public/faq', { key: secret })).body.code, 'api_key_invalid');
    assert.equal((await node.get('/public/merchants?q=lume')).body.data[0].slug, 'otica-lume');
  }
  // These tables are also written by logins of this test, and by jobs that run every minute.
  const testTables = ['sessions', 'api_keys', 'attempt_windows', 'message_runs'];
  const omitTestTables = (counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).filter(([table]) => !testTables.includes(table)));
  assert.deepEqual(
    omitTestTables(await countRows(service.db)),
    omitTestTables(await countRows(freshService.db)),
  );
  assert.equal(await pixDriver.readCount(sql`select count(*) from api_keys`), DEMO_KEY_COUNT);
  assert.equal(
    await pixDriver.readCount(
      sql`select count(*) from graphile_worker.jobs where run_at > now() + interval '2 minutes'`,
    ),
    0,
  );
  const laterRuns = sql`select count(*) from message_runs where day > ${saoPauloDay(service.clock.now().getTime())}`;
  assert.equal(await pixDriver.readCount(laterRuns), 0);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('dates of the demo data are relative to the day of the reset', async () => {
  service.clock.advance(40 * DAY_MS);
  await resetAndCheckCounts(service);
  const { token } = await logIn(service, ANA);
  const { body } = await service.get('/wallet/checkouts', { token });
  const newestPurchaseMs = Date.parse(body.data[0].purchased_at);
  assert.ok(
    service.clock.now().getTime() - newestPurchaseMs <= 7 * DAY_MS,
    'the newest purchase is six days old',
  );
  assert.deepEqual(
    body.data.map(({ status }: { status: string }) => status),
    ['open', 'overdue', 'paid'],
  );
});

test('after a reset append-only tables are protected again', async () => {
  await resetAndCheckCounts(service);
  const appendOnlyError = { code: '23001' };
  await assert.rejects(service.db.run(sql`update ledger_entries set amount_cents = 1`), appendOnlyError);
  await assert.rejects(service.db.run(sql`delete from ledger_postings`), appendOnlyError);
  await assert.rejects(service.db.run(sql`truncate pix_charges cascade`), appendOnlyError);
  const disabledTriggers = await service.db.rows(sql`select tgname from pg_trigger where tgenabled <> 'O'`);
  assert.deepEqual(disabledTriggers, []);
});

test('earlier tokens are refused on every node, and a new login is valid on every node', async () => {
  const earlierLogin = await logIn(service, ANA);
  for (const node of [service, otherNode]) assert.equal((await getMe(node, earlierLogin.token)).status, 200);
  await resetAndCheckCounts(service);
  for (const node of [service, otherNode]) {
    const response = await getMe(node, earlierLogin.token);
    assertRefused(response, 401, 'token_invalid');
    assert.match(response.body.detail, /signed with a retired key/);
    const refreshResponse = await node.post('/wallet/auth/refresh', {
      refresh_token: earlierLogin.refresh_token,
    });
    assertRefused(refreshResponse, 401, 'token_invalid');
    const { token } = await logIn(node, ANA);
    for (const anyNode of [service, otherNode]) assert.equal((await getMe(anyNode, token)).status, 200);
  }
});

test('event streams of deleted sessions end', async () => {
  const { token } = await logIn(service, ANA);
  const headers = { 'x-api-key': 'sandbox-demo-key', 'x-token': token };
  const streams = await Promise.all(
    [service, otherNode].map((node) => fetch(`${node.partnerUrl}/wallet/events`, { headers })),
  );
  for (const { status } of streams) assert.equal(status, 200);
  await resetAndCheckCounts(service);
  for (const stream of streams) assert.match(await stream.text(), /^retry: /);
});

test('a charge right after a reset is settled, although the PSP was unavailable and had no webhook', async () => {
  await createPixDriver(service).setPspFaults({ error_rate: 1 });
  await service.db.run(sql`delete from psp_sim_webhooks`);
  await resetAndCheckCounts(service);
  const { token } = await logIn(otherNode, ANA);
  const { body: list } = await otherNode.get('/wallet/checkouts?status=open', { token });
  const { body: checkout } = await otherNode.get(`/wallet/checkouts/${list.data[0].hash}`, { token });
  const id = checkout.installments[0].id;
  const charge = await otherNode.post(`/wallet/installments/${id}/pix`, { type: 'settle' }, { token });
  assert.equal(charge.status, 201, charge.text);
  await eventually(
    'the webhooks are registered',
    async () => (await service.db.rows(sql`select from psp_sim_webhooks`)).length === 3,
  );
  await createPixDriver(service).payCharge(charge.body.txid);
  await eventually('the charge is paid', async () => {
    const { body } = await service.get(`/wallet/pix/${charge.body.id}`, { token });
    return body.status === 'paid';
  });
  assert.deepEqual(await createPixDriver(service).listMismatches(), []);
});

test('a reset that fails or loses its connection changes nothing', async () => {
  const customer = await createPixDriver(service).createCustomer();
  const { token } = await logIn(service, customer);
  const countsBefore = await eventually('all events and messages are sent', async () => {
    const unsentMessage = await service.db.row(sql`select 1 from messages where status = 'queued'`);
    const counts = await countRows(service.db);
    return !unsentMessage && counts.event_outbox === 0 && counts;
  });
  const failingHandlers: Array<EventHandler<'installment.paid'>> = [
    () => Promise.reject(new Error('handler failed')),
    (tx) => tx.run(sql`select pg_terminate_backend(pg_backend_pid())`).then(() => undefined),
  ];
  const { vault } = service.db;
  const db = openDb({ url: service.databaseUrl, poolSize: 1, applicationName: 'test', vault });
  for (const handler of failingHandlers) {
    const events = createEvents([{ 'installment.paid': [handler] }]);
    const deps = { clock: service.clock, vault, events };
    await assert.rejects(resetSandbox(db, deps), /handler failed|unavailable/);
    assert.deepEqual(await countRows(service.db), countsBefore);
    for (const node of [service, otherNode]) assert.equal((await getMe(node, token)).status, 200);
    await assert.rejects(service.db.run(sql`truncate ledger_postings cascade`), { code: '23001' });
  }
  await db.close();
});

test('503 while a long transaction blocks the reset: nothing is reset, and other requests are not blocked for long', async () => {
  const { token } = await logIn(service, ANA);
  const lockHeld = Promise.withResolvers<void>();
  const lockReleased = Promise.withResolvers<void>();
  const blockingTransaction = service.db.transaction(async (tx) => {
    await tx.run(sql`select 1 from leads`);
    lockHeld.resolve();
    await lockReleased.promise;
  });
  await lockHeld.promise;
  const refusedReset = requestReset(service).finally(lockReleased.resolve);
  let isUnblocked = false;
  void blockingTransaction.then(() => {
    isUnblocked = true;
  });
  let responseCount = 0;
  while (!isUnblocked) {
    assert.equal((await getMe(otherNode, token)).status, 200);
    responseCount += 1;
  }
  assertRefused(await refusedReset, 503, 'unavailable');
  assert.ok(
    responseCount > 2,
    `${responseCount} requests succeeded: they were blocked until the reset aborted`,
  );
  assert.equal((await getMe(service, token)).status, 200);
});

test('concurrent resets succeed, or get 503 and succeed when retried', async () => {
  const resetWithRetries = (node: Node) =>
    eventually('the sandbox is reset', async () => {
      const response = await requestReset(node);
      if (response.status !== 200) assertRefused(response, 503, 'unavailable');
      return response.status === 200;
    });
  await Promise.all([resetWithRetries(service), resetWithRetries(otherNode), resetWithRetries(service)]);
  assert.equal((await service.db.rows(sql`select from customers`)).length, 3);
  for (const node of [service, otherNode])
    assert.equal((await getMe(node, (await logIn(node, CARLA)).token)).status, 200);
});

test('requests during a reset succeed, are refused or get 503, but never 500', async () => {
  const responseCounts = new Map<string, number>();
  // 403 is the status for a token from before a reset with a key from after the reset.
  const allowedStatuses = [200, 201, 202, 204, 401, 403, 404, 429, 503];
  const MAX_RESETS = 10;
  const REQUIRED_RESETS = 3;
  let isRunning = true;
  const countResponse = ({ status, body }: { status: number; body: { code?: string } }, label: string) => {
    const name = [label, status, body?.code].filter((part) => part !== undefined).join(' ');
    responseCounts.set(name, (responseCounts.get(name) ?? 0) + 1);
    assert.ok(allowedStatuses.includes(status), name);
  };
  const sendRequests = async (node: Node, callerNumber: number): Promise<void> => {
    for (let round = 0; isRunning; round++) {
      await sleep(100);
      const lead = { kind: 'contact', name: `Davi ${callerNumber} ${round}`, email: 'davi@example.com' };
      countResponse(await node.post('/public/leads', lead), 'lead');
      countResponse(await node.get('/public/blog'), 'blog');
      countResponse(await node.get(`/public/merchants?page=${1 + (round % 3)}`), 'merchants');
      const login = await node.post('/wallet/auth/login', callerNumber % 2 ? ANA : CARLA);
      countResponse(login, 'login');
      if (login.status !== 200) continue;
      const { token } = login.body;
      countResponse(await getMe(node, token), 'me');
      const listResponse = await node.get('/wallet/checkouts?status=open', { token });
      countResponse(listResponse, 'checkouts');
      const hash = listResponse.body.data?.[0]?.hash;
      if (hash === undefined) continue;
      const checkoutResponse = await node.get(`/wallet/checkouts/${hash}`, { token });
      countResponse(checkoutResponse, 'checkout');
      const id = checkoutResponse.body.installments?.[0].id;
      if (id === undefined) continue;
      countResponse(await node.post(`/wallet/installments/${id}/pix`, { type: 'settle' }, { token }), 'pix');
    }
  };
  const countSuccessfulResets = () => responseCounts.get('reset 200') ?? 0;
  const callers = Promise.all(
    Array.from({ length: 4 }, (_, i) => sendRequests(i % 2 ? service : otherNode, i)),
  );
  try {
    // On a busy machine a reset may not get its locks in time, and returns 503. Such a reset is repeated.
    for (let i = 0; i < MAX_RESETS && countSuccessfulResets() < REQUIRED_RESETS; i++) {
      countResponse(await requestReset(i % 2 ? service : otherNode), 'reset');
      await Promise.race([callers, sleep(300)]);
    }
  } finally {
    isRunning = false;
  }
  await callers;
  assert.ok(countSuccessfulResets() >= REQUIRED_RESETS, JSON.stringify([...responseCounts]));
  assert.deepEqual(await createPixDriver(service).listMismatches(), []);
});

test('migrations insert rows only into tables that a reset does not truncate', async () => {
  const url = await createUnmigratedDatabase();
  await migrate(url, 'sandbox');
  const db = openDb({ url, poolSize: 1, applicationName: 'test' });
  const filledTables = Object.entries(await countRows(db)).filter(([, count]) => count > 0);
  await db.close();
  assert.deepEqual(
    filledTables.map(([name]) => name),
    ['schema_migrations'],
  );
});
