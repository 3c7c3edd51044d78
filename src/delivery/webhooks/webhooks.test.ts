import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { CommandContext } from '#platform/command-line/command.ts';
import { readArguments } from '#platform/command-line/command.ts';
import { sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { PROJECT, run, whenSaid } from '../../../test/processes.ts';
import { OPERATOR_KEY } from '../../../test/shop.ts';
import {
  answer,
  demoPartner,
  eventsOfPurchase,
  openReceiver,
  publish,
} from '../../../test/support/webhook-receiver.ts';
import { assertRefused } from '../../../test/till.ts';
import { readConfiguration } from '../../modules.ts';
import { resealSecrets } from './endpoints.ts';
import { webhookCommands } from './webhooks.ts';

const service = await openService();
const { db, clock } = service;
const partner = await demoPartner(db);
const url = 'https://www.example.com.br/hook';

const staff = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.staff(method, `/admin/webhooks${path}`, {
    key: OPERATOR_KEY,
    headers,
    ...(body !== undefined && { body }),
  });

test('an endpoint is created with a secret that is shown once and sealed in the database', async () => {
  const events = ['pix.paid', 'checkout.paid'];
  const { status, body, headers } = await staff('POST', '', { partner: 'Demo partner', url, events });
  assert.equal(status, 201);
  const { id, secret, ...rest } = body;
  assert.deepEqual(rest, {
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
  const bytes = Buffer.from(secret.slice(6), 'base64').length;
  assert.ok(bytes >= 24 && bytes <= 64);
  assert.equal(headers.get('location'), `/admin/webhooks/${id}`);
  assert.deepEqual((await staff('GET', `/${id}`)).body, { id, ...rest });
  const [row] = await db.rows<{ all: string }>(
    sql`select w::text as all from webhook_endpoints w where id = ${id}`,
  );
  const found = [secret, Buffer.from(secret).toString('hex')].filter((text) => row!.all.includes(text));
  assert.deepEqual(found, []);
  assert.ok(!service.logged().includes(secret));
});

test('Idempotency-Key: the same again is the same endpoint with the same secret, which is not kept in the clear', async () => {
  const key = { 'idempotency-key': 'one' };
  const first = await staff('POST', '', { partner, url }, key);
  const again = await staff('POST', '', { partner, url }, key);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const kept = await db.row<{ all: string }>(
    sql`select a::text as all from idempotent_answers a where key = 'one'`,
  );
  assert.ok(!kept!.all.includes(first.body.secret));
});

test('faults of an endpoint are reported field by field', async () => {
  for (const bad of ['http://a:b@x.example/', 'https://x.example/#top', 'ftp://x.example/', 'x', '']) {
    const { status, body } = await staff('POST', '', { partner, url: bad });
    assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'validation_failed', '/url'], bad);
  }
  assertRefused(await staff('POST', '', { partner, url, events: ['pix.payed'] }), 400, 'validation_failed');
  assertRefused(await staff('POST', '', { partner, url, secret: 'x' }), 400, 'validation_failed');
  assertRefused(await staff('POST', '', { partner: 'nobody', url }), 422, 'partner_unknown');
  for (const [method, path] of [
    ...[
      ['GET', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/rotate'],
      ['POST', '/disable'],
    ],
    ...[
      ['POST', '/enable'],
      ['POST', '/replay'],
    ],
  ] as Array<[string, string]>) {
    const body = path === '/replay' ? { since: clock.now().toISOString() } : undefined;
    assertRefused(await staff(method, `/whe_01kfx3v9e2r4s6t8w0y2a4c6e8${path}`, body), 404, 'not_found');
    assertRefused(await staff(method, `/nonsense${path}`, body), 404, 'not_found');
  }
});

test('endpoints are listed in pages, by partner and status', async () => {
  clock.advance(1);
  const { id } = (await staff('POST', '', { partner, url })).body;
  await staff('POST', `/${id}/disable`);
  const disabled = (await staff('GET', '?status=disabled&partner=Demo%20partner')).body;
  assert.deepEqual(
    disabled.data.map((one: { id: string; disabled_reason: string }) => [one.id, one.disabled_reason]),
    [[id, 'operator']],
  );
  const { body, headers } = await staff('GET', '?limit=2');
  assert.deepEqual([body.data.length, body.pagination.total, body.data[0].id], [2, 3, id]);
  assert.match(headers.get('link')!, /rel="next"/);
  assert.equal((await staff('GET', '?partner=nobody')).body.pagination.total, 0);
});

test('a test calls the endpoint at once, signed, and says how it went', async () => {
  const receiver = await openReceiver();
  const { id, secret } = (await staff('POST', '', { partner, url: receiver.url })).body;
  const well = (await staff('POST', `/${id}/test`)).body;
  assert.deepEqual([well.status, well.type, well.attempts[0].status], ['delivered', 'webhook.test', 204]);
  const [{ raw, headers, body }] = receiver.received as [(typeof receiver.received)[number]];
  new Webhook(secret).verify(raw, headers);
  assert.deepEqual([body.id, body.type, body.data], [well.event, 'webhook.test', { endpoint: id }]);
  receiver.behave = answer(500, {}, 'no');
  const bad = (await staff('POST', `/${id}/test`)).body;
  assert.deepEqual([bad.status, bad.attempts[0].status, bad.attempts[0].answer], ['failed', 500, 'no']);
  assert.equal((await staff('GET', `/${id}/deliveries?status=failed`)).body.pagination.total, 1);
  const feed = await db.rows(sql`select 1 from partner_events where type = 'webhook.test'`);
  assert.deepEqual(feed, [], 'it is no event of the partner');
});

test('a partner has at most fifty endpoints', async () => {
  const { id } = (await db.row<{ id: string }>(
    sql`insert into partners (id, name, created_at) values ('busy', 'Busy', now()) returning id`,
  ))!;
  for (let i = 0; i < 50; i++) assert.equal((await staff('POST', '', { partner: id, url })).status, 201);
  assertRefused(await staff('POST', '', { partner: id, url }), 409, 'too_many_webhooks');
});

test('secrets are reencrypted with the first of DATA_KEYS', async () => {
  const { id, secret } = (await staff('POST', '', { partner, url })).body;
  const newer = { version: 2, key: Buffer.alloc(32, 7) };
  const vault = new Vault({ ...SANDBOX_SECRETS, dataKeys: [newer, ...SANDBOX_SECRETS.dataKeys] });
  await resealSecrets(db, vault);
  const row = await db.row<{ secrets: Buffer; key_version: number }>(
    sql`select secrets, key_version from webhook_endpoints where id = ${id}`,
  );
  assert.equal(vault.open({ bytes: row!.secrets, version: 2 }, id), secret);
  assert.equal(row!.key_version, 2);
  await resealSecrets(db, new Vault({ ...SANDBOX_SECRETS, dataKeys: [...SANDBOX_SECRETS.dataKeys, newer] }));
});

const settings = () => ({ timeoutMs: 1_000 });

/** A command in this process: what it printed, or what it refused with. */
async function semana(...words: string[]) {
  const command = webhookCommands(settings).find(({ name }) => name === words.slice(0, 2).join(' '))!;
  const out: string[] = [];
  const err: string[] = [];
  const { config } = readConfiguration({});
  const context: CommandContext = {
    config,
    db,
    databaseUrl: service.databaseUrl,
    clock,
    vault: new Vault(SANDBOX_SECRETS),
    user: 'tester',
    stdin: process.stdin,
    print: (text) => void out.push(text),
    printError: (text) => void err.push(text),
  };
  const code = await command.run(context, readArguments(command, words.slice(2)));
  return { code: code ?? 0, out, err };
}

test('the commands do what the staff door does', async () => {
  const receiver = await openReceiver();
  const words = ['--partner', 'Demo partner', '--url', receiver.url, '--events', 'pix.paid'];
  const made = await semana('webhook', 'create', ...words, '--reference', 'hook-1');
  const [id, secret] = made.out as [string, string];
  assert.match(secret, /^whsec_/);
  assert.deepEqual((await semana('webhook', 'create', ...words, '--reference', 'hook-1')).out, [id, secret]);
  await assert.rejects(semana('webhook', 'create', '--partner', 'x', '--url', url), /no partner 'x'/);
  await assert.rejects(semana('webhook', 'create', ...words.slice(0, 4), '--events', 'x'), /'x' is no type/);

  assert.match((await semana('webhook', 'list')).out[0]!, new RegExp(`${id}.*pix.paid.*enabled`));
  const shown = JSON.parse((await semana('webhook', 'show', id, '--json')).out[0]!);
  assert.deepEqual(shown, (await staff('GET', `/${id}`)).body);
  assert.match((await semana('webhook', 'test', id)).out[0]!, /^delivered: 204 in \d+ ms$/);

  const rotated = await semana('webhook', 'rotate', id);
  assert.match(rotated.out[0]!, /^whsec_/);
  assert.notEqual(rotated.out[0], secret);
  await assert.rejects(semana('webhook', 'rotate', id, '--overlap', '0h'), /Say --yes/);

  const since = clock.now().toISOString();
  const [event] = eventsOfPurchase(1, 'pix.paid', clock.now());
  await publish(db, partner, [event!]);
  await eventually('it came', async () => receiver.received.some((one) => one.id === event!.id));
  const count = () => receiver.received.filter((one) => one.id === event!.id).length;
  for (const [i, wish] of [
    ['--event', event!.id],
    ['--since', since],
  ].entries()) {
    await eventually('it is settled', async () =>
      /delivered/.test(
        (await semana('webhook', 'deliveries', id, '--status', 'delivered')).out[0]!.match(
          `${event!.id}.*`,
        )?.[0] ?? '',
      ),
    );
    assert.deepEqual((await semana('webhook', 'replay', id, ...wish)).out, ['1 delivery is on the way.']);
    await eventually('it came again', async () => count() === i + 2);
  }
  await assert.rejects(semana('webhook', 'replay', id), /either --event or --since/);
  await assert.rejects(semana('webhook', 'replay', id, '--since', 'today'), /--since is 'today'/);

  await semana('webhook', 'disable', id);
  assert.match((await semana('webhook', 'list')).out[0]!, new RegExp(`${id}.*disabled: operator`));
  await semana('webhook', 'enable', id);
  assert.equal((await staff('GET', `/${id}`)).body.status, 'enabled');
  await assert.rejects(semana('webhook', 'show', 'whe_x'), /no webhook endpoint/);
});

test('every change is in the trail, with who made it and without a secret', async () => {
  const { body } = await service.staff('GET', '/admin/audit-trail?subject=webhook&limit=100', {
    key: OPERATOR_KEY,
  });
  const actions = new Set(body.data.map(({ action }: { action: string }) => action));
  for (const action of ['createWebhook', 'disableWebhook', 'testWebhook', 'webhook create', 'webhook replay'])
    assert.ok(actions.has(action), action);
  assert.doesNotMatch(JSON.stringify(body), /whsec_/);
  const replayed = body.data.find(({ after }: { after: { since?: string } }) => after?.since !== undefined);
  assert.ok(Date.parse(replayed.after.since) > 0, 'with the instant since when');
});

test('semana webhook listen shows and forwards what comes, signed with the secret it says, until ctrl-C', async () => {
  const receiver = await openReceiver();
  const words = ['webhook', 'listen', '--forward', receiver.url];
  const listening = run([process.execPath, `${PROJECT}/bin/semana.js`, ...words], {
    DATABASE_URL: service.databaseUrl,
  });
  const secret = await eventually('it listens', async () => /whsec_\S+=/.exec(listening.stderr())?.[0]);
  const events = eventsOfPurchase(2, 'pix.paid', clock.now());
  await publish(db, partner, events);
  await whenSaid(listening, new RegExp(`pix.paid +${events[1]!.id} +204 in \\d+ ms`));
  assert.deepEqual(
    receiver.received.map(({ id }) => id),
    events.map(({ id }) => id),
  );
  for (const { raw, headers } of receiver.received) new Webhook(secret).verify(raw, headers);
  listening.child.kill('SIGINT');
  const { code, stdout } = await listening.ended;
  assert.deepEqual([code, stdout.endsWith('Ended.\n')], [0, true]);
});

test('an endpoint that is bound to a merchant gets its sales only, also when events are sent again', async () => {
  const receiver = await openReceiver();
  const { id: merchantId, slug } = (await db.row<{ id: number; slug: string }>(
    sql`select id, slug from merchants order by id limit 1`,
  ))!;
  const made = await staff('POST', '', { partner, url: receiver.url, merchant: slug });
  assert.deepEqual([made.status, made.body.merchant], [201, slug]);
  const now = clock.now();
  const own = eventsOfPurchase(2, 'pix.paid', now);
  const foreign = eventsOfPurchase(2, 'pix.paid', now);
  await publish(db, partner, foreign, merchantId + 1);
  await publish(db, partner, foreign.slice(0, 1));
  await publish(db, partner, own, merchantId);
  const came = () => receiver.received.map(({ id }) => id);
  await eventually('both came', async () => own.every(({ id }) => came().includes(id)));
  await eventually('both are recorded', async () => {
    const delivered = await staff('GET', `/${made.body.id}/deliveries?status=delivered`);
    return delivered.body.pagination.total === own.length;
  });
  const again = await staff('POST', `/${made.body.id}/replay`, {
    since: new Date(now.getTime() - 1).toISOString(),
  });
  assert.equal(again.body.queued ?? again.body.replayed, 2, again.text);
  const one = await staff('POST', `/${made.body.id}/replay`, { event: foreign[0]!.id });
  assert.equal(one.status, 404);
  assert.ok(foreign.every(({ id }) => !came().includes(id)));
  const unknown = await staff('POST', '', { partner, url: receiver.url, merchant: 'no-such-shop' });
  assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, '/merchant']);
  await staff('POST', `/${made.body.id}/disable`);
});
