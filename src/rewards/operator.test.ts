import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#core/values/duration.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner, runCli } from '../../test/commands.ts';
import { openService } from '../../test/harness.ts';
import { newCpf, newPhone, OPERATOR_KEY } from '../../test/purchase-driver.ts';
import { createCashbackDriver, summarizeLines } from '../../test/support/cashback-driver.ts';
import { createModuleEvents, readConfiguration } from '../modules.ts';
import { adjustCashback } from './cashback-account.ts';

const service = await openService();
const cashbackDriver = createCashbackDriver(service);

const run = createCommandRunner(service);
const adjust = (customer: string, amount: string, reason: string, ...options: string[]) =>
  run('cashback adjust', customer, '--amount', amount, '--reason', reason, '--yes', ...options);

test('cashback adjust: credits and debits with a reason shown to the customer, and prints the balance', async () => {
  const customer = await cashbackDriver.createCustomer();
  assert.equal(await adjust(customer.phone, 'R$ 5,50', 'Desculpe'), '5.50');
  assert.equal(await adjust(customer.id, '-2,25', 'Engano'), '3.25');
  const statement = await cashbackDriver.getStatement(customer);
  assert.deepEqual(summarizeLines(statement), [
    ['adjusted', -2.25, 3.25],
    ['adjusted', 5.5, 5.5],
  ]);
  assert.deepEqual(
    statement.data.map(({ description }: { description: string }) => description),
    ['Ajuste: Engano', 'Ajuste: Desculpe'],
  );
  assert.equal((await cashbackDriver.getBalance(customer)).lifetime_earned, 0, 'adjustments are not earned');
  assert.deepEqual(await cashbackDriver.readBalances(customer.id), {
    cashback_expense: 325,
    cashback_owed: -325,
  });
});

test('cashback adjust: debits at most the balance, even concurrently', async () => {
  const customer = await cashbackDriver.createCustomer();
  await adjust(customer.id, '5', 'x');
  await assert.rejects(
    adjust(customer.id, '-5.01', 'x'),
    /The customer has 5\.00, and no more can be taken\./,
  );
  assert.equal((await cashbackDriver.getBalance(customer)).available, 5);
  const context = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
  const debit = () =>
    customerTransaction(service.db, customer.id, (tx) =>
      adjustCashback(
        tx,
        { customer: customer.id, amountCents: -3_00, reason: 'x', reference: null },
        context,
      ),
    );
  const attempts = await Promise.allSettled([debit(), debit()]);
  assert.deepEqual(attempts.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal((await cashbackDriver.getBalance(customer)).available, 2);
});

test('cashback adjust: a reference is applied once per customer', async () => {
  const customer = await cashbackDriver.createCustomer();
  const reference = ['--reference', 'T-1'];
  assert.equal(await adjust(customer.id, '5', 'x', ...reference, '--idempotency-key', 'ticket-1'), '5.00');
  assert.equal(await adjust(customer.id, '5', 'x', ...reference, '--idempotency-key', 'ticket-1'), '5.00');
  await assert.rejects(
    adjust(customer.phone, '6', 'x', ...reference),
    /'T-1' was already used for this customer/,
  );
  service.clock.advance(25 * HOUR_MS); // Idempotency keys are stored for 24 hours, references permanently.
  await assert.rejects(
    adjust(customer.id, '5', 'x', ...reference),
    /'T-1' was already used for this customer/,
  );
  assert.equal((await cashbackDriver.getBalance(customer)).available, 5);
});

test('cashback adjust: refuses missing options, invalid amounts and unknown customers; without --yes nothing changes', async () => {
  const customer = await cashbackDriver.createCustomer();
  await assert.rejects(run('cashback adjust', '--amount', '5'), /ID is missing; --reason is missing/);
  for (const amount of ['0', '0.00', '-0', '1e3', '5.001', '100000.01', 'NaN', '-'])
    await assert.rejects(adjust(customer.id, amount, 'x'), /amount/, amount);
  await assert.rejects(adjust('+5511900000000', '5', 'x'), /no such customer/);
  const unconfirmedRun = run('cashback adjust', customer.id, '--amount', '5', '--reason', 'x');
  await assert.rejects(unconfirmedRun, /adjusts the cashback of cus_\w+ by 5\.00\. Use --yes to confirm/);
  assert.equal((await cashbackDriver.getBalance(customer)).available, 0);
});

test('customers create --referral-code: records the invitation; an unknown code creates no customer', async () => {
  const referrer = await cashbackDriver.createCustomer();
  const code = await cashbackDriver.getReferralCode(referrer);
  const create = (referralCode: string) => {
    const personOptions = ['--name', 'Fábio Rocha', '--phone', newPhone(), '--email', 'fabio@example.com'];
    return run('customers create', ...personOptions, '--cpf', newCpf(), '--referral-code', referralCode);
  };
  await create(code.toLowerCase());
  const { invitations } = await cashbackDriver.getReferral(referrer);
  const [invitation] = invitations;
  assert.deepEqual([invitation.name, invitation.status], ['Fábio R***', 'registered']);
  const countCustomers = () => service.db.row(sql`select count(*) from customers`);
  const countBefore = await countCustomers();
  await assert.rejects(create('AAAAAAAA'), /The referral code 'AAAAAAAA' is unknown\./);
  assert.deepEqual(await countCustomers(), countBefore);
});

test('referrals create: records an invitation later, or explains why it is not allowed', async () => {
  const referrer = await cashbackDriver.createCustomer();
  const customer = await cashbackDriver.createCustomer();
  const code = await cashbackDriver.getReferralCode(referrer);
  const create = (customerId: string) => run('referrals create', '--customer', customerId, '--code', code);
  assert.equal(await create(customer.phone), `${customer.id} was invited by ${referrer.id}.`);
  assert.equal((await cashbackDriver.getReferral(referrer)).summary.invited, 1);
  await assert.rejects(create(customer.id), /already has a referrer/);
  await assert.rejects(create('nobody'), /'nobody'/);
});

test('cashback get prints the balance; cashback list prints the lines as the customer sees them', async () => {
  const customer = await cashbackDriver.createCustomer();
  await cashbackDriver.buyAndPay(customer);
  assert.match(await run('cashback get', customer.phone), /available +5\.00\n[\s\S]*pending +0\.00/);
  assert.match(
    await run('cashback list', '--customer', customer.phone),
    /earned .*5\.00 .*Parcela 1 de 1 paga em dia/,
  );
});

test('semana audit includes cashback', async () => {
  const { code, stdout, stderr } = await runCli(['audit'], { DATABASE_URL: service.databaseUrl });
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /cashback_owed/);
  assert.match(stdout, /everything agrees/);
});

