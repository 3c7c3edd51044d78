import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrCode } from '#core/values/br-code.ts';
import { type Sql, sql } from '#platform/database/db.ts';
import { createAutopayDriver } from '../../../test/autopay-driver.ts';
import { enqueueTask, eventually, openService, waitForLockWaits } from '../../../test/harness.ts';

const service = await openService();
const autopayDriver = createAutopayDriver(service);
/** A Monday at noon. Installments fall due on the Mondays that follow, which are business days. */
const MONDAY = '2026-11-23T15:00:00Z';
const UNKNOWN_HASH = 'a'.repeat(22);
/** Codes of the Pix network: why an authorisation has ended. */
const END_CODES = { refusedByPayer: 'AP13', endedByPayer: 'SLDB' };
const setClockToMonday = () => service.clock.set(MONDAY);
/** The debit of the first installment before its due day. */
const SCHEDULED_DEBIT = { status: 'scheduled', day: '2026-11-30', attempts: 0 };

test('an authorisation is requested once, returned again while pending, and refused with a reason otherwise', async () => {
  setClockToMonday();
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 100, installments: 4 });
  assert.equal((await autopayDriver.getCheckoutAsCustomer(customer, hash)).autopay, null);
  const requestResponse = await autopayDriver.requestAuthorisation(customer, hash);
  assert.equal(requestResponse.status, 201, requestResponse.text);
  const { id, status, br_code, qr_code, expires_at, first } = requestResponse.body;
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
  const repeatedResponse = await autopayDriver.requestAuthorisation(customer, hash);
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.id], [200, id]);
  assert.deepEqual((await autopayDriver.getAuthorisation(customer, hash)).id, id);
  assert.deepEqual((await autopayDriver.getCheckoutAsCustomer(customer, hash)).autopay, {
    status: 'pending',
  });
  await autopayDriver.decideAsBank(id, 'authorise');
  const activeResponse = await autopayDriver.requestAuthorisation(customer, hash);
  assert.deepEqual([activeResponse.status, activeResponse.body.code], [409, 'autopay_active']);
  // The installment is due tomorrow, which is too soon for a debit.
  const dueTomorrow = await autopayDriver.sell(customer, {
    amount: 10,
    installments: 1,
    purchased_at: '2026-11-17T15:00:00Z',
  });
  const tooLateResponse = await autopayDriver.requestAuthorisation(customer, dueTomorrow.hash);
  assert.deepEqual([tooLateResponse.status, tooLateResponse.body.code], [409, 'nothing_to_debit']);
  assert.equal((await autopayDriver.requestAuthorisation(customer, UNKNOWN_HASH)).status, 404);
  const stranger = await autopayDriver.createCustomer();
  assert.equal((await autopayDriver.requestAuthorisation(stranger, hash)).status, 404);
  assert.equal((await autopayDriver.endAuthorisation(stranger, hash)).status, 404);
});

test('a repeated Idempotency-Key returns the same response, also after the authorisation is active; another body is refused', async () => {
  setClockToMonday();
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 100, installments: 4 });
  const token = await autopayDriver.createToken(customer);
  const requestWithSameKey = (body?: { first: boolean }) =>
    service.post(`/wallet/checkouts/${hash}/autopay`, body, { token, headers: { 'idempotency-key': 'k1' } });
  const requestResponse = await requestWithSameKey();
  assert.deepEqual(
    [requestResponse.status, requestResponse.headers.get('idempotency-replayed')],
    [201, null],
    requestResponse.text,
  );
  const repeatedResponse = await requestWithSameKey();
  assert.deepEqual(
    [repeatedResponse.status, repeatedResponse.body.id, repeatedResponse.headers.get('idempotency-replayed')],
    [201, requestResponse.body.id, 'true'],
  );
  await autopayDriver.decideAsBank(requestResponse.body.id, 'authorise');
  const responseWhenActive = await requestWithSameKey();
  assert.deepEqual([responseWhenActive.status, responseWhenActive.body.id], [201, requestResponse.body.id]);
  assert.equal((await requestWithSameKey({ first: true })).body.code, 'idempotency_key_reused');
});

