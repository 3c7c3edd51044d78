import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProcess } from '../../../test/pix-process.ts';
import { newDemoDatabase } from '../../../test/processes.ts';

// Two processes on one database, each with a simulator of its own. The one started last has registered its address.
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

/** Told of by the first try, so that nobody had to find it. */
async function assertSettledPromptly({ id, txid }: { id: string; txid: string }): Promise<void> {
  await second.until(
    'it is paid',
    `exists (select from installments where id = '${id}' and paid_at is not null)`,
  );
  await second.until(
    'the notice is known to have arrived',
    `exists (select from psp_sim_deliveries where pix->>'txid' = '${txid}' and state = 'delivered')`,
  );
  const tries = await second.rows<{ attempts: number }>(
    `select attempts from psp_sim_deliveries where pix->>'txid' = '${txid}'`,
  );
  assert.deepEqual(tries, [{ attempts: 1 }]);
}

test('a charge of one node, paid at the staff door of the other, is settled promptly', async () => {
  const charge = await newCharge();
  assert.equal((await second.pay(charge.txid)).status, 201);
  await assertSettledPromptly(charge);
});

test('the same after the node whose address is registered was killed', async () => {
  const charge = await newCharge();
  const [webhook] = await second.rows<{ url: string }>('select url from psp_sim_webhooks');
  assert.ok(webhook!.url.startsWith(first.service().frontUrl));
  await first.kill();
  assert.equal((await second.pay(charge.txid)).status, 201);
  await assertSettledPromptly(charge);
});

test('a start that goes well logs nothing of its talk with the PSP', () => {
  for (const { service } of [first, second]) assert.doesNotMatch(service().stdout(), /asked the PSP/);
});
