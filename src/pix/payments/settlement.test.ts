import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { CALLBACK_SECRET, createPixDriver } from '../../../test/pix-driver.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);

/** Sells to a new customer. `installmentId` is that of the first installment. */
const createPurchase = async (order: Record<string, unknown> = {}) => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer, order);
  return { customer, checkout, installmentId: checkout.installments[0].id as string };
};

const listEventTypes = async (customerId: string) =>
  (await pixDriver.listEvents(customerId)).map(({ type }) => type);

/** Sends a callback to the registered URL, or with `path` to a URL below it. */
const sendCallback = (pix: unknown[], path = '/pix') =>
  service.post(`/psp/callback/${CALLBACK_SECRET}${path}`, { pix }, { key: null });

const waitForRefunds = (customerId: string, expectedCount = 1) =>
  eventually('the money is refunded', async () => {
    const events = (await pixDriver.listEvents(customerId)).filter(({ type }) => type === 'pix.refunded');
    return events.length === expectedCount && events;
  });

test('a payment that settles changes the installment, the purchase, the events and the ledger in one transaction', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  const { end_to_end_id } = await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const checkoutAfter = await pixDriver.getCheckout(checkout.hash);
  assert.deepEqual(
    [checkoutAfter.status, checkoutAfter.installments[0].status, checkoutAfter.amounts.paid],
    ['paid', 'paid', 100],
  );
  assert.deepEqual(await listEventTypes(customer.id), [
    'checkout.created',
    'pix.created',
    'installment.paid',
    'checkout.paid',
    'pix.paid',
  ]);
  const { data } = (await pixDriver.listEvents(customer.id)).at(-1)!;
  assert.equal(data.end_to_end_id, end_to_end_id);
  assert.deepEqual([data.pix_id, data.value, data.paid, data.type], [charge.id, 100, 100, 'settle']);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    merchant_payable: -10_000,
    pix_clearing: 10_000,
  });
});

test('a paid extension moves the due day and pays the penalties; the outstanding amount stays', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  service.clock.advance(14 * DAY_MS);
  const charge = await pixDriver.createCharge(customer, installmentId, 'extend');
  assert.equal(charge.value, 7.23); // a week late: fine 2.00, interest 0.23, fee 5.00
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const installmentAfter = await pixDriver.getInstallment(checkout.hash);
  assert.deepEqual(
    [
      installmentAfter.status,
      installmentAfter.outstanding,
      installmentAfter.penalty.total,
      installmentAfter.extensions,
      installmentAfter.due_on,
    ],
    ['open', 100, 0, 1, '2026-12-14'],
  );
});

test('a payment that is reported to two nodes concurrently is applied once', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const otherNode = await service.startNode();
  await pixDriver.setPspFaults({ notify: 'twice' });
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 30);
  const { end_to_end_id } = await pixDriver.payCharge(charge.txid);
  const entry = {
    endToEndId: end_to_end_id,
    txid: charge.txid,
    valor: '30.00',
    horario: '2026-11-23T15:00:00Z',
  };
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 ? service : otherNode).post(
        `/psp/callback/${CALLBACK_SECRET}`,
        { pix: [entry, entry] },
        { key: null },
      ),
    ),
  );
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.waitForJobs();
  await pixDriver.setPspFaults({});
  assert.equal((await pixDriver.getInstallment(checkout.hash)).paid, 30);
  assert.equal((await listEventTypes(customer.id)).filter((type) => type === 'pix.paid').length, 1);
});

test('when one charge is paid, the others are cancelled, here and at the PSP', async () => {
  const { customer, installmentId } = await createPurchase();
  const firstCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 30);
  const secondCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.payCharge(firstCharge.txid);
  await pixDriver.waitForStatus(customer, firstCharge.id, 'paid');
  await pixDriver.waitForStatus(customer, secondCharge.id, 'cancelled');
  await eventually('the PSP has removed the second charge', async () => {
    const row = await service.db.row<{ status: string }>(
      sql`select status from psp_sim_charges where txid = ${secondCharge.txid}`,
    );
    return row!.status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
  });
  const remainingCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  assert.equal(remainingCharge.value, 70);
});

