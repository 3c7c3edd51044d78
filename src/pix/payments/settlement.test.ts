import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openTill, SECRET } from '../../../test/till.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const till = openTill(service);

const newPurchase = async (order: Record<string, unknown> = {}) => {
  const shopper = await till.newShopper();
  const checkout = await till.sell(shopper, order);
  return { shopper, checkout, id: checkout.installments[0].id as string };
};

const listEventTypes = async (customerId: string) => (await till.events(customerId)).map(({ type }) => type);

const sendCallback = (pix: unknown[], path = '/pix') =>
  service.post(`/psp/callback/${SECRET}${path}`, { pix }, { key: null });

const whenRefunded = (customerId: string, times = 1) =>
  eventually('the money is refunded', async () => {
    const events = (await till.events(customerId)).filter(({ type }) => type === 'pix.refunded');
    return events.length === times && events;
  });

test('settle: the installment, the purchase, the events and the ledger change in one transaction', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  const { end_to_end_id } = await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  const after = await till.look(checkout.hash);
  assert.deepEqual([after.status, after.installments[0].status, after.amounts.paid], ['paid', 'paid', 100]);
  assert.deepEqual(await listEventTypes(shopper.id), [
    'checkout.created',
    'pix.created',
    'installment.paid',
    'checkout.paid',
    'pix.paid',
  ]);
  const paid = (await till.events(shopper.id)).at(-1)!.data;
  assert.equal(paid.end_to_end_id, end_to_end_id);
  assert.deepEqual([paid.pix_id, paid.value, paid.paid, paid.type], [charge.id, 100, 100, 'settle']);
  assert.deepEqual(await till.balances(shopper.id), { merchant_payable: -10_000, pix_clearing: 10_000 });
});

test('extend: the due day moves, the penalties are paid, the outstanding amount stays', async () => {
  const { shopper, checkout, id } = await newPurchase();
  service.clock.advance(14 * DAY_MS);
  const charge = await till.charge(shopper, id, 'extend');
  assert.equal(charge.value, 7.23);
  await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  const after = await till.installment(checkout.hash);
  assert.deepEqual(
    [after.status, after.outstanding, after.penalty.total, after.extensions, after.due_on],
    ['open', 100, 0, 1, '2026-12-14'],
  );
});

test('a payment that is reported to two nodes concurrently is applied once', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const other = await service.join();
  await till.faults({ notify: 'twice' });
  const charge = await till.charge(shopper, id, 'settle_partial', 30);
  const { end_to_end_id } = await till.payCode(charge.txid);
  const entry = {
    endToEndId: end_to_end_id,
    txid: charge.txid,
    valor: '30.00',
    horario: '2026-11-23T15:00:00Z',
  };
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 ? service : other).post(`/psp/callback/${SECRET}`, { pix: [entry, entry] }, { key: null }),
    ),
  );
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.whenIdle();
  await till.faults({});
  assert.equal((await till.installment(checkout.hash)).paid, 30);
  assert.equal((await listEventTypes(shopper.id)).filter((type) => type === 'pix.paid').length, 1);
});

test('when one charge is paid, the others are cancelled, here and at the PSP', async () => {
  const { shopper, id } = await newPurchase();
  const first = await till.charge(shopper, id, 'settle_partial', 30);
  const second = await till.charge(shopper, id, 'settle');
  await till.payCode(first.txid);
  await till.whenStatus(shopper, first.id, 'paid');
  await till.whenStatus(shopper, second.id, 'cancelled');
  await eventually('the PSP has removed it', async () => {
    const row = await service.db.row<{ status: string }>(
      sql`select status from psp_sim_charges where txid = ${second.txid}`,
    );
    return row!.status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
  });
  const rest = await till.charge(shopper, id, 'settle');
  assert.equal(rest.value, 70);
});

