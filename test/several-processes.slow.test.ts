import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from './commands.ts';
import { eventually } from './harness.ts';
import { copyDemoDatabase, isAlive, query, startService } from './processes.ts';
import { listServerPids } from './support/postgres.ts';

// WEB_CONCURRENCY: several processes behind one port that behave as one.

const DATABASE_URL = await copyDemoDatabase();
const service = await startService({ DATABASE_URL, WEB_CONCURRENCY: '2', DRAIN_MS: '10000' });
const workers = () => listServerPids(service.child.pid!).slice(1);

/** Over a new connection each time, so that several requests reach all processes. */
const ask = (path: string, headers: Record<string, string>, base = service.partnerUrl) =>
  fetch(base + path, { headers: { ...headers, connection: 'close' } });
const metrics = async () => (await ask('/metrics', {}, service.staffUrl)).text();
const semana = async (...words: string[]) => {
  const { code, stdout, stderr } = await commandLine(words, { SEMANA_URL: service.staffUrl });
  assert.equal(code, 0, stderr);
  return stdout.trim();
};

test('limits and revocations apply to all processes together', async () => {
  const words = ['--partner', 'Demo partner', '--scopes', 'public', '--requests-per-minute', '40'];
  const secret = await semana('keys', 'create', ...words);
  const key = { 'x-api-key': secret };
  await eventually('the key is known', async () => (await ask('/public/categories', key)).status === 200);
  const statuses: number[] = [];
  for (let i = 0; i < 60; i++) statuses.push((await ask('/public/categories', key)).status);
  const served = statuses.filter((status) => status === 200).length;
  // A new minute may begin meanwhile.
  assert.ok(served < 60 && served > 20, `${served} of 60 with a limit of 40`);
  assert.ok(statuses.includes(429));
  const newest = 'select id from api_keys order by created_at desc limit 1';
  const [{ id } = { id: '' }] = await query<{ id: string }>(DATABASE_URL, newest);
  await semana('keys', 'revoke', id, '--yes');
  await eventually('no process takes it', async () => {
    const allResponses = await Promise.all(Array.from({ length: 8 }, () => ask('/public/categories', key)));
    return allResponses.every(({ status }) => status === 401);
  });
});

test('a stream in any process gets all events; metrics add up all processes', async () => {
  const logInResponse = await fetch(`${service.partnerUrl}/wallet/auth/login`, {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '+5511987650003', password: 'semana-demo-3' }),
  });
  const { token } = (await logInResponse.json()) as { token: string };
  const headers = { 'x-api-key': 'sandbox-demo-key', 'x-token': token, accept: 'text/event-stream' };
  const streams = await Promise.all(Array.from({ length: 4 }, () => ask('/wallet/events', headers)));
  const heard = streams.map(async ({ body }) => {
    let text = '';
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('event: checkout.created')) return true;
    }
    return false;
  });
  const [customer, merchant] = ['+5511987650003', 'otica-lume'];
  const sale = ['--merchant', merchant, '--amount', '20', '--installments', '1'];
  await semana('checkouts', 'create', '--customer', customer, ...sale, '--yes');
  assert.deepEqual(await Promise.all(heard), [true, true, true, true]);

  for (let i = 0; i < 10; i++) await ask('/public/faq', { 'x-api-key': 'sandbox-demo-key' });
  const counted = /_count\{door="front",method="GET",route="\/public\/faq",status="200"\} 10\n/;
  for (let i = 0; i < 4; i++) assert.match(await metrics(), counted);
  assert.match(await metrics(), /^caches_trusted 1$/m);
});

test('a dead process is replaced while the other continues to serve, and a signal ends all', async () => {
  const before = workers();
  assert.equal(before.length, 2);
  process.kill(before[0]!, 'SIGKILL');
  await eventually('the other one serves', async () => {
    const answer = await ask('/public/faq', { 'x-api-key': 'sandbox-demo-key' }).catch(() => undefined);
    return answer?.status === 200;
  });
  const now = await eventually('there is another one', async () => {
    const found = workers();
    return found.length === 2 && !found.includes(before[0]!) && found;
  });
  // A terminal signals all processes of the group.
  for (const pid of [service.child.pid!, ...now]) process.kill(pid, 'SIGTERM');
  await eventually(
    'it is not ready',
    async () => (await ask('/readyz', {}, service.staffUrl)).status === 503,
  );
  service.child.kill('SIGTERM');
  assert.equal((await service.outcome).code, 0, service.stderr());
  assert.deepEqual(now.filter(isAlive), []);
});
