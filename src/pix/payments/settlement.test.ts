import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { CALLBACK_SECRET, openPixShop } from '../../../test/pix-shop.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixShop = openPixShop(service);

/** Sells to a new shopper. `id` is the id of the first installment. */
const newPurchase = async (order: Record<string, unknown> = {}) => {
  const shopper = await pixShop.newShopper();
  const checkout = await pixShop.sell(shopper, order);
  return { shopper, checkout, id: checkout.installments[0].id as string };
};

const listEventTypes = async (customerId: string) =>
  (await pixShop.listEvents(customerId)).map(({ type }) => type);

const sendCallback = (pix: unknown[], path = '/pix') =>
  service.post(`/psp/callback/${CALLBACK_SECRET}${path}`, { pix }, { key: null });

const waitForRefunds = (customerId: string, times = 1) =>
  eventually('the money is refunded', async () => {
    const events = (await pixShop.listEvents(customerId)).filter(({ type }) => type === 'pix.refunded');
    return events.length === times && events;
  });

test('a payment that settles changes the installment, the purchase, the events and the ledger in one transaction', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  const { end_to_end_id } = await pixShop.payCharge(charge.txid);
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  const checkoutAfter = await pixShop.getCheckout(checkout.hash);
  assert.deepEqual(
    [checkoutAfter.status, checkoutAfter.installments[0].status, checkoutAfter.amounts.paid],
    ['paid', 'paid', 100],
  );
  assert.deepEqual(await listEventTypes(shopper.id), [
    'checkout.created',
    'pix.created',
    'installment.paid',
    'checkout.paid',
    'pix.paid',
  ]);
  const event = (await pixShop.listEvents(shopper.id)).at(-1)!.data;
  assert.equal(event.end_to_end_id, end_to_end_id);
  assert.deepEqual([event.pix_id, event.value, event.paid, event.type], [charge.id, 100, 100, 'settle']);
  assert.deepEqual(await pixShop.readBalances(shopper.id), {
    merchant_payable: -10_000,
    pix_clearing: 10_000,
  });
});

test('a paid extension moves the due day and pays the penalties; the outstanding amount stays', async () => {
  const { shopper, checkout, id } = await newPurchase();
  service.clock.advance(14 * DAY_MS);
  const charge = await pixShop.createCharge(shopper, id, 'extend');
  assert.equal(charge.value, 7.23); // a week late: fine 2.00, interest 0.23, fee 5.00
  await pixShop.payCharge(charge.txid);
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  const installmentAfter = await pixShop.getInstallment(checkout.hash);
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
  const { shopper, checkout, id } = await newPurchase();
  const otherNode = await service.startNode();
  await pixShop.setPspFaults({ notify: 'twice' });
  const charge = await pixShop.createCharge(shopper, id, 'settle_partial', 30);
  const { end_to_end_id } = await pixShop.payCharge(charge.txid);
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
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  await pixShop.waitForJobs();
  await pixShop.setPspFaults({});
  assert.equal((await pixShop.getInstallment(checkout.hash)).paid, 30);
  assert.equal((await listEventTypes(shopper.id)).filter((type) => type === 'pix.paid').length, 1);
});

test('when one charge is paid, the others are cancelled, here and at the PSP', async () => {
  const { shopper, id } = await newPurchase();
  const firstCharge = await pixShop.createCharge(shopper, id, 'settle_partial', 30);
  const secondCharge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.payCharge(firstCharge.txid);
  await pixShop.waitForStatus(shopper, firstCharge.id, 'paid');
  await pixShop.waitForStatus(shopper, secondCharge.id, 'cancelled');
  await eventually('the PSP has removed it', async () => {
    const row = await service.db.row<{ status: string }>(
      sql`select status from psp_sim_charges where txid = ${secondCharge.txid}`,
    );
    return row!.status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
  });
  const remainingCharge = await pixShop.createCharge(shopper, id, 'settle');
  assert.equal(remainingCharge.value, 70);
});

