import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addDays, saoPauloDay } from '#core/values/day.ts';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createCommandRunner } from '../../test/commands.ts';
import { eventually, openService } from '../../test/harness.ts';
import { createOfferDriver } from '../../test/offer-driver.ts';
import { createPurchaseDriver, MERCHANT } from '../../test/purchase-driver.ts';
import {
  CAUTIOUS_POLICY,
  createCreditDriver,
  type SignedUpCustomer,
} from '../../test/support/credit-driver.ts';
import {
  ANA,
  assertRefused,
  BEHIND_PROXY,
  getMe,
  listMessages,
  logIn,
  openSessionFor,
} from '../../test/support/customers.ts';

const service = await openService(BEHIND_PROXY);
const { callStaff, getCredit, listDecisions, publishOverdueEvents, setPolicy, signUp } =
  createCreditDriver(service);
const driver = createPurchaseDriver(service);
const { accept, createOffer, getOffer } = await createOfferDriver(service);
service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday
const FIRST_LIMIT_REASON = 'This is the first limit, the same for everyone.';
const RELAXED_POLICY = { ...CAUTIOUS_POLICY, first_limit: 500, growth: [], rules: {}, signals: {} };

const logInAgain = (customer: SignedUpCustomer) => openSessionFor(service, customer);
const logInAndGetCredit = async (customer: SignedUpCustomer) => getCredit((await logInAgain(customer)).token);

/** Advances the clock by a second and buys at the bakery by accepting an offer. Returns the checkout. */
async function buy(customer: SignedUpCustomer, amount: number, installments = 1) {
  service.clock.advance(1_000);
  const { id } = await createOffer(customer.phone, { amount, installments });
  const { token } = await logInAgain(customer);
  const response = await accept(id, token);
  assert.equal(response.status, 201, response.text);
  return response.body;
}

/** Buys, and pays on the due day. Returns the checkout. */
async function buyAndPayOnTime(customer: SignedUpCustomer, amount: number) {
  const checkout = await buy(customer, amount);
  service.clock.advance(7 * DAY_MS);
  await payAll(customer, checkout);
  return checkout;
}

type Checkout = { hash: string; installments: Array<{ id: string; amount: number }> };

async function payAll(customer: SignedUpCustomer, checkout: Checkout) {
  service.clock.advance(1_000);
  for (const { id, amount } of checkout.installments) await driver.pay(customer.id, id, amount);
}

test('a sign-up gets the first limit; the decision is stored with facts and policy version, without names', async () => {
  const customer = await signUp();
  assert.equal(customer.limit, 500);
  const [{ customer_name, ...decision }, ...otherDecisions] = await listDecisions(customer.id);
  assert.deepEqual(otherDecisions, []);
  assert.match(customer_name, /^Elisa/, 'the list adds the name');
  const { id, decided_at, facts, ...otherFields } = decision;
  assert.match(id, /^dec_/);
  assert.deepEqual(otherFields, {
    customer_id: customer.id,
    moment: 'signup',
    outcome: 'approved',
    limit: 500,
    reasons: ['first_limit'],
    policy_version: 1,
    offer_id: null,
    shadow_outcome: null,
    answered_by: null,
    answered_at: null,
    answer_reason: null,
  });
  assert.equal(facts.age_years, 36);
  assert.ok(!JSON.stringify(decision).includes('Elisa'));
  const { reasons, next_step, ...credit } = await getCredit(customer.token);
  assert.deepEqual(credit, {
    limit: 500,
    used: 0,
    available: 500,
    blocked_by: null,
    offered: null,
    review: null,
  });
  assert.deepEqual(reasons, [FIRST_LIMIT_REASON]);
  assert.ok(next_step);
});

test('an approved acceptance is stored with its offer', async () => {
  const customer = await signUp();
  await buy(customer, 100);
  const [decision] = await listDecisions(customer.id);
  assert.deepEqual([decision.moment, decision.outcome, decision.facts.amount], ['accept', 'approved', 100]);
  assert.equal(decision.facts.merchant, MERCHANT);
});

