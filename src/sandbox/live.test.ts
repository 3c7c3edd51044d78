import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openHouse } from '../../test/harness.ts';
import { OPERATOR_KEY } from '../../test/shop.ts';

const key = () => randomBytes(32).toString('base64');
const house = await openHouse({
  env: {
    SEMANA_MODE: 'live',
    DATABASE_URL: 'postgres://named-only-to-satisfy-the-settings/',
    PUBLIC_URL: 'https://api.example',
    DATA_KEYS: `1:${key()}`,
    LOOKUP_KEY: key(),
    SMS_SENDER: 'twilio',
    TWILIO_ACCOUNT_SID: 'AC0',
    TWILIO_AUTH_TOKEN: 'x',
    TWILIO_FROM: '+5511987650000',
  },
});

test('in live mode there are no sandbox tools, at either door', async () => {
  for (const [method, path] of [
    ['GET', '/sandbox/clock'],
    ['POST', '/sandbox/clock'],
    ['DELETE', '/sandbox/clock'],
    ['GET', '/sandbox/messages'],
  ] as const) {
    const body = method === 'POST' ? { body: { advance: 'P7D' } } : {};
    const staff = await house.staff(method, path, { key: OPERATOR_KEY, ...body });
    assert.equal(staff.status, 404, `${method} ${path}`);
    assert.equal((await house.call(method, path, { key: OPERATOR_KEY, ...body })).status, 404);
  }
  assert.ok(house.endpoints.staff.every(({ url }) => !url.startsWith('/sandbox')));
});

test('in live mode a purchase cannot be dated further back than a day', async () => {
  const body = {
    customer: '+5511987650003',
    merchant: 'otica-lume',
    amount: 10,
    installments: 1,
    purchased_at: new Date(house.clock.now().getTime() - 25 * 3_600_000).toISOString(),
  };
  const answer = await house.staff('POST', '/admin/checkouts', { key: OPERATOR_KEY, body });
  assert.deepEqual(
    [answer.status, answer.body.errors],
    [400, [{ pointer: '/purchased_at', message: 'must not be more than 24 hours ago' }]],
  );
});
