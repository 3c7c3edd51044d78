import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { createEvents } from '#events';
import { sql } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { setErasing } from '#platform/privacy/personal-data.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { openService } from '../../../test/harness.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { listLeadsNamed } from '../../../test/support/catalog.ts';
import { newStaffUser } from '../../../test/support/staff.ts';
import { catalogPersonalData } from '../personal-data.ts';
import { receiveLead } from './leads.ts';
import { findLead } from './store.ts';

const service = await openService({ env: { TRUST_PROXY: '127.0.0.1', LEADS_PER_ADDRESS: '100' } });

const leadForm = { kind: 'partner', name: 'Joana Prado', email: 'joana@example.com' };
const countLeads = async (name: string) => (await listLeadsNamed(service.db, name)).length;

test('201 means the lead is stored', async () => {
  const { status, body } = await service.post('/public/leads', { ...leadForm, phone: '+5511987654321' });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body), ['id', 'kind', 'received_at']);
  const storedLead = await findLead(service.db, body.id);
  assert.equal(storedLead?.phone, '+5511987654321');
});

test('the same lead within ten minutes is stored once and returns the same id, also under concurrency', async () => {
  const leadInput = { ...leadForm, name: 'Rita Race' };
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => service.post('/public/leads', leadInput)),
  );
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201]);
  assert.equal(new Set(responses.map(({ body }) => body.id)).size, 1);
  assert.equal(await countLeads('Rita Race'), 1);

  service.clock.advance(9 * MINUTE_MS);
  assert.equal((await service.post('/public/leads', leadInput)).body.id, responses[0]!.body.id);
  service.clock.advance(2 * MINUTE_MS);
  assert.notEqual(
    (await service.post('/public/leads', leadInput)).body.id,
    responses[0]!.body.id,
    'ten minutes have passed',
  );
  assert.equal(await countLeads('Rita Race'), 2);
});

test('a lead that was deleted or erased is stored again when it is sent again', async () => {
  const leadInput = { ...leadForm, name: 'Dora Denovo', email: 'dora@example.com' };
  const send = async () => (await service.post('/public/leads', leadInput)).body.id as string;
  const firstId = await send();
  assert.equal((await service.staff('DELETE', `/admin/leads/${firstId}`, { key: OPERATOR_KEY })).status, 204);
  const secondId = await send();
  assert.equal((await findLead(service.db, secondId))?.name, leadInput.name);
  const person = { id: 'cus_1', phone: '+5511900000001', email: leadInput.email, cpf: '', phoneHashes: [] };
  await service.db.transaction(async (tx) => {
    await setErasing(tx, 'on');
    await catalogPersonalData.tables!.leads!.erase!(tx, person);
  });
  assert.equal((await findLead(service.db, secondId))?.name, 'apagado');
  assert.equal((await findLead(service.db, await send()))?.name, leadInput.name);
});

test('lead.received is emitted once per stored lead, and contains no personal data', async () => {
  const listEvents = () =>
    service.db.rows<{ data: unknown }>(sql`
      select data from global_events where type = 'lead.received' order by position`);
  const eventCountBefore = (await listEvents()).length;
  const leadInput = { ...leadForm, name: 'Eva Evento', phone: '+5511987654322', message: 'Olá' };
  const headers = { 'idempotency-key': 'lead-event' };
  const responses = [
    ...(await Promise.all(Array.from({ length: 5 }, () => service.post('/public/leads', leadInput)))),
    await service.post('/public/leads', leadInput, { headers }),
    await service.post('/public/leads', leadInput, { headers }),
  ];
  assert.deepEqual((await listEvents()).slice(eventCountBefore), [{ data: responses[0]!.body }]);
  service.clock.advance(11 * MINUTE_MS);
  const repeatedResponse = await service.post('/public/leads', leadInput);
  assert.deepEqual((await listEvents()).slice(eventCountBefore + 1), [{ data: repeatedResponse.body }]);
});

test('a lead is stored together with its event or not at all', async () => {
  const failingHandler = () => Promise.reject(new Error('handler failed'));
  const vault = new Vault(SANDBOX_SECRETS);
  const events = createEvents([{ 'lead.received': [failingHandler] }]);
  const context = { events, vault, leadsPerAddress: 100, now: service.clock.now() };
  const { id: partnerId } = (await service.db.row<{ id: string }>(sql`select id from partners limit 1`))!;
  const leadInput = { ...leadForm, name: 'Nina Nada' };
  await assert.rejects(
    service.db.transaction((tx) =>
      receiveLead(tx, { partnerId, keyId: 'key_x', ipAddress: '127.0.0.1' }, leadInput, context),
    ),
    /handler failed/,
  );
  assert.equal(await countLeads('Nina Nada'), 0);
  assert.equal(
    (await service.post('/public/leads', leadInput)).status,
    201,
    'the failed attempt left no duplicate',
  );
  assert.equal(await countLeads('Nina Nada'), 1);
});

