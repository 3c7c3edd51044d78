import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrCode } from '#core/values/br-code.ts';
import { type Sql, sql } from '#platform/database/db.ts';
import { openAutopayShop } from '../../../test/autopay-shop.ts';
import { enqueueTask, eventually, openService, waitForLockWaits } from '../../../test/harness.ts';

const service = await openService();
const autopayShop = openAutopayShop(service);
/** A Monday at noon. Installments fall due on the Mondays that follow, which are business days. */
const MONDAY = '2026-11-23T15:00:00Z';
const setClockToMonday = () => service.clock.set(MONDAY);

test('an authorisation is requested once, returned again while pending, and refused with a reason otherwise', async () => {
  setClockToMonday();
  const shopper = await autopayShop.newShopper();
  const { hash } = await autopayShop.sell(shopper, { amount: 100, installments: 4 });
  assert.equal((await autopayShop.getCheckoutAsCustomer(shopper, hash)).autopay, null);
  const requestResponse = await autopayShop.requestAuthorisation(shopper, hash);
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
  const repeatedResponse = await autopayShop.requestAuthorisation(shopper, hash);
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.id], [200, id]);
  assert.deepEqual((await autopayShop.getAuthorisation(shopper, hash)).id, id);
  assert.deepEqual((await autopayShop.getCheckoutAsCustomer(shopper, hash)).autopay, { status: 'pending' });
  await autopayShop.decideAsBank(id, 'authorise');
  const activeResponse = await autopayShop.requestAuthorisation(shopper, hash);
  assert.deepEqual([activeResponse.status, activeResponse.body.code], [409, 'autopay_active']);
  // Due tomorrow, which is too soon for a debit.
  const dueTomorrow = await autopayShop.sell(shopper, {
    amount: 10,
    installments: 1,
    purchased_at: '2026-11-17T15:00:00Z',
  });
  const lateResponse = await autopayShop.requestAuthorisation(shopper, dueTomorrow.hash);
  assert.deepEqual([lateResponse.status, lateResponse.body.code], [409, 'nothing_to_debit']);
  assert.equal((await autopayShop.requestAuthorisation(shopper, 'a'.repeat(22))).status, 404);
  const stranger = await autopayShop.newShopper();
  assert.equal((await autopayShop.requestAuthorisation(stranger, hash)).status, 404);
  assert.equal((await autopayShop.endAuthorisation(stranger, hash)).status, 404);
});

test('a repeated Idempotency-Key returns the same response, also after it is active; another body is refused', async () => {
  setClockToMonday();
  const shopper = await autopayShop.newShopper();
  const { hash } = await autopayShop.sell(shopper, { amount: 100, installments: 4 });
  const token = await autopayShop.createToken(shopper);
  const request = (body?: { first: boolean }) =>
    service.post(`/wallet/checkouts/${hash}/autopay`, body, { token, headers: { 'idempotency-key': 'k1' } });
  const requestResponse = await request();
  assert.deepEqual(
    [requestResponse.status, requestResponse.headers.get('idempotency-replayed')],
    [201, null],
    requestResponse.text,
  );
  const repeatedResponse = await request();
  assert.deepEqual(
    [repeatedResponse.status, repeatedResponse.body.id, repeatedResponse.headers.get('idempotency-replayed')],
    [201, requestResponse.body.id, 'true'],
  );
  await autopayShop.decideAsBank(requestResponse.body.id, 'authorise');
  assert.deepEqual([(await request()).status, (await request()).body.id], [201, requestResponse.body.id]);
  assert.equal((await request({ first: true })).body.code, 'idempotency_key_reused');
});

