import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, findDemoPartnerId, openService } from '../../../test/harness.ts';
import { startProgram, waitForOutput } from '../../../test/processes.ts';
import { PROJECT } from '../../../test/project.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';
import {
  buildPurchaseEvents,
  openWebhookReceiver,
  publish,
  respondWith,
  WEBHOOK_CUSTOMER,
} from '../../../test/support/webhook-receiver.ts';
import { reencryptSecrets } from './webhooks.ts';

const service = await openService();
const { db, clock } = service;
const partner = await findDemoPartnerId(db);
const url = 'https://www.example.com.br/hook';

const callStaffApi = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.staff(method, `/admin/webhooks${path}`, {
    key: OPERATOR_KEY,
    headers,
    ...(body !== undefined && { body }),
  });

test('a new endpoint has a secret that is returned once and stored encrypted', async () => {
  const events = ['pix.paid', 'checkout.paid'];
  const { status, body, headers } = await callStaffApi('POST', '', { partner: 'Demo partner', url, events });
  assert.equal(status, 201);
  const { id, secret, ...otherFields } = body;
  assert.deepEqual(otherFields, {
    partner,
    url,
    events,
    merchant: null,
    status: 'enabled',
    created_at: clock.now().toISOString(),
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    old_secret_until: null,
  });
  assert.match(secret, /^whsec_/);
  const secretLength = Buffer.from(secret.slice('whsec_'.length), 'base64').length;
  assert.ok(secretLength >= 24 && secretLength <= 64, 'as Standard Webhooks requires');
  assert.equal(headers.get('location'), `/admin/webhooks/${id}`);
  assert.deepEqual((await callStaffApi('GET', `/${id}`)).body, { id, ...otherFields });
  const [row] = await db.rows<{ text: string }>(
    sql`select w::text as text from webhook_endpoints w where id = ${id}`,
  );
  const foundPlaintexts = [secret, Buffer.from(secret).toString('hex')].filter((text) =>
    row!.text.includes(text),
  );
  assert.deepEqual(foundPlaintexts, []);
  assert.ok(!service.readLog().includes(secret));
});

test('repeating a request with its Idempotency-Key returns the same endpoint and secret, without storing the secret in plain text', async () => {
  const idempotencyHeaders = { 'idempotency-key': 'one' };
  const firstResponse = await callStaffApi('POST', '', { partner, url }, idempotencyHeaders);
  const repeatedResponse = await callStaffApi('POST', '', { partner, url }, idempotencyHeaders);
  assert.deepEqual(repeatedResponse.body, firstResponse.body);
  assert.equal(repeatedResponse.headers.get('idempotency-replayed'), 'true');
  const storedResponse = await db.row<{ text: string }>(
    sql`select a::text as text from idempotent_answers a where key = 'one'`,
  );
  assert.ok(!storedResponse!.text.includes(firstResponse.body.secret));
});

test('invalid input is reported field by field', async () => {
  for (const invalidUrl of ['http://a:b@x.example/', 'https://x.example/#top', 'ftp://x.example/', 'x', '']) {
    const { status, body } = await callStaffApi('POST', '', { partner, url: invalidUrl });
    assert.deepEqual(
      [status, body.code, body.errors[0].pointer],
      [400, 'validation_failed', '/url'],
      invalidUrl,
    );
  }
  assertRefused(
    await callStaffApi('POST', '', { partner, url, events: ['pix.payed'] }),
    400,
    'validation_failed',
  );
  assertRefused(await callStaffApi('POST', '', { partner, url, secret: 'x' }), 400, 'validation_failed');
  assertRefused(await callStaffApi('POST', '', { partner: 'nobody', url }), 422, 'partner_unknown');
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/deliveries'],
    ['POST', '/test'],
    ['POST', '/rotate'],
    ['POST', '/disable'],
    ['POST', '/enable'],
    ['POST', '/replay'],
  ] as const) {
    const body = path === '/replay' ? { since: clock.now().toISOString() } : undefined;
    assertRefused(
      await callStaffApi(method, `/whe_01kfx3v9e2r4s6t8w0y2a4c6e8${path}`, body),
      404,
      'not_found',
    );
    assertRefused(await callStaffApi(method, `/nonsense${path}`, body), 404, 'not_found');
  }
});

test('endpoints are listed in pages, filtered by partner and status', async () => {
  clock.advance(1);
  const { id } = (await callStaffApi('POST', '', { partner, url })).body;
  await callStaffApi('POST', `/${id}/disable`);
  const disabledPage = (await callStaffApi('GET', '?status=disabled&partner=Demo%20partner')).body;
  assert.deepEqual(
    disabledPage.data.map((item: { id: string; disabled_reason: string }) => [item.id, item.disabled_reason]),
    [[id, 'operator']],
  );
  const { body, headers } = await callStaffApi('GET', '?limit=2');
  assert.deepEqual(
    [body.data.length, body.pagination.total, body.data[0].id],
    [2, 3, id],
    'three with those of the tests above',
  );
  assert.match(headers.get('link')!, /rel="next"/);
  assert.equal((await callStaffApi('GET', '?partner=nobody')).body.pagination.total, 0);
});

