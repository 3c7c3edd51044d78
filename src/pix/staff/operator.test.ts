/** The staff API for Pix payments, and for payments without a charge. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, openService, waitForLockWaits } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { OPERATOR_KEY } from '../../../test/purchase-driver.ts';
import { openWebhookReceiver, respondWith } from '../../../test/support/webhook-receiver.ts';

const service = await openService();
const PURCHASED_AT = '2026-11-23T15:00:00.000Z';
service.clock.set(PURCHASED_AT);
const pixDriver = createPixDriver(service);
const runCommand = createCommandRunner(service);

const findOrphan = async (id: string) => (await pixDriver.callStaff('GET', `/admin/pix/orphans/${id}`)).body;
const assignOrphan = (id: string, body: object) =>
  pixDriver.callStaff('POST', `/admin/pix/orphans/${id}/assign`, body);

/** Creates an orphan: R$ 10.00 arrive for a charge that is not ours. */
async function createOrphan(): Promise<string> {
  const { end_to_end_id: id } = await pixDriver.payCharge(await pixDriver.createForeignCharge());
  await eventually('the payment is an orphan', async () => (await findOrphan(id)).status === 'open');
  return id;
}

/** Sells to a new customer. `installmentId` is that of the first installment. */
const createPurchase = async (order: Record<string, unknown> = {}) => {
  const customer = await pixDriver.createCustomer();
  const { hash, installments } = await pixDriver.sell(customer, { amount: 30, ...order });
  return { customer, hash, installmentId: installments[0].id as string };
};

test('an assigned orphan is applied as of its arrival, with all effects of a payment', async () => {
  const { customer, hash, installmentId } = await createPurchase({
    amount: 10,
    terms: { cashback_percent: 10 },
  });
  const orphanId = await createOrphan();
  const { paid_at } = await findOrphan(orphanId);
  // Weeks later the installment is overdue, and the customer creates a charge with penalties.
  service.clock.advance(20 * DAY_MS);
  const pendingCharge = await pixDriver.createCharge(customer, installmentId, 'settle_with_penalty');
  assert.ok(pendingCharge.value > 10);
  const dryRunResponse = await assignOrphan(orphanId, { installment_id: installmentId, dry_run: true });
  assert.deepEqual([dryRunResponse.status, dryRunResponse.body.installment.status], [200, 'paid']);
  assert.equal((await findOrphan(orphanId)).status, 'open', 'a dry run writes nothing');
  assert.equal((await pixDriver.getInstallment(hash)).status, 'overdue');

  const assignResponse = await assignOrphan(orphanId, { installment_id: installmentId });
  assert.deepEqual(assignResponse.body, dryRunResponse.body);
  const { installment, received_at, too_much, value } = assignResponse.body;
  assert.deepEqual([installment.status, received_at, too_much, value], ['paid', paid_at, 0, 10]);
  assert.equal((await pixDriver.getCheckout(hash)).status, 'paid');
  assert.equal((await pixDriver.getCharge(customer, pendingCharge.id)).status, 'cancelled');
  const { body: cashback } = await service.get('/wallet/cashback/balance', {
    token: await pixDriver.createToken(customer),
  });
  assert.equal(cashback.available, 1, 'the payment was in time, so it earns 10 % cashback');
  assert.equal((await pixDriver.listEvents(customer.id)).at(-1)!.type, 'pix.paid');
  assert.deepEqual(await pixDriver.listMismatches(customer.id), []);
  assert.equal((await pixDriver.callStaff('GET', `/admin/pix/orphans/${orphanId}`)).status, 404);
  const { body: payment } = await pixDriver.callStaff('GET', `/admin/pix/payments/${orphanId}`);
  assert.deepEqual([payment.assigned, payment.installment_id, payment.refunds], [true, installmentId, []]);

  const repeatedResponse = await assignOrphan(orphanId, { installment_id: installmentId });
  assert.deepEqual(
    [repeatedResponse.status, repeatedResponse.body.code, repeatedResponse.body.pix_id],
    [409, 'orphan_closed', payment.pix_id],
  );
  const { body: auditTrail } = await pixDriver.callStaff(
    'GET',
    `/admin/audit-trail?subject=pix_orphan:${orphanId}`,
  );
  assert.deepEqual([auditTrail.data.length, auditTrail.data[0].after], [1, null]);

  // After a chargeback the amount is owed again, as after a chargeback of any other payment.
  await service.db.run(sql`
    insert into psp_sim_refunds (end_to_end_id, id, return_id, amount_cents, nature, status, requested_at, settled_at, outcome)
    values (${orphanId}, 'byhand', 'D0', 1000, 'MED_FRAUDE', 'DEVOLVIDO', ${service.clock.now()},
            ${service.clock.now()}, 'DEVOLVIDO')`);
  await pixDriver.runJob('pix_sweep_refunds');
  await eventually(
    'the amount is owed again',
    async () => (await pixDriver.getInstallment(hash)).outstanding === 10,
  );
  assert.deepEqual(await pixDriver.listMismatches(customer.id), []);
});