test('an authorisation that a repeated request completes is not discarded by a job that has read it earlier', async () => {
  setClockToMonday();
  const shopper = await autopayShop.newShopper();
  const { hash } = await autopayShop.sell(shopper, { amount: 100, installments: 4 });
  const token = await autopayShop.createToken(shopper);
  const request = () =>
    service.post(`/wallet/checkouts/${hash}/autopay`, undefined, {
      token,
      headers: { 'idempotency-key': 'interrupted' },
    });
  await autopayShop.setPspFaults({ error_rate: 1 });
  assert.equal((await request()).status, 503);
  await autopayShop.setPspFaults({});
  service.clock.set('2026-11-23T15:01:01Z');
  const id = await service.db.transaction(async (tx) => {
    await tx.run(sql`select from customers where id = ${shopper.id} for update`);
    await enqueueTask(service, 'pix_autopay');
    await waitForLockWaits(service, 1);
    const completedResponse = await request();
    assert.equal(completedResponse.status, 201, completedResponse.text);
    return completedResponse.body.id as string;
  });
  await autopayShop.waitForJobs();
  assert.equal((await autopayShop.getAuthorisation(shopper, hash)).status, 'pending');
  assert.equal((await autopayShop.decideAsBank(id, 'authorise')).body.status, 'active');
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
});

test('a debit that the PSP creates after it was cancelled here is cancelled at the PSP', async () => {
  setClockToMonday();
  const { shopper, checkout } = await autopayShop.sellWithAutopay();
  await autopayShop.waitForJobs();
  await autopayShop.setPspFaults({ latency_ms: 3_000 });
  service.clock.set('2026-11-27T15:00:00Z');
  await enqueueTask(service, 'pix_autopay');
  const findStatus = (table: Sql) =>
    service.db.value<string>(sql`
      select s.status from ${table} s join pix_charges c on c.txid = s.txid
      where c.customer_id = ${shopper.id} and c.authorisation_id is not null`);
  await eventually('the debit is stored', () => findStatus(sql`pix_charges`));
  await autopayShop.setPspFaults({});
  assert.equal(
    (await autopayShop.requestCharge(shopper, checkout.installments[0].id, { type: 'settle' })).status,
    201,
  );
  assert.equal(await findStatus(sql`psp_sim_debits`), undefined);
  await eventually('the PSP cancels it', async () => (await findStatus(sql`psp_sim_debits`)) === 'CANCELADA');
});

test('a code with the first installment pays and authorises; it replaces a code without it', async () => {
  setClockToMonday();
  const shopper = await autopayShop.newShopper();
  const { hash } = await autopayShop.sell(shopper, { amount: 100, installments: 2 });
  const aloneResponse = await autopayShop.requestAuthorisation(shopper, hash);
  const bothResponse = await autopayShop.requestAuthorisation(shopper, hash, { first: true });
  assert.deepEqual([bothResponse.status, bothResponse.body.first], [201, true]);
  assert.notEqual(bothResponse.body.id, aloneResponse.body.id);
  const decoded = decodeBrCode(bothResponse.body.br_code);
  assert.ok(decoded.ok);
  assert.equal(decoded.code.target.kind, 'dynamic');
  assert.equal(bothResponse.body.expires_at, '2026-11-24T03:00:00.000Z');
  // The replaced authorisation is also ended at the PSP.
  assert.equal((await autopayShop.decideAsBank(aloneResponse.body.id, 'authorise')).status, 200);
  await autopayShop.runDueJobs();
  const { body } = await autopayShop.decideAsBank(bothResponse.body.id, 'authorise');
  assert.equal(body.status, 'active');
  await eventually(
    'the first is paid',
    async () => (await autopayShop.listStatuses(shopper, hash))[0] === 'paid',
  );
  assert.equal((await autopayShop.getAuthorisation(shopper, hash)).id, bothResponse.body.id);
});

