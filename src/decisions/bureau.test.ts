import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cpf, parseCpf } from '#core/cpf.ts';
import { DAY_MS, HOUR_MS } from '#core/duration.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { openStall } from '../../test/stall.ts';
import { BEHIND_PROXY, enter } from '../../test/support/customers.ts';
import { CAUTIOUS, openBank } from '../../test/support/decisions.ts';

const env = {
  ...BEHIND_PROXY.env,
  CREDIT_POLICY: 'cautious',
  DEFAULT_CREDIT_LIMIT: '150.00',
  BUREAU_TIMEOUT: '1',
};
const service = await openService({ env });
const bank = openBank(service);
const { accept, offerTo } = await openStall(service);

/** A CPF by which the simulator knows how to behave. */
function cpfThat(digit: number, last: number): Cpf {
  const nine = `0000000${digit}${last}`;
  const all = Array.from({ length: 100 }, (_, i) => parseCpf(nine + String(i).padStart(2, '0')));
  return all.find((cpf) => cpf !== null)!;
}

async function decided(cpf: Cpf) {
  const by = await bank.signUp({ cpf });
  const [{ outcome, reasons, facts }] = await bank.decisions(by.id);
  return { by, outcome, reasons, facts };
}

const reports = async (customerId: string) =>
  service.db.rows<{ score: number; consent: string }>(
    sql`select score, consent from bureau_reports where customer_id = ${customerId} order by asked_at`,
  );

test('a good answer approves, and is kept with the consent under which it was asked', async () => {
  const by = await bank.signUp();
  assert.equal(by.limit, 150);
  const [{ facts }] = await bank.decisions(by.id);
  assert.deepEqual([facts.bureau_score, facts.bureau_cpf_irregular], [700, 0]);
  assert.deepEqual(await reports(by.id), [{ score: 700, consent: '2026-11' }]);
});

test('a bad score and an irregular CPF decline, a poor score is for a person', async () => {
  const low = await decided(cpfThat(1, 1));
  assert.deepEqual([low.outcome, low.reasons, low.by.limit], ['declined', ['bureau_score'], 0]);
  const irregular = await decided(cpfThat(2, 1));
  assert.deepEqual([irregular.outcome, irregular.reasons], ['declined', ['bureau_cpf_irregular']]);
  const poor = await decided(cpfThat(6, 1));
  assert.deepEqual([poor.outcome, poor.reasons], ['review', ['bureau_score']]);
});

test('away, slow or nonsense is for a person, never a 500, and nothing is kept of it', async () => {
  for (const digit of [3, 4, 5]) {
    const { by, outcome, reasons } = await decided(cpfThat(digit, 2));
    assert.deepEqual(
      [outcome, reasons],
      ['review', ['bureau_score_unknown', 'bureau_cpf_irregular_unknown']],
    );
    assert.deepEqual(await reports(by.id), []);
  }
});

test('what it said counts for so many days, and then it is asked again, once for a decision', async () => {
  await bank.setPolicy({ policy: { ...CAUTIOUS, bureau_days: 30 } });
  const by = await bank.signUp();
  const buy = async () => {
    const { token } = await enter(service, { phone: by.phone, password: '' });
    const { id } = await offerTo(by.phone, { amount: 20, installments: 1 });
    return accept(id, token);
  };
  assert.equal((await buy()).status, 201);
  assert.equal((await reports(by.id)).length, 1);
  service.clock.advance(2 * HOUR_MS);
  await service.db.run(sql`
    update bureau_reports set asked_at = ${new Date(service.clock.now().getTime() - 31 * DAY_MS)}
    where customer_id = ${by.id}`);
  const again = await buy();
  assert.equal(again.status, 201, again.text);
  assert.equal((await reports(by.id)).length, 2);
  assert.equal((await bank.decisions(by.id))[0].facts.bureau_score, 700);
  assert.equal((await buy()).status, 201);
  assert.equal((await reports(by.id)).length, 2);
  service.clock.advance(DAY_MS);
});
