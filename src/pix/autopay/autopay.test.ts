import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrCode } from '#core/br-code.ts';
import { sql } from '#platform/database/db.ts';
import { openAutopay } from '../../../test/autopay.ts';
import { eventually, openService } from '../../../test/harness.ts';

const service = await openService();
const autopay = openAutopay(service);
/** A Monday at noon. Installments fall due on the Mondays that follow, which are business days. */
const MONDAY = '2026-11-23T15:00:00Z';
const start = () => service.clock.set(MONDAY);

test('a code to authorise: asked for once, shown, and refused with a reason where it makes no sense', async () => {
  start();
  const shopper = await autopay.newShopper();
  const { hash } = await autopay.sell(shopper, { amount: 100, installments: 4 });
  assert.equal((await autopay.see(shopper, hash)).autopay, null);
  const asked = await autopay.ask(shopper, hash);
  assert.equal(asked.status, 201, asked.text);
  const { id, status, br_code, qr_code, expires_at, first } = asked.body;
  assert.deepEqual([status, first], ['pending', false]);
  assert.match(id, /^aut_/);
  assert.match(qr_code, /^data:image\/png/);
  assert.equal(expires_at, '2026-11-24T15:00:00.000Z');
  const decoded = decodeBrCode(br_code);
  assert.ok(decoded.ok);
  assert.deepEqual(
    [decoded.code.target.kind, typeof decoded.code.recurrenceLocation],
    ['recurrence', 'string'],
  );
  const again = await autopay.ask(shopper, hash);
  assert.deepEqual([again.status, again.body.id], [200, id]);
  assert.deepEqual((await autopay.standing(shopper, hash)).id, id);
  assert.deepEqual((await autopay.see(shopper, hash)).autopay, { status: 'pending' });
  await autopay.answer(id, 'authorise');
  const active = await autopay.ask(shopper, hash);
  assert.deepEqual([active.status, active.body.code], [409, 'autopay_active']);
  // Due tomorrow: no bank debits it any more.
  const soon = await autopay.sell(shopper, {
    amount: 10,
    installments: 1,
    purchased_at: '2026-11-17T15:00:00Z',
  });
  const late = await autopay.ask(shopper, soon.hash);
  assert.deepEqual([late.status, late.body.code], [409, 'nothing_to_debit']);
  assert.equal((await autopay.ask(shopper, 'a'.repeat(22))).status, 404);
  const stranger = await autopay.newShopper();
  assert.equal((await autopay.ask(stranger, hash)).status, 404);
  assert.equal((await autopay.end(stranger, hash)).status, 404);
});

test('with an Idempotency-Key: the same answer again, also once it is active; another wish is refused', async () => {
  start();
  const shopper = await autopay.newShopper();
  const { hash } = await autopay.sell(shopper, { amount: 100, installments: 4 });
  const token = await autopay.token(shopper);
  const ask = (body?: { first: boolean }) =>
    service.post(`/wallet/checkouts/${hash}/autopay`, body, { token, headers: { 'idempotency-key': 'k1' } });
  const asked = await ask();
  assert.deepEqual([asked.status, asked.headers.get('idempotency-replayed')], [201, null], asked.text);
  const again = await ask();
  assert.deepEqual(
    [again.status, again.body.id, again.headers.get('idempotency-replayed')],
    [201, asked.body.id, 'true'],
  );
  await autopay.answer(asked.body.id, 'authorise');
  assert.deepEqual([(await ask()).status, (await ask()).body.id], [201, asked.body.id]);
  assert.equal((await ask({ first: true })).body.code, 'idempotency_key_reused');
});