test('an authorisation that a repeated request completes is not discarded by a job that has read it earlier', async () => {
  setClockToMonday();
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 100, installments: 4 });
  const token = await autopayDriver.createToken(customer);
  const requestWithSameKey = () =>
    service.post(`/wallet/checkouts/${hash}/autopay`, undefined, {
      token,
      headers: { 'idempotency-key': 'interrupted' },
    });
  await autopayDriver.setPspFaults({ error_rate: 1 });
  assert.equal((await requestWithSameKey()).status, 503);
  await autopayDriver.setPspFaults({});
  // A minute later, the interrupted authorisation counts as abandoned.
  service.clock.set('2026-11-23T15:01:01Z');
  const id = await service.db.transaction(async (tx) => {
    await tx.run(sql`select from customers where id = ${customer.id} for update`);
    await enqueueTask(service, 'pix_autopay');
    await waitForLockWaits(service, 1);
    const completedResponse = await requestWithSameKey();
    assert.equal(completedResponse.status, 201, completedResponse.text);
    return completedResponse.body.id as string;
  });
  await autopayDriver.waitForJobs();
  assert.equal((await autopayDriver.getAuthorisation(customer, hash)).status, 'pending');
  assert.equal((await autopayDriver.decideAsBank(id, 'authorise')).body.status, 'active');
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('if a debit is cancelled before the PSP has created it, it is cancelled at the PSP as well', async () => {
  setClockToMonday();
  const { customer, checkout } = await autopayDriver.sellWithAutopay();
  await autopayDriver.waitForJobs();
  await autopayDriver.setPspFaults({ latency_ms: 3_000 });
  service.clock.set('2026-11-27T15:00:00Z');
  await enqueueTask(service, 'pix_autopay');
  const findStatus = (table: Sql) =>
    service.db.value<string>(sql`
      select s.status from ${table} s join pix_charges c on c.txid = s.txid
      where c.customer_id = ${customer.id} and c.authorisation_id is not null`);
  await eventually('the debit is stored', () => findStatus(sql`pix_charges`));
  await autopayDriver.setPspFaults({});
  assert.equal(
    (await autopayDriver.requestCharge(customer, checkout.installments[0].id, { type: 'settle' })).status,
    201,
  );
  assert.equal(await findStatus(sql`psp_sim_debits`), undefined);
  await eventually(
    'the PSP cancels the debit',
    async () => (await findStatus(sql`psp_sim_debits`)) === 'CANCELADA',
  );
});

test('a code that includes the first installment pays and authorises, and replaces a code without the installment', async () => {
  setClockToMonday();
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 100, installments: 2 });
  const authorisationOnlyResponse = await autopayDriver.requestAuthorisation(customer, hash);
  const combinedResponse = await autopayDriver.requestAuthorisation(customer, hash, { first: true });
  assert.deepEqual([combinedResponse.status, combinedResponse.body.first], [201, true]);
  assert.notEqual(combinedResponse.body.id, authorisationOnlyResponse.body.id);
  const decoded = decodeBrCode(combinedResponse.body.br_code);
  assert.ok(decoded.ok);
  assert.equal(decoded.code.target.kind, 'dynamic');
  assert.equal(combinedResponse.body.expires_at, '2026-11-24T03:00:00.000Z');
  // The replaced authorisation is also ended at the PSP.
  assert.equal(
    (await autopayDriver.decideAsBank(authorisationOnlyResponse.body.id, 'authorise')).status,
    200,
  );
  await autopayDriver.runDueJobs();
  const { body } = await autopayDriver.decideAsBank(combinedResponse.body.id, 'authorise');
  assert.equal(body.status, 'active');
  await eventually(
    'the first installment is paid',
    async () => (await autopayDriver.listInstallmentStatuses(customer, hash))[0] === 'paid',
  );
  assert.equal((await autopayDriver.getAuthorisation(customer, hash)).id, combinedResponse.body.id);
});

