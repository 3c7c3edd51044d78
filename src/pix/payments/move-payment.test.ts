/** A payment that counts for the wrong installment is moved to the right one, by new entries, and back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { isOnCitus } from '../../../test/citus/database.ts';
import { commandRunner } from '../../../test/commands.ts';
import { eventually, openService, whenWaiting } from '../../../test/harness.ts';
import { OPERATOR_KEY, type Shopper } from '../../../test/shop.ts';
import { openTill } from '../../../test/till.ts';

const service = await openService({ env: { FOUR_EYES_AMOUNT: '500.00' } });
service.clock.set('2026-11-23T15:00:00.000Z');
const till = openTill(service);
const run = commandRunner(service);

const buy = async (order: Record<string, unknown> = {}) => {
  const shopper = await till.newShopper();
  const { hash, installments } = await till.sell(shopper, { amount: 30, ...order });
  const ids = installments.map(({ id }: { id: string }) => id) as string[];
  return { shopper, hash, id: ids[0]!, ids };
};

/** Somebody pays that installment by code. Returns the end-to-end id and the charge. */
async function pay(shopper: Shopper, installmentId: string, value?: number) {
  const charge = await till.charge(
    shopper,
    installmentId,
    value === undefined ? 'settle' : 'settle_partial',
    value,
  );
  const { end_to_end_id: id } = await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  return { id: id as string, txid: charge.txid as string, chargeId: charge.id as string };
}

const move = (id: string, installmentId: string, more: object = {}, idempotencyKey?: string) =>
  service.staff('POST', `/admin/pix/payments/${id}/move`, {
    key: OPERATOR_KEY,
    body: { installment_id: installmentId, reason: 'Cliente errada', ...more },
    ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
  });
const owed = async (hash: string, number = 1) => {
  const { status, outstanding } = await till.installment(hash, number);
  return [status, outstanding];
};
const cashback = async (shopper: Shopper) =>
  (await till.staff('GET', `/admin/cashback/${shopper.id}`)).body.available as number;
const agree = async (...of: Array<{ shopper: Shopper }>) => {
  await till.whenIdle();
  for (const { shopper } of of) assert.deepEqual(await till.audit(shopper.id), []);
};