test('concurrent acceptances never exceed the limit', async () => {
  const customer = await signUp();
  const offers = await Promise.all([
    createOffer(customer.phone, { amount: 300 }),
    createOffer(customer.phone, { amount: 300 }),
  ]);
  const responses = await Promise.all(offers.map(({ id }) => accept(id, customer.token)));
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 422]);
  assert.equal((await getCredit(customer.token)).available, 200, '500 minus one purchase of 300');
});

test('an offer in review stays pending until a reviewer approves it; events and message are sent once', async () => {
  await setPolicy({
    policy: { ...RELAXED_POLICY, rules: { offers_hour: { review: 2, declined: 9 } } },
  });
  const customer = await signUp();
  await buy(customer, 50);
  const { id } = await createOffer(customer.phone, { amount: 60 });
  for (let i = 0; i < 3; i++) assertRefused(await accept(id, customer.token), 409, 'credit_review');
  assert.equal((await getOffer(id)).status, 'pending');
  const listResponse = await callStaff(
    'GET',
    `/admin/credit-decisions?outcome=review&customer=${customer.id}`,
  );
  assert.equal(listResponse.body.pagination.total, 1);
  const [{ customer_name, ...review }] = listResponse.body.data;
  assert.ok(customer_name, 'the list has the customer name');
  const today = saoPauloDay(Date.parse(review.decided_at));
  for (const [query, total] of [
    [`moment=accept&from=${today}&to=${today}`, 2],
    ['moment=signup', 1],
    [`from=${addDays(today, 1)}`, 0],
    [`to=${addDays(today, -1)}`, 0],
  ]) {
    const { body } = await callStaff('GET', `/admin/credit-decisions?customer=${customer.id}&${query}`);
    assert.equal(body.pagination.total, total, String(query));
  }
  assert.deepEqual([review.moment, review.offer_id, review.reasons], ['accept', id, ['offers_hour']]);
  const creditInReview = await getCredit(customer.token);
  assert.ok(creditInReview.review);
  assert.deepEqual([creditInReview.available, creditInReview.blocked_by], [0, 'review']);
  const listEvents = () =>
    service.db.rows<{ type: string }>(
      sql`select type from events where customer_id = ${customer.id} and type like 'credit.%' order by position`,
    );
  assert.deepEqual(await listEvents(), [{ type: 'credit.review' }]);

  assert.deepEqual((await callStaff('GET', `/admin/credit-decisions/${review.id}`)).body, review);
  assert.ok((await callStaff('GET', '/admin/today')).body.waiting.reviews > 0);
  const approve = () => callStaff('POST', `/admin/credit-decisions/${review.id}/approve`);
  const approval = await approve();
  assert.equal(approval.status, 200, approval.text);
  assert.equal(approval.body.outcome, 'approved');
  assertRefused(await approve(), 409, 'decision_closed');
  await eventually('the result is sent once', async () => {
    const texts = (await listMessages(service, customer.phone)).map(({ text }) => text);
    return texts.filter((text) => text.includes('uma pessoa analisou')).length === 1;
  });
  assert.deepEqual(await listEvents(), [{ type: 'credit.review' }, { type: 'credit.decided' }]);
  assert.equal((await accept(id, customer.token)).status, 201);
});

test('accepting an offer that a reviewer declined is refused with reasons and a hint to request a review', async () => {
  const customer = await signUp();
  await buy(customer, 50);
  service.clock.advance(1_000);
  const { id } = await createOffer(customer.phone, { amount: 60 });
  assertRefused(await accept(id, customer.token), 409, 'credit_review');
  const [review] = await listDecisions(customer.id);
  const path = `/admin/credit-decisions/${review.id}/decline`;
  assertRefused(await callStaff('POST', path, {}), 400, 'validation_failed');
  assert.equal((await callStaff('POST', path, { reason: 'Não confere' })).status, 200);
  const refusal = assertRefused(await accept(id, customer.token), 409, 'credit_declined');
  assert.deepEqual(refusal.reasons, ['declined_by_person']);
  assert.match(refusal.detail, /request a manual review/);
  assert.equal((await getOffer(id)).status, 'pending');
});

