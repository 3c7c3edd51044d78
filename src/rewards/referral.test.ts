import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { applyReceipt } from '#credit';
import { lockCustomerById } from '#customers';
import {
  type CustomerTx,
  customerTransaction,
  forNewCustomers,
} from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { sharedTransaction } from '#platform/database/shared-transaction.ts';
import { openService } from '../../test/harness.ts';
import { ANA, logIn, type TestCustomer } from '../../test/purchase-driver.ts';
import { createCashbackDriver, summarizeLines } from '../../test/support/cashback-driver.ts';
import { createModuleEvents, readConfiguration } from '../modules.ts';
import { adjustCashback } from './cashback-account.ts';
import { recordInvitation } from './invitations.ts';

const service = await openService();
const cashbackDriver = createCashbackDriver(service);
const PROMISED_REWARD = { referrerCents: 20_00, invitedCents: 10_00, minPaidCents: 30_00 };
const START = '2027-03-01T15:00:00.000Z';
const CLOCK_LAG_MS = 1.5 * MINUTE_MS;
const CHECK_VIOLATION = '23514';
service.clock.set(START);

/** Creates a referrer, and a customer whom they have invited. */
async function newPair(): Promise<{ referrer: TestCustomer; invitee: TestCustomer; code: string }> {
  const referrer = await cashbackDriver.createCustomer();
  const code = await cashbackDriver.getReferralCode(referrer);
  return { referrer, code, invitee: await cashbackDriver.createCustomer(code, 'Elisa Prado') };
}

/** Records an invitation without waiting in the queue of this node, as another node would. */
const invite = (customer: TestCustomer, code: string) =>
  forNewCustomers(service.db).transaction((tx) =>
    recordInvitation(tx, { invitedId: customer.id, code, invitedAt: service.clock.now() }, PROMISED_REWARD),
  );

const isProblem = (code: string) => (error: { kind: { code: string } }) => error.kind.code === code;

test('demo data: Ana has invited Bruno, who settled an installment, and Carla, who has not yet', async () => {
  const { code, link, reward, summary, invitations } = await cashbackDriver.getReferral(ANA);
  assert.match(code, /^[2-9A-HJ-NP-Z]{8}$/);
  assert.equal(link, `http://localhost:3003/convite/${code}`);
  assert.deepEqual(
    [reward, summary],
    [
      { referrer: 20, invited: 10, min_paid: 30 },
      { invited: 2, rewarded: 1, earned: 20 },
    ],
  );
  assert.deepEqual(
    invitations.map(({ name, reward: rewardAmount }: Record<string, unknown>) => [name, rewardAmount]),
    [
      ['Carla N***', 0],
      ['Bruno L***', 20],
    ],
  );
});

test('a customer without invitations has a code, a link and zero totals', async () => {
  const { summary, invitations } = await cashbackDriver.getReferral(await cashbackDriver.createCustomer());
  assert.deepEqual([summary, invitations], [{ invited: 0, rewarded: 0, earned: 0 }, []]);
});

test('the first installment that the invited customer settles rewards both once, even if it is late', async () => {
  const { referrer, invitee } = await newPair();
  const invitedAt = service.clock.now().toISOString();
  const { hash, installments } = await cashbackDriver.sell(invitee, { installments: 2, amount: 200 });
  service.clock.advance(10 * DAY_MS);
  const rewardedAt = service.clock.now().toISOString();
  assert.deepEqual((await cashbackDriver.getReferral(referrer)).invitations, [
    { name: 'Elisa P***', status: 'registered', invited_at: invitedAt, rewarded_at: null, reward: 0 },
  ]);
  await cashbackDriver.pay(invitee.id, installments[0].id, 102.1); // three days late: fine 2.00, interest 0.10
  await cashbackDriver.pay(invitee.id, installments[1].id, 100);
  assert.equal((await cashbackDriver.getCheckout(hash)).status, 'paid');
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(referrer)), [['referral', 20, 20]]);
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(invitee)), [
    ['earned', 5, 15],
    ['referral', 10, 10],
  ]);
  const { summary, invitations } = await cashbackDriver.getReferral(referrer);
  assert.deepEqual(summary, { invited: 1, rewarded: 1, earned: 20 });
  assert.deepEqual(invitations, [
    { name: 'Elisa P***', status: 'rewarded', invited_at: invitedAt, rewarded_at: rewardedAt, reward: 20 },
  ]);
  const emittedEvents = await service.db.rows(sql`
    select customer_id, data from events
    where type = 'referral.rewarded' and customer_id in (${referrer.id}, ${invitee.id})
    order by data ->> 'role' desc`);
  assert.deepEqual(emittedEvents, [
    { customer_id: referrer.id, data: { role: 'referrer', reward: 20 } },
    { customer_id: invitee.id, data: { role: 'invited', reward: 10 } },
  ]);
  service.clock.set(START);
});

