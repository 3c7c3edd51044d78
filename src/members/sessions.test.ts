import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { shareService } from '../../test/harness.ts';
import { logInMember, TILL_KEY } from '../../test/members.ts';
import { OTHER_MERCHANT } from '../../test/offer-driver.ts';
import {
  ANA,
  assertRefused,
  ipAddressOptions,
  listMessages,
  newIpAddressOptions,
  newPhone,
  OPERATOR_KEY,
  openSessionFor,
} from '../../test/support/customers.ts';

const service = await shareService();
const BAKERY = 'padaria-flor-do-trigo';

async function newMember(role: string, slug = BAKERY) {
  const phone = newPhone();
  const body = { name: 'Rita Lemos', phone, role };
  const addResponse = await service.staff('POST', `/admin/merchants/${slug}/members`, {
    key: OPERATOR_KEY,
    body,
  });
  assert.equal(addResponse.status, 201, addResponse.text);
  return { id: addResponse.body.id as string, phone };
}
/** Builds the options of a request by a member. */
const buildTillOptions = (token: string) => ({ key: TILL_KEY, token });
const requestCode = (phone: string, addressHeaders: object) =>
  service.post('/merchant/auth/otp', { phone }, { ...addressHeaders, key: TILL_KEY });

async function logInFrom(phone: string, addressHeaders: object) {
  const requestResponse = await requestCode(phone, addressHeaders);
  assert.equal(requestResponse.status, 202, requestResponse.text);
  const [message] = await listMessages(service, phone);
  const form = { phone, challenge_id: requestResponse.body.challenge_id, code: message!.code };
  const login = await service.post('/merchant/auth/otp/login', form, { ...addressHeaders, key: TILL_KEY });
  assert.equal(login.status, 200, login.text);
  return login.body;
}

test('strangers can exhaust the codes of a member’s phone, but not those of a known address', async () => {
  const { phone } = await newMember('owner');
  const shopAddress = ipAddressOptions('198.51.100.7');
  const { refresh_token } = await logInFrom(phone, shopAddress);
  const MAX_CODES_PER_HOUR = 10;
  for (let i = 1; i < MAX_CODES_PER_HOUR; i++) {
    assert.equal((await requestCode(phone, newIpAddressOptions())).status, 202);
    service.clock.advance(2 * MINUTE_MS);
  }
  // The code of the login at the start may be one of the ten.
  let refusedResponse = await requestCode(phone, newIpAddressOptions());
  if (refusedResponse.status === 202) refusedResponse = await requestCode(phone, newIpAddressOptions());
  assertRefused(refusedResponse, 429, 'otp_too_soon');
  assert.equal((await requestCode(phone, shopAddress)).status, 202);
  // A refresh makes the address known.
  const homeAddress = ipAddressOptions('203.0.113.9');
  const refreshResponse = await service.post(
    '/merchant/auth/refresh',
    { refresh_token },
    { ...homeAddress, key: TILL_KEY },
  );
  assert.equal(refreshResponse.status, 200, refreshResponse.text);
  assert.equal((await requestCode(phone, homeAddress)).status, 202);
});

test('an owner can list the sessions of a member and end one of them', async () => {
  const owner = await logInMember(service, (await newMember('owner')).phone);
  const clerk = await newMember('clerk');
  const path = `/merchant/members/${clerk.id}/sessions`;
  assert.deepEqual((await service.get(path, buildTillOptions(owner.token))).body, { data: [] });
  const shopAddress = ipAddressOptions('198.51.100.8');
  const firstLogin = await logInFrom(clerk.phone, shopAddress);
  service.clock.advance(MINUTE_MS); // a phone may request one code a minute
  const secondLogin = await logInMember(service, clerk.phone);
  const { data } = (await service.get(path, buildTillOptions(owner.token))).body;
  assert.equal(data.length, 2);
  const [newerSession, olderSession] = data;
  assert.deepEqual(Object.keys(newerSession), ['id', 'is_current', 'created_at', 'refreshed_at']);
  assert.ok(newerSession.created_at > olderSession.created_at);
  const ownSessions = (
    await service.get(`/merchant/members/${owner.member.id}/sessions`, buildTillOptions(owner.token))
  ).body;
  assert.deepEqual(
    ownSessions.data.map(({ is_current }: { is_current: boolean }) => is_current),
    [true],
  );

  const endSession = () =>
    service.call('DELETE', `${path}/${olderSession.id}`, buildTillOptions(owner.token));
  assert.equal((await endSession()).status, 204);
  assert.equal((await endSession()).status, 204, 'idempotent');
  assertRefused(await service.get('/merchant/me', buildTillOptions(firstLogin.token)), 401, 'token_invalid');
  assert.equal((await service.get('/merchant/me', buildTillOptions(secondLogin.token))).status, 200);
  const { body: trail } = await service.staff('GET', `/admin/audit-trail?subject=member:${clerk.id}`, {
    key: OPERATOR_KEY,
  });
  assert.deepEqual([trail.data[0].action, trail.data[0].actor], ['endMemberSession', owner.member.id]);
});

test('a clerk, an owner of another merchant, a customer and a request without a token cannot list or end sessions', async () => {
  const { phone, id } = await newMember('owner');
  const owner = await logInMember(service, phone);
  const clerk = await logInMember(service, (await newMember('clerk')).phone);
  const otherMerchantOwner = await logInMember(service, (await newMember('owner', OTHER_MERCHANT)).phone);
  const customer = await openSessionFor(service, ANA);
  const path = `/merchant/members/${id}/sessions`;
  const [ownSession] = (await service.get(path, buildTillOptions(owner.token))).body.data;
  for (const [method, url] of [
    ['GET', path],
    ['DELETE', `${path}/${ownSession.id}`],
  ] as const) {
    const send = (options: object) => service.call(method, url, options);
    assertRefused(await send(buildTillOptions(clerk.token)), 403, 'role_missing');
    assert.equal((await send(buildTillOptions(otherMerchantOwner.token))).status, 404);
    assertRefused(await send(buildTillOptions(customer.token)), 401, 'token_invalid');
    assertRefused(await send({ key: TILL_KEY }), 401, 'token_missing');
  }
  assert.equal((await service.get('/merchant/me', buildTillOptions(owner.token))).status, 200);
});
