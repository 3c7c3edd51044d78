import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEvents } from '#events';
import { sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';
import { leadsNamed } from '../../test/support/catalog.ts';
import { eraseLead, findLead } from './lead-store.ts';
import { receiveLead } from './receive-lead.ts';

const service = await openService({ env: { TRUST_PROXY: '127.0.0.1', LEADS_PER_ADDRESS: '100' } });

const form = { kind: 'partner', name: 'Joana Prado', email: 'joana@example.com' };
const count = async (name: string) => (await leadsNamed(service.db, name)).length;

test('201 means the lead is stored', async () => {
  const { status, body } = await service.post('/public/leads', { ...form, phone: '+5511987654321' });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body), ['id', 'kind', 'received_at']);
  const stored = await findLead(service.db, body.id);
  assert.equal(stored?.phone, '+5511987654321');
});

test('the same lead within ten minutes is stored once and answers the same id, also when many race', async () => {
  const same = { ...form, name: 'Rita Race' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.post('/public/leads', same)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.equal(await count('Rita Race'), 1);

  service.clock.advance(9 * 60_000);
  assert.equal((await service.post('/public/leads', same)).body.id, answers[0]!.body.id);
  service.clock.advance(2 * 60_000);
  assert.notEqual(
    (await service.post('/public/leads', same)).body.id,
    answers[0]!.body.id,
    'ten minutes have passed',
  );
  assert.equal(await count('Rita Race'), 2);
});

test('the same lead again after it was deleted or erased is stored: 201 means so', async () => {
  const same = { ...form, name: 'Dora Denovo' };
  const send = async () => (await service.post('/public/leads', same)).body.id as string;
  const first = await send();
  assert.equal((await service.staff('DELETE', `/admin/leads/${first}`, { key: OPERATOR_KEY })).status, 204);
  const second = await send();
  assert.equal((await findLead(service.db, second))?.name, same.name);
  await service.db.transaction((tx) => eraseLead(tx, tx.vault, second, 'apagado'));
  assert.equal((await findLead(service.db, await send()))?.name, same.name);
});

test('lead.received is written once for each lead that is stored, and names nobody', async () => {
  const told = () =>
    service.db.rows<{ data: unknown }>(sql`
      select data from global_events where type = 'lead.received' order by position`);
  const before = (await told()).length;
  const same = { ...form, name: 'Eva Evento', phone: '+5511987654322', message: 'Olá' };
  const headers = { 'idempotency-key': 'lead-event' };
  const answers = [
    ...(await Promise.all(Array.from({ length: 5 }, () => service.post('/public/leads', same)))),
    await service.post('/public/leads', same, { headers }),
    await service.post('/public/leads', same, { headers }),
  ];
  assert.deepEqual((await told()).slice(before), [{ data: answers[0]!.body }]);
  service.clock.advance(11 * 60_000);
  const again = await service.post('/public/leads', same);
  assert.deepEqual((await told()).slice(before + 1), [{ data: again.body }]);
});

test('a lead is stored with its event or not at all', async () => {
  const fail = () => Promise.reject(new Error('no'));
  const vault = new Vault(SANDBOX_SECRETS);
  const events = openEvents([{ 'lead.received': [fail] }]);
  const given = { events, vault, leadsPerAddress: 100, now: service.clock.now() };
  const { id: partnerId } = (await service.db.row<{ id: string }>(sql`select id from partners limit 1`))!;
  const lead = { ...form, name: 'Nina Nada' };
  await assert.rejects(
    service.db.transaction((tx) =>
      receiveLead(tx, { partnerId, keyId: 'key_x', address: '127.0.0.1' }, lead, given),
    ),
    /no/,
  );
  assert.equal(await count('Nina Nada'), 0);
  assert.equal((await service.post('/public/leads', lead)).status, 201, 'it was not heard of before');
  assert.equal(await count('Nina Nada'), 1);
});

test('429 rate_limited: 10 a minute from an address with a key, and nothing of the eleventh is left', async () => {
  const here = { headers: { 'x-forwarded-for': '203.0.113.1' } };
  const send = (name: string, options: object = here) =>
    service.post('/public/leads', { ...form, name }, options);
  const answers = await Promise.all(Array.from({ length: 15 }, (_, i) => send(`Sol Spam ${i}`)));
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(answers.filter(({ status }) => status === 201).length, 10);
  assert.equal(refused.length, 5);
  assert.equal(refused[0]!.body.code, 'rate_limited');
  assert.equal(refused[0]!.headers.get('retry-after'), '60');
  assert.equal(await count('Sol Spam'), 10);

  const known = answers.findIndex(({ status }) => status === 201);
  assert.equal((await send(`Sol Spam ${known}`)).body.id, answers[known]!.body.id, 'a second click is none');
  const elsewhere = { headers: { 'x-forwarded-for': '203.0.113.2' } };
  assert.equal((await send('Sol Spam elsewhere', elsewhere)).status, 201);
  const again = answers.findIndex(({ status }) => status === 429);
  service.clock.advance(60_000);
  assert.equal(
    (await send(`Sol Spam ${again}`)).status,
    201,
    'what was refused is as if it had not been sent',
  );
});

test('what a trusted proxy hands on and is no address counts as the proxy: never a 500, never free of limits', async () => {
  service.clock.advance(60_000);
  const garbage = (i: number) =>
    [`lixo-${i}`, `999.1.1.${i}`, `203.0.113.9:${i}`, `, ,${i}`, `'; --${i}`][i % 5]!;
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, i) =>
      service.post(
        '/public/leads',
        { ...form, name: `Lixo ${i}` },
        { headers: { 'x-forwarded-for': garbage(i) } },
      ),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    ...Array<number>(10).fill(201),
    ...Array<number>(5).fill(429),
  ]);
});