test('the cap of a merchant limits the debt there, even if the customer’s limit is not used up', async () => {
  await setPolicy({
    policy: { ...RELAXED_POLICY, merchant_caps: [{ merchant: MERCHANT, limit: 100 }] },
  });
  const customer = await signUp();
  await buy(customer, 60);
  const { id } = await createOffer(customer.phone, { amount: 40.01 });
  assert.deepEqual(assertRefused(await accept(id, customer.token), 409, 'credit_declined').reasons, [
    'merchant_cap',
  ]);
  await buy(customer, 40);
});

test('a higher limit is offered when a purchase is paid, and takes effect when the customer accepts it', async () => {
  const growth = [
    { paid_on_time: 1, paid_amount: 50, limit: 600 },
    { paid_on_time: 2, paid_amount: 50, limit: 750 },
  ];
  await setPolicy({ policy: { ...RELAXED_POLICY, growth } });
  const customer = await signUp();
  const acceptLimit = async () =>
    service.post('/wallet/credit/accept', undefined, { token: (await logInAgain(customer)).token });
  assertRefused(await acceptLimit(), 409, 'nothing_offered');
  for (let i = 0; i < 3; i++) await payAll(customer, await buy(customer, 100, 2));
  assert.equal(
    (await logInAndGetCredit(customer)).offered,
    null,
    'purchases paid within a week do not count',
  );
  await buyAndPayOnTime(customer, 100);
  const credit = await logInAndGetCredit(customer);
  assert.deepEqual([credit.limit, credit.offered], [500, 600]);
  assert.equal((await getMe(service, (await logInAgain(customer)).token)).body.credit.limit, 500);
  const responses = await Promise.all([acceptLimit(), acceptLimit()]);
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409]);
  const [decision] = await listDecisions(customer.id);
  assert.deepEqual([decision.moment, decision.limit, decision.reasons], ['growth', 600, ['paid_on_time']]);
  const secondCheckout = await buyAndPayOnTime(customer, 100);
  const newCredit = await logInAndGetCredit(customer);
  assert.deepEqual([newCredit.limit, newCredit.offered], [600, null], 'one step in 30 days');
  service.clock.advance(21 * DAY_MS); // more than 30 days since the first step, with the purchases before and after
  const thirdCheckout = await buyAndPayOnTime(customer, 100);
  assert.equal((await logInAndGetCredit(customer)).offered, 750);

  for (const { hash } of [secondCheckout, thirdCheckout]) await driver.returnWithoutPsp(customer.id, hash);
  const laterCredit = await logInAndGetCredit(customer);
  assert.deepEqual([laterCredit.limit, laterCredit.offered], [600, null], 'the offered limit lapses');
});

test('a return or a chargeback of a purchase lowers a limit that the purchase had raised', async () => {
  const growth = [{ paid_on_time: 1, paid_amount: 50, limit: 750 }];
  await setPolicy({ policy: { ...RELAXED_POLICY, growth } });
  for (const kind of ['return', 'chargeback']) {
    const customer = await signUp();
    const { hash, installments } = await buy(customer, 100);
    service.clock.advance(7 * DAY_MS);
    const { reference } = await driver.pay(customer.id, installments[0].id, 100);
    const { token } = await logInAgain(customer);
    assert.equal((await service.post('/wallet/credit/accept', undefined, { token })).body.limit, 750);
    service.clock.advance(1_000);
    if (kind === 'return') await driver.returnWithoutPsp(customer.id, hash, 1);
    else assert.ok(await driver.chargeBack(customer.id, installments[0].id, reference));
    const credit = await logInAndGetCredit(customer);
    assert.deepEqual([credit.limit, credit.offered, credit.reasons], [500, null, [FIRST_LIMIT_REASON]], kind);
  }
});

test('twelve purchases that are paid immediately and all returned do not raise the limit, and no higher limit is offered', async () => {
  const { policy } = (await callStaff('GET', '/admin/credit-policy')).body;
  await setPolicy({ policy: { ...CAUTIOUS_POLICY, rules: {}, signals: {} } });
  const customer = await signUp();
  const boughtHashes: string[] = [];
  for (let i = 0; i < 12; i++) {
    service.clock.advance(15 * MINUTE_MS);
    const checkout = await buy(customer, 140, 2);
    await payAll(customer, checkout);
    boughtHashes.push(checkout.hash);
  }
  const readLimits = async () => {
    const { limit, offered } = await logInAndGetCredit(customer);
    return [limit, offered];
  };
  assert.deepEqual(await readLimits(), [150, null]);
  for (const hash of boughtHashes) await driver.returnWithoutPsp(customer.id, hash);
  assert.deepEqual(await readLimits(), [150, null]);
  await setPolicy({ policy });
});

