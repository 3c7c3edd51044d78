import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database/db.ts';
import { eventually } from '../../../test/harness.ts';
import {
  assertPspProblem,
  buildChargeBody,
  newTxid,
  openCallbackReceiver,
  openTestSimulator,
  PIX_KEY,
} from '../../../test/support/psp-simulator.ts';
import { type Faults, NO_FAULTS } from './faults.ts';

/** With this seed, `shuffled` sends callbacks in another order than the payments. */
const SEED = 7;
const simulatorHost = await openTestSimulator({ seed: SEED });
const { call, clock, db, simulator } = simulatorHost;

type Delivery = { id: number; state: string; attempts: number; last_outcome: string | null };
const findNewestDelivery = () =>
  db.row<Delivery>(
    sql`select id, state, attempts, last_outcome from psp_sim_deliveries order by id desc limit 1`,
  );
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const registerWebhook = (url: string, key = PIX_KEY) =>
  call('PUT', `/v2/webhook/${key}`, { webhookUrl: url });

async function createPaidCharge(amount = '10.00') {
  const txid = newTxid();
  await call('PUT', `/v2/cob/${txid}`, buildChargeBody(amount));
  const payment = await simulator.pay(txid);
  assert.ok(payment);
  return payment;
}

async function withFaults(faults: Partial<Faults>, work: () => Promise<void>): Promise<void> {
  await simulator.setFaults(faults);
  try {
    await work();
  } finally {
    await simulator.setFaults(NO_FAULTS);
  }
}

test('a webhook can be set, read, replaced and deleted', async () => {
  const key = '+5511987654321';
  const path = `/v2/webhook/${encodeURIComponent(key)}`;
  assertPspProblem(await call('GET', path), 404, 'WebhookNaoEncontrado');
  const putResponse = await call('PUT', path, { webhookUrl: 'https://example.com/a' });
  assert.deepEqual(
    [putResponse.status, putResponse.text, putResponse.contentType],
    [200, '', ''],
    'without a body',
  );
  assert.equal((await call('PUT', path, { webhookUrl: 'https://example.com/b' })).status, 200);
  const { body } = await call('GET', path);
  assert.deepEqual(body, {
    webhookUrl: 'https://example.com/b',
    chave: key,
    criacao: clock.now().toISOString(),
  });
  for (const otherPath of ['/v2/webhookrec', '/v2/webhookcobr']) {
    assert.equal((await call('PUT', otherPath, { webhookUrl: 'https://example.com/c' })).status, 200);
    const otherWebhook = (await call('GET', otherPath)).body;
    assert.deepEqual(otherWebhook, { webhookUrl: 'https://example.com/c', criacao: body.criacao });
  }
  assert.equal((await call('GET', `${path}/`)).status, 200, 'a slash at the end is ignored');
  assert.equal((await call('DELETE', path, '')).status, 204, 'a content type without a body is accepted');
  assertPspProblem(await call('DELETE', path), 404, 'WebhookNaoEncontrado');
});

for (const url of [
  'nonsense',
  'ftp://example.com',
  'http://example.com/hook',
  'http://10.0.0.1/hook',
  7,
  undefined,
]) {
  test(`400 WebhookOperacaoInvalida: ${url} is not a valid webhook URL`, async () => {
    const response = await call('PUT', `/v2/webhook/${PIX_KEY}`, { webhookUrl: url });
    assertPspProblem(response, 400, 'WebhookOperacaoInvalida', ['webhook.webhookUrl']);
  });
}

test('a payment is reported immediately, at the URL with /pix appended', async () => {
  const receiver = await openCallbackReceiver();
  await registerWebhook(receiver.url);
  const { endToEndId, txid } = await createPaidCharge('52.30');
  await eventually('the callback is received', () => receiver.listReportedPix().length === 1);
  assert.equal(receiver.callbacks[0]!.path, '/hook/pix');
  assert.deepEqual(receiver.listReportedPix(), [(await call('GET', `/v2/pix/${endToEndId}`)).body]);
  assert.equal(receiver.listReportedPix()[0].txid, txid);
  const deliveredDelivery = await eventually('the delivery is recorded', async () => {
    const delivery = await findNewestDelivery();
    return delivery?.state === 'delivered' && delivery;
  });
  assert.deepEqual([deliveredDelivery.attempts, deliveredDelivery.last_outcome], [1, 'status 200']);
});

test('a refund is reported when it is settled, and so is a chargeback', async () => {
  const receiver = await openCallbackReceiver();
  await registerWebhook(receiver.url);
  const { endToEndId, txid } = await createPaidCharge('10.00');
  await call('PUT', `/v2/pix/${endToEndId}/devolucao/r1`, { valor: '4.00' });
  await eventually('the refund is reported', () =>
    receiver.listReportedPix().some((pix) => pix.devolucoes?.length === 1),
  );
  clock.advance(1000);
  await simulator.reverse(txid);
  const pixWithTwoRefunds = await eventually('the chargeback is reported', () =>
    receiver.listReportedPix().find((pix) => pix.devolucoes?.length === 2),
  );
  assert.deepEqual(
    pixWithTwoRefunds.devolucoes.map((refund: { natureza: string; status: string }) => [
      refund.natureza,
      refund.status,
    ]),
    [
      ['ORIGINAL', 'DEVOLVIDO'],
      ['MED_FRAUDE', 'DEVOLVIDO'],
    ],
  );
});