test('a second payment of a charge is refunded automatically', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.payCharge(charge.txid);
  await pixShop.payCharge(charge.txid, { force: true });
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  const [refundEvent] = await waitForRefunds(shopper.id);
  assert.deepEqual([refundEvent!.data.amount, refundEvent!.data.reason], [100, 'too_much']);
  assert.equal((await pixShop.getInstallment(checkout.hash)).paid, 100);
  assert.deepEqual(await pixShop.readBalances(shopper.id), {
    merchant_payable: -10_000,
    pix_clearing: 10_000,
  });
});

test('an extension that is paid twice extends once, and the second payment is applied to the installment', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'extend');
  await pixShop.payCharge(charge.txid);
  await pixShop.payCharge(charge.txid, { force: true });
  await eventually(
    'the second payment is applied',
    async () => (await pixShop.getInstallment(checkout.hash)).paid === 5,
  );
  const { extensions, outstanding } = await pixShop.getInstallment(checkout.hash);
  assert.deepEqual([extensions, outstanding], [1, 95]);
});

test('a late payment of a cancelled charge pays the outstanding amount, and the excess is refunded', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const fullCharge = await pixShop.createCharge(shopper, id, 'settle');
  const otherCharge = await pixShop.createCharge(shopper, id, 'settle_partial', 60);
  await pixShop.payCharge(otherCharge.txid);
  await pixShop.waitForStatus(shopper, otherCharge.id, 'paid');
  await pixShop.waitForJobs();
  await pixShop.payCharge(fullCharge.txid, { force: true });
  await pixShop.waitForStatus(shopper, fullCharge.id, 'paid');
  const [refundEvent] = await waitForRefunds(shopper.id);
  assert.equal(refundEvent!.data.amount, 60);
  const { status, paid } = await pixShop.getInstallment(checkout.hash);
  assert.deepEqual([status, paid], ['paid', 100]);
});

test('a payment of an expired charge is applied as of its time, with the penalties of that day', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  service.clock.advance(14 * DAY_MS);
  await pixShop.runJob('pix_reconcile');
  await pixShop.waitForStatus(shopper, charge.id, 'expired');
  assert.ok((await listEventTypes(shopper.id)).includes('pix.expired'));
  await pixShop.payCharge(charge.txid, { force: true });
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  const { outstanding, penalty } = await pixShop.getInstallment(checkout.hash);
  assert.deepEqual([outstanding, penalty.total], [2.23, 0]);
});

test('a payment that is reported late is applied as of its arrival, at the price of that time', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.setPspFaults({ notify: 'never' });
  await pixShop.payCharge(charge.txid);
  service.clock.advance(30 * DAY_MS);
  await pixShop.setPspFaults({});
  assert.equal((await pixShop.getInstallment(checkout.hash)).status, 'overdue');
  await pixShop.runJob('pix_reconcile');
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  const { status, paid, paid_at } = await pixShop.getInstallment(checkout.hash);
  assert.deepEqual([status, paid], ['paid', 100]);
  assert.equal(new Date(paid_at).getTime(), service.clock.now().getTime() - 30 * DAY_MS);
});

test('a payment dated seconds before its charge is applied as of the creation of the charge', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.setPspFaults({ notify: 'never' });
  const { end_to_end_id: endToEndId } = await pixShop.payCharge(charge.txid);
  // The simulator refuses such a payment, but a PSP whose clock is slow may report one.
  const earlierTime = new Date(Date.parse(charge.created_at) - 3_000);
  await service.db.run(
    sql`update psp_sim_pix set paid_at = ${earlierTime} where end_to_end_id = ${endToEndId}`,
  );
  await pixShop.setPspFaults({});
  await sendCallback([{ endToEndId, txid: charge.txid }]);
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  assert.equal((await pixShop.getInstallment(checkout.hash)).paid_at, charge.created_at);
});

test('an expired charge is not cancelled when another is paid', async () => {
  const { shopper, id } = await newPurchase();
  const firstCharge = await pixShop.createCharge(shopper, id, 'settle_partial', 10);
  service.clock.advance(DAY_MS);
  assert.equal((await pixShop.getCharge(shopper, firstCharge.id)).status, 'expired');
  const secondCharge = await pixShop.createCharge(shopper, id, 'settle_partial', 20);
  await pixShop.payCharge(secondCharge.txid);
  await pixShop.waitForStatus(shopper, secondCharge.id, 'paid');
  await pixShop.waitForJobs();
  assert.equal((await pixShop.getCharge(shopper, firstCharge.id)).status, 'expired');
});

