import assert from 'node:assert/strict';
import { test } from 'node:test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { decodeBrCode } from '#core/values/br-code.ts';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { assertRefused } from '../../../test/support/customers.ts';

const service = await openService();
// A Monday at noon in São Paulo, so that no weekend moves a due day.
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);

/** Sells to a new customer. `installmentId` is that of the first installment. */
const createPurchase = async (order: Record<string, unknown> = {}) => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer, order);
  return { customer, checkout, installmentId: checkout.installments[0].id as string };
};

const countCharges = (installmentId: string) =>
  pixDriver.readCount(sql`select count(*) from pix_charges where installment_id = ${installmentId}`);

test('a new charge gets 201 and has a valid code, and a QR code with the same content', async () => {
  const { customer, installmentId } = await createPurchase();
  const response = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' });
  assert.equal(response.status, 201, response.text);
  const charge = response.body;
  assert.deepEqual(
    { ...charge, id: '', txid: '', br_code: '', qr_code: '' },
    {
      id: '',
      installment_id: installmentId,
      type: 'settle',
      status: 'pending',
      value: 100,
      paid: 0,
      txid: '',
      br_code: '',
      qr_code: '',
      expires_at: '2026-11-24T03:00:00.000Z',
      created_at: '2026-11-23T15:00:00.000Z',
    },
  );
  assert.match(charge.id, /^pix_/);
  assert.match(charge.txid, /^[0-9A-Za-z]{32}$/);
  assert.equal(response.headers.get('location'), `/wallet/pix/${charge.id}`);
  assert.equal(decodeBrCode(charge.br_code).ok, true);
  const [, base64] = /^data:image\/png;base64,(.+)$/.exec(charge.qr_code)!;
  const image = PNG.sync.read(Buffer.from(base64!, 'base64'));
  const decodedImage = jsQR.default(new Uint8ClampedArray(image.data), image.width, image.height);
  assert.equal(decodedImage?.data, charge.br_code);
  assert.deepEqual(await pixDriver.getCharge(customer, charge.id), { ...charge, refunds: [] });
});

test('a repeated request returns 200 with the same charge; charges of other types exist beside it', async () => {
  const { customer, installmentId } = await createPurchase();
  const firstResponse = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' });
  const repeatedResponse = await pixDriver.requestCharge(customer, installmentId, {
    type: 'settle',
    value: 100,
  });
  assert.deepEqual([firstResponse.status, repeatedResponse.status], [201, 200]);
  assert.deepEqual(repeatedResponse.body, firstResponse.body);
  for (const body of [
    { type: 'settle_with_penalty' },
    { type: 'settle_partial', value: 10 },
    { type: 'extend' },
  ]) {
    assert.equal((await pixDriver.requestCharge(customer, installmentId, body)).status, 201);
  }
  const token = await pixDriver.createToken(customer);
  const list = await service.get(`/wallet/installments/${installmentId}/pix?limit=2&page=2`, { token });
  assert.deepEqual(list.body.pagination, { page: 2, limit: 2, total: 4, pages: 2 });
  assert.equal(list.body.data.length, 2);
  assert.match(list.headers.get('link')!, /page=1>; rel="prev"/);
});

test('a partial charge of another value replaces the previous one, here and at the PSP', async () => {
  const { customer, installmentId } = await createPurchase();
  const fullCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  const firstCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 10);
  const secondCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 20);
  assert.equal((await pixDriver.getCharge(customer, firstCharge.id)).status, 'cancelled');
  await eventually('the PSP has removed the first charge', () =>
    service.db.row(sql`
      select 1 from psp_sim_charges where txid = ${firstCharge.txid} and status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'`),
  );
  for (const { id: chargeId } of [fullCharge, secondCharge])
    assert.equal((await pixDriver.getCharge(customer, chargeId)).status, 'pending');
  const repeatedCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 10);
  assert.notEqual(repeatedCharge.id, firstCharge.id);
});

test('at most one charge of each type is pending, however many are requested concurrently', async () => {
  const { customer, installmentId } = await createPurchase();
  // Logs in first, so that the concurrent requests use one token.
  await pixDriver.createToken(customer);
  const values = Array.from({ length: 8 }, (_, i) => 10 + i);
  const responses = await Promise.all(
    values.map((value) =>
      pixDriver.requestCharge(customer, installmentId, { type: 'settle_partial', value }),
    ),
  );
  for (const response of responses.filter(({ status }) => status !== 201))
    assertRefused(response, 409, 'charge_replaced');
  const liveCount = await pixDriver.readCount(sql`
    select count(*) from pix_charges where installment_id = ${installmentId} and status in ('creating', 'pending')`);
  assert.equal(liveCount, 1);
});

