import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { eventually, openService } from '../../test/harness.ts';
import { OTHER_MERCHANT } from '../../test/offer-driver.ts';
import { createPixDriver } from '../../test/pix-driver.ts';
import { newCustomer, type TestCustomer } from '../../test/purchase-driver.ts';
import { createCashbackDriver } from '../../test/support/cashback-driver.ts';
import { newStaffUser } from '../../test/support/staff.ts';

/** The default of live mode; the default of the sandbox is much higher. */
const MAX_REWARDS = 3;
const service = await openService({ env: { REWARDS_PER_MERCHANT: `${MAX_REWARDS}` } });
service.clock.set('2027-03-01T15:00:00.000Z');
const pixDriver = createPixDriver(service);
const cashbackDriver = createCashbackDriver(service);

const newInvitedCustomer = (code: string): Promise<TestCustomer> =>
  newCustomer(service, { name: 'Elisa Prado', referrerCode: code });

/** Buys in one installment and pays it by Pix, which the payer's bank can charge back. Returns the txid. */
async function buyAndPayByPix(customer: TestCustomer, merchant = 'padaria-flor-do-trigo'): Promise<string> {
  const { installments } = await pixDriver.sell(customer, { merchant });
  const charge = await pixDriver.createCharge(customer, installments[0].id, 'settle');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  return charge.txid;
}

async function inviteAndPay(code: string, merchant?: string): Promise<TestCustomer> {
  service.clock.advance(MINUTE_MS); // Invitations are listed by time.
  const invitedCustomer = await newInvitedCustomer(code);
  await buyAndPayByPix(invitedCustomer, merchant);
  return invitedCustomer;
}

const { key: riskKey } = await newStaffUser(service, 'Rita', 'risk');
const getInvitation = async ({ id }: TestCustomer) =>
  (await service.staff('GET', `/admin/referrals/${id}`, { key: riskKey })).body;
const decideReward = ({ id }: TestCustomer, decision: 'approve' | 'refuse', key = riskKey) =>
  service.staff('POST', `/admin/referrals/${id}/${decision}`, {
    key,
    ...(decision === 'refuse' && { body: { reason: 'Contas da mesma casa' } }),
  });
const listStatuses = async (customers: readonly TestCustomer[]) =>
  Promise.all(customers.map(async (customer) => (await getInvitation(customer)).status));

test('after 3 rewards in 30 days for purchases at one merchant, further rewards wait for the role risk', async () => {
  const referrer = await pixDriver.createCustomer();
  const code = await cashbackDriver.getReferralCode(referrer);
  const invitedCustomers: TestCustomer[] = [];
  for (let i = 0; i < MAX_REWARDS + 2; i++) invitedCustomers.push(await inviteAndPay(code));
  assert.deepEqual(await listStatuses(invitedCustomers), [
    'rewarded',
    'rewarded',
    'rewarded',
    'held',
    'held',
  ]);
  const otherCustomer = await inviteAndPay(code, OTHER_MERCHANT);
  assert.equal((await getInvitation(otherCustomer)).status, 'rewarded', 'another merchant');
  const { summary, invitations } = await cashbackDriver.getReferral(referrer);
  assert.deepEqual(summary, { invited: 6, rewarded: 4, earned: 80 }); // 20.00 for each reward
  const [, heldInvitation] = invitations; // The newest invitation is that of the other customer.
  assert.equal(heldInvitation.status, 'registered', 'the customer does not see that it is held');
  const [, , , fourthCustomer, fifthCustomer] = invitedCustomers;
  assert.equal((await cashbackDriver.getBalance(fourthCustomer!)).available, 0);
  assert.deepEqual(await pixDriver.listMismatches(), [], 'the audit agrees');

  const { body } = await service.staff('GET', '/admin/referrals?status=held', { key: riskKey });
  assert.equal(body.pagination.total, 2);
  assert.equal((await pixDriver.callStaff('GET', '/admin/today')).body.waiting.rewards, 2);
  const { key: financeKey } = await newStaffUser(service, 'Fábio', 'finance');
  assert.equal((await decideReward(fourthCustomer!, 'approve', financeKey)).body.code, 'role_missing');

  const approval = await decideReward(fourthCustomer!, 'approve');
  assert.deepEqual([approval.status, approval.body.status, approval.body.reward], [200, 'rewarded', 20]);
  assert.equal((await cashbackDriver.getBalance(fourthCustomer!)).available, 10);
  assert.equal((await decideReward(fourthCustomer!, 'approve')).body.code, 'reward_not_held');
  const refusal = await decideReward(fifthCustomer!, 'refuse');
  assert.deepEqual([refusal.status, refusal.body.status], [200, 'refused']);
  assert.equal((await decideReward(fifthCustomer!, 'approve')).body.code, 'reward_not_held');
  await buyAndPayByPix(fifthCustomer!);
  assert.equal((await getInvitation(fifthCustomer!)).status, 'refused', 'later payments do not reward it');
  assert.equal((await cashbackDriver.getReferral(referrer)).summary.earned, 100);
  const trailResponse = await pixDriver.callStaff(
    'GET',
    `/admin/audit-trail?subject=referral:${fifthCustomer!.id}`,
  );
  assert.equal(trailResponse.body.data[0].reason, 'Contas da mesma casa');
  assert.deepEqual(await pixDriver.listMismatches(), []);

  service.clock.advance(31 * DAY_MS);
  const laterCustomer = await inviteAndPay(code);
  assert.equal((await getInvitation(laterCustomer)).status, 'rewarded', 'earlier rewards count for 30 days');
});

test('rewards of the customers who invited the referrer are counted, so that a chain of accounts is limited as well', async () => {
  const chain = [await pixDriver.createCustomer()];
  for (let i = 0; i < MAX_REWARDS + 1; i++)
    chain.push(await inviteAndPay(await cashbackDriver.getReferralCode(chain.at(-1)!)));
  assert.deepEqual(await listStatuses(chain.slice(1)), ['rewarded', 'rewarded', 'rewarded', 'held']);
});

test('a chargeback ends the wait of a reward, which waits again after the next payment', async () => {
  const code = await cashbackDriver.getReferralCode(await pixDriver.createCustomer());
  for (let i = 0; i < MAX_REWARDS; i++) await inviteAndPay(code);
  const invitedCustomer = await newInvitedCustomer(code);
  const txid = await buyAndPayByPix(invitedCustomer);
  assert.equal((await getInvitation(invitedCustomer)).status, 'held');
  await pixDriver.chargeBackCharge(txid);
  await eventually(
    'the reward no longer waits',
    async () => (await getInvitation(invitedCustomer)).status === 'registered',
  );
  assert.equal((await decideReward(invitedCustomer, 'approve')).body.code, 'reward_not_held');
  await buyAndPayByPix(invitedCustomer);
  assert.equal((await decideReward(invitedCustomer, 'approve')).body.status, 'rewarded');
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('of concurrent decisions about a reward, one succeeds', async () => {
  const referrer = await pixDriver.createCustomer();
  const code = await cashbackDriver.getReferralCode(referrer);
  for (let i = 0; i < MAX_REWARDS; i++) await inviteAndPay(code);
  const invitedCustomer = await inviteAndPay(code);
  const responses = await Promise.all(
    (['approve', 'refuse', 'approve', 'refuse'] as const).map((decision) =>
      decideReward(invitedCustomer, decision),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  const { status } = await getInvitation(invitedCustomer);
  const expectedCount = status === 'rewarded' ? MAX_REWARDS + 1 : MAX_REWARDS;
  assert.equal((await cashbackDriver.getReferral(referrer)).summary.earned, expectedCount * 20);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});
