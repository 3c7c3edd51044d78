import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { HOUR_MS } from '#core/values/duration.ts';
import { createPartner } from '#partners';
import { DEMO_KEY, shareService } from '../../../test/harness.ts';
import { listLeadsNamed } from '../../../test/support/catalog.ts';
import { newCustomer } from '../../../test/support/customers.ts';
import { forCustomer, forNewCustomers } from '../database/customer-transaction.ts';
import { sql, type Tx } from '../database/db.ts';
import { notFound, Problem } from '../problem.ts';
import type { Caller } from './endpoint.ts';
import { createOnce, purgeStoredResponses } from './idempotency.ts';

const service = await shareService();
const otherNode = await service.startNode();
const otherPartner = await createPartnerKey('Another partner');

let personCount = 0;
const createForm = (name = `Person ${++personCount}`) => ({
  kind: 'contact',
  name,
  email: 'once@example.com',
});
const send = (idempotencyKey: string, body: unknown, key = DEMO_KEY, node = service as typeof otherNode) =>
  node.post('/public/leads', body, { key, headers: { 'idempotency-key': idempotencyKey } });
const countStoredLeads = async (name: string) => (await listLeadsNamed(service.db, name)).length;

async function createPartnerKey(name: string): Promise<string> {
  const partnerId = (await createPartner(service.db, name, service.clock))!;
  return (await service.newKey({ partner_id: partnerId })).secret;
}

test('the same key and body return the same response, byte for byte, marked as replayed', async () => {
  const body = createForm();
  const firstResponse = await send('same', body);
  assert.equal(firstResponse.status, 201);
  assert.equal(firstResponse.headers.get('idempotency-replayed'), null);
  service.clock.advance(HOUR_MS);
  for (const node of [service, otherNode]) {
    const repeatedResponse = await send('same', body, DEMO_KEY, node);
    assert.equal(repeatedResponse.status, 201);
    assert.equal(repeatedResponse.text, firstResponse.text);
    assert.equal(repeatedResponse.headers.get('content-type'), firstResponse.headers.get('content-type'));
    assert.equal(repeatedResponse.headers.get('idempotency-replayed'), 'true');
  }
  assert.equal(await countStoredLeads(body.name), 1, 'an hour later without the key it would be a new lead');
});

test('another body with the same key gets 422 idempotency_key_reused, and nothing is stored', async () => {
  const firstResponse = await send('reused', createForm('First Body'));
  const secondResponse = await send('reused', createForm('Second Body'));
  assert.equal(secondResponse.status, 422);
  assert.equal(secondResponse.body.code, 'idempotency_key_reused');
  assert.equal(await countStoredLeads('Second Body'), 0);
  assert.equal((await send('reused', createForm('First Body'))).text, firstResponse.text);
});

test('of many concurrent requests on two nodes, one is executed; the others get its response or 409', async () => {
  const body = createForm();
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => send('race', body, DEMO_KEY, i % 2 ? service : otherNode)),
  );
  assert.equal(await countStoredLeads(body.name), 1);
  const [freshResponse, ...otherFreshResponses] = responses.filter(
    ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
  );
  assert.deepEqual(otherFreshResponses, []);
  for (const response of responses) {
    if (response.status === 201) {
      assert.equal(response.text, freshResponse!.text);
    } else {
      assert.equal(response.status, 409);
      assert.equal(response.body.code, 'idempotency_key_in_flight');
      assert.match(response.headers.get('retry-after')!, /^\d+$/);
    }
  }
  assert.equal((await send('race', body)).text, freshResponse!.text);
});

test('a request gets 409 while the first request with its key is running, on any node', async () => {
  const body = createForm();
  const { id: partnerId } = (await service.db.row<{ id: string }>(
    sql`select id from partners where name = 'Demo partner'`,
  ))!;
  // Holds the advisory lock of the key, as a running request does.
  const noCustomerId = '';
  const lock = JSON.stringify(['idempotency', noCustomerId, partnerId, 'running']);
  await service.db.transaction(async (tx) => {
    await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
    for (const node of [service, otherNode])
      assert.equal((await send('running', body, DEMO_KEY, node)).status, 409);
  });
  assert.equal((await send('running', body)).status, 201);
});

test('a key belongs to the partner that sent it', async () => {
  const body = createForm();
  const ownResponse = await send('shared-name', body);
  const otherResponse = await send('shared-name', createForm(), otherPartner);
  assert.equal(otherResponse.status, 201);
  assert.equal(otherResponse.headers.get('idempotency-replayed'), null);
  assert.notEqual(otherResponse.body.id, ownResponse.body.id);
});

test('an idempotency key belongs to the partner, not to the API key, so a response survives a rotation', async () => {
  const body = createForm();
  const firstResponse = await send('rotated', body);
  const { secret } = await service.newKey({});
  assert.equal((await send('rotated', body, secret)).text, firstResponse.text);
});