test('less than 30.00 of installments earns no reward; penalties, fees, cashback and returned amounts do not count', async () => {
  const countRewarded = async (referrer: TestCustomer) =>
    (await cashbackDriver.getReferral(referrer)).summary.rewarded;
  const { referrer, invitee } = await newPair();
  const smallCheckout = await cashbackDriver.sell(invitee, { amount: 10 });
  await cashbackDriver.pay(invitee.id, smallCheckout.installments[0].id, 10);
  const { hash, installments } = await cashbackDriver.sell(invitee, { amount: 100 });
  const { id } = installments[0];
  await cashbackDriver.pay(invitee.id, id, 5, { purpose: 'extend' });
  await cashbackDriver.pay(invitee.id, id, 19.99);
  assert.equal(await countRewarded(referrer), 0, '29.99 and a fee');
  const lastPayment = await cashbackDriver.pay(invitee.id, id, 0.01);
  assert.equal(await countRewarded(referrer), 1, 'immediately, though the installment is open');
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(referrer)), [['referral', 20, 20]]);
  await cashbackDriver.chargeBack(invitee.id, id, lastPayment.reference);
  assert.equal(await countRewarded(referrer), 0, 'a chargeback of one centavo');
  assert.equal((await cashbackDriver.getBalance(referrer)).available, 0);
  await cashbackDriver.pay(invitee.id, id, 40);
  assert.equal(await countRewarded(referrer), 1);
  await cashbackDriver.returnWithoutPsp(invitee.id, smallCheckout.hash, 9.99);
  assert.equal(await countRewarded(referrer), 1, 'enough is left');
  // The remaining paid amount is 20.00.
  await cashbackDriver.returnWithoutPsp(invitee.id, hash, 80);
  assert.equal(await countRewarded(referrer), 0);
  for (const customer of [referrer, invitee])
    assert.equal(
      (await cashbackDriver.getStatement(customer)).data.filter(
        ({ kind }: { kind: string }) => kind === 'referral',
      ).length,
      2,
    );
  assert.equal((await cashbackDriver.getBalance(referrer)).available, 0);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});

test('concurrent settlements earn one reward', async () => {
  const { referrer, invitee } = await newPair();
  const { installments } = await cashbackDriver.sell(invitee, { installments: 4, amount: 400 });
  await Promise.all(installments.map(({ id }: { id: string }) => cashbackDriver.pay(invitee.id, id, 100)));
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(referrer)), [['referral', 20, 20]]);
  assert.equal((await cashbackDriver.getBalance(invitee)).available, 30);
  assert.equal((await cashbackDriver.getReferral(referrer)).summary.rewarded, 1);
});

test('concurrent settlements of many invited customers and their referrer are all credited without a deadlock', async () => {
  const referrerAbove = await cashbackDriver.createCustomer();
  const referrer = await cashbackDriver.createCustomer(await cashbackDriver.getReferralCode(referrerAbove));
  const code = await cashbackDriver.getReferralCode(referrer);
  const invitedCustomers = await Promise.all(
    Array.from({ length: 8 }, () => cashbackDriver.createCustomer(code)),
  );
  await Promise.all([...invitedCustomers, referrer].map((customer) => cashbackDriver.buyAndPay(customer)));
  const [rewards, ownReward, earnings] = [8 * 20, 10, 5];
  assert.equal((await cashbackDriver.getBalance(referrer)).available, rewards + ownReward + earnings);
  assert.equal((await cashbackDriver.getBalance(referrerAbove)).available, 20);
});