test('an orphan has suggestions: unpaid codes and debts of the same amount, first of customers who paid from the same bank', async () => {
  const [knownPurchase, owingPurchase, otherPurchase] = [
    await createPurchase(),
    await createPurchase({ amount: 10 }),
    await createPurchase(),
  ];
  // This customer has paid from the bank of the simulator before, and created another code since.
  const { txid, id: paidChargeId } = await pixDriver.createCharge(
    knownPurchase.customer,
    knownPurchase.installmentId,
    'settle_partial',
    1,
  );
  await pixDriver.payCharge(txid);
  await pixDriver.waitForStatus(knownPurchase.customer, paidChargeId, 'paid');
  await pixDriver.createCharge(knownPurchase.customer, knownPurchase.installmentId, 'settle_partial', 10);
  await pixDriver.createCharge(otherPurchase.customer, otherPurchase.installmentId, 'settle_partial', 11);
  const orphanId = await createOrphan();
  const { suggestions } = await findOrphan(orphanId);
  const ownSuggestions = suggestions.filter(({ customer_id }: { customer_id: string }) =>
    [knownPurchase, owingPurchase, otherPurchase].some(({ customer }) => customer.id === customer_id),
  );
  assert.deepEqual(
    ownSuggestions.map(({ installment_id, because }: { installment_id: string; because: string[] }) => [
      installment_id,
      because,
    ]),
    [
      [knownPurchase.installmentId, ['code', 'bank']],
      [owingPurchase.installmentId, ['amount']],
    ],
  );
  assert.equal(ownSuggestions[0].customer_name, 'Davi Teste');
  await pixDriver.callStaff('POST', `/admin/pix/orphans/${orphanId}/refund`);
  assert.deepEqual((await findOrphan(orphanId)).suggestions, [], 'no suggestions unless the orphan is open');
});

test('the excess of an orphan is refunded automatically, and the orphan is applied no earlier than the purchase', async () => {
  const orphanId = await createOrphan();
  service.clock.advance(DAY_MS);
  const { customer, hash, installmentId } = await createPurchase({ amount: 8 });
  const { body } = await assignOrphan(orphanId, { installment_id: installmentId });
  const { purchased_at, status } = await pixDriver.getCheckout(hash);
  assert.deepEqual([body.too_much, body.received_at, status], [2, purchased_at, 'paid']);
  await eventually('R$ 2.00 are refunded', async () => {
    const { body: payment } = await pixDriver.callStaff('GET', `/admin/pix/payments/${orphanId}`);
    return payment.refunded === 2;
  });
  assert.deepEqual(await pixDriver.listMismatches(customer.id), []);
});