test('a payer may refuse, not respond in time, or end the authorisation in the bank app at 23:59', async () => {
  setClockToMonday();
  const shopper = await autopayShop.newShopper();
  const [purchase, otherPurchase] = [
    await autopayShop.sell(shopper, { amount: 100, installments: 4 }),
    await autopayShop.sell(shopper, { amount: 100, installments: 4 }),
  ];
  const [refusedRequest, silentRequest] = [
    await autopayShop.requestAuthorisation(shopper, purchase.hash),
    await autopayShop.requestAuthorisation(shopper, otherPurchase.hash),
  ];
  assert.equal((await autopayShop.decideAsBank(refusedRequest.body.id, 'refuse')).body.status, 'rejected');
  const refusal = await autopayShop.getAuthorisation(shopper, purchase.hash);
  assert.deepEqual([refusal.status, refusal.ended_by, refusal.reason], ['rejected', 'payer', 'AP13']);
  await autopayShop.moveClock({ advance: 'P2D' });
  assert.equal((await autopayShop.getAuthorisation(shopper, otherPurchase.hash)).status, 'expired');
  assert.equal(
    (await autopayShop.decideAsBank(silentRequest.body.id, 'authorise')).body.code,
    'autopay_not_possible',
  );
  // Requested again, authorised, and ended by the payer in the last minute before the day of the debit.
  const newRequest = await autopayShop.requestAuthorisation(shopper, purchase.hash);
  assert.equal(newRequest.status, 201);
  await autopayShop.decideAsBank(newRequest.body.id, 'authorise');
  await autopayShop.moveClock({ now: '2026-11-30T02:59:00Z' });
  assert.deepEqual((await autopayShop.listDebits(shopper, purchase.hash))[0], ['scheduled', '2026-11-30', 0]);
  await autopayShop.decideAsBank(newRequest.body.id, 'cancel');
  const ending = await autopayShop.getAuthorisation(shopper, purchase.hash);
  assert.deepEqual([ending.status, ending.ended_by, ending.reason], ['ended', 'payer', 'SLDB']);
  await autopayShop.moveClock({ advance: 'P1D' });
  const { installments } = await autopayShop.getCheckoutAsCustomer(shopper, purchase.hash);
  assert.deepEqual([installments[0].status, installments[0].autopay], ['open', null]);
  assert.ok(installments[0].pix_options.length > 0);
  const events = (await autopayShop.listEvents(shopper.id)).filter(({ type }) => type === 'autopay.ended');
  assert.deepEqual(
    events.map(({ data }) => [data.status, data.by]),
    [
      ['rejected', 'payer'],
      ['expired', null],
      ['ended', 'payer'],
    ],
  );
});

