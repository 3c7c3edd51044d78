import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { commandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { openTill } from '../../../test/till.ts';

// Chargebacks of less than a payment, of more than was applied of it, or in several parts; and refunds by hand. What was never
// applied leaves first.
const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const till = openTill(service);

const semana = commandRunner(service);

/** R$ 100.00 in one installment, of which this amount is paid with one code. */
async function paid(reais: number, order: Record<string, unknown> = {}) {
  const shopper = await till.newShopper();
  const checkout = await till.sell(shopper, order);
  const id = checkout.installments[0].id as string;
  const charge = await till.charge(shopper, id, 'settle');
  const { end_to_end_id } = await till.payCode(charge.txid, { value: reais });
  await till.whenStatus(shopper, charge.id, 'paid');
  await till.whenIdle();
  return { shopper, checkout, id, txid: charge.txid as string, endToEndId: end_to_end_id as string };
}
type PaidInstallment = Awaited<ReturnType<typeof paid>>;

const takenBack = async ({ shopper }: PaidInstallment): Promise<number[]> =>
  (await till.events(shopper.id))
    .filter(({ type, data }) => type === 'pix.refunded' && data.reason === 'taken_back')
    .map(({ data }) => data.amount);

async function takeBack(of: PaidInstallment, reais?: number): Promise<void> {
  const before = (await takenBack(of)).length;
  await till.takeBackCode(of.txid, reais);
  await eventually('it is known', async () => (await takenBack(of)).length === before + 1);
  await till.whenIdle();
}

/** A refund by hand at the PSP, without a notice. */
async function giveBackByHand({ endToEndId }: PaidInstallment, id: string, reais: number): Promise<void> {
  const now = service.clock.now();
  await service.db.run(sql`
    insert into psp_sim_refunds (end_to_end_id, id, return_id, amount_cents, nature, status, requested_at, settled_at,
                                 outcome)
    values (${endToEndId}, ${id}, ${`D${id}`}, ${reais * 100}, 'ORIGINAL', 'DEVOLVIDO', ${now}, ${now}, 'DEVOLVIDO')`);
}

/** Our refunds and the bank's, in the order of recording: centavos and status. */
const refundsOf = async ({ shopper }: PaidInstallment) =>
  (
    await service.db.rows<{ amount_cents: number; forced: boolean; status: string }>(sql`
      select amount_cents, forced, status from pix_refunds where customer_id = ${shopper.id}
      order by created_at, forced desc, tries`)
  ).map(({ amount_cents, forced, status }) => `${forced ? 'bank' : 'ours'} ${amount_cents} ${status}`);

/** What the PSP reports as refunded of the payment, in centavos. */
const goneBack = ({ endToEndId }: PaidInstallment): Promise<number> =>
  till.count(sql`
    select coalesce(sum(amount_cents), 0)::bigint as count from psp_sim_refunds
    where end_to_end_id = ${endToEndId} and status = 'DEVOLVIDO'`);

/** The refunded amount, at the PSP and here. */
async function whenBack(of: PaidInstallment, cents: number): Promise<void> {
  await eventually('the money is back', async () => {
    const known = await till.count(sql`
      select coalesce(sum(amount_cents), 0)::bigint as count from pix_refunds
      where customer_id = ${of.shopper.id} and status = 'returned'`);
    return known === cents && (await goneBack(of)) === cents;
  });
}

const standing = async ({ checkout }: PaidInstallment) => {
  const { status, paid: reais, outstanding } = await till.installment(checkout.hash);
  return [status, reais, outstanding];
};

test('less than was paid: what is left pays on, the difference is owed again', async () => {
  const of = await paid(100);
  await takeBack(of, 40);
  assert.deepEqual(await standing(of), ['open', 60, 40]);
  assert.deepEqual(await refundsOf(of), ['bank 4000 returned']);
  assert.deepEqual(await takenBack(of), [40]);
  assert.deepEqual(
    (await till.events(of.shopper.id)).map(({ type }) => type),
    [
      ...['checkout.created', 'pix.created', 'installment.paid', 'checkout.paid', 'pix.paid'],
      ...['installment.reopened', 'pix.refunded'],
    ],
  );
  assert.deepEqual(await till.balances(of.shopper.id), {
    merchant_payable: -10_000,
    pix_clearing: 6_000,
    receivable: 4_000,
  });
  assert.equal((await till.charge(of.shopper, of.id, 'settle')).value, 40);
  assert.deepEqual(await till.audit(), []);
});

test('in three parts, until nothing is left', async () => {
  const of = await paid(100);
  await takeBack(of, 40);
  await takeBack(of, 25);
  assert.deepEqual(await standing(of), ['open', 35, 65]);
  await takeBack(of);
  assert.deepEqual(await standing(of), ['open', 0, 100]);
  assert.deepEqual(await takenBack(of), [40, 25, 35]);
  assert.deepEqual(await till.balances(of.shopper.id), { merchant_payable: -10_000, receivable: 10_000 });
  assert.deepEqual(await till.audit(), []);
});

test('a part of what was paid in time, weeks after it was due: no penalty for the time it was paid', async () => {
  const of = await paid(100);
  service.clock.advance(21 * DAY_MS);
  await takeBack(of, 40);
  const { outstanding, penalty, total_due } = await till.installment(of.checkout.hash);
  assert.deepEqual([outstanding, penalty.total, total_due], [40, 0, 40]);
  assert.deepEqual(await till.audit(), []);
});

test('a part of an extension: it is undone, and what is left pays', async () => {
  const shopper = await till.newShopper();
  const checkout = await till.sell(shopper);
  const charge = await till.charge(shopper, checkout.installments[0].id, 'extend');
  const { end_to_end_id: endToEndId } = await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  const of = { shopper, checkout, id: charge.installment_id, txid: charge.txid, endToEndId };
  assert.equal((await till.installment(checkout.hash)).extensions, 1);
  await takeBack(of, 2);
  const { extensions, due_on } = await till.installment(checkout.hash);
  assert.equal(extensions, 0);
  const told = (await till.events(shopper.id)).findLast(({ type }) => type === 'installment.extended')!;
  assert.deepEqual([told.data.extensions, told.data.due_on], [extensions, due_on]);
  assert.deepEqual(await standing(of), ['open', 3, 97]);
  assert.deepEqual(await till.balances(shopper.id), {
    merchant_payable: -10_000,
    pix_clearing: 300,
    receivable: 9_700,
  });
  assert.deepEqual(await till.audit(), []);
});

/** More than the 100.00 that were due; the first refund failed at the PSP, and the second waits for its retry. */
async function paidTooMuch(reais = 130, order: Record<string, unknown> = {}): Promise<PaidInstallment> {
  await till.faults({ refund: 'fails' });
  const of = await paid(reais, order);
  await eventually('a second refund waits', async () => (await refundsOf(of)).length === 2);
  await till.faults({});
  const cents = (reais - 100) * 100;
  assert.deepEqual(await refundsOf(of), [`ours ${cents} failed`, `ours ${cents} asked`]);
  return of;
}

/** R$ 130.00 of which 30.00 is too much; the refund is in progress at the PSP. */
async function paidAndStuck(): Promise<PaidInstallment> {
  await till.faults({ refund: 'stuck' });
  const of = await paid(130);
  await eventually('it is in process', async () => (await refundsOf(of))[0] === 'ours 3000 processing');
  return of;
}

/** Refunds in progress fail, and the PSP works again. */
async function letStuckFail({ endToEndId }: PaidInstallment): Promise<void> {
  await service.db.run(sql`
    update psp_sim_refunds set outcome = 'NAO_REALIZADO'
    where end_to_end_id = ${endToEndId} and status = 'EM_PROCESSAMENTO'`);
  await till.faults({});
}

/** The PSP carries out no refund until they are abandoned: eight days later. */
async function untilGivenUp(of: PaidInstallment): Promise<void> {
  await till.faults({ refund: 'fails' });
  for (let i = 0; i < 4; i++) {
    service.clock.advance(2 * DAY_MS);
    await till.run('pix_reconcile');
    await eventually('it has failed', async () => /failed|given_up/.test((await refundsOf(of))[i + 1]!));
    await till.whenIdle();
  }
  await till.faults({});
  assert.match((await refundsOf(of)).at(-1)!, /given_up$/);
}

test('more than was applied: our refund is overtaken, and what is still there of it pays what is owed again', async () => {
  const of = await paidTooMuch();
  await takeBack(of, 110);
  service.clock.advance(DAY_MS);
  await till.run('pix_reconcile');
  assert.deepEqual((await refundsOf(of)).toSorted(), [
    ...['bank 11000 returned', 'ours 3000 failed', 'ours 3000 overtaken'],
  ]);
  assert.equal(await goneBack(of), 11_000);
  assert.deepEqual(await standing(of), ['open', 20, 80]);
  assert.deepEqual(await till.balances(of.shopper.id), {
    merchant_payable: -10_000,
    pix_clearing: 2_000,
    receivable: 8_000,
  });
  assert.deepEqual(await till.audit(), []);
});

test('of a payment that was too much altogether: what is still there goes back with another refund', async () => {
  const of = await paid(100);
  service.clock.advance(1_000);
  await till.faults({ refund: 'fails' });
  const { end_to_end_id: endToEndId } = await till.payCode(of.txid, { value: 130, force: true });
  await eventually('a second refund waits', async () => (await refundsOf(of)).length === 2);
  await till.faults({});
  await takeBack(of, 50);
  await whenBack({ ...of, endToEndId }, 13_000);
  await till.whenIdle();
  assert.deepEqual((await refundsOf(of)).toSorted(), [
    ...['bank 5000 returned', 'ours 13000 failed', 'ours 13000 overtaken', 'ours 8000 returned'],
  ]);
  assert.deepEqual(await standing(of), ['paid', 100, 0]);
  assert.deepEqual(await till.balances(of.shopper.id), { merchant_payable: -10_000, pix_clearing: 10_000 });
  assert.deepEqual(await till.audit(), []);
});

for (const [what, reais] of [
  ['a part', 40],
  ['all', undefined],
] as const) {
  test(`${what} of a payment that turns out not to have been needed: nothing goes back twice`, async () => {
    const shopper = await till.newShopper();
    const checkout = await till.sell(shopper);
    const id = checkout.installments[0].id as string;
    const early = await till.charge(shopper, id, 'settle_with_penalty');
    const late = await till.charge(shopper, id, 'settle');
    service.clock.advance(600_000);
    const { end_to_end_id: endToEndId } = await till.payCode(late.txid);
    await till.whenStatus(shopper, late.id, 'paid');
    const of = { shopper, checkout, id, txid: late.txid, endToEndId };
    await takeBack(of, reais);
    // Money that arrived before it, and is reported only now.
    const at = new Date(service.clock.now().getTime() - 300_000).toISOString();
    await till.payCode(early.txid, { at, force: true });
    await till.whenStatus(shopper, early.id, 'paid');
    await whenBack(of, 10_000);
    await till.whenIdle();
    assert.deepEqual(await standing(of), ['paid', 100, 0]);
    assert.deepEqual(await till.balances(shopper.id), { merchant_payable: -10_000, pix_clearing: 10_000 });
    assert.deepEqual(await till.audit(), []);
  });
}

test('all of it, before our refund reached the PSP: overtaken, and never asked for', async () => {
  const of = await paidTooMuch();
  await takeBack(of);
  service.clock.advance(DAY_MS);
  await till.run('pix_reconcile');
  assert.deepEqual((await refundsOf(of)).toSorted(), [
    ...['bank 13000 returned', 'ours 3000 failed', 'ours 3000 overtaken'],
  ]);
  assert.equal(await goneBack(of), 13_000);
  assert.deepEqual(await standing(of), ['open', 0, 100]);
  assert.deepEqual(await till.balances(of.shopper.id), { merchant_payable: -10_000, receivable: 10_000 });
  assert.deepEqual(await till.audit(), []);
});

test('a part, while our refund waits: what that was to return leaves first, and is not returned again', async () => {
  const of = await paidTooMuch();
  await takeBack(of, 60);
  assert.deepEqual(await standing(of), ['open', 70, 30]);
  service.clock.advance(180_000);
  await till.run('pix_reconcile');
  assert.deepEqual((await refundsOf(of)).toSorted(), [
    ...['bank 6000 returned', 'ours 3000 failed', 'ours 3000 overtaken'],
  ]);
  assert.equal(await goneBack(of), 6_000);
  assert.deepEqual(await till.balances(of.shopper.id), {
    merchant_payable: -10_000,
    pix_clearing: 7_000,
    receivable: 3_000,
  });
  assert.deepEqual(await till.audit(), []);
});

test('a part, while our refund is in process at the PSP: that one still goes back whole', async () => {
  const of = await paidAndStuck();
  await takeBack(of, 60);
  assert.deepEqual(await standing(of), ['open', 40, 60]);
  await till.faults({});
  await whenBack(of, 9_000);
  await till.whenIdle();
  assert.deepEqual(await till.balances(of.shopper.id), {
    merchant_payable: -10_000,
    pix_clearing: 4_000,
    receivable: 6_000,
  });
  assert.deepEqual(await till.audit(), []);
});

test('a part, after which our refund in process fails: what could not go back pays what is owed again', async () => {
  const of = await paidAndStuck();
  await takeBack(of, 60);
  await letStuckFail(of);
  await eventually('it has failed', async () => (await standing(of))[1] === 70);
  assert.deepEqual(await standing(of), ['open', 70, 30]);
  assert.equal(await goneBack(of), 6_000);
  assert.deepEqual(await till.audit(), []);
});

test('the same when nothing is owed any more: it is tried again', async () => {
  const of = await paidAndStuck();
  await takeBack(of, 60);
  const rest = await till.charge(of.shopper, of.id, 'settle');
  await till.payCode(rest.txid);
  await till.whenStatus(of.shopper, rest.id, 'paid');
  await letStuckFail(of);
  await eventually('another refund waits', async () => (await refundsOf(of)).length === 3);
  service.clock.advance(1_200_000);
  await till.run('pix_reconcile');
  await whenBack(of, 9_000);
  await till.whenIdle();
  assert.deepEqual(await standing(of), ['paid', 100, 0]);
  assert.deepEqual(await till.balances(of.shopper.id), { merchant_payable: -10_000, pix_clearing: 10_000 });
  assert.deepEqual(await till.audit(), []);
});

test('what we had given up to return pays again when the bank leaves it, and is owed to nobody when it takes it', async () => {
  const of = await paidTooMuch();
  await untilGivenUp(of);
  assert.equal((await refundsOf(of)).at(-1), 'ours 3000 given_up');
  assert.deepEqual((await till.balances(of.shopper.id)).refunds_payable, -3_000);
  await takeBack(of, 100);
  assert.deepEqual(await standing(of), ['overdue', 30, 70]);
  assert.equal((await till.balances(of.shopper.id)).refunds_payable, undefined);
  await takeBack(of, 30);
  assert.deepEqual(await till.balances(of.shopper.id), { merchant_payable: -10_000, receivable: 10_000 });
  assert.deepEqual(await till.audit(), []);
});

// At 2 % a week 102.00 are due, and 100.00 settle it at once; with cashback for being on time.
const EARLY = { terms: { weekly_rate_percent: 2, cashback_percent: 1 } };

/** What the 100.00 had paid is untouched. */
async function isUntouched(of: PaidInstallment): Promise<void> {
  const { status, discount, outstanding } = await till.installment(of.checkout.hash);
  assert.deepEqual([status, discount, outstanding], ['paid', 2, 0]);
  const types = (await till.events(of.shopper.id)).map(({ type }) => type);
  const changes = sql`
    select count(*) from events where customer_id = ${of.shopper.id} and type = 'cashback.changed'`;
  assert.equal(await till.count(changes), 1);
  assert.ok(!types.includes('installment.reopened'));
  assert.equal((await till.balances(of.shopper.id)).cashback_owed, -102);
}

test('exactly what we had given up to return, after the due day: nothing is owed again, nobody has to see to it', async () => {
  const of = await paidTooMuch(120, EARLY);
  await untilGivenUp(of);
  assert.match(await semana('pix refunds'), new RegExp(of.endToEndId));
  await takeBack(of, 20);
  await isUntouched(of);
  assert.equal((await refundsOf(of)).at(-2), 'ours 2000 overtaken');
  assert.doesNotMatch(await semana('pix refunds'), new RegExp(of.endToEndId));
  assert.equal((await till.balances(of.shopper.id)).refunds_payable, undefined);
  assert.deepEqual(await till.audit(), []);
});

test('by hand, in two parts, what we had given up to return: the second leaves nothing to see to', async () => {
  const of = await paidTooMuch(120, EARLY);
  await untilGivenUp(of);
  await giveBackByHand(of, 'firstbyhand', 5);
  await till.run('pix_sweep_refunds');
  assert.match(await semana('pix refunds'), new RegExp(`${of.endToEndId}.* 15\\.00 `));
  assert.equal((await till.balances(of.shopper.id)).refunds_payable, -1_500);
  await giveBackByHand(of, 'secondbyhand', 15);
  await till.run('pix_sweep_refunds');
  assert.doesNotMatch(await semana('pix refunds'), new RegExp(of.endToEndId));
  await isUntouched(of);
  assert.deepEqual(await till.audit(), []);
});

for (const heard of ['in time', 'only when ours is due'] as const) {
  test(`by hand, while our refund waits, heard of ${heard}: ours does not go out too`, async () => {
    const of = await paidTooMuch(120, EARLY);
    await giveBackByHand(of, 'byhand1', 20);
    if (heard === 'in time') await till.run('pix_sweep_refunds');
    service.clock.advance(180_000);
    await till.run('pix_reconcile');
    await eventually('it is known', async () => (await refundsOf(of)).length === 3);
    service.clock.advance(DAY_MS);
    await till.run('pix_reconcile');
    assert.deepEqual((await refundsOf(of)).toSorted(), [
      ...['bank 2000 returned', 'ours 2000 failed', 'ours 2000 overtaken'],
    ]);
    assert.equal(await goneBack(of), 2_000);
    await isUntouched(of);
    assert.deepEqual(await till.audit(), []);
  });
}

test('by hand, before our refund was known to have failed: it is not tried again', async () => {
  const of = await paidAndStuck();
  await giveBackByHand(of, 'abyhand', 30);
  await letStuckFail(of);
  await eventually('it is known', async () => (await refundsOf(of)).includes('ours 3000 failed'));
  await till.run('pix_sweep_refunds');
  // Reported one after the other, another refund of ours came in between.
  const ended = (await refundsOf(of)).filter((refund) => refund !== 'ours 3000 overtaken');
  assert.deepEqual(ended.toSorted(), ['bank 3000 returned', 'ours 3000 failed']);
  assert.deepEqual(await standing(of), ['paid', 100, 0]);
  assert.deepEqual(await till.audit(), []);
});

test('of what had paid only penalties, after the amount was settled: owed again, overdue, and payable again', async () => {
  const shopper = await till.newShopper();
  const checkout = await till.sell(shopper);
  const id = checkout.installments[0].id as string;
  service.clock.advance(14 * DAY_MS);
  const { penalty } = await till.installment(checkout.hash);
  const pay = async (type: string, value?: number) => {
    const charge = await till.charge(shopper, id, type, value);
    const { end_to_end_id: endToEndId } = await till.payCode(charge.txid);
    await till.whenStatus(shopper, charge.id, 'paid');
    return { shopper, checkout, id, txid: charge.txid as string, endToEndId };
  };
  const penalties = await pay('settle_partial', penalty.total);
  service.clock.advance(1_000);
  await pay('settle_with_penalty');
  assert.deepEqual(await standing(penalties), ['paid', 100, 0]);
  service.clock.advance(DAY_MS);
  await takeBack(penalties);
  service.clock.advance(30 * DAY_MS);

  const after = await till.installment(checkout.hash);
  assert.deepEqual(
    [after.status, after.outstanding, after.penalty.total, after.total_due, after.paid_at],
    ['overdue', 0, penalty.total, penalty.total, null],
  );
  const listed = async (status: string) => {
    const token = await till.token(shopper);
    const { body } = await service.get(`/wallet/checkouts?status=${status}`, { token });
    return body.data.map(({ amounts }: { amounts: { total_due: number } }) => amounts.total_due);
  };
  assert.deepEqual(await Promise.all(['overdue', 'open', 'paid'].map(listed)), [[penalty.total], [], []]);
  assert.equal((await till.ask(shopper, id, { type: 'settle' })).body.code, 'penalty_due');
  assert.deepEqual(await till.audit(), []);

  await pay('settle_with_penalty');
  assert.equal((await till.installment(checkout.hash)).status, 'paid');
  assert.deepEqual(await Promise.all(['overdue', 'open', 'paid'].map(listed)), [[], [], [0]]);
  assert.deepEqual(await till.audit(), []);
});
