import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { shareService } from '../../test/harness.ts';
import { CLERK_TEO, logInMember, newMemberCode, OWNER_LUCIA, TILL_KEY } from '../../test/members.ts';
import { MERCHANT_KEY, OTHER_MERCHANT } from '../../test/offer-driver.ts';
import {
  ANA,
  assertRefused,
  assertSoonRefused,
  logIn,
  newCode,
  newIpAddressOptions,
  newPhone,
  OPERATOR_KEY,
  toWrongCode,
} from '../../test/support/customers.ts';
import { newStaffUser } from '../../test/support/staff.ts';

const service = await shareService();
const BAKERY = 'padaria-flor-do-trigo';
/** Builds the options of a request by a member. */
const buildTillOptions = (token: string) => ({ key: TILL_KEY, token });
const addMember = (slug: string, body: object) =>
  service.staff('POST', `/admin/merchants/${slug}/members`, { key: OPERATOR_KEY, body });

/** Adds a member through the staff API and logs the member in. */
async function newMember(slug = BAKERY, overrides: object = {}) {
  const phone = newPhone();
  const addResponse = await addMember(slug, { name: 'Rita Lemos', phone, role: 'owner', ...overrides });
  assert.equal(addResponse.status, 201, addResponse.text);
  const login = await logInMember(service, phone, { merchant: slug });
  return { phone, id: addResponse.body.id as string, ...login };
}

test('a member logs in with a code sent to the phone, and acts for the merchant', async () => {
  const login = await logInMember(service, OWNER_LUCIA);
  assert.deepEqual(login.merchant, { slug: BAKERY, name: 'Padaria Flor do Trigo' });
  assert.deepEqual(login.merchants, [{ ...login.merchant, role: 'owner' }]);
  const { created_at: _, ...member } = login.member;
  assert.deepEqual(member, {
    id: 'mbr_00000000000000000000000001',
    name: 'Lúcia Prado',
    phone: OWNER_LUCIA,
    role: 'owner',
    max_amount: null,
    may_return: true,
    status: 'active',
  });
  const meResponse = await service.get('/merchant/me', buildTillOptions(login.token));
  assert.deepEqual(meResponse.body, {
    member: login.member,
    merchant: login.merchant,
    merchants: login.merchants,
  });
  assert.equal((await service.get('/merchant/checkouts', buildTillOptions(login.token))).status, 200);
});

test('a merchant key needs no token and has no member', async () => {
  const meResponse = await service.get('/merchant/me', { key: MERCHANT_KEY });
  assert.equal(meResponse.body.member, null);
  assert.equal(meResponse.body.merchant.slug, BAKERY);
  assert.equal((await service.get('/merchant/checkouts', { key: MERCHANT_KEY })).status, 200);
});

test('401 invalid_credentials for a wrong code, a phone without a membership, another merchant and a customer’s code', async () => {
  const sentCode = await newMemberCode(service, OWNER_LUCIA);
  const strangerCode = await newMemberCode(service, newPhone());
  const customerCode = await newCode(service, OWNER_LUCIA);
  const otherMerchant = { ...sentCode, merchant: OTHER_MERCHANT };
  const loginInputs = [toWrongCode(sentCode), strangerCode, otherMerchant, customerCode];
  const details = new Set<string>();
  for (const loginInput of loginInputs) {
    const response = await service.post('/merchant/auth/otp/login', loginInput, { key: TILL_KEY });
    assertRefused(response, 401, 'invalid_credentials');
    details.add(response.body.detail);
  }
  assert.equal(details.size, 1, 'all refusals have the same detail');
  const correctLogin = await service.post('/merchant/auth/otp/login', sentCode, { key: TILL_KEY });
  assert.equal(correctLogin.status, 200, correctLogin.text);
  const repeatedResponse = await service.post('/merchant/auth/otp/login', sentCode, { key: TILL_KEY });
  assertRefused(repeatedResponse, 401, 'invalid_credentials');
});

test('requesting a customer code does not use up the limit of member codes for the same phone', async () => {
  const phone = newPhone();
  const addressOptions = newIpAddressOptions();
  const requestCode = (path: string, key: string) =>
    service.post(path, { phone }, { ...addressOptions, key });
  assert.equal((await requestCode('/wallet/auth/otp', 'sandbox-demo-key')).status, 202);
  assertRefused(await requestCode('/wallet/auth/otp', 'sandbox-demo-key'), 429, 'otp_too_soon');
  assert.equal((await requestCode('/merchant/auth/otp', TILL_KEY)).status, 202);
  assertRefused(await requestCode('/merchant/auth/otp', TILL_KEY), 429, 'otp_too_soon');
});

