import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { type Sql, sql } from '#platform/database/db.ts';
import { createAutopayDriver } from '../../../test/autopay-driver.ts';
import { eventually, openService } from '../../../test/harness.ts';

const service = await openService();
const autopayDriver = createAutopayDriver(service);
/** A Monday at noon. Installments fall due on the Mondays that follow, which are business days. */
const MONDAY = '2026-11-23T15:00:00Z';
const setClockToMonday = () => service.clock.set(MONDAY);
/** The debit of the first installment before its due day. */
const SCHEDULED_DEBIT = { status: 'scheduled', day: '2026-11-30', attempts: 0 };
/** Debits fail without a retry, because the limit that the payer has set at the bank is lower. */
const ABOVE_PAYERS_LIMIT = 'cap';
/** Lists the messages to this phone about debits that failed, or are no longer made. */
const listFailureMessages = async (
  phone: string,
): Promise<Array<{ text: string; code: string; link: string }>> => {
  const path = `/sandbox/messages?limit=100&phone=${encodeURIComponent(phone)}`;
  const { body } = await autopayDriver.callStaff('GET', path);
  return body.data.filter(({ template }: { template: string }) => template === 'autopay_failed');
};

test('without money, a debit is attempted on its due day and on three later days, then fails, and the installment is owed with penalties', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay({ amount: 100, installments: 1 });
  await autopayDriver.setDebitOutcome('no_money');
  await autopayDriver.moveClock({ now: '2026-11-30T12:00:00Z' });
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), SCHEDULED_DEBIT);
  await autopayDriver.moveClock({ now: '2026-12-01T02:00:00Z' });
  const retriedDebit = await autopayDriver.findFirstDebit(customer, hash);
  assert.deepEqual(retriedDebit, { status: 'trying', day: '2026-12-01', attempts: 1 });
  await autopayDriver.moveClock({ now: '2026-12-07T02:00:00Z' });
  const [installment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  const { status, on: debitOn, tries, reason } = installment.autopay;
  assert.deepEqual(
    [status, debitOn, tries, reason],
    ['failed', '2026-12-05', 4, 'Não havia saldo na conta.'],
  );
  assert.deepEqual([installment.status, installment.penalty.fine], ['overdue', 2]);
  const failureEvents = (await autopayDriver.listEvents(customer.id)).filter(
    ({ type }) => type === 'autopay.failed',
  );
  assert.deepEqual(
    failureEvents.map(({ data }) => [data.tries, data.retry_on]),
    [
      [1, '2026-12-01'],
      [4, null],
    ],
  );
  await autopayDriver.setDebitOutcome('paid');
  // The last refusal was on Saturday evening. It is 23:00 on Sunday, in the quiet hours, so the message is sent on Monday.
  assert.deepEqual(await listFailureMessages(customer.phone), [], 'no message is sent in the quiet hours');
  service.clock.set('2026-12-07T13:00:00Z');
  await autopayDriver.runJob('messages_sweep');
  const [message] = await eventually('the message is sent', async () => {
    const messages = await listFailureMessages(customer.phone);
    return messages.length > 0 && messages;
  });
  assert.match(
    message!.text,
    /não debitou a parcela 1\/1 .*Não havia saldo na conta\. .*pague R\$ 102,23 .*Credor/s,
  );
  assert.ok(message!.link.endsWith(`/carteira/compras/${hash}/1`));
  const charge = await autopayDriver.createCharge(customer, installment.id, 'settle_with_penalty');
  assert.equal(message!.code, charge.br_code, 'the message has the code that pays the installment');
  await autopayDriver.runJob('messages_sweep');
  assert.equal((await listFailureMessages(customer.phone)).length, 1, 'the message is sent once');
});