test('a request while autopay is active is refused and does not change the debit, also with the first installment', async () => {
  setClockToMonday();
  const { shopper, hash } = await autopayShop.sellWithAutopay();
  await autopayShop.moveClock({ now: '2026-11-28T15:00:00Z' });
  const requestResponse = await autopayShop.requestAuthorisation(shopper, hash, { first: true });
  assert.deepEqual([requestResponse.status, requestResponse.body.code], [409, 'autopay_active']);
  assert.deepEqual((await autopayShop.listDebits(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
});

test('an expired code stays expired when the customer ends it', async () => {
  setClockToMonday();
  const shopper = await autopayShop.newShopper();
  const { hash } = await autopayShop.sell(shopper, { amount: 100, installments: 4 });
  await autopayShop.requestAuthorisation(shopper, hash);
  service.clock.set('2026-11-24T15:00:01Z');
  assert.equal((await autopayShop.endAuthorisation(shopper, hash)).status, 204);
  assert.equal((await autopayShop.getAuthorisation(shopper, hash)).status, 'expired');
});

test('the customer can end autopay at any time, also while the PSP is unavailable; nothing is debited afterwards', async () => {
  setClockToMonday();
  const { shopper, hash, id } = await autopayShop.sellWithAutopay();
  await autopayShop.moveClock({ now: '2026-11-28T15:00:00Z' });
  assert.deepEqual((await autopayShop.listDebits(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
  await autopayShop.setPspFaults({ error_rate: 1 });
  assert.equal((await autopayShop.endAuthorisation(shopper, hash)).status, 204);
  const { status, ended_by } = await autopayShop.getAuthorisation(shopper, hash);
  assert.deepEqual([status, ended_by], ['ended', 'customer']);
  assert.equal((await autopayShop.listDebits(shopper, hash))[0], null);
  service.clock.set('2026-11-28T15:01:00Z');
  assert.equal((await autopayShop.endAuthorisation(shopper, hash)).status, 204);
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), [
    `authorisation ${id}: is ended, and the PSP may still debit by it`,
  ]);
  await autopayShop.setPspFaults({});
  assert.equal((await autopayShop.endAuthorisation(shopper, hash)).status, 204);
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
  await autopayShop.runJob('pix_autopay');
  await autopayShop.runJob('pix_reconcile');
  await autopayShop.moveClock({ advance: 'P3D' });
  assert.equal((await autopayShop.getCheckoutAsCustomer(shopper, hash)).amounts.paid, 0);
  const openCount = await autopayShop.readCount(
    sql`select count(*) from psp_sim_recs where terms -> 'vinculo' ->> 'contrato' = ${hash} and status = 'APROVADA'`,
  );
  assert.equal(openCount, 0);
});

test('creating a code cancels the debit first; if the code expires unpaid, the debit is requested again', async () => {
  setClockToMonday();
  const { shopper, hash, checkout } = await autopayShop.sellWithAutopay();
  await autopayShop.moveClock({ now: '2026-11-27T15:00:00Z' });
  assert.deepEqual((await autopayShop.listDebits(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
  const checkoutBefore = await autopayShop.getCheckoutAsCustomer(shopper, hash);
  assert.deepEqual(
    checkoutBefore.installments[0].pix_options.map(({ type }: { type: string }) => type),
    ['settle', 'settle_with_penalty', 'settle_partial', 'extend'],
  );
  await autopayShop.createCharge(shopper, checkout.installments[0].id, 'settle');
  assert.equal((await autopayShop.listDebits(shopper, hash))[0], null);
  const debitsAtPsp = await service.db.rows<{ status: string }>(
    sql`select d.status from psp_sim_debits d join pix_charges c on c.txid = d.txid where c.checkout_hash = ${hash}`,
  );
  assert.deepEqual(debitsAtPsp, [{ status: 'CANCELADA' }]);
  await autopayShop.runDueJobs();
  assert.equal((await autopayShop.listDebits(shopper, hash))[0], null, 'no debit while the code can be paid');
  await autopayShop.moveClock({ now: '2026-11-28T15:00:00Z' });
  assert.deepEqual((await autopayShop.listDebits(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
  await autopayShop.moveClock({ now: '2026-11-30T15:00:00Z' });
  assert.equal((await autopayShop.listStatuses(shopper, hash))[0], 'paid');
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
});

test('after a partial payment days before, the debit is cancelled and requested for the remaining amount', async () => {
  setClockToMonday();
  const { shopper, hash, checkout } = await autopayShop.sellWithAutopay();
  await autopayShop.moveClock({ now: '2026-11-27T15:00:00Z' });
  const charge = await autopayShop.createCharge(shopper, checkout.installments[0].id, 'settle_partial', 10);
  await autopayShop.payCharge(charge.txid);
  await autopayShop.waitForStatus(shopper, charge.id, 'paid');
  await autopayShop.runDueJobs();
  assert.deepEqual((await autopayShop.listDebits(shopper, hash))[0], ['scheduled', '2026-11-30', 0]);
  await autopayShop.moveClock({ now: '2026-11-30T15:00:00Z' });
  const [firstInstallment] = (await autopayShop.getCheckoutAsCustomer(shopper, hash)).installments;
  assert.deepEqual([firstInstallment.status, firstInstallment.paid], ['paid', 25]);
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
});

test('after a partial payment the day before, it is too late for another debit, and the remaining amount is paid by code', async () => {
  setClockToMonday();
  const { shopper, hash, checkout } = await autopayShop.sellWithAutopay();
  await autopayShop.moveClock({ now: '2026-11-29T15:00:00Z' });
  const charge = await autopayShop.createCharge(shopper, checkout.installments[0].id, 'settle_partial', 10);
  await autopayShop.payCharge(charge.txid);
  await autopayShop.waitForStatus(shopper, charge.id, 'paid');
  await autopayShop.moveClock({ now: '2026-11-30T23:00:00Z' });
  const [firstInstallment] = (await autopayShop.getCheckoutAsCustomer(shopper, hash)).installments;
  assert.deepEqual(
    [firstInstallment.status, firstInstallment.paid, firstInstallment.autopay],
    ['open', 10, null],
  );
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
});

test('if a code is paid on the day of the debit, the debit is also made, and the excess is refunded automatically', async () => {
  setClockToMonday();
  const { shopper, hash, checkout } = await autopayShop.sellWithAutopay();
  // After midnight it is too late to cancel the debit, and the bank has not attempted it yet.
  await autopayShop.moveClock({ now: '2026-11-30T04:00:00Z' });
  const charge = await autopayShop.createCharge(shopper, checkout.installments[0].id, 'settle_partial', 20);
  await autopayShop.payCharge(charge.txid);
  await autopayShop.waitForStatus(shopper, charge.id, 'paid');
  await autopayShop.moveClock({ now: '2026-11-30T15:00:00Z' });
  await eventually('20.00 is refunded', async () => {
    const refunds = (await autopayShop.listEvents(shopper.id)).filter(({ type }) => type === 'pix.refunded');
    return refunds.length === 1 && refunds[0]!.data.amount === 20;
  });
  const [firstInstallment] = (await autopayShop.getCheckoutAsCustomer(shopper, hash)).installments;
  assert.deepEqual([firstInstallment.status, firstInstallment.paid], ['paid', 25]);
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
});

test('an installment extended into the week of the next is paid by code, and the next is debited', async () => {
  setClockToMonday();
  const { shopper, hash, checkout } = await autopayShop.sellWithAutopay();
  await autopayShop.moveClock({ now: '2026-11-27T15:00:00Z' });
  const extension = await autopayShop.createCharge(shopper, checkout.installments[0].id, 'extend');
  await autopayShop.payCharge(extension.txid);
  await autopayShop.waitForStatus(shopper, extension.id, 'paid');
  await autopayShop.moveClock({ now: '2026-12-07T20:00:00Z' });
  const [firstInstallment, secondInstallment] = (await autopayShop.getCheckoutAsCustomer(shopper, hash))
    .installments;
  assert.deepEqual([firstInstallment.due_on, secondInstallment.due_on], ['2026-12-07', '2026-12-07']);
  assert.deepEqual([firstInstallment.status, firstInstallment.autopay], ['open', null]);
  assert.deepEqual([secondInstallment.status, secondInstallment.autopay.status], ['paid', 'paid']);
  assert.deepEqual(await autopayShop.listMismatches(shopper.id), []);
});

test('an extended last installment is debited in its new week', async () => {
  setClockToMonday();
  const { shopper, hash, checkout } = await autopayShop.sellWithAutopay({ amount: 50, installments: 2 });
  await autopayShop.moveClock({ now: '2026-12-01T15:00:00Z' });
  const extension = await autopayShop.createCharge(shopper, checkout.installments[1].id, 'extend');
  await autopayShop.payCharge(extension.txid);
  await autopayShop.waitForStatus(shopper, extension.id, 'paid');
  await autopayShop.moveClock({ now: '2026-12-14T15:00:00Z' });
  const { status, installments } = await autopayShop.getCheckoutAsCustomer(shopper, hash);
  assert.deepEqual(
    [status, installments[1].due_on, installments[1].autopay.on],
    ['paid', '2026-12-14', '2026-12-14'],
  );
});

test('installments that differ by a centavo are debited with their own amounts', async () => {
  setClockToMonday();
  const { shopper, hash } = await autopayShop.sellWithAutopay({ amount: 100.01, installments: 3 });
  await autopayShop.moveClock({ advance: 'P21D' });
  const { status, installments } = await autopayShop.getCheckoutAsCustomer(shopper, hash);
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
  const { shopper, hash } = await autopayShop.sellWithAutopay({
    installments: 2,
    terms: { weekly_rate_percent: 1 },
  });
  await autopayShop.moveClock({ advance: 'P14D' });
  const { status, installments } = await autopayShop.getCheckoutAsCustomer(shopper, hash);
  assert.equal(status, 'paid');
  for (const { amount, paid, discount } of installments) assert.deepEqual([paid, discount], [amount, 0]);
});
