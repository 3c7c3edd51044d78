/** Deviations of real PSPs from the standard must not lose or duplicate payments. The simulator reproduces them over HTTP. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { type Sql, sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { CALLBACK_SECRET, createPixDriver } from '../../../test/pix-driver.ts';
import type { TestCustomer } from '../../../test/purchase-driver.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);

/** Sells to a customer, who then requests a charge for the only installment. */
const sellWithCharge = async (customer?: TestCustomer) => {
  customer ??= await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  return { customer, checkout, charge };
};

const listFindings = async (kind: 'orphans' | 'discrepancies') =>
  (await pixDriver.callStaff('GET', `/admin/pix/${kind}`)).body.data;

const sendCallback = (pix: unknown) =>
  service.post(`/psp/callback/${CALLBACK_SECRET}/pix`, { pix }, { key: null });

const countDiscrepancies = async (kind: string) => {
  const { text } = await pixDriver.callStaff('GET', '/metrics');
  const sample = new RegExp(`pix_discrepancies_total\\{kind="${kind}"\\} (?<count>\\d+)`).exec(text);
  return Number(sample?.groups?.count ?? 0);
};

/** Resolves all discrepancies, so that the next test starts without any. */
const resolveDiscrepancies = () => service.db.run(sql`update pix_discrepancies set resolved_at = now()`);

/** Settings of the simulator under which payments are still applied as usual. */
const harmlessFaults: Array<Record<string, unknown>> = [
  { payments: 'missing' },
  { payments: 'missing', pix_lookup: 'refused' },
  { payments: 'missing', pix_list: 'empty' },
  { payments: 'missing', txid: 'missing' },
  { payments: 'missing', txid: 'missing', pix_lookup: 'refused' },
  { payments: 'missing', txid: 'missing', pix_list: 'unfiltered' },
  { payments: 'object' },
  { payments: 'object', txid: 'missing' },
  { payments: 'zero_beside' }, // an additional payment of 0.00
  { txid: 'missing' },
  { txid: 'capitals' },
  { txid: 'capitals', payments: 'missing' },
  { amounts: 'short' }, // '10.5' instead of '10.50'
  { timestamps: 'no_fraction' },
  { timestamps: 'no_zone' },
  { timestamps: 'spaced' }, // a space instead of the T
  { notice_format: 'gzip' },
  { notice_format: 'array' },
  { notice_format: 'object' },
  { notice_format: 'no_content_type' },
  { notice_format: 'trailing_slash' },
];
for (const faults of harmlessFaults) {
  test(`a payment is applied once, as of its arrival, with ${JSON.stringify(faults)}`, async () => {
    const { customer, checkout, charge } = await sellWithCharge();
    await pixDriver.setPspFaults(faults);
    const { paid_at } = await pixDriver.payCharge(charge.txid);
    await pixDriver.waitForStatus(customer, charge.id, 'paid');
    await pixDriver.runJob('pix_sweep');
    await pixDriver.setPspFaults({});
    const { status, paid, paid_at: appliedAt } = await pixDriver.getInstallment(checkout.hash);
    assert.deepEqual([status, paid, appliedAt], ['paid', 100, paid_at]);
    assert.deepEqual(await pixDriver.readBalances(customer.id), {
      merchant_payable: -10_000,
      pix_clearing: 10_000,
    });
    assert.deepEqual([await listFindings('orphans'), await listFindings('discrepancies')], [[], []]);
  });
}

test('the sweep reads all pages if they are short and have no totals', async () => {
  await pixDriver.setPspFaults({ notify: 'never', pix_list: 'short_pages' });
  const sales = await Array.fromAsync({ length: 5 }, () => sellWithCharge());
  for (const { charge } of sales) await pixDriver.payCharge(charge.txid);
  await pixDriver.runJob('pix_sweep');
  for (const { customer, charge } of sales) await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.setPspFaults({});
});

