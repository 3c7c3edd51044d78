/** Changes of the payout account by owners of the merchant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { omit } from '#platform/omit.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { enqueueTask, eventually, openService } from '../../test/harness.ts';
import { logInMember, newMemberCode, TILL_KEY } from '../../test/members.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  listMessages,
  newCode,
  newPhone,
  OPERATOR_KEY,
  openSessionFor,
  toWrongCode,
} from '../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const run = createCommandRunner(service);
const OWN_ACCOUNT_PATH = '/merchant/payout-account';
/** After this time a phone can get another code. */
const CODE_INTERVAL_MS = MINUTE_MS;
const OLD_ACCOUNT = { pix_key: 'velha@loja.example', holder_name: 'Loja Ltda', tax_id: '11222333000181' };
const NEW_ACCOUNT = {
  pix_key: 'nova@loja.example',
  holder_name: 'Loja Nova Ltda',
  tax_id: '11.222.333/0001-81',
};
const NEW_ACCOUNT_STORED = { ...NEW_ACCOUNT, tax_id: '11222333000181' };

let merchantCount = 0;

/** Creates a merchant for one test, with two owners and a clerk. */
async function createMerchantWithMembers() {
  const slug = `loja-conta-${++merchantCount}`;
  await service.db.run(sql`
    insert into merchants (slug, name, name_key, category_slug) values (${slug}, 'Loja', ${slug}, 'padarias')`);
  const addMember = async (role: string) => {
    const phone = newPhone();
    const body = { name: 'Rita Lemos', phone, role };
    const options = { key: OPERATOR_KEY, body };
    const addResponse = await service.staff('POST', `/admin/merchants/${slug}/members`, options);
    assert.equal(addResponse.status, 201, addResponse.text);
    const { token } = await logInMember(service, phone);
    return { id: addResponse.body.id as string, phone, options: { key: TILL_KEY, token } };
  };
  const [owner, secondOwner, clerk] = [
    await addMember('owner'),
    await addMember('owner'),
    await addMember('clerk'),
  ];
  const accountPath = `/admin/merchants/${slug}/payout-account`;
  const callStaffApi = (method: string, path: string, body?: object) =>
    service.staff(method, path, { key: OPERATOR_KEY, ...(body && { body }) });
  assert.equal((await callStaffApi('PUT', accountPath, OLD_ACCOUNT)).status, 200);
  return {
    slug,
    owner,
    secondOwner,
    clerk,
    accountPath,
    callStaffApi,
    /** Requests the change with a new code that is sent to the owner's phone. */
    async requestChange(accountInput: object = NEW_ACCOUNT, member = owner) {
      const codeFields = omit(await newMemberCode(service, member.phone), 'phone');
      return service.call('PUT', OWN_ACCOUNT_PATH, {
        ...member.options,
        body: { ...accountInput, ...codeFields },
      });
    },
    getAccount: async () => (await callStaffApi('GET', accountPath)).body,
  };
}

const countMessages = async (phone: string, text: RegExp) =>
  (await listMessages(service, phone)).filter((message: { text: string }) => text.test(message.text)).length;
const waitForMessage = (phone: string, text: RegExp) =>
  eventually(`${phone} gets a message ${text}`, async () => (await countMessages(phone, text)) > 0);
const waitForPixKey = (merchant: { getAccount: () => Promise<{ pix_key: string }> }, key: string) =>
  eventually(`the key is ${key}`, async () => (await merchant.getAccount()).pix_key === key);

