import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openTill, SECRET } from '../../../test/till.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const till = openTill(service);

const notify = (body: unknown, path = '/pix') =>
  service.post(`/psp/callback/${SECRET}${path}`, body, { key: null });

async function paidInSilence() {
  const shopper = await till.newShopper();
  const { installments } = await till.sell(shopper);
  const charge = await till.charge(shopper, installments[0].id, 'settle');
  const { end_to_end_id } = await till.payCode(charge.txid);
  return { shopper, charge, notice: { endToEndId: end_to_end_id, txid: charge.txid } };
}

test('one notice may tell of many payments, for the address as it is and with /pix behind it', async () => {
  await till.faults({ notify: 'never' });
  for (const path of ['', '/pix']) {
    const all = [await paidInSilence(), await paidInSilence(), await paidInSilence()];
    const strange = { endToEndId: 'E00000000202611231500aaaaaaaaaaa', txid: 'nobody', gnExtras: { a: [1] } };
    const pix = [...all.map(({ notice }) => notice), strange, null, 'nonsense'];
    assert.equal((await notify({ pix, more: true }, path)).status, 200);
    for (const { shopper, charge } of all) await till.whenStatus(shopper, charge.id, 'paid');
  }
  await till.faults({});
});

test('a notice without a txid is enough, and one that tells of money that went back', async () => {
  await till.faults({ notify: 'never' });
  const { shopper, charge, notice } = await paidInSilence();
  await notify({ pix: [{ endToEndId: notice.endToEndId }] });
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.takeBackCode(charge.txid);
  const devolucoes = [{ id: 'whatever', status: 'DEVOLVIDO' }];
  await notify({ pix: [{ ...notice, devolucoes }] });
  await eventually('it is known', async () =>
    (await till.events(shopper.id)).some(({ type }) => type === 'installment.reopened'),
  );
  await till.faults({});
});

const unknown = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    endToEndId: `E00000000202611231500${String(i).padStart(11, '0')}`,
    valor: '1.00',
  }));