test('staff API: balances, adjustments with a reason, invitations, and events', async () => {
  const callStaffApi = (method: string, path: string, body?: unknown, headers = {}) =>
    service.staff(method, path, { key: OPERATOR_KEY, headers, ...(body !== undefined && { body }) });
  const customer = await cashbackDriver.createCustomer();
  const postAdjustment = (body: object, headers = {}) =>
    callStaffApi('POST', `/admin/cashback/${customer.id}/adjust`, body, headers);
  const adjustment = { amount: 7.5, reason: 'Desculpe' };
  const creditResponse = await postAdjustment(adjustment, { 'idempotency-key': 'adjust-1' });
  assert.deepEqual([creditResponse.status, creditResponse.body.available], [201, 7.5], creditResponse.text);
  assert.deepEqual(
    (await postAdjustment(adjustment, { 'idempotency-key': 'adjust-1' })).body,
    creditResponse.body,
  );
  const excessResponse = await postAdjustment({ amount: -8, reason: 'x' });
  assert.deepEqual([excessResponse.status, excessResponse.body.code], [422, 'cashback_too_little']);
  assert.equal((await postAdjustment({ amount: 0, reason: 'x' })).status, 400);
  service.clock.advance(1_000); // Entries are listed by time.
  assert.equal((await postAdjustment({ amount: -2.5, reason: 'Engano' })).body.available, 5);
  const getResponse = await callStaffApi('GET', `/admin/cashback/${encodeURIComponent(customer.phone)}`);
  assert.deepEqual([getResponse.body.customer_id, getResponse.body.available], [customer.id, 5]);
  const { body: lines } = await callStaffApi('GET', `/admin/cashback?customer=${customer.id}&kind=adjusted`);
  assert.deepEqual(
    lines.data.map(({ amount }: { amount: number }) => amount),
    [-2.5, 7.5],
  );
  assert.match(await run('cashback list', '--customer', customer.phone), /Ajuste: Engano/);
  await adjust(customer.id, '1', 'Por comando');
  const { body: trail } = await callStaffApi('GET', `/admin/audit-trail?subject=cashback:${customer.id}`);
  assert.deepEqual(
    trail.data.map((entry: { action: string; reason: string; after: { available: number } }) => [
      entry.action,
      entry.reason,
      entry.after.available,
    ]),
    [
      ['adjustCashback', 'Por comando', 6],
      ['adjustCashback', 'Engano', 5],
      ['adjustCashback', 'Desculpe', 7.5],
    ],
  );

  const invitedCustomer = await cashbackDriver.createCustomer();
  const referral = { customer: invitedCustomer.phone, code: await cashbackDriver.getReferralCode(customer) };
  const addResponse = await callStaffApi('POST', '/admin/referrals', referral);
  assert.deepEqual(
    [addResponse.status, addResponse.body.referrer_id, addResponse.body.status],
    [201, customer.id, 'registered'],
  );
  assert.equal((await callStaffApi('POST', '/admin/referrals', referral)).body.code, 'already_invited');
  assert.deepEqual(
    (await callStaffApi('GET', `/admin/referrals/${invitedCustomer.id}`)).body,
    addResponse.body,
  );
  await cashbackDriver.buyAndPay(invitedCustomer);
  const { body: rewardedPage } = await callStaffApi(
    'GET',
    `/admin/referrals?referrer=${customer.id}&status=rewarded`,
  );
  assert.deepEqual([rewardedPage.data[0].invited_id, rewardedPage.data[0].reward], [invitedCustomer.id, 20]);
  const customerInvitedLater = await cashbackDriver.createCustomer();
  await run('referrals create', '--customer', customerInvitedLater.id, '--code', referral.code);
  assert.match(
    await run('referrals list', '--referrer', customer.id, '--status', 'registered'),
    new RegExp(customerInvitedLater.id),
  );
  const { body: referralTrail } = await callStaffApi(
    'GET',
    `/admin/audit-trail?subject=referral:${customerInvitedLater.id}`,
  );
  assert.equal(referralTrail.data[0].action, 'addReferral');

  const { body: events } = await callStaffApi(
    'GET',
    `/admin/events?customer=${customer.id}&type=referral.rewarded`,
  );
  assert.deepEqual([events.pagination.total, events.data[0].customer_id], [1, customer.id]);
  const { hash } = await cashbackDriver.buyAndPay(customer);
  const { body: eventPage } = await callStaffApi('GET', `/admin/events?checkout=${hash}&sort=oldest`);
  assert.equal(eventPage.data[0].type, 'checkout.created');
  const csv = await callStaffApi('GET', `/admin/events?checkout=${hash}&csv=plain`);
  assert.equal(csv.text.trimEnd().split('\r\n').length, eventPage.pagination.total + 1);
  assert.match(await run('events list', '--checkout', hash), /checkout\.created/);
});