test('a callback without a 200 response is retried a few times, then fails', async () => {
  let statuses = [500, 204, 200];
  const receiver = await openCallbackReceiver({ nextStatus: () => statuses.shift() ?? 503 });
  await registerWebhook(receiver.url);
  await createPaidCharge();
  await eventually('the third attempt is received', () => receiver.callbacks.length === 3);
  statuses = [];
  await createPaidCharge();
  await eventually('the delivery has failed', async () => (await findNewestDelivery())?.state === 'failed');
  assert.equal(receiver.callbacks.length, 6, 'three attempts for each of the two callbacks');
  assert.equal((await findNewestDelivery())!.last_outcome, 'status 503');
});

test('a callback without a response ends with a timeout', async () => {
  const receiver = await openCallbackReceiver({ nextStatus: () => 'no response' });
  await registerWebhook(receiver.url);
  await createPaidCharge();
  const outcome = await eventually(
    'the delivery has timed out',
    async () => (await findNewestDelivery())!.last_outcome,
  );
  assert.equal(outcome, 'TimeoutError');
});

test('twice: each callback is sent two times', async () => {
  const receiver = await openCallbackReceiver();
  await registerWebhook(receiver.url);
  await withFaults({ notify: 'twice' }, async () => {
    const { endToEndId } = await createPaidCharge();
    await eventually('both callbacks are received', () => receiver.listReportedPix().length === 2);
    assert.deepEqual(
      receiver.listReportedPix().map((pix) => pix.endToEndId),
      [endToEndId, endToEndId],
    );
  });
});

test('late: callbacks are not sent before the delay', async () => {
  const DELAY_MS = 400;
  const TIMER_TOLERANCE_MS = 5;
  const receiver = await openCallbackReceiver();
  await registerWebhook(receiver.url);
  await withFaults({ notify: 'late', notify_delay_ms: DELAY_MS }, async () => {
    const startedAtMs = performance.now();
    await createPaidCharge();
    await eventually('the callback is received', () => receiver.listReportedPix().length === 1);
    assert.ok(performance.now() - startedAtMs >= DELAY_MS - TIMER_TOLERANCE_MS);
  });
});

test('never: callbacks are withheld, and the payment exists', async () => {
  const receiver = await openCallbackReceiver();
  await registerWebhook(receiver.url);
  await withFaults({ notify: 'never' }, async () => {
    const { endToEndId } = await createPaidCharge();
    // An immediate callback would have arrived by then.
    await sleep(300);
    assert.equal(receiver.callbacks.length, 0);
    assert.equal((await findNewestDelivery())!.state, 'withheld');
    assert.equal((await call('GET', `/v2/pix/${endToEndId}`)).status, 200);
  });
});

test('shuffled: all callbacks are sent, in random order', async () => {
  const receiver = await openCallbackReceiver();
  await registerWebhook(receiver.url);
  await withFaults({ notify: 'shuffled', notify_delay_ms: 300 }, async () => {
    const txids = Array.from({ length: 12 }, newTxid);
    for (const txid of txids) await call('PUT', `/v2/cob/${txid}`, buildChargeBody());
    // The payments arrive together: on a busy machine, payments one after another would be further apart than the delays.
    await Promise.all(txids.map((txid) => simulator.pay(txid)));
    await eventually('all payments are reported', () => receiver.listReportedPix().length === txids.length);
    const receivedTxids = receiver.listReportedPix().map((pix) => pix.txid);
    assert.deepEqual(receivedTxids.toSorted(), txids.toSorted());
    assert.notDeepEqual(receivedTxids, txids);
  });
});

test('payments that arrive while the receiver is busy share a callback', async () => {
  const receiver = await openCallbackReceiver({ delayMs: 400 });
  await registerWebhook(receiver.url);
  const txids = Array.from({ length: 6 }, newTxid);
  for (const txid of txids) await call('PUT', `/v2/cob/${txid}`, buildChargeBody());
  await Promise.all(txids.map((txid) => simulator.pay(txid)));
  await eventually('all payments are reported', () => receiver.listReportedPix().length === txids.length);
  assert.ok(receiver.callbacks.length < txids.length, `${receiver.callbacks.length} callbacks`);
});

test('without a webhook no callback is recorded', async () => {
  await call('DELETE', `/v2/webhook/${PIX_KEY}`);
  const lastDeliveryId = (await findNewestDelivery())!.id;
  await createPaidCharge();
  assert.equal((await findNewestDelivery())!.id, lastDeliveryId);
});