test('a retried debit settles the installment: its penalties are waived, returned and posted, and nothing stays owed', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay({ amount: 100, installments: 1 });
  await autopayDriver.setDebitOutcome('no_money');
  await autopayDriver.moveClock({ now: '2026-12-01T02:00:00Z' });
  await autopayDriver.setDebitOutcome('paid');
  await autopayDriver.moveClock({ now: '2026-12-01T15:00:00Z' });
  const { status, amounts, installments } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.deepEqual([status, amounts.total_due, installments[0].paid], ['paid', 0, 100]);
  assert.deepEqual(installments[0].charges_paid, { fine: 0, interest: 0, extension_fee: 0 });
  assert.deepEqual(installments[0].charges_waived, { fine: 2, interest: 0.03 });
  const balances = await service.db.rows(sql`
    select account, sum(amount_cents)::int as cents from ledger_entries
    where customer_id = ${customer.id} and account in ('penalty_income', 'penalties_waived')
    group by account order by account`);
  assert.deepEqual(balances, [
    { account: 'penalties_waived', cents: 203 },
    { account: 'penalty_income', cents: -203 },
  ]);
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('if the installment is paid before the quiet hours end, no message about the failed debit is sent', async () => {
  setClockToMonday();
  const { customer, hash, checkout } = await autopayDriver.sellWithAutopay({ amount: 100, installments: 1 });
  await autopayDriver.setDebitOutcome(ABOVE_PAYERS_LIMIT);
  await autopayDriver.moveClock({ now: '2026-11-30T09:30:00Z' }); // 6:30 in São Paulo, in the quiet hours
  await eventually(
    'the debit has failed',
    async () => (await autopayDriver.findFirstDebit(customer, hash))!.status === 'failed',
  );
  await autopayDriver.setDebitOutcome('paid');
  const charge = await autopayDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  await autopayDriver.payCharge(charge.txid);
  await autopayDriver.waitForStatus(customer, charge.id, 'paid');
  const waitForMessage = (label: string, condition: Sql) =>
    eventually(label, () =>
      service.db.row(sql`
        select 1 as one from messages
        where customer_id = ${customer.id} and template = 'autopay_failed' and ${condition}`),
    );
  await waitForMessage('the message is postponed', sql`not_before is not null`);
  service.clock.set('2026-11-30T13:00:00Z');
  await autopayDriver.runJob('messages_sweep');
  await waitForMessage('the message is withdrawn', sql`status = 'withdrawn'`);
  assert.deepEqual(await listFailureMessages(customer.phone), []);
});

test('if autopay ends in the bank app, the customer is notified that the other installments must be paid by code', async () => {
  setClockToMonday();
  const { customer, hash, authorisationId } = await autopayDriver.sellWithAutopay({
    amount: 100,
    installments: 4,
  });
  await autopayDriver.decideAsBank(authorisationId, 'cancel');
  await autopayDriver.waitUntilAuthorisationEnds(customer, hash);
  const [message] = await eventually('the message is sent', async () => {
    const messages = await listFailureMessages(customer.phone);
    return messages.length > 0 && messages;
  });
  assert.match(message!.text, /terminou no seu banco\. .*a próxima, de R\$ 25,00, vence em 30\/11: http/);
});

test('lists and reports of autopay match the debits that were made', async () => {
  service.clock.set('2033-01-03T15:00:00Z'); // a Monday years after all other tests, so that reports contain only these debits
  const paidPurchase = await autopayDriver.sellWithAutopay({ amount: 100, installments: 2 });
  await autopayDriver.moveClock({ now: '2033-01-11T02:00:00Z' });
  const refusedPurchase = await autopayDriver.sellWithAutopay({ amount: 60, installments: 1 });
  await autopayDriver.setDebitOutcome('no_money');
  await autopayDriver.moveClock({ now: '2033-01-18T02:00:00Z' });
  await autopayDriver.setDebitOutcome('paid');
  await autopayDriver.moveClock({ now: '2033-01-19T02:00:00Z' });
  const getBody = async (path: string) => (await autopayDriver.callStaff('GET', path)).body;
  const debits = await getBody(`/admin/autopay/debits?from=2033-01-01&sort=oldest`);
  assert.deepEqual(
    debits.data
      .map(({ customer_id, status, value, tries }: Record<string, unknown>) =>
        [
          customer_id === paidPurchase.customer.id ? 'paid purchase:' : 'refused purchase:',
          status,
          value,
          tries,
        ].join(' '),
      )
      .toSorted(),
    ['paid purchase: paid 50 1', 'paid purchase: paid 50 2', 'refused purchase: paid 60 2'],
  );
  assert.deepEqual([debits.pagination.total, debits.totals.amount], [3, 160]);
  const authorisations = await getBody(`/admin/autopay?customer=${refusedPurchase.customer.id}`);
  assert.deepEqual(
    authorisations.data.map(({ id, largest }: Record<string, unknown>) => [id, largest]),
    [[refusedPurchase.authorisationId, 60]],
  );
  const report = await getBody('/admin/reports/autopay?on=2033-01-18');
  assert.deepEqual(report.data, [
    { try: 1, tried: 3, paid: 1, paid_percent: 33.3, paid_value: 50 },
    { try: 2, tried: 2, paid: 2, paid_percent: 100, paid_value: 110 },
  ]);
  const refusals = await getBody('/admin/reports/refusals?on=2033-01-18');
  assert.deepEqual(refusals.data, [
    { code: 'no_money', words: 'Não havia saldo na conta.', debits: 2, failed: 0 },
  ]);
});

test('a debit above the payer’s limit is not retried, and its reason explains what to do', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay({ installments: 2 });
  await autopayDriver.setDebitOutcome(ABOVE_PAYERS_LIMIT);
  await autopayDriver.moveClock({ now: '2026-11-30T20:00:00Z' });
  const [firstInstallment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  assert.deepEqual([firstInstallment.autopay.status, firstInstallment.autopay.tries], ['failed', 1]);
  assert.match(firstInstallment.autopay.reason, /limite que você definiu/);
  // The debit of the next week is independent.
  await autopayDriver.setDebitOutcome('paid');
  await autopayDriver.moveClock({ now: '2026-12-07T20:00:00Z' });
  assert.deepEqual(await autopayDriver.listInstallmentStatuses(customer, hash), ['overdue', 'paid']);
});

test('without a response of the bank, a debit stays scheduled past its day, then fails; a late payment is still applied', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay({ amount: 50, installments: 2 });
  await autopayDriver.setDebitOutcome('silent');
  await autopayDriver.moveClock({ now: '2026-12-02T15:00:00Z' });
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), SCHEDULED_DEBIT);
  await autopayDriver.moveClock({ now: '2026-12-10T15:00:00Z' });
  const [{ autopay }] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  assert.deepEqual([autopay.status, autopay.reason], ['failed', 'O banco não respondeu.']);
  // The bank pays the debit that has failed here.
  await autopayDriver.setDebitOutcome('paid');
  await service.db.run(sql`
    update psp_sim_debits d set next_try_at = ${service.clock.now()} from pix_charges c
    where c.txid = d.txid and c.checkout_hash = ${hash} and c.status = 'expired'`);
  await autopayDriver.runDueJobs();
  await eventually(
    'the payment is applied',
    async () => (await autopayDriver.getCheckoutAsCustomer(customer, hash)).amounts.paid > 0,
  );
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('national and local holidays postpone the debit without a penalty for the customer', async () => {
  service.clock.set('2026-11-13T15:00:00Z');
  await autopayDriver.setPspFaults({ debits_moved_days: 1 });
  // The installment is due on Friday the 20th, a holiday. So the debit moves to Monday the 23rd, and to Tuesday by a holiday of the town.
  const { customer, hash } = await autopayDriver.sellWithAutopay({ installments: 1 });
  await autopayDriver.moveClock({ now: '2026-11-18T15:00:00Z' });
  const movedDebit = { ...SCHEDULED_DEBIT, day: '2026-11-24' };
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), movedDebit);
  await autopayDriver.moveClock({ now: '2026-11-24T15:00:00Z' });
  const { status, installments } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.deepEqual([status, installments[0].paid, installments[0].charges_paid.fine], ['paid', 100, 0]);
  await autopayDriver.setPspFaults({});
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('retries end before the debit of the next week', async () => {
  service.clock.set('2026-11-14T15:00:00Z');
  // The installment is due on Saturday the 21st, and debited on Monday the 23rd. The retry five days later would be in the next week.
  const { customer, hash } = await autopayDriver.sellWithAutopay({ installments: 2 });
  await autopayDriver.setDebitOutcome('no_money');
  await autopayDriver.moveClock({ now: '2026-11-27T15:00:00Z' });
  const [firstDebit, secondDebit] = await autopayDriver.listDebits(customer, hash);
  assert.deepEqual(firstDebit, { status: 'failed', day: '2026-11-26', attempts: 3 });
  assert.deepEqual(secondDebit, SCHEDULED_DEBIT);
  await autopayDriver.setDebitOutcome('paid');
});