test('a second payment of a charge is refunded automatically', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.payCharge(charge.txid, { force: true });
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const [refundEvent] = await waitForRefunds(customer.id);
  assert.deepEqual([refundEvent!.data.amount, refundEvent!.data.reason], [100, 'too_much']);
  assert.equal((await pixDriver.getInstallment(checkout.hash)).paid, 100);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    merchant_payable: -10_000,
    pix_clearing: 10_000,
  });
});

test('an extension that is paid twice extends once, and the second payment is applied to the installment', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'extend');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.payCharge(charge.txid, { force: true });
  await eventually(
    'the second payment is applied',
    async () => (await pixDriver.getInstallment(checkout.hash)).paid === 5,
  );
  const { extensions, outstanding } = await pixDriver.getInstallment(checkout.hash);
  assert.deepEqual([extensions, outstanding], [1, 95]);
});

test('a late payment of a cancelled charge pays the outstanding amount, and the excess is refunded', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const fullCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  const otherCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 60);
  await pixDriver.payCharge(otherCharge.txid);
  await pixDriver.waitForStatus(customer, otherCharge.id, 'paid');
  await pixDriver.waitForJobs();
  await pixDriver.payCharge(fullCharge.txid, { force: true });
  await pixDriver.waitForStatus(customer, fullCharge.id, 'paid');
  const [refundEvent] = await waitForRefunds(customer.id);
  assert.equal(refundEvent!.data.amount, 60);
  const { status, paid } = await pixDriver.getInstallment(checkout.hash);
  assert.deepEqual([status, paid], ['paid', 100]);
});

test('a payment of an expired charge is applied as of its time, with the penalties of that day', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  service.clock.advance(14 * DAY_MS);
  await pixDriver.runJob('pix_reconcile');
  await pixDriver.waitForStatus(customer, charge.id, 'expired');
  assert.ok((await listEventTypes(customer.id)).includes('pix.expired'));
  await pixDriver.payCharge(charge.txid, { force: true });
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const { outstanding, penalty } = await pixDriver.getInstallment(checkout.hash);
  assert.deepEqual([outstanding, penalty.total], [2.23, 0]);
});

test('a payment that is reported late is applied as of its arrival, at the price of that time', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.setPspFaults({ notify: 'never' });
  await pixDriver.payCharge(charge.txid);
  service.clock.advance(30 * DAY_MS);
  await pixDriver.setPspFaults({});
  assert.equal((await pixDriver.getInstallment(checkout.hash)).status, 'overdue');
  await pixDriver.runJob('pix_reconcile');
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const { status, paid, paid_at } = await pixDriver.getInstallment(checkout.hash);
  assert.deepEqual([status, paid], ['paid', 100]);
  assert.equal(new Date(paid_at).getTime(), service.clock.now().getTime() - 30 * DAY_MS);
});

test('a payment dated seconds before its charge is applied as of the creation of the charge', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.setPspFaults({ notify: 'never' });
  const { end_to_end_id: endToEndId } = await pixDriver.payCharge(charge.txid);
  // The simulator refuses such a payment, but a PSP whose clock is slow may report one.
  const earlierTime = new Date(Date.parse(charge.created_at) - 3_000);
  await service.db.run(
    sql`update psp_sim_pix set paid_at = ${earlierTime} where end_to_end_id = ${endToEndId}`,
  );
  await pixDriver.setPspFaults({});
  await sendCallback([{ endToEndId, txid: charge.txid }]);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  assert.equal((await pixDriver.getInstallment(checkout.hash)).paid_at, charge.created_at);
});

test('an expired charge is not cancelled when another is paid', async () => {
  const { customer, installmentId } = await createPurchase();
  const firstCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 10);
  service.clock.advance(DAY_MS);
  assert.equal((await pixDriver.getCharge(customer, firstCharge.id)).status, 'expired');
  const secondCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 20);
  await pixDriver.payCharge(secondCharge.txid);
  await pixDriver.waitForStatus(customer, secondCharge.id, 'paid');
  await pixDriver.waitForJobs();
  assert.equal((await pixDriver.getCharge(customer, firstCharge.id)).status, 'expired');
});

