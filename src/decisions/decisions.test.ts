import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addDays, saoPauloDay } from '#core/day.ts';
import { DAY_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { commandRunner } from '../../test/commands.ts';
import { eventually, openService } from '../../test/harness.ts';
import { MERCHANT, openShop } from '../../test/shop.ts';
import { assertRefused, openStall } from '../../test/stall.ts';
import { ANA, BEHIND_PROXY, enter, logIn, me, messagesTo } from '../../test/support/customers.ts';
import { CAUTIOUS, openBank, type SignedUp } from '../../test/support/decisions.ts';

const service = await openService(BEHIND_PROXY);
const bank = openBank(service);
const shop = openShop(service);
const { accept, offerTo, show } = await openStall(service);
service.clock.set('2027-03-01T15:00:00.000Z'); // a Monday
const RELAXED = { ...CAUTIOUS, first_limit: 500, growth: [], rules: {}, signals: {} };

/** Buys at the bakery by an offer, a second later; returns the checkout. */
async function buy(by: SignedUp, amount: number, installments = 1) {
  service.clock.advance(1_000);
  const { id } = await offerTo(by.phone, { amount, installments });
  const answer = await accept(id, by.token);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function payAll(by: SignedUp, checkout: { installments: Array<{ id: string; amount: number }> }) {
  service.clock.advance(1_000);
  for (const { id, amount } of checkout.installments) await shop.pay(by.id, id, amount);
}

test('a sign-up gets the first limit; the decision is kept with its facts and version, and without names', async () => {
  const by = await bank.signUp();
  assert.equal(by.limit, 500);
  const [{ customer_name, ...decision }, ...others] = await bank.decisions(by.id);
  assert.deepEqual(others, []);
  assert.match(customer_name, /^Elisa/, 'looked up as it is listed');
  const { id, decided_at, facts, ...rest } = decision;
  assert.match(id, /^dec_/);
  assert.deepEqual(rest, {
    customer_id: by.id,
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
  const credit = await bank.credit(by.token);
  assert.deepEqual(
    { ...credit, reasons: credit.reasons.length, next_step: '' },
    { limit: 500, used: 0, available: 500, offered: null, reasons: 1, next_step: '', review: null },
  );
});

test('an acceptance that is approved is kept with its offer', async () => {
  const by = await bank.signUp();
  await buy(by, 100);
  const [decision] = await bank.decisions(by.id);
  assert.deepEqual([decision.moment, decision.outcome, decision.facts.amount], ['accept', 'approved', 100]);
  assert.equal(decision.facts.merchant, MERCHANT);
});

test('two at once never exceed a limit', async () => {
  const by = await bank.signUp();
  const offers = await Promise.all([offerTo(by.phone, { amount: 300 }), offerTo(by.phone, { amount: 300 })]);
  const answers = await Promise.all(offers.map(({ id }) => accept(id, by.token)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422]);
  assert.equal((await bank.credit(by.token)).available, 200);
});

test('review: the offer waits for a person, everybody is told once, and approved it can be accepted', async () => {
  await bank.setPolicy({ policy: { ...RELAXED, rules: { offers_hour: { review: 2, declined: 9 } } } });
  const by = await bank.signUp();
  await buy(by, 50);
  const { id } = await offerTo(by.phone, { amount: 60 });
  for (let i = 0; i < 3; i++) assertRefused(await accept(id, by.token), 409, 'credit_review');
  assert.equal((await show(id)).status, 'pending');
  const queue = await bank.staff('GET', `/admin/credit-decisions?outcome=review&customer=${by.id}`);
  assert.equal(queue.body.pagination.total, 1);
  const [{ customer_name, ...waiting }] = queue.body.data;
  assert.ok(customer_name, 'the queue says who waits');
  const today = saoPauloDay(Date.parse(waiting.decided_at));
  for (const [query, total] of [
    [`moment=accept&from=${today}&to=${today}`, 2],
    ['moment=signup', 1],
    [`from=${addDays(today, 1)}`, 0],
    [`to=${addDays(today, -1)}`, 0],
  ]) {
    const { body } = await bank.staff('GET', `/admin/credit-decisions?customer=${by.id}&${query}`);
    assert.equal(body.pagination.total, total, String(query));
  }
  assert.deepEqual([waiting.moment, waiting.offer_id, waiting.reasons], ['accept', id, ['offers_hour']]);
  assert.ok((await bank.credit(by.token)).review);
  const events = () =>
    service.db.rows<{ type: string }>(
      sql`select type from events where customer_id = ${by.id} and type like 'credit.%' order by position`,
    );
  assert.deepEqual(await events(), [{ type: 'credit.review' }]);

  assert.deepEqual((await bank.staff('GET', `/admin/credit-decisions/${waiting.id}`)).body, waiting);
  assert.ok((await bank.staff('GET', '/admin/today')).body.waiting.reviews > 0);
  const approve = () => bank.staff('POST', `/admin/credit-decisions/${waiting.id}/approve`);
  const approved = await approve();
  assert.equal(approved.status, 200, approved.text);
  assert.equal(approved.body.outcome, 'approved');
  assertRefused(await approve(), 409, 'decision_closed');
  await eventually('the answer is sent, once', async () => {
    const texts = (await messagesTo(service, by.phone)).map(({ text }) => text);
    return texts.filter((text) => text.includes('uma pessoa analisou')).length === 1;
  });
  assert.deepEqual(await events(), [{ type: 'credit.review' }, { type: 'credit.decided' }]);
  assert.equal((await accept(id, by.token)).status, 201);
});

test('declined by a person, the offer is refused with the facts that counted, and the way to a person', async () => {
  const by = await bank.signUp();
  await buy(by, 50);
  service.clock.advance(1_000);
  const { id } = await offerTo(by.phone, { amount: 60 });
  assertRefused(await accept(id, by.token), 409, 'credit_review');
  const [waiting] = await bank.decisions(by.id);
  const path = `/admin/credit-decisions/${waiting.id}/decline`;
  assertRefused(await bank.staff('POST', path, {}), 400, 'validation_failed');
  assert.equal((await bank.staff('POST', path, { reason: 'Não confere' })).status, 200);
  const refused = assertRefused(await accept(id, by.token), 409, 'credit_declined');
  assert.deepEqual(refused.reasons, ['declined_by_person']);
  assert.match(refused.detail, /ask for a person/);
  assert.equal((await show(id)).status, 'pending');
});

test('a merchant’s own cap holds, whatever the limit', async () => {
  await bank.setPolicy({ policy: { ...RELAXED, merchant_caps: [{ merchant: MERCHANT, limit: 100 }] } });
  const by = await bank.signUp();
  await buy(by, 60);
  const { id } = await offerTo(by.phone, { amount: 40.01 });
  assert.deepEqual(assertRefused(await accept(id, by.token), 409, 'credit_declined').reasons, [
    'merchant_cap',
  ]);
  await buy(by, 40);
});

test('growth is offered when a purchase is paid, and counts once the customer says yes', async () => {
  const growth = [{ paid_on_time: 1, paid_amount: 50, limit: 750 }];
  await bank.setPolicy({ policy: { ...RELAXED, growth } });
  const by = await bank.signUp();
  const accepting = () => service.post('/wallet/credit/accept', undefined, { token: by.token });
  assertRefused(await accepting(), 409, 'nothing_offered');
  await payAll(by, await buy(by, 100, 2));
  const credit = await bank.credit(by.token);
  assert.deepEqual([credit.limit, credit.offered], [500, 750]);
  assert.equal((await me(service, by.token)).body.credit.limit, 500);
  const answers = await Promise.all([accepting(), accepting()]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  const taken = await bank.credit(by.token);
  assert.deepEqual([taken.limit, taken.offered], [750, null]);
  const [decision] = await bank.decisions(by.id);
  assert.deepEqual([decision.moment, decision.limit, decision.reasons], ['growth', 750, ['paid_on_time']]);
});

test('late, the limit falls at once to what is used, and what was offered lapses', async () => {
  const by = await bank.signUp();
  await payAll(by, await buy(by, 100));
  assert.equal((await bank.credit(by.token)).offered, 750);
  await buy(by, 120, 2);
  service.clock.advance(9 * DAY_MS);
  await bank.tellLate(by.id);
  const { token } = await logInAgain(by);
  const credit = await bank.credit(token);
  assert.deepEqual([credit.limit, credit.used, credit.offered], [120, 120, null]);
  assertRefused(await service.post('/wallet/credit/accept', undefined, { token }), 409, 'nothing_offered');
  const [decision] = await bank.decisions(by.id);
  assert.deepEqual([decision.moment, decision.outcome, decision.limit], ['late', 'declined', 120]);
});

const logInAgain = (by: SignedUp) => enter(service, { phone: by.phone, password: '' });

test('a limit that a person has set stays: the policy neither lowers nor raises it', async () => {
  const by = await bank.signUp();
  const patched = await bank.staff('PATCH', `/admin/customers/${by.id}`, { credit_limit: 900 });
  assert.equal(patched.status, 200, patched.text);
  await payAll(by, await buy(by, 100));
  await buy(by, 120);
  service.clock.advance(9 * DAY_MS);
  await bank.tellLate(by.id);
  const { token } = await logInAgain(by);
  const credit = await bank.credit(token);
  assert.deepEqual([credit.limit, credit.offered], [900, null]);
  assert.deepEqual(
    (await bank.decisions(by.id)).map(({ moment }: { moment: string }) => moment),
    ['accept', 'accept', 'signup'],
  );
  const ana = await logIn(service, ANA);
  assert.equal((await bank.credit(ana.token)).limit, (await me(service, ana.token)).body.credit.limit);
});

test('a customer asks for a person once, and the person’s limit counts', async () => {
  const by = await bank.signUp();
  const ask = () => service.post('/wallet/credit/review', undefined, { token: by.token });
  service.clock.advance(1_000);
  const [first, again] = [await ask(), await ask()];
  assert.deepEqual([first.status, again.status], [201, 200]);
  assert.equal(first.body.id, again.body.id);
  const path = `/admin/credit-decisions/${first.body.id}/approve`;
  assertRefused(await bank.staff('POST', path, { limit: 10.005 }), 400, 'validation_failed');
  const answered = await bank.staff('POST', path, { limit: 620.5 });
  assert.equal(answered.status, 200, answered.text);
  assert.deepEqual([answered.body.moment, answered.body.limit], ['review', 620.5]);
  const credit = await bank.credit(by.token);
  assert.deepEqual([credit.limit, credit.reasons], [620.5, ['A person has approved it.']]);
  service.clock.advance(1_000);
  const { id } = (await ask()).body;
  const reason = 'A renda não foi comprovada.';
  assert.equal((await bank.staff('POST', `/admin/credit-decisions/${id}/decline`, { reason })).status, 200);
  assert.deepEqual((await bank.credit(by.token)).reasons, ['A person has declined it.', reason]);
});

test('a policy is set with all faults at once, by finance, with versions that only grow', async () => {
  const path = '/admin/credit-policy';
  const before = await bank.staff('GET', path);
  const wrong = {
    ...CAUTIOUS,
    first_limit: 1.001,
    late: [
      { days: 9, keep_percent: 50 },
      { days: 3, keep_percent: 60 },
    ],
  };
  const refused = assertRefused(await bank.staff('PUT', path, { policy: wrong }), 400, 'validation_failed');
  assert.deepEqual(
    refused.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/policy/first_limit', '/policy/late/1/days', '/policy/late/1/keep_percent'],
  );
  assertRefused(
    await bank.staff('PUT', path, { policy: { ...CAUTIOUS, luck: 1 } }),
    400,
    'validation_failed',
  );
  assertRefused(await bank.staff('PUT', path, {}), 400, 'validation_failed');
  const set = await bank.staff(
    'PUT',
    path,
    { policy: CAUTIOUS },
    { 'if-match': before.headers.get('etag')! },
  );
  assert.equal(set.status, 200, set.text);
  assert.deepEqual([set.body.version, set.body.policy], [before.body.version + 1, CAUTIOUS]);
  assert.match(set.body.set_by, /^stf_/);
  const stale = await bank.staff(
    'PUT',
    path,
    { policy: RELAXED },
    { 'if-match': before.headers.get('etag')! },
  );
  assertRefused(stale, 412, 'changed_meanwhile');
  assert.deepEqual((await bank.staff('GET', path)).body, set.body);
  const [newest] = (await bank.staff('GET', '/admin/credit-policy/versions')).body.data;
  assert.deepEqual([newest.role, newest.set_by_name], ['force', 'Demo admin']);
  const both = await Promise.all([1, 2].map(() => bank.setPolicy({ policy: RELAXED })));
  assert.equal(new Set([...both.map(({ version }) => version), set.body.version]).size, 3);
});

test('a shadow is asked beside the policy in force, decides nothing, and its figures say what it would have cost', async () => {
  const shadow = { ...RELAXED, rules: { offers_hour: { declined: 1 } } };
  const { version } = (await bank.setPolicy({ policy: RELAXED, shadow })).shadow;
  const by = await bank.signUp();
  await payAll(by, await buy(by, 80));
  const [decision] = await bank.decisions(by.id);
  assert.deepEqual([decision.outcome, decision.shadow_outcome], ['approved', 'declined']);
  const { body } = await bank.staff('GET', '/admin/credit-policy');
  assert.equal(body.shadow.version, version);
  assert.deepEqual(body.shadow.figures, {
    decisions: 2,
    same: 1,
    changes: [{ from: 'approved', to: 'declined', moment: 'accept', decisions: 1, limit_difference: 0 }],
    refused: { purchases: 1, sold: 80, paid: 80, late: 0, written_off: 0 },
  });
  assert.equal((await bank.setPolicy({ shadow: null })).shadow, null);
});

test('a policy is tried on the past: what it would decide differently, and what that came to', async () => {
  const tried = await bank.staff('POST', '/admin/credit-policy/try', {
    policy: { ...RELAXED, rules: { age_years: { declined: 40 } } },
  });
  assert.equal(tried.status, 200, tried.text);
  const signups = tried.body.changes.find(({ moment }: { moment: string }) => moment === 'signup');
  assert.deepEqual([signups.from, signups.to], ['approved', 'declined']);
  assert.ok(signups.limit_difference < 0);
  assert.ok(tried.body.refused.sold >= tried.body.refused.paid);
  assert.ok(tried.body.refused.paid > 0);
  const sum = tried.body.changes.reduce(
    (n: number, { decisions }: { decisions: number }) => n + decisions,
    0,
  );
  assert.equal(tried.body.same + sum, tried.body.decisions);
  const wrong = await bank.staff('POST', '/admin/credit-policy/try', {
    policy: { ...RELAXED, decline_weight: 1 },
  });
  assertRefused(wrong, 400, 'validation_failed');
});

test('10,000 decisions are tried with one read of them, and no more are looked at', async () => {
  const by = await bank.signUp();
  await service.db.run(sql`
    insert into credit_decisions (customer_id, id, moment, outcome, decided, limit_cents, decided_limit_cents, reasons, policy_version,
                                  facts, decided_at)
    select ${by.id}, 'dec_bulk' || n, 'accept', 'approved', 'approved', 50000, 50000, '{within_policy}', 1,
           jsonb_build_object('moment', 'accept', 'limit', 500, 'owed', 0, 'offers_hour', n % 10),
           ${service.clock.now()}::timestamptz + interval '1 hour'
    from generate_series(1, 10001) as n`);
  const policy = { ...RELAXED, rules: { offers_hour: { declined: 9 } } };
  const { body } = await bank.staff('POST', '/admin/credit-policy/try', { policy });
  assert.deepEqual([body.decisions, body.same], [10_000, 9_000]);
  await service.db.run(sql`delete from credit_decisions where id like 'dec_bulk%'`);
});

test('the command line has the same verbs', async () => {
  const run = commandRunner(service);
  const file = join(tmpdir(), `policy-${process.pid}.json`);
  await writeFile(file, JSON.stringify(RELAXED));
  assert.match(await run('credit-policy set', file), /^Version \d+ counts/);
  assert.match(await run('credit-policy show'), /"first_limit": 500/);
  assert.match(await run('credit-policy try', file), /decisions/i);
  await writeFile(file, JSON.stringify({ ...RELAXED, first_limit: 'much' }));
  await assert.rejects(run('credit-policy set', file), /first_limit/);
  await writeFile(file, JSON.stringify({ ...RELAXED, decline_weight: 1 }));
  await assert.rejects(run('credit-policy set', file), /decline_weight/);
  const by = await bank.signUp();
  const asked = await service.post('/wallet/credit/review', undefined, { token: by.token });
  assert.match(await run('credit-decision list', '--outcome', 'review'), new RegExp(asked.body.id));
  assert.equal(await run('credit-decision list', '--to', '2020-01-01'), 'There are none.');
  assert.match(await run('credit-decision approve', asked.body.id, '--limit', '321,50'), /approved/);
  assert.equal((await bank.credit(by.token)).limit, 321.5);
  const second = await service.post('/wallet/credit/review', undefined, { token: by.token });
  assert.match(await run('credit-decision decline', second.body.id, '--reason', 'Não'), /declined/);
});
