import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#core/values/money.ts';
import { limitConcurrency } from '#platform/jobs/concurrency.ts';
import { eventually } from '../../../test/harness.ts';
import { buildTerms, newTxid, openClientAndSimulator, openTestClient } from '../../../test/support/psp.ts';
import { PspUnavailable } from './failures.ts';

const setup = await openClientAndSimulator({}, { seed: 11 });
const { client, simulator, call, exchanges } = setup;
/** A client with short timeouts, for tests in which the PSP does not respond. */
const { client: impatientClient, exchanges: impatientExchanges } = openTestClient({
  url: simulator.url(),
  timeoutMs: 300,
  callTimeoutMs: 2_500,
});
// Both clients get a token before any fault is set.
for (const anyClient of [client, impatientClient]) await anyClient.getCob(newTxid());

/** The value of a fault that is the share of affected calls. */
const ALWAYS = 1;

type Faults = Parameters<typeof simulator.setFaults>[0];

async function withFaults<T>(faults: Faults, work: () => Promise<T>): Promise<T> {
  await simulator.setFaults(faults);
  try {
    return await work();
  } finally {
    await simulator.setFaults({});
  }
}

const isUnavailable = (effect: 'none' | 'unknown') => (error: unknown) => {
  assert.ok(error instanceof PspUnavailable, String(error));
  assert.equal(error.effect, effect);
  return true;
};

const listExchangesSince = (firstIndex: number) =>
  exchanges.slice(firstIndex).map(({ method, outcome }) => `${method} ${outcome}`);

test('after a closed connection, a created charge is found by GET and not written again', async () => {
  const txid = newTxid();
  const exchangeCountBefore = exchanges.length;
  const putResult = await withFaults({ drop_after_write: ALWAYS }, () => client.putCob(txid, buildTerms()));
  assert.deepEqual([putResult.kind, putResult.charge.status], ['created', 'active']);
  assert.deepEqual(listExchangesSince(exchangeCountBefore), ['PUT unreachable', 'GET done']);
});

test('without a response, the effect is unknown, and the same call with readFirst completes it later', async () => {
  const txid = newTxid();
  await withFaults({ timeout_rate: ALWAYS }, () =>
    assert.rejects(impatientClient.putCob(txid, buildTerms()), isUnavailable('unknown')),
  );
  const exchangeCountBefore = exchanges.length;
  const putResult = await client.putCob(txid, buildTerms(), { readFirst: true });
  assert.equal(putResult.kind, 'created');
  assert.deepEqual(listExchangesSince(exchangeCountBefore), ['GET done']);
});

test('a call ends by its deadline, including retries', async () => {
  const exchangeCountBefore = impatientExchanges.length;
  await withFaults({ timeout_rate: ALWAYS }, () =>
    assert.rejects(impatientClient.getCob(newTxid()), PspUnavailable),
  );
  const attempts = impatientExchanges.length - exchangeCountBefore;
  assert.ok(attempts > 1 && attempts <= 9, `${attempts} attempts of 300 ms within 2,500 ms`);
});

test('with only errors, the PSP is unavailable and the effect is unknown', async () => {
  await withFaults({ error_rate: ALWAYS }, () =>
    assert.rejects(client.putCob(newTxid(), buildTerms()), isUnavailable('unknown')),
  );
});

test('if the PSP cannot be reached, the effect is none', async () => {
  const { client: unreachableClient } = openTestClient({ url: 'http://127.0.0.1:9' });
  await assert.rejects(unreachableClient.putCob(newTxid(), buildTerms()), isUnavailable('none'));
  await assert.rejects(unreachableClient.removeCob(newTxid()), isUnavailable('none'));
});

test('while the PSP rejects tokens, a call has no effect, and the client recovers afterwards', async () => {
  const txid = newTxid();
  await client.putCob(txid, buildTerms());
  const rejectedRead = withFaults({ token_errors: ALWAYS }, () => client.getCob(txid));
  await assert.rejects(rejectedRead, (error) => error instanceof PspUnavailable && error.effect === 'none');
  assert.ok(await client.getCob(txid), 'the client recovers');
});

test('a refund whose response is lost is not requested twice', async () => {
  const txid = newTxid();
  await client.putCob(txid, buildTerms());
  const payment = await simulator.pay(txid);
  assert.ok(payment);
  const { endToEndId } = payment;
  const response = await withFaults({ drop_after_write: ALWAYS }, () =>
    client.requestRefund(endToEndId, 'r1', cents(5230)),
  );
  assert.deepEqual([response.kind, response.refund.amountCents], ['requested', 5230]);
  const { body } = await call('GET', `/v2/pix/${endToEndId}`);
  assert.equal(body.devolucoes.length, 1);
});

test('a removal whose response is lost is found by a lookup', async () => {
  const txid = newTxid();
  await client.putCob(txid, buildTerms());
  const removal = await withFaults({ drop_after_write: ALWAYS }, () => client.removeCob(txid));
  assert.equal(removal.kind, 'removed');
});

test('a webhook is registered although some calls fail', async () => {
  const { client: patientClient } = openTestClient({
    url: simulator.url(),
    attempts: 12,
    callTimeoutMs: 30_000,
  });
  const putWebhook = () => patientClient.putWebhook('loja@example.com', 'https://semana.example/hook');
  await withFaults({ error_rate: 0.5 }, putWebhook);
  assert.ok(await client.getWebhook('loja@example.com'));
});

test('with all faults combined, each charge is created once or reported as unavailable, and never changed', async () => {
  const txids = Array.from({ length: 60 }, newTxid);
  const faults = {
    latency_ms: 5,
    error_rate: 0.2,
    timeout_rate: 0.05,
    drop_after_write: 0.2,
    token_errors: 0.1,
  };
  /** Each charge has another amount, so that mixed up charges are noticed. */
  const getAmount = (txid: string) => cents(1000 + txids.indexOf(txid));
  /** Returns whether the charge was created. */
  const tryToPutCharge = async (txid: string, { readFirst }: { readFirst: boolean }) => {
    try {
      const { kind, charge } = await impatientClient.putCob(
        txid,
        buildTerms({ amountCents: getAmount(txid) }),
        {
          readFirst,
        },
      );
      assert.equal(kind, 'created');
      assert.equal(charge.amountCents, getAmount(txid));
      return true;
    } catch (error) {
      assert.ok(error instanceof PspUnavailable, String(error));
      return false;
    }
  };
  const failedTxids: string[] = [];
  await withFaults(faults, async () => {
    const runLimited = limitConcurrency(6);
    const putOrRecordFailure = async (txid: string) => {
      if (!(await tryToPutCharge(txid, { readFirst: false }))) failedTxids.push(txid);
    };
    await Promise.all(txids.map((txid) => runLimited(() => putOrRecordFailure(txid))));
  });
  for (const txid of failedTxids)
    await eventually('the charge is completed later', () => tryToPutCharge(txid, { readFirst: true }));

  for (const txid of txids) {
    const { body } = await call('GET', `/v2/cob/${txid}`);
    assert.deepEqual(
      [body.status, body.revisao, body.valor.original.replace('.', '')],
      ['ATIVA', 0, String(getAmount(txid))],
    );
  }
});