test('of several concurrent refunds and assignments of an orphan exactly one succeeds', async () => {
  const [firstPurchase, otherPurchase] = [await createPurchase(), await createPurchase()];
  const orphanId = await createOrphan();
  const responses = await Promise.all([
    assignOrphan(orphanId, { installment_id: firstPurchase.installmentId }),
    assignOrphan(orphanId, { installment_id: otherPurchase.installmentId }),
    assignOrphan(orphanId, { installment_id: firstPurchase.installmentId }),
    pixDriver.callStaff('POST', `/admin/pix/orphans/${orphanId}/refund`),
  ]);
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  const isRefunded = responses.at(-1)!.status === 200;
  if (isRefunded)
    await eventually(
      'the orphan is refunded',
      async () => (await findOrphan(orphanId)).status === 'returned',
    );
  const [firstCheckout, otherCheckout] = [
    await pixDriver.getCheckout(firstPurchase.hash),
    await pixDriver.getCheckout(otherPurchase.hash),
  ];
  assert.equal(firstCheckout.amounts.paid + otherCheckout.amounts.paid, isRefunded ? 0 : 10);
  assert.deepEqual(await pixDriver.listMismatches(), []);
  const unknownOrphanResponse = await assignOrphan('E0', { installment_id: firstPurchase.installmentId });
  const unknownInstallmentResponse = await assignOrphan(await createOrphan(), {
    installment_id: `ins_${'0'.repeat(26)}`,
  });
  assert.deepEqual(
    [unknownOrphanResponse.status, unknownInstallmentResponse.status, unknownInstallmentResponse.body.code],
    [404, 422, 'installment_unknown'],
  );
});

test('when the operator and the PSP assign the same payment concurrently, one succeeds, without a deadlock', async () => {
  const [payer, otherPurchase] = [await createPurchase(), await createPurchase()];
  const chargeInput = { type: 'settle_partial', value: 10 };
  const { txid } = await pixDriver.createCharge(
    payer.customer,
    payer.installmentId,
    chargeInput.type,
    chargeInput.value,
  );
  await pixDriver.setPspFaults({ txid: 'missing', notify: 'never' });
  const { end_to_end_id: orphanId } = await pixDriver.payCharge(txid);
  await pixDriver.runJob('pix_sweep');
  await pixDriver.setPspFaults({});
  // From this age on, a repeated request checks the code at the PSP.
  service.clock.advance(6 * MINUTE_MS);
  const pendingResponses = await service.db.transaction(async (tx) => {
    // Blocks the assignment when it writes the installment.
    await tx.run(
      sql`select from installments where customer_id = ${otherPurchase.customer.id} and id = ${otherPurchase.installmentId} for update`,
    );
    const pendingAssignment = assignOrphan(orphanId, { installment_id: otherPurchase.installmentId });
    await waitForLockWaits(service, 1);
    const pendingCharge = pixDriver.requestCharge(payer.customer, payer.installmentId, chargeInput);
    await waitForLockWaits(service, 2);
    return [pendingAssignment, pendingCharge]; // in a list, so that the transaction does not wait for them
  });
  const [assignResponse, repeatedResponse] = await Promise.all(pendingResponses);
  assert.deepEqual(
    [assignResponse!.status, repeatedResponse!.status, repeatedResponse!.body.status],
    [200, 200, 'pending'],
  );
  assert.equal((await pixDriver.getCheckout(otherPurchase.hash)).amounts.paid, 10);
  const { body } = await pixDriver.callStaff('GET', '/admin/pix/discrepancies');
  assert.deepEqual([body.data[0].txid, body.data[0].kind], [txid, 'end_to_end_id_reused']);
});

test('an orphan is refunded once; if the PSP refuses, it is open again, with the reason', async () => {
  await pixDriver.setPspFaults({ refund: 'fails' });
  const orphanId = await createOrphan();
  assert.match(await runCommand('pix orphans list'), new RegExp(orphanId));
  assert.equal(
    (await pixDriver.callStaff('POST', `/admin/pix/orphans/${orphanId}/refund`)).body.status,
    'asked',
  );
  await eventually(
    'the PSP did not refund the orphan',
    async () => (await findOrphan(orphanId)).reason !== null,
  );
  assert.equal((await findOrphan(orphanId)).status, 'open');
  await pixDriver.setPspFaults({});
  assert.equal(
    await runCommand('pix orphans refund', orphanId, '--yes'),
    'A refund of 10.00 is requested from the PSP.',
  );
  await eventually('the orphan is refunded', async () => (await findOrphan(orphanId)).status === 'returned');
  const repeatedResponse = await pixDriver.callStaff('POST', `/admin/pix/orphans/${orphanId}/refund`);
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.code], [409, 'orphan_closed']);
});