test('callbacks may arrive out of order: a later payment first, or a chargeback before its payment', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const firstCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 40);
  await pixDriver.setPspFaults({ notify: 'never' });
  const earlyPayment = await pixDriver.payCharge(firstCharge.txid);
  service.clock.advance(DAY_MS);
  await pixDriver.setPspFaults({});
  const secondCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 80);
  await pixDriver.payCharge(secondCharge.txid);
  await pixDriver.waitForStatus(customer, secondCharge.id, 'paid');
  await sendCallback([{ endToEndId: earlyPayment.end_to_end_id, txid: firstCharge.txid }]);
  await pixDriver.waitForStatus(customer, firstCharge.id, 'paid');
  const [refundEvent] = await waitForRefunds(customer.id);
  assert.equal(refundEvent!.data.amount, 20, 'the excess of the later payment is refunded');
  assert.equal((await pixDriver.getInstallment(checkout.hash)).status, 'paid');

  const otherPurchase = await createPurchase();
  const charge = await pixDriver.createCharge(otherPurchase.customer, otherPurchase.installmentId, 'settle');
  await pixDriver.setPspFaults({ notify: 'never' });
  await pixDriver.payCharge(charge.txid);
  await pixDriver.setPspFaults({});
  await pixDriver.chargeBackCharge(charge.txid);
  await waitForRefunds(otherPurchase.customer.id);
  assert.equal((await pixDriver.getInstallment(otherPurchase.checkout.hash)).outstanding, 100);
});

test('a payment of less is applied in part, a payment of more is refunded in part; an extension requires its exact price', async () => {
  const underpaidPurchase = await createPurchase();
  const underpaidCharge = await pixDriver.createCharge(
    underpaidPurchase.customer,
    underpaidPurchase.installmentId,
    'settle',
  );
  await pixDriver.payCharge(underpaidCharge.txid, { value: 99.5 });
  const { value, paid: paidAmount } = await pixDriver.waitForStatus(
    underpaidPurchase.customer,
    underpaidCharge.id,
    'paid',
  );
  assert.deepEqual([underpaidCharge.paid, value, paidAmount], [0, 100, 99.5]);
  assert.equal((await pixDriver.getInstallment(underpaidPurchase.checkout.hash)).outstanding, 0.5);

  const overpaidPurchase = await createPurchase();
  const overpaidCharge = await pixDriver.createCharge(
    overpaidPurchase.customer,
    overpaidPurchase.installmentId,
    'settle',
  );
  await pixDriver.payCharge(overpaidCharge.txid, { value: 130 });
  const [refundEvent] = await waitForRefunds(overpaidPurchase.customer.id);
  assert.equal(refundEvent!.data.amount, 30);
  assert.equal((await pixDriver.getInstallment(overpaidPurchase.checkout.hash)).status, 'paid');

  const inexactlyPaidPurchase = await createPurchase();
  const extension = await pixDriver.createCharge(
    inexactlyPaidPurchase.customer,
    inexactlyPaidPurchase.installmentId,
    'extend',
  );
  await pixDriver.payCharge(extension.txid, { value: extension.value + 1 });
  await pixDriver.waitForStatus(inexactlyPaidPurchase.customer, extension.id, 'paid');
  const { extensions, paid } = await pixDriver.getInstallment(inexactlyPaidPurchase.checkout.hash);
  assert.deepEqual([extensions, paid], [0, extension.value + 1]);
});

test('a payment with an unknown txid becomes an orphan; a forged callback has no effect', async () => {
  const { customer, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  const foreignTxid = await pixDriver.createForeignCharge();
  const { end_to_end_id } = await pixDriver.payCharge(foreignTxid);
  const orphans = await eventually('the operator sees the orphan', async () => {
    const { body } = await pixDriver.callStaff('GET', '/admin/pix/orphans');
    return body.data.length > 0 && body.data;
  });
  assert.deepEqual(
    orphans.map((orphan: { txid: string }) => orphan.txid),
    [foreignTxid],
  );
  assert.equal(orphans[0].end_to_end_id, end_to_end_id);
  await sendCallback([
    { endToEndId: 'E00000000202611231500aaaaaaaaaaa', txid: charge.txid, valor: '100.00' },
  ]);
  await sendCallback([{ endToEndId: 'E00000000202611231500bbbbbbbbbbb', valor: '100.00' }], '');
  await pixDriver.waitForJobs();
  assert.equal((await pixDriver.getCharge(customer, charge.id)).status, 'pending');
  assert.equal((await pixDriver.callStaff('GET', '/admin/pix/orphans')).body.pagination.total, 1);
});

test('a chargeback (MED) reopens the installment once, however often it is reported', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.setPspFaults({ notify: 'twice' });
  const { end_to_end_id } = await pixDriver.chargeBackCharge(charge.txid);
  await waitForRefunds(customer.id);
  await sendCallback([{ endToEndId: end_to_end_id, txid: charge.txid }]);
  await pixDriver.waitForJobs();
  await pixDriver.setPspFaults({});
  const { status, outstanding } = await pixDriver.getInstallment(checkout.hash);
  assert.deepEqual([status, outstanding], ['open', 100]);
  assert.ok((await listEventTypes(customer.id)).includes('installment.reopened'));
  await waitForRefunds(customer.id);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    merchant_payable: -10_000,
    receivable: 10_000,
  });
  const repeatedCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  assert.notEqual(repeatedCharge.id, charge.id);
});