test('money must arrive by the 90th day, even if it is reported later; after that the invitation has expired', async () => {
  const lastDayMs = Date.parse(START) + 90 * DAY_MS;
  for (const [arrivedAt, reportedAt, status] of [
    [lastDayMs, lastDayMs, 'rewarded'],
    [lastDayMs, lastDayMs + 3 * DAY_MS, 'rewarded'],
    [lastDayMs + DAY_MS, lastDayMs + DAY_MS, 'expired'],
  ] as const) {
    service.clock.set(START);
    const { referrer, invitee } = await newPair();
    service.clock.set(new Date(lastDayMs - DAY_MS).toISOString());
    const { installments } = await cashbackDriver.sell(invitee);
    service.clock.set(new Date(reportedAt).toISOString());
    const statusBefore = (await cashbackDriver.getReferral(referrer)).invitations[0].status;
    assert.equal(statusBefore, reportedAt > lastDayMs ? 'expired' : 'registered');
    await cashbackDriver.pay(invitee.id, installments[0].id, 100, {
      paidAt: new Date(arrivedAt).toISOString(),
    });
    assert.equal((await cashbackDriver.getReferral(referrer)).invitations[0].status, status);
  }
  service.clock.set(START);
});

test('a chargeback of the only settled installment reverses both rewards, which can be earned again', async () => {
  const { referrer, invitee } = await newPair();
  const { installments } = await cashbackDriver.sell(invitee, { installments: 2, amount: 200 });
  const [firstInstallment, secondInstallment] = installments;
  const { reference } = await cashbackDriver.pay(invitee.id, firstInstallment.id, 100);
  await cashbackDriver.chargeBack(invitee.id, firstInstallment.id, reference);
  assert.deepEqual(summarizeLines(await cashbackDriver.getStatement(referrer)), [
    ['reversed', -20, 0],
    ['referral', 20, 20],
  ]);
  assert.equal((await cashbackDriver.getBalance(invitee)).available, 0);
  const { summary, invitations } = await cashbackDriver.getReferral(referrer);
  assert.deepEqual([summary, invitations[0].status], [{ invited: 1, rewarded: 0, earned: 0 }, 'registered']);
  await cashbackDriver.pay(invitee.id, secondInstallment.id, 100);
  assert.equal((await cashbackDriver.getBalance(referrer)).available, 20);
  assert.equal((await cashbackDriver.getBalance(referrer)).lifetime_earned, 20);
});

test('a chargeback of the only payment within 90 days reverses the reward, even if another installment was settled later', async () => {
  const { referrer, invitee } = await newPair();
  const { installments } = await cashbackDriver.sell(invitee, { installments: 2, amount: 200 });
  const firstPayment = await cashbackDriver.pay(invitee.id, installments[0].id, 100);
  service.clock.advance(100 * DAY_MS);
  await cashbackDriver.pay(invitee.id, installments[1].id, 110);
  await cashbackDriver.chargeBack(invitee.id, installments[0].id, firstPayment.reference);
  assert.equal((await cashbackDriver.getBalance(referrer)).available, 0);
  assert.equal((await cashbackDriver.getReferral(referrer)).invitations[0].status, 'expired');
  service.clock.set(START);
});

test('a payment within 90 days that is reported afterwards earns the reward', async () => {
  const { referrer, invitee } = await newPair();
  const { installments } = await cashbackDriver.sell(invitee);
  const twoWeeksLater = new Date(Date.parse(START) + 14 * DAY_MS).toISOString();
  service.clock.advance(104 * DAY_MS);
  await cashbackDriver.pay(invitee.id, installments[0].id, 110);
  assert.equal((await cashbackDriver.getReferral(referrer)).invitations[0].status, 'expired');
  await cashbackDriver.pay(invitee.id, installments[0].id, 110, { paidAt: twoWeeksLater });
  assert.equal((await cashbackDriver.getReferral(referrer)).invitations[0].status, 'rewarded');
  assert.equal((await cashbackDriver.getBalance(referrer)).available, 20);
  service.clock.set(START);
});

