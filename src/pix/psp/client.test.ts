import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrCode } from '#core/br-code.ts';
import { cents } from '#core/money.ts';
import { newTxid, openClient, openPair, PIX_KEY, SECRET, terms } from '../../../test/support/psp.ts';
import { PspRefused } from './failures.ts';

const pair = await openPair({}, { keys: [PIX_KEY] });
const { client, simulator, clock } = pair;

async function paid(txid: string) {
  const outcome = await simulator.pay(txid);
  assert.ok(outcome.kind === 'paid');
  return outcome;
}

test('a charge is made, found, and carries a code', async () => {
  const txid = newTxid();
  const made = await client.putCob(txid, terms({ note: 'Parcela 3 de 12' }));
  assert.equal(made.kind, 'made');
  const { charge } = made;
  assert.deepEqual(
    [charge.txid, charge.status, charge.amountCents, charge.key],
    [txid, 'active', 5230, PIX_KEY],
  );
  assert.equal(charge.expirationSeconds, 3600);
  assert.deepEqual(charge.payments, []);
  const decoded = decodeBrCode(charge.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location: charge.location });

  assert.deepEqual(await client.getCob(txid), { kind: 'found', charge });
  assert.deepEqual(await client.getCob(newTxid()), { kind: 'not_found' });
  const wire = (await pair.call('GET', `/v2/cob/${txid}`)).body;
  assert.equal(wire.solicitacaoPagador, 'Parcela 3 de 12');
});

test('the same charge again is the same charge; with other terms the txid is taken, and nothing was changed in doubt', async () => {
  const txid = newTxid();
  await client.putCob(txid, terms());
  const again = await client.putCob(txid, terms(), { inDoubt: true });
  assert.equal(again.kind, 'made');
  const other = await client.putCob(txid, terms({ amountCents: cents(1) }), { inDoubt: true });
  assert.deepEqual([other.kind, other.charge.amountCents], ['taken', 5230]);
  const otherExpiry = await client.putCob(txid, terms({ expirationSeconds: 60 }), { inDoubt: true });
  assert.equal(otherExpiry.kind, 'taken');
});

test('in doubt, what is not there is made', async () => {
  const txid = newTxid();
  const made = await client.putCob(txid, terms(), { inDoubt: true });
  assert.equal(made.kind, 'made');
});

test('a paid charge shows its payment', async () => {
  const txid = newTxid();
  await client.putCob(txid, terms());
  const { endToEndId, paidAt } = await paid(txid);
  const found = await client.getCob(txid);
  assert.ok(found.kind === 'found');
  assert.equal(found.charge.status, 'paid');
  const payment = { endToEndId, txid, amountCents: 5230, key: PIX_KEY, paidAt, refunds: [] };
  assert.deepEqual(found.charge.payments, [payment]);
  assert.deepEqual(await client.getPix(endToEndId), { kind: 'found', pix: payment });
  const again = await client.putCob(txid, terms());
  assert.deepEqual(
    [again.kind, again.charge.status],
    ['made', 'paid'],
    'refused by the PSP, found by looking',
  );
});

test('an invalid end-to-end id is not found, without a call to the PSP', async () => {
  const before = pair.exchanges.length;
  assert.deepEqual(await client.getPix('../cob/x'), { kind: 'not_found' });
  assert.equal(pair.exchanges.length, before);
  assert.deepEqual(await client.getPix(`E${'0'.repeat(31)}`), { kind: 'not_found' });
});

test('removal: removed, again removed, paid meanwhile, not found', async () => {
  const txid = newTxid();
  await client.putCob(txid, terms());
  assert.equal((await client.removeCob(txid)).kind, 'removed');
  assert.equal((await client.removeCob(txid)).kind, 'removed');
  const other = newTxid();
  await client.putCob(other, terms());
  await paid(other);
  const late = await client.removeCob(other);
  assert.ok(late.kind === 'paid');
  assert.equal(late.charge.payments.length, 1);
  assert.deepEqual(await client.removeCob(newTxid()), { kind: 'not_found' });
});

