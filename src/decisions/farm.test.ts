import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { openService } from '../../test/harness.ts';
import { createOfferDriver } from '../../test/offer-driver.ts';
import { OPERATOR_KEY } from '../../test/purchase-driver.ts';
import {
  CAUTIOUS_POLICY,
  createCreditDriver,
  type SignedUpCustomer,
} from '../../test/support/credit-driver.ts';
import { BEHIND_PROXY, ipAddressOptions, openSessionFor } from '../../test/support/customers.ts';
import { newStaffUser } from '../../test/support/staff.ts';

const ENV = { CREDIT_POLICY: 'cautious', DEFAULT_CREDIT_LIMIT: '150.00', FOUR_EYES_AMOUNT: '50.00' };
const service = await openService({ env: { ...BEHIND_PROXY.env, ...ENV } });
const creditDriver = createCreditDriver(service);
const { accept, createOffer } = await createOfferDriver(service);

/** Builds options of a request from an IP address, and from a device unless it is hidden. */
const buildRequestOptions = (address: string, device?: string) => ({
  headers: { ...ipAddressOptions(address).headers, ...(device !== undefined && { 'x-device': device }) },
});
/** Builds the id of a device. Each test uses numbers of another thousand, so that it shares no devices with other tests. */
const buildDeviceId = (number: number) => `device-${String(number).padStart(4, '0')}`;
const FIRST_LIMIT = 150;
const countPositive = (limits: readonly number[]) => limits.filter((limit) => limit > 0).length;

test('unrelated people get the first limit', async () => {
  for (let i = 0; i < 5; i++)
    assert.equal(
      (await creditDriver.signUp({}, buildRequestOptions(`192.0.${i}.7`, buildDeviceId(9_000 + i)))).limit,
      FIRST_LIMIT,
    );
});

test('of 45 fake accounts that invite each other, from 15 addresses and 10 devices, fewer than 3 get a limit', async () => {
  const limits: number[] = [];
  let referralCode: string | undefined;
  for (let i = 0; i < 45; i++) {
    service.clock.advance(2 * MINUTE_MS);
    const options = buildRequestOptions(`198.51.${i % 15}.9`, buildDeviceId(i % 10));
    const customer = await creditDriver.signUp(
      referralCode === undefined ? {} : { referral_code: referralCode },
      options,
    );
    limits.push(customer.limit);
    referralCode ??= (await service.get('/wallet/referral', { token: customer.token })).body.code;
  }
  assert.equal(limits.length, 45);
  assert.ok(countPositive(limits) < 3, `${countPositive(limits)} limits`);
  const declinedPage = await creditDriver.callStaff(
    'GET',
    '/admin/credit-decisions?outcome=declined&limit=1',
  );
  assert.ok(
    declinedPage.body.pagination.total > 25,
    'most have two signals and are declined without a review',
  );
  assert.deepEqual(declinedPage.body.data[0].reasons, [
    'signups_address_day',
    'signups_device',
    'referral_ring',
  ]);
});

test('of 13 sign-ups from the /64 networks of one /48 network, 10 get a limit, and a person reviews the others', async () => {
  const limits: number[] = [];
  for (let i = 0; i < 13; i++) {
    const options = buildRequestOptions(`2001:db8:7:${i.toString(16)}::9`, buildDeviceId(4_000 + i));
    const customer = await creditDriver.signUp({}, options);
    limits.push(customer.limit);
    if (i >= 10)
      assert.deepEqual(
        (await creditDriver.listDecisions(customer.id)).map(({ outcome, reasons }) => [outcome, ...reasons]),
        [['review', 'signups_network_day']],
      );
  }
  assert.equal(countPositive(limits), 10);
});

test('a person reviews a sign-up that hides its device', async () => {
  const customer = await creditDriver.signUp({}, ipAddressOptions('203.4.0.1'));
  assert.equal(customer.limit, 0);
  const [{ outcome, reasons }] = await creditDriver.listDecisions(customer.id);
  assert.deepEqual([outcome, reasons], ['review', ['signups_device_unknown']]);
});

