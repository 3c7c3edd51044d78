/** A payment that is assigned to the wrong installment is moved to the right one, with new ledger entries, and back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { isOnCitus } from '../../../test/citus/database.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, openService, waitForLockWaits } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { OPERATOR_KEY, type TestCustomer } from '../../../test/purchase-driver.ts';

// A move of more than R$ 500.00 waits for approval.
const service = await openService({ env: { FOUR_EYES_AMOUNT: '500.00' } });
service.clock.set('2026-11-23T15:00:00.000Z');
const pixDriver = createPixDriver(service);
const runCommand = createCommandRunner(service);

/** Sells to a new customer. `installmentId` is the first of `installmentIds`. */
const createPurchase = async (order: Record<string, unknown> = {}) => {
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer, { amount: 30, ...order });
  const installmentIds = installments.map(({ id }: { id: string }) => id) as string[];
  return { customer, hash, installmentId: installmentIds[0]!, installmentIds };
};

/** Pays an installment, or a part of it, with a new charge. */
async function pay(customer: TestCustomer, installmentId: string, value?: number) {
  const charge = await pixDriver.createCharge(
    customer,
    installmentId,
    value === undefined ? 'settle' : 'settle_partial',
    value,
  );
  const { end_to_end_id } = await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  return { endToEndId: end_to_end_id as string, txid: charge.txid as string, chargeId: charge.id as string };
}

const movePayment = (
  endToEndId: string,
  installmentId: string,
  overrides: object = {},
  idempotencyKey?: string,
) =>
  service.staff('POST', `/admin/pix/payments/${endToEndId}/move`, {
    key: OPERATOR_KEY,
    body: { installment_id: installmentId, reason: 'Cliente errada', ...overrides },
    ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
  });
const findInstallment = async (hash: string, number = 1) => {
  const { status, outstanding } = await pixDriver.getInstallment(hash, number);
  return { status, outstanding };
};
const getCashbackBalance = async (customer: TestCustomer) =>
  (await pixDriver.callStaff('GET', `/admin/cashback/${customer.id}`)).body.available as number;
/** Asserts that the audit finds no mismatch for these customers. */
const assertNoMismatches = async (...purchases: Array<{ customer: TestCustomer }>) => {
  await pixDriver.waitForJobs();
  for (const { customer } of purchases) assert.deepEqual(await pixDriver.listMismatches(customer.id), []);
};

