import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrCode } from '#core/values/br-code.ts';
import { cents } from '#core/values/money.ts';
import {
  buildTerms,
  CLIENT_SECRET,
  newTxid,
  openClientAndSimulator,
  openTestClient,
  PIX_KEY,
} from '../../../test/support/psp.ts';
import { PspRefused } from './failures.ts';

const setup = await openClientAndSimulator({}, { keys: [PIX_KEY] });
const { client, simulator, clock } = setup;

/** A valid end-to-end id that the PSP does not have. */
const UNKNOWN_ID = `E${'0'.repeat(31)}`;

async function pay(txid: string) {
  const outcome = await simulator.pay(txid);
  assert.ok(outcome);
  return outcome;
}

test('a charge is created and found, and has a code', async () => {
  const txid = newTxid();
  const putResult = await client.putCob(txid, buildTerms({ note: 'Parcela 3 de 12' }));
  assert.equal(putResult.kind, 'created');
  const { charge } = putResult;
  assert.deepEqual(
    [charge.txid, charge.status, charge.amountCents, charge.key],
    [txid, 'active', 5230, PIX_KEY],
  );
  assert.equal(charge.expirationSeconds, 3600);
  assert.deepEqual(charge.payments, []);
  const decoded = decodeBrCode(charge.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location: charge.location });

  assert.deepEqual(await client.getCob(txid), charge);
  assert.deepEqual(await client.getCob(newTxid()), null);
  const pspCharge = (await setup.call('GET', `/v2/cob/${txid}`)).body;
  assert.equal(pspCharge.solicitacaoPagador, 'Parcela 3 de 12');
});

test('a repeated charge is the same charge; with other terms the txid is taken, and the charge does not change', async () => {
  const txid = newTxid();
  await client.putCob(txid, buildTerms());
  const repeatedPut = await client.putCob(txid, buildTerms(), { readFirst: true });
  assert.equal(repeatedPut.kind, 'created');
  const otherAmountPut = await client.putCob(txid, buildTerms({ amountCents: cents(1) }), {
    readFirst: true,
  });
  assert.deepEqual([otherAmountPut.kind, otherAmountPut.charge.amountCents], ['txid_taken', 5230]);
  const otherExpiryPut = await client.putCob(txid, buildTerms({ expirationSeconds: 60 }), {
    readFirst: true,
  });
  assert.equal(otherExpiryPut.kind, 'txid_taken');
});

test('a charge in doubt that does not exist is created', async () => {
  const txid = newTxid();
  const putResult = await client.putCob(txid, buildTerms(), { readFirst: true });
  assert.equal(putResult.kind, 'created');
});

test('a paid charge contains its payment', async () => {
  const txid = newTxid();
  await client.putCob(txid, buildTerms());
  const { endToEndId, paidAt } = await pay(txid);
  const foundCharge = await client.getCob(txid);
  assert.ok(foundCharge);
  assert.equal(foundCharge.status, 'paid');
  const payment = { endToEndId, txid, amountCents: 5230, key: PIX_KEY, paidAt, refunds: [] };
  assert.deepEqual(foundCharge.payments, [payment]);
  assert.deepEqual(await client.getPix(endToEndId), payment);
  const repeatedPut = await client.putCob(txid, buildTerms());
  assert.deepEqual(
    [repeatedPut.kind, repeatedPut.charge.status],
    ['created', 'paid'],
    'the PSP refuses it, and a lookup finds it',
  );
});

test('an invalid end-to-end id is not found, without a call to the PSP', async () => {
  const exchangeCountBefore = setup.exchanges.length;
  assert.deepEqual(await client.getPix('../cob/x'), null);
  assert.equal(setup.exchanges.length, exchangeCountBefore);
  assert.deepEqual(await client.getPix(UNKNOWN_ID), null);
});

test('a removal returns removed, also when repeated, or paid, or not_found', async () => {
  const txid = newTxid();
  await client.putCob(txid, buildTerms());
  assert.equal((await client.removeCob(txid)).kind, 'removed');
  assert.equal((await client.removeCob(txid)).kind, 'removed');
  const otherTxid = newTxid();
  await client.putCob(otherTxid, buildTerms());
  await pay(otherTxid);
  const removal = await client.removeCob(otherTxid);
  assert.ok(removal.kind === 'paid');
  assert.equal(removal.charge.payments.length, 1);
  assert.deepEqual(await client.removeCob(newTxid()), { kind: 'not_found' });
});

test('a refusal has the standard’s type and violations, without secrets', async () => {
  const refusal = client.putCob(newTxid(), buildTerms({ key: 'outra@example.com' }));
  await assert.rejects(refusal, (error: unknown) => {
    assert.ok(error instanceof PspRefused);
    assert.deepEqual([error.status, error.type], [400, 'CobOperacaoInvalida']);
    assert.deepEqual(
      error.violations.map(({ property }) => property),
      ['cob.chave'],
    );
    assert.doesNotMatch(JSON.stringify(error) + error.message, /outra@example/);
    return true;
  });
});