test('429 rate_limited: 100 an hour from an address, whatever the key', async () => {
  const options = { headers: { 'x-forwarded-for': '203.0.113.3' } };
  for (let i = 0; i < 100; i++) {
    const answer = await service.post('/public/leads', { ...form, name: `Hora ${i}` }, options);
    assert.equal(answer.status, 201, answer.text);
    service.clock.advance(10_000);
  }
  const { secret } = await service.newKey({ scopes: ['public'] });
  const refused = await service.post(
    '/public/leads',
    { ...form, name: 'Hora 100' },
    { ...options, key: secret },
  );
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), String(3_600 - 1_000));
});

test('a viewer sees leads masked, in pages, single reads and CSV; content sees them whole', async () => {
  const { body: made } = await service.post(
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
  const keyOf = async (role: string): Promise<string> => {
    const { body } = await service.staff('POST', '/admin/staff', {
      key: OPERATOR_KEY,
      body: { name: `Nova ${role}`, role },
    });
    return body.key;
  };
  const seen = async (key: string) => {
    const [one, list, csv] = await Promise.all(
      [`/admin/leads/${made.id}`, '/admin/leads?limit=100', '/admin/leads?csv=plain'].map((path) =>
        service.staff('GET', path, { key }),
      ),
    );
    const { name, email, phone, company, message } = one!.body;
    const listed = list!.body.data.find(({ id }: { id: string }) => id === made.id);
    assert.deepEqual(listed, one!.body);
    const line = csv!.text.split('\r\n').find((text) => text.includes(made.id));
    return { fields: [name, email, phone, company, message], line: line! };
  };
  const masked = await seen(await keyOf('viewer'));
  assert.deepEqual(masked.fields, ['Ximena Q***', 'x***@example.com', '+55 ** *****-4321', '***', '***']);
  assert.doesNotMatch(masked.line, /Quadros|ximena@|98765|Liguem/);
  const whole = await seen(await keyOf('content'));
  assert.deepEqual(whole.fields.slice(0, 3), ['Ximena Quadros', 'ximena@example.com', '+5511987654321']);
  assert.match(whole.line, /Quadros e Molduras/);
});