test('a refresh token works once; a second use and a logout end the session', async () => {
  const login = await logInMember(service, OWNER_LUCIA);
  const refresh = (refresh_token: string) =>
    service.post('/merchant/auth/refresh', { refresh_token }, { key: TILL_KEY });
  const nextResponse = await refresh(login.refresh_token);
  assert.equal(nextResponse.status, 200, nextResponse.text);
  assert.equal(nextResponse.body.member.phone, OWNER_LUCIA);
  assertRefused(await refresh(login.refresh_token), 401, 'token_invalid');
  assertRefused(
    await service.get('/merchant/me', buildTillOptions(nextResponse.body.token)),
    401,
    'token_invalid',
  );

  const otherLogin = await logInMember(service, OWNER_LUCIA);
  const logoutInput = { refresh_token: otherLogin.refresh_token };
  assert.equal((await service.post('/merchant/auth/logout', logoutInput, { key: TILL_KEY })).status, 204);
  assertRefused(await service.get('/merchant/me', buildTillOptions(otherLogin.token)), 401, 'token_invalid');
});

test('tokens of customers are refused for members, and vice versa', async () => {
  const member = await logInMember(service, OWNER_LUCIA);
  const customer = await logIn(service, ANA);
  assertRefused(await service.get('/wallet/me', { token: member.token }), 401, 'token_invalid');
  const otherKey = await service.newKey({ scopes: ['till'] });
  const refusedResponse = await service.get('/merchant/me', { key: otherKey.secret, token: customer.token });
  assertRefused(refusedResponse, 401, 'token_invalid');
  for (const [path, refresh_token, key] of [
    ['/wallet/auth/refresh', member.refresh_token, 'sandbox-demo-key'],
    ['/merchant/auth/refresh', customer.refresh_token, TILL_KEY],
  ] as const)
    assertRefused(await service.post(path, { refresh_token }, { key }), 401, 'token_invalid');
  assertRefused(
    await service.get('/merchant/me', { key: otherKey.secret, token: member.token }),
    403,
    'token_partner_mismatch',
  );
});

test('a till key without a token can only log in under /merchant/', async () => {
  const memberEndpoints = service.endpoints.partner.filter(
    ({ access }) => access !== 'open' && access.memberRole !== undefined,
  );
  assert.ok(memberEndpoints.length > 15, 'the endpoints are found');
  for (const { method, url } of memberEndpoints) {
    const response = await service.call(method, url.replace(/:\w+/g, 'anything'), {
      key: TILL_KEY,
      ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
    });
    assertRefused(response, 401, 'token_missing');
  }
  assert.equal((await service.get('/events', { key: TILL_KEY })).body.code, 'scope_missing');
});

test('a member of several merchants can choose one and switch; the previous session ends', async () => {
  const phone = newPhone();
  for (const slug of [BAKERY, OTHER_MERCHANT]) {
    assert.equal((await addMember(slug, { name: 'Iara', phone, role: 'owner' })).status, 201);
    service.clock.advance(1_000);
  }
  const firstLogin = await logInMember(service, phone);
  assert.equal(firstLogin.merchant.slug, BAKERY);
  assert.deepEqual(
    firstLogin.merchants.map(({ slug }: { slug: string }) => slug),
    [BAKERY, OTHER_MERCHANT],
  );
  const switchTo = (merchant: string, token: string) =>
    service.post('/merchant/auth/switch', { merchant }, buildTillOptions(token));
  const secondResponse = await switchTo(OTHER_MERCHANT, firstLogin.token);
  assert.equal(secondResponse.body.merchant.slug, OTHER_MERCHANT, secondResponse.text);
  assertRefused(await service.get('/merchant/me', buildTillOptions(firstLogin.token)), 401, 'token_invalid');
  assert.equal((await switchTo('agropet-chapadao', secondResponse.body.token)).status, 404);
  const otherLogin = await logInMember(service, phone, { merchant: OTHER_MERCHANT });
  assert.equal(otherLogin.merchant.slug, OTHER_MERCHANT);
});

