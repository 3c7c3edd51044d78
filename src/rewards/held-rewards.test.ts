import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { eventually, openService } from '../../test/harness.ts';
import { OTHER_MERCHANT } from '../../test/offer-desk.ts';
import { openPixShop } from '../../test/pix-shop.ts';
import { newCustomer, type Shopper } from '../../test/shop.ts';
import { openCashbackShop } from '../../test/support/cashback-shop.ts';
import { newStaffUser } from '../../test/support/staff.ts';

// In the sandbox the default is much higher than in live mode.
const service = await openService({ env: { REWARDS_PER_MERCHANT: '3' } });
service.clock.set('2027-03-01T15:00:00.000Z');
const pixShop = openPixShop(service);
const cashbackShop = openCashbackShop(service);

const newInvitedShopper = (code: string): Promise<Shopper> =>
  newCustomer(service, { name: 'Elisa Prado', referrerCode: code });

/** Sells in one installment and pays it by Pix, which the payer's bank can charge back. Returns the txid. */
async function payByPix(shopper: Shopper, merchant = 'padaria-flor-do-trigo'): Promise<string> {
  const { installments } = await pixShop.sell(shopper, { merchant });
  const charge = await pixShop.createCharge(shopper, installments[0].id, 'settle');
  await pixShop.payCharge(charge.txid);
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  return charge.txid;
}

async function inviteAndPay(code: string, merchant?: string): Promise<Shopper> {
  service.clock.advance(60_000);
  const invitedShopper = await newInvitedShopper(code);
  await payByPix(invitedShopper, merchant);
  return invitedShopper;
}

const { key: riskKey } = await newStaffUser(service, 'Rita', 'risk');
const getInvitation = async ({ id }: Shopper) =>
  (await service.staff('GET', `/admin/referrals/${id}`, { key: riskKey })).body;
const decideReward = ({ id }: Shopper, decision: 'approve' | 'refuse', key = riskKey) =>
  service.staff('POST', `/admin/referrals/${id}/${decision}`, {
    key,
    ...(decision === 'refuse' && { body: { reason: 'Contas da mesma casa' } }),
  });
const listStatuses = async (shoppers: readonly Shopper[]) =>
  Promise.all(shoppers.map(async (shopper) => (await getInvitation(shopper)).status));

test('after 3 rewards in 30 days for purchases at one merchant, further rewards wait for the role risk', async () => {
  const referrer = await pixShop.newShopper();
  const code = await cashbackShop.getReferralCode(referrer);
  const invitedShoppers: Shopper[] = [];
  for (let i = 0; i < 5; i++) invitedShoppers.push(await inviteAndPay(code));
  assert.deepEqual(await listStatuses(invitedShoppers), ['rewarded', 'rewarded', 'rewarded', 'held', 'held']);
  const otherShopper = await inviteAndPay(code, OTHER_MERCHANT);
  assert.equal((await getInvitation(otherShopper)).status, 'rewarded', 'another merchant');
  const { summary, invitations } = await cashbackShop.getReferral(referrer);
  assert.deepEqual(summary, { invited: 6, rewarded: 4, earned: 80 }); // 20.00 for each reward
  assert.equal(invitations[1].status, 'registered', 'the customer does not see that it is held');
  const [, , , fourthShopper, fifthShopper] = invitedShoppers;
  assert.equal((await cashbackShop.getBalance(fourthShopper!)).available, 0);
  assert.deepEqual(await pixShop.listMismatches(), []);

  const { body } = await service.staff('GET', '/admin/referrals?status=held', { key: riskKey });
  assert.equal(body.pagination.total, 2);
  assert.equal((await pixShop.callStaff('GET', '/admin/today')).body.waiting.rewards, 2);
  const { key: financeKey } = await newStaffUser(service, 'Fábio', 'finance');
  assert.equal((await decideReward(fourthShopper!, 'approve', financeKey)).body.code, 'role_missing');

  const approval = await decideReward(fourthShopper!, 'approve');
  assert.deepEqual([approval.status, approval.body.status, approval.body.reward], [200, 'rewarded', 20]);
  assert.equal((await cashbackShop.getBalance(fourthShopper!)).available, 10);
  assert.equal((await decideReward(fourthShopper!, 'approve')).body.code, 'reward_not_held');
  const refusal = await decideReward(fifthShopper!, 'refuse');
  assert.deepEqual([refusal.status, refusal.body.status], [200, 'refused']);
  assert.equal((await decideReward(fifthShopper!, 'approve')).body.code, 'reward_not_held');
  await payByPix(fifthShopper!);
  assert.equal((await getInvitation(fifthShopper!)).status, 'refused', 'later payments do not reward it');
  assert.equal((await cashbackShop.getReferral(referrer)).summary.earned, 100);
  const trail = await pixShop.callStaff('GET', `/admin/audit-trail?subject=referral:${fifthShopper!.id}`);
  assert.equal(trail.body.data[0].reason, 'Contas da mesma casa');
  assert.deepEqual(await pixShop.listMismatches(), []);

  service.clock.advance(31 * DAY_MS);
  const laterShopper = await inviteAndPay(code);
  assert.equal((await getInvitation(laterShopper)).status, 'rewarded', 'earlier rewards count for 30 days');
});

test('rewards of the customers who invited the referrer are counted, so that a chain of accounts is limited as well', async () => {
  const chain = [await pixShop.newShopper()];
  for (let i = 0; i < 4; i++)
    chain.push(await inviteAndPay(await cashbackShop.getReferralCode(chain.at(-1)!)));
  assert.deepEqual(await listStatuses(chain.slice(1)), ['rewarded', 'rewarded', 'rewarded', 'held']);
});

test('a chargeback ends the wait of a reward, which waits again after the next payment', async () => {
  const code = await cashbackShop.getReferralCode(await pixShop.newShopper());
  for (let i = 0; i < 3; i++) await inviteAndPay(code);
  const invitedShopper = await newInvitedShopper(code);
  const txid = await payByPix(invitedShopper);
  assert.equal((await getInvitation(invitedShopper)).status, 'held');
  await pixShop.chargeBackCharge(txid);
  await eventually(
    'the reward no longer waits',
    async () => (await getInvitation(invitedShopper)).status === 'registered',
  );
  assert.equal((await decideReward(invitedShopper, 'approve')).body.code, 'reward_not_held');
  await payByPix(invitedShopper);
  assert.equal((await decideReward(invitedShopper, 'approve')).body.status, 'rewarded');
  assert.deepEqual(await pixShop.listMismatches(), []);
});

test('of concurrent decisions about a reward, one succeeds', async () => {
  const referrer = await pixShop.newShopper();
  const code = await cashbackShop.getReferralCode(referrer);
  for (let i = 0; i < 3; i++) await inviteAndPay(code);
  const invitedShopper = await inviteAndPay(code);
  const responses = await Promise.all(
    (['approve', 'refuse', 'approve', 'refuse'] as const).map((decision) =>
      decideReward(invitedShopper, decision),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  const { status } = await getInvitation(invitedShopper);
  assert.equal((await cashbackShop.getReferral(referrer)).summary.earned, status === 'rewarded' ? 80 : 60);
  assert.deepEqual(await pixShop.listMismatches(), []);
});
