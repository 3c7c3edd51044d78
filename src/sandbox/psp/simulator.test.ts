import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { eventually } from '../../../test/harness.ts';
import {
  buildChargeBody,
  newTxid,
  openCallbackReceiver,
  openTestSimulator,
  PIX_KEY,
  requestToken,
  send,
} from '../../../test/support/psp-simulator.ts';
import { createRandom, drawCallFault, NO_FAULTS } from './faults.ts';

const simulatorHost = await openTestSimulator({ seed: 1 });
const { call, simulator } = simulatorHost;
const port = Number(new URL(simulator.url()).port);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('faults are active when the response arrives, and missing fields get their defaults', async () => {
  assert.deepEqual(await simulator.getFaults(), NO_FAULTS);
  assert.deepEqual(await simulator.setFaults({ latency_ms: 5, notify: 'late' }), {
    ...NO_FAULTS,
    latency_ms: 5,
    notify: 'late',
  });
  assert.deepEqual(await simulator.setFaults({}), NO_FAULTS);
});

test('latency_ms delays responses', async () => {
  const LATENCY_MS = 150;
  const TIMER_TOLERANCE_MS = 2;
  await simulator.setFaults({ latency_ms: LATENCY_MS });
  const startedAtMs = performance.now();
  await call('GET', `/v2/cob/${newTxid()}`);
  assert.ok(performance.now() - startedAtMs >= LATENCY_MS - TIMER_TOLERANCE_MS);
  await simulator.setFaults(NO_FAULTS);
});

test('error_rate: a 5xx in the standard’s format; some of the writes are carried out', async () => {
  const txids = Array.from({ length: 20 }, newTxid);
  await call('GET', '/v2/cob/first'); // requests a token before the fault
  await simulator.setFaults({ error_rate: 1 });
  for (const txid of txids) {
    const { status, body } = await call('PUT', `/v2/cob/${txid}`, buildChargeBody());
    assert.ok(status === 500 || status === 503);
    assert.match(body.type, /error\/(ErroInternoDoServidor|ServicoIndisponivel)$/);
  }
  await simulator.setFaults(NO_FAULTS);
  const statuses = await Promise.all(
    txids.map(async (txid) => (await call('GET', `/v2/cob/${txid}`)).status),
  );
  assert.deepEqual([...new Set(statuses)].sort(), [200, 404]);
});

test('timeout_rate: the call is carried out without a response', async () => {
  const txid = newTxid();
  const { body } = await requestToken(simulator.url());
  await simulator.setFaults({ timeout_rate: 1 });
  const unansweredCall = send(`${simulator.url()}/v2/cob/${txid}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(buildChargeBody()),
    signal: AbortSignal.timeout(300),
  });
  await assert.rejects(unansweredCall, { name: 'TimeoutError' });
  await simulator.setFaults(NO_FAULTS);
  assert.equal((await call('GET', `/v2/cob/${txid}`)).status, 200);
});

test('drop_after_write: writes are carried out, then the connection is closed; reads get a response', async () => {
  const txid = newTxid();
  await simulator.setFaults({ drop_after_write: 1 });
  await assert.rejects(call('PUT', `/v2/cob/${txid}`, buildChargeBody()), /fetch failed/);
  assert.equal((await call('GET', `/v2/cob/${txid}`)).status, 200);
  await simulator.setFaults(NO_FAULTS);
});

test('token_errors: no token is issued, and a valid one is rejected', async () => {
  await simulator.setFaults({ token_errors: 1 });
  assert.equal((await requestToken(simulator.url())).status, 500);
  assert.equal((await call('GET', `/v2/cob/${newTxid()}`)).status, 401);
  await simulator.setFaults(NO_FAULTS);
});

test('with a seed, random faults are reproducible, and rates are met', () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 1000 }, () =>
      drawCallFault({ ...NO_FAULTS, error_rate: 0.3 }, { isWrite: false }, random),
    );
  };
  assert.deepEqual(draw(42), draw(42));
  assert.notDeepEqual(draw(42), draw(43));
  const errorCount = draw(42).filter((fault) => fault === 'error_early').length;
  assert.ok(errorCount > 250 && errorCount < 350, `${errorCount} of 1000, expected about 300`);
});

test('only the first of two nodes with the same port listens; both have the same data', async () => {
  const secondSimulator = await simulatorHost.open({ port });
  assert.deepEqual([simulator.isListening(), secondSimulator.isListening()], [true, false]);
  assert.equal(secondSimulator.url(), simulator.url());
  const txid = newTxid();
  await call('PUT', `/v2/cob/${txid}`, buildChargeBody());
  assert.ok(await secondSimulator.pay(txid));
  assert.equal((await call('GET', `/v2/cob/${txid}`)).body.status, 'CONCLUIDA');

  await secondSimulator.setFaults({ error_rate: 1 });
  assert.ok((await call('GET', `/v2/cob/${txid}`)).status >= 500, 'the listening node uses the faults');
  await secondSimulator.setFaults(NO_FAULTS);
  await secondSimulator.stop();
});

test('a port that another program uses is reported', async () => {
  const otherServer = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
  const usedPort = (otherServer.address() as { port: number }).port;
  await assert.rejects(simulatorHost.open({ port: usedPort }), { code: 'EADDRINUSE' });
  otherServer.close();
});

test('charges, tokens and pending callbacks survive a restart', async () => {
  const receiver = await openCallbackReceiver();
  await call('PUT', `/v2/webhook/${PIX_KEY}`, { webhookUrl: receiver.url });
  const txid = newTxid();
  const { body: chargeBefore } = await call('PUT', `/v2/cob/${txid}`, buildChargeBody('9.99'));
  await simulator.setFaults({ notify: 'late', notify_delay_ms: 1_000 });
  assert.ok(await simulator.pay(txid));
  await simulator.stop();
  assert.equal(receiver.callbacks.length, 0);

  const restartedSimulator = await simulatorHost.open({ port });
  await eventually('the restarted simulator has sent the callback', () =>
    receiver.listReportedPix().some((pix) => pix.txid === txid),
  );
  assert.equal((await restartedSimulator.getFaults()).notify, 'late');
  const { body: chargeAfter } = await call('GET', `/v2/cob/${txid}`);
  assert.deepEqual(
    [chargeAfter.status, chargeAfter.location, chargeAfter.loc.id],
    ['CONCLUIDA', chargeBefore.location, chargeBefore.loc.id],
  );
  await restartedSimulator.stop();
});

test('when the listening node stops, another takes over', async () => {
  const firstSimulator = await simulatorHost.open({ port });
  const secondSimulator = await simulatorHost.open({ port });
  await firstSimulator.stop();
  await eventually('the second simulator listens', () => secondSimulator.isListening());
  assert.equal((await call('GET', `/v2/cob/${newTxid()}`)).status, 404);
  await secondSimulator.stop();
});

test('stop does not wait for calls without a response', async () => {
  const otherSimulator = await simulatorHost.open({ port: 0 });
  const { body } = await requestToken(otherSimulator.url());
  await otherSimulator.setFaults({ timeout_rate: 1 });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const unansweredCall = fetch(`${otherSimulator.url()}/v2/cob/${newTxid()}`, { headers }).catch(
    () => 'connection closed',
  );
  await sleep(100); // the call has arrived, and gets no response
  await otherSimulator.stop();
  assert.equal(await unansweredCall, 'connection closed');
  // The database of the test stays usable.
  await simulatorHost.db.transaction(async () => undefined);
});