test('a payment moved to another customer pays there as of its arrival, and its amount is owed again by the first; moving back undoes this', async () => {
  const [wrongPurchase, targetPurchase] = [
    await createPurchase({ terms: { cashback_percent: 10 } }),
    await createPurchase({ terms: { cashback_percent: 10 } }),
  ];
  const payment = await pay(wrongPurchase.customer, wrongPurchase.installmentId);
  assert.deepEqual(
    [await getCashbackBalance(wrongPurchase.customer), await findInstallment(wrongPurchase.hash)],
    [3, { status: 'paid', outstanding: 0 }],
  );
  const balancesBefore = await pixDriver.readBalances(wrongPurchase.customer.id);
  // Both installments become overdue.
  service.clock.advance(20 * DAY_MS);

  const dryRunResponse = await movePayment(payment.endToEndId, targetPurchase.installmentId, {
    dry_run: true,
  });
  assert.equal(dryRunResponse.status, 200, dryRunResponse.text);
  assert.deepEqual(
    [await findInstallment(wrongPurchase.hash), await findInstallment(targetPurchase.hash)],
    [
      { status: 'paid', outstanding: 0 },
      { status: 'overdue', outstanding: 30 },
    ],
  );
  const { body, status } = await movePayment(payment.endToEndId, targetPurchase.installmentId);
  assert.equal(status, 201);
  assert.deepEqual({ ...body, id: '' }, { ...dryRunResponse.body, id: '' });
  const { from, to, too_much } = body;
  assert.deepEqual(
    [from.customer_id, to.customer_id, too_much],
    [wrongPurchase.customer.id, targetPurchase.customer.id, 0],
  );
  assert.deepEqual([from.installment.outstanding, from.installment.status], [30, 'overdue']);
  assert.deepEqual([to.installment.total_due, to.installment.status], [0, 'paid']);
  const findReceipt = async (hash: string) => {
    const [{ amount, applied, gone }] = (await pixDriver.getCheckout(hash)).receipts;
    return { amount, appliedParts: applied.length, movedAmount: gone };
  };
  assert.deepEqual(
    [await findReceipt(wrongPurchase.hash), await findReceipt(targetPurchase.hash)],
    [
      { amount: 30, appliedParts: 0, movedAmount: 30 },
      { amount: 30, appliedParts: 1, movedAmount: 0 },
    ],
  );
  assert.deepEqual(
    [await findInstallment(wrongPurchase.hash), await findInstallment(targetPurchase.hash)],
    [
      { status: 'overdue', outstanding: 30 },
      { status: 'paid', outstanding: 0 },
    ],
  );
  assert.deepEqual(
    [await getCashbackBalance(wrongPurchase.customer), await getCashbackBalance(targetPurchase.customer)],
    [0, 3],
    'the payment was in time',
  );
  const listTypes = async ({ customer }: { customer: TestCustomer }) =>
    (await pixDriver.listEvents(customer.id)).map(({ type }) => type);
  assert.deepEqual((await listTypes(wrongPurchase)).slice(-2), ['installment.reopened', 'pix.moved']);
  assert.deepEqual((await listTypes(targetPurchase)).slice(-3), [
    'installment.paid',
    'checkout.paid',
    'pix.paid',
  ]);
  await assertNoMismatches(wrongPurchase, targetPurchase);
  assert.equal((await pixDriver.readBalances(wrongPurchase.customer.id)).pix_clearing, undefined);
  assert.equal((await pixDriver.readBalances(targetPurchase.customer.id)).pix_clearing, 3_000);

  const { body: view } = await pixDriver.callStaff('GET', `/admin/pix/payments/${payment.endToEndId}`);
  assert.deepEqual(
    [view.customer_id, view.installment_id, view.assigned],
    [targetPurchase.customer.id, targetPurchase.installmentId, true],
  );
  assert.deepEqual(
    view.moves.map((row: { side: string; installment_id: string }) => [row.side, row.installment_id]),
    [
      ['from', wrongPurchase.installmentId],
      ['to', targetPurchase.installmentId],
    ],
  );
  const { body: page } = await pixDriver.callStaff(
    'GET',
    `/admin/pix/payments?end_to_end_id=${payment.endToEndId}`,
  );
  assert.deepEqual([page.pagination.total, page.totals.amount], [1, 30], 'the moved payment is listed once');
  const { body: auditTrail } = await pixDriver.callStaff(
    'GET',
    `/admin/audit-trail?subject=pix_payment:${payment.endToEndId}`,
  );
  const [{ before: valuesBefore, after: valuesAfter, reason }] = auditTrail.data;
  assert.deepEqual(
    [valuesBefore.installment_id, valuesAfter.installment_id, reason],
    [wrongPurchase.installmentId, targetPurchase.installmentId, 'Cliente errada'],
  );
  assert.equal(
    (await pixDriver.getCharge(wrongPurchase.customer, payment.chargeId)).paid,
    0,
    'the previous customer no longer sees the payment',
  );

  const moveBack = ['--installment-id', wrongPurchase.installmentId, '--reason', 'Era dela'];
  await assert.rejects(
    runCommand('pix payments move', payment.endToEndId, ...moveBack),
    /Use --yes to confirm/,
  );
  const undoOutput = await runCommand('pix payments move', payment.endToEndId, ...moveBack, '--yes');
  assert.match(
    undoOutput,
    /^30\.00 moved: 30\.\d\d is due on installment 1 of \S+; 0\.00 on installment 1 of \S+; 0\.00 is refunded\.$/,
  );
  assert.deepEqual(
    [await findInstallment(wrongPurchase.hash), await findInstallment(targetPurchase.hash)],
    [
      { status: 'paid', outstanding: 0 },
      { status: 'overdue', outstanding: 30 },
    ],
  );
  assert.deepEqual(
    [await getCashbackBalance(wrongPurchase.customer), await getCashbackBalance(targetPurchase.customer)],
    [3, 0],
  );
  assert.deepEqual(await pixDriver.readBalances(wrongPurchase.customer.id), balancesBefore);
  await assertNoMismatches(wrongPurchase, targetPurchase);
});

