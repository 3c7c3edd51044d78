import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyDemoDatabase } from '../../../test/processes.ts';
import { openServiceProcess } from '../../../test/service-process.ts';

// Two processes on one database, each with its own simulator. The last one that started has registered its URL.
const databaseUrl = await copyDemoDatabase();
const settings = { LOG_LEVEL: 'info' };
const serviceProcess = openServiceProcess(databaseUrl, settings);
const first = openServiceProcess(databaseUrl, settings);
await serviceProcess.start();
await first.start();

const newCharge = async (): Promise<{ id: string; txid: string }> => {
  const { installments } = await first.sell({ amount: 10, installments: 1 });
  const [{ id }] = installments;
  const { status, body } = await first.requestCharge(id, { type: 'settle' });
  assert.equal(status, 201);
  return { id, txid: body.txid };
};

/** Asserts that the first callback attempt was delivered, so that no sweep was necessary. */
async function assertSettledPromptly({ id, txid }: { id: string; txid: string }): Promise<void> {
  await serviceProcess.waitUntil(
    'it is paid',
    `exists (select from installments where id = '${id}' and paid_at is not null)`,
  );
  await serviceProcess.waitUntil(
    'the callback is delivered',
    `exists (select from psp_sim_deliveries where pix->>'txid' = '${txid}' and state = 'delivered')`,
  );
  const deliveries = await serviceProcess.queryRows<{ attempts: number }>(
    `select attempts from psp_sim_deliveries where pix->>'txid' = '${txid}'`,
  );
  assert.deepEqual(deliveries, [{ attempts: 1 }]);
}

test('a charge of one node that is paid at the staff API of the other is settled promptly', async () => {
  const charge = await newCharge();
  assert.equal((await serviceProcess.payCharge(charge.txid)).status, 201);
  await assertSettledPromptly(charge);
});

test('a charge is settled promptly after the node whose URL is registered was killed', async () => {
  const charge = await newCharge();
  const [webhook] = await serviceProcess.queryRows<{ url: string }>('select url from psp_sim_webhooks');
  assert.ok(webhook!.url.startsWith(first.service().partnerUrl));
  await first.killProcess();
  assert.equal((await serviceProcess.payCharge(charge.txid)).status, 201);
  await assertSettledPromptly(charge);
});

test('a successful start logs no calls to the PSP', () => {
  for (const { service } of [first, serviceProcess])
    assert.doesNotMatch(service().stdout(), /called the PSP/);
});
