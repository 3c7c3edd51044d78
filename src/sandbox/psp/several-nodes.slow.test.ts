import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDemoDatabase } from '../../../test/processes.ts';
import { openServiceProcess } from '../../../test/service-process.ts';

// Two processes on one database, each with its own simulator. At its start each registers its own callback URL, so that the
// URL of the second one is in force. A node sends callbacks to any of these URLs to its own partner API.
const databaseUrl = await createDemoDatabase();
const settings = { LOG_LEVEL: 'info' };
const firstProcess = openServiceProcess(databaseUrl, settings);
const secondProcess = openServiceProcess(databaseUrl, settings);
await firstProcess.start();
await secondProcess.start();

type Charge = { installmentId: string; txid: string };

const createCharge = async (): Promise<Charge> => {
  const { installments } = await secondProcess.sell({ amount: 10, installments: 1 });
  const installmentId = installments[0].id;
  const { status, body } = await secondProcess.requestCharge(installmentId, { type: 'settle' });
  assert.equal(status, 201);
  return { installmentId, txid: body.txid };
};

/** Asserts that the first callback attempt was delivered, so that no sweep was necessary. */
async function assertSettledPromptly({ installmentId, txid }: Charge): Promise<void> {
  await firstProcess.waitUntil(
    'the installment is paid',
    `exists (select from installments where id = '${installmentId}' and paid_at is not null)`,
  );
  await firstProcess.waitUntil(
    'the callback is delivered',
    `exists (select from psp_sim_deliveries where pix->>'txid' = '${txid}' and state = 'delivered')`,
  );
  const deliveries = await firstProcess.queryRows<{ attempts: number }>(
    `select attempts from psp_sim_deliveries where pix->>'txid' = '${txid}'`,
  );
  assert.deepEqual(deliveries, [{ attempts: 1 }]);
}

test('a charge of one node that is paid at the staff API of the other is settled promptly', async () => {
  const charge = await createCharge();
  assert.equal((await firstProcess.payCharge(charge.txid)).status, 201);
  await assertSettledPromptly(charge);
});

test('a charge is settled promptly after the node whose URL is registered was killed', async () => {
  const charge = await createCharge();
  const [webhook] = await firstProcess.queryRows<{ url: string }>('select url from psp_sim_webhooks');
  assert.ok(webhook!.url.startsWith(secondProcess.service().partnerUrl));
  await secondProcess.killProcess();
  assert.equal((await firstProcess.payCharge(charge.txid)).status, 201);
  await assertSettledPromptly(charge);
});

test('starts and settlements without failures log no calls to the PSP', () => {
  for (const { service } of [secondProcess, firstProcess])
    assert.doesNotMatch(service().stdout(), /called the PSP/);
});