test('refused: the standard’s type and violations, for the operator’s eyes', async () => {
  const refused = client.putCob(newTxid(), terms({ key: 'outra@example.com' }));
  await assert.rejects(refused, (error: unknown) => {
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

test('money that arrived, page by page', async () => {
  clock.set('2027-01-05T12:00:00Z');
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const txid = newTxid();
    await client.putCob(txid, terms());
    ids.push((await paid(txid)).endToEndId);
    clock.advance(1000);
  }
  const window = { from: new Date('2027-01-05T12:00:00Z'), to: new Date('2027-01-05T13:00:00Z') };
  const pages = await Array.fromAsync(client.listPix({ ...window, pageSize: 2 }));
  assert.deepEqual(
    pages.map(({ page, pages: of, payments }) => [page, of, payments.length]),
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

test('a refund is made once, whatever is repeated; another amount under its id is reported as taken', async () => {
  const txid = newTxid();
  await client.putCob(txid, terms());
  const { endToEndId } = await paid(txid);
  assert.deepEqual(await client.getRefund(endToEndId, 'r1'), { kind: 'not_found' });
  const first = await client.requestRefund(endToEndId, 'r1', cents(230), { note: 'Pago a mais' });
  assert.ok(first.kind === 'asked');
  assert.deepEqual(
    [first.refund.status, first.refund.amountCents, first.refund.nature],
    ['processing', 230, 'ORIGINAL'],
  );
  const again = await client.requestRefund(endToEndId, 'r1', cents(230));
  assert.deepEqual([again.kind, again.refund.id], ['asked', 'r1']);
  assert.equal((await client.requestRefund(endToEndId, 'r1', cents(231))).kind, 'taken');
  const tooMuch = client.requestRefund(endToEndId, 'r2', cents(5001));
  await assert.rejects(
    tooMuch,
    (error) => error instanceof PspRefused && error.type === 'PixDevolucaoInvalida',
  );
  await assert.rejects(client.requestRefund(`E${'0'.repeat(31)}`, 'r1', cents(1)), PspRefused);
});

test('chargebacks by the payer’s bank are distinguished from our refunds', async () => {
  const txid = newTxid();
  await client.putCob(txid, terms());
  const { endToEndId } = await paid(txid);
  const reversed = await simulator.reverse(txid);
  assert.ok(reversed.kind === 'reversed');
  const found = await client.getPix(endToEndId);
  assert.ok(found.kind === 'found');
  const [refund] = found.pix.refunds;
  assert.deepEqual([refund!.nature, refund!.status], ['MED_FRAUDE', 'returned']);
  assert.deepEqual(await client.getRefund(endToEndId, reversed.refundId), { kind: 'found', refund });
});

test('the webhook of a key is put and found', async () => {
  assert.deepEqual(await client.getWebhook(PIX_KEY), { kind: 'not_found' });
  const url = 'https://semana.example/psp/a-secret-path';
  await client.putWebhook(PIX_KEY, url);
  const found = await client.getWebhook(PIX_KEY);
  assert.ok(found.kind === 'found');
  assert.equal(found.webhook.url, url);
  await assert.rejects(client.putWebhook(PIX_KEY, 'http://example.com'), PspRefused);
  assert.doesNotMatch(pair.logged(), /a-secret-path/);
});

test('a token by form and for some scopes only', async () => {
  const scopes = ['cob.read'];
  const { client: reader } = openClient({ url: simulator.url(), tokenStyle: 'form', scopes });
  assert.deepEqual(await reader.getCob(newTxid()), { kind: 'not_found' });
  await assert.rejects(
    reader.putCob(newTxid(), terms()),
    (error) => error instanceof PspRefused && error.status === 403,
  );
});

test('bugs of the caller are not sent to the PSP', async () => {
  await assert.rejects(client.putCob('short', terms()), RangeError);
  await assert.rejects(client.putCob(newTxid(), terms({ amountCents: cents(0) })), RangeError);
  await assert.rejects(client.putCob(newTxid(), terms({ expirationSeconds: 0.5 })), RangeError);
  await assert.rejects(client.requestRefund(`E${'0'.repeat(31)}`, 'r-1', cents(1)), RangeError);
  await assert.rejects(client.requestRefund(`E${'0'.repeat(31)}`, 'r1', cents(0)), RangeError);
});

test('what went well is logged for those who look for it, what did not as a warning', async () => {
  const { client: other, logged } = openClient({ url: simulator.url(), attempts: 1 });
  const txid = newTxid();
  await other.putCob(txid, terms());
  await other.getCob(newTxid());
  await other.removeCob(txid);
  await assert.rejects(other.putWebhook(PIX_KEY, 'http://example.com'), PspRefused);
  const { client: lost, logged: loggedThere } = openClient({ url: 'http://127.0.0.1:9', attempts: 1 });
  await assert.rejects(lost.getCob(txid));
  const lines = (logged() + loggedThere()).trim().split('\n');
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

test('no key, no code and no secret is logged', () => {
  const log = pair.logged();
  assert.match(log, /"route":"\/cob\/:txid"/);
  for (const secret of [PIX_KEY, SECRET, 'Bearer', '000201']) assert.ok(!log.includes(secret), secret);
});