test('a change by an owner takes effect after 24 hours, and all owners are notified twice', async () => {
  const merchant = await createMerchantWithMembers();
  const requestResponse = await merchant.requestChange();
  assert.equal(requestResponse.status, 200, requestResponse.text);
  const { asked_at, counts_at, ...requestedAccount } = requestResponse.body.change;
  assert.deepEqual(requestedAccount, NEW_ACCOUNT_STORED);
  assert.equal(Date.parse(counts_at) - Date.parse(asked_at), DAY_MS);
  assert.equal(requestResponse.body.pix_key, OLD_ACCOUNT.pix_key);
  assert.deepEqual(
    (await service.get(OWN_ACCOUNT_PATH, merchant.secondOwner.options)).body,
    requestResponse.body,
  );
  assert.deepEqual(await merchant.getAccount(), requestResponse.body);
  // The message has the last four characters of the key.
  for (const { phone } of [merchant.owner, merchant.secondOwner])
    await waitForMessage(phone, /pediram.*final mple/);
  assert.equal(await countMessages(merchant.clerk.phone, /pediram/), 0);
  service.clock.advance(DAY_MS - MINUTE_MS);
  await enqueueTask(service, 'payout_accounts_sweep');
  assert.equal((await merchant.getAccount()).pix_key, OLD_ACCOUNT.pix_key);
  service.clock.advance(MINUTE_MS);
  // Concurrent sweeps apply and record the change once.
  await service.db.run(
    sql`select graphile_worker.add_job('payout_accounts_sweep') from generate_series(1, 8)`,
  );
  await waitForPixKey(merchant, NEW_ACCOUNT.pix_key);
  await eventually('the sweeps have ended', async () => {
    const pendingJobs = sql`select from graphile_worker.jobs where task_identifier = 'payout_accounts_sweep'`;
    return (await service.db.rows(pendingJobs)).length === 0;
  });
  assert.deepEqual(await merchant.getAccount(), { ...NEW_ACCOUNT_STORED, change: null });
  for (const { phone } of [merchant.owner, merchant.secondOwner])
    await waitForMessage(phone, /agora vão para/);
  const trailResponse = await merchant.callStaffApi(
    'GET',
    `/admin/audit-trail?subject=payout_account:${merchant.slug}`,
  );
  assert.deepEqual(
    trailResponse.body.data.map(({ actor, action }: Record<string, unknown>) => [actor, action]),
    [
      ['semana', 'applyPayoutAccountChange'],
      [merchant.owner.id, 'changeOwnPayoutAccount'],
      [trailResponse.body.data.at(-1).actor, 'setPayoutAccount'], // by the operator's key; its id is not compared
    ],
  );
});

test('422 code_wrong: a change needs a fresh code of the owner, and a code works once', async () => {
  const merchant = await createMerchantWithMembers();
  const put = (body: object) => service.call('PUT', OWN_ACCOUNT_PATH, { ...merchant.owner.options, body });
  const ownersCode = await newMemberCode(service, merchant.owner.phone);
  const codeFields = omit(ownersCode, 'phone');
  const codeOfOtherOwner = await newMemberCode(service, merchant.secondOwner.phone);
  const customerCode = await newCode(service, merchant.owner.phone);
  for (const { challenge_id, code } of [toWrongCode(ownersCode), codeOfOtherOwner, customerCode]) {
    assert.equal((await put({ ...NEW_ACCOUNT, challenge_id, code })).body.code, 'code_wrong');
  }
  assert.equal((await put(NEW_ACCOUNT)).status, 400);
  assert.equal((await merchant.getAccount()).change, null);
  assert.equal((await put({ ...NEW_ACCOUNT, ...codeFields })).status, 200);
  assert.equal((await put({ ...OLD_ACCOUNT, ...codeFields })).body.code, 'code_wrong');
  assert.equal((await merchant.getAccount()).change.pix_key, NEW_ACCOUNT.pix_key);
});

test('400: an invalid tax id does not use up the code', async () => {
  const merchant = await createMerchantWithMembers();
  const codeFields = omit(await newMemberCode(service, merchant.owner.phone), 'phone');
  const put = (tax_id: string) =>
    service.call('PUT', OWN_ACCOUNT_PATH, {
      ...merchant.owner.options,
      body: { ...NEW_ACCOUNT, ...codeFields, tax_id },
    });
  assert.equal((await put('11222333000182')).body.errors[0].pointer, '/tax_id');
  assert.equal((await put(NEW_ACCOUNT.tax_id)).status, 200);
});

test('a pending change that the operator cancels or overrides never takes effect', async () => {
  const merchant = await createMerchantWithMembers();
  const cancelChange = () => merchant.callStaffApi('DELETE', `${merchant.accountPath}/change`);
  assert.equal((await cancelChange()).body.code, 'no_account_change');
  await merchant.requestChange();
  const cancelResponse = await cancelChange();
  assert.equal(cancelResponse.status, 200, cancelResponse.text);
  assert.deepEqual(cancelResponse.body, { ...OLD_ACCOUNT, change: null });

  service.clock.advance(CODE_INTERVAL_MS);
  await merchant.requestChange();
  await run('merchants payout-account change delete', merchant.slug, '--yes');
  assert.equal((await merchant.getAccount()).change, null);

  service.clock.advance(CODE_INTERVAL_MS);
  await merchant.requestChange();
  const thirdAccount = { ...OLD_ACCOUNT, pix_key: 'terceira@loja.example' };
  assert.deepEqual((await merchant.callStaffApi('PUT', merchant.accountPath, thirdAccount)).body, {
    ...thirdAccount,
    change: null,
  });
  service.clock.advance(2 * DAY_MS);
  await enqueueTask(service, 'payout_accounts_sweep');
  await waitForMessage(merchant.owner.phone, /agora vão para/);
  assert.equal((await merchant.getAccount()).pix_key, thirdAccount.pix_key);
  assert.equal(
    (await merchant.callStaffApi('DELETE', '/admin/merchants/nenhuma/payout-account/change')).status,
    404,
  );
});

