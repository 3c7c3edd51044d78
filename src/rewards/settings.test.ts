import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createValidConfigReader } from '#platform/config.ts';
import { ConfigErrors } from '#platform/settings.ts';
import { type RewardsSettings, rewardsSettings } from './settings.ts';

const rewards = { settings: rewardsSettings };
const readSettings = (env: Record<string, string>) =>
  createValidConfigReader(env, [rewards]).readSettings(rewards) as RewardsSettings;

function getErrors(env: Record<string, string>): string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigErrors);
    return error.errors.filter((message) => message.startsWith('REFERRAL_'));
  }
}

test('rewards default to 20.00 and 10.00, and the link to a page with the code', () => {
  assert.deepEqual(readSettings({}), {
    link: 'http://localhost:3003/convite/{code}',
    referrerCents: 2_000,
    invitedCents: 1_000,
    minPaidCents: 3_000,
    rewardsPerMerchant: 1_000,
  });
});

test('rewards are amounts in reais with centavos, and may be 0', () => {
  const { referrerCents, invitedCents } = readSettings({
    REFERRAL_REWARD_REFERRER: '35.5',
    REFERRAL_REWARD_INVITED: '0',
  });
  assert.deepEqual([referrerCents, invitedCents], [3_550, 0]);
  for (const amount of ['-1', '1.005', '1e3', 'ten', '1,50', '10000000'])
    assert.match(getErrors({ REFERRAL_REWARD_INVITED: amount })[0]!, /it must be an amount in reais/, amount);
});

test('the link must be a URL with {code} in it', () => {
  for (const link of ['https://example.com/', 'example.com/{code}', 'javascript:alert({code})', '{code}'])
    assert.match(
      getErrors({ REFERRAL_LINK: link })[0]!,
      /it must be an https URL that contains \{code\}/,
      link,
    );
  assert.deepEqual(getErrors({ REFERRAL_LINK: 'http://localhost:8080/i/{code}' }), []);
});

test('the link defaults to the page of the configured site', () => {
  const readLink = (env: Record<string, string>) => readSettings(env).link;
  assert.equal(readLink({}), 'http://localhost:3003/convite/{code}');
  assert.equal(readLink({ WEB_PORT: '4000' }), 'http://localhost:4000/convite/{code}');
  assert.equal(readLink({ WEB_PORT: 'off' }), 'http://localhost:3003/convite/{code}');
  assert.equal(readLink({ WEB_URL: 'https://semana.example' }), 'https://semana.example/convite/{code}');
});

test('live mode requires a link with https', () => {
  const env = { SEMANA_MODE: 'live' };
  assert.match(getErrors(env)[0]!, /^REFERRAL_LINK is missing/);
  assert.match(getErrors({ ...env, REFERRAL_LINK: 'http://example.com/{code}' })[0]!, /must be an https/);
  assert.deepEqual(getErrors({ ...env, REFERRAL_LINK: 'https://example.com/{code}' }), []);
});