test('payments are listed page by page', async () => {
  clock.set('2027-01-05T12:00:00Z');
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const txid = newTxid();
    await client.putCob(txid, buildTerms());
    ids.push((await pay(txid)).endToEndId);
    clock.advance(1000);
  }
  const window = { from: new Date('2027-01-05T12:00:00Z'), to: new Date('2027-01-05T13:00:00Z') };
  const pages = await Array.fromAsync(client.listPix({ ...window, pageSize: 2 }));
  assert.deepEqual(
    pages.map(({ page, pages: pageCount, payments }) => [page, pageCount, payments.length]),
    [
      [0, 3, 2],
      [1, 3, 2],
      [2, 3, 1],
    ],
  );
  assert.deepEqual(
    pages.flatMap(({ payments }) => payments.map(({ endToEndId }) => endToEndId)),
    ids,
  );
  assert.deepEqual(await Array.fromAsync(client.listPix({ from: window.to, to: window.to })), []);
  assert.deepEqual(await Array.fromAsync(client.listPix({ ...window, withRefund: true })), []);
});

test('a repeated refund is made once; another amount with the same id is reported as taken', async () => {
  const txid = newTxid();
  await client.putCob(txid, buildTerms());
  const { endToEndId } = await pay(txid);
  assert.deepEqual(await client.getRefund(endToEndId, 'r1'), null);
  const firstRefund = await client.requestRefund(endToEndId, 'r1', cents(230), { note: 'Pago a mais' });
  assert.ok(firstRefund.kind === 'requested');
  assert.deepEqual(
    [firstRefund.refund.status, firstRefund.refund.amountCents, firstRefund.refund.nature],
    ['processing', 230, 'ORIGINAL'],
  );
  const repeatedRefund = await client.requestRefund(endToEndId, 'r1', cents(230));
  assert.deepEqual([repeatedRefund.kind, repeatedRefund.refund.id], ['requested', 'r1']);
  assert.equal((await client.requestRefund(endToEndId, 'r1', cents(231))).kind, 'id_taken');
  const excessiveRefund = client.requestRefund(endToEndId, 'r2', cents(5001));
  await assert.rejects(
    excessiveRefund,
    (error) => error instanceof PspRefused && error.type === 'PixDevolucaoInvalida',
  );
  await assert.rejects(client.requestRefund(UNKNOWN_ID, 'r1', cents(1)), PspRefused);
});

test('chargebacks by the payer’s bank are distinguished from our refunds', async () => {
  const txid = newTxid();
  await client.putCob(txid, buildTerms());
  const { endToEndId } = await pay(txid);
  const reversal = await simulator.reverse(txid);
  assert.ok(reversal);
  const foundPix = await client.getPix(endToEndId);
  assert.ok(foundPix);
  const [refund] = foundPix.refunds;
  assert.deepEqual([refund!.nature, refund!.status], ['MED_FRAUDE', 'returned']);
  assert.deepEqual(await client.getRefund(endToEndId, reversal.refundId), refund);
});

test('the webhook of a key can be set and read', async () => {
  assert.deepEqual(await client.getWebhook(PIX_KEY), null);
  const url = 'https://semana.example/psp/a-secret-path';
  await client.putWebhook(PIX_KEY, url);
  const foundWebhook = await client.getWebhook(PIX_KEY);
  assert.ok(foundWebhook);
  assert.equal(foundWebhook.url, url);
  await assert.rejects(client.putWebhook(PIX_KEY, 'http://example.com'), PspRefused);
  assert.doesNotMatch(setup.readLog(), /a-secret-path/);
});

test('a token can be requested with a form, and for some scopes only', async () => {
  const scopes = ['cob.read'];
  const { client: reader } = openTestClient({ url: simulator.url(), tokenStyle: 'form', scopes });
  assert.deepEqual(await reader.getCob(newTxid()), null);
  await assert.rejects(
    reader.putCob(newTxid(), buildTerms()),
    (error) => error instanceof PspRefused && error.status === 403,
  );
});

test('invalid arguments throw without a call to the PSP', async () => {
  await assert.rejects(client.putCob('short', buildTerms()), RangeError);
  await assert.rejects(client.putCob(newTxid(), buildTerms({ amountCents: cents(0) })), RangeError);
  await assert.rejects(client.putCob(newTxid(), buildTerms({ expirationSeconds: 0.5 })), RangeError);
  await assert.rejects(client.requestRefund(UNKNOWN_ID, 'r-1', cents(1)), RangeError);
  await assert.rejects(client.requestRefund(UNKNOWN_ID, 'r1', cents(0)), RangeError);
});

test('expected responses are logged at debug level, all others as warnings', async () => {
  const { client: otherClient, readLog } = openTestClient({ url: simulator.url(), attempts: 1 });
  const txid = newTxid();
  await otherClient.putCob(txid, buildTerms());
  await otherClient.getCob(newTxid());
  await otherClient.removeCob(txid);
  await assert.rejects(otherClient.putWebhook(PIX_KEY, 'http://example.com'), PspRefused);
  const { client: offlineClient, readLog: readOtherLog } = openTestClient({
    url: 'http://127.0.0.1:9',
    attempts: 1,
  });
  await assert.rejects(offlineClient.getCob(txid));
  const lines = (readLog() + readOtherLog()).trim().split('\n');
  const [debug, warn] = [20, 40];
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ method, outcome, level }) => [method, outcome, level]),
    [
      ['PUT', 'done', debug],
      ['GET', '404', debug],
      ['PATCH', 'done', debug],
      ['PUT', '400', warn],
      ['GET', 'unreachable', warn],
    ],
  );
});

test('keys, codes and secrets are not logged', () => {
  const log = setup.readLog();
  assert.match(log, /"route":"\/cob\/:txid"/);
  const startOfBrCode = '000201';
  for (const secret of [PIX_KEY, CLIENT_SECRET, 'Bearer', startOfBrCode])
    assert.ok(!log.includes(secret), secret);
});
