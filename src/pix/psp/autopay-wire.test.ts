import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { decodeBrCode } from '#core/values/br-code.ts';
import { type Day, day } from '#core/values/day.ts';
import { cents } from '#core/values/money.ts';
import { checkCallback, openCheckingProxy } from '../../../test/support/api-pix.ts';
import { buildTerms, eventually, newTxid, openTestClient, PIX_KEY } from '../../../test/support/psp.ts';
import { openTestSimulator } from '../../../test/support/psp-simulator.ts';
import type { DebitTerms, RecurrenceTerms } from './autopay.ts';
import { PspRefused, PspUnavailable } from './failures.ts';

// Today is Monday 2026-11-16 at noon.
const simulatorHost = await openTestSimulator({ keys: [PIX_KEY] });
const { simulator, clock } = simulatorHost;
const checkingProxy = await openCheckingProxy(simulator.url());
const { client, readLog } = openTestClient({
  url: checkingProxy.url,
  attempts: 4,
  receiver: { name: 'Semana Sandbox', city: 'Sao Paulo' },
  timeoutMs: 1_000,
  callTimeoutMs: 8_000,
});
const callbacks: Array<{ path: string; body: unknown }> = [];

const receiver = createServer((request, response) => void receive(request, response));
const receive = async (request: IncomingMessage, response: ServerResponse) => {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  callbacks.push({ path: request.url!, body: JSON.parse(body) });
  response.writeHead(200).end();
};
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => {
  receiver.closeAllConnections();
  receiver.close();
});
const callbackUrl = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/hook`;

const recTerms = (locationId: number, overrides: Partial<RecurrenceTerms> = {}): RecurrenceTerms => ({
  contract: '3kTMd9vR2xYb7LqWn0PzAh',
  subject: 'Padaria Flor do Trigo, compra semanal',
  payer: { cpf: '52998224725', name: 'Ana Souza' },
  from: day('2026-11-23'),
  until: day('2026-12-21'),
  maxDebitCents: cents(2_500),
  locationId,
  firstTxid: null,
  ...overrides,
});

const debitTerms = (recId: string, dueOn: Day, overrides: Partial<DebitTerms> = {}): DebitTerms => ({
  recId,
  dueOn,
  amountCents: cents(2_501),
  account: { number: '12345678', type: 'CORRENTE', branch: '0001' },
  note: 'Parcela 1 de 4',
  ...overrides,
});

async function createAuthorised(overrides: Partial<RecurrenceTerms> = {}): Promise<string> {
  const { id } = await client.createRecLocation();
  const rec = await client.createRec(recTerms(id, overrides));
  assert.ok((await simulator.actAsPayer(rec.id, 'authorise'))?.isDone);
  return rec.id;
}

test('an authorisation is created, has a code, is approved and ended, as in the standard', async () => {
  await client.putAutopayWebhooks(callbackUrl);
  assert.deepEqual(
    (await client.getAutopayWebhooks()).map((found) => found?.url),
    [callbackUrl, callbackUrl],
  );
  const { id, location } = await client.createRecLocation();
  const rec = await client.createRec(recTerms(id));
  assert.match(rec.id, /^RR\d{16}\w{11}$/);
  assert.equal(rec.status, 'created');
  const fetched = (await client.getRec(rec.id))!;
  const decoded = decodeBrCode(client.resolveBrCode(fetched, null)!);
  assert.ok(decoded.ok);
  assert.deepEqual([decoded.code.target.kind, decoded.code.recurrenceLocation], ['recurrence', location]);
  await simulator.actAsPayer(rec.id, 'authorise');
  assert.equal((await client.getRec(rec.id))!.status, 'approved');
  assert.equal((await client.cancelRec(rec.id))!.status, 'cancelled');
  const ended = (await client.getRec(rec.id))!;
  assert.deepEqual([ended.status, ended.endedBy, ended.endCode], ['cancelled', 'USUARIO_RECEBEDOR', 'SLCR']);
  assert.equal((await client.cancelRec(rec.id))!.status, 'cancelled');
  assert.equal(await client.getRec('RR99900002202611160000000000a'), null);
});

test('paying the charge of a composite code authorises debits', async () => {
  const txid = newTxid();
  const created = await client.putCob(txid, buildTerms());
  const { id, location } = await client.createRecLocation();
  const rec = await client.createRec(recTerms(id, { firstTxid: txid }));
  const fetched = (await client.getRec(rec.id, txid))!;
  const decoded = decodeBrCode(fetched.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location: created.charge.location });
  assert.equal(decoded.code.recurrenceLocation, location);
  // If the PSP returns no code, we build the same one.
  assert.equal(client.resolveBrCode({ ...fetched, brCode: null }, created.charge.location), fetched.brCode);
  await simulator.pay(txid);
  assert.equal((await client.getRec(rec.id))!.status, 'approved');
});

test('a refused authorisation is rejected, and one that the payer ends names the payer', async () => {
  const [refused, ended] = [
    await client.createRec(recTerms((await client.createRecLocation()).id)),
    await client.createRec(recTerms((await client.createRecLocation()).id)),
  ];
  await simulator.actAsPayer(refused.id, 'refuse');
  await simulator.actAsPayer(ended.id, 'authorise');
  await simulator.actAsPayer(ended.id, 'cancel');
  const [firstRecurrence, secondRecurrence] = [
    (await client.getRec(refused.id))!,
    (await client.getRec(ended.id))!,
  ];
  assert.deepEqual([firstRecurrence.status, firstRecurrence.endCode], ['rejected', 'AP13']);
  assert.deepEqual(
    [secondRecurrence.status, secondRecurrence.endedBy, secondRecurrence.endCode],
    ['cancelled', 'USUARIO_PAGADOR', 'SLDB'],
  );
});

test('after a lost response, an authorisation is found by its location and not created twice', async () => {
  const { id } = await client.createRecLocation();
  await simulator.setFaults({ drop_after_write: 1 });
  const rec = await client.createRec(recTerms(id));
  await simulator.setFaults({});
  const createRecLater = await client.createRec(recTerms(id), { inDoubt: true });
  assert.equal(createRecLater.id, rec.id);
  // The PSP refuses another authorisation for the same location, and the first one is returned.
  assert.equal((await client.createRec(recTerms(id))).id, rec.id);
});

test('a debit is created once and paid on its day, and its payment has no key', async () => {
  const recId = await createAuthorised();
  const txid = newTxid();
  const created = await client.putDebit(txid, debitTerms(recId, day('2026-11-23')));
  assert.equal(created.kind, 'created');
  assert.deepEqual(
    [created.debit.status, created.debit.attempts],
    ['active', [{ day: '2026-11-23', status: 'scheduled', code: null }]],
  );
  assert.equal(
    (await client.putDebit(txid, debitTerms(recId, day('2026-11-23')), { inDoubt: true })).kind,
    'created',
  );
  const otherDebitTerms = debitTerms(recId, day('2026-11-23'), { amountCents: cents(1) });
  assert.equal((await client.putDebit(txid, otherDebitTerms)).kind, 'txid_taken');
  // Only one debit per cycle is allowed.
  await assert.rejects(client.putDebit(newTxid(), debitTerms(recId, day('2026-11-25'))), PspRefused);
  clock.set('2026-11-23T10:00:00Z');
  await simulator.attemptDueDebits();
  const paid = (await client.getDebit(txid))!;
  assert.deepEqual([paid.status, paid.attempts[0]!.status], ['paid', 'paid']);
  const [payment] = paid.payments;
  assert.deepEqual([payment!.amountCents, payment!.key, payment!.txid], [2_501, null, txid]);
  assert.equal(payment!.paidAt.toISOString(), '2026-11-23T09:00:00.000Z');
  clock.set('2026-11-16T15:00:00Z');
});

test('a debit can be withdrawn before its day, and not on it', async () => {
  const recId = await createAuthorised();
  const [early, late] = [newTxid(), newTxid()];
  await client.putDebit(early, debitTerms(recId, day('2026-11-23')));
  const ended = await client.cancelDebit(early);
  assert.ok(ended.kind === 'ended');
  assert.equal(ended.debit.status, 'cancelled');
  await client.putDebit(late, debitTerms(recId, day('2026-11-23')));
  clock.set('2026-11-23T03:00:00Z');
  assert.deepEqual(await client.cancelDebit(late), { kind: 'too_late' });
  assert.deepEqual(await client.cancelDebit(newTxid()), { kind: 'not_found' });
  clock.set('2026-11-16T15:00:00Z');
});

test('without money, a debit is attempted twice a day, and then on at most three requested days', async () => {
  const recId = await createAuthorised();
  const txid = newTxid();
  await client.putDebit(txid, debitTerms(recId, day('2026-11-23')));
  await simulator.setFaults({ debits: 'no_money' });
  clock.set('2026-11-23T10:00:00Z');
  await simulator.attemptDueDebits();
  assert.equal((await client.getDebit(txid))!.attempts[0]!.status, 'scheduled');
  await assert.rejects(client.retryDebit(txid, day('2026-11-24')), PspRefused);
  clock.set('2026-11-23T23:00:00Z');
  await simulator.attemptDueDebits();
  assert.equal((await client.getDebit(txid))!.attempts[0]!.status, 'expired');
  for (const [on, next] of [
    ['2026-11-24', '2026-11-25T00:30:00Z'],
    ['2026-11-26', '2026-11-27T00:30:00Z'],
    ['2026-11-28', '2026-11-29T00:30:00Z'],
  ] as const) {
    const retried = await client.retryDebit(txid, day(on));
    assert.deepEqual(retried.attempts.at(-1), { day: on, status: 'scheduled', code: null });
    clock.set(next);
    await simulator.attemptDueDebits();
  }
  assert.equal(
    (await client.getDebit(txid))!.attempts.filter(({ status }) => status === 'expired').length,
    4,
  );
  await assert.rejects(client.retryDebit(txid, day('2026-11-30')), PspRefused);
  clock.set('2026-12-02T12:00:00Z');
  await simulator.attemptDueDebits();
  assert.equal((await client.getDebit(txid))!.status, 'expired');
  await simulator.setFaults({});
  clock.set('2026-11-16T15:00:00Z');
});

test('a low limit gives a rejection code, a holiday moves the day, and a silent bank leaves the debit scheduled', async () => {
  const recId = await createAuthorised({ from: day('2026-11-20'), until: day('2027-01-20') });
  await simulator.setFaults({ debits_moved_days: 1 });
  const [capped, silent] = [newTxid(), newTxid()];
  // Friday the 20th is a holiday, so the debit moves to Monday, and a local holiday moves it to Tuesday.
  const moved = await client.putDebit(capped, debitTerms(recId, day('2026-11-20')));
  assert.equal(moved.debit.attempts[0]!.day, '2026-11-24');
  await simulator.setFaults({ debits: 'cap' });
  clock.set('2026-11-24T12:00:00Z');
  await simulator.attemptDueDebits();
  const [attempt] = (await client.getDebit(capped))!.attempts;
  assert.deepEqual([attempt!.status, attempt!.code], ['rejected', 'AM02']);
  await simulator.setFaults({ debits: 'silent' });
  await client.putDebit(silent, debitTerms(recId, day('2026-11-27')));
  clock.set('2026-11-29T12:00:00Z');
  await simulator.attemptDueDebits();
  assert.equal((await client.getDebit(silent))!.attempts[0]!.status, 'scheduled');
  await simulator.setFaults({});
  clock.set('2026-11-16T15:00:00Z');
});

test('a retry whose response is lost is requested once', async () => {
  const recId = await createAuthorised();
  const txid = newTxid();
  await client.putDebit(txid, debitTerms(recId, day('2026-11-23')));
  await simulator.setFaults({ debits: 'no_money' });
  clock.set('2026-11-24T00:00:00Z');
  await simulator.attemptDueDebits();
  await simulator.setFaults({ drop_after_write: 1 });
  const retried = await client.retryDebit(txid, day('2026-11-26'));
  assert.equal(retried.attempts.length, 2);
  await simulator.setFaults({});
  clock.set('2026-11-16T15:00:00Z');
});

test('the chargeback of a debit has its own nature', async () => {
  const recId = await createAuthorised();
  const txid = newTxid();
  await client.putDebit(txid, debitTerms(recId, day('2026-11-23')));
  clock.set('2026-11-23T10:00:00Z');
  await simulator.attemptDueDebits();
  assert.ok(await simulator.reverse(txid));
  const { payments } = (await client.getDebit(txid))!;
  assert.deepEqual(
    payments[0]!.refunds.map(({ nature, status }) => [nature, status]),
    [['MED_PIX_AUTOMATICO', 'returned']],
  );
  clock.set('2026-11-16T15:00:00Z');
});

test('PSP errors are reported as unavailable, and logs contain no personal data', async () => {
  await simulator.setFaults({ error_rate: 1 });
  await assert.rejects(client.getDebit(newTxid()), PspUnavailable);
  await simulator.setFaults({});
  assert.doesNotMatch(readLog(), /52998224725|Ana Souza|12345678/);
});

test('every request, response and callback of these tests conforms to the standard', async () => {
  await eventually('callbacks', async () => callbacks.some(({ path }) => path.endsWith('/cobr')));
  assert.deepEqual(
    callbacks.flatMap(({ path, body }) => checkCallback(path, body)),
    [],
  );
  assert.deepEqual([...new Set(checkingProxy.schemaErrors)], []);
  const calls = new Set(checkingProxy.calls);
  for (const call of [
    'POST /v2/rec 201',
    'GET /v2/rec/… 200',
    'PATCH /v2/rec/… 200',
    'PUT /v2/cobr/… 201',
    'GET /v2/cobr/… 200',
    'PATCH /v2/cobr/… 200',
    'POST /v2/cobr/…/retentativa/2026-11-24 201',
  ])
    assert.ok(calls.has(call), call);
});
