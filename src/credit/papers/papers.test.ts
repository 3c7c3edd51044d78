import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { openService, type Service, whenWaiting } from '../../../test/harness.ts';
import { MERCHANT_KEY } from '../../../test/stall.ts';
import { textOf } from '../../../test/support/pdf.ts';
import { openTill } from '../../../test/till.ts';

const service = await openService();
const till = openTill(service);

/** The bytes, which answers as text would spoil. */
async function download(path: string, token: string): Promise<Buffer> {
  const response = await fetch(`${service.frontUrl}${path}`, {
    headers: { 'x-api-key': 'sandbox-demo-key', 'x-token': token },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  assert.match(bytes.toString('latin1'), /\/MarkInfo|\/StructTreeRoot/, 'tagged');
  assert.match(bytes.toString('latin1'), /\/Lang \(pt-BR\)/);
  return bytes;
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function accepted({ post }: Pick<Service, 'post'>) {
  const shopper = await till.newShopper();
  const items = [
    { name: 'Armação “Lume” – azul 😀', quantity: 1, amount: 120 },
    { name: 'Lentes', quantity: 2, amount: 80 },
  ];
  const order = { phone: shopper.phone, amount: 200, installments: 5, description: 'Óculos de grau', items };
  const { body: offer } = await post('/merchant/offers', order, { key: MERCHANT_KEY });
  const token = await till.token(shopper);
  const { body: checkout, status, text } = await post(`/wallet/offers/${offer.id}/accept`, {}, { token });
  assert.equal(status, 201, text);
  return { shopper, token, checkout };
}

test('the contract is fixed when the offer is accepted: its SHA-256 is in the terms, the same bytes come back for ever', async () => {
  const { token, checkout, shopper } = await accepted(service);
  const path = `/wallet/checkouts/${checkout.hash}/contract`;
  const first = await download(path, token);
  assert.equal(checkout.terms.contract_sha256, sha256(first));
  await service.db.run(sql`update merchants set name = 'Outro nome' where slug = 'padaria-flor-do-trigo'`);
  const neighbour = await service.join(undefined, { CREDITOR_NAME: 'Outra Credora Ltda.' });
  service.clock.advance(40 * 86_400_000);
  const later = await till.token(shopper);
  assert.deepEqual(await download(path, later), first);
  const response = await fetch(`${neighbour.frontUrl}${path}`, {
    headers: { 'x-api-key': 'sandbox-demo-key', 'x-token': later },
  });
  assert.deepEqual(
    Buffer.from(await response.arrayBuffer()),
    first,
    'whatever became of merchant and creditor',
  );
  const shown = await service.get(`/wallet/checkouts/${checkout.hash}`, { token: later });
  assert.equal(shown.body.terms.contract_sha256, sha256(first));
  await neighbour.stop();
});

test('a contract says what holds when the offer is accepted, also where that changed after it was drawn', async () => {
  const shopper = await till.newShopper();
  const order = { phone: shopper.phone, amount: 100, installments: 2, description: 'Uma mesa' };
  const { body: offer } = await service.post('/merchant/offers', order, { key: MERCHANT_KEY });
  const token = await till.token(shopper);
  let answer: ReturnType<Service['post']> | undefined;
  await service.db.transaction(async (tx) => {
    await tx.run(sql`select from offers where id = ${offer.id} for update`);
    answer = service.post(`/wallet/offers/${offer.id}/accept`, {}, { token });
    await whenWaiting(service, 1);
    await tx.run(sql`set local semana.resetting = on`);
    await tx.run(sql`update offers set description = 'Duas cadeiras' where id = ${offer.id}`);
  });
  const { body: checkout, status, text } = await answer!;
  assert.equal(status, 201, text);
  const bytes = await download(`/wallet/checkouts/${checkout.hash}/contract`, token);
  assert.equal(checkout.terms.contract_sha256, sha256(bytes));
  assert.match(textOf(bytes), /Duas cadeiras/);
  assert.doesNotMatch(textOf(bytes), /Uma mesa/);
});

test('a purchase that the operator recorded gets its contract when it is first asked for, once', async () => {
  const shopper = await till.newShopper();
  const { hash, terms } = await till.sell(shopper, { amount: 90, installments: 3 });
  assert.equal(terms.contract_sha256, null);
  const token = await till.token(shopper);
  const path = `/wallet/checkouts/${hash}/contract`;
  const all = await Promise.all([1, 2, 3].map(() => download(path, token)));
  assert.equal(new Set(all.map(sha256)).size, 1);
  const { body } = await service.get(`/wallet/checkouts/${hash}`, { token });
  assert.equal(body.terms.contract_sha256, sha256(all[0]!));
});

test('support reads the contract of anybody, the same bytes as the customer’s, and is in the trail; a viewer does not', async () => {
  const { token, checkout, shopper } = await accepted(service);
  const read = async (role: string, hash: string) => {
    const { body } = await till.staff('POST', '/admin/staff', { name: 'Vera', role });
    const response = await fetch(`${service.staffUrl}/admin/checkouts/${hash}/contract`, {
      headers: { 'x-api-key': body.key },
    });
    return { id: body.id, response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const { id, response, bytes } = await read('support', checkout.hash);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf']);
  assert.deepEqual(bytes, await download(`/wallet/checkouts/${checkout.hash}/contract`, token));
  assert.equal(sha256(bytes), (await till.look(checkout.hash)).terms.contract_sha256);
  const { body: trail } = await till.staff('GET', `/admin/audit-trail?subject=view:${shopper.id}`);
  assert.deepEqual(
    trail.data.map(({ actor, action }: { actor: string; action: string }) => [actor, action]),
    [[id, 'getContractOfAnybody']],
  );

  const refused = await read('viewer', checkout.hash);
  assert.deepEqual([refused.response.status, JSON.parse(String(refused.bytes)).code], [403, 'role_missing']);
  const unknown = await read('support', '0'.repeat(22));
  assert.equal(unknown.response.status, 404);
  const { hash } = await till.sell(shopper, { amount: 90 });
  const recorded = await read('support', hash);
  assert.deepEqual([recorded.response.status, JSON.parse(String(recorded.bytes)).code], [404, 'not_found']);
  assert.equal((await till.look(hash)).terms.contract_sha256, null, 'whoever only looks fixes nothing');
});

test('a receipt once the money arrived; a statement of the year; nothing of anybody else’s', async () => {
  const { shopper, token, checkout } = await accepted(service);
  const charge = await till.charge(shopper, checkout.installments[0].id, 'settle');
  const receipt = `/wallet/pix/${charge.id}/receipt`;
  assert.equal((await service.get(receipt, { token })).status, 404);
  await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  assert.deepEqual(await download(receipt, token), await download(receipt, token));
  const year = service.clock.now().getUTCFullYear();
  await download(`/wallet/statements/${year}`, token);
  for (const wrong of [year + 1, 1999, 2019, 'abcd'])
    assert.equal((await service.get(`/wallet/statements/${wrong}`, { token })).status, 404);
  const other = await till.token(await till.newShopper());
  for (const path of [receipt, `/wallet/checkouts/${checkout.hash}/contract`])
    assert.equal((await service.get(path, { token: other })).status, 404);
});