test('a payer may refuse, not respond in time, or end the authorisation in the bank app at 23:59', async () => {
  setClockToMonday();
  const customer = await autopayDriver.createCustomer();
  const [purchase, otherPurchase] = [
    await autopayDriver.sell(customer, { amount: 100, installments: 4 }),
    await autopayDriver.sell(customer, { amount: 100, installments: 4 }),
  ];
  const [refusedRequest, silentRequest] = [
    await autopayDriver.requestAuthorisation(customer, purchase.hash),
    await autopayDriver.requestAuthorisation(customer, otherPurchase.hash),
  ];
  assert.equal((await autopayDriver.decideAsBank(refusedRequest.body.id, 'refuse')).body.status, 'rejected');
  const refusal = await autopayDriver.getAuthorisation(customer, purchase.hash);
  assert.deepEqual(
    [refusal.status, refusal.ended_by, refusal.reason],
    ['rejected', 'payer', END_CODES.refusedByPayer],
  );
  await autopayDriver.moveClock({ advance: 'P2D' });
  assert.equal((await autopayDriver.getAuthorisation(customer, otherPurchase.hash)).status, 'expired');
  assert.equal(
    (await autopayDriver.decideAsBank(silentRequest.body.id, 'authorise')).body.code,
    'autopay_not_possible',
  );
  // Autopay is requested again, authorised, and ended by the payer in the last minute before the day of the debit.
  const newRequest = await autopayDriver.requestAuthorisation(customer, purchase.hash);
  assert.equal(newRequest.status, 201);
  await autopayDriver.decideAsBank(newRequest.body.id, 'authorise');
  await autopayDriver.moveClock({ now: '2026-11-30T02:59:00Z' });
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, purchase.hash), SCHEDULED_DEBIT);
  await autopayDriver.decideAsBank(newRequest.body.id, 'cancel');
  const endedAuthorisation = await autopayDriver.getAuthorisation(customer, purchase.hash);
  assert.deepEqual(
    [endedAuthorisation.status, endedAuthorisation.ended_by, endedAuthorisation.reason],
    ['ended', 'payer', END_CODES.endedByPayer],
  );
  await autopayDriver.moveClock({ advance: 'P1D' });
  const { installments } = await autopayDriver.getCheckoutAsCustomer(customer, purchase.hash);
  assert.deepEqual([installments[0].status, installments[0].autopay], ['open', null]);
  assert.ok(installments[0].pix_options.length > 0);
  const endEvents = (await autopayDriver.listEvents(customer.id)).filter(
    ({ type }) => type === 'autopay.ended',
  );
  assert.deepEqual(
    endEvents.map(({ data }) => [data.status, data.by]),
    [
      ['rejected', 'payer'],
      ['expired', null],
      ['ended', 'payer'],
    ],
  );
});

test('a request while autopay is active is refused and does not change the debit, also if it includes the first installment', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ now: '2026-11-28T15:00:00Z' });
  const requestResponse = await autopayDriver.requestAuthorisation(customer, hash, { first: true });
  assert.deepEqual([requestResponse.status, requestResponse.body.code], [409, 'autopay_active']);
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), SCHEDULED_DEBIT);
});

test('an expired authorisation stays expired when the customer ends autopay', async () => {
  setClockToMonday();
  const customer = await autopayDriver.createCustomer();
  const { hash } = await autopayDriver.sell(customer, { amount: 100, installments: 4 });
  await autopayDriver.requestAuthorisation(customer, hash);
  service.clock.set('2026-11-24T15:00:01Z');
  assert.equal((await autopayDriver.endAuthorisation(customer, hash)).status, 204);
  assert.equal((await autopayDriver.getAuthorisation(customer, hash)).status, 'expired');
});