test('after 24 hours the key is free again', async () => {
  const body = createForm();
  const firstResponse = await send('day', body);
  service.clock.advance(24 * HOUR_MS - 1);
  assert.equal((await send('day', body)).text, firstResponse.text);
  service.clock.advance(1);
  const secondResponse = await send('day', createForm());
  assert.equal(secondResponse.status, 201);
  assert.equal(secondResponse.headers.get('idempotency-replayed'), null);
});

test('only expired responses are deleted', async () => {
  await send('old', createForm());
  service.clock.advance(23 * HOUR_MS);
  await send('young', createForm());
  service.clock.advance(2 * HOUR_MS);
  await purgeStoredResponses(service.db, service.clock.now());
  const keys = await service.db.rows<{ key: string }>(sql`select key from idempotent_answers order by key`);
  assert.deepEqual(keys, [{ key: 'young' }]);
});

test('a key that is empty or longer than 255 characters gets 400; any 255 characters are accepted', async () => {
  for (const invalidKey of ['', 'a'.repeat(256), 'a'.repeat(4_000)]) {
    const { status, body } = await send(invalidKey, createForm());
    assert.equal(status, 400);
    assert.equal(body.code, 'validation_failed');
    assert.equal(body.errors[0].pointer, '/idempotency-key');
  }
  for (const validKey of ['a'.repeat(255), 'é', '"quoted"', "'; drop table leads; --", '{}', 'a b']) {
    const body = createForm();
    const firstResponse = await send(validKey, body);
    assert.equal(firstResponse.status, 201, validKey);
    assert.equal((await send(validKey, body)).text, firstResponse.text, validKey);
  }
});

test('a refused request stores nothing, so the key can be used for the corrected request', async () => {
  const refusals = [
    await send('mend', { kind: 'contact', name: 'No Address' }),
    await service.call('POST', '/public/leads', { raw: '{', headers: { 'idempotency-key': 'mend' } }),
    await send('mend', createForm(), 'wrong-key'),
  ];
  assert.deepEqual(
    refusals.map(({ status }) => status),
    [400, 400, 401],
  );
  assert.equal(await service.db.row(sql`select 1 from idempotent_answers where key = 'mend'`), undefined);
  assert.equal((await send('mend', createForm())).status, 201);
});

test('a request that fails with 5xx stores neither lead nor response, and can be repeated', async () => {
  const body = createForm();
  await service.db.run(sql`alter table idempotent_answers add constraint broken check (key <> 'broken')`);
  const response = await send('broken', body);
  assert.equal(response.status, 500);
  assert.deepEqual(Object.keys(response.body), ['type', 'title', 'status', 'detail', 'code', 'request_id']);
  assert.equal(response.body.code, 'internal_error');
  assert.doesNotMatch(response.text, /constraint|idempotent_answers/);
  assert.equal(await countStoredLeads(body.name), 0);

  await service.db.run(sql`alter table idempotent_answers drop constraint broken`);
  assert.equal((await send('broken', body)).status, 201);
  assert.equal(await countStoredLeads(body.name), 1);
});

test('without a key no response is stored', async () => {
  const countBefore = await service.db.row(sql`select count(*) as n from idempotent_answers`);
  await service.post('/public/leads', createForm());
  assert.deepEqual(await service.db.row(sql`select count(*) as n from idempotent_answers`), countBefore);
});

test('a problem thrown in createOnce rolls back, with or without a key, and is not stored', async () => {
  const { id: customerId } = await newCustomer(service);
  const name = 'Written Before It Was Refused';
  const writeRows = async (tx: Tx) => {
    await tx.run(sql`update customers set credit_limit_cents = 1 where id = ${customerId}`);
    tx.queueWrite(sql`insert into partners (id, name, created_at) values ('par_refused', ${name}, now())`);
  };
  const readCreditLimit = async () =>
    (await service.db.row<{ cents: number }>(
      sql`select credit_limit_cents as cents from customers where id = ${customerId}`,
    ))!.cents;
  const limitBefore = await readCreditLimit();
  const buildRequest = (key?: string) => ({
    caller: { partnerId: 'par_x', customerId } as Caller,
    method: 'POST',
    routeOptions: { url: '/x' } as FastifyRequest['routeOptions'],
    body: {},
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
  const reply = { header: () => undefined };
  for (const db of [service.db, forCustomer(service.db, customerId), forNewCustomers(service.db)])
    for (const key of [undefined, 'refused']) {
      const options = { request: buildRequest(key), reply, now: service.clock.now() };
      const refusedCreation = createOnce(db, options, async (tx: Tx) => {
        await writeRows(tx);
        throw notFound({ en: 'It is refused after all.', pt: 'Foi recusado afinal.' });
      });
      await assert.rejects(
        refusedCreation,
        (error) => error instanceof Problem && error.kind.code === 'not_found',
      );
      assert.equal(await readCreditLimit(), limitBefore);
      assert.equal(await service.db.run(sql`select from partners where name = ${name}`), 0);
    }
  const options = { request: buildRequest('refused'), reply, now: service.clock.now() };
  assert.equal(
    await createOnce(service.db, options, async () => 'done'),
    'done',
    'the refusal was not stored',
  );
});