test('409 charge_replaced: a slower request does not replace the charge of a newer one', async () => {
  const { customer, installmentId } = await createPurchase();
  // Logs in before the PSP becomes slow, so that the older request reaches it immediately.
  await pixDriver.createToken(customer);
  await pixDriver.setPspFaults({ latency_ms: 3_000 });
  const headers = { 'idempotency-key': 'the older' };
  const olderRequest = pixDriver.requestCharge(
    customer,
    installmentId,
    { type: 'settle_partial', value: 10 },
    { headers },
  );
  const insertedCharge = sql`select 1 from pix_charges where installment_id = ${installmentId}`;
  await eventually('the charge is inserted', () => service.db.row(insertedCharge));
  await pixDriver.setPspFaults({ latency_ms: 0 });
  const newerCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 20);
  assertRefused(await olderRequest, 409, 'charge_replaced');
  assert.equal((await pixDriver.getCharge(customer, newerCharge.id)).status, 'pending');
  const repeatedResponse = await pixDriver.requestCharge(
    customer,
    installmentId,
    { type: 'settle_partial', value: 10 },
    { headers },
  );
  assert.equal(repeatedResponse.status, 201, 'the retry of the older request replaces the newer charge');
});

test('429 too_many_charges after 30 new charges per installment and day; the next day more are allowed', async () => {
  const { customer, installmentId } = await createPurchase();
  const otherPurchase = await createPurchase();
  const values = Array.from({ length: 30 }, (_, i) => 10 + i);
  for (const value of values) await pixDriver.createCharge(customer, installmentId, 'settle_partial', value);
  const refusal = await pixDriver.requestCharge(customer, installmentId, {
    type: 'settle_partial',
    value: 50,
  });
  assertRefused(refusal, 429, 'too_many_charges');
  assert.equal(refusal.headers.get('retry-after'), String(12 * 3600), 'until midnight in São Paulo');
  const repeatedInput = { type: 'settle_partial', value: values.at(-1)! };
  const repeatedResponse = await pixDriver.requestCharge(customer, installmentId, repeatedInput);
  assert.equal(repeatedResponse.status, 200, 'a repeated request for a pending charge does not count');
  assert.equal(
    (await pixDriver.requestCharge(otherPurchase.customer, otherPurchase.installmentId, { type: 'settle' }))
      .status,
    201,
  );
  service.clock.advance(DAY_MS);
  assert.equal(
    (await pixDriver.requestCharge(customer, installmentId, { type: 'settle_partial', value: 50 })).status,
    201,
  );
  service.clock.advance(-DAY_MS);
});

test('an expired charge is never cancelled afterwards', async () => {
  const { customer, installmentId } = await createPurchase();
  const oldCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  service.clock.advance(DAY_MS);
  assert.equal((await pixDriver.getCharge(customer, oldCharge.id)).status, 'expired');
  const partialCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 10);
  await pixDriver.payCharge(partialCharge.txid);
  await pixDriver.waitForStatus(customer, partialCharge.id, 'paid');
  await pixDriver.waitForJobs();
  assert.equal((await pixDriver.getCharge(customer, oldCharge.id)).status, 'expired');
  await pixDriver.runJob('pix_reconcile');
  const row = await service.db.row<{ status: string }>(
    sql`select status from pix_charges where id = ${oldCharge.id}`,
  );
  assert.equal(row!.status, 'expired');
  service.clock.advance(-DAY_MS);
});

test('twenty concurrent identical requests on two nodes create one charge', async () => {
  const { customer, installmentId } = await createPurchase();
  const otherNode = await service.startNode();
  // Logs in first, so that the concurrent requests use one token.
  await pixDriver.createToken(customer);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      pixDriver.requestCharge(
        customer,
        installmentId,
        { type: 'settle' },
        { node: i % 2 === 0 ? service : otherNode },
      ),
    ),
  );
  assert.equal(responses.filter(({ status }) => status === 201).length, 1);
  assert.equal(new Set(responses.map(({ body }) => body.id)).size, 1);
  assert.equal(await countCharges(installmentId), 1);
  const [{ txid }] = responses.map(({ body }) => body) as [{ txid: string }];
  assert.equal(await pixDriver.readCount(sql`select count(*) from psp_sim_charges where txid = ${txid}`), 1);
  const createEvents = (await pixDriver.listEvents(customer.id)).filter(({ type }) => type === 'pix.created');
  assert.equal(createEvents.length, 1);
});

