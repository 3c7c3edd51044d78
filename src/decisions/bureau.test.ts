import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cpf, parseCpf } from '#core/values/cpf.ts';
import { DAY_MS, HOUR_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { createOfferDriver } from '../../test/offer-driver.ts';
import { CAUTIOUS_POLICY, createCreditDriver } from '../../test/support/credit-driver.ts';
import { BEHIND_PROXY, openSessionFor } from '../../test/support/customers.ts';

const env = {
  ...BEHIND_PROXY.env,
  CREDIT_POLICY: 'cautious',
  DEFAULT_CREDIT_LIMIT: '150.00',
  BUREAU_TIMEOUT: '1',
};
const service = await openService({ env });
const creditDriver = createCreditDriver(service);
const { accept, createOffer } = await createOfferDriver(service);

/** The digits of a CPF that select a report of the simulator: see sandbox-bureau-reports.ts. */
const REPORT_DIGITS = { score120: 1, suspendedCpf: 2, slow: 3, unavailable: 4, malformed: 5, score320: 6 };

/** The score in the simulator's report for any other CPF. */
const GOOD_SCORE = 700;

let cpfCount = 0;

/** Builds a new CPF for which the simulator returns the selected report. */
function newCpfWithReport(reportDigit: number): Cpf {
  const firstDigits = `0000000${reportDigit}${++cpfCount % 10}`;
  // One of the hundred check digits is valid.
  const candidates = Array.from({ length: 100 }, (_, i) =>
    parseCpf(firstDigits + String(i).padStart(2, '0')),
  );
  return candidates.find((cpf) => cpf !== null)!;
}

async function signUpAndDecide(cpf: Cpf) {
  const customer = await creditDriver.signUp({ cpf });
  const [{ outcome, reasons, facts }] = await creditDriver.listDecisions(customer.id);
  return { customer, outcome, reasons, facts };
}

const listReports = async (customerId: string) =>
  service.db.rows<{ score: number; consent: string }>(
    sql`select score, consent from bureau_reports where customer_id = ${customerId} order by asked_at`,
  );

test('a good report approves the sign-up, and is stored with the consent of the customer', async () => {
  const customer = await creditDriver.signUp();
  assert.equal(customer.limit, 150);
  const [{ facts }] = await creditDriver.listDecisions(customer.id);
  assert.deepEqual([facts.bureau_score, facts.bureau_cpf_irregular], [GOOD_SCORE, 0]);
  const acceptedTerms = '2026-11';
  assert.deepEqual(await listReports(customer.id), [{ score: GOOD_SCORE, consent: acceptedTerms }]);
});

test('a bad score and an irregular CPF are declined, a poor score needs a review', async () => {
  const lowScoreSignUp = await signUpAndDecide(newCpfWithReport(REPORT_DIGITS.score120));
  assert.deepEqual(
    [lowScoreSignUp.outcome, lowScoreSignUp.reasons, lowScoreSignUp.customer.limit],
    ['declined', ['bureau_score'], 0],
  );
  const irregularCpfSignUp = await signUpAndDecide(newCpfWithReport(REPORT_DIGITS.suspendedCpf));
  assert.deepEqual(
    [irregularCpfSignUp.outcome, irregularCpfSignUp.reasons],
    ['declined', ['bureau_cpf_irregular']],
  );
  const poorScoreSignUp = await signUpAndDecide(newCpfWithReport(REPORT_DIGITS.score320));
  assert.deepEqual([poorScoreSignUp.outcome, poorScoreSignUp.reasons], ['review', ['bureau_score']]);
});

test('an unavailable, slow or malformed bureau leads to a review, never to a 500, and no report is stored', async () => {
  const { slow, unavailable, malformed } = REPORT_DIGITS;
  for (const digit of [slow, unavailable, malformed]) {
    const { customer, outcome, reasons } = await signUpAndDecide(newCpfWithReport(digit));
    assert.deepEqual(
      [outcome, reasons],
      ['review', ['bureau_score_unknown', 'bureau_cpf_irregular_unknown']],
    );
    assert.deepEqual(await listReports(customer.id), []);
  }
});

test('a report is valid for bureau_days; then a new report is requested, once per decision', async () => {
  await creditDriver.setPolicy({ policy: { ...CAUTIOUS_POLICY, bureau_days: 30 } });
  const customer = await creditDriver.signUp();
  const buy = async () => {
    const { token } = await openSessionFor(service, customer);
    const { id } = await createOffer(customer.phone, { amount: 20, installments: 1 });
    return accept(id, token);
  };
  assert.equal((await buy()).status, 201);
  assert.equal((await listReports(customer.id)).length, 1);
  service.clock.advance(2 * HOUR_MS);
  await service.db.run(sql`
    update bureau_reports set asked_at = ${new Date(service.clock.now().getTime() - 31 * DAY_MS)}
    where customer_id = ${customer.id}`);
  const repeatedResponse = await buy();
  assert.equal(repeatedResponse.status, 201, repeatedResponse.text);
  assert.equal((await listReports(customer.id)).length, 2);
  assert.equal((await creditDriver.listDecisions(customer.id))[0].facts.bureau_score, GOOD_SCORE);
  assert.equal((await buy()).status, 201);
  assert.equal((await listReports(customer.id)).length, 2);
  service.clock.advance(DAY_MS);
});

test('no report is requested if no policy uses it, neither at a sign-up nor for a purchase in review', async () => {
  const { bureau_score, bureau_cpf_irregular, ...rules } = CAUTIOUS_POLICY.rules;
  const customer = await creditDriver.signUp();
  assert.equal((await listReports(customer.id)).length, 1);
  await creditDriver.setPolicy({
    policy: { ...CAUTIOUS_POLICY, rules: { ...rules, offers_hour: { review: 1, declined: 9 } } },
  });
  const otherCustomer = await creditDriver.signUp();
  assert.equal(otherCustomer.limit, 150);
  assert.deepEqual(await listReports(otherCustomer.id), []);
  const [{ facts }] = await creditDriver.listDecisions(otherCustomer.id);
  assert.ok(!('bureau_score' in facts));
  await service.db.run(sql`update bureau_reports set asked_at = asked_at - interval '100 days'`);
  const { token } = await openSessionFor(service, customer);
  const { id } = await createOffer(customer.phone, { amount: 20, installments: 1 });
  assert.equal((await accept(id, token)).body.code, 'credit_review');
  assert.equal((await listReports(customer.id)).length, 1);

  await creditDriver.setPolicy({ shadow: CAUTIOUS_POLICY });
  assert.equal(
    (await listReports((await creditDriver.signUp()).id)).length,
    1,
    'a shadow policy uses it too',
  );
});