test('an IP address may send 10 leads a minute with a key; refused leads are not stored', async () => {
  const addressHeaders = { headers: { 'x-forwarded-for': '203.0.113.1' } };
  const send = (name: string, options: object = addressHeaders) =>
    service.post('/public/leads', { ...leadForm, name }, options);
  const responses = await Promise.all(Array.from({ length: 15 }, (_, i) => send(`Sol Spam ${i}`)));
  const refusals = responses.filter(({ status }) => status === 429);
  assert.equal(responses.filter(({ status }) => status === 201).length, 10);
  assert.equal(refusals.length, 5);
  assert.equal(refusals[0]!.body.code, 'rate_limited');
  assert.equal(refusals[0]!.headers.get('retry-after'), '60');
  assert.equal(await countLeads('Sol Spam'), 10);

  const acceptedIndex = responses.findIndex(({ status }) => status === 201);
  assert.equal(
    (await send(`Sol Spam ${acceptedIndex}`)).body.id,
    responses[acceptedIndex]!.body.id,
    'a duplicate does not count',
  );
  const otherAddress = { headers: { 'x-forwarded-for': '203.0.113.2' } };
  assert.equal((await send('Sol Spam elsewhere', otherAddress)).status, 201);
  const refusedIndex = responses.findIndex(({ status }) => status === 429);
  service.clock.advance(MINUTE_MS);
  assert.equal((await send(`Sol Spam ${refusedIndex}`)).status, 201, 'a refused lead is not a duplicate');
});

test('an invalid X-Forwarded-For of a trusted proxy counts as the address of the proxy: no 500, and the limits still apply', async () => {
  service.clock.advance(MINUTE_MS);
  const buildInvalidHeader = (i: number) =>
    [`lixo-${i}`, `999.1.1.${i}`, `203.0.113.9:${i}`, `, ,${i}`, `'; --${i}`][i % 5]!;
  const responses = await Promise.all(
    Array.from({ length: 15 }, (_, i) =>
      service.post(
        '/public/leads',
        { ...leadForm, name: `Lixo ${i}` },
        { headers: { 'x-forwarded-for': buildInvalidHeader(i) } },
      ),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [
    ...Array<number>(10).fill(201),
    ...Array<number>(5).fill(429),
  ]);
});

test('an IP address may send 100 leads an hour, with any keys', async () => {
  const options = { headers: { 'x-forwarded-for': '203.0.113.3' } };
  for (let i = 0; i < 100; i++) {
    const response = await service.post('/public/leads', { ...leadForm, name: `Hora ${i}` }, options);
    assert.equal(response.status, 201, response.text);
    service.clock.advance(10_000);
  }
  const { secret } = await service.newKey({ scopes: ['public'] });
  const refusal = await service.post(
    '/public/leads',
    { ...leadForm, name: 'Hora 100' },
    { ...options, key: secret },
  );
  assert.equal(refusal.status, 429);
  // The first of the 100 leads was sent 1,000 seconds ago.
  assert.equal(refusal.headers.get('retry-after'), String(3_600 - 1_000));
});

test('the role viewer sees masked leads in lists, single reads and CSV; the role content sees them in full', async () => {
  const { body: createdLead } = await service.post(
    '/public/leads',
    {
      kind: 'partner',
      name: 'Ximena Quadros',
      email: 'ximena@example.com',
      phone: '+5511987654321',
      company: 'Quadros e Molduras',
      message: 'Liguem para a Ximena',
    },
    { headers: { 'x-forwarded-for': '198.51.100.77' } },
  );
  const createKey = async (role: Role) => (await newStaffUser(service, `Nova ${role}`, role)).key;
  const readLead = async (key: string) => {
    const [response, list, csv] = await Promise.all(
      [`/admin/leads/${createdLead.id}`, '/admin/leads?limit=100', '/admin/leads?csv=plain'].map((path) =>
        service.staff('GET', path, { key }),
      ),
    );
    const { name, email, phone, company, message } = response!.body;
    const listedLead = list!.body.data.find(({ id }: { id: string }) => id === createdLead.id);
    assert.deepEqual(listedLead, response!.body);
    const csvLine = csv!.text.split('\r\n').find((line) => line.includes(createdLead.id));
    return { fields: [name, email, phone, company, message], line: csvLine! };
  };
  const maskedLead = await readLead(await createKey('viewer'));
  assert.deepEqual(maskedLead.fields, ['Ximena Q***', 'x***@example.com', '+55 ** *****-4321', '***', '***']);
  assert.doesNotMatch(maskedLead.line, /Quadros|ximena@|98765|Liguem/);
  const fullLead = await readLead(await createKey('content'));
  assert.deepEqual(fullLead.fields.slice(0, 3), ['Ximena Quadros', 'ximena@example.com', '+5511987654321']);
  assert.match(fullLead.line, /Quadros e Molduras/);
});