test('a second payment of a charge is refunded automatically', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  await till.payCode(charge.txid);
  await till.payCode(charge.txid, { force: true });
  await till.whenStatus(shopper, charge.id, 'paid');
  const [refunded] = await whenRefunded(shopper.id);
  assert.deepEqual([refunded!.data.amount, refunded!.data.reason], [100, 'too_much']);
  assert.equal((await till.installment(checkout.hash)).paid, 100);
  assert.deepEqual(await till.balances(shopper.id), { merchant_payable: -10_000, pix_clearing: 10_000 });
});

test('an extension that is paid twice extends once, and the second payment is applied to the installment', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'extend');
  await till.payCode(charge.txid);
  await till.payCode(charge.txid, { force: true });
  await eventually(
    'the second payment is applied',
    async () => (await till.installment(checkout.hash)).paid === 5,
  );
  const { extensions, outstanding } = await till.installment(checkout.hash);
  assert.deepEqual([extensions, outstanding], [1, 95]);
});

test('a late payment of a cancelled charge pays what is still owed, and the rest is refunded', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const whole = await till.charge(shopper, id, 'settle');
  const part = await till.charge(shopper, id, 'settle_partial', 60);
  await till.payCode(part.txid);
  await till.whenStatus(shopper, part.id, 'paid');
  await till.whenIdle();
  await till.payCode(whole.txid, { force: true });
  await till.whenStatus(shopper, whole.id, 'paid');
  const [refunded] = await whenRefunded(shopper.id);
  assert.equal(refunded!.data.amount, 60);
  const { status, paid } = await till.installment(checkout.hash);
  assert.deepEqual([status, paid], ['paid', 100]);
});

test('a payment of an expired charge is applied as of its time, with the penalties of that day', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  service.clock.advance(14 * DAY_MS);
  await till.run('pix_reconcile');
  await till.whenStatus(shopper, charge.id, 'expired');
  assert.ok((await listEventTypes(shopper.id)).includes('pix.expired'));
  await till.payCode(charge.txid, { force: true });
  await till.whenStatus(shopper, charge.id, 'paid');
  const { outstanding, penalty } = await till.installment(checkout.hash);
  assert.deepEqual([outstanding, penalty.total], [2.23, 0]);
});

test('a payment that is reported late is applied as of its arrival, at the price of that time', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  await till.faults({ notify: 'never' });
  await till.payCode(charge.txid);
  service.clock.advance(30 * DAY_MS);
  await till.faults({});
  assert.equal((await till.installment(checkout.hash)).status, 'overdue');
  await till.run('pix_reconcile');
  await till.whenStatus(shopper, charge.id, 'paid');
  const { status, paid, paid_at } = await till.installment(checkout.hash);
  assert.deepEqual([status, paid], ['paid', 100]);
  assert.equal(new Date(paid_at).getTime(), service.clock.now().getTime() - 30 * DAY_MS);
});

test('a payment dated seconds before its charge is applied as of the creation of the charge', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  await till.faults({ notify: 'never' });
  const { end_to_end_id: endToEndId } = await till.payCode(charge.txid);
  // The simulator refuses such a payment, but a PSP whose clock is slow may report one.
  const before = new Date(Date.parse(charge.created_at) - 3_000);
  await service.db.run(sql`update psp_sim_pix set paid_at = ${before} where end_to_end_id = ${endToEndId}`);
  await till.faults({});
  await sendCallback([{ endToEndId, txid: charge.txid }]);
  await till.whenStatus(shopper, charge.id, 'paid');
  assert.equal((await till.installment(checkout.hash)).paid_at, charge.created_at);
});

test('an expired charge is not cancelled when another is paid', async () => {
  const { shopper, id } = await newPurchase();
  const first = await till.charge(shopper, id, 'settle_partial', 10);
  service.clock.advance(DAY_MS);
  assert.equal((await till.show(shopper, first.id)).status, 'expired');
  const second = await till.charge(shopper, id, 'settle_partial', 20);
  await till.payCode(second.txid);
  await till.whenStatus(shopper, second.id, 'paid');
  await till.whenIdle();
  assert.equal((await till.show(shopper, first.id)).status, 'expired');
});

