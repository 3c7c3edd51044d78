import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertPspProblem,
  cob,
  eventually,
  newTxid,
  openBank,
  openReceiver,
  PIX_KEY,
} from '../../../test/support/psp-simulator.ts';
import { CALM, type Faults } from './faults.ts';

const bank = await openBank({ seed: 7 });
const { call, clock, simulator } = bank;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const register = (url: string, key = PIX_KEY) => call('PUT', `/v2/webhook/${key}`, { webhookUrl: url });

async function paid(original = '10.00') {
  const txid = newTxid();
  await call('PUT', `/v2/cob/${txid}`, cob(original));
  const outcome = await simulator.pay(txid);
  assert.ok(outcome.kind === 'paid');
  return outcome;
}

async function misbehaving(faults: Partial<Faults>, work: () => Promise<void>): Promise<void> {
  await simulator.setFaults(faults);
  try {
    await work();
  } finally {
    await simulator.setFaults(CALM);
  }
}

test('a webhook is put, shown, listed, replaced and removed', async () => {
  const key = '+5511987654321';
  const path = `/v2/webhook/${encodeURIComponent(key)}`;
  assertPspProblem(await call('GET', path), 404, 'WebhookNaoEncontrado');
  const put = await call('PUT', path, { webhookUrl: 'https://example.com/a' });
  assert.deepEqual([put.status, put.text, put.contentType], [200, '', ''], 'without a body');
  assert.equal((await call('PUT', path, { webhookUrl: 'https://example.com/b' })).status, 200);
  const { body } = await call('GET', path);
  assert.deepEqual(body, {
    webhookUrl: 'https://example.com/b',
    chave: key,
    criacao: clock.now().toISOString(),
  });
  for (const other of ['/v2/webhookrec', '/v2/webhookcobr'])
    assert.equal((await call('PUT', other, { webhookUrl: 'https://example.com/c' })).status, 200);
  const list = (await call('GET', '/v2/webhook')).body;
  assert.deepEqual(list.webhooks, [body]);
  assert.equal(list.parametros.paginacao.quantidadeTotalDeItens, 1);
  const before = '?inicio=2020-01-01T00:00:00Z&fim=2020-02-01T00:00:00Z';
  assert.deepEqual((await call('GET', `/v2/webhook${before}`)).body.webhooks, []);
  assert.equal((await call('GET', `${path}/`)).status, 200, 'also with a slash at the end');
  assert.equal((await call('DELETE', path, '')).status, 204, 'also with a content type and no body');
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
  test(`400 WebhookOperacaoInvalida: ${url} is not where a bank would call`, async () => {
    const reply = await call('PUT', `/v2/webhook/${PIX_KEY}`, { webhookUrl: url });
    assertPspProblem(reply, 400, 'WebhookOperacaoInvalida', ['webhook.webhookUrl']);
  });
}

test('a payment is notified at once, at the address with /pix appended', async () => {
  const receiver = await openReceiver();
  await register(receiver.url);
  const { endToEndId, txid } = await paid('52.30');
  await eventually('told', () => receiver.told().length === 1);
  assert.equal(receiver.notices[0]!.path, '/hook/pix');
  assert.deepEqual(receiver.told(), [(await call('GET', `/v2/pix/${endToEndId}`)).body]);
  assert.equal(receiver.told()[0].txid, txid);
  const [delivery] = await eventually('recorded', async () => {
    const all = await simulator.deliveries(1);
    return all[0]?.state === 'delivered' && all;
  });
  assert.deepEqual([delivery!.attempts, delivery!.last_outcome], [1, 'status 200']);
});

test('a refund is notified when it is settled, and so is one the payer’s bank forced', async () => {
  const receiver = await openReceiver();
  await register(receiver.url);
  const { endToEndId, txid } = await paid('10.00');
  await call('PUT', `/v2/pix/${endToEndId}/devolucao/r1`, { valor: '4.00' });
  await eventually('refund told', () => receiver.told().some((pix) => pix.devolucoes?.length === 1));
  clock.advance(1000);
  await simulator.reverse(txid);
  const last = await eventually('MED told', () =>
    receiver.told().find((pix) => pix.devolucoes?.length === 2),
  );
  assert.deepEqual(
    last.devolucoes.map((refund: { natureza: string; status: string }) => [refund.natureza, refund.status]),
    [
      ['ORIGINAL', 'DEVOLVIDO'],
      ['MED_FRAUDE', 'DEVOLVIDO'],
    ],
  );
});

test('a notice not answered with 200 is retried a few times, then given up', async () => {
  let answers = [500, 204, 200];
  const receiver = await openReceiver(() => answers.shift() ?? 503);
  await register(receiver.url);
  await paid();
  await eventually('third time', () => receiver.notices.length === 3);
  answers = [];
  await paid();
  await eventually('given up', async () => (await simulator.deliveries(1))[0]?.state === 'failed');
  assert.equal(receiver.notices.length, 6);
  assert.deepEqual((await simulator.deliveries(1))[0]!.last_outcome, 'status 503');
});

test('a receiver that never answers does not keep the bank waiting for ever', async () => {
  const receiver = await openReceiver(() => 0);
  await register(receiver.url);
  await paid();
  const [delivery] = await eventually('timed out', async () => {
    const all = await simulator.deliveries(1);
    return all[0]!.last_outcome !== null && all;
  });
  assert.equal(delivery!.last_outcome, 'TimeoutError');
});

test('twice: each notice comes two times', async () => {
  const receiver = await openReceiver();
  await register(receiver.url);
  await misbehaving({ notify: 'twice' }, async () => {
    const { endToEndId } = await paid();
    await eventually('both', () => receiver.told().length === 2);
    assert.deepEqual(
      receiver.told().map((pix) => pix.endToEndId),
      [endToEndId, endToEndId],
    );
  });
});

test('late: not before the delay', async () => {
  const receiver = await openReceiver();
  await register(receiver.url);
  await misbehaving({ notify: 'late', notify_delay_ms: 400 }, async () => {
    const started = performance.now();
    await paid();
    await eventually('told', () => receiver.told().length === 1);
    assert.ok(performance.now() - started >= 395);
  });
});

test('never: held back and recorded as such; the money is there all the same', async () => {
  const receiver = await openReceiver();
  await register(receiver.url);
  await misbehaving({ notify: 'never' }, async () => {
    const { endToEndId } = await paid();
    await sleep(300);
    assert.equal(receiver.notices.length, 0);
    assert.equal((await simulator.deliveries(1))[0]!.state, 'withheld');
    assert.equal((await call('GET', `/v2/pix/${endToEndId}`)).status, 200);
  });
});

test('shuffled: all come, not in the order they were paid', async () => {
  const receiver = await openReceiver();
  await register(receiver.url);
  await misbehaving({ notify: 'shuffled', notify_delay_ms: 300 }, async () => {
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push((await paid()).endToEndId);
    await eventually('all', () => receiver.told().length === 12);
    const told = receiver.told().map((pix) => pix.endToEndId);
    assert.deepEqual(told.toSorted(), ids.toSorted());
    assert.notDeepEqual(told, ids);
  });
});

test('payments that arrive while the receiver is busy share a notice', async () => {
  const receiver = await openReceiver(() => 200, 400);
  await register(receiver.url);
  const txids = Array.from({ length: 6 }, newTxid);
  for (const txid of txids) await call('PUT', `/v2/cob/${txid}`, cob());
  await Promise.all(txids.map((txid) => simulator.pay(txid)));
  await eventually('all', () => receiver.told().length === 6);
  assert.ok(receiver.notices.length < 6, `${receiver.notices.length} notices`);
});

test('without a webhook nothing is sent or recorded', async () => {
  await call('DELETE', `/v2/webhook/${PIX_KEY}`);
  const before = (await simulator.deliveries(1))[0]!.id;
  await paid();
  assert.equal((await simulator.deliveries(1))[0]!.id, before);
});
