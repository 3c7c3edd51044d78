import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { eventually, openService } from '../../test/harness.ts';
import { OTHER_MERCHANT } from '../../test/offer-desk.ts';
import { openPixShop } from '../../test/pix-shop.ts';
import { newCustomer, type Shopper } from '../../test/shop.ts';
import { openCashbackShop } from '../../test/support/cashback-shop.ts';
import { newStaffUser } from '../../test/support/staff.ts';

// The demo has this limit in live mode only.
const service = await openService({ env: { REWARDS_PER_MERCHANT: '3' } });
service.clock.set('2027-03-01T15:00:00.000Z');
const pixShop = openPixShop(service);
const cashbackShop = openCashbackShop(service);

const newInvited = (code: string): Promise<Shopper> =>
  newCustomer(service, { name: 'Elisa Prado', referrerCode: code });

/** A purchase whose only installment is paid by Pix, which the payer's bank can take back. */
async function payByPix(shopper: Shopper, merchant = 'padaria-flor-do-trigo'): Promise<string> {
  const { installments } = await pixShop.sell(shopper, { merchant });
  const charge = await pixShop.createCharge(shopper, installments[0].id, 'settle');
  await pixShop.payCharge(charge.txid);
  await pixShop.waitForStatus(shopper, charge.id, 'paid');
  return charge.txid;
}

async function inviteAndPay(code: string, merchant?: string): Promise<Shopper> {
  service.clock.advance(60_000);
  const invitedShopper = await newInvited(code);
  await payByPix(invitedShopper, merchant);
  return invitedShopper;
}

const { key: risk } = await newStaffUser(service, 'Rita', 'risk');
const invitationOf = async ({ id }: Shopper) =>
  (await service.staff('GET', `/admin/referrals/${id}`, { key: risk })).body;
const decide = ({ id }: Shopper, decision: 'approve' | 'refuse', key = risk) =>
  service.staff('POST', `/admin/referrals/${id}/${decision}`, {
    key,
    ...(decision === 'refuse' && { body: { reason: 'Contas da mesma casa' } }),
  });
const statusesOf = async (shoppers: readonly Shopper[]) =>
  Promise.all(shoppers.map(async (shopper) => (await invitationOf(shopper)).status));

test('after 3 rewards in 30 days for purchases at one merchant, further ones wait for the role risk', async () => {
  const referrer = await pixShop.newShopper();
  const code = await cashbackShop.getReferralCode(referrer);
  const invited: Shopper[] = [];
  for (let i = 0; i < 5; i++) invited.push(await inviteAndPay(code));
  assert.deepEqual(await statusesOf(invited), ['rewarded', 'rewarded', 'rewarded', 'held', 'held']);
  const otherShopper = await inviteAndPay(code, OTHER_MERCHANT);
  assert.equal((await invitationOf(otherShopper)).status, 'rewarded', 'another merchant');
  const { summary, invitations } = await cashbackShop.getReferral(referrer);
  assert.deepEqual(summary, { invited: 6, rewarded: 4, earned: 80 });
  assert.equal(invitations[1].status, 'registered', 'the customer does not see that it is held');
  const [, , , fourth, fifth] = invited;
  assert.equal((await cashbackShop.getBalance(fourth!)).available, 0);
  assert.deepEqual(await pixShop.listMismatches(), []);

  const { body } = await service.staff('GET', '/admin/referrals?status=held', { key: risk });
  assert.equal(body.pagination.total, 2);
  assert.equal((await pixShop.callStaff('GET', '/admin/today')).body.waiting.rewards, 2);
  const { key: finance } = await newStaffUser(service, 'Fábio', 'finance');
  assert.equal((await decide(fourth!, 'approve', finance)).body.code, 'role_missing');

  const approved = await decide(fourth!, 'approve');
  assert.deepEqual([approved.status, approved.body.status, approved.body.reward], [200, 'rewarded', 20]);
  assert.equal((await cashbackShop.getBalance(fourth!)).available, 10);
  assert.equal((await decide(fourth!, 'approve')).body.code, 'reward_not_held');
  const refusal = await decide(fifth!, 'refuse');
  assert.deepEqual([refusal.status, refusal.body.status], [200, 'refused']);
  assert.equal((await decide(fifth!, 'approve')).body.code, 'reward_not_held');
  await payByPix(fifth!);
  assert.equal((await invitationOf(fifth!)).status, 'refused', 'later payments do not reward it');
  assert.equal((await cashbackShop.getReferral(referrer)).summary.earned, 100);
  const trail = await pixShop.callStaff('GET', `/admin/audit-trail?subject=referral:${fifth!.id}`);
  assert.equal(trail.body.data[0].reason, 'Contas da mesma casa');
  assert.deepEqual(await pixShop.listMismatches(), []);

  service.clock.advance(31 * DAY_MS);
  const later = await inviteAndPay(code);
  assert.equal((await invitationOf(later)).status, 'rewarded', 'after 30 days there is room again');
});

test('rewards of those who invited the referrer count, so that a chain of accounts is a ring, too', async () => {
  const chain = [await pixShop.newShopper()];
  for (let i = 0; i < 4; i++)
    chain.push(await inviteAndPay(await cashbackShop.getReferralCode(chain.at(-1)!)));
  assert.deepEqual(await statusesOf(chain.slice(1)), ['rewarded', 'rewarded', 'rewarded', 'held']);
});

test('a chargeback ends the wait of a reward, and a reward that was approved is credited again without another', async () => {
  const code = await cashbackShop.getReferralCode(await pixShop.newShopper());
  for (let i = 0; i < 3; i++) await inviteAndPay(code);
  const invitedShopper = await newInvited(code);
  const txid = await payByPix(invitedShopper);
  assert.equal((await invitationOf(invitedShopper)).status, 'held');
  await pixShop.chargeBackCharge(txid);
  await eventually(
    'the reward waits no more',
    async () => (await invitationOf(invitedShopper)).status === 'registered',
  );
  assert.equal((await decide(invitedShopper, 'approve')).body.code, 'reward_not_held');
  await payByPix(invitedShopper);
  assert.equal((await decide(invitedShopper, 'approve')).body.status, 'rewarded');
  assert.deepEqual(await pixShop.listMismatches(), []);
});

test('of concurrent decisions about a reward, one is made', async () => {
  const referrer = await pixShop.newShopper();
  const code = await cashbackShop.getReferralCode(referrer);
  for (let i = 0; i < 3; i++) await inviteAndPay(code);
  const invitedShopper = await inviteAndPay(code);
  const responses = await Promise.all(
    (['approve', 'refuse', 'approve', 'refuse'] as const).map((decision) => decide(invitedShopper, decision)),
  );
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  const { status } = await invitationOf(invitedShopper);
  assert.equal((await cashbackShop.getReferral(referrer)).summary.earned, status === 'rewarded' ? 80 : 60);
  assert.deepEqual(await pixShop.listMismatches(), []);
});
