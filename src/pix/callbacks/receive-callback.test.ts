import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { CALLBACK_SECRET, createPixDriver } from '../../../test/pix-driver.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);

/** Sends a callback as the PSP does: without an API key, which `key: null` means. */
const sendCallback = (body: unknown, path = '/pix') =>
  service.post(`/psp/callback/${CALLBACK_SECRET}${path}`, body, { key: null });

/** Sells a purchase and pays its first installment. Requires the PSP fault `notify: 'never'`. Returns the entry that a callback would contain. */
async function payWithoutCallback() {
  const customer = await pixDriver.createCustomer();
  const { installments } = await pixDriver.sell(customer);
  const charge = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  const { end_to_end_id } = await pixDriver.payCharge(charge.txid);
  return { customer, charge, entry: { endToEndId: end_to_end_id, txid: charge.txid } };
}

test('one callback may report many payments, at the URL with and without /pix', async () => {
  await pixDriver.setPspFaults({ notify: 'never' });
  for (const path of ['', '/pix']) {
    const purchases = [await payWithoutCallback(), await payWithoutCallback(), await payWithoutCallback()];
    const unknownPayment = {
      endToEndId: 'E00000000202611231500aaaaaaaaaaa',
      txid: 'nobody',
      gnExtras: { a: [1] },
    };
    const pix = [...purchases.map(({ entry }) => entry), unknownPayment, null, 'nonsense'];
    assert.equal((await sendCallback({ pix, more: true }, path)).status, 200);
    for (const { customer, charge } of purchases) await pixDriver.waitForStatus(customer, charge.id, 'paid');
  }
  await pixDriver.setPspFaults({});
});

test('a callback without a txid applies the payment, and a callback with `devolucoes` applies the chargeback', async () => {
  await pixDriver.setPspFaults({ notify: 'never' });
  const { customer, charge, entry } = await payWithoutCallback();
  await sendCallback({ pix: [{ endToEndId: entry.endToEndId }] });
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.chargeBackCharge(charge.txid);
  const devolucoes = [{ id: 'whatever', status: 'DEVOLVIDO' }];
  await sendCallback({ pix: [{ ...entry, devolucoes }] });
  await eventually('the chargeback is applied', async () =>
    (await pixDriver.listEvents(customer.id)).some(({ type }) => type === 'installment.reopened'),
  );
  await pixDriver.setPspFaults({});
});

/** Builds callback entries of payments that the PSP does not have. */
const buildUnknownEntries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    endToEndId: `E00000000202611231500${String(i).padStart(11, '0')}`,
    valor: '1.00',
  }));

test('concurrent callbacks are all stored and handled, also next to malformed ones', async () => {
  await pixDriver.setPspFaults({ notify: 'never' });
  const purchases = await Promise.all(Array.from({ length: 12 }, payWithoutCallback));
  const countBefore = await pixDriver.readCount(sql`select count(*) from pix_notices`);
  const bodies = purchases.map(({ charge, entry }) => ({ pix: [{ ...entry, horario: charge.created_at }] }));
  const unbatchedBody = { pix: [{ txid: 'x'.repeat(70_000) }] }; // longer than the 64 KiB of a batched callback
  const inputs = [...bodies, ...bodies, { pix: 'nonsense' }, unbatchedBody];
  const responses = await Promise.all(inputs.map((body) => sendCallback(body)));
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
  assert.equal(await pixDriver.readCount(sql`select count(*) from pix_notices`), countBefore + inputs.length);
  for (const { customer, charge } of purchases) await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.waitForJobs();
  const ids = purchases.map(({ entry }) => entry.endToEndId);
  assert.equal(
    await pixDriver.readCount(sql`select count(*) from pix_payments where end_to_end_id = any(${ids})`),
    purchases.length,
  );
  await pixDriver.setPspFaults({});
});

test('a callback may report many unknown payments, some of them twice', async () => {
  assert.equal(
    (await sendCallback({ pix: [...buildUnknownEntries(200), ...buildUnknownEntries(200)] })).status,
    200,
  );
  await pixDriver.waitForJobs();
});

test('a callback with more than 500 payments triggers sweeps, which find our payment, instead of a lookup for each payment', async () => {
  await pixDriver.setPspFaults({ notify: 'never' });
  const { customer, charge, entry } = await payWithoutCallback();
  // Only the jobs of this callback are counted.
  await service.db.run(sql`delete from graphile_worker._private_jobs`);
  const countSyncJobs = () =>
    pixDriver.readCount(sql`
    select count(*) from graphile_worker.jobs where task_identifier = 'pix_sync'`);
  for (const pix of [
    [...buildUnknownEntries(20_000), entry],
    [...buildUnknownEntries(501), entry], // the service looks up at most 500
  ])
    assert.equal((await sendCallback({ pix })).status, 200);
  assert.ok((await countSyncJobs()) <= 1, 'at most one job, which a sweep enqueued');
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.waitForJobs();
  await pixDriver.setPspFaults({});
});