test('a test immediately sends a signed event and returns the outcome', async () => {
  const receiver = await openWebhookReceiver();
  const { id, secret } = (await callStaffApi('POST', '', { partner, url: receiver.url })).body;
  const deliveredTest = (await callStaffApi('POST', `/${id}/test`)).body;
  assert.deepEqual(
    [deliveredTest.status, deliveredTest.type, deliveredTest.attempts[0].status],
    ['delivered', 'webhook.test', 204],
  );
  const [{ raw, headers, body }] = receiver.received as [(typeof receiver.received)[number]];
  new Webhook(secret).verify(raw, headers);
  assert.deepEqual([body.id, body.type, body.data], [deliveredTest.event, 'webhook.test', { endpoint: id }]);
  receiver.behave = respondWith(500, {}, 'no');
  const failedTest = (await callStaffApi('POST', `/${id}/test`)).body;
  assert.deepEqual(
    [failedTest.status, failedTest.attempts[0].status, failedTest.attempts[0].answer],
    ['failed', 500, 'no'],
  );
  assert.equal((await callStaffApi('GET', `/${id}/deliveries?status=failed`)).body.pagination.total, 1);
  const feedRows = await db.rows(sql`select 1 from partner_events where type = 'webhook.test'`);
  assert.deepEqual(feedRows, [], 'a test event is not in the partner’s feed');
});

test('a partner has at most fifty endpoints', async () => {
  const { id } = (await db.row<{ id: string }>(
    sql`insert into partners (id, name, created_at) values ('busy', 'Busy', now()) returning id`,
  ))!;
  for (let i = 0; i < 50; i++)
    assert.equal((await callStaffApi('POST', '', { partner: id, url })).status, 201);
  assertRefused(await callStaffApi('POST', '', { partner: id, url }), 409, 'too_many_webhooks');
});

test('secrets are reencrypted with the first key of DATA_KEYS', async () => {
  const { id, secret } = (await callStaffApi('POST', '', { partner, url })).body;
  const newerKey = { version: 2, key: Buffer.alloc(32, 7) };
  const vault = new Vault({ ...SANDBOX_SECRETS, dataKeys: [newerKey, ...SANDBOX_SECRETS.dataKeys] });
  await reencryptSecrets(db, vault);
  const row = await db.row<{ secrets: Buffer; key_version: number }>(
    sql`select secrets, key_version from webhook_endpoints where id = ${id}`,
  );
  assert.equal(vault.decrypt({ bytes: row!.secrets, version: 2 }, id), secret);
  assert.equal(row!.key_version, 2);
  // Other tests use the original key.
  await reencryptSecrets(
    db,
    new Vault({ ...SANDBOX_SECRETS, dataKeys: [...SANDBOX_SECRETS.dataKeys, newerKey] }),
  );
});

test('commands create, test, rotate, replay, disable and enable webhook endpoints', async () => {
  const runCommand = createCommandRunner(service);
  const receiver = await openWebhookReceiver();
  const targetOptions = ['--partner', 'Demo partner', '--url', receiver.url];
  const options = [...targetOptions, '--events', 'pix.paid'];
  const idempotencyOptions = ['--idempotency-key', 'hook-1'];
  const [id = '', secret] = (await runCommand('webhooks create', ...options, ...idempotencyOptions)).split(
    '\n',
  );
  assert.match(secret!, /^whsec_/);
  assert.equal(await runCommand('webhooks create', ...options, ...idempotencyOptions), `${id}\n${secret}`);
  await assert.rejects(
    runCommand('webhooks create', '--partner', 'x', '--url', url),
    /no such partner|no partner 'x'/,
  );
  const rejectedCommand = runCommand('webhooks create', ...targetOptions, '--events', 'pix.piad');
  await assert.rejects(rejectedCommand, /--events is 'pix\.piad'.* Did you mean 'pix\.paid'\?/);

  assert.match(await runCommand('webhooks list'), new RegExp(`${id}.*pix.paid.*enabled`));
  assert.deepEqual(
    JSON.parse(await runCommand('webhooks get', id, '--json')),
    (await callStaffApi('GET', `/${id}`)).body,
  );
  assert.match(await runCommand('webhooks test', id), /delivered[\s\S]*204/);

  await assert.rejects(runCommand('webhooks rotate', id), /Use --yes to confirm/);
  const rotatedSecret = await runCommand('webhooks rotate', id, '--yes');
  assert.match(rotatedSecret, /^whsec_/);
  assert.notEqual(rotatedSecret, secret);

  const since = clock.now().toISOString();
  const [event] = buildPurchaseEvents(1, 'pix.paid', clock.now());
  await publish(db, partner, [event!]);
  const countReceived = () => receiver.received.filter((delivery) => delivery.id === event!.id).length;
  await eventually('the event is received', async () => countReceived() === 1);
  for (const [i, selection] of [
    ['--event', event!.id],
    ['--since', since],
  ].entries()) {
    await eventually('the delivery is finished', async () =>
      (await runCommand('webhooks deliveries list', id, '--status', 'delivered')).includes(event!.id),
    );
    assert.match(await runCommand('webhooks replay', id, ...selection), /1/);
    await eventually('the event is received again', async () => countReceived() === i + 2); // the first delivery, and one per replay
  }
  await assert.rejects(runCommand('webhooks replay', id), /event|since/);
  await assert.rejects(runCommand('webhooks replay', id, '--since', 'today'), /--since/);

  await runCommand('webhooks disable', id);
  assert.match(await runCommand('webhooks list'), new RegExp(`${id}.*disabled`));
  await runCommand('webhooks enable', id);
  assert.equal((await callStaffApi('GET', `/${id}`)).body.status, 'enabled');
  await assert.rejects(runCommand('webhooks get', 'whe_x'), /webhook/);
});