test('recording an invitation waits for a settlement in progress', async () => {
  const { code } = await newPair();
  const customer = await cashbackDriver.createCustomer();
  const { installments } = await cashbackDriver.sell(customer);
  const { promise: commitAllowed, resolve: allowCommit } = Promise.withResolvers<void>();
  const { promise: receiptApplied, resolve: reportApplied } = Promise.withResolvers<void>();
  const settlement = customerTransaction(service.db, customer.id, async (tx) => {
    const now = service.clock.now();
    const receivedPayment = {
      customerId: customer.id,
      installmentId: installments[0].id,
      reference: 'E-slow',
      source: 'pix',
      receivedAt: now,
      amountCents: 100_00,
      purpose: 'pay',
    } as const;
    await lockCustomerById(tx, customer.id);
    await applyReceipt(tx, receivedPayment, { events: createModuleEvents(readConfiguration({})), now });
    reportApplied();
    await commitAllowed;
  });
  await receiptApplied;
  const invitationRefused = assert.rejects(invite(customer, code), isProblem('invitation_too_late'));
  allowCommit();
  await Promise.all([settlement, invitationRefused]);
});

test('a chargeback of one of two settled installments keeps the reward', async () => {
  const { referrer, invitee } = await newPair();
  const { installments } = await cashbackDriver.sell(invitee, { installments: 2, amount: 200 });
  const { reference } = await cashbackDriver.pay(invitee.id, installments[0].id, 100);
  await cashbackDriver.pay(invitee.id, installments[1].id, 100);
  await cashbackDriver.chargeBack(invitee.id, installments[0].id, reference);
  assert.equal((await cashbackDriver.getBalance(referrer)).available, 20);
});

test('reversing a spent reward makes the balance negative, and the next credits reduce the debt', async () => {
  const { referrer, invitee } = await newPair();
  const { installmentId, paymentReference } = await cashbackDriver.buyAndPay(invitee);
  const { installments } = await cashbackDriver.sell(referrer, { amount: 400 });
  await customerTransaction(service.db, referrer.id, async (tx) => {
    const adjustment = { customer: referrer.id, amountCents: -15_00, reason: 'usado', reference: null };
    await adjustCashback(tx, adjustment, {
      events: createModuleEvents(readConfiguration({})),
      now: service.clock.now(),
    });
  });
  await cashbackDriver.chargeBack(invitee.id, installmentId, paymentReference);
  assert.deepEqual(await cashbackDriver.getBalance(referrer), {
    available: -15,
    pending: 20,
    expiring: [],
    lifetime_earned: 0,
  });
  await cashbackDriver.pay(referrer.id, installments[0].id, 400);
  const { available, expiring } = await cashbackDriver.getBalance(referrer);
  assert.deepEqual([available, expiring[0].amount], [5, 5]);
});

test('a referrer gets at most 50 rewards per year; the invited customers are still credited', async () => {
  const referrer = await cashbackDriver.createCustomer();
  const code = await cashbackDriver.getReferralCode(referrer);
  const [maxRewards, noCashbackPercent] = [50, 0];
  for (let i = 0; i <= maxRewards; i++) {
    const isLast = i === maxRewards;
    const invitedCustomer = await cashbackDriver.createCustomer(code);
    // Sets the clock back, as if the transaction of the last reward had read the clock before the others.
    if (isLast) service.clock.advance(-CLOCK_LAG_MS);
    await cashbackDriver.buyAndPay(invitedCustomer, {}, noCashbackPercent);
    service.clock.advance(MINUTE_MS + (isLast ? CLOCK_LAG_MS : 0));
    if (isLast) assert.equal((await cashbackDriver.getBalance(invitedCustomer)).available, 10);
  }
  const { summary, invitations } = await cashbackDriver.getReferral(referrer);
  const count = maxRewards + 1;
  assert.deepEqual(summary, { invited: count, rewarded: count, earned: maxRewards * 20 });
  const [lastInvitation, previousInvitation] = invitations;
  assert.deepEqual([lastInvitation.status, lastInvitation.reward], ['rewarded', 0]);
  assert.equal(previousInvitation.reward, 20);
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
  // A year later the referrer can get rewards again.
  service.clock.set(new Date(Date.parse(START) + 366 * DAY_MS).toISOString());
  await cashbackDriver.buyAndPay(await cashbackDriver.createCustomer(code));
  assert.equal((await cashbackDriver.getReferral(referrer)).summary.earned, (maxRewards + 1) * 20);
  service.clock.set(START);
});