test('callbacks may arrive out of order: a later payment first, or a chargeback before its payment', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const first = await till.charge(shopper, id, 'settle_partial', 40);
  await till.faults({ notify: 'never' });
  const early = await till.payCode(first.txid);
  service.clock.advance(DAY_MS);
  await till.faults({});
  const second = await till.charge(shopper, id, 'settle_partial', 80);
  await till.payCode(second.txid);
  await till.whenStatus(shopper, second.id, 'paid');
  await sendCallback([{ endToEndId: early.end_to_end_id, txid: first.txid }]);
  await till.whenStatus(shopper, first.id, 'paid');
  const [refunded] = await whenRefunded(shopper.id);
  assert.equal(refunded!.data.amount, 20, 'of the later payment');
  assert.equal((await till.installment(checkout.hash)).status, 'paid');

  const other = await newPurchase();
  const charge = await till.charge(other.shopper, other.id, 'settle');
  await till.faults({ notify: 'never' });
  await till.payCode(charge.txid);
  await till.faults({});
  await till.takeBackCode(charge.txid);
  await whenRefunded(other.shopper.id);
  assert.equal((await till.installment(other.checkout.hash)).outstanding, 100);
});

test('a payment of less is applied in part, of more is refunded in part; an extension requires its exact price', async () => {
  const less = await newPurchase();
  const small = await till.charge(less.shopper, less.id, 'settle');
  await till.payCode(small.txid, { value: 99.5 });
  const { value, paid: came } = await till.whenStatus(less.shopper, small.id, 'paid');
  assert.deepEqual([small.paid, value, came], [0, 100, 99.5]);
  assert.equal((await till.installment(less.checkout.hash)).outstanding, 0.5);

  const more = await newPurchase();
  const large = await till.charge(more.shopper, more.id, 'settle');
  await till.payCode(large.txid, { value: 130 });
  const [refunded] = await whenRefunded(more.shopper.id);
  assert.equal(refunded!.data.amount, 30);
  assert.equal((await till.installment(more.checkout.hash)).status, 'paid');

  const odd = await newPurchase();
  const extension = await till.charge(odd.shopper, odd.id, 'extend');
  await till.payCode(extension.txid, { value: extension.value + 1 });
  await till.whenStatus(odd.shopper, extension.id, 'paid');
  const { extensions, paid } = await till.installment(odd.checkout.hash);
  assert.deepEqual([extensions, paid], [0, extension.value + 1]);
});

test('a payment with an unknown txid becomes an orphan; a forged callback has no effect', async () => {
  const { shopper, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  const stranger = await till.strangeCharge();
  const { end_to_end_id } = await till.payCode(stranger);
  const orphans = await eventually('the operator sees it', async () => {
    const { body } = await till.staff('GET', '/admin/pix/orphans');
    return body.data.length > 0 && body.data;
  });
  assert.deepEqual(
    orphans.map((orphan: { txid: string }) => orphan.txid),
    [stranger],
  );
  assert.equal(orphans[0].end_to_end_id, end_to_end_id);
  await sendCallback([
    { endToEndId: 'E00000000202611231500aaaaaaaaaaa', txid: charge.txid, valor: '100.00' },
  ]);
  await sendCallback([{ endToEndId: 'E00000000202611231500bbbbbbbbbbb', valor: '100.00' }], '');
  await till.whenIdle();
  assert.equal((await till.show(shopper, charge.id)).status, 'pending');
  assert.equal((await till.staff('GET', '/admin/pix/orphans')).body.pagination.total, 1);
});

test('a chargeback (MED) reopens the installment once, however often it is reported', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.faults({ notify: 'twice' });
  const { end_to_end_id } = await till.takeBackCode(charge.txid);
  await whenRefunded(shopper.id);
  await sendCallback([{ endToEndId: end_to_end_id, txid: charge.txid }]);
  await till.whenIdle();
  await till.faults({});
  const { status, outstanding } = await till.installment(checkout.hash);
  assert.deepEqual([status, outstanding], ['open', 100]);
  assert.ok((await listEventTypes(shopper.id)).includes('installment.reopened'));
  await whenRefunded(shopper.id);
  assert.deepEqual(await till.balances(shopper.id), { merchant_payable: -10_000, receivable: 10_000 });
  const again = await till.charge(shopper, id, 'settle');
  assert.notEqual(again.id, charge.id);
});