test('a charge that is paid at the PSP without a payment is a discrepancy, and is settled when the payment is found', async () => {
  const { customer, checkout, charge } = await sellWithCharge();
  const discrepancyCountBefore = await countDiscrepancies('paid_without_payment');
  await pixDriver.setPspFaults({ payments: 'missing', pix_list: 'empty', pix_lookup: 'refused' });
  await pixDriver.payCharge(charge.txid);
  const [discrepancy] = await eventually('the operator sees the discrepancy', async () => {
    const data = await listFindings('discrepancies');
    return data.length > 0 && data;
  });
  assert.deepEqual(
    [
      discrepancy.kind,
      discrepancy.pix_id,
      discrepancy.txid,
      discrepancy.customer_id,
      discrepancy.value,
      discrepancy.end_to_end_id,
    ],
    ['paid_without_payment', charge.id, charge.txid, customer.id, 100, null],
  );
  assert.equal(await countDiscrepancies('paid_without_payment'), discrepancyCountBefore + 1);
  const finding = `charge ${charge.id}: is paid at the PSP, and no payment of it was found`;
  assert.deepEqual(await pixDriver.listMismatches(), [finding]);
  service.clock.advance(2 * DAY_MS);
  await pixDriver.runJob('pix_reconcile');
  assert.equal(
    await countDiscrepancies('paid_without_payment'),
    discrepancyCountBefore + 1,
    'it is counted once',
  );
  assert.deepEqual(await pixDriver.listMismatches(), [finding], 'the charge does not expire');
  await pixDriver.setPspFaults({});
  service.clock.advance(3 * DAY_MS);
  await pixDriver.runJob('pix_reconcile');
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  assert.equal(
    (await pixDriver.getInstallment(checkout.hash)).status,
    'paid',
    'settled as of the day it was paid, so without a penalty',
  );
  assert.deepEqual([await listFindings('discrepancies'), await pixDriver.listMismatches()], [[], []]);
});

test('a payment that cannot be parsed does not hide another one, and becomes a discrepancy', async () => {
  const { customer, charge } = await sellWithCharge();
  await pixDriver.setPspFaults({ payments: 'unreadable_beside' });
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const [discrepancy] = await eventually('the operator sees the unreadable payment', async () => {
    const data = await listFindings('discrepancies');
    return data.length > 0 && data;
  });
  assert.deepEqual([discrepancy.kind, discrepancy.pix_id], ['unreadable_payment', charge.id]);
  assert.match(discrepancy.end_to_end_id, /0{11}$/, 'the id that the simulator gives the unreadable payment');
  assert.equal((await pixDriver.listMismatches()).length, 1);
  await pixDriver.setPspFaults({});
  await resolveDiscrepancies();
});

test('with a PSP that neither filters by txid nor returns it, no payment is assigned to a wrong customer', async () => {
  const [firstSale, otherSale] = [await sellWithCharge(), await sellWithCharge()];
  await pixDriver.setPspFaults({
    payments: 'missing',
    txid: 'missing',
    pix_list: 'unfiltered',
    pix_lookup: 'refused',
  });
  const payments = [
    await pixDriver.payCharge(firstSale.charge.txid),
    await pixDriver.payCharge(otherSale.charge.txid),
  ];
  await eventually('the callbacks are delivered', async () => {
    const states = await service.db.values<string>(
      sql`select state from psp_sim_deliveries order by id desc limit 2`,
    );
    return states.every((state) => state === 'delivered');
  });
  service.clock.advance(DAY_MS);
  await pixDriver.runJob('pix_reconcile');
  await pixDriver.runJob('pix_sweep');
  const kinds = (await listFindings('discrepancies')).map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds, ['paid_without_payment', 'paid_without_payment']);
  const orphanIds = (await listFindings('orphans')).map(
    (orphan: { end_to_end_id: string }) => orphan.end_to_end_id,
  );
  assert.deepEqual(orphanIds.sort(), payments.map(({ end_to_end_id }) => end_to_end_id).sort());
  await pixDriver.setPspFaults({});
  service.clock.advance(DAY_MS);
  await pixDriver.runJob('pix_reconcile');
  for (const { customer, charge } of [firstSale, otherSale])
    await pixDriver.waitForStatus(customer, charge.id, 'paid');
  assert.deepEqual([await listFindings('orphans'), await pixDriver.listMismatches()], [[], []]);
});

