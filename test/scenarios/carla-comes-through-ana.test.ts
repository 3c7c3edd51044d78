/** Carla was invited by Ana. She pays her first purchase by Pix, week by week; both see the effects in their wallets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#core/values/duration.ts';
import { eventually, openService } from '../harness.ts';
import { createPixDriver } from '../pix-driver.ts';
import { ANA, CARLA, MERCHANT } from '../purchase-driver.ts';

const service = await openService();
const pixDriver = createPixDriver(service);
type Credentials = { phone: string; password: string };

const getWallet = async (customer: Credentials, path: string) =>
  (await service.get(path, { token: await pixDriver.createToken(customer) })).body;
const readAvailableCashback = async (customer: Credentials) =>
  (await getWallet(customer, '/wallet/cashback/balance')).available;

const referralBefore = await getWallet(ANA, '/wallet/referral');
const anaBalanceBefore = await readAvailableCashback(ANA);
// R$ 200.00 in two installments with 2.5 % cashback: 2.50 for each installment paid on time.
const { hash, installments, customer_id } = await pixDriver.sell(CARLA, {
  merchant: MERCHANT,
  amount: 200,
  installments: 2,
  terms: { cashback_percent: 2.5 },
});
const carla = { id: customer_id, ...CARLA };

async function payByPix(installmentNumber: number): Promise<string> {
  const charge = await pixDriver.createCharge(carla, installments[installmentNumber - 1].id, 'settle');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(carla, charge.id, 'paid');
  return charge.txid;
}

test('before any payment Carla has pending cashback, and Ana an invitation', async () => {
  const balance = await getWallet(CARLA, '/wallet/cashback/balance');
  assert.deepEqual([balance.available, balance.pending], [0, 5]);
  assert.deepEqual(
    referralBefore.invitations.map(({ name, status }: Record<string, string>) => [name, status]),
    [
      ['Carla N***', 'registered'],
      ['Bruno L***', 'rewarded'],
    ],
  );
});

test('the first installment paid on time earns 2.50 and 10.00 for Carla, 20.00 for Ana', async () => {
  await payByPix(1);
  assert.equal(await readAvailableCashback(CARLA), 12.5);
  assert.equal(await readAvailableCashback(ANA), anaBalanceBefore + 20);
  const { summary, invitations } = await getWallet(ANA, '/wallet/referral');
  assert.deepEqual(summary, { invited: 2, rewarded: 2, earned: 40 });
  assert.deepEqual([invitations[0].status, invitations[0].reward], ['rewarded', 20]);
});

/** The charge of the second installment, which a later test charges back. */
let secondTxid = '';
test('the second installment a week later earns 2.50, and no second reward', async () => {
  service.clock.advance(7 * DAY_MS);
  secondTxid = await payByPix(2);
  assert.equal(await readAvailableCashback(CARLA), 15);
  assert.equal(await readAvailableCashback(ANA), anaBalanceBefore + 20);
  assert.equal((await pixDriver.getCheckout(hash)).status, 'paid');
});

test('a chargeback of Carla’s second installment reverses its 2.50; the reward stays', async () => {
  await pixDriver.chargeBackCharge(secondTxid);
  const lines = await eventually('the cashback is reversed', async () => {
    const { data } = await getWallet(CARLA, '/wallet/cashback/ledger');
    return data[0].kind === 'reversed' && data;
  });
  assert.deepEqual([lines[0].kind, lines[0].amount, lines[0].balance_after], ['reversed', -2.5, 12.5]);
  assert.equal(await readAvailableCashback(ANA), anaBalanceBefore + 20);
});

test('half a year later the cashback has expired, in responses before and after the nightly job', async () => {
  service.clock.advance(200 * DAY_MS);
  const statementBefore = await getWallet(CARLA, '/wallet/cashback/ledger');
  assert.equal(await readAvailableCashback(CARLA), 0);
  await pixDriver.runJob('cashback_expire');
  assert.deepEqual(await getWallet(CARLA, '/wallet/cashback/ledger'), statementBefore);
});

test('the audit finds no mismatch', async () => {
  assert.deepEqual(await pixDriver.listMismatches(), []);
});
