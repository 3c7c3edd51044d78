import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#core/money.ts';
import { eventually, newTxid, openClient, openPair, terms } from '../../../test/support/psp.ts';
import { PspUnavailable } from './failures.ts';

const pair = await openPair({}, { seed: 11 });
const { client, simulator, call, exchanges } = pair;
/** For where no answer comes. */
const { client: hasty, exchanges: hastyExchanges } = openClient({
  url: simulator.url(),
  timeoutMs: 300,
  callTimeoutMs: 2_500,
});
for (const one of [client, hasty]) await one.getCob(newTxid()); // a token before anything misbehaves

type Faults = Parameters<typeof simulator.setFaults>[0];

async function during<T>(faults: Faults, work: () => Promise<T>): Promise<T> {
  await simulator.setFaults(faults);
  try {
    return await work();
  } finally {
    await simulator.setFaults({});
  }
}

const unavailable = (effect: 'none' | 'unknown') => (error: unknown) => {
  assert.ok(error instanceof PspUnavailable, String(error));
  assert.equal(error.effect, effect);
  return true;
};

const since = (start: number) => exchanges.slice(start).map(({ method, outcome }) => `${method} ${outcome}`);

test('a cut connection after the write: found by GET, made once, not written twice', async () => {
  const txid = newTxid();
  const start = exchanges.length;
  const made = await during({ drop_after_write: 1 }, () => client.putCob(txid, terms()));
  assert.deepEqual([made.kind, made.charge.status], ['made', 'active']);
  assert.deepEqual(since(start), ['PUT unreachable', 'GET done']);
});

test('no answer at all: unavailable with an unknown effect; the same call in doubt finishes it later', async () => {
  const txid = newTxid();
  await during({ timeout_rate: 1 }, () =>
    assert.rejects(hasty.putCob(txid, terms()), unavailable('unknown')),
  );
  const start = exchanges.length;
  const made = await client.putCob(txid, terms(), { inDoubt: true });
  assert.equal(made.kind, 'made');
  assert.deepEqual(since(start), ['GET done']);
});

test('the whole call ends by its deadline, retries included', async () => {
  const before = hastyExchanges.length;
  await during({ timeout_rate: 1 }, () => assert.rejects(hasty.getCob(newTxid()), PspUnavailable));
  const tries = hastyExchanges.length - before;
  assert.ok(tries > 1 && tries <= 9, `${tries} tries of 300 ms within 2,500 ms`);
});

test('nothing but errors: unavailable, and nobody knows', async () => {
  await during({ error_rate: 1 }, () =>
    assert.rejects(client.putCob(newTxid(), terms()), unavailable('unknown')),
  );
});

test('a PSP that is not there: unavailable, and surely nothing was done', async () => {
  const { client: lost } = openClient({ url: 'http://127.0.0.1:9' });
  await assert.rejects(lost.putCob(newTxid(), terms()), unavailable('none'));
  await assert.rejects(lost.removeCob(newTxid()), unavailable('none'));
});

test('a token that is no longer taken is renewed, once for each question', async () => {
  const txid = newTxid();
  await client.putCob(txid, terms());
  const refused = during({ token_errors: 1 }, () => client.getCob(txid));
  await assert.rejects(refused, (error) => error instanceof PspUnavailable && error.effect === 'none');
  assert.equal((await client.getCob(txid)).kind, 'found', 'and it recovers');
});

test('a refund whose answer was lost is not asked for twice', async () => {
  const txid = newTxid();
  await client.putCob(txid, terms());
  const paid = await simulator.pay(txid);
  assert.ok(paid.kind === 'paid');
  const { endToEndId } = paid;
  const asked = await during({ drop_after_write: 1 }, () =>
    client.requestRefund(endToEndId, 'r1', cents(5230)),
  );
  assert.deepEqual([asked.kind, asked.refund.amountCents], ['asked', 5230]);
  const { body } = await call('GET', `/v2/pix/${endToEndId}`);
  assert.equal(body.devolucoes.length, 1);
});

test('a removal whose answer was lost is found done', async () => {
  const txid = newTxid();
  await client.putCob(txid, terms());
  const removed = await during({ drop_after_write: 1 }, () => client.removeCob(txid));
  assert.equal(removed.kind, 'removed');
});

test('a webhook is put although answers are lost now and then', async () => {
  const { client: longCalls } = openClient({ url: simulator.url(), attempts: 12, callTimeoutMs: 30_000 });
  const put = () => longCalls.putWebhook('loja@example.com', 'https://semana.example/hook');
  await during({ error_rate: 0.5 }, put);
  assert.equal((await client.getWebhook('loja@example.com')).kind, 'found');
});

test('under every fault at once each charge is made once or told as unavailable, never doubled nor changed', async () => {
  const txids = Array.from({ length: 60 }, newTxid);
  const faults = {
    latency_ms: 5,
    error_rate: 0.2,
    timeout_rate: 0.05,
    drop_after_write: 0.2,
    token_errors: 0.1,
  };
  const amountOf = (txid: string) => cents(1000 + txids.indexOf(txid));
  const attempt = async (txid: string, inDoubt: boolean) => {
    try {
      const { kind, charge } = await hasty.putCob(txid, terms({ amountCents: amountOf(txid) }), { inDoubt });
      assert.equal(kind, 'made');
      assert.equal(charge.amountCents, amountOf(txid));
      return true;
    } catch (error) {
      assert.ok(error instanceof PspUnavailable, String(error));
      return false;
    }
  };
  const open = await during(faults, async () => {
    const made = new Map<string, boolean>();
    for (let i = 0; i < txids.length; i += 6) {
      const batch = txids.slice(i, i + 6);
      const outcomes = await Promise.all(batch.map((txid) => attempt(txid, false)));
      for (const [j, txid] of batch.entries()) made.set(txid, outcomes[j]!);
    }
    return txids.filter((txid) => !made.get(txid));
  });
  for (const txid of open) await eventually('finished later', () => attempt(txid, true));

  for (const txid of txids) {
    const { body } = await call('GET', `/v2/cob/${txid}`);
    assert.deepEqual(
      [body.status, body.revisao, body.valor.original.replace('.', '')],
      ['ATIVA', 0, String(amountOf(txid))],
    );
  }
});