test('lists are filtered, sorted and paged, and available as CSV', async () => {
  const { customer, installmentId } = await createPurchase({ installments: 3 });
  for (const isPaid of [true, true, false]) {
    service.clock.advance(1_000);
    const charge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 2);
    if (!isPaid) continue;
    await pixDriver.payCharge(charge.txid);
    await pixDriver.waitForStatus(customer, charge.id, 'paid');
  }
  const getList = async (path: string) => {
    const { status, body, text } = await pixDriver.callStaff('GET', `/admin/pix/${path}`);
    assert.equal(status, 200, text);
    return body;
  };
  const paymentPage = await getList(`payments?customer=${customer.id}`);
  const [newestPayment, oldestPayment] = paymentPage.data;
  assert.deepEqual([paymentPage.pagination.total, newestPayment.value], [2, 2]);
  const oldestPage = await getList(
    `payments?customer=${encodeURIComponent(customer.phone)}&sort=oldest&limit=1`,
  );
  assert.deepEqual(oldestPage.data, [oldestPayment]);
  const filteredPage = await getList(`payments?end_to_end_id=${oldestPayment.end_to_end_id}`);
  assert.deepEqual(filteredPage.data, [oldestPayment]);
  assert.equal((await getList(`payments?customer=${customer.id}&from=2100-01-01`)).data.length, 0);
  const pendingPage = await getList(`charges?customer=${customer.id}&status=pending`);
  assert.equal(pendingPage.pagination.total, 1);
  const [charge] = pendingPage.data;
  assert.equal(charge.customer_name, 'Davi Teste');
  assert.deepEqual((await pixDriver.callStaff('GET', `/admin/pix/charges/${charge.id}`)).body, charge);
  assert.deepEqual((await pixDriver.callStaff('GET', `/admin/pix/charges/${charge.txid}`)).body, charge);
  const payment = await getList(`payments/${oldestPayment.end_to_end_id}`);
  assert.deepEqual(payment, { ...oldestPayment, refunds: [], moves: [] });
  service.clock.advance(2 * DAY_MS);
  assert.equal((await getList(`charges?customer=${customer.id}&status=expired`)).pagination.total, 1);
  const csv = await service.staff('GET', `/admin/pix/payments?customer=${customer.id}`, {
    key: OPERATOR_KEY,
    headers: { accept: 'text/csv' },
  });
  const [header, ...lines] = csv.text.trimEnd().split('\r\n');
  assert.equal(
    header,
    'end_to_end_id,pix_id,customer_id,installment_id,value,refunded,assigned,paid_at,recorded_at,customer_name',
  );
  const listedIds = lines.map((line) => line.slice(0, line.indexOf(',')));
  assert.deepEqual(listedIds, [newestPayment.end_to_end_id, oldestPayment.end_to_end_id]);
  for (const name of ['pix payments list', 'pix charges list'])
    assert.match(await runCommand(name, '--customer', customer.phone, '--limit', '1'), /END.TO.END ID|TXID/);
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Row = any;

test('a purchase shows where each centavo went, its returns, its rows in each list, and the deliveries of its events', async () => {
  const receiver = await openWebhookReceiver();
  const webhookInput = { partner: 'Demo partner', url: receiver.url, events: ['pix.paid'] };
  const { body: webhook } = await pixDriver.callStaff('POST', '/admin/webhooks', webhookInput);
  service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday
  const customer = await pixDriver.createCustomer();
  await pixDriver.createToken(customer); // the demo partner receives the customer's events from then on
  const { hash, installments } = await pixDriver.sell(customer, { amount: 200, installments: 2 });
  const otherCheckout = await pixDriver.sell(customer, { amount: 30 });
  service.clock.set('2027-03-15T15:00:00.000Z');
  const pay = async (id: string, type: string, value?: number) => {
    service.clock.advance(1_000);
    const charge = await pixDriver.createCharge(customer, id, type, value);
    const { end_to_end_id } = await pixDriver.payCharge(charge.txid);
    await pixDriver.waitForStatus(customer, charge.id, 'paid');
    return { txid: charge.txid as string, endToEndId: end_to_end_id as string };
  };
  const latePix = await pay(installments[0].id, 'settle_partial', 50);
  const duePix = await pay(installments[1].id, 'settle');
  const otherPayment = await pay(otherCheckout.installments[0].id, 'settle_partial', 10);

  /** Returns what each payment of the purchase pays and what was refunded, and the returns with their authors. */
  const findReceiptsAndReturns = async () => {
    const { receipts, returns } = await pixDriver.getCheckout(hash);
    for (const { amount, applied, refunded, cashback, excess, gone } of receipts) {
      const appliedAmounts = applied.flatMap((share: Row) => [
        share.interest,
        share.fine,
        share.extension_fee,
        share.principal,
      ]);
      const otherAmounts = [refunded, cashback, excess, gone];
      const total = [...appliedAmounts, ...otherAmounts].reduce((sum, part) => sum + part, 0);
      assert.equal(Math.round(total * 100), Math.round(amount * 100), 'no centavo is missing');
    }
    const listApplied = ({ applied }: Row) =>
      applied.map((share: Row) => [share.number, share.interest, share.fine, share.principal]);
    return {
      receipts: receipts.map((row: Row) => [row.end_to_end_id, row.amount, listApplied(row), row.refunded]),
      returns: returns.map((row: Row) => [row.amount, row.status, row.refunds, row.cashback]),
      authors: returns.map((row: Row) => typeof row.by_name),
    };
  };
  assert.deepEqual(await findReceiptsAndReturns(), {
    receipts: [
      [latePix.endToEndId, 50, [[1, 0.23, 2, 47.77]], 0],
      [duePix.endToEndId, 100, [[2, 0, 0, 100]], 0],
    ],
    returns: [],
    authors: [],
  });
  service.clock.advance(1_000);
  assert.equal((await pixDriver.requestReturn(hash, 50)).status, 201);
  assert.deepEqual((await findReceiptsAndReturns()).receipts, [
    [latePix.endToEndId, 50, [[1, 0.23, 2, 47.77]], 0],
    // The excess of the second payment pays the first installment.
    [
      duePix.endToEndId,
      100,
      [
        [1, 0, 0, 25],
        [2, 0, 0, 75],
      ],
      0,
    ],
  ]);
  service.clock.advance(1_000);
  assert.equal((await pixDriver.requestReturn(hash)).status, 201);
  const refunds = [
    { end_to_end_id: latePix.endToEndId, amount: 50 },
    { end_to_end_id: duePix.endToEndId, amount: 100 },
  ];
  assert.deepEqual(await findReceiptsAndReturns(), {
    receipts: [
      [latePix.endToEndId, 50, [], 50],
      [duePix.endToEndId, 100, [], 100],
    ],
    returns: [
      [50, 'made', [], 0],
      [150, 'made', refunds, 0],
    ],
    authors: ['string', 'string'],
  });

  const { body: timeline } = await pixDriver.callStaff(
    'GET',
    `/admin/customers/${customer.id}/story?limit=100`,
  );
  const returnTexts = timeline.data.filter(({ kind }: Row) => kind === 'return').map(({ text }: Row) => text);
  assert.equal(returnTexts.length, 2);
  for (const text of returnTexts) assert.match(text, /^Devolução de R\$.* em Padaria Flor do Trigo, por \w+/);

  const listRows = async (path: string, field: string) => {
    const { body, status, text } = await pixDriver.callStaff('GET', `/admin/${path}`);
    assert.equal(status, 200, text);
    return body.data.map((row: Row) => row[field]).toSorted();
  };
  const ownIds = [latePix.endToEndId, duePix.endToEndId].toSorted();
  assert.deepEqual(
    await listRows(`pix/charges?checkout=${hash}`, 'txid'),
    [latePix.txid, duePix.txid].toSorted(),
  );
  assert.deepEqual(await listRows(`pix/payments?checkout=${hash}`, 'end_to_end_id'), ownIds);
  assert.deepEqual(await listRows(`pix/refunds?checkout=${hash}`, 'end_to_end_id'), ownIds);
  assert.deepEqual(await listRows(`pix/payments?checkout=${otherCheckout.hash}`, 'end_to_end_id'), [
    otherPayment.endToEndId,
  ]);
  const stranger = await pixDriver.createCustomer();
  for (const list of ['pix/charges', 'pix/payments', 'pix/refunds', 'messages'])
    for (const query of [`checkout=${'0'.repeat(22)}`, `checkout=${hash}&customer=${stranger.id}`])
      assert.deepEqual(await listRows(`${list}?${query}`, 'id'), [], `${list}?${query}`);
  // A job may have sent reminders meanwhile.
  const messages = await listRows(`messages?checkout=${hash}`, 'template');
  assert.deepEqual(
    messages.filter((template: string) => template !== 'reminder'),
    ['payment_received', 'payment_received', 'returned', 'returned'],
  );

  const listDeliveries = async (type: string) => {
    const { body } = await pixDriver.callStaff('GET', `/admin/events?checkout=${hash}&type=${type}`);
    return body.data.map((event: Row) =>
      event.told.map((row: Row) => [row.partner_name, row.webhook_id, row.url, row.status, row.tries]),
    );
  };
  // The merchant has the event in its feed, and no webhook.
  const toFeedRow = (name: string) => [name, null, null, null, null];
  const webhookRow = ['Demo partner', webhook.id, receiver.url, 'delivered', 1];
  const deliveryRows = [webhookRow, toFeedRow('Padaria Flor do Trigo')];
  await eventually('the events of both payments are delivered', async () =>
    isDeepStrictEqual(await listDeliveries('pix.paid'), [deliveryRows, deliveryRows]),
  );
  assert.deepEqual(await listDeliveries('checkout.created'), [
    [toFeedRow('Demo partner'), toFeedRow('Padaria Flor do Trigo')],
  ]);

  receiver.behave = respondWith(500);
  await pay(otherCheckout.installments[0].id, 'settle_partial', 5);
  await eventually('one delivery waits for its next attempt', async () => {
    const { body } = await pixDriver.callStaff(
      'GET',
      `/admin/events?checkout=${otherCheckout.hash}&type=pix.paid`,
    );
    const [delivery] = body.data[0].told;
    return delivery?.status === 'pending' && delivery.tries > 0;
  });
});

test('the debts of a customer, by installment, match the purchases', async () => {
  service.clock.set('2027-05-03T15:00:00.000Z'); // a Monday
  const customer = await pixDriver.createCustomer();
  const [firstPurchase, secondPurchase] = [
    await pixDriver.sell(customer, { amount: 100, installments: 2 }),
    await pixDriver.sell(customer, { amount: 30 }),
  ];
  await pixDriver.pay(customer.id, secondPurchase.installments[0].id, 30);
  service.clock.set('2027-05-12T15:00:00.000Z');
  const { body, status, text } = await pixDriver.callStaff('GET', `/admin/customers/${customer.id}/owed`);
  assert.equal(status, 200, text);
  const { installments, amounts } = await pixDriver.getCheckout(firstPurchase.hash);
  assert.deepEqual(
    body.installments.map((row: Row) => [
      row.id,
      row.checkout_hash,
      row.status,
      row.fine,
      row.interest,
      row.total_due,
    ]),
    installments.map((row: Row) => [
      row.id,
      firstPurchase.hash,
      row.status,
      row.penalty.fine,
      row.penalty.interest,
      row.total_due,
    ]),
  );
  assert.deepEqual(
    [body.outstanding, body.penalties, body.total_due],
    [amounts.outstanding, amounts.penalties, amounts.total_due],
  );
  assert.ok(body.penalties > 0);
  assert.equal((await pixDriver.callStaff('GET', `/admin/customers/cus_${'0'.repeat(26)}/owed`)).status, 404);
});