test('invitations are listed in pages, newest first, and the summary counts all', async () => {
  const { referrer, code } = await newPair();
  for (const name of ['Um A', 'Dois B', 'Três C']) {
    service.clock.advance(1000);
    await cashbackDriver.createCustomer(code, name);
  }
  const response = await cashbackDriver.getAsCustomer(referrer, '/wallet/referral?page=2&limit=3');
  assert.deepEqual(
    response.body.invitations.map(({ name }: { name: string }) => name),
    ['Elisa P***'],
  );
  assert.equal(response.body.summary.invited, 4);
  assert.match(response.headers.get('link')!, /limit=3&up_to=4&page=1>; rel="prev"/);
  service.clock.advance(1000);
  await cashbackDriver.createCustomer(code, 'Quatro D');
  const page = await cashbackDriver.getReferral(referrer, '?page=2&limit=3&up_to=4');
  assert.deepEqual([page.invitations, page.summary.invited], [response.body.invitations, 5]);
  const listNames = async (query: string) =>
    (await cashbackDriver.getReferral(referrer, query)).invitations.map(({ name }: { name: string }) => name);
  assert.deepEqual(await listNames('?limit=3&up_to=4'), ['Três C***', 'Dois B***', 'Um A***']);
  assert.deepEqual(await listNames('?limit=1'), ['Quatro D***']);
  assert.equal((await cashbackDriver.getAsCustomer(referrer, '/wallet/referral?limit=101')).status, 400);
});

test('an invitation keeps the rewards that were promised when it was recorded', async () => {
  const otherNode = await service.startNode({
    env: {
      REFERRAL_LINK: 'https://example.com.br/?c={code}&d={code}',
      REFERRAL_REWARD_REFERRER: '30.5',
      REFERRAL_REWARD_INVITED: '0',
    },
  });
  const { referrer, invitee } = await newPair();
  const { token } = await logIn(otherNode, referrer);
  const { body } = await otherNode.get('/wallet/referral', { token });
  assert.equal(body.link, `https://example.com.br/?c=${body.code}&d=${body.code}`);
  assert.deepEqual(body.reward, { referrer: 30.5, invited: 0, min_paid: 30 });
  await cashbackDriver.buyAndPay(invitee);
  assert.equal((await cashbackDriver.getBalance(referrer)).available, 20);
});

test('an unknown code is rejected and creates no customer; a code may be typed in lower case and in groups', async () => {
  const countBefore = await service.db.row(sql`select count(*) from customers`);
  await assert.rejects(cashbackDriver.createCustomer('ZZZZZZZZ'), isProblem('referral_code_unknown'));
  await assert.rejects(cashbackDriver.createCustomer('   '), isProblem('referral_code_unknown'));
  assert.deepEqual(await service.db.row(sql`select count(*) from customers`), countBefore);
  const referrer = await cashbackDriver.createCustomer();
  const code = await cashbackDriver.getReferralCode(referrer);
  await cashbackDriver.createCustomer(`${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `);
  assert.equal((await cashbackDriver.getReferral(referrer)).summary.invited, 1);
});