test('owners can add, change and remove members of their own merchant only', async () => {
  const owner = await newMember();
  const phone = newPhone();
  const memberInput = { name: 'Davi', phone, role: 'clerk', max_amount: 50 };
  const addResponse = await service.post('/merchant/members', memberInput, buildTillOptions(owner.token));
  assert.equal(addResponse.status, 201, addResponse.text);
  const { id } = addResponse.body;
  assert.deepEqual([addResponse.body.max_amount, addResponse.body.may_return], [50, false]);
  assertRefused(
    await service.post('/merchant/members', memberInput, buildTillOptions(owner.token)),
    409,
    'member_exists',
  );
  const trailResponse = await service.staff(
    'GET',
    `/admin/audit-trail?subject=member:${addResponse.body.id}`,
    {
      key: OPERATOR_KEY,
    },
  );
  assert.match(
    trailResponse.body.data[0].actor_name,
    /^\S+ \S\*\*\*/,
    'the audit trail has the masked name of the actor',
  );

  const listResponse = await service.get('/merchant/members', buildTillOptions(owner.token));
  assert.ok(listResponse.body.data.some((item: { id: string }) => item.id === id));

  const path = `/merchant/members/${id}`;
  const patch = { max_amount: null, may_return: true };
  const changeResponse = await service.call('PATCH', path, { ...buildTillOptions(owner.token), body: patch });
  assert.deepEqual(
    [changeResponse.body.max_amount, changeResponse.body.may_return],
    [null, true],
    changeResponse.text,
  );

  const clerk = await logInMember(service, phone);
  for (const [method, url] of [
    ['GET', '/merchant/members'],
    ['POST', '/merchant/members'],
    ['PATCH', path],
    ['DELETE', path],
  ] as const) {
    const refusedResponse = await service.call(method, url, {
      ...buildTillOptions(clerk.token),
      ...(method === 'POST' && { body: memberInput }),
      ...(method === 'PATCH' && { body: patch }),
    });
    assert.equal(refusedResponse.body.code, 'role_missing', `${method} ${url}`);
    assert.match(refusedResponse.body.detail, /'owner'/);
  }
  const otherMerchantOwner = await newMember(OTHER_MERCHANT);
  assert.equal((await service.call('DELETE', path, buildTillOptions(otherMerchantOwner.token))).status, 404);
  const refusedPatch = await service.call('PATCH', path, {
    ...buildTillOptions(otherMerchantOwner.token),
    body: patch,
  });
  assert.equal(refusedPatch.status, 404);
  assert.equal((await service.call('DELETE', path, buildTillOptions(owner.token))).status, 204);
  assert.equal((await service.call('DELETE', path, buildTillOptions(owner.token))).status, 404);
});

test('removing a member ends their sessions on every node, and they cannot log in again', async () => {
  const otherNode = await service.startNode();
  const owner = await newMember();
  const clerk = await newMember(BAKERY, { role: 'clerk' });
  const getMe = (node: typeof otherNode) => node.get('/merchant/me', buildTillOptions(clerk.token));
  assert.equal((await getMe(otherNode)).status, 200);
  const removeResponse = await service.call(
    'DELETE',
    `/merchant/members/${clerk.id}`,
    buildTillOptions(owner.token),
  );
  assert.equal(removeResponse.status, 204, removeResponse.text);
  assertRefused(await getMe(service), 401, 'token_invalid');
  await assertSoonRefused(() => getMe(otherNode), 401, 'token_invalid');
  const refreshInput = { refresh_token: clerk.refresh_token };
  const refreshResponse = await otherNode.post('/merchant/auth/refresh', refreshInput, { key: TILL_KEY });
  assertRefused(refreshResponse, 401, 'token_invalid');
  const sentCode = await newMemberCode(service, clerk.phone);
  const loginResponse = await service.post('/merchant/auth/otp/login', sentCode, { key: TILL_KEY });
  assertRefused(loginResponse, 401, 'invalid_credentials');
});

test('409 last_owner: the first member must be an owner, the last owner cannot be removed or demoted, and two owners cannot remove each other', async () => {
  const slug = 'agropet-chapadao';
  assertRefused(await addMember(slug, { name: 'A', phone: newPhone(), role: 'clerk' }), 409, 'last_owner');
  const owner = await newMember(slug);
  const path = `/merchant/members/${owner.id}`;
  assertRefused(await service.call('DELETE', path, buildTillOptions(owner.token)), 409, 'last_owner');
  const demoteResponse = await service.call('PATCH', path, {
    ...buildTillOptions(owner.token),
    body: { role: 'clerk' },
  });
  assertRefused(demoteResponse, 409, 'last_owner');
  const staffResponse = await service.staff('DELETE', `/admin/merchants/${slug}/members/${owner.id}`, {
    key: OPERATOR_KEY,
  });
  assertRefused(staffResponse, 409, 'last_owner');
  const otherOwner = await newMember(slug);
  const responses = await Promise.all([
    service.call('DELETE', `/merchant/members/${otherOwner.id}`, buildTillOptions(owner.token)),
    service.call('DELETE', path, buildTillOptions(otherOwner.token)),
  ]);
  const successfulResponses = responses.filter(({ status }) => status === 204);
  assert.equal(successfulResponses.length, 1, responses.map(({ text }) => text).join());
});