test('an overdue installment lowers the limit to the amount in use; the limit is restored once no installment is late', async () => {
  const customer = await signUp();
  await buyAndPayOnTime(customer, 100);
  // The policy of an earlier test offers 750 after one purchase.
  assert.equal((await logInAndGetCredit(customer)).offered, 750);
  const { installments } = await buy(customer, 120, 2);
  service.clock.advance(9 * DAY_MS);
  await publishOverdueEvents(customer.id);
  const credit = await logInAndGetCredit(customer);
  assert.deepEqual([credit.limit, credit.used, credit.offered], [120, 120, null]);
  assert.deepEqual(credit.reasons, ['An installment is late.']);
  const { token } = await logInAgain(customer);
  for (const { available, blocked_by } of [credit, (await getMe(service, token)).body.credit])
    assert.deepEqual([available, blocked_by], [0, 'overdue']);
  assertRefused(await service.post('/wallet/credit/accept', undefined, { token }), 409, 'nothing_offered');
  const [decision] = await listDecisions(customer.id);
  assert.deepEqual([decision.moment, decision.outcome, decision.limit], ['late', 'declined', 120]);

  service.clock.advance(1_000);
  await driver.pay(customer.id, installments[0].id, 59);
  assert.equal((await logInAndGetCredit(customer)).limit, 120);
  await driver.pay(customer.id, installments[0].id, 3);
  const newCredit = await logInAndGetCredit(customer);
  // The first installment of 60.00 cost more with penalties than 59.00, and less than 62.00. The second one is still owed.
  assert.deepEqual([newCredit.available, newCredit.blocked_by], [440, null]);
  assert.deepEqual([newCredit.limit, newCredit.reasons], [500, ['You have paid your purchases on time.']]);
  const [{ moment, outcome, facts }] = await listDecisions(customer.id);
  assert.deepEqual([moment, outcome, facts.limit_before_late], ['late', 'approved', 500]);
});

test('the policy neither lowers nor raises a limit that staff have set', async () => {
  const customer = await signUp();
  const patchResponse = await callStaff('PATCH', `/admin/customers/${customer.id}`, {
    credit_limit: 900,
  });
  assert.equal(patchResponse.status, 200, patchResponse.text);
  assert.deepEqual(
    await service.db.rows(
      sql`select data from events where customer_id = ${customer.id} and type = 'credit.limit_changed'`,
    ),
    [{ data: { limit: 900, offered: null } }],
  );
  await payAll(customer, await buy(customer, 100));
  await buy(customer, 120);
  service.clock.advance(9 * DAY_MS);
  await publishOverdueEvents(customer.id);
  const { token } = await logInAgain(customer);
  const credit = await getCredit(token);
  assert.deepEqual([credit.limit, credit.offered], [900, null]);
  assert.deepEqual(
    (await listDecisions(customer.id)).map(({ moment }: { moment: string }) => moment),
    ['accept', 'accept', 'signup'],
  );
  const ana = await logIn(service, ANA);
  assert.equal((await getCredit(ana.token)).limit, (await getMe(service, ana.token)).body.credit.limit);
});

