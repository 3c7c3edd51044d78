import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import {
  askToken,
  cob,
  eventually,
  newTxid,
  openBank,
  openReceiver,
  PIX_KEY,
  send,
} from '../../../test/support/psp-simulator.ts';
import { openChance } from './chance.ts';
import { CALM, drawFate } from './faults.ts';

const bank = await openBank({ seed: 1 });
const { call, simulator } = bank;
const port = Number(new URL(simulator.url()).port);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('faults: what is set is in force when it is answered, and what is left out is at rest', async () => {
  assert.deepEqual(await simulator.faults(), CALM);
  assert.deepEqual(await simulator.setFaults({ latency_ms: 5, notify: 'late' }), {
    ...CALM,
    latency_ms: 5,
    notify: 'late',
  });
  assert.deepEqual(await simulator.setFaults({}), CALM);
});

test('latency_ms: answers take that much longer', async () => {
  await simulator.setFaults({ latency_ms: 150 });
  const started = performance.now();
  await call('GET', `/v2/cob/${newTxid()}`);
  assert.ok(performance.now() - started >= 148);
  await simulator.setFaults(CALM);
});

test('error_rate: a 5xx in the standard’s shape; of writes some are carried out all the same', async () => {
  const txids = Array.from({ length: 20 }, newTxid);
  await call('GET', '/v2/webhook');
  await simulator.setFaults({ error_rate: 1 });
  for (const txid of txids) {
    const { status, body } = await call('PUT', `/v2/cob/${txid}`, cob());
    assert.ok(status === 500 || status === 503);
    assert.match(body.type, /error\/(ErroInternoDoServidor|ServicoIndisponivel)$/);
  }
  await simulator.setFaults(CALM);
  const statuses = await Promise.all(
    txids.map(async (txid) => (await call('GET', `/v2/cob/${txid}`)).status),
  );
  assert.deepEqual([...new Set(statuses)].sort(), [200, 404]);
});

test('timeout_rate: the work is done, and no answer comes', async () => {
  const txid = newTxid();
  const { body } = await askToken(simulator.url());
  await simulator.setFaults({ timeout_rate: 1 });
  const silent = send(`${simulator.url()}/v2/cob/${txid}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(cob()),
    signal: AbortSignal.timeout(300),
  });
  await assert.rejects(silent, { name: 'TimeoutError' });
  await simulator.setFaults(CALM);
  assert.equal((await call('GET', `/v2/cob/${txid}`)).status, 200);
});

test('drop_after_write: the work is done, then the connection is cut; reads are answered', async () => {
  const txid = newTxid();
  await simulator.setFaults({ drop_after_write: 1 });
  await assert.rejects(call('PUT', `/v2/cob/${txid}`, cob()), /fetch failed/);
  assert.equal((await call('GET', `/v2/cob/${txid}`)).status, 200);
  await simulator.setFaults(CALM);
});

test('token_errors: no token is given, and a good one is not taken', async () => {
  await simulator.setFaults({ token_errors: 1 });
  assert.equal((await askToken(simulator.url())).status, 500);
  assert.equal((await call('GET', `/v2/cob/${newTxid()}`)).status, 401);
  await simulator.setFaults(CALM);
});

test('with a seed, chance comes the same way every time, and rates are met', () => {
  const draw = (seed: number) => {
    const chance = openChance(seed);
    return Array.from({ length: 1000 }, () => drawFate({ ...CALM, error_rate: 0.3 }, false, chance));
  };
  assert.deepEqual(draw(42), draw(42));
  assert.notDeepEqual(draw(42), draw(43));
  const errors = draw(42).filter((fate) => fate === 'error_early').length;
  assert.ok(errors > 250 && errors < 350, `${errors} of 1000`);
});

test('a second node with the same port leaves it to the first; both see the same books', async () => {
  const second = await bank.open({ port });
  assert.deepEqual([simulator.answers(), second.answers()], [true, false]);
  assert.equal(second.url(), simulator.url());
  const txid = newTxid();
  await call('PUT', `/v2/cob/${txid}`, cob());
  assert.equal((await second.pay(txid)).kind, 'paid');
  assert.equal((await call('GET', `/v2/cob/${txid}`)).body.status, 'CONCLUIDA');

  await second.setFaults({ error_rate: 1 });
  assert.ok((await call('GET', `/v2/cob/${txid}`)).status >= 500, 'the node that answers goes by it');
  await second.setFaults(CALM);
  await second.stop();
});

test('a node that cannot reach its port says so when somebody else has it', async () => {
  const stranger = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const taken = (stranger.address() as { port: number }).port;
  await assert.rejects(bank.open({ port: taken }), { code: 'EADDRINUSE' });
  stranger.close();
});

test('a restart keeps everything: charges, keys, what is still to be told', async () => {
  const receiver = await openReceiver();
  await call('PUT', `/v2/webhook/${PIX_KEY}`, { webhookUrl: receiver.url });
  const txid = newTxid();
  const { body: before } = await call('PUT', `/v2/cob/${txid}`, cob('9.99'));
  const { body: keys } = await send(`${simulator.url()}/jwks.json`, {});
  await simulator.setFaults({ notify: 'late', notify_delay_ms: 1_000 });
  assert.equal((await simulator.pay(txid)).kind, 'paid');
  await simulator.stop();
  assert.equal(receiver.notices.length, 0);

  const again = await bank.open({ port });
  await eventually('told by the next one', () => receiver.told().some((pix) => pix.txid === txid));
  assert.equal((await again.faults()).notify, 'late');
  const { body: after } = await call('GET', `/v2/cob/${txid}`);
  assert.deepEqual(
    [after.status, after.location, after.loc.id],
    ['CONCLUIDA', before.location, before.loc.id],
  );
  assert.deepEqual((await send(`${again.url()}/jwks.json`, {})).body, keys);
  assert.equal((await send(`http://${before.location}`, {})).status, 200);
  await again.stop();
});

test('when the node that answers is gone, the other takes over', async () => {
  const first = await bank.open({ port });
  const second = await bank.open({ port });
  await first.stop();
  await eventually('takes over', () => second.answers());
  assert.equal((await call('GET', `/v2/cob/${newTxid()}`)).status, 404);
  await second.stop();
});

test('stop does not wait for callers who were left without an answer', async () => {
  const other = await bank.open({ port: 0 });
  const { body } = await askToken(other.url());
  await other.setFaults({ timeout_rate: 1 });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const left = fetch(`${other.url()}/v2/cob/${newTxid()}`, { headers }).catch(() => 'cut');
  await sleep(100);
  await other.stop();
  assert.equal(await left, 'cut');
  await bank.db.transaction(async () => undefined);
});
