import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { decodeBrCode } from '#core/values/br-code.ts';
import { type Day, day } from '#core/values/day.ts';
import { cents } from '#core/values/money.ts';
import { eventually } from '../../../test/harness.ts';
import { checkCallback, openCheckingProxy } from '../../../test/support/api-pix.ts';
import { buildTerms, newTxid, openTestClient, PIX_KEY } from '../../../test/support/psp.ts';
import { openTestSimulator } from '../../../test/support/psp-simulator.ts';
import type { DebitTerms, RecurrenceTerms } from './autopay.ts';
import { PspRefused, PspUnavailable } from './failures.ts';

const simulatorHost = await openTestSimulator({ keys: [PIX_KEY] });
const { simulator, clock } = simulatorHost;
/** Sets the clock to the start of the tests: Monday at noon in Brazil. */
const resetClock = () => clock.set('2026-11-16T15:00:00Z');
const checkingProxy = await openCheckingProxy(simulator.url());
const { client, readLog } = openTestClient({
  url: checkingProxy.url,
  attempts: 4,
  receiver: { name: 'Semana Sandbox', city: 'Sao Paulo' },
  timeoutMs: 1_000,
  callTimeoutMs: 8_000,
});
const callbacks: Array<{ path: string; body: unknown }> = [];

const receiveCallback = async (request: IncomingMessage, response: ServerResponse) => {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  callbacks.push({ path: request.url!, body: JSON.parse(body) });
  response.writeHead(200).end();
};
const callbackServer = createServer((request, response) => void receiveCallback(request, response));
await new Promise<void>((resolve) => callbackServer.listen(0, '127.0.0.1', resolve));
after(() => {
  callbackServer.closeAllConnections();
  callbackServer.close();
});
const callbackUrl = `http://127.0.0.1:${(callbackServer.address() as { port: number }).port}/hook`;