test('a customer can have one pending review, and the limit that the reviewer chose takes effect', async () => {
  const customer = await signUp();
  const requestReview = () => service.post('/wallet/credit/review', undefined, { token: customer.token });
  service.clock.advance(1_000);
  const [firstResponse, repeatedResponse] = [await requestReview(), await requestReview()];
  assert.deepEqual([firstResponse.status, repeatedResponse.status], [201, 200]);
  assert.equal(firstResponse.body.id, repeatedResponse.body.id);
  const path = `/admin/credit-decisions/${firstResponse.body.id}/approve`;
  assertRefused(await callStaff('POST', path, { limit: 10.005 }), 400, 'validation_failed');
  const answerResponse = await callStaff('POST', path, { limit: 620.5 });
  assert.equal(answerResponse.status, 200, answerResponse.text);
  assert.deepEqual([answerResponse.body.moment, answerResponse.body.limit], ['review', 620.5]);
  const credit = await getCredit(customer.token);
  assert.deepEqual([credit.limit, credit.reasons], [620.5, ['A person has approved it.']]);
  service.clock.advance(1_000);
  const { id } = (await requestReview()).body;
  const reason = 'A renda não foi comprovada.';
  assert.equal((await callStaff('POST', `/admin/credit-decisions/${id}/decline`, { reason })).status, 200);
  assert.deepEqual((await getCredit(customer.token)).reasons, ['A person has declined it.', reason]);
});

test('setting a policy reports all errors together, checks the ETag, and increases the version', async () => {
  const path = '/admin/credit-policy';
  const previousResponse = await callStaff('GET', path);
  const invalidPolicy = {
    ...CAUTIOUS_POLICY,
    first_limit: 1.001,
    late: [
      { days: 9, keep_percent: 50 },
      { days: 3, keep_percent: 60 },
    ],
  };
  const response = await callStaff('PUT', path, { policy: invalidPolicy });
  const refusal = assertRefused(response, 400, 'validation_failed');
  assert.deepEqual(
    refusal.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/policy/first_limit', '/policy/late/1/days', '/policy/late/1/keep_percent'],
  );
  assertRefused(
    await callStaff('PUT', path, { policy: { ...CAUTIOUS_POLICY, luck: 1 } }),
    400,
    'validation_failed',
  );
  assertRefused(await callStaff('PUT', path, {}), 400, 'validation_failed');
  const ifMatch = { 'if-match': previousResponse.headers.get('etag')! };
  const updateResponse = await callStaff('PUT', path, { policy: CAUTIOUS_POLICY }, ifMatch);
  assert.equal(updateResponse.status, 200, updateResponse.text);
  assert.deepEqual(
    [updateResponse.body.version, updateResponse.body.policy],
    [previousResponse.body.version + 1, CAUTIOUS_POLICY],
  );
  assert.match(updateResponse.body.set_by, /^stf_/);
  const staleResponse = await callStaff('PUT', path, { policy: RELAXED_POLICY }, ifMatch);
  assertRefused(staleResponse, 412, 'changed_meanwhile');
  assert.deepEqual((await callStaff('GET', path)).body, updateResponse.body);
  const [newestVersion] = (await callStaff('GET', '/admin/credit-policy/versions')).body.data;
  assert.deepEqual([newestVersion.role, newestVersion.set_by_name], ['force', 'Demo admin']);
  const policies = await Promise.all([1, 2].map(() => setPolicy({ policy: RELAXED_POLICY })));
  assert.equal(new Set([...policies.map(({ version }) => version), updateResponse.body.version]).size, 3);
});

test('a shadow policy is evaluated without effect, and its figures show the difference', async () => {
  const shadow = { ...RELAXED_POLICY, rules: { offers_hour: { declined: 1 } } };
  const { version } = (await setPolicy({ policy: RELAXED_POLICY, shadow })).shadow;
  const customer = await signUp();
  await payAll(customer, await buy(customer, 80));
  const [decision] = await listDecisions(customer.id);
  assert.deepEqual([decision.outcome, decision.shadow_outcome], ['approved', 'declined']);
  const { body } = await callStaff('GET', '/admin/credit-policy');
  assert.equal(body.shadow.version, version);
  // The decisions are the sign-up, with the same outcome, and the purchase of 80.00, which the shadow policy declines.
  assert.deepEqual(body.shadow.figures, {
    decisions: 2,
    same: 1,
    changes: [{ from: 'approved', to: 'declined', moment: 'accept', decisions: 1, limit_difference: 0 }],
    refused: { purchases: 1, sold: 80, paid: 80, late: 0, written_off: 0 },
  });
  assert.equal((await setPolicy({ shadow: null })).shadow, null);
});