test('an owner cancels a change by sending the current account; another change restarts the 24 hours', async () => {
  const merchant = await createMerchantWithMembers();
  await merchant.requestChange();
  assert.equal((await merchant.requestChange(OLD_ACCOUNT, merchant.secondOwner)).body.change, null);
  service.clock.advance(CODE_INTERVAL_MS);
  const { owner } = merchant;
  // A token is valid for minutes.
  owner.options.token = (await logInMember(service, owner.phone)).token;
  service.clock.advance(CODE_INTERVAL_MS);
  const firstChange = (await merchant.requestChange()).body.change;
  service.clock.advance(DAY_MS / 2);
  owner.options.token = (await logInMember(service, owner.phone)).token;
  service.clock.advance(CODE_INTERVAL_MS);
  const otherChange = (await merchant.requestChange({ ...NEW_ACCOUNT, pix_key: 'outra@loja.example' })).body
    .change;
  assert.ok(Date.parse(otherChange.counts_at) > Date.parse(firstChange.counts_at));
});

test('an owner who was just removed is notified as well', async () => {
  const merchant = await createMerchantWithMembers();
  const removeResponse = await service.call(
    'DELETE',
    `/merchant/members/${merchant.secondOwner.id}`,
    merchant.owner.options,
  );
  assert.equal(removeResponse.status, 204);
  assert.equal((await merchant.requestChange()).status, 200);
  await waitForMessage(merchant.secondOwner.phone, /pediram/);
});

test('a payout keeps the account that was in effect when it was created', async () => {
  const merchant = await createMerchantWithMembers();
  await merchant.requestChange();
  const createPayout = async (hash: string) => {
    await service.db.run(sql`
      insert into merchant_lines
        (merchant_id, merchant_slug, merchant_name, id, kind, amount_cents, due_on, checkout_hash, occurred_at)
      select id, slug, name, ${`mln_${hash}`}, 'sale', 1000, '2026-01-01', ${hash}, now()
      from merchants where slug = ${merchant.slug}`);
    assert.equal((await merchant.callStaffApi('POST', '/admin/payouts', {})).status, 201);
  };
  const listPixKeys = async () => {
    const { body } = await merchant.callStaffApi('GET', `/admin/payouts?merchant=${merchant.slug}`);
    return body.data.map(({ pix_key }: { pix_key: string }) => pix_key).toSorted();
  };
  await createPayout('duringTheChange0000000');
  assert.deepEqual(await listPixKeys(), [OLD_ACCOUNT.pix_key]);
  assert.equal((await merchant.callStaffApi('PUT', merchant.accountPath, NEW_ACCOUNT)).status, 200);
  await createPayout('afterTheChange00000000');
  assert.deepEqual(await listPixKeys(), [NEW_ACCOUNT.pix_key, OLD_ACCOUNT.pix_key]);
});

test('clerks, the merchant’s server, customers, removed owners and requests without a token can neither read nor change the account', async () => {
  const merchant = await createMerchantWithMembers();
  const { token } = await openSessionFor(service, ANA);
  const { secret } = await service.newKey({
    scopes: ['merchant'],
    merchant_id: (await service.db.row<{ id: number }>(
      sql`select id from merchants where slug = ${merchant.slug}`,
    ))!.id,
  });
  await service.call('DELETE', `/merchant/members/${merchant.secondOwner.id}`, merchant.owner.options);
  const codeFields = { challenge_id: 'otp_00000000000000000000000000', code: '000000' };
  for (const method of ['GET', 'PUT']) {
    const send = (options: object) =>
      service.call(method, OWN_ACCOUNT_PATH, {
        ...options,
        ...(method === 'PUT' && { body: { ...NEW_ACCOUNT, ...codeFields } }),
      });
    assertRefused(await send(merchant.clerk.options), 403, 'role_missing');
    assertRefused(await send({ key: TILL_KEY }), 401, 'token_missing');
    assertRefused(await send({ key: TILL_KEY, token }), 401, 'token_invalid');
    assertRefused(await send(merchant.secondOwner.options), 401, 'token_invalid');
    assertRefused(await send({ key: secret }), 403, 'scope_missing');
  }
});
