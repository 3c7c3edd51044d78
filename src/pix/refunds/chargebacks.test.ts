import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';

// A chargeback may take a part of a payment, or more than was applied, or come in several parts, and staff may refund by hand at the
// PSP. The part of a payment that was not applied is returned first.
const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);

const runCommand = createCommandRunner(service);
const listGivenUp = () => runCommand('pix refunds list', '--status', 'given_up');

/** Sells R$ 100.00 in one installment, and pays this amount with one code. */
async function sellAndPay(reais: number, order: Record<string, unknown> = {}) {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer, order);
  const installmentId = checkout.installments[0].id as string;
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  const { end_to_end_id } = await pixDriver.payCharge(charge.txid, { value: reais });
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  await pixDriver.waitForJobs();
  return {
    customer,
    checkout,
    installmentId,
    txid: charge.txid as string,
    endToEndId: end_to_end_id as string,
  };
}
type PaidInstallment = Awaited<ReturnType<typeof sellAndPay>>;

const listChargebackAmounts = async ({ customer }: PaidInstallment): Promise<number[]> =>
  (await pixDriver.listEvents(customer.id))
    .filter(({ type, data }) => type === 'pix.refunded' && data.reason === 'taken_back')
    .map(({ data }) => data.amount);

async function chargeBack(payment: PaidInstallment, reais?: number): Promise<void> {
  const chargebackCountBefore = (await listChargebackAmounts(payment)).length;
  await pixDriver.chargeBackCharge(payment.txid, reais);
  await eventually(
    'the chargeback is recorded',
    async () => (await listChargebackAmounts(payment)).length === chargebackCountBefore + 1,
  );
  await pixDriver.waitForJobs();
}

/** Records a refund that staff made at the PSP, without a callback. */
async function refundByHand({ endToEndId }: PaidInstallment, id: string, reais: number): Promise<void> {
  const now = service.clock.now();
  await service.db.run(sql`
    insert into psp_sim_refunds (end_to_end_id, id, return_id, amount_cents, nature, status, requested_at, settled_at,
                                 outcome)
    values (${endToEndId}, ${id}, ${`D${id}`}, ${reais * 100}, 'ORIGINAL', 'DEVOLVIDO', ${now}, ${now}, 'DEVOLVIDO')`);
}

/** Lists our refunds, and external ones (chargebacks and refunds by hand), in the order of their creation: centavos and status. */
const listRefunds = async ({ customer }: PaidInstallment) =>
  (
    await service.db.rows<{ amount_cents: number; forced: boolean; status: string }>(sql`
      select amount_cents, forced, status from pix_refunds where customer_id = ${customer.id}
      order by created_at, forced desc, tries`)
  ).map(({ amount_cents, forced, status }) => `${forced ? 'external' : 'ours'} ${amount_cents} ${status}`);

const assertBalances = async ({ customer }: PaidInstallment, expected: Record<string, number>) =>
  assert.deepEqual(await pixDriver.readBalances(customer.id), expected);

const assertRefunds = async (payment: PaidInstallment, ...expected: string[]) =>
  assert.deepEqual((await listRefunds(payment)).toSorted(), expected);

/** Sums the refunds of the payment at the PSP, in centavos. */
const sumReturnedAtPsp = ({ endToEndId }: PaidInstallment): Promise<number> =>
  pixDriver.readCount(sql`
    select coalesce(sum(amount_cents), 0)::bigint as count from psp_sim_refunds
    where end_to_end_id = ${endToEndId} and status = 'DEVOLVIDO'`);

/** Waits until this amount is refunded, at the PSP and here. */
async function waitUntilReturned(payment: PaidInstallment, cents: number): Promise<void> {
  await eventually('the money is refunded', async () => {
    const storedCents = await pixDriver.readCount(sql`
      select coalesce(sum(amount_cents), 0)::bigint as count from pix_refunds
      where customer_id = ${payment.customer.id} and status = 'returned'`);
    return storedCents === cents && (await sumReturnedAtPsp(payment)) === cents;
  });
}