test('notices that come at once are each kept and each looked into, whatever comes along with them', async () => {
  await till.faults({ notify: 'never' });
  const all = await Promise.all(Array.from({ length: 12 }, paidInSilence));
  const before = await till.count(sql`select count(*) from pix_notices`);
  const bodies = all.map(({ charge, notice }) => ({ pix: [{ ...notice, horario: charge.created_at }] }));
  const sent = [...bodies, ...bodies, { pix: 'nonsense' }, { pix: [{ txid: 'x'.repeat(70_000) }] }];
  const answers = await Promise.all(sent.map((body) => notify(body)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(await till.count(sql`select count(*) from pix_notices`), before + sent.length);
  for (const { shopper, charge } of all) await till.whenStatus(shopper, charge.id, 'paid');
  await till.whenIdle();
  const ids = all.map(({ notice }) => notice.endToEndId);
  assert.equal(
    await till.count(sql`select count(*) from pix_payments where end_to_end_id = any(${ids})`),
    all.length,
  );
  await till.faults({});
});

test('a notice may tell of many payments nobody knows, some of them twice', async () => {
  assert.equal((await notify({ pix: [...unknown(200), ...unknown(200)] })).status, 200);
  await till.whenIdle();
});

test('20,000 payments in one notice set off two sweeps, which find what is ours among them, and no look-up each', async () => {
  await till.faults({ notify: 'never' });
  const { shopper, charge, notice } = await paidInSilence();
  await service.db.run(sql`delete from graphile_worker._private_jobs`);
  const asked = () =>
    till.count(sql`
    select count(*) from graphile_worker.jobs where task_identifier = 'pix_sync'`);
  for (const pix of [
    [...unknown(20_000), notice],
    [...unknown(501), notice],
  ])
    assert.equal((await notify({ pix })).status, 200);
  assert.ok((await asked()) <= 1, 'at most the one that a sweep found');
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.whenIdle();
  await till.faults({});
});

test('a stranger is refused before any of the body is read', async () => {
  const { hostname, port } = new URL(service.frontUrl);
  const socket = connect(Number(port), hostname);
  const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  // Two megabytes are announced, and none is sent.
  socket.write(
    `POST /psp/callback/wrong/pix HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2000000\r\n\r\n`,
  );
  assert.match(await answered, /^HTTP\/1\.1 404 /);
  socket.destroy();
});

test('whatever the body is, it is written down and answered with 200', async () => {
  const before = await till.count(sql`select count(*) from pix_notices`);
  const deep = 200_000;
  const bodies: Array<[raw: string | Buffer, type?: string, headers?: Record<string, string>]> = [
    ['', 'application/json'],
    ['not json', 'text/plain'],
    ['{"pix":[', 'application/json'],
    ['a=1&b=2', 'application/x-www-form-urlencoded'],
    ['<pix/>', 'application/xml; charset=latin1'],
    ['{}', 'nonsense;;;'],
    ['\ufeff{"pix":[]}', 'application/json'],
    [`{"pix":${'['.repeat(deep)}${']'.repeat(deep)}}`, 'application/json'],
    [`${'{"pix":'.repeat(deep / 10)}1${'}'.repeat(deep / 10)}`, 'application/json'],
    ['{"__proto__":{"pix":[]},"constructor":1}', 'application/json'],
    [Buffer.from([0, 1, 2, 0xff]), 'application/octet-stream'],
    [gzipSync('x'.repeat(50 * 1024 * 1024)), 'application/json', { 'content-encoding': 'gzip' }],
    [gzipSync('{"pix":[]}').subarray(0, 15), 'application/json', { 'content-encoding': 'gzip' }],
  ];
  for (const [raw, type, headers] of bodies) {
    const answer = await service.call('POST', `/psp/callback/${SECRET}/pix`, {
      key: null,
      raw,
      headers: { 'content-type': type!, ...headers },
    });
    assert.equal(answer.status, 200, `${type} ${String(raw).slice(0, 30)}: ${answer.text}`);
  }
  assert.equal(await till.count(sql`select count(*) from pix_notices`), before + bodies.length);
  await till.whenIdle();
});

test('413 beyond 2 MiB, and the limit is named', async () => {
  const fits = await notify({ pix: [], filler: 'x'.repeat(2 * 1024 * 1024 - 100) });
  assert.equal(fits.status, 200);
  const answer = await notify({ pix: [], filler: 'x'.repeat(2 * 1024 * 1024) });
  assert.deepEqual([answer.status, answer.body.code], [413, 'payload_too_large']);
  assert.match(answer.body.detail, /2097152 bytes/);
});

test('200 at once, however long the PSP takes when it is asked', async () => {
  await till.faults({ notify: 'never' });
  const { shopper, charge, notice } = await paidInSilence();
  await till.faults({ latency_ms: 3_000 });
  assert.equal((await notify({ pix: [notice] })).status, 200);
  assert.equal((await till.show(shopper, charge.id)).status, 'pending', 'the PSP has not answered yet');
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.faults({});
});

test('the notice is kept as it came, and only who has the key can read it', async () => {
  const body = { pix: [{ txid: 'x', gnExtras: { pagador: { nome: 'Ana Lima', cpf: '12345678909' } } }] };
  service.clock.advance(1_000);
  await notify(body);
  const row = await service.db.row<{ id: string; sealed: Buffer; key_version: number }>(
    sql`select id, sealed, key_version from pix_notices order by received_at desc, id desc limit 1`,
  );
  const { id, sealed: bytes, key_version: version } = row!;
  assert.ok(!bytes.includes('Ana Lima') && !bytes.includes('12345678909'));
  const vault = new Vault(SANDBOX_SECRETS);
  assert.deepEqual(JSON.parse(vault.open({ bytes, version }, id)), body);
});
