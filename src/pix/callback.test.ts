import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { eventually, openService } from '../../test/harness.ts';
import { openTill, SECRET } from '../../test/till.ts';

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

test('a notice may tell of very many payments nobody knows, some of them twice', async () => {
  const ends = Array.from({ length: 300 }, (_, i) => `E00000000202611231500${String(i).padStart(11, '0')}`);
  const pix = [...ends, ...ends].map((endToEndId) => ({ endToEndId, valor: '1.00' }));
  const startedAtMs = performance.now();
  assert.equal((await notify({ pix })).status, 200);
  assert.ok(performance.now() - startedAtMs < 1_000, `${performance.now() - startedAtMs} ms`);
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
  await till.faults({ latency_ms: 1_500 });
  const startedAtMs = performance.now();
  assert.equal((await notify({ pix: [notice] })).status, 200);
  assert.ok(performance.now() - startedAtMs < 1_000, `${performance.now() - startedAtMs} ms`);
  assert.equal((await till.show(shopper, charge.id)).status, 'pending');
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
