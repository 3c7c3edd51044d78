/** One notice names the payments of many customers: they share transactions, and each counts as if it had come alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { isOnCitus } from '../citus/database.ts';
import { eventually, openService } from '../harness.ts';
import { CALLBACK_SECRET, openPixShop } from '../pix-shop.ts';
import type { Shopper } from '../shop.ts';
import { openCashbackShop, summarizeLines } from '../support/cashback-shop.ts';

const service = await openService();
const pixShop = openPixShop(service);
const cashbackShop = openCashbackShop(service);
service.clock.set('2026-11-23T15:00:00Z');

type Paid = { shopper: Shopper; hash: string; pixId: string; txid: string; endToEndId: string };

/** Pays at the PSP without a notice. */
async function payUnheard(shopper: Shopper): Promise<Paid> {
  const { hash, installments } = await cashbackShop.sell(shopper);
  const { id: pixId, txid } = await pixShop.createCharge(shopper, installments[0].id, 'settle');
  const { end_to_end_id: endToEndId } = await pixShop.payCharge(txid);
  return { shopper, hash, pixId, txid, endToEndId };
}

async function notify(payments: ReadonlyArray<Pick<Paid, 'txid' | 'endToEndId'>>): Promise<void> {
  const horario = service.clock.now().toISOString();
  const pix = payments.map(({ txid, endToEndId }) => ({ txid, endToEndId, horario, valor: '100.00' }));
  assert.equal(
    (await service.post(`/psp/callback/${CALLBACK_SECRET}/pix`, { pix }, { key: null })).status,
    200,
  );
}

const statusOf = async ({ shopper, pixId }: Paid) => (await pixShop.getCharge(shopper, pixId)).status;
const whenAllPaid = (payments: readonly Paid[]) =>
  eventually('all of them are paid', async () =>
    (await Promise.all(payments.map(statusOf))).every((status) => status === 'paid'),
  );

/** The number of payments settled by each transaction, most first. */
const together = async (payments: readonly Paid[]) =>
  (
    await service.db.rows<{ count: number }>(sql`
      select count(*) from pix_payments
      where end_to_end_id = any(${payments.map(({ endToEndId }) => endToEndId)})
      group by xmin order by 1 desc`)
  ).map(({ count }) => count);

test('with one callback a referrer, three invited customers and a customer who pays twice get their rewards and refunds', async () => {
  await pixShop.setPspFaults({ notify: 'never' });
  const ana = await cashbackShop.newShopper();
  const code = await cashbackShop.getReferralCode(ana);
  const friends = [
    await cashbackShop.newShopper(code, 'Bia Reis'),
    await cashbackShop.newShopper(code, 'Caio Reis'),
    await cashbackShop.newShopper(code, 'Davi Reis'),
  ];
  const twice = await cashbackShop.newShopper();
  const payments: Paid[] = [];
  for (const shopper of [ana, ...friends, twice, twice]) payments.push(await payUnheard(shopper));
  await notify(payments);
  await whenAllPaid(payments);
  // On Citus each customer has a transaction of its own.
  if (!isOnCitus())
    assert.deepEqual(await together(payments), [5, 1], 'one transaction, and one for who pays twice');

  const lines = summarizeLines(await cashbackShop.statement(ana));
  assert.deepEqual(lines.map(([kind, amount]) => `${kind} ${amount}`).toSorted(), [
    'earned 5',
    'referral 20',
    'referral 20',
    'referral 20',
  ]);
  const balances = lines.toReversed().map(([, , balance]) => balance);
  const amounts = lines.toReversed().map(([, amount]) => amount as number);
  assert.deepEqual(
    balances,
    amounts.map((_, i) => amounts.slice(0, i + 1).reduce((sum, amount) => sum + amount, 0)),
  );
  const eventBalances = await service.db.rows<{ balance: number }>(sql`
    select (data ->> 'balance')::float8 as balance from events
    where customer_id = ${ana.id} and type = 'cashback.changed' order by position`);
  assert.deepEqual(
    eventBalances.map(({ balance }) => balance),
    balances,
    'events have the balances of the statement',
  );
  for (const friend of friends)
    assert.deepEqual(summarizeLines(await cashbackShop.statement(friend)), [
      ['referral', 10, 15],
      ['earned', 5, 5],
    ]);
  assert.deepEqual(await pixShop.listAuditMismatches(), []);
});

test('an end-to-end id that two charges name is applied to one of them; the rest of the callback is settled', async () => {
  const payments: Paid[] = [];
  for (let i = 0; i < 3; i++) payments.push(await payUnheard(await cashbackShop.newShopper()));
  const [first, second, third] = payments as [Paid, Paid, Paid];
  // The PSP has one payment, for the first; the notice says it is for both.
  await notify([first, { txid: second.txid, endToEndId: first.endToEndId }, third]);
  await whenAllPaid([first, third]);
  await pixShop.waitForJobs();
  assert.deepEqual(await pixShop.listAuditMismatches(), []);
});

test('a payment that cannot be settled does not stop the others, and is retried', async () => {
  const payments: Paid[] = [];
  for (let i = 0; i < 3; i++) payments.push(await payUnheard(await cashbackShop.newShopper()));
  const [stuck, ...others] = payments as [Paid, Paid, Paid];
  await service.db.run(sql`
    insert into ledger_postings (customer_id, reference, kind, occurred_at, posted_at)
    values (${stuck.shopper.id}, ${`receipt ${stuck.endToEndId}`}, 'receipt', now(), now())`);
  await notify(payments);
  await whenAllPaid(others);
  assert.equal(await statusOf(stuck), 'pending');
});
