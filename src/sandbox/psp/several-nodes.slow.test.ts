import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProcess } from '../../../test/pix-process.ts';
import { newDemoDatabase } from '../../../test/processes.ts';

// Two processes on one database, each with its own simulator. The last one that started has registered its URL.
const databaseUrl = await newDemoDatabase();
const settings = { LOG_LEVEL: 'info' };
const second = openProcess(databaseUrl, settings);
const first = openProcess(databaseUrl, settings);
await second.start();
await first.start();

const newCharge = async (): Promise<{ id: string; txid: string }> => {
  const { installments } = await first.sell({ amount: 10, installments: 1 });
  const [{ id }] = installments;
  const { status, body } = await first.ask(id, { type: 'settle' });
  assert.equal(status, 201);
  return { id, txid: body.txid };
};

/** Asserts that the first callback attempt was delivered, so that no sweep was necessary. */
async function assertSettledPromptly({ id, txid }: { id: string; txid: string }): Promise<void> {
  await second.until(
    'it is paid',
    `exists (select from installments where id = '${id}' and paid_at is not null)`,
  );
  await second.until(
    'the callback is delivered',
    `exists (select from psp_sim_deliveries where pix->>'txid' = '${txid}' and state = 'delivered')`,
  );
  const deliveries = await second.rows<{ attempts: number }>(
    `select attempts from psp_sim_deliveries where pix->>'txid' = '${txid}'`,
  );
  assert.deepEqual(deliveries, [{ attempts: 1 }]);
}

test('a charge of one node that is paid at the staff API of the other is settled promptly', async () => {
  const charge = await newCharge();
  assert.equal((await second.pay(charge.txid)).status, 201);
  await assertSettledPromptly(charge);
});

test('a charge is settled promptly after the node whose URL is registered was killed', async () => {
  const charge = await newCharge();
  const [webhook] = await second.rows<{ url: string }>('select url from psp_sim_webhooks');
  assert.ok(webhook!.url.startsWith(first.service().partnerUrl));
  await first.kill();
  assert.equal((await second.pay(charge.txid)).status, 201);
  await assertSettledPromptly(charge);
});

test('a successful start logs no calls to the PSP', () => {
  for (const { service } of [first, second]) assert.doesNotMatch(service().stdout(), /called the PSP/);
});