test('an orphan that is assigned to its charge never becomes an orphan again', async () => {
  const { customer, charge } = await sellWithCharge();
  await pixDriver.setPspFaults({ txid: 'missing', notify: 'never' });
  const { end_to_end_id } = await pixDriver.payCharge(charge.txid);
  await pixDriver.runJob('pix_sweep');
  assert.deepEqual(
    (await listFindings('orphans')).map((orphan: { end_to_end_id: string }) => orphan.end_to_end_id),
    [end_to_end_id],
  );
  await sendCallback([{ endToEndId: end_to_end_id, txid: charge.txid }]);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  assert.deepEqual(await listFindings('orphans'), []);
  await pixDriver.runJob('pix_sweep');
  await sendCallback([{ endToEndId: end_to_end_id }]);
  await pixDriver.waitForJobs();
  assert.deepEqual([await listFindings('orphans'), await pixDriver.listMismatches()], [[], []]);
  await pixDriver.setPspFaults({});
  // The audit finds an orphan that must not exist.
  await service.db.run(sql`
    insert into pix_orphans (end_to_end_id, txid, amount_cents, paid_at, found_at)
    select end_to_end_id, null as txid, amount_cents, paid_at, paid_at as found_at from pix_payments
    where end_to_end_id = ${end_to_end_id}`);
  assert.deepEqual(await pixDriver.listMismatches(), [
    `pix ${end_to_end_id}: is applied, and also an orphan`,
  ]);
  await service.db.run(sql`delete from pix_orphans`);
});

for (const customers of ['two customers', 'one customer'] as const) {
  test(`one end-to-end id for two charges of ${customers} is applied once, to the first, and recorded as a discrepancy`, async () => {
    service.clock.advance(MINUTE_MS);
    const firstSale = await sellWithCharge();
    const secondSale = await sellWithCharge(customers === 'one customer' ? firstSale.customer : undefined);
    const { end_to_end_id } = await pixDriver.payCharge(firstSale.charge.txid);
    await pixDriver.waitForStatus(firstSale.customer, firstSale.charge.id, 'paid');
    const discrepancyCountBefore = await countDiscrepancies('end_to_end_id_reused');
    await pixDriver.setPspFaults({ end_to_end_id: 'reused' });
    assert.equal((await pixDriver.payCharge(secondSale.charge.txid)).end_to_end_id, end_to_end_id);
    await eventually(
      'the operator sees the discrepancy',
      async () => (await listFindings('discrepancies')).length > 0,
    );
    const [discrepancy] = await listFindings('discrepancies');
    assert.deepEqual(
      [discrepancy.kind, discrepancy.pix_id, discrepancy.end_to_end_id],
      ['end_to_end_id_reused', secondSale.charge.id, end_to_end_id],
    );
    assert.equal(await countDiscrepancies('end_to_end_id_reused'), discrepancyCountBefore + 1);
    assert.match(service.readLog(), /one payment for two charges/);
    await sendCallback([{ endToEndId: end_to_end_id, txid: secondSale.charge.txid }]);
    await pixDriver.runJob('pix_sweep');
    await pixDriver.setPspFaults({});
    assert.equal((await pixDriver.getInstallment(firstSale.checkout.hash)).paid, 100);
    assert.equal((await pixDriver.getInstallment(secondSale.checkout.hash)).paid, 0);
    const row = await service.db.row<{ count: number }>(
      sql`select count(*) from pix_payments where end_to_end_id = ${end_to_end_id}`,
    );
    assert.equal(row!.count, 1);
    assert.deepEqual(await pixDriver.listMismatches(), []);
    await resolveDiscrepancies();
  });
}