test('a customer has one referrer: the first, even if two invitations are concurrent', async () => {
  const { invitee, code } = await newPair();
  const otherCode = await cashbackDriver.getReferralCode(await cashbackDriver.createCustomer());
  await assert.rejects(invite(invitee, otherCode), isProblem('already_invited'));
  await assert.rejects(invite(invitee, code), isProblem('already_invited'));
  const newcomer = await cashbackDriver.createCustomer();
  const attempts = await Promise.allSettled([invite(newcomer, code), invite(newcomer, otherCode)]);
  assert.deepEqual(attempts.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('a customer cannot invite themselves', async () => {
  const customer = await cashbackDriver.createCustomer();
  await assert.rejects(
    invite(customer, await cashbackDriver.getReferralCode(customer)),
    isProblem('invited_by_oneself'),
  );
});

test('concurrent settlements of referrer and invited customer in shared batches do not deadlock', async () => {
  const firstCustomer = await cashbackDriver.createCustomer();
  const secondCustomer = await cashbackDriver.createCustomer(
    await cashbackDriver.getReferralCode(firstCustomer),
  );
  const thirdCustomer = await cashbackDriver.createCustomer(
    await cashbackDriver.getReferralCode(secondCustomer),
  );
  const { promise: allLocked, resolve: reportAllLocked } = Promise.withResolvers<void>();
  let lockedCount = 0;
  const context = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
  /** Locks a customer, and waits until all three are locked. */
  const lockAndWait = async (tx: CustomerTx, { id }: TestCustomer) => {
    await lockCustomerById(tx, id);
    if (++lockedCount === 3) reportAllLocked();
    await allLocked;
  };
  const newSettlement = async (customer: TestCustomer) => {
    const installmentId = (await cashbackDriver.sell(customer)).installments[0].id as string;
    const receivedPayment = {
      customerId: customer.id,
      installmentId,
      reference: `E${customer.id}`,
      source: 'pix',
      receivedAt: context.now,
      amountCents: 100_00,
      purpose: 'pay',
    } as const;
    return async (tx: CustomerTx) => {
      await lockAndWait(tx, customer);
      await applyReceipt(tx, receivedPayment, context);
    };
  };
  const [settleSecond, settleThird] = [
    await newSettlement(secondCustomer),
    await newSettlement(thirdCustomer),
  ];
  // Without a common order of locks this deadlocks: the second customer's settlement waits for the first customer, whom the shared
  // transaction has locked, while the third customer's settlement in that transaction waits for the second customer.
  await Promise.all([
    customerTransaction(service.db, secondCustomer.id, settleSecond),
    sharedTransaction(service.db, firstCustomer.id, (tx) => lockAndWait(tx, firstCustomer)),
    sharedTransaction(service.db, thirdCustomer.id, settleThird),
  ]);
  for (const customer of [firstCustomer, secondCustomer])
    assert.equal((await cashbackDriver.getReferral(customer)).summary.rewarded, 1);
});

test('invitations never form a cycle of any length, even concurrently', async () => {
  const firstCustomer = await cashbackDriver.createCustomer();
  const secondCustomer = await cashbackDriver.createCustomer(
    await cashbackDriver.getReferralCode(firstCustomer),
  );
  const thirdCustomer = await cashbackDriver.createCustomer(
    await cashbackDriver.getReferralCode(secondCustomer),
  );
  await assert.rejects(
    invite(firstCustomer, await cashbackDriver.getReferralCode(thirdCustomer)),
    isProblem('invited_in_circle'),
  );
  const [customer, otherCustomer] = [
    await cashbackDriver.createCustomer(),
    await cashbackDriver.createCustomer(),
  ];
  const code = await cashbackDriver.getReferralCode(customer);
  const otherCode = await cashbackDriver.getReferralCode(otherCustomer);
  const attempts = await Promise.allSettled([invite(customer, otherCode), invite(otherCustomer, code)]);
  assert.deepEqual(attempts.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  // The database rejects cycles as well.
  await assert.rejects(
    service.db.run(
      sql`insert into referrers (customer_id, referrer_id) values (${firstCustomer.id}, ${thirdCustomer.id})`,
    ),
    { code: CHECK_VIOLATION, constraint: 'referrers_no_circle' },
  );
  await assert.rejects(
    service.db.run(
      sql`insert into referrers (customer_id, referrer_id) values (${firstCustomer.id}, ${firstCustomer.id})`,
    ),
    { code: CHECK_VIOLATION },
  );
});

test('a customer who has settled an installment cannot be invited', async () => {
  const customer = await cashbackDriver.createCustomer();
  await cashbackDriver.buyAndPay(customer);
  const { code } = await newPair();
  await assert.rejects(invite(customer, code), isProblem('invitation_too_late'));
});

test('the audit finds no mismatch after all tests above', async () => {
  assert.deepEqual(await cashbackDriver.listMismatches(), []);
});