test('a chargeback while a refund of the excess is in progress returns every centavo once', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  await pixDriver.setPspFaults({ refund: 'stuck' });
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.payCharge(charge.txid, { value: 130 });
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.waitForJobs();
  await pixDriver.chargeBackCharge(charge.txid);
  await waitForRefunds(customer.id);
  await pixDriver.setPspFaults({});
  await waitForRefunds(customer.id, 2);
  assert.equal((await pixDriver.getInstallment(checkout.hash)).outstanding, 100);
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    merchant_payable: -10_000,
    receivable: 10_000,
  });
});

test('a refund that the PSP does not carry out is retried as a new refund', async () => {
  const { customer, installmentId } = await createPurchase();
  await pixDriver.setPspFaults({ refund: 'fails' });
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.payCharge(charge.txid, { value: 130 });
  await eventually('the first refund has failed', async () => {
    const [row] = await service.db.rows<{ status: string }>(
      sql`select status from pix_refunds where customer_id = ${customer.id} order by tries`,
    );
    return row?.status === 'failed';
  });
  await pixDriver.setPspFaults({});
  service.clock.advance(3 * MINUTE_MS);
  await pixDriver.runJob('pix_reconcile');
  const [refundEvent] = await waitForRefunds(customer.id);
  assert.equal(refundEvent!.data.amount, 30);
  const rows = await service.db.rows<{ status: string; tries: number }>(
    sql`select status, tries from pix_refunds where customer_id = ${customer.id} order by tries`,
  );
  assert.deepEqual(rows, [
    { status: 'failed', tries: 1 },
    { status: 'returned', tries: 2 },
  ]);
});

test('the sweep finds payments and chargebacks without a callback', async () => {
  const { customer, checkout, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.setPspFaults({ notify: 'never' });
  await pixDriver.payCharge(charge.txid);
  await pixDriver.runJob('pix_sweep');
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.chargeBackCharge(charge.txid);
  await pixDriver.runJob('pix_sweep_refunds');
  await waitForRefunds(customer.id);
  await pixDriver.setPspFaults({});
  assert.equal((await pixDriver.getInstallment(checkout.hash)).outstanding, 100);
});

test('a callback gets 404 with a wrong secret; with the right one, any body gets 200 and is stored', async () => {
  const countBefore = await pixDriver.readCount(sql`select count(*) from pix_notices`);
  for (const secret of ['wrong', `${CALLBACK_SECRET}x`, CALLBACK_SECRET.toUpperCase()])
    assert.equal((await service.post(`/psp/callback/${secret}/pix`, { pix: [] }, { key: null })).status, 404);
  assert.equal(await pixDriver.readCount(sql`select count(*) from pix_notices`), countBefore);
  const bodies = [{}, { evento: 'teste_webhook' }, { pix: 'x' }, { pix: [null, 1, { txid: {} }] }, []];
  for (const body of bodies)
    assert.equal((await service.post(`/psp/callback/${CALLBACK_SECRET}`, body, { key: null })).status, 200);
  assert.equal(await pixDriver.readCount(sql`select count(*) from pix_notices`), countBefore + bodies.length);
  const manyEntries = Array.from({ length: 2000 }, () => ({ txid: 'x'.repeat(32) }));
  assert.equal((await sendCallback(manyEntries)).status, 200, 'a large callback is accepted');
});

test('after all tests the audit finds nothing', async () => {
  await pixDriver.waitForJobs();
  assert.deepEqual(await pixDriver.listMismatches(), []);
});
