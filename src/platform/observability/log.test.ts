import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, openService } from '../../../test/harness.ts';
import { sql } from '../database/db.ts';
import { createLog } from './log.ts';

const service = await openService();

const PERSON = {
  kind: 'contact',
  name: 'Clementina Verissimo',
  email: 'clementina@verissimo.example',
  phone: '+5511987659999',
  company: 'Verissimo Tecidos',
  message: 'Gostaria de vender em parcelas semanais.',
};
const UNKNOWN_KEY = 'made-up-key-of-a-stranger';

/** All values of a request that identify a person or reveal a search. */
const PRIVATE_TEXTS = [
  ...Object.values(PERSON).slice(1), // without `kind`
  'Clementina',
  '987659999',
  UNKNOWN_KEY,
  'sandbox-demo-key',
  'oculos-de-leitura',
  'segredo-no-endereco',
  'cookie-value-77',
  'idem-key-clementina',
];

test('no log line contains an API key, name, IP address, phone number or search text', async () => {
  const { secret } = await service.newKey({});
  await service.post('/public/leads', PERSON);
  await service.post('/public/leads', PERSON, { headers: { 'idempotency-key': 'idem-key-clementina' } });
  await service.post('/public/leads', { ...PERSON, kind: 'Clementina Verissimo' });
  await service.post('/public/leads', { ...PERSON, [PERSON.email]: 1 });
  await service.call('POST', '/public/leads', { raw: `{"name": "${PERSON.name}"` });
  await service.get('/public/merchants?q=oculos-de-leitura');
  await service.get('/public/merchants?q=oculos-de-leitura&page=0');
  await service.get('/public/faq?topic=oculos-de-leitura');
  await service.get('/public/merchants/segredo-no-endereco');
  await service.get('/segredo-no-endereco?token=segredo-no-endereco');
  await service.get('/public/merchants/%zz-segredo-no-endereco');
  await service.get('/public/faq', { key: UNKNOWN_KEY });
  await service.get('/public/faq', { key: secret });
  await service.get('/public/faq', { headers: { cookie: 'cookie-value-77', authorization: PERSON.email } });
  await service.staff('GET', '/metrics');

  const logText = service.readLog();
  for (const text of [...PRIVATE_TEXTS, secret]) assert.ok(!logText.includes(text), text);
});

test('an internal error is logged with its stack and constraint, without values', async () => {
  await service.db.run(sql`alter table leads add constraint not_again check (kind <> 'again')`);
  const { status, body } = await service.post('/public/leads', { ...PERSON, kind: 'again' });
  assert.equal(status, 500);
  const line = findLines(body.request_id).find((logLine) => logLine.msg === 'request failed')!;
  assert.equal(line.err.code, '23514');
  assert.equal(line.err.constraint, 'not_again');
  assert.equal(line.route, '/public/leads');
  assert.match(line.err.stack, /\n\s+at /);
  for (const text of PRIVATE_TEXTS) assert.ok(!service.readLog().includes(text), text);
});

test('the log line of a request has id, method, URL pattern, status, duration, partner and key id', async () => {
  const { headers } = await service.get('/public/merchants/none');
  const line = await eventually(
    'the request is logged',
    async () => findLines(headers.get('x-request-id')!)[0],
  );
  const { partner, key, ms, time, ...otherFields } = line;
  assert.deepEqual(otherFields, {
    level: 30,
    request_id: headers.get('x-request-id'),
    door: 'front',
    method: 'GET',
    route: '/public/merchants/:slug',
    status: 404,
    msg: 'request',
  });
  assert.match(partner, /^ptn_/);
  assert.match(key, /^key_/);
  assert.equal(typeof ms, 'number');
  assert.equal(typeof time, 'number');
});

test('every line is JSON', () => {
  for (const line of service.readLog().trim().split('\n')) JSON.parse(line);
});

test('a logged error and its causes do not contain the values that PostgreSQL quotes', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const innerError = Object.assign(new Error('invalid input syntax for type date: "1990-01-01 Clementina"'), {
    severity: 'ERROR',
    code: '22007',
    detail: 'Key (email)=(clementina@verissimo.example) already exists.',
    where: 'Clementina',
  });
  log.error({ err: new Error('wrapped', { cause: innerError }) }, 'failed');
  assert.doesNotMatch(lines[0]!, /Clementina|verissimo/);
  assert.match(lines[0]!, /22007/);
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into log lines freely
function findLines(requestId: string): any[] {
  return service
    .readLog()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((entry) => entry.request_id === requestId);
}