test('after a partial return the debit is for the remaining amount; after a full return nothing is debited and autopay ends', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ now: '2026-11-27T15:00:00Z' });
  assert.equal((await autopayDriver.requestReturn(hash, 40)).status, 201);
  await autopayDriver.waitForJobs();
  await autopayDriver.runDueJobs();
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), SCHEDULED_DEBIT);
  await autopayDriver.moveClock({ now: '2026-11-30T15:00:00Z' });
  const [firstInstallment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  assert.deepEqual([firstInstallment.status, firstInstallment.paid], ['paid', 15]);
  assert.equal((await autopayDriver.requestReturn(hash)).status, 201);
  await autopayDriver.runDueJobs();
  const endedAuthorisation = await autopayDriver.getAuthorisation(customer, hash);
  assert.deepEqual(
    [endedAuthorisation.status, endedAuthorisation.ended_by, endedAuthorisation.reason],
    ['ended', 'service', 'nothing_owed'],
  );
  await autopayDriver.moveClock({ advance: 'P8D' });
  await autopayDriver.waitForJobs();
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('a written off purchase is not debited', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ now: '2026-11-27T15:00:00Z' });
  await autopayDriver.writeOff(hash);
  await autopayDriver.moveClock({ now: '2026-12-01T15:00:00Z' });
  const { amounts } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.equal(amounts.paid, 0);
  assert.equal((await autopayDriver.getAuthorisation(customer, hash)).status, 'ended');
});