test('a code with the first installment pays and authorises; with another wish it is replaced', async () => {
  start();
  const shopper = await autopay.newShopper();
  const { hash } = await autopay.sell(shopper, { amount: 100, installments: 2 });
  const alone = await autopay.ask(shopper, hash);
  const both = await autopay.ask(shopper, hash, { first: true });
  assert.deepEqual([both.status, both.body.first], [201, true]);
  assert.notEqual(both.body.id, alone.body.id);
  const decoded = decodeBrCode(both.body.br_code);
  assert.ok(decoded.ok);
  assert.equal(decoded.code.target.kind, 'dynamic');
  assert.equal(both.body.expires_at, '2026-11-24T03:00:00.000Z');
  // The one before is ended at the PSP, too.
  assert.equal((await autopay.answer(alone.body.id, 'authorise')).status, 200);
  await autopay.tick();
  const { body } = await autopay.answer(both.body.id, 'authorise');
  assert.equal(body.status, 'active');
  await eventually('the first is paid', async () => (await autopay.statuses(shopper, hash))[0] === 'paid');
  assert.equal((await autopay.standing(shopper, hash)).id, both.body.id);
});

test('a payer who refuses, one who says nothing, and one who ends it in the bank’s app at 23:59', async () => {
  start();
  const shopper = await autopay.newShopper();
  const [a, b] = [
    await autopay.sell(shopper, { amount: 100, installments: 4 }),
    await autopay.sell(shopper, { amount: 100, installments: 4 }),
  ];
  const [asked, mute] = [await autopay.ask(shopper, a.hash), await autopay.ask(shopper, b.hash)];
  assert.equal((await autopay.answer(asked.body.id, 'refuse')).body.status, 'rejected');
  const refused = await autopay.standing(shopper, a.hash);
  assert.deepEqual([refused.status, refused.ended_by, refused.reason], ['rejected', 'payer', 'AP13']);
  await autopay.move({ advance: 'P2D' });
  assert.equal((await autopay.standing(shopper, b.hash)).status, 'expired');
  assert.equal((await autopay.answer(mute.body.id, 'authorise')).body.code, 'autopay_not_possible');
  // Asked for anew, authorised, and ended by the payer in the last minute before the debit.
  const anew = await autopay.ask(shopper, a.hash);
  assert.equal(anew.status, 201);
  await autopay.answer(anew.body.id, 'authorise');
  await autopay.move({ now: '2026-11-30T02:59:00Z' });
  assert.deepEqual((await autopay.debitsOf(shopper, a.hash))[0], ['scheduled', '2026-11-30', 0]);
  await autopay.answer(anew.body.id, 'cancel');
  const ended = await autopay.standing(shopper, a.hash);
  assert.deepEqual([ended.status, ended.ended_by, ended.reason], ['ended', 'payer', 'SLDB']);
  await autopay.move({ advance: 'P1D' });
  const { installments } = await autopay.see(shopper, a.hash);
  assert.deepEqual([installments[0].status, installments[0].autopay], ['open', null]);
  assert.ok(installments[0].pix_options.length > 0);
  const events = (await autopay.events(shopper.id)).filter(({ type }) => type === 'autopay.ended');
  assert.deepEqual(
    events.map(({ data }) => [data.status, data.by]),
    [
      ['rejected', 'payer'],
      ['expired', null],
      ['ended', 'payer'],
    ],
  );
});