test('a chargeback while a refund of the excess is in progress returns every centavo once', async () => {
  const { shopper, checkout, id } = await newPurchase();
  await till.faults({ refund: 'stuck' });
  const charge = await till.charge(shopper, id, 'settle');
  await till.payCode(charge.txid, { value: 130 });
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.whenIdle();
  await till.takeBackCode(charge.txid);
  await whenRefunded(shopper.id);
  await till.faults({});
  await whenRefunded(shopper.id, 2);
  assert.equal((await till.installment(checkout.hash)).outstanding, 100);
  assert.deepEqual(await till.balances(shopper.id), { merchant_payable: -10_000, receivable: 10_000 });
});

test('a refund that the PSP does not carry out is retried as a new refund', async () => {
  const { shopper, id } = await newPurchase();
  await till.faults({ refund: 'fails' });
  const charge = await till.charge(shopper, id, 'settle');
  await till.payCode(charge.txid, { value: 130 });
  await eventually('the first refund has failed', async () => {
    const [row] = await service.db.rows<{ status: string }>(
      sql`select status from pix_refunds where customer_id = ${shopper.id} order by tries`,
    );
    return row?.status === 'failed';
  });
  await till.faults({});
  service.clock.advance(180_000);
  await till.run('pix_reconcile');
  const [refunded] = await whenRefunded(shopper.id);
  assert.equal(refunded!.data.amount, 30);
  const rows = await service.db.rows<{ status: string; tries: number }>(
    sql`select status, tries from pix_refunds where customer_id = ${shopper.id} order by tries`,
  );
  assert.deepEqual(rows, [
    { status: 'failed', tries: 1 },
    { status: 'returned', tries: 2 },
  ]);
});

test('the sweep finds payments and chargebacks without a callback', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await till.charge(shopper, id, 'settle');
  await till.faults({ notify: 'never' });
  await till.payCode(charge.txid);
  await till.run('pix_sweep');
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.takeBackCode(charge.txid);
  await till.run('pix_sweep_refunds');
  await whenRefunded(shopper.id);
  await till.faults({});
  assert.equal((await till.installment(checkout.hash)).outstanding, 100);
});

test('callbacks: 404 with a wrong secret, 200 for any body with the right one, which is stored', async () => {
  const before = await till.count(sql`select count(*) from pix_notices`);
  for (const secret of ['wrong', `${SECRET}x`, SECRET.toUpperCase()])
    assert.equal((await service.post(`/psp/callback/${secret}/pix`, { pix: [] }, { key: null })).status, 404);
  assert.equal(await till.count(sql`select count(*) from pix_notices`), before);
  for (const body of [{}, { evento: 'teste_webhook' }, { pix: 'x' }, { pix: [null, 1, { txid: {} }] }, []])
    assert.equal((await service.post(`/psp/callback/${SECRET}`, body, { key: null })).status, 200);
  assert.equal(await till.count(sql`select count(*) from pix_notices`), before + 5);
  const big = Array.from({ length: 2000 }, () => ({ txid: 'x'.repeat(32) }));
  assert.equal((await sendCallback(big)).status, 200, 'a large callback is accepted');
});

test('after all tests the audit finds nothing', async () => {
  await till.whenIdle();
  assert.deepEqual(await till.audit(), []);
});