test('when a payment is moved within a purchase, the excess centavo is refunded, and later payments and returns work', async () => {
  const purchase = await createPurchase({ amount: 100, installments: 3 });
  const { customer, hash, installmentIds } = purchase;
  const [firstId, secondId, thirdId] = installmentIds as [string, string, string];
  const payment = await pay(customer, firstId);
  const { body } = await movePayment(payment.endToEndId, secondId);
  assert.deepEqual([body.value, body.too_much], [33.34, 0.01]);
  assert.deepEqual(
    [await findInstallment(hash, 1), await findInstallment(hash, 2)],
    [
      { status: 'open', outstanding: 33.34 },
      { status: 'paid', outstanding: 0 },
    ],
  );
  await eventually('the centavo is refunded', async () => {
    const { body: view } = await pixDriver.callStaff('GET', `/admin/pix/payments/${payment.endToEndId}`);
    return view.refunded === 0.01;
  });
  await assertNoMismatches(purchase);
  const repeatedResponse = await movePayment(payment.endToEndId, thirdId);
  assert.deepEqual(
    [repeatedResponse.status, repeatedResponse.body.code, repeatedResponse.body.here],
    [409, 'payment_not_whole', 33.33],
  );

  const otherPayment = await pay(customer, firstId);
  const sourceCheck = { from_installment_id: firstId };
  assert.equal((await movePayment(otherPayment.endToEndId, thirdId, sourceCheck)).status, 201);
  await pixDriver.waitForJobs();
  service.clock.advance(HOUR_MS);
  const partialReturn = await pixDriver.requestReturn(hash, 40);
  assert.equal(partialReturn.status, 201, partialReturn.text);
  await assertNoMismatches(purchase);
  const fullReturn = await pixDriver.requestReturn(hash);
  assert.equal(fullReturn.status, 201, fullReturn.text);
  await eventually('everything is refunded', async () => {
    const { pix_clearing, receivable } = await pixDriver.readBalances(customer.id);
    return pix_clearing === undefined && receivable === undefined;
  });
  await assertNoMismatches(purchase);
});

test('after several moves, a chargeback applies to the current installment', async () => {
  const [firstPurchase, otherPurchase] = [await createPurchase(), await createPurchase()];
  const secondCheckout = await pixDriver.sell(firstPurchase.customer, { amount: 30 });
  const payment = await pay(firstPurchase.customer, firstPurchase.installmentId);
  for (const installmentId of [
    secondCheckout.installments[0].id,
    firstPurchase.installmentId,
    otherPurchase.installmentId,
  ]) {
    const moveResponse = await movePayment(payment.endToEndId, installmentId);
    assert.equal(moveResponse.status, 201, moveResponse.text);
  }
  await assertNoMismatches(firstPurchase, otherPurchase);
  await pixDriver.chargeBackCharge(payment.txid, 10);
  await pixDriver.runJob('pix_sweep_refunds');
  await eventually(
    'the charged back amount is owed again',
    async () => (await pixDriver.getInstallment(otherPurchase.hash)).outstanding === 10,
  );
  assert.deepEqual(await findInstallment(firstPurchase.hash), { status: 'open', outstanding: 30 });
  await assertNoMismatches(firstPurchase, otherPurchase);
  const { body } = await pixDriver.callStaff('GET', '/admin/pix/discrepancies');
  assert.deepEqual(body.data, []);
});

test('of several concurrent moves one succeeds: the same key gets the same response, and crossing moves do not deadlock', async () => {
  const [firstPurchase, otherPurchase, thirdPurchase] = [
    await createPurchase(),
    await createPurchase(),
    await createPurchase(),
  ];
  const [firstPayment, secondPayment] = [
    await pay(firstPurchase.customer, firstPurchase.installmentId, 12),
    await pay(otherPurchase.customer, otherPurchase.installmentId, 13),
  ];
  const sourceCheck = { from_installment_id: firstPurchase.installmentId };
  const [firstResponse, secondResponse, thirdResponse] = await Promise.all([
    movePayment(firstPayment.endToEndId, thirdPurchase.installmentId, sourceCheck, 'click'),
    movePayment(firstPayment.endToEndId, thirdPurchase.installmentId, sourceCheck, 'click'),
    movePayment(firstPayment.endToEndId, otherPurchase.installmentId, sourceCheck),
  ]);
  const successfulResponses = [firstResponse, secondResponse, thirdResponse].filter(
    ({ status }) => status === 201,
  );
  assert.ok(
    successfulResponses.length >= 1 &&
      [firstResponse, secondResponse, thirdResponse].every(({ status }) => [201, 409].includes(status)),
  );
  assert.equal(new Set(successfulResponses.map(({ body }) => body.id)).size, 1);
  // Each of these concurrent moves locks two customers.
  const crossingMoves = await Promise.all([
    movePayment(firstPayment.endToEndId, firstPurchase.installmentId),
    movePayment(secondPayment.endToEndId, firstPurchase.installmentId),
    movePayment(secondPayment.endToEndId, thirdPurchase.installmentId),
  ]);
  assert.ok(
    crossingMoves.every(({ status }) => [201, 409, 503].includes(status)),
    crossingMoves.map(({ text }) => text).join(),
  );
  const paidAmounts = await Promise.all(
    [firstPurchase, otherPurchase, thirdPurchase].map(
      async ({ hash }) => (await pixDriver.getCheckout(hash)).amounts.paid,
    ),
  );
  assert.equal(
    paidAmounts.reduce((total, amount) => total + amount, 0),
    12 + 13,
    'every centavo counts once',
  );
  await assertNoMismatches(firstPurchase, otherPurchase, thirdPurchase);
});