test('staff can list, add and remove members according to their role, and the audit trail has no names', async () => {
  const member = await newMember(BAKERY, { role: 'clerk', max_amount: 120.5 });
  const path = `/admin/merchants/${BAKERY}/members`;
  const { key: viewerKey } = await newStaffUser(service, 'Vera', 'viewer');
  const maskedMember = (await service.staff('GET', path, { key: viewerKey })).body.data.find(
    ({ id }: { id: string }) => id === member.id,
  );
  assert.notEqual(maskedMember.name, 'Rita Lemos');
  assert.notEqual(maskedMember.phone, member.phone);
  assert.equal(maskedMember.max_amount, 120.5);
  const refusedResponse = await service.staff('DELETE', `${path}/${member.id}`, { key: viewerKey });
  assert.equal(refusedResponse.body.code, 'role_missing');
  const removeResponse = await service.staff('DELETE', `${path}/${member.id}`, { key: OPERATOR_KEY });
  assert.equal(removeResponse.status, 204, removeResponse.text);
  assertRefused(await service.get('/merchant/me', buildTillOptions(member.token)), 401, 'token_invalid');
  const allMembersResponse = await service.staff('GET', `${path}?removed=true`, { key: OPERATOR_KEY });
  assert.equal(
    allMembersResponse.body.data.find(({ id }: { id: string }) => id === member.id).status,
    'removed',
  );
  const trailResponse = await service.staff('GET', `/admin/audit-trail?subject=member:${member.id}`, {
    key: OPERATOR_KEY,
  });
  assert.equal(trailResponse.body.data.length, 2);
  assert.ok(
    !trailResponse.text.includes(member.phone) && !trailResponse.text.includes('Lemos'),
    trailResponse.text,
  );
  const unknownMerchantResponse = await service.staff('GET', '/admin/merchants/nenhuma/members', {
    key: OPERATOR_KEY,
  });
  assert.equal(unknownMerchantResponse.status, 404);
});

test('commands add, list and remove members; removing one requires --yes', async () => {
  const run = createCommandRunner(service);
  const phone = newPhone();
  const output = await run(
    'merchants members create',
    BAKERY,
    '--name',
    'Bia',
    '--phone',
    phone,
    '--role',
    'clerk',
  );
  const [id] = output.match(/mbr_\w+/)!;
  assert.match(await run('merchants members list', BAKERY), /Bia/);
  await assert.rejects(
    run('merchants members create', 'nenhuma', '--name', 'B', '--phone', phone, '--role', 'owner'),
  );
  await assert.rejects(run('merchants members delete', BAKERY, id!), /--yes/);
  await run('merchants members delete', BAKERY, id!, '--yes');
  assert.doesNotMatch(await run('merchants members list', BAKERY), /Bia/);
});

test('names and phones are encrypted; the phone of a removed member is erased after 90 days, the name is not', async () => {
  const clerk = await newMember(BAKERY, { role: 'clerk' });
  const storedText = await service.db.value<string>(
    sql`select member::text from members member where id = ${clerk.id}`,
  );
  assert.ok(!storedText!.includes('Rita') && !storedText!.includes(clerk.phone.slice(-8)));
  await service.staff('DELETE', `/admin/merchants/${BAKERY}/members/${clerk.id}`, { key: OPERATOR_KEY });
  const readMember = async () =>
    (
      await service.staff('GET', `/admin/merchants/${BAKERY}/members?removed=true`, { key: OPERATOR_KEY })
    ).body.data.find(({ id }: { id: string }) => id === clerk.id);
  service.clock.advance(89 * DAY_MS);
  await service.runHousekeeping();
  assert.equal((await readMember()).phone, clerk.phone);
  service.clock.advance(2 * DAY_MS);
  await service.runHousekeeping();
  const { name, phone } = await readMember();
  assert.deepEqual([name, phone], ['Rita Lemos', 'apagado']);
});

test('the demo clerk has a maximum amount and may not accept returns', async () => {
  const { member } = await logInMember(service, CLERK_TEO);
  assert.deepEqual([member.role, member.max_amount, member.may_return], ['clerk', 300, false]);
});
