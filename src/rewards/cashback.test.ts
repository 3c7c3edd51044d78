import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../../test/harness.ts';
import { ANA, openShop } from '../../test/shop.ts';

const house = await openHouse();
const shop = openShop(house);

test('of the demo, Ana has cashback of six installments and of an invitation', async () => {
  const { body } = await shop.ask(ANA, '/wallet/cashback/balance');
  assert.deepEqual([body.available, body.lifetime_earned], [28, 28]);
  assert.deepEqual(await shop.disagreements(), []);
});