test('one end-to-end id for charges of many customers, in one callback, is applied once', async () => {
  service.clock.advance(MINUTE_MS);
  await pixDriver.setPspFaults({ notify: 'never' });
  const [firstSale, ...otherSales] = await Promise.all(Array.from({ length: 5 }, () => sellWithCharge()));
  const { end_to_end_id } = await pixDriver.payCharge(firstSale!.charge.txid);
  await pixDriver.setPspFaults({ notify: 'never', end_to_end_id: 'reused' });
  for (const { charge } of otherSales) await pixDriver.payCharge(charge.txid);
  await sendCallback(
    [firstSale!, ...otherSales].map(({ charge }) => ({ endToEndId: end_to_end_id, txid: charge.txid })),
  );
  await pixDriver.waitForJobs();
  await pixDriver.setPspFaults({});
  const row = await service.db.row<{ count: number }>(
    sql`select count(*) from pix_payments where end_to_end_id = ${end_to_end_id}`,
  );
  assert.equal(row!.count, 1);
  assert.equal((await listFindings('discrepancies')).length, otherSales.length);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

/** Pays a charge, and then changes the payment in the simulator, which reports it only after the change. */
async function payWithChangedReport(change: Sql) {
  const sale = await sellWithCharge();
  await pixDriver.setPspFaults({ notify: 'never' });
  const { end_to_end_id: endToEndId } = await pixDriver.payCharge(sale.charge.txid);
  await service.db.run(sql`update psp_sim_pix set ${change} where end_to_end_id = ${endToEndId}`);
  await pixDriver.setPspFaults({});
  const sendPaymentCallback = () => sendCallback([{ txid: sale.charge.txid, endToEndId }]);
  await sendPaymentCallback();
  return { ...sale, endToEndId, sendPaymentCallback };
}

for (const reportedAt of ['2026-11-24T03:00:00Z', '2099-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
  test(`a payment and a chargeback dated in the future, ${reportedAt}, are applied as of now`, async () => {
    const instant = new Date(reportedAt);
    const { customer, checkout, charge, endToEndId, sendPaymentCallback } = await payWithChangedReport(
      sql`paid_at = ${instant}`,
    );
    await pixDriver.waitForStatus(customer, charge.id, 'paid');
    const { status, paid, paid_at } = await pixDriver.getInstallment(checkout.hash);
    const now = service.clock.now();
    assert.deepEqual([status, paid, paid_at], ['paid', 100, now.toISOString()]);
    assert.deepEqual(await pixDriver.readBalances(customer.id), {
      merchant_payable: -10_000,
      pix_clearing: 10_000,
    });

    await service.db.run(sql`
      insert into psp_sim_refunds (end_to_end_id, id, return_id, amount_cents, nature, status, outcome, requested_at, settled_at)
      values (${endToEndId}, 'R1', ${endToEndId}, 10000, 'MED_FRAUDE', 'DEVOLVIDO', 'DEVOLVIDO', ${instant}, ${instant})`);
    await sendPaymentCallback();
    await eventually(
      'the installment is owed again',
      async () => (await pixDriver.getInstallment(checkout.hash)).status === 'open',
    );
    // 23 days after the due day: a fine of 2%, and interest of 1% a month.
    service.clock.advance(30 * DAY_MS);
    const { penalty } = await pixDriver.getInstallment(checkout.hash);
    assert.deepEqual([penalty.fine, penalty.interest], [2, 0.76]);
    service.clock.set(now.toISOString());
    assert.deepEqual(await pixDriver.listMismatches(), []);
  });
}

test('an end-to-end id that is too long is recorded as a discrepancy, and does not delay other payments', async () => {
  // `told_as` is the id that the simulator reports instead of the real one.
  const longPayment = await payWithChangedReport(sql`told_as = ${randomBytes(2_000).toString('hex')}`);
  await eventually('the discrepancy is recorded', async () =>
    (await listFindings('discrepancies')).some(
      ({ txid }: { txid: string }) => txid === longPayment.charge.txid,
    ),
  );
  const otherSale = await sellWithCharge();
  await pixDriver.setPspFaults({ notify: 'never' });
  await pixDriver.payCharge(otherSale.charge.txid);
  await pixDriver.runJob('pix_sweep');
  await pixDriver.waitForStatus(otherSale.customer, otherSale.charge.id, 'paid');
  await service.db.run(sql`update psp_sim_pix set told_as = null where txid = ${longPayment.charge.txid}`);
  await longPayment.sendPaymentCallback();
  await pixDriver.waitForStatus(longPayment.customer, longPayment.charge.id, 'paid');
  await pixDriver.setPspFaults({});
});