test('the customer can end autopay at any time, also while the PSP is unavailable; nothing is debited afterwards', async () => {
  setClockToMonday();
  const { customer, hash, authorisationId } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ now: '2026-11-28T15:00:00Z' });
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), SCHEDULED_DEBIT);
  await autopayDriver.setPspFaults({ error_rate: 1 });
  assert.equal((await autopayDriver.endAuthorisation(customer, hash)).status, 204);
  const { status, ended_by } = await autopayDriver.getAuthorisation(customer, hash);
  assert.deepEqual([status, ended_by], ['ended', 'customer']);
  assert.equal(await autopayDriver.findFirstDebit(customer, hash), null);
  service.clock.set('2026-11-28T15:01:00Z');
  assert.equal((await autopayDriver.endAuthorisation(customer, hash)).status, 204);
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), [
    `authorisation ${authorisationId}: is ended, and the PSP may still debit by it`,
  ]);
  await autopayDriver.setPspFaults({});
  assert.equal((await autopayDriver.endAuthorisation(customer, hash)).status, 204);
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
  await autopayDriver.runJob('pix_autopay');
  await autopayDriver.runJob('pix_reconcile');
  await autopayDriver.moveClock({ advance: 'P3D' });
  assert.equal((await autopayDriver.getCheckoutAsCustomer(customer, hash)).amounts.paid, 0);
  const approvedCount = await autopayDriver.readCount(
    sql`select count(*) from psp_sim_recs where terms -> 'vinculo' ->> 'contrato' = ${hash} and status = 'APROVADA'`,
  );
  assert.equal(approvedCount, 0);
});