test('asking again while it is active is refused and leaves the debit as it is, also with the first installment', async () => {
  start();
  const { shopper, hash } = await autopay.authorised();
  await autopay.move({ now: '2026-11-28T15:00:00Z' });
  const asked = await autopay.ask(shopper, hash, { first: true });
  assert.deepEqual([asked.status, asked.body.code], [409, 'autopay_active']);
  assert.deepEqual((await autopay.debitsOf(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
});

test('a code whose time is up is expired, and stays so when it is ended', async () => {
  start();
  const shopper = await autopay.newShopper();
  const { hash } = await autopay.sell(shopper, { amount: 100, installments: 4 });
  await autopay.ask(shopper, hash);
  service.clock.set('2026-11-24T15:00:01Z');
  assert.equal((await autopay.end(shopper, hash)).status, 204);
  assert.equal((await autopay.standing(shopper, hash)).status, 'expired');
});

test('the customer ends it at any time, also while the PSP is away; nothing is debited after that', async () => {
  start();
  const { shopper, hash } = await autopay.authorised();
  await autopay.move({ now: '2026-11-28T15:00:00Z' });
  assert.deepEqual((await autopay.debitsOf(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
  await autopay.faults({ error_rate: 1 });
  assert.equal((await autopay.end(shopper, hash)).status, 204);
  const { status, ended_by } = await autopay.standing(shopper, hash);
  assert.deepEqual([status, ended_by], ['ended', 'customer']);
  assert.equal((await autopay.debitsOf(shopper, hash))[0], null);
  await autopay.faults({});
  assert.equal((await autopay.end(shopper, hash)).status, 204);
  await autopay.run('pix_autopay');
  await autopay.run('pix_reconcile');
  await autopay.move({ advance: 'P3D' });
  assert.equal((await autopay.see(shopper, hash)).amounts.paid, 0);
  const open = await autopay.count(
    sql`select count(*) from psp_sim_recs where terms -> 'vinculo' ->> 'contrato' = ${hash} and status = 'APROVADA'`,
  );
  assert.equal(open, 0);
});

test('asking for a code withdraws the debit first; unpaid, the debit is asked for anew', async () => {
  start();
  const { shopper, hash, checkout } = await autopay.authorised();
  await autopay.move({ now: '2026-11-27T15:00:00Z' });
  assert.deepEqual((await autopay.debitsOf(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
  const before = await autopay.see(shopper, hash);
  assert.deepEqual(
    before.installments[0].pix_options.map(({ type }: { type: string }) => type),
    ['settle', 'settle_with_penalty', 'settle_partial', 'extend'],
  );
  await autopay.charge(shopper, checkout.installments[0].id, 'settle');
  assert.equal((await autopay.debitsOf(shopper, hash))[0], null);
  const atPsp = await service.db.rows<{ status: string }>(
    sql`select d.status from psp_sim_debits d join pix_charges c on c.txid = d.txid where c.checkout_hash = ${hash}`,
  );
  assert.deepEqual(atPsp, [{ status: 'CANCELADA' }]);
  await autopay.tick();
  assert.equal((await autopay.debitsOf(shopper, hash))[0], null, 'not while the code lives');
  await autopay.move({ now: '2026-11-28T15:00:00Z' });
  assert.deepEqual((await autopay.debitsOf(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
  await autopay.move({ now: '2026-11-30T15:00:00Z' });
  assert.equal((await autopay.statuses(shopper, hash))[0], 'paid');
  assert.deepEqual(await autopay.disagreements(shopper.id), []);
});

test('a part paid days before: the debit is withdrawn, and asked for the rest', async () => {
  start();
  const { shopper, hash, checkout } = await autopay.authorised();
  await autopay.move({ now: '2026-11-27T15:00:00Z' });
  const part = await autopay.charge(shopper, checkout.installments[0].id, 'settle_partial', 10);
  await autopay.payCode(part.txid);
  await autopay.whenStatus(shopper, part.id, 'paid');
  await autopay.tick();
  assert.deepEqual((await autopay.debitsOf(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
  await autopay.move({ now: '2026-11-30T15:00:00Z' });
  const [first] = (await autopay.see(shopper, hash)).installments;
  assert.deepEqual([first.status, first.paid], ['paid', 25]);
  assert.deepEqual(await autopay.disagreements(shopper.id), []);
});

test('a part paid the day before: no time for another debit, the rest is paid by code', async () => {
  start();
  const { shopper, hash, checkout } = await autopay.authorised();
  await autopay.move({ now: '2026-11-29T15:00:00Z' });
  const part = await autopay.charge(shopper, checkout.installments[0].id, 'settle_partial', 10);
  await autopay.payCode(part.txid);
  await autopay.whenStatus(shopper, part.id, 'paid');
  await autopay.move({ now: '2026-11-30T23:00:00Z' });
  const [first] = (await autopay.see(shopper, hash)).installments;
  assert.deepEqual([first.status, first.paid, first.autopay], ['open', 10, null]);
  assert.deepEqual(await autopay.disagreements(shopper.id), []);
});

test('a code paid on the very day: the debit comes as well, and the excess goes back by itself', async () => {
  start();
  const { shopper, hash, checkout } = await autopay.authorised();
  // After midnight it is too late to withdraw, and the bank has not tried yet.
  await autopay.move({ now: '2026-11-30T04:00:00Z' });
  const code = await autopay.charge(shopper, checkout.installments[0].id, 'settle_partial', 20);
  await autopay.payCode(code.txid);
  await autopay.whenStatus(shopper, code.id, 'paid');
  await autopay.move({ now: '2026-11-30T15:00:00Z' });
  await eventually('20.00 is back', async () => {
    const refunds = (await autopay.events(shopper.id)).filter(({ type }) => type === 'pix.refunded');
    return refunds.length === 1 && refunds[0]!.data.amount === 20;
  });
  const [first] = (await autopay.see(shopper, hash)).installments;
  assert.deepEqual([first.status, first.paid], ['paid', 25]);
  assert.deepEqual(await autopay.disagreements(shopper.id), []);
});

test('extended into the week of the next: that one is debited, the extended one is paid by code', async () => {
  start();
  const { shopper, hash, checkout } = await autopay.authorised();
  await autopay.move({ now: '2026-11-27T15:00:00Z' });
  const extension = await autopay.charge(shopper, checkout.installments[0].id, 'extend');
  await autopay.payCode(extension.txid);
  await autopay.whenStatus(shopper, extension.id, 'paid');
  await autopay.move({ now: '2026-12-07T20:00:00Z' });
  const [first, second] = (await autopay.see(shopper, hash)).installments;
  assert.deepEqual([first.due_on, second.due_on], ['2026-12-07', '2026-12-07']);
  assert.deepEqual([first.status, first.autopay], ['open', null]);
  assert.deepEqual([second.status, second.autopay.status], ['paid', 'paid']);
  assert.deepEqual(await autopay.disagreements(shopper.id), []);
});

test('the last one extended: its new week is free, and it is debited then', async () => {
  start();
  const { shopper, hash, checkout } = await autopay.authorised({ amount: 50, installments: 2 });
  await autopay.move({ now: '2026-12-01T15:00:00Z' });
  const extension = await autopay.charge(shopper, checkout.installments[1].id, 'extend');
  await autopay.payCode(extension.txid);
  await autopay.whenStatus(shopper, extension.id, 'paid');
  await autopay.move({ now: '2026-12-14T15:00:00Z' });
  const { status, installments } = await autopay.see(shopper, hash);
  assert.deepEqual(
    [status, installments[1].due_on, installments[1].autopay.on],
    ['paid', '2026-12-14', '2026-12-14'],
  );
});

test('odd centavos: each debit is for its own amount', async () => {
  start();
  const { shopper, hash } = await autopay.authorised({ amount: 100.01, installments: 3 });
  await autopay.move({ advance: 'P21D' });
  const { status, installments } = await autopay.see(shopper, hash);
  assert.equal(status, 'paid');
  assert.deepEqual(
    installments.map(({ paid }: { paid: number }) => paid),
    [33.34, 33.34, 33.33],
  );
  const rec = await service.db.row<{ valor: object }>(
    sql`select terms -> 'valor' as valor from psp_sim_recs where terms -> 'vinculo' ->> 'contrato' = ${hash}`,
  );
  assert.deepEqual(rec!.valor, { valorMinimoRecebedor: '33.34' });
});

test('a weekly rate: the debit is for what settling costs on the due day', async () => {
  start();
  const { shopper, hash } = await autopay.authorised({ installments: 2, terms: { weekly_rate_percent: 1 } });
  await autopay.move({ advance: 'P14D' });
  const { status, installments } = await autopay.see(shopper, hash);
  assert.equal(status, 'paid');
  for (const { amount, paid, discount } of installments) assert.deepEqual([paid, discount], [amount, 0]);
});
