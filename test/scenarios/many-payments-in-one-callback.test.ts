/** One callback reports the payments of many customers: they share transactions, and each has the same effects as in a callback of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { isOnCitus } from '../citus/database.ts';
import { eventually, openService, tamper } from '../harness.ts';
import { CALLBACK_SECRET, createPixDriver } from '../pix-driver.ts';
import type { TestCustomer } from '../purchase-driver.ts';
import { createCashbackDriver, summarizeLines } from '../support/cashback-driver.ts';

const service = await openService();
const pixDriver = createPixDriver(service);
const cashbackDriver = createCashbackDriver(service);
service.clock.set('2026-11-23T15:00:00Z');
await pixDriver.setPspFaults({ notify: 'never' });

type PaidCharge = { customer: TestCustomer; hash: string; pixId: string; txid: string; endToEndId: string };

/** Pays a charge at the PSP, which does not send a callback. */
async function payWithoutCallback(customer: TestCustomer): Promise<PaidCharge> {
  const { hash, installments } = await cashbackDriver.sell(customer);
  const { id: pixId, txid } = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  const { end_to_end_id: endToEndId } = await pixDriver.payCharge(txid);
  return { customer, hash, pixId, txid, endToEndId };
}

async function sendCallback(payments: ReadonlyArray<Pick<PaidCharge, 'txid' | 'endToEndId'>>): Promise<void> {
  const horario = service.clock.now().toISOString();
  const pix = payments.map(({ txid, endToEndId }) => ({ txid, endToEndId, horario, valor: '100.00' }));
  assert.equal(
    (await service.post(`/psp/callback/${CALLBACK_SECRET}/pix`, { pix }, { key: null })).status,
    200,
  );
}

const getStatus = async ({ customer, pixId }: PaidCharge) =>
  (await pixDriver.getCharge(customer, pixId)).status;
const waitUntilAllPaid = (payments: readonly PaidCharge[]) =>
  eventually('all charges are paid', async () =>
    (await Promise.all(payments.map(getStatus))).every((status) => status === 'paid'),
  );

/** Returns the number of payments that each transaction settled, largest first. `xmin` is the transaction that wrote a row. */
const countPaymentsByTransaction = async (payments: readonly PaidCharge[]) =>
  (
    await service.db.rows<{ count: number }>(sql`
      select count(*) from pix_payments
      where end_to_end_id = any(${payments.map(({ endToEndId }) => endToEndId)})
      group by xmin order by 1 desc`)
  ).map(({ count }) => count);

test('with one callback a referrer, three invited customers and a customer with two payments get their rewards', async () => {
  const ana = await cashbackDriver.createCustomer();
  const code = await cashbackDriver.getReferralCode(ana);
  const friends = [
    await cashbackDriver.createCustomer(code, 'Bia Reis'),
    await cashbackDriver.createCustomer(code, 'Caio Reis'),
    await cashbackDriver.createCustomer(code, 'Davi Reis'),
  ];
  const customerWithTwoPayments = await cashbackDriver.createCustomer();
  const payments: PaidCharge[] = [];
  for (const customer of [ana, ...friends, customerWithTwoPayments, customerWithTwoPayments])
    payments.push(await payWithoutCallback(customer));
  await sendCallback(payments);
  await waitUntilAllPaid(payments);
  // On Citus each customer has a transaction of its own.
  if (!isOnCitus())
    assert.deepEqual(
      await countPaymentsByTransaction(payments),
      [5, 1],
      'one transaction for all customers, and a second one for the second payment of a customer',
    );

  const lines = summarizeLines(await cashbackDriver.getStatement(ana));
  assert.deepEqual(lines.map(([kind, amount]) => `${kind} ${amount}`).toSorted(), [
    'earned 5',
    'referral 20',
    'referral 20',
    'referral 20',
  ]);
  const balances: number[] = [];
  let sum = 0;
  for (const [, amount, balance] of lines.toReversed()) {
    sum += amount;
    assert.equal(balance, sum, 'each balance is the sum of the amounts up to its line');
    balances.push(balance);
  }
  const eventBalances = await service.db.rows<{ balance: number }>(sql`
    select (data ->> 'balance')::float8 as balance from events
    where customer_id = ${ana.id} and type = 'cashback.changed' order by position`);
  assert.deepEqual(
    eventBalances.map(({ balance }) => balance),
    balances,
    'events have the balances of the statement',
  );
  for (const friend of friends)
    assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(friend)), [
      ['referral', 10, 15],
      ['earned', 5, 5],
    ]);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('an end-to-end id that is reported for two charges is applied to one of them; the other payments of the callback are settled', async () => {
  const payments: PaidCharge[] = [];
  for (let i = 0; i < 3; i++) payments.push(await payWithoutCallback(await cashbackDriver.createCustomer()));
  const [firstPayment, secondPayment, thirdPayment] = payments as [PaidCharge, PaidCharge, PaidCharge];
  // The PSP has one payment with this end-to-end id; the callback reports it for the second charge, too.
  await sendCallback([
    firstPayment,
    { txid: secondPayment.txid, endToEndId: firstPayment.endToEndId },
    thirdPayment,
  ]);
  await waitUntilAllPaid([firstPayment, thirdPayment]);
  await pixDriver.waitForJobs();
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

/** The time of the posting that prevents a settlement. */
const CONFLICT_POSTED_AT = '2026-01-01T00:00:00Z';

test('a payment that cannot be settled does not stop the others, and is retried', async () => {
  const payments: PaidCharge[] = [];
  for (let i = 0; i < 3; i++) payments.push(await payWithoutCallback(await cashbackDriver.createCustomer()));
  const [stuckPayment, ...otherPayments] = payments as [PaidCharge, PaidCharge, PaidCharge];
  // A posting with the reference of the receipt makes its settlement fail until it is deleted.
  await service.db.run(sql`
    insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
    values (${stuckPayment.customer.id}, ${`receipt ${stuckPayment.endToEndId}`}, 'receipt', ${CONFLICT_POSTED_AT}, ${CONFLICT_POSTED_AT})`);
  await sendCallback(payments);
  await waitUntilAllPaid(otherPayments);
  assert.equal(await getStatus(stuckPayment), 'pending');
  await tamper(
    service,
    `delete from ledger_postings where customer_id = '${stuckPayment.customer.id}' and posted_at = '${CONFLICT_POSTED_AT}'`,
  );
  await pixDriver.runJob('pix_sweep');
  await waitUntilAllPaid([stuckPayment]);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});