test('a call with a wrong secret is refused before its body is read', async () => {
  const { hostname, port } = new URL(service.partnerUrl);
  const socket = connect(Number(port), hostname);
  const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  // The header announces two megabytes, and no body is sent.
  socket.write(
    `POST /psp/callback/wrong/pix HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2000000\r\n\r\n`,
  );
  assert.match(await response, /^HTTP\/1\.1 404 /);
  socket.destroy();
});

test('any body is stored, and the response is 200', async () => {
  const countBefore = await pixDriver.readCount(sql`select count(*) from pix_notices`);
  const depth = 200_000; // deep enough to overflow the stack of a recursive parser
  const bodies: Array<[raw: string | Buffer, contentType: string, headers?: Record<string, string>]> = [
    ['', 'application/json'],
    ['not json', 'text/plain'],
    ['{"pix":[', 'application/json'],
    ['a=1&b=2', 'application/x-www-form-urlencoded'],
    ['<pix/>', 'application/xml; charset=latin1'],
    ['{}', 'nonsense;;;'],
    ['\ufeff{"pix":[]}', 'application/json'],
    [`{"pix":${'['.repeat(depth)}${']'.repeat(depth)}}`, 'application/json'],
    [`${'{"pix":'.repeat(depth / 10)}1${'}'.repeat(depth / 10)}`, 'application/json'],
    ['{"__proto__":{"pix":[]},"constructor":1}', 'application/json'],
    [Buffer.from([0, 1, 2, 0xff]), 'application/octet-stream'],
    [gzipSync('x'.repeat(50 * 1024 * 1024)), 'application/json', { 'content-encoding': 'gzip' }],
    [gzipSync('{"pix":[]}').subarray(0, 15), 'application/json', { 'content-encoding': 'gzip' }],
  ];
  for (const [raw, contentType, headers] of bodies) {
    const response = await service.call('POST', `/psp/callback/${CALLBACK_SECRET}/pix`, {
      key: null,
      raw,
      headers: { 'content-type': contentType, ...headers },
    });
    assert.equal(response.status, 200, `${contentType} ${String(raw).slice(0, 30)}: ${response.text}`);
  }
  assert.equal(await pixDriver.readCount(sql`select count(*) from pix_notices`), countBefore + bodies.length);
  await pixDriver.waitForJobs();
});

test('a callback above 2 MiB gets 413, with the limit in the detail', async () => {
  const acceptedResponse = await sendCallback({ pix: [], filler: 'x'.repeat(2 * 1024 * 1024 - 100) });
  assert.equal(acceptedResponse.status, 200);
  const response = await sendCallback({ pix: [], filler: 'x'.repeat(2 * 1024 * 1024) });
  assert.deepEqual([response.status, response.body.code], [413, 'payload_too_large']);
  assert.match(response.body.detail, /2097152 bytes/);
});

test('the response is sent before the PSP is called', async () => {
  await pixDriver.setPspFaults({ notify: 'never' });
  const { customer, charge, entry } = await payWithoutCallback();
  await pixDriver.setPspFaults({ latency_ms: 3_000 });
  assert.equal((await sendCallback({ pix: [entry] })).status, 200);
  assert.equal(
    (await pixDriver.getCharge(customer, charge.id)).status,
    'pending',
    'the PSP has not responded yet',
  );
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.setPspFaults({});
});

test('the callback is stored unchanged and encrypted', async () => {
  const body = { pix: [{ txid: 'x', gnExtras: { pagador: { nome: 'Ana Lima', cpf: '12345678909' } } }] };
  // So that the callback is the newest.
  service.clock.advance(1_000);
  await sendCallback(body);
  const row = await service.db.row<{ id: string; sealed: Buffer }>(
    sql`select id, sealed from pix_notices order by received_at desc, id desc limit 1`,
  );
  const { id, sealed } = row!;
  assert.ok(!sealed.includes('Ana Lima') && !sealed.includes('12345678909'));
  const vault = new Vault(SANDBOX_SECRETS);
  assert.deepEqual(JSON.parse(vault.decryptPacked(sealed, id)), body);
});