test('invalid requests are refused with the right amounts, and create no charge', async () => {
  const { customer, installmentId } = await createPurchase();
  assertRefused(
    await pixDriver.requestCharge(customer, installmentId, { type: 'settle', value: 99.99 }),
    409,
    'amount_changed',
  );
  assert.equal(
    (await pixDriver.requestCharge(customer, installmentId, { type: 'settle', value: 99.99 })).body.value,
    100,
  );
  const missingValue = await pixDriver.requestCharge(customer, installmentId, { type: 'settle_partial' });
  assertRefused(missingValue, 422, 'value_required');
  assert.deepEqual([missingValue.body.min, missingValue.body.max], [1, 100]);
  for (const value of [0.99, 100.01, -5, 0])
    assertRefused(
      await pixDriver.requestCharge(customer, installmentId, { type: 'settle_partial', value }),
      422,
      'value_out_of_range',
    );
  for (const body of [
    { type: 'settle', value: 1.001 },
    { type: 'settle', value: '10' },
    { type: 'nonsense' },
    { type: 'settle', extra: 1 },
    {},
  ])
    assertRefused(await pixDriver.requestCharge(customer, installmentId, body), 400, 'validation_failed');
  assert.equal(await countCharges(installmentId), 0);
});

test('settle and extend are refused when overdue, at the extension limit and once paid; the amounts are those of pix_options', async () => {
  const { customer, checkout, installmentId } = await createPurchase({ terms: { extension_limit: 0 } });
  service.clock.advance(14 * DAY_MS);
  assertRefused(
    await pixDriver.requestCharge(customer, installmentId, { type: 'settle' }),
    409,
    'penalty_due',
  );
  assertRefused(
    await pixDriver.requestCharge(customer, installmentId, { type: 'extend' }),
    409,
    'extension_limit',
  );
  const { pix_options, total_due } = await pixDriver.getInstallment(checkout.hash);
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle_with_penalty');
  // Two weeks after the purchase the installment is a week late: fine 2.00, interest 0.23.
  assert.equal(charge.value, 102.23);
  assert.equal(charge.value, total_due);
  assert.deepEqual(pix_options, [
    { type: 'settle_with_penalty', value: 102.23 },
    { type: 'settle_partial', min: 1, max: 102.23 },
  ]);
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  for (const type of ['settle', 'settle_with_penalty', 'extend'])
    assertRefused(await pixDriver.requestCharge(customer, installmentId, { type }), 409, 'installment_paid');
});

test("another customer's installment and charge get 404, like unknown ones", async () => {
  const { customer, installmentId } = await createPurchase();
  const stranger = await pixDriver.createCustomer();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  const token = await pixDriver.createToken(stranger);
  const malformedIds = ['nothing', '%00'];
  for (const inaccessibleId of [installmentId, 'ins_01kfx3t7d1q3r5s7v9x1z3b5d7', ...malformedIds]) {
    assertRefused(
      await pixDriver.requestCharge(stranger, inaccessibleId, { type: 'settle' }),
      404,
      'not_found',
    );
    assertRefused(
      await service.get(`/wallet/installments/${inaccessibleId}/pix`, { token }),
      404,
      'not_found',
    );
  }
  for (const inaccessibleId of [charge.id, 'pix_01kfx3t7d1q3r5s7v9x1z3b5d7', ...malformedIds])
    assertRefused(await service.get(`/wallet/pix/${inaccessibleId}`, { token }), 404, 'not_found');
});

test('503 psp_unavailable if the PSP is unavailable; the next request completes the same charge', async () => {
  const { customer, installmentId } = await createPurchase();
  await pixDriver.setPspFaults({ error_rate: 1 });
  const refusal = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' });
  assertRefused(refusal, 503, 'psp_unavailable');
  assert.ok(Number(refusal.headers.get('retry-after')) > 0);
  const token = await pixDriver.createToken(customer);
  const { body } = await service.get(`/wallet/installments/${installmentId}/pix`, { token });
  assert.deepEqual(body.data, [], 'a charge without a code is not listed');
  await pixDriver.setPspFaults({});
  assert.equal((await pixDriver.requestCharge(customer, installmentId, { type: 'settle' })).status, 200);
  assert.equal(await countCharges(installmentId), 1);
});

test('Idempotency-Key: a repeated request returns the same response, also after the charge is paid; another body gets 422', async () => {
  const { customer, installmentId } = await createPurchase();
  const options = { headers: { 'idempotency-key': 'a-key-of-the-partner' } };
  const firstResponse = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' }, options);
  assert.equal(firstResponse.status, 201, firstResponse.text);
  assert.equal(firstResponse.headers.get('idempotency-replayed'), null);
  await pixDriver.payCharge(firstResponse.body.txid);
  await pixDriver.waitForStatus(customer, firstResponse.body.id, 'paid');
  const repeatedResponse = await pixDriver.requestCharge(
    customer,
    installmentId,
    { type: 'settle' },
    options,
  );
  assert.deepEqual(
    [repeatedResponse.status, repeatedResponse.headers.get('idempotency-replayed')],
    [201, 'true'],
  );
  assert.deepEqual(repeatedResponse.body, firstResponse.body);
  const otherResponse = await pixDriver.requestCharge(customer, installmentId, { type: 'extend' }, options);
  assertRefused(otherResponse, 422, 'idempotency_key_reused');
});