test('a connection that is lost in the middle of a move leaves no change, and the move can be repeated', {
  skip: isOnCitus() && 'on a cluster another server waits for the lock',
}, async () => {
  const [firstPurchase, otherPurchase] = [await createPurchase(), await createPurchase()];
  const payment = await pay(firstPurchase.customer, firstPurchase.installmentId);
  const { pendingMove } = await service.db.transaction(async (tx) => {
    // Blocks the move after it has written the source, and before the target.
    await tx.run(sql`
      select from installments where customer_id = ${otherPurchase.customer.id} and id = ${otherPurchase.installmentId} for update`);
    const pendingMove = movePayment(payment.endToEndId, otherPurchase.installmentId);
    await waitForLockWaits(service, 1);
    await service.db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return { pendingMove }; // in an object, so that the transaction does not wait for it
  });
  assert.equal((await pendingMove).status, 503);
  assert.deepEqual(
    [await findInstallment(firstPurchase.hash), await findInstallment(otherPurchase.hash)],
    [
      { status: 'paid', outstanding: 0 },
      { status: 'open', outstanding: 30 },
    ],
  );
  await assertNoMismatches(firstPurchase, otherPurchase);
  assert.equal((await movePayment(payment.endToEndId, otherPurchase.installmentId)).status, 201);
  await assertNoMismatches(firstPurchase, otherPurchase);
});

test('a move to a paid or unknown installment, of an unknown payment, or from a stale page is refused; a large one waits for approval', async () => {
  const [firstPurchase, otherPurchase, largeSale] = [
    await createPurchase(),
    await createPurchase(),
    await createPurchase({ amount: 600 }),
  ];
  const payment = await pay(firstPurchase.customer, firstPurchase.installmentId);
  const paidPayment = await pay(otherPurchase.customer, otherPurchase.installmentId);
  const tryMove = async (endToEndId: string, targetId: string, overrides: object = {}) => {
    const { status, body } = await movePayment(endToEndId, targetId, overrides);
    return [status, body.code];
  };
  assert.deepEqual(await tryMove(payment.endToEndId, otherPurchase.installmentId), [409, 'installment_paid']);
  assert.deepEqual(await tryMove(payment.endToEndId, firstPurchase.installmentId), [409, 'payment_moved']);
  assert.deepEqual(
    await tryMove(payment.endToEndId, largeSale.installmentId, {
      from_installment_id: otherPurchase.installmentId,
    }),
    [409, 'payment_moved'],
  );
  assert.deepEqual(await tryMove(payment.endToEndId, `ins_${'0'.repeat(26)}`), [422, 'installment_unknown']);
  assert.deepEqual(await tryMove('E0', largeSale.installmentId), [404, 'not_found']);
  assert.deepEqual(await tryMove(paidPayment.endToEndId, largeSale.installmentId, { reason: '' }), [
    400,
    'validation_failed',
  ]);
  const largePayment = await pay(largeSale.customer, largeSale.installmentId);
  const refusal = await movePayment(largePayment.endToEndId, firstPurchase.installmentId);
  assert.deepEqual(
    [refusal.status, refusal.body.code],
    [409, 'installment_paid'],
    'a refused move does not wait for approval',
  );
  const newLargeSale = await createPurchase({ amount: 600 });
  const approvalResponse = await movePayment(largePayment.endToEndId, newLargeSale.installmentId);
  assert.deepEqual(
    [approvalResponse.status, approvalResponse.body.approval.kind, approvalResponse.body.approval.amount],
    [202, 'payment_move', 600],
  );
  await assertNoMismatches(firstPurchase, otherPurchase, largeSale);
});