test('callbacks may arrive out of order: a later payment first, or a chargeback before its payment', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const firstCharge = await pixShop.createCharge(shopper, id, 'settle_partial', 40);
  await pixShop.setPspFaults({ notify: 'never' });
  const earlyPayment = await pixShop.payCharge(firstCharge.txid);
  service.clock.advance(DAY_MS);
  await pixShop.setPspFaults({});
  const secondCharge = await pixShop.createCharge(shopper, id, 'settle_partial', 80);
  await pixShop.payCharge(secondCharge.txid);
  await pixShop.waitForStatus(shopper, secondCharge.id, 'paid');
  await sendCallback([{ endToEndId: earlyPayment.end_to_end_id, txid: firstCharge.txid }]);
  await pixShop.waitForStatus(shopper, firstCharge.id, 'paid');
  const [refundEvent] = await waitForRefunds(shopper.id);
  assert.equal(refundEvent!.data.amount, 20, 'of the later payment');
  assert.equal((await pixShop.getInstallment(checkout.hash)).status, 'paid');

  const otherPurchase = await newPurchase();
  const charge = await pixShop.createCharge(otherPurchase.shopper, otherPurchase.id, 'settle');
  await pixShop.setPspFaults({ notify: 'never' });
  await pixShop.payCharge(charge.txid);
  await pixShop.setPspFaults({});
  await pixShop.chargeBackCharge(charge.txid);
  await waitForRefunds(otherPurchase.shopper.id);
  assert.equal((await pixShop.getInstallment(otherPurchase.checkout.hash)).outstanding, 100);
});

test('a payment of less is applied in part, a payment of more is refunded in part; an extension requires its exact price', async () => {
  const lowPurchase = await newPurchase();
  const lowCharge = await pixShop.createCharge(lowPurchase.shopper, lowPurchase.id, 'settle');
  await pixShop.payCharge(lowCharge.txid, { value: 99.5 });
  const { value, paid: paidAmount } = await pixShop.waitForStatus(lowPurchase.shopper, lowCharge.id, 'paid');
  assert.deepEqual([lowCharge.paid, value, paidAmount], [0, 100, 99.5]);
  assert.equal((await pixShop.getInstallment(lowPurchase.checkout.hash)).outstanding, 0.5);

  const highPurchase = await newPurchase();
  const highCharge = await pixShop.createCharge(highPurchase.shopper, highPurchase.id, 'settle');
  await pixShop.payCharge(highCharge.txid, { value: 130 });
  const [refundEvent] = await waitForRefunds(highPurchase.shopper.id);
  assert.equal(refundEvent!.data.amount, 30);
  assert.equal((await pixShop.getInstallment(highPurchase.checkout.hash)).status, 'paid');

  const oddPurchase = await newPurchase();
  const extension = await pixShop.createCharge(oddPurchase.shopper, oddPurchase.id, 'extend');
  await pixShop.payCharge(extension.txid, { value: extension.value + 1 });
  await pixShop.waitForStatus(oddPurchase.shopper, extension.id, 'paid');
  const { extensions, paid } = await pixShop.getInstallment(oddPurchase.checkout.hash);
  assert.deepEqual([extensions, paid], [0, extension.value + 1]);
});