test('evaluating a policy on past decisions returns the differences and the refused purchases', async () => {
  const evaluation = await callStaff('POST', '/admin/credit-policy/try', {
    policy: { ...RELAXED_POLICY, rules: { age_years: { declined: 40 } } },
  });
  assert.equal(evaluation.status, 200, evaluation.text);
  const signups = evaluation.body.changes.find(({ moment }: { moment: string }) => moment === 'signup');
  assert.deepEqual([signups.from, signups.to], ['approved', 'declined']);
  assert.ok(signups.limit_difference < 0);
  assert.ok(evaluation.body.refused.sold >= evaluation.body.refused.paid);
  assert.ok(evaluation.body.refused.paid > 0);
  const changedCount = evaluation.body.changes.reduce(
    (count: number, { decisions }: { decisions: number }) => count + decisions,
    0,
  );
  assert.equal(evaluation.body.same + changedCount, evaluation.body.decisions);
  const wrongResponse = await callStaff('POST', '/admin/credit-policy/try', {
    policy: { ...RELAXED_POLICY, decline_weight: 1 },
  });
  assertRefused(wrongResponse, 400, 'validation_failed');
});

test('a policy is evaluated on the newest 10,000 decisions only', async () => {
  const customer = await signUp();
  // Inserts in steps, because a statement has a time limit and machines may be busy.
  for (let firstNumber = 1; firstNumber <= 10_001; firstNumber += 1_000)
    await service.db.run(sql`
    insert into credit_decisions (customer_id, id, moment, outcome, decided, limit_cents, decided_limit_cents, reasons, policy_version,
                                  facts, decided_at)
    select ${customer.id}, 'dec_bulk' || n, 'accept', 'approved', 'approved', 50000, 50000, '{within_policy}', 1,
           jsonb_build_object('moment', 'accept', 'limit', 500, 'owed', 0, 'offers_hour', n % 10),
           ${service.clock.now()}::timestamptz + interval '1 hour'
    from generate_series(${firstNumber}::int, least(${firstNumber}::int + 999, 10001)) as n`);
  const policy = { ...RELAXED_POLICY, rules: { offers_hour: { declined: 9 } } };
  const { body } = await callStaff('POST', '/admin/credit-policy/try', { policy });
  // A tenth of the decisions have nine offers in an hour.
  assert.deepEqual([body.decisions, body.same], [10_000, 9_000]);
  await service.db.run(sql`delete from credit_decisions where id like 'dec_bulk%'`);
});

test('commands update, get and evaluate the policy, and list, approve and decline decisions', async (t) => {
  const run = createCommandRunner(service);
  const policyFile = join(tmpdir(), `policy-${process.pid}.json`);
  t.after(() => rm(policyFile));
  await writeFile(policyFile, JSON.stringify(RELAXED_POLICY));
  const updatePolicy = () => run('credit-policy update', '--policy', `@${policyFile}`, '--yes');
  assert.match(await updatePolicy(), /^Version \d+ is in force/);
  assert.match(await run('credit-policy get', '--json'), /"first_limit":500/);
  assert.match(await run('credit-policy try', '--policy', `@${policyFile}`), /decisions/i);
  await writeFile(policyFile, JSON.stringify({ ...RELAXED_POLICY, first_limit: 'much' }));
  await assert.rejects(updatePolicy(), /first-limit/);
  await writeFile(policyFile, JSON.stringify({ ...RELAXED_POLICY, decline_weight: 1 }));
  await assert.rejects(updatePolicy(), /decline-weight/);
  const customer = await signUp();
  const requestResponse = await service.post('/wallet/credit/review', undefined, { token: customer.token });
  assert.match(
    await run('credit-decisions list', '--outcome', 'review'),
    new RegExp(requestResponse.body.id),
  );
  assert.equal(await run('credit-decisions list', '--to', '2020-01-01'), 'There are none.');
  const approve = ['credit-decisions approve', requestResponse.body.id, '--limit', '321,50'] as const;
  await assert.rejects(run(...approve), /Use --yes to confirm/);
  await run(...approve, '--yes');
  assert.equal((await getCredit(customer.token)).limit, 321.5);
  const secondResponse = await service.post('/wallet/credit/review', undefined, { token: customer.token });
  await run('credit-decisions decline', secondResponse.body.id, '--reason', 'Não');
});