test('to another customer: owed again here, paid there as of when it arrived; back again it is as before', async () => {
  const [wrong, right] = [
    await buy({ terms: { cashback_percent: 10 } }),
    await buy({ terms: { cashback_percent: 10 } }),
  ];
  const payment = await pay(wrong.shopper, wrong.id);
  assert.deepEqual([await cashback(wrong.shopper), await owed(wrong.hash)], [3, ['paid', 0]]);
  const before = await till.balances(wrong.shopper.id);
  // By then both would be late.
  service.clock.advance(20 * DAY_MS);

  const rehearsed = await move(payment.id, right.id, { dry_run: true });
  assert.equal(rehearsed.status, 200, rehearsed.text);
  assert.deepEqual(
    [await owed(wrong.hash), await owed(right.hash)],
    [
      ['paid', 0],
      ['overdue', 30],
    ],
  );
  const { body, status } = await move(payment.id, right.id);
  assert.equal(status, 201);
  assert.deepEqual({ ...body, id: '' }, { ...rehearsed.body, id: '' });
  const { from, to, too_much } = body;
  assert.deepEqual([from.customer_id, to.customer_id, too_much], [wrong.shopper.id, right.shopper.id, 0]);
  assert.deepEqual([from.installment.outstanding, from.installment.status], [30, 'overdue']);
  assert.deepEqual([to.installment.total_due, to.installment.status], [0, 'paid']);
  const moneyOf = async (hash: string) => {
    const [{ amount, applied, gone }] = (await till.look(hash)).receipts;
    return [amount, applied.length, gone];
  };
  assert.deepEqual(
    [await moneyOf(wrong.hash), await moneyOf(right.hash)],
    [
      [30, 0, 30],
      [30, 1, 0],
    ],
  );
  assert.deepEqual(
    [await owed(wrong.hash), await owed(right.hash)],
    [
      ['overdue', 30],
      ['paid', 0],
    ],
  );
  assert.deepEqual([await cashback(wrong.shopper), await cashback(right.shopper)], [0, 3], 'it was in time');
  const types = async ({ shopper }: { shopper: Shopper }) =>
    (await till.events(shopper.id)).map(({ type }) => type);
  assert.deepEqual((await types(wrong)).slice(-2), ['installment.reopened', 'pix.moved']);
  assert.deepEqual((await types(right)).slice(-3), ['installment.paid', 'checkout.paid', 'pix.paid']);
  await agree(wrong, right);
  assert.equal((await till.balances(wrong.shopper.id)).pix_clearing, undefined);
  assert.equal((await till.balances(right.shopper.id)).pix_clearing, 3_000);

  const { body: shown } = await till.staff('GET', `/admin/pix/payments/${payment.id}`);
  assert.deepEqual(
    [shown.customer_id, shown.installment_id, shown.assigned],
    [right.shopper.id, right.id, true],
  );
  assert.deepEqual(
    shown.moves.map((one: { side: string; installment_id: string }) => [one.side, one.installment_id]),
    [
      ['from', wrong.id],
      ['to', right.id],
    ],
  );
  const { body: listed } = await till.staff('GET', `/admin/pix/payments?end_to_end_id=${payment.id}`);
  assert.deepEqual([listed.pagination.total, listed.totals.amount], [1, 30], 'it is one payment');
  const { body: trail } = await till.staff('GET', `/admin/audit-trail?subject=pix_payment:${payment.id}`);
  const [{ before: was, after: is, reason }] = trail.data;
  assert.deepEqual([was.installment_id, is.installment_id, reason], [wrong.id, right.id, 'Cliente errada']);
  assert.equal(
    (await till.show(wrong.shopper, payment.chargeId)).paid,
    0,
    'the wrong one sees that it is not theirs',
  );

  const undone = await run(
    'pix payment move',
    payment.id,
    '--installment',
    wrong.id,
    '--reason',
    'Era dela',
    '--yes',
  );
  assert.match(undone, /^30\.00 moved: 30\.\d\d due on installment 1 of \S+; 0\.00 due on installment 1 of /);
  assert.deepEqual(
    [await owed(wrong.hash), await owed(right.hash)],
    [
      ['paid', 0],
      ['overdue', 30],
    ],
  );
  assert.deepEqual([await cashback(wrong.shopper), await cashback(right.shopper)], [3, 0]);
  assert.deepEqual(await till.balances(wrong.shopper.id), before);
  await agree(wrong, right);
});

test('within a purchase: the odd centavo goes back, and paying and returning go on from there', async () => {
  const bought = await buy({ amount: 100, installments: 3 });
  const { shopper, hash, ids } = bought;
  const payment = await pay(shopper, ids[0]!);
  const { body } = await move(payment.id, ids[1]!);
  assert.deepEqual([body.value, body.too_much], [33.34, 0.01]);
  assert.deepEqual(
    [await owed(hash, 1), await owed(hash, 2)],
    [
      ['open', 33.34],
      ['paid', 0],
    ],
  );
  await eventually('the centavo is back', async () => {
    const { body: shown } = await till.staff('GET', `/admin/pix/payments/${payment.id}`);
    return shown.refunded === 0.01;
  });
  await agree(bought);
  const again = await move(payment.id, ids[2]!);
  assert.deepEqual([again.status, again.body.code, again.body.here], [409, 'payment_not_whole', 33.33]);

  const other = await pay(shopper, ids[0]!);
  assert.equal((await move(other.id, ids[2]!, { from_installment_id: ids[0] })).status, 201);
  await till.whenIdle();
  service.clock.advance(HOUR_MS);
  const part = await till.giveBack(hash, 40);
  assert.equal(part.status, 201, part.text);
  await agree(bought);
  const whole = await till.giveBack(hash);
  assert.equal(whole.status, 201, whole.text);
  await eventually('everything went back', async () => {
    const { pix_clearing, receivable } = await till.balances(shopper.id);
    return pix_clearing === undefined && receivable === undefined;
  });
  await agree(bought);
});

test('there and back within a customer, then what the payer’s bank takes is taken where it counts now', async () => {
  const [one, other] = [await buy(), await buy()];
  const second = await till.sell(one.shopper, { amount: 30 });
  const payment = await pay(one.shopper, one.id);
  for (const to of [second.installments[0].id, one.id, other.id]) {
    const moved = await move(payment.id, to);
    assert.equal(moved.status, 201, moved.text);
  }
  await agree(one, other);
  await till.takeBackCode(payment.txid, 10);
  await till.run('pix_sweep_refunds');
  await eventually('it is owed again', async () => (await till.installment(other.hash)).outstanding === 10);
  assert.deepEqual(await owed(one.hash), ['open', 30]);
  await agree(one, other);
  const { body } = await till.staff('GET', '/admin/pix/discrepancies');
  assert.deepEqual(body.data, []);
});