test('a payment with an unknown txid becomes an orphan; a forged callback has no effect', async () => {
  const { shopper, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  const foreignTxid = await pixShop.createForeignCharge();
  const { end_to_end_id } = await pixShop.payCharge(foreignTxid);
  const orphans = await eventually('the operator sees it', async () => {
    const { body } = await pixShop.callStaff('GET', '/admin/pix/orphans');
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
  await pixShop.waitForJobs();
  assert.equal((await pixShop.getCharge(shopper, charge.id)).status, 'pending');
  assert.equal((await pixShop.callStaff('GET', '/admin/pix/orphans')).body.pagination.total, 1);
});

test('a chargeback (MED) reopens the installment once, however often it is reported', async () => {
  const { shopper, checkout, id } = await newPurchase();
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.payCharge(charge.txid);
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  await pixShop.setPspFaults({ notify: 'twice' });
  const { end_to_end_id } = await pixShop.chargeBackCharge(charge.txid);
  await waitForRefunds(shopper.id);
  await sendCallback([{ endToEndId: end_to_end_id, txid: charge.txid }]);
  await pixShop.waitForJobs();
  await pixShop.setPspFaults({});
  const { status, outstanding } = await pixShop.getInstallment(checkout.hash);
  assert.deepEqual([status, outstanding], ['open', 100]);
  assert.ok((await listEventTypes(shopper.id)).includes('installment.reopened'));
  await waitForRefunds(shopper.id);
  assert.deepEqual(await pixShop.readBalances(shopper.id), { merchant_payable: -10_000, receivable: 10_000 });
  const repeatedCharge = await pixShop.createCharge(shopper, id, 'settle');
  assert.notEqual(repeatedCharge.id, charge.id);
});

test('a chargeback while a refund of the excess is in progress returns every centavo once', async () => {
  const { shopper, checkout, id } = await newPurchase();
  await pixShop.setPspFaults({ refund: 'stuck' });
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.payCharge(charge.txid, { value: 130 });
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  await pixShop.waitForJobs();
  await pixShop.chargeBackCharge(charge.txid);
  await waitForRefunds(shopper.id);
  await pixShop.setPspFaults({});
  await waitForRefunds(shopper.id, 2);
  assert.equal((await pixShop.getInstallment(checkout.hash)).outstanding, 100);
  assert.deepEqual(await pixShop.readBalances(shopper.id), { merchant_payable: -10_000, receivable: 10_000 });
});

test('a refund that the PSP does not carry out is retried as a new refund', async () => {
  const { shopper, id } = await newPurchase();
  await pixShop.setPspFaults({ refund: 'fails' });
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.payCharge(charge.txid, { value: 130 });
  await eventually('the first refund has failed', async () => {
    const [row] = await service.db.rows<{ status: string }>(
      sql`select status from pix_refunds where customer_id = ${shopper.id} order by tries`,
    );
    return row?.status === 'failed';
  });
  await pixShop.setPspFaults({});
  service.clock.advance(180_000);
  await pixShop.runJob('pix_reconcile');
  const [refundEvent] = await waitForRefunds(shopper.id);
  assert.equal(refundEvent!.data.amount, 30);
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
  const charge = await pixShop.createCharge(shopper, id, 'settle');
  await pixShop.setPspFaults({ notify: 'never' });
  await pixShop.payCharge(charge.txid);
  await pixShop.runJob('pix_sweep');
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  await pixShop.chargeBackCharge(charge.txid);
  await pixShop.runJob('pix_sweep_refunds');
  await waitForRefunds(shopper.id);
  await pixShop.setPspFaults({});
  assert.equal((await pixShop.getInstallment(checkout.hash)).outstanding, 100);
});

test('a callback gets 404 with a wrong secret; with the right one, any body gets 200 and is stored', async () => {
  const countBefore = await pixShop.readCount(sql`select count(*) from pix_notices`);
  for (const secret of ['wrong', `${CALLBACK_SECRET}x`, CALLBACK_SECRET.toUpperCase()])
    assert.equal((await service.post(`/psp/callback/${secret}/pix`, { pix: [] }, { key: null })).status, 404);
  assert.equal(await pixShop.readCount(sql`select count(*) from pix_notices`), countBefore);
  for (const body of [{}, { evento: 'teste_webhook' }, { pix: 'x' }, { pix: [null, 1, { txid: {} }] }, []])
    assert.equal((await service.post(`/psp/callback/${CALLBACK_SECRET}`, body, { key: null })).status, 200);
  assert.equal(await pixShop.readCount(sql`select count(*) from pix_notices`), countBefore + 5);
  const manyEntries = Array.from({ length: 2000 }, () => ({ txid: 'x'.repeat(32) }));
  assert.equal((await sendCallback(manyEntries)).status, 200, 'a large callback is accepted');
});

test('after all tests the audit finds nothing', async () => {
  await pixShop.waitForJobs();
  assert.deepEqual(await pixShop.listMismatches(), []);
});