test('Idempotency-Key: a request that failed at the PSP is completed by the next one with the same key', async () => {
  const { customer, installmentId } = await createPurchase();
  const options = { headers: { 'idempotency-key': 'another-key' } };
  await pixDriver.setPspFaults({ error_rate: 1 });
  assertRefused(
    await pixDriver.requestCharge(customer, installmentId, { type: 'settle' }, options),
    503,
    'psp_unavailable',
  );
  await pixDriver.setPspFaults({});
  const retriedResponse = await pixDriver.requestCharge(customer, installmentId, { type: 'settle' }, options);
  assert.equal(retriedResponse.status, 201, retriedResponse.text);
  assert.equal(await countCharges(installmentId), 1);
});

test('Idempotency-Key: if the price has changed since the failed request, a new charge with the new price is created', async () => {
  const { customer, installmentId } = await createPurchase();
  const options = { headers: { 'idempotency-key': 'a-late-key' } };
  // Noon of the due day.
  service.clock.advance(7 * DAY_MS);
  await pixDriver.setPspFaults({ error_rate: 1 });
  const requestWithSameKey = (type: string) =>
    pixDriver.requestCharge(customer, installmentId, { type }, options);
  assertRefused(await requestWithSameKey('settle_with_penalty'), 503, 'psp_unavailable');
  // Midnight passes, so the debt has one more day of interest: 100.00, fine 2.00, interest 0.03.
  service.clock.advance(DAY_MS / 2);
  await pixDriver.setPspFaults({});
  const { status, body } = await requestWithSameKey('settle_with_penalty');
  assert.deepEqual(
    [status, body.value, body.expires_at > service.clock.now().toISOString()],
    [201, 102.03, true],
  );
  assert.equal((await requestWithSameKey('settle_with_penalty')).body.id, body.id);
});

test('a charge created in the last half hour of the day is valid for half an hour', async () => {
  service.clock.set('2026-12-15T02:50:00Z');
  const { customer, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  assert.equal(charge.expires_at, '2026-12-15T03:20:00.000Z');
});

test('an expired charge is returned as expired before its status is updated', async () => {
  service.clock.set('2026-12-16T15:00:00Z');
  const { customer, installmentId } = await createPurchase();
  const charge = await pixDriver.createCharge(customer, installmentId, 'settle');
  service.clock.set(new Date(Date.parse(charge.expires_at) - 1).toISOString());
  assert.equal((await pixDriver.getCharge(customer, charge.id)).status, 'pending');
  service.clock.set(charge.expires_at);
  assert.equal((await pixDriver.getCharge(customer, charge.id)).status, 'expired');
  const token = await pixDriver.createToken(customer);
  const { body } = await service.get(`/wallet/installments/${installmentId}/pix`, { token });
  assert.deepEqual(
    body.data.map(({ status }: { status: string }) => status),
    ['expired'],
  );
  const pendingCount = await pixDriver.readCount(sql`
    select count(*) from pix_charges where installment_id = ${installmentId} and status = 'pending'`);
  assert.equal(pendingCount, 1);
});

test('every option of pix_options can be requested for exactly its amount: early, on the due day, and late', async () => {
  service.clock.set('2026-11-23T15:00:00Z');
  const orders = [{ amount: 97.31, terms: { weekly_rate_percent: 2 } }, { amount: 0.9 }, {}];
  const purchases = await Promise.all(orders.map((order) => createPurchase(order)));
  for (const daysToAdvance of [0, 7, 4]) {
    service.clock.advance(daysToAdvance * DAY_MS);
    for (const { customer, checkout, installmentId } of purchases) {
      const { pix_options } = await pixDriver.getInstallment(checkout.hash);
      assert.ok(pix_options.length >= 3);
      for (const { type, value, min, max } of pix_options) {
        for (const amount of type === 'settle_partial' ? [min, max] : [value])
          assert.equal((await pixDriver.createCharge(customer, installmentId, type, amount)).value, amount);
        if (value !== undefined) {
          const refusal = await pixDriver.requestCharge(customer, installmentId, {
            type,
            value: Math.round(value * 100 + 1) / 100,
          });
          assertRefused(refusal, 409, 'amount_changed');
          assert.equal(refusal.body.value, value);
        }
      }
    }
  }
});