async function assertInstallment(
  { checkout }: PaidInstallment,
  expected: { status: string; paid: number; outstanding: number },
): Promise<void> {
  const { status, paid, outstanding } = await pixDriver.getInstallment(checkout.hash);
  assert.deepEqual({ status, paid, outstanding }, expected);
}

test('after a partial chargeback, the remainder stays applied, and the difference is owed again', async () => {
  const payment = await sellAndPay(100);
  await chargeBack(payment, 40);
  await assertInstallment(payment, { status: 'open', paid: 60, outstanding: 40 });
  assert.deepEqual(await listRefunds(payment), ['external 4000 returned']);
  assert.deepEqual(await listChargebackAmounts(payment), [40]);
  const types = (await pixDriver.listEvents(payment.customer.id)).map(({ type }) => type);
  assert.deepEqual(types.slice(0, 3), ['checkout.created', 'pix.created', 'installment.paid']);
  assert.deepEqual(types.slice(3), ['checkout.paid', 'pix.paid', 'installment.reopened', 'pix.refunded']);
  await assertBalances(payment, { merchant_payable: -10_000, pix_clearing: 6_000, receivable: 4_000 });
  assert.equal((await pixDriver.createCharge(payment.customer, payment.installmentId, 'settle')).value, 40);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('chargebacks in three parts take back the whole payment', async () => {
  const payment = await sellAndPay(100);
  await chargeBack(payment, 40);
  await chargeBack(payment, 25);
  await assertInstallment(payment, { status: 'open', paid: 35, outstanding: 65 });
  await chargeBack(payment);
  await assertInstallment(payment, { status: 'open', paid: 0, outstanding: 100 });
  assert.deepEqual(await listChargebackAmounts(payment), [40, 25, 35]);
  await assertBalances(payment, { merchant_payable: -10_000, receivable: 10_000 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('a chargeback weeks after the due day adds no penalty for the time in which the installment was paid', async () => {
  const payment = await sellAndPay(100);
  service.clock.advance(21 * DAY_MS);
  await chargeBack(payment, 40);
  const { outstanding, penalty, total_due } = await pixDriver.getInstallment(payment.checkout.hash);
  assert.deepEqual([outstanding, penalty.total, total_due], [40, 0, 40]);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('a chargeback of a part of an extension fee undoes the extension, and the remainder is applied', async () => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'extend');
  const { end_to_end_id: endToEndId } = await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const payment = { customer, checkout, installmentId: charge.installment_id, txid: charge.txid, endToEndId };
  assert.equal((await pixDriver.getInstallment(checkout.hash)).extensions, 1);
  await chargeBack(payment, 2);
  const { extensions, due_on } = await pixDriver.getInstallment(checkout.hash);
  assert.equal(extensions, 0);
  const extendedEvent = (await pixDriver.listEvents(customer.id)).findLast(
    ({ type }) => type === 'installment.extended',
  )!;
  assert.deepEqual([extendedEvent.data.extensions, extendedEvent.data.due_on], [extensions, due_on]);
  await assertInstallment(payment, { status: 'open', paid: 3, outstanding: 97 });
  assert.deepEqual(await pixDriver.readBalances(customer.id), {
    merchant_payable: -10_000,
    pix_clearing: 300,
    receivable: 9_700,
  });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

/** Pays more than the 100.00 that are due. The first refund fails at the PSP, and the second is pending. */
async function payWithFailedRefund(
  reais = 130,
  order: Record<string, unknown> = {},
): Promise<PaidInstallment> {
  await pixDriver.setPspFaults({ refund: 'fails' });
  const payment = await sellAndPay(reais, order);
  await eventually('a second refund waits', async () => (await listRefunds(payment)).length === 2);
  await pixDriver.setPspFaults({});
  const cents = (reais - 100) * 100;
  assert.deepEqual(await listRefunds(payment), [`ours ${cents} failed`, `ours ${cents} asked`]);
  return payment;
}

/** Pays R$ 130.00, 30.00 too much. The refund is in progress at the PSP. */
async function payWithStuckRefund(): Promise<PaidInstallment> {
  await pixDriver.setPspFaults({ refund: 'stuck' });
  const payment = await sellAndPay(130);
  await eventually(
    'the refund is in progress',
    async () => (await listRefunds(payment))[0] === 'ours 3000 processing',
  );
  return payment;
}

/** Makes the refund in progress fail, and removes the faults of the PSP. */
async function failStuckRefund({ endToEndId }: PaidInstallment): Promise<void> {
  await service.db.run(sql`
    update psp_sim_refunds set outcome = 'NAO_REALIZADO'
    where end_to_end_id = ${endToEndId} and status = 'EM_PROCESSAMENTO'`);
  await pixDriver.setPspFaults({});
}

/** Makes the remaining four of five attempts fail, until the refund is given up eight days later. */
async function failUntilGivenUp(payment: PaidInstallment): Promise<void> {
  await pixDriver.setPspFaults({ refund: 'fails' });
  for (let i = 0; i < 4; i++) {
    service.clock.advance(2 * DAY_MS);
    await pixDriver.runJob('pix_reconcile');
    await eventually('the refund has failed', async () =>
      /failed|given_up/.test((await listRefunds(payment))[i + 1]!),
    );
    await pixDriver.waitForJobs();
  }
  await pixDriver.setPspFaults({});
  assert.match((await listRefunds(payment)).at(-1)!, /given_up$/);
}

test('a chargeback of more than was applied supersedes our refund, and the remainder pays the debt', async () => {
  const payment = await payWithFailedRefund();
  await chargeBack(payment, 110);
  service.clock.advance(DAY_MS);
  await pixDriver.runJob('pix_reconcile');
  await assertRefunds(payment, 'external 11000 returned', 'ours 3000 failed', 'ours 3000 overtaken');
  assert.equal(await sumReturnedAtPsp(payment), 11_000);
  await assertInstallment(payment, { status: 'open', paid: 20, outstanding: 80 });
  await assertBalances(payment, { merchant_payable: -10_000, pix_clearing: 2_000, receivable: 8_000 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('after a chargeback of a payment in excess, the remainder is returned with another refund', async () => {
  const payment = await sellAndPay(100);
  service.clock.advance(1_000);
  await pixDriver.setPspFaults({ refund: 'fails' });
  const { end_to_end_id: endToEndId } = await pixDriver.payCharge(payment.txid, { value: 130, force: true });
  await eventually('a second refund waits', async () => (await listRefunds(payment)).length === 2);
  await pixDriver.setPspFaults({});
  await chargeBack(payment, 50);
  await waitUntilReturned({ ...payment, endToEndId }, 13_000);
  await pixDriver.waitForJobs();
  await assertRefunds(
    payment,
    'external 5000 returned',
    'ours 13000 failed',
    'ours 13000 overtaken',
    'ours 8000 returned',
  );
  await assertInstallment(payment, { status: 'paid', paid: 100, outstanding: 0 });
  await assertBalances(payment, { merchant_payable: -10_000, pix_clearing: 10_000 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

for (const [caseName, reais] of [
  ['a part', 40],
  ['all', undefined],
] as const) {
  test(`if an earlier payment is reported after a chargeback of ${caseName} of a later one, nothing is returned twice`, async () => {
    const customer = await pixDriver.createCustomer();
    const checkout = await pixDriver.sell(customer);
    const installmentId = checkout.installments[0].id as string;
    const earlyCharge = await pixDriver.createCharge(customer, installmentId, 'settle_with_penalty');
    const lateCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
    service.clock.advance(10 * MINUTE_MS);
    const { end_to_end_id: endToEndId } = await pixDriver.payCharge(lateCharge.txid);
    await pixDriver.waitForStatus(customer, lateCharge.id, 'paid');
    const payment = { customer, checkout, installmentId, txid: lateCharge.txid, endToEndId };
    await chargeBack(payment, reais);
    // A payment that arrived earlier is reported only now.
    const earlierTime = new Date(service.clock.now().getTime() - 5 * MINUTE_MS).toISOString();
    await pixDriver.payCharge(earlyCharge.txid, { at: earlierTime, force: true });
    await pixDriver.waitForStatus(customer, earlyCharge.id, 'paid');
    await waitUntilReturned(payment, 10_000);
    await pixDriver.waitForJobs();
    await assertInstallment(payment, { status: 'paid', paid: 100, outstanding: 0 });
    assert.deepEqual(await pixDriver.readBalances(customer.id), {
      merchant_payable: -10_000,
      pix_clearing: 10_000,
    });
    assert.deepEqual(await pixDriver.listMismatches(), []);
  });
}

test('after a full chargeback, our waiting refund is superseded, and never requested', async () => {
  const payment = await payWithFailedRefund();
  await chargeBack(payment);
  service.clock.advance(DAY_MS);
  await pixDriver.runJob('pix_reconcile');
  await assertRefunds(payment, 'external 13000 returned', 'ours 3000 failed', 'ours 3000 overtaken');
  assert.equal(await sumReturnedAtPsp(payment), 13_000);
  await assertInstallment(payment, { status: 'open', paid: 0, outstanding: 100 });
  await assertBalances(payment, { merchant_payable: -10_000, receivable: 10_000 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('a partial chargeback while our refund waits returns the excess first, which is not refunded again', async () => {
  const payment = await payWithFailedRefund();
  await chargeBack(payment, 60);
  await assertInstallment(payment, { status: 'open', paid: 70, outstanding: 30 });
  service.clock.advance(3 * MINUTE_MS);
  await pixDriver.runJob('pix_reconcile');
  await assertRefunds(payment, 'external 6000 returned', 'ours 3000 failed', 'ours 3000 overtaken');
  assert.equal(await sumReturnedAtPsp(payment), 6_000);
  await assertBalances(payment, { merchant_payable: -10_000, pix_clearing: 7_000, receivable: 3_000 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('a partial chargeback while our refund is in progress at the PSP does not change that refund', async () => {
  const payment = await payWithStuckRefund();
  await chargeBack(payment, 60);
  await assertInstallment(payment, { status: 'open', paid: 40, outstanding: 60 });
  await pixDriver.setPspFaults({});
  await waitUntilReturned(payment, 9_000);
  await pixDriver.waitForJobs();
  await assertBalances(payment, { merchant_payable: -10_000, pix_clearing: 4_000, receivable: 6_000 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('if our refund fails after a partial chargeback, its amount pays what is owed again', async () => {
  const payment = await payWithStuckRefund();
  await chargeBack(payment, 60);
  await failStuckRefund(payment);
  await eventually('the failed refund pays the debt', async () => {
    const { paid } = await pixDriver.getInstallment(payment.checkout.hash);
    return paid === 70;
  });
  await assertInstallment(payment, { status: 'open', paid: 70, outstanding: 30 });
  assert.equal(await sumReturnedAtPsp(payment), 6_000);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('if our refund fails after a partial chargeback and nothing is owed, it is retried', async () => {
  const payment = await payWithStuckRefund();
  await chargeBack(payment, 60);
  const remainingCharge = await pixDriver.createCharge(payment.customer, payment.installmentId, 'settle');
  await pixDriver.payCharge(remainingCharge.txid);
  await pixDriver.waitForStatus(payment.customer, remainingCharge.id, 'paid');
  await failStuckRefund(payment);
  await eventually('another refund waits', async () => (await listRefunds(payment)).length === 3);
  service.clock.advance(20 * MINUTE_MS);
  await pixDriver.runJob('pix_reconcile');
  await waitUntilReturned(payment, 9_000);
  await pixDriver.waitForJobs();
  await assertInstallment(payment, { status: 'paid', paid: 100, outstanding: 0 });
  await assertBalances(payment, { merchant_payable: -10_000, pix_clearing: 10_000 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('an amount that was given up is applied or returned by later chargebacks, and then no longer owed', async () => {
  const payment = await payWithFailedRefund();
  await failUntilGivenUp(payment);
  assert.equal((await listRefunds(payment)).at(-1), 'ours 3000 given_up');
  assert.deepEqual((await pixDriver.readBalances(payment.customer.id)).refunds_payable, -3_000);
  await chargeBack(payment, 100);
  await assertInstallment(payment, { status: 'overdue', paid: 30, outstanding: 70 });
  assert.equal((await pixDriver.readBalances(payment.customer.id)).refunds_payable, undefined);
  await chargeBack(payment, 30);
  await assertBalances(payment, { merchant_payable: -10_000, receivable: 10_000 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

// With 2 % a week 102.00 fall due in a week, and 100.00 settle them today. Payment in time earns cashback.
const EARLY_ORDER = { terms: { weekly_rate_percent: 2, cashback_percent: 1 } };

/** Asserts that the debt that the 100.00 had paid has not changed. */
async function assertDebtUnchanged(payment: PaidInstallment): Promise<void> {
  const { status, discount, outstanding } = await pixDriver.getInstallment(payment.checkout.hash);
  assert.deepEqual([status, discount, outstanding], ['paid', 2, 0]);
  const types = (await pixDriver.listEvents(payment.customer.id)).map(({ type }) => type);
  const cashbackChanges = sql`
    select count(*) from events where customer_id = ${payment.customer.id} and type = 'cashback.changed'`;
  assert.equal(await pixDriver.readCount(cashbackChanges), 1);
  assert.ok(!types.includes('installment.reopened'));
  // 1 % of 102.00, in centavos.
  assert.equal((await pixDriver.readBalances(payment.customer.id)).cashback_owed, -102);
}

test('a chargeback of exactly the given up amount changes no debt, and needs no manual action', async () => {
  const payment = await payWithFailedRefund(120, EARLY_ORDER);
  await failUntilGivenUp(payment);
  assert.match(await listGivenUp(), new RegExp(payment.endToEndId));
  await chargeBack(payment, 20);
  await assertDebtUnchanged(payment);
  assert.equal((await listRefunds(payment)).at(-2), 'ours 2000 overtaken');
  assert.doesNotMatch(await listGivenUp(), new RegExp(payment.endToEndId));
  assert.equal((await pixDriver.readBalances(payment.customer.id)).refunds_payable, undefined);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('refunds by hand of the given up amount, in two parts, leave nothing to do', async () => {
  const payment = await payWithFailedRefund(120, EARLY_ORDER);
  await failUntilGivenUp(payment);
  await refundByHand(payment, 'firstbyhand', 5);
  await pixDriver.runJob('pix_sweep_refunds');
  assert.match(await listGivenUp(), new RegExp(`${payment.endToEndId}.* 15\\.00 `));
  assert.equal((await pixDriver.readBalances(payment.customer.id)).refunds_payable, -1_500);
  await refundByHand(payment, 'secondbyhand', 15);
  await pixDriver.runJob('pix_sweep_refunds');
  assert.doesNotMatch(await listGivenUp(), new RegExp(payment.endToEndId));
  await assertDebtUnchanged(payment);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

for (const foundTime of ['before ours is due', 'only when ours is due'] as const) {
  test(`a refund by hand while our refund waits, found ${foundTime}, prevents our refund`, async () => {
    const payment = await payWithFailedRefund(120, EARLY_ORDER);
    await refundByHand(payment, 'byhand1', 20);
    if (foundTime === 'before ours is due') await pixDriver.runJob('pix_sweep_refunds');
    service.clock.advance(3 * MINUTE_MS);
    await pixDriver.runJob('pix_reconcile');
    await eventually('the refund by hand is recorded', async () => (await listRefunds(payment)).length === 3);
    service.clock.advance(DAY_MS);
    await pixDriver.runJob('pix_reconcile');
    await assertRefunds(payment, 'external 2000 returned', 'ours 2000 failed', 'ours 2000 overtaken');
    assert.equal(await sumReturnedAtPsp(payment), 2_000);
    await assertDebtUnchanged(payment);
    assert.deepEqual(await pixDriver.listMismatches(), []);
  });
}

test('a refund by hand before our refund is known to have failed prevents a retry', async () => {
  const payment = await payWithStuckRefund();
  await refundByHand(payment, 'abyhand', 30);
  await failStuckRefund(payment);
  await eventually('our refund has failed', async () =>
    (await listRefunds(payment)).includes('ours 3000 failed'),
  );
  await pixDriver.runJob('pix_sweep_refunds');
  // If the PSP reported both refunds one after the other, we requested another refund in between.
  const endedRefunds = (await listRefunds(payment)).filter((refund) => refund !== 'ours 3000 overtaken');
  assert.deepEqual(endedRefunds.toSorted(), ['external 3000 returned', 'ours 3000 failed']);
  await assertInstallment(payment, { status: 'paid', paid: 100, outstanding: 0 });
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('after a chargeback of a payment of penalties, the penalties are owed again, overdue and payable', async () => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const installmentId = checkout.installments[0].id as string;
  service.clock.advance(14 * DAY_MS);
  const { penalty } = await pixDriver.getInstallment(checkout.hash);
  const pay = async (type: string, value?: number) => {
    const charge = await pixDriver.createCharge(customer, installmentId, type, value);
    const { end_to_end_id: endToEndId } = await pixDriver.payCharge(charge.txid);
    await pixDriver.waitForStatus(customer, charge.id, 'paid');
    return { customer, checkout, installmentId, txid: charge.txid as string, endToEndId };
  };
  const penaltyPayment = await pay('settle_partial', penalty.total);
  service.clock.advance(1_000);
  await pay('settle_with_penalty');
  await assertInstallment(penaltyPayment, { status: 'paid', paid: 100, outstanding: 0 });
  service.clock.advance(DAY_MS);
  await chargeBack(penaltyPayment);
  service.clock.advance(30 * DAY_MS);

  const installmentAfter = await pixDriver.getInstallment(checkout.hash);
  assert.deepEqual(
    [
      installmentAfter.status,
      installmentAfter.outstanding,
      installmentAfter.penalty.total,
      installmentAfter.total_due,
      installmentAfter.paid_at,
    ],
    ['overdue', 0, penalty.total, penalty.total, null],
  );
  const listTotals = async (status: string) => {
    const token = await pixDriver.createToken(customer);
    const { body } = await service.get(`/wallet/checkouts?status=${status}`, { token });
    return body.data.map(({ amounts }: { amounts: { total_due: number } }) => amounts.total_due);
  };
  assert.deepEqual(await Promise.all(['overdue', 'open', 'paid'].map(listTotals)), [[penalty.total], [], []]);
  assert.equal(
    (await pixDriver.requestCharge(customer, installmentId, { type: 'settle' })).body.code,
    'penalty_due',
  );
  assert.deepEqual(await pixDriver.listMismatches(), []);

  await pay('settle_with_penalty');
  assert.equal((await pixDriver.getInstallment(checkout.hash)).status, 'paid');
  assert.deepEqual(await Promise.all(['overdue', 'open', 'paid'].map(listTotals)), [[], [], [0]]);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});