test('after a payment with cashback the debit is for the remaining amount', async () => {
  setClockToMonday();
  const { customer, hash, checkout } = await autopayDriver.sellWithAutopay();
  const adjustResponse = await autopayDriver.callStaff('POST', `/admin/cashback/${customer.id}/adjust`, {
    amount: 5,
    reason: 'Teste',
  });
  assert.equal(adjustResponse.status, 201, adjustResponse.text);
  await autopayDriver.moveClock({ now: '2026-11-27T15:00:00Z' });
  const redemption = await service.post(
    `/wallet/installments/${checkout.installments[0].id}/cashback`,
    { value: 5 },
    { token: await autopayDriver.createToken(customer) },
  );
  assert.equal(redemption.status, 201, redemption.text);
  assert.equal(redemption.body.installment.autopay, null, 'the debit is cancelled until it is planned again');
  await autopayDriver.waitForJobs();
  await autopayDriver.moveClock({ now: '2026-11-30T15:00:00Z' });
  const [firstInstallment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  assert.deepEqual(
    [firstInstallment.status, firstInstallment.paid, firstInstallment.autopay.status],
    ['paid', 25, 'paid'],
  );
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('after a chargeback of a debit its amount is owed again', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay({ installments: 1 });
  await autopayDriver.moveClock({ now: '2026-11-30T15:00:00Z' });
  assert.deepEqual(await autopayDriver.listInstallmentStatuses(customer, hash), ['paid']);
  const row = await service.db.row<{ txid: string }>(
    sql`select txid from pix_charges where checkout_hash = ${hash} and authorisation_id is not null`,
  );
  await autopayDriver.chargeBackCharge(row!.txid);
  await eventually(
    'the amount is owed again',
    async () => (await autopayDriver.listInstallmentStatuses(customer, hash))[0] !== 'paid',
  );
  const refund = await service.db.row<{ reason: string }>(
    sql`select reason from pix_refunds where customer_id = ${customer.id}`,
  );
  assert.equal(refund!.reason, 'MED_PIX_AUTOMATICO');
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

for (const notify of ['twice', 'late', 'never', 'shuffled'] as const)
  test(`with callbacks ${notify}, a purchase is authorised, and each installment debited and settled once`, async () => {
    setClockToMonday();
    await autopayDriver.setPspFaults({ notify, notify_delay_ms: 300 });
    const { customer, hash } = await autopayDriver.sellWithAutopay({ installments: 2 });
    await autopayDriver.moveClock({ advance: 'P14D' });
    await autopayDriver.waitForJobs();
    await eventually(
      'the purchase is paid',
      async () => (await autopayDriver.getCheckoutAsCustomer(customer, hash)).status === 'paid',
    );
    await autopayDriver.setPspFaults({});
    assert.equal(
      await autopayDriver.readCount(
        sql`select count(*) from pix_payments where customer_id = ${customer.id}`,
      ),
      2,
    );
    assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
  });

test('when responses of the PSP are lost, there is one authorisation and one debit per week', async () => {
  setClockToMonday();
  await autopayDriver.setPspFaults({ error_rate: 0.3, drop_after_write: 0.3 });
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 100, installments: 2 });
  const requestResponse = await eventually('the PSP returns a code', async () => {
    const response = await autopayDriver.requestAuthorisation(customer, hash);
    return response.status < 300 && response;
  });
  await autopayDriver.setPspFaults({});
  await autopayDriver.decideAsBank(requestResponse.body.id, 'authorise');
  await autopayDriver.setPspFaults({ error_rate: 0.3, drop_after_write: 0.3 });
  await autopayDriver.moveClock({ now: '2026-11-27T15:00:00Z' });
  await autopayDriver.setPspFaults({});
  // Reconciliation leaves out newer rows: a request or job may still be working on them.
  service.clock.advance(2 * MINUTE_MS);
  await autopayDriver.runJob('pix_reconcile');
  await autopayDriver.runJob('pix_autopay');
  await autopayDriver.moveClock({ now: '2026-12-08T15:00:00Z' });
  await autopayDriver.waitForJobs();
  assert.equal((await autopayDriver.getCheckoutAsCustomer(customer, hash)).status, 'paid');
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('a customer with paid autopay purchases can be erased, and the authorisation ends at the PSP', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay({ installments: 1 });
  await autopayDriver.moveClock({ advance: 'P8D' });
  assert.equal((await autopayDriver.getAuthorisation(customer, hash)).status, 'ended');
  await autopayDriver.runJob('pix_autopay');
  const eraseResponse = await autopayDriver.callStaff('POST', `/admin/customers/${customer.id}/erase`, {
    reason: 'Pedido',
  });
  assert.ok(eraseResponse.status < 300, eraseResponse.text);
  const approvedCount = await autopayDriver.readCount(
    sql`select count(*) from psp_sim_recs where terms -> 'vinculo' ->> 'contrato' = ${hash} and status = 'APROVADA'`,
  );
  assert.equal(approvedCount, 0);
});