const buildRecTerms = (locationId: number, overrides: Partial<RecurrenceTerms> = {}): RecurrenceTerms => ({
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

const buildDebitTerms = (recId: string, dueOn: Day, overrides: Partial<DebitTerms> = {}): DebitTerms => ({
  recId,
  dueOn,
  amountCents: cents(2_501),
  account: { number: '12345678', type: 'CORRENTE', branch: '0001' },
  note: 'Parcela 1 de 4',
  ...overrides,
});

async function getFirstAttempt(txid: string) {
  const [firstAttempt] = (await client.getDebit(txid))!.attempts;
  return firstAttempt!;
}

/** Creates a recurrence, which the payer authorises. Returns its id. */
async function createAuthorisedRec(overrides: Partial<RecurrenceTerms> = {}): Promise<string> {
  const { id } = await client.createRecLocation();
  const recurrence = await client.createRec(buildRecTerms(id, overrides));
  assert.ok((await simulator.actAsPayer(recurrence.id, 'authorise'))?.isDone);
  return recurrence.id;
}

test('an authorisation is created, has a code, is approved and ended, as in the standard', async () => {
  await client.putAutopayWebhooks(callbackUrl);
  assert.deepEqual(
    (await client.getAutopayWebhooks()).map((webhook) => webhook?.url),
    [callbackUrl, callbackUrl],
  );
  const { id, location } = await client.createRecLocation();
  const recurrence = await client.createRec(buildRecTerms(id));
  assert.match(recurrence.id, /^RR\d{16}\w{11}$/);
  assert.equal(recurrence.status, 'created');
  const fetchedRec = (await client.getRec(recurrence.id))!;
  const decoded = decodeBrCode(client.resolveBrCode(fetchedRec, null)!);
  assert.ok(decoded.ok);
  assert.deepEqual([decoded.code.target.kind, decoded.code.recurrenceLocation], ['recurrence', location]);
  await simulator.actAsPayer(recurrence.id, 'authorise');
  assert.equal((await client.getRec(recurrence.id))!.status, 'approved');
  assert.equal((await client.cancelRec(recurrence.id))!.status, 'cancelled');
  const { status, endedBy, endCode } = (await client.getRec(recurrence.id))!;
  assert.deepEqual([status, endedBy, endCode], ['cancelled', 'USUARIO_RECEBEDOR', 'SLCR']);
  assert.equal((await client.cancelRec(recurrence.id))!.status, 'cancelled');
  assert.equal(await client.getRec('RR99900002202611160000000000a'), null);
});

test('paying the charge of a composite code authorises debits', async () => {
  const txid = newTxid();
  const cob = await client.putCob(txid, buildTerms());
  const { id, location } = await client.createRecLocation();
  const recurrence = await client.createRec(buildRecTerms(id, { firstTxid: txid }));
  const fetchedRec = (await client.getRec(recurrence.id, txid))!;
  const decoded = decodeBrCode(fetchedRec.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location: cob.charge.location });
  assert.equal(decoded.code.recurrenceLocation, location);
  // If the PSP returns no code, we build the same one.
  assert.equal(client.resolveBrCode({ ...fetchedRec, brCode: null }, cob.charge.location), fetchedRec.brCode);
  await simulator.pay(txid);
  assert.equal((await client.getRec(recurrence.id))!.status, 'approved');
});

test('a refused authorisation is rejected, and one that the payer ends names the payer', async () => {
  const [refusedRec, endedRec] = [
    await client.createRec(buildRecTerms((await client.createRecLocation()).id)),
    await client.createRec(buildRecTerms((await client.createRecLocation()).id)),
  ];
  await simulator.actAsPayer(refusedRec.id, 'refuse');
  await simulator.actAsPayer(endedRec.id, 'authorise');
  await simulator.actAsPayer(endedRec.id, 'cancel');
  const [rejectedRec, cancelledRec] = [
    (await client.getRec(refusedRec.id))!,
    (await client.getRec(endedRec.id))!,
  ];
  assert.deepEqual([rejectedRec.status, rejectedRec.endCode], ['rejected', 'AP13']);
  assert.deepEqual(
    [cancelledRec.status, cancelledRec.endedBy, cancelledRec.endCode],
    ['cancelled', 'USUARIO_PAGADOR', 'SLDB'],
  );
});

test('after a lost response, an authorisation is found by its location and not created twice', async () => {
  const { id } = await client.createRecLocation();
  await simulator.setFaults({ drop_after_write: 1 });
  const recurrence = await client.createRec(buildRecTerms(id));
  await simulator.setFaults({});
  const repeatedRecurrence = await client.createRec(buildRecTerms(id), { readFirst: true });
  assert.equal(repeatedRecurrence.id, recurrence.id);
  // The PSP refuses another authorisation for the same location, and the first one is returned.
  assert.equal((await client.createRec(buildRecTerms(id))).id, recurrence.id);
});

test('a debit is created once and paid on its day, and its payment has no key', async () => {
  const recId = await createAuthorisedRec();
  const txid = newTxid();
  const createdDebit = await client.putDebit(txid, buildDebitTerms(recId, day('2026-11-23')));
  assert.equal(createdDebit.kind, 'created');
  assert.deepEqual(
    [createdDebit.debit.status, createdDebit.debit.attempts],
    ['active', [{ day: '2026-11-23', status: 'scheduled', code: null }]],
  );
  assert.equal(
    (await client.putDebit(txid, buildDebitTerms(recId, day('2026-11-23')), { readFirst: true })).kind,
    'created',
  );
  const otherDebitTerms = buildDebitTerms(recId, day('2026-11-23'), { amountCents: cents(1) });
  assert.equal((await client.putDebit(txid, otherDebitTerms)).kind, 'txid_taken');
  // Only one debit per cycle is allowed.
  await assert.rejects(client.putDebit(newTxid(), buildDebitTerms(recId, day('2026-11-25'))), PspRefused);
  clock.set('2026-11-23T10:00:00Z');
  await simulator.attemptDueDebits();
  const paidDebit = (await client.getDebit(txid))!;
  assert.deepEqual([paidDebit.status, (await getFirstAttempt(txid)).status], ['paid', 'paid']);
  const [payment] = paidDebit.payments;
  assert.deepEqual([payment!.amountCents, payment!.key, payment!.txid], [2_501, null, txid]);
  assert.equal(payment!.paidAt.toISOString(), '2026-11-23T09:00:00.000Z');
  resetClock();
});

test('a debit can be cancelled before its day, and not on it', async () => {
  const recId = await createAuthorisedRec();
  const [earlyTxid, lateTxid] = [newTxid(), newTxid()];
  await client.putDebit(earlyTxid, buildDebitTerms(recId, day('2026-11-23')));
  const cancellation = await client.cancelDebit(earlyTxid);
  assert.ok(cancellation.kind === 'ended');
  assert.equal(cancellation.debit.status, 'cancelled');
  await client.putDebit(lateTxid, buildDebitTerms(recId, day('2026-11-23')));
  clock.set('2026-11-23T03:00:00Z');
  assert.deepEqual(await client.cancelDebit(lateTxid), { kind: 'too_late' });
  assert.deepEqual(await client.cancelDebit(newTxid()), { kind: 'not_found' });
  resetClock();
});

test('without money, a debit is attempted twice a day, and then on at most three requested days', async () => {
  const recId = await createAuthorisedRec();
  const txid = newTxid();
  await client.putDebit(txid, buildDebitTerms(recId, day('2026-11-23')));
  await simulator.setFaults({ debits: 'no_money' });
  clock.set('2026-11-23T10:00:00Z');
  await simulator.attemptDueDebits();
  assert.equal((await getFirstAttempt(txid)).status, 'scheduled');
  await assert.rejects(client.retryDebit(txid, day('2026-11-24')), PspRefused);
  clock.set('2026-11-23T23:00:00Z');
  await simulator.attemptDueDebits();
  assert.equal((await getFirstAttempt(txid)).status, 'expired');
  for (const [retryDay, checkTime] of [
    ['2026-11-24', '2026-11-25T00:30:00Z'],
    ['2026-11-26', '2026-11-27T00:30:00Z'],
    ['2026-11-28', '2026-11-29T00:30:00Z'],
  ] as const) {
    const retriedDebit = await client.retryDebit(txid, day(retryDay));
    assert.deepEqual(retriedDebit.attempts.at(-1), { day: retryDay, status: 'scheduled', code: null });
    clock.set(checkTime);
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
  resetClock();
});

test('a low limit gives a rejection code, a holiday moves the day, and a silent bank leaves the debit scheduled', async () => {
  const recId = await createAuthorisedRec({ from: day('2026-11-20'), until: day('2027-01-20') });
  await simulator.setFaults({ debits_moved_days: 1 });
  const [cappedTxid, silentTxid] = [newTxid(), newTxid()];
  // Friday the 20th is a holiday, so the debit moves to Monday, and a local holiday moves it to Tuesday.
  const movedDebit = await client.putDebit(cappedTxid, buildDebitTerms(recId, day('2026-11-20')));
  assert.deepEqual(
    movedDebit.debit.attempts.map((attempt) => attempt.day),
    ['2026-11-24'],
  );
  await simulator.setFaults({ debits: 'cap' });
  clock.set('2026-11-24T12:00:00Z');
  await simulator.attemptDueDebits();
  const rejectedAttempt = await getFirstAttempt(cappedTxid);
  assert.deepEqual([rejectedAttempt.status, rejectedAttempt.code], ['rejected', 'AM02']);
  await simulator.setFaults({ debits: 'silent' });
  await client.putDebit(silentTxid, buildDebitTerms(recId, day('2026-11-27')));
  clock.set('2026-11-29T12:00:00Z');
  await simulator.attemptDueDebits();
  assert.equal((await getFirstAttempt(silentTxid)).status, 'scheduled');
  await simulator.setFaults({});
  resetClock();
});

test('a retry whose response is lost is requested once', async () => {
  const recId = await createAuthorisedRec();
  const txid = newTxid();
  await client.putDebit(txid, buildDebitTerms(recId, day('2026-11-23')));
  await simulator.setFaults({ debits: 'no_money' });
  clock.set('2026-11-24T00:00:00Z');
  await simulator.attemptDueDebits();
  await simulator.setFaults({ drop_after_write: 1 });
  const retriedDebit = await client.retryDebit(txid, day('2026-11-26'));
  assert.equal(retriedDebit.attempts.length, 2);
  await simulator.setFaults({});
  resetClock();
});

test('the chargeback of a debit has its own nature', async () => {
  const recId = await createAuthorisedRec();
  const txid = newTxid();
  await client.putDebit(txid, buildDebitTerms(recId, day('2026-11-23')));
  clock.set('2026-11-23T10:00:00Z');
  await simulator.attemptDueDebits();
  assert.ok(await simulator.reverse(txid));
  const [payment] = (await client.getDebit(txid))!.payments;
  assert.deepEqual(
    payment!.refunds.map(({ nature, status }) => [nature, status]),
    [['MED_PIX_AUTOMATICO', 'returned']],
  );
  resetClock();
});

test('PSP errors are reported as unavailable, and logs contain no personal data', async () => {
  await simulator.setFaults({ error_rate: 1 });
  await assert.rejects(client.getDebit(newTxid()), PspUnavailable);
  await simulator.setFaults({});
  assert.doesNotMatch(readLog(), /52998224725|Ana Souza|12345678/);
});

test('every request, response and callback of these tests conforms to the standard', async () => {
  await eventually('a callback about a debit arrives', async () =>
    callbacks.some(({ path }) => path.endsWith('/cobr')),
  );
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