test('of 8 new accounts that buy at one merchant concurrently on one day, 5 succeed, and a person reviews the others', async () => {
  const buyers = [];
  for (let i = 0; i < 8; i++)
    buyers.push(await creditDriver.signUp({}, buildRequestOptions(`203.5.${i}.1`, buildDeviceId(3_000 + i))));
  service.clock.advance(1_000);
  const buy = async ({ phone, token }: SignedUpCustomer) =>
    accept((await createOffer(phone, { amount: 20, installments: 2 })).id, token);
  const responses = await Promise.all(buyers.map(buy));
  const refusals = responses.filter(({ status }) => status !== 201);
  assert.deepEqual(
    refusals.map(({ status, body }) => [status, body.code]),
    Array(3).fill([409, 'credit_review']),
  );
  const refusedCustomer = buyers[responses.indexOf(refusals[0]!)]!;
  const decisions = await creditDriver.listDecisions(refusedCustomer.id);
  const acceptDecision = decisions.find(({ moment }: { moment: string }) => moment === 'accept');
  assert.deepEqual(acceptDecision.reasons, ['young_buyers_day']);
  // A later purchase of a buyer who was approved is not counted.
  assert.equal((await buy(buyers[responses.findIndex(({ status }) => status === 201)]!)).status, 201);
  service.clock.advance(DAY_MS);
  const { token } = await openSessionFor(service, refusedCustomer);
  assert.equal((await buy({ ...refusedCustomer, token })).status, 201);
});

test('sign-ups get no limit from the second on one device, or from the third from one address', async () => {
  const limitsOnDevice: number[] = [];
  const limitsFromAddress: number[] = [];
  for (let i = 0; i < 6; i++) {
    limitsOnDevice.push(
      (await creditDriver.signUp({}, buildRequestOptions(`203.0.${i}.1`, buildDeviceId(5_000)))).limit,
    );
    limitsFromAddress.push(
      (await creditDriver.signUp({}, buildRequestOptions('203.1.0.1', buildDeviceId(6_000 + i)))).limit,
    );
  }
  // The built-in policy reviews the second sign-up on a device, and the third from an address.
  assert.deepEqual(limitsOnDevice, [FIRST_LIMIT, 0, 0, 0, 0, 0]);
  assert.deepEqual(limitsFromAddress, [FIRST_LIMIT, FIRST_LIMIT, 0, 0, 0, 0]);
});

test('a sign-up in review gets the first limit when a person approves it', async () => {
  const sharedOptions = buildRequestOptions('203.2.0.1', buildDeviceId(7_000));
  await creditDriver.signUp({}, sharedOptions);
  const customer = await creditDriver.signUp({}, sharedOptions);
  const [decision] = await creditDriver.listDecisions(customer.id);
  assert.deepEqual([decision.outcome, decision.reasons], ['review', ['signups_device']]);
  const credit = await creditDriver.getCredit(customer.token);
  assert.deepEqual([credit.limit, credit.blocked_by, credit.review], [0, 'review', decision.decided_at]);
  assert.equal(
    (await creditDriver.callStaff('POST', `/admin/credit-decisions/${decision.id}/approve`)).status,
    200,
  );
  assert.equal((await creditDriver.getCredit(customer.token)).limit, FIRST_LIMIT);
});

test('a policy, and a limit above FOUR_EYES_AMOUNT, require the approval of a second person', async () => {
  const reviewer = await newStaffUser(service, 'Davi Prado', 'risk');
  const callAsReviewer = (path: string) => service.staff('POST', path, { key: reviewer.key });
  const customer = await creditDriver.signUp({}, buildRequestOptions('203.3.0.1', buildDeviceId(8_000)));
  const requestResponse = await service.post('/wallet/credit/review', undefined, { token: customer.token });
  const approveRequest = { key: OPERATOR_KEY, body: { limit: 400 } };
  const heldResponse = await service.staff(
    'POST',
    `/admin/credit-decisions/${requestResponse.body.id}/approve`,
    approveRequest,
  );
  assert.equal(heldResponse.status, 202, heldResponse.text);
  assert.equal((await creditDriver.getCredit(customer.token)).limit, FIRST_LIMIT);
  const approveResponse = await callAsReviewer(`/admin/approvals/${heldResponse.body.approval.id}/approve`);
  assert.equal(approveResponse.status, 200, approveResponse.text);
  assert.equal((await creditDriver.getCredit(customer.token)).limit, 400);
  const policyResponse = await creditDriver.callStaff('PUT', '/admin/credit-policy', {
    policy: { ...CAUTIOUS_POLICY, first_limit: 90 },
  });
  assert.equal(policyResponse.status, 202, policyResponse.text);
  assert.equal(
    (await creditDriver.callStaff('GET', '/admin/credit-policy')).body.policy.first_limit,
    FIRST_LIMIT,
  );
  assert.equal(
    (await callAsReviewer(`/admin/approvals/${policyResponse.body.approval.id}/approve`)).status,
    200,
  );
  assert.equal((await creditDriver.callStaff('GET', '/admin/credit-policy')).body.policy.first_limit, 90);
});