test('of several clicks one counts: by key the same answer, to another place refused, across each other no deadlock', async () => {
  const [one, other, third] = [await buy(), await buy(), await buy()];
  const [first, second] = [await pay(one.shopper, one.id, 12), await pay(other.shopper, other.id, 13)];
  const seen = { from_installment_id: one.id };
  const [a, b, c] = await Promise.all([
    move(first.id, third.id, seen, 'click'),
    move(first.id, third.id, seen, 'click'),
    move(first.id, other.id, seen),
  ]);
  const done = [a, b, c].filter(({ status }) => status === 201);
  assert.ok(done.length >= 1 && [a, b, c].every(({ status }) => [201, 409].includes(status)));
  assert.equal(new Set(done.map(({ body }) => body.id)).size, 1);
  const held = done[0]!.body.to;
  // Back and across at the same time: each locks both customers.
  const crossed = await Promise.all([
    move(first.id, one.id),
    move(second.id, one.id),
    move(second.id, third.id),
  ]);
  assert.ok(
    crossed.every(({ status }) => [201, 409, 503].includes(status)),
    crossed.map(({ text }) => text).join(),
  );
  const paid = await Promise.all(
    [one, other, third].map(async ({ hash }) => (await till.look(hash)).amounts.paid),
  );
  assert.equal(
    paid.reduce((all, some) => all + some, 0),
    25,
    `every centavo counts once, ${held.customer_id}`,
  );
  await agree(one, other, third);
});

test('a connection that dies in the middle leaves nothing behind, and it can be done again', {
  skip: isOnCitus() && 'on a cluster another server waits for the lock',
}, async () => {
  const [one, other] = [await buy(), await buy()];
  const payment = await pay(one.shopper, one.id);
  const answer = await service.db.transaction(async (tx) => {
    // The source is written by then, the target is not.
    await tx.run(sql`
      select from installments where customer_id = ${other.shopper.id} and id = ${other.id} for update`);
    const moving = move(payment.id, other.id);
    await whenWaiting(service, 1);
    await service.db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return { moving };
  });
  assert.equal((await answer.moving).status, 503);
  assert.deepEqual(
    [await owed(one.hash), await owed(other.hash)],
    [
      ['paid', 0],
      ['open', 30],
    ],
  );
  await agree(one, other);
  assert.equal((await move(payment.id, other.id)).status, 201);
  await agree(one, other);
});

test('refused: a paid installment, one that does not exist, what is no payment, a stale page; over the amount it waits', async () => {
  const [one, other, large] = [await buy(), await buy(), await buy({ amount: 600 })];
  const payment = await pay(one.shopper, one.id);
  const paid = await pay(other.shopper, other.id);
  const refused = async (id: string, to: string, more: object = {}) => {
    const { status, body } = await move(id, to, more);
    return [status, body.code];
  };
  assert.deepEqual(await refused(payment.id, other.id), [409, 'installment_paid']);
  assert.deepEqual(await refused(payment.id, one.id), [409, 'payment_moved']);
  assert.deepEqual(await refused(payment.id, large.id, { from_installment_id: other.id }), [
    409,
    'payment_moved',
  ]);
  assert.deepEqual(await refused(payment.id, `ins_${'0'.repeat(26)}`), [422, 'installment_unknown']);
  assert.deepEqual(await refused('E0', large.id), [404, 'not_found']);
  assert.deepEqual(await refused(paid.id, large.id, { reason: '' }), [400, 'validation_failed']);
  const much = await pay(large.shopper, large.id);
  const held = await move(much.id, one.id);
  assert.deepEqual([held.status, held.body.code], [409, 'installment_paid'], 'what is refused does not wait');
  const fresh = await buy({ amount: 600 });
  const waits = await move(much.id, fresh.id);
  assert.deepEqual(
    [waits.status, waits.body.approval.kind, waits.body.approval.amount],
    [202, 'payment_move', 600],
  );
  await agree(one, other, large);
});