test('the audit trail has every change with its author and without a secret', async () => {
  const { body } = await service.staff('GET', '/admin/audit-trail?subject=webhook&limit=100', {
    key: OPERATOR_KEY,
  });
  const actions = new Set(body.data.map(({ action }: { action: string }) => action));
  for (const action of [
    'createWebhook',
    'disableWebhook',
    'testWebhook',
    'replayWebhook',
    'rotateWebhookSecret',
  ])
    assert.ok(actions.has(action), action);
  assert.doesNotMatch(JSON.stringify(body), /whsec_/);
  const replay = body.data.find(({ after }: { after: { since?: string } }) => after?.since !== undefined);
  assert.ok(Date.parse(replay.after.since) > 0, 'with the start of the replay');
});

test('semana webhooks listen prints and forwards events, signed with the printed secret, until ctrl-C', async () => {
  const receiver = await openWebhookReceiver();
  const commandArgs = ['webhooks', 'listen', '--forward', receiver.url];
  const listenCommand = startProgram([process.execPath, `${PROJECT}/bin/semana.js`, ...commandArgs], {
    DATABASE_URL: service.databaseUrl,
  });
  const secret = await eventually(
    'the command listens',
    async () => /whsec_\S+=/.exec(listenCommand.stderr())?.[0],
  );
  const events = buildPurchaseEvents(2, 'pix.paid', clock.now());
  await publish(db, partner, events);
  await waitForOutput(listenCommand, new RegExp(`pix.paid +${events[1]!.id} +204 in \\d+ ms`));
  assert.deepEqual(
    receiver.received.map(({ id }) => id),
    events.map(({ id }) => id),
  );
  for (const { raw, headers } of receiver.received) new Webhook(secret).verify(raw, headers);
  listenCommand.child.kill('SIGINT');
  const { code, stdout } = await listenCommand.outcome;
  assert.deepEqual([code, stdout.endsWith('Ended.\n')], [0, true]);
});

test('an endpoint of a merchant gets only events of that merchant, also in a replay', async () => {
  const receiver = await openWebhookReceiver();
  const { id: merchantId, slug } = (await db.row<{ id: number; slug: string }>(
    sql`select id, slug from merchants order by id limit 1`,
  ))!;
  const { status, body } = await callStaffApi('POST', '', { partner, url: receiver.url, merchant: slug });
  assert.deepEqual([status, body.merchant], [201, slug]);
  const now = clock.now();
  const ownEvents = buildPurchaseEvents(2, 'pix.paid', now);
  const foreignEvents = buildPurchaseEvents(2, 'pix.paid', now);
  await publish(db, partner, foreignEvents, merchantId + 1);
  await publish(db, partner, foreignEvents.slice(0, 1));
  await publish(db, partner, ownEvents, merchantId);
  const isReceived = ({ id }: { id: string }) => receiver.ids.has(id);
  await eventually('both events are received', async () => ownEvents.every(isReceived));
  await eventually('both deliveries are stored', async () => {
    const deliveredPage = await callStaffApi('GET', `/${body.id}/deliveries?status=delivered`);
    return deliveredPage.body.pagination.total === ownEvents.length;
  });
  const since = new Date(now.getTime() - 1).toISOString();
  const replayResponse = await callStaffApi('POST', `/${body.id}/replay`, { since });
  assert.equal(replayResponse.body.replayed, 2, replayResponse.text);
  const foreignReplayResponse = await callStaffApi('POST', `/${body.id}/replay`, {
    event: foreignEvents[0]!.id,
  });
  assert.equal(foreignReplayResponse.status, 404);
  assert.ok(!foreignEvents.some(isReceived));
  assert.ok(receiver.received.every(({ raw }) => !raw.includes(WEBHOOK_CUSTOMER)));
  const refusedResponse = await callStaffApi('POST', '', {
    partner,
    url: receiver.url,
    merchant: 'no-such-shop',
  });
  assert.deepEqual([refusedResponse.status, refusedResponse.body.errors[0].pointer], [400, '/merchant']);
  await callStaffApi('POST', `/${body.id}/disable`);
});
