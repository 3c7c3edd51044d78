import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';
import { BEHIND_PROXY, from } from '../../test/support/customers.ts';
import { CAUTIOUS, openBank } from '../../test/support/decisions.ts';

const ENV = { CREDIT_POLICY: 'cautious', DEFAULT_CREDIT_LIMIT: '150.00', FOUR_EYES_AMOUNT: '50.00' };
const service = await openService({ env: { ...BEHIND_PROXY.env, ...ENV } });
const bank = openBank(service);

const at = (address: string, device?: string) => ({
  headers: { ...from(address).headers, ...(device !== undefined && { 'x-device': device }) },
});
const device = (n: number) => `device-${String(n).padStart(4, '0')}`;
const granted = (limits: readonly number[]) => limits.filter((limit) => limit > 0).length;

test('people who have nothing to do with each other get the first limit', async () => {
  for (let i = 0; i < 5; i++)
    assert.equal((await bank.signUp({}, at(`192.0.${i}.7`, device(9_000 + i)))).limit, 150);
});

test('a farm of 200 that invites itself, from 20 addresses and on 10 devices, gets fewer than 3 limits', async () => {
  const limits: number[] = [];
  let code: string | undefined;
  for (let i = 0; i < 200; i++) {
    service.clock.advance(60_000);
    const options = at(`198.51.${i % 20}.9`, device(i % 10));
    const one = await bank.signUp(code === undefined ? {} : { referral_code: code }, options);
    limits.push(one.limit);
    code ??= (await service.get('/wallet/referral', { token: one.token })).body.code;
  }
  assert.equal(limits.length, 200);
  assert.ok(granted(limits) < 3, `${granted(limits)} limits`);
  const waiting = await bank.staff('GET', '/admin/credit-decisions?outcome=declined&limit=1');
  assert.ok(waiting.body.pagination.total > 150, 'most show two signals, and no person has to look at them');
  assert.deepEqual(waiting.body.data[0].reasons, ['signups_address_day', 'signups_device', 'referral_ring']);
});

test('one device, or one address without a device, gets no more', async () => {
  const onDevice: number[] = [];
  const fromAddress: number[] = [];
  for (let i = 0; i < 6; i++) {
    onDevice.push((await bank.signUp({}, at(`203.0.${i}.1`, device(5_000)))).limit);
    fromAddress.push((await bank.signUp({}, at('203.1.0.1', device(6_000 + i)))).limit);
  }
  assert.deepEqual(onDevice, [150, 0, 0, 0, 0, 0]);
  assert.deepEqual(fromAddress, [150, 150, 0, 0, 0, 0]);
});

test('a sign-up that waited gets the first limit when a person approves it', async () => {
  const shared = at('203.2.0.1', device(7_000));
  await bank.signUp({}, shared);
  const by = await bank.signUp({}, shared);
  const [waiting] = await bank.decisions(by.id);
  assert.deepEqual([waiting.outcome, waiting.reasons], ['review', ['signups_device']]);
  const credit = await bank.credit(by.token);
  assert.deepEqual([credit.limit, credit.review], [0, waiting.decided_at]);
  assert.equal((await bank.staff('POST', `/admin/credit-decisions/${waiting.id}/approve`)).status, 200);
  assert.equal((await bank.credit(by.token)).limit, 150);
});

test('four eyes: a policy, and a limit over the amount, wait for a second person', async () => {
  const person = (await bank.staff('POST', '/admin/staff', { name: 'Davi Prado', role: 'finance' })).body;
  const second = (path: string) => service.staff('POST', path, { key: person.key });
  const by = await bank.signUp({}, at('203.3.0.1', device(8_000)));
  const asked = await service.post('/wallet/credit/review', undefined, { token: by.token });
  const approve = { key: OPERATOR_KEY, body: { limit: 400 } };
  const held = await service.staff('POST', `/admin/credit-decisions/${asked.body.id}/approve`, approve);
  assert.equal(held.status, 202, held.text);
  assert.equal((await bank.credit(by.token)).limit, 150);
  assert.equal((await second(`/admin/approvals/${held.body.approval.id}/approve`)).status, 200);
  assert.equal((await bank.credit(by.token)).limit, 400);
  const policy = await bank.staff('PUT', '/admin/credit-policy', {
    policy: { ...CAUTIOUS, first_limit: 90 },
  });
  assert.equal(policy.status, 202, policy.text);
  assert.equal((await bank.staff('GET', '/admin/credit-policy')).body.policy.first_limit, 150);
  assert.equal((await second(`/admin/approvals/${policy.body.approval.id}/approve`)).status, 200);
  assert.equal((await bank.staff('GET', '/admin/credit-policy')).body.policy.first_limit, 90);
});