test('creating a code cancels the debit first; if the code expires unpaid, the debit is requested again', async () => {
  setClockToMonday();
  const { customer, hash, checkout } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ now: '2026-11-27T15:00:00Z' });
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), SCHEDULED_DEBIT);
  const checkoutBefore = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.deepEqual(
    checkoutBefore.installments[0].pix_options.map(({ type }: { type: string }) => type),
    ['settle', 'settle_with_penalty', 'settle_partial', 'extend'],
  );
  await autopayDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  assert.equal(await autopayDriver.findFirstDebit(customer, hash), null);
  const debitsAtPsp = await service.db.rows<{ status: string }>(
    sql`select d.status from psp_sim_debits d join pix_charges c on c.txid = d.txid where c.checkout_hash = ${hash}`,
  );
  assert.deepEqual(debitsAtPsp, [{ status: 'CANCELADA' }]);
  await autopayDriver.runDueJobs();
  assert.equal(
    await autopayDriver.findFirstDebit(customer, hash),
    null,
    'no debit while the code can be paid',
  );
  await autopayDriver.moveClock({ now: '2026-11-28T15:00:00Z' });
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), SCHEDULED_DEBIT);
  await autopayDriver.moveClock({ now: '2026-11-30T15:00:00Z' });
  assert.equal((await autopayDriver.listInstallmentStatuses(customer, hash))[0], 'paid');
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('after a partial payment days before, the debit is cancelled and requested for the remaining amount', async () => {
  setClockToMonday();
  const { customer, hash, checkout } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ now: '2026-11-27T15:00:00Z' });
  const charge = await autopayDriver.createCharge(
    customer,
    checkout.installments[0].id,
    'settle_partial',
    10,
  );
  await autopayDriver.payCharge(charge.txid);
  await autopayDriver.waitForStatus(customer, charge.id, 'paid');
  await autopayDriver.runDueJobs();
  assert.deepEqual(await autopayDriver.findFirstDebit(customer, hash), SCHEDULED_DEBIT);
  await autopayDriver.moveClock({ now: '2026-11-30T15:00:00Z' });
  const [firstInstallment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  assert.deepEqual([firstInstallment.status, firstInstallment.paid], ['paid', 25]);
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('after a partial payment the day before, it is too late for another debit, and the remaining amount is paid by code', async () => {
  setClockToMonday();
  const { customer, hash, checkout } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ now: '2026-11-29T15:00:00Z' });
  const charge = await autopayDriver.createCharge(
    customer,
    checkout.installments[0].id,
    'settle_partial',
    10,
  );
  await autopayDriver.payCharge(charge.txid);
  await autopayDriver.waitForStatus(customer, charge.id, 'paid');
  await autopayDriver.moveClock({ now: '2026-11-30T23:00:00Z' });
  const [firstInstallment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  assert.deepEqual(
    [firstInstallment.status, firstInstallment.paid, firstInstallment.autopay],
    ['open', 10, null],
  );
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('if a code is paid on the day of the debit, the debit is also made, and the excess is refunded automatically', async () => {
  setClockToMonday();
  const { customer, hash, checkout } = await autopayDriver.sellWithAutopay();
  // After midnight it is too late to cancel the debit, and the bank has not attempted it yet.
  await autopayDriver.moveClock({ now: '2026-11-30T04:00:00Z' });
  const charge = await autopayDriver.createCharge(
    customer,
    checkout.installments[0].id,
    'settle_partial',
    20,
  );
  await autopayDriver.payCharge(charge.txid);
  await autopayDriver.waitForStatus(customer, charge.id, 'paid');
  await autopayDriver.moveClock({ now: '2026-11-30T15:00:00Z' });
  await eventually('20.00 is refunded', async () => {
    const events = await autopayDriver.listEvents(customer.id);
    const [refundEvent, ...otherEvents] = events.filter(({ type }) => type === 'pix.refunded');
    return refundEvent?.data.amount === 20 && otherEvents.length === 0;
  });
  const [firstInstallment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments;
  assert.deepEqual([firstInstallment.status, firstInstallment.paid], ['paid', 25]);
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('an installment extended into the week of the next is paid by code, and the next is debited', async () => {
  setClockToMonday();
  const { customer, hash, checkout } = await autopayDriver.sellWithAutopay();
  await autopayDriver.moveClock({ now: '2026-11-27T15:00:00Z' });
  const extension = await autopayDriver.createCharge(customer, checkout.installments[0].id, 'extend');
  await autopayDriver.payCharge(extension.txid);
  await autopayDriver.waitForStatus(customer, extension.id, 'paid');
  await autopayDriver.moveClock({ now: '2026-12-07T20:00:00Z' });
  const [firstInstallment, secondInstallment] = (await autopayDriver.getCheckoutAsCustomer(customer, hash))
    .installments;
  assert.deepEqual([firstInstallment.due_on, secondInstallment.due_on], ['2026-12-07', '2026-12-07']);
  assert.deepEqual([firstInstallment.status, firstInstallment.autopay], ['open', null]);
  assert.deepEqual([secondInstallment.status, secondInstallment.autopay.status], ['paid', 'paid']);
  assert.deepEqual(await autopayDriver.listMismatches(customer.id), []);
});

test('an extended last installment is debited in its new week', async () => {
  setClockToMonday();
  const { customer, hash, checkout } = await autopayDriver.sellWithAutopay({ amount: 50, installments: 2 });
  await autopayDriver.moveClock({ now: '2026-12-01T15:00:00Z' });
  const extension = await autopayDriver.createCharge(customer, checkout.installments[1].id, 'extend');
  await autopayDriver.payCharge(extension.txid);
  await autopayDriver.waitForStatus(customer, extension.id, 'paid');
  await autopayDriver.moveClock({ now: '2026-12-14T15:00:00Z' });
  const { status, installments } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.deepEqual(
    [status, installments[1].due_on, installments[1].autopay.on],
    ['paid', '2026-12-14', '2026-12-14'],
  );
});

test('installments whose amounts differ by a centavo are each debited with their own amount', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay({ amount: 100.01, installments: 3 });
  await autopayDriver.moveClock({ advance: 'P21D' });
  const { status, installments } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.equal(status, 'paid');
  assert.deepEqual(
    installments.map(({ paid }: { paid: number }) => paid),
    [33.34, 33.34, 33.33],
  );
  const recurrence = await service.db.row<{ valor: object }>(
    sql`select terms -> 'valor' as valor from psp_sim_recs where terms -> 'vinculo' ->> 'contrato' = ${hash}`,
  );
  assert.deepEqual(recurrence!.valor, { valorMinimoRecebedor: '33.34' });
});

test('with a weekly rate, the debit is for the amount that settles the installment on its due day', async () => {
  setClockToMonday();
  const { customer, hash } = await autopayDriver.sellWithAutopay({
    installments: 2,
    terms: { weekly_rate_percent: 1 },
  });
  await autopayDriver.moveClock({ advance: 'P14D' });
  const { status, installments } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
  assert.equal(status, 'paid');
  for (const { amount, paid, discount } of installments) assert.deepEqual([paid, discount], [amount, 0]);
});
