import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from './commands.ts';
import { eventually } from './harness.ts';
import { createDemoDatabase, isAlive, startService } from './processes.ts';
import { CARLA } from './purchase-driver.ts';
import { query } from './query.ts';
import { listServerPids } from './support/postgres.ts';

// With WEB_CONCURRENCY several processes share a port and behave as one.

const DATABASE_URL = await createDemoDatabase();
const service = await startService({ DATABASE_URL, WEB_CONCURRENCY: '2', DRAIN_MS: '10000' });
/** The rate limit of the key that a test creates. */
const REQUESTS_PER_MINUTE = 40;
const listWorkerPids = () => listServerPids(service.child.pid!).filter((pid) => pid !== service.child.pid);

/** Sends a GET over a new connection, so that several requests reach all processes. */
const get = (path: string, headers: Record<string, string>, base = service.partnerUrl) =>
  fetch(base + path, { headers: { ...headers, connection: 'close' } });
const readMetrics = async () => (await get('/metrics', {}, service.staffUrl)).text();
const runSemana = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCli(args, { SEMANA_URL: service.staffUrl });
  assert.equal(code, 0, stderr);
  return stdout.trim();
};

test('limits and revocations apply to all processes together', async () => {
  const keyOptions = [
    '--partner',
    'Demo partner',
    '--scopes',
    'public',
    '--requests-per-minute',
    String(REQUESTS_PER_MINUTE),
  ];
  const createKeyHeader = async () => ({ 'x-api-key': await runSemana('keys', 'create', ...keyOptions) });
  const requestStatus = async (keyHeader: { 'x-api-key': string }) =>
    (await get('/public/categories', keyHeader)).status;
  // A limit counts the requests of a minute of the database, so an attempt during which a minute ends is repeated with another key.
  const readMinute = async () => {
    const rows = await query<{ minute: string }>(
      DATABASE_URL,
      `select date_trunc('minute', clock_timestamp())::text as minute`,
    );
    return rows[0]!.minute;
  };
  const { keyHeader, servedCount } = await eventually('all requests are in the same minute', async () => {
    const minuteBefore = await readMinute();
    const newKeyHeader = await createKeyHeader();
    let acceptedCount = 0;
    await eventually('the key is accepted', async () => {
      const isAccepted = (await requestStatus(newKeyHeader)) === 200;
      if (isAccepted) acceptedCount += 1;
      return isAccepted;
    });
    for (let i = 0; i < REQUESTS_PER_MINUTE + 20; i++)
      if ((await requestStatus(newKeyHeader)) === 200) acceptedCount += 1;
    return (await readMinute()) === minuteBefore && { keyHeader: newKeyHeader, servedCount: acceptedCount };
  });
  assert.equal(servedCount, REQUESTS_PER_MINUTE);
  const [newestKey] = await query<{ id: string }>(
    DATABASE_URL,
    'select id from api_keys order by created_at desc limit 1',
  );
  await runSemana('keys', 'revoke', newestKey!.id, '--yes');
  await eventually('no process accepts the key', async () => {
    const allResponses = await Promise.all(
      Array.from({ length: 8 }, () => get('/public/categories', keyHeader)),
    );
    return allResponses.every(({ status }) => status === 401);
  });
});

test('a stream in any process gets all events; metrics add up all processes', async () => {
  const logInResponse = await fetch(`${service.partnerUrl}/wallet/auth/login`, {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify(CARLA),
  });
  const { token } = (await logInResponse.json()) as { token: string };
  const headers = { 'x-api-key': 'sandbox-demo-key', 'x-token': token, accept: 'text/event-stream' };
  const streams = await Promise.all(Array.from({ length: 4 }, () => get('/wallet/events', headers)));
  const receivedEvents = streams.map(async ({ body }) => {
    let text = '';
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('event: checkout.created')) return true;
    }
    return false;
  });
  const sale = ['--merchant', 'otica-lume', '--amount', '20', '--installments', '1'];
  await runSemana('checkouts', 'create', '--customer', CARLA.phone, ...sale, '--yes');
  assert.deepEqual(await Promise.all(receivedEvents), [true, true, true, true]);

  for (let i = 0; i < 10; i++) await get('/public/faq', { 'x-api-key': 'sandbox-demo-key' });
  const requestCount = /_count\{door="front",method="GET",route="\/public\/faq",status="200"\} 10\n/;
  for (let i = 0; i < 4; i++) assert.match(await readMetrics(), requestCount);
  assert.match(await readMetrics(), /^caches_trusted 1$/m);
});

test('a dead process is replaced while the other continues to serve, and a signal ends all processes', async () => {
  const pidsBefore = listWorkerPids();
  assert.equal(pidsBefore.length, 2);
  process.kill(pidsBefore[0]!, 'SIGKILL');
  await eventually('the other process serves', async () => {
    const response = await get('/public/faq', { 'x-api-key': 'sandbox-demo-key' }).catch(() => undefined);
    return response?.status === 200;
  });
  const pidsAfter = await eventually('the process is replaced', async () => {
    const pids = listWorkerPids();
    return pids.length === 2 && !pids.includes(pidsBefore[0]!) && pids;
  });
  // A terminal signals all processes of the group.
  for (const pid of [service.child.pid!, ...pidsAfter]) process.kill(pid, 'SIGTERM');
  await eventually(
    'the service is not ready',
    async () => (await get('/readyz', {}, service.staffUrl)).status === 503,
  );
  service.child.kill('SIGTERM');
  assert.equal((await service.outcome).code, 0, service.stderr());
  assert.deepEqual(pidsAfter.filter(isAlive), []);
});
