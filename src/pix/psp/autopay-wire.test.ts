import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { decodeBrCode } from '#core/br-code.ts';
import { type Day, day } from '#core/day.ts';
import { cents } from '#core/money.ts';
import { checkNotice, openWitness } from '../../../test/support/api-pix.ts';
import { eventually, newTxid, openClient, PIX_KEY, terms } from '../../../test/support/psp.ts';
import { openBank } from '../../../test/support/psp-simulator.ts';
import type { DebitTerms } from './debits.ts';
import { PspRefused, PspUnavailable } from './failures.ts';
import type { RecurrenceTerms } from './recurrences.ts';

// Today is Monday 2026-11-16 at noon.
const bank = await openBank({ keys: [PIX_KEY] });
const { simulator, clock } = bank;
const witness = await openWitness(simulator.url());
const { client, logged } = openClient({
  url: witness.url,
  attempts: 4,
  receiver: { name: 'Semana Sandbox', city: 'Sao Paulo' },
  timeoutMs: 1_000,
  callTimeoutMs: 8_000,
});
const heard: Array<{ path: string; body: unknown }> = [];

const receiver = createServer((request, response) => void hear(request, response));
const hear = async (request: IncomingMessage, response: ServerResponse) => {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  heard.push({ path: request.url!, body: JSON.parse(body) });
  response.writeHead(200).end();
};
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => {
  receiver.closeAllConnections();
  receiver.close();
});
const hook = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/hook`;

const recTerms = (locationId: number, more: Partial<RecurrenceTerms> = {}): RecurrenceTerms => ({
  contract: '3kTMd9vR2xYb7LqWn0PzAh',
  subject: 'Padaria Flor do Trigo, compra semanal',
  payer: { cpf: '52998224725', name: 'Ana Souza' },
  from: day('2026-11-23'),
  until: day('2026-12-21'),
  leastCents: cents(2_500),
  locationId,
  firstTxid: null,
  ...more,
});

const debitTerms = (recId: string, dueOn: Day, more: Partial<DebitTerms> = {}): DebitTerms => ({
  recId,
  dueOn,
  amountCents: cents(2_501),
  account: { number: '12345678', type: 'CORRENTE', branch: '0001' },
  note: 'Parcela 1 de 4',
  ...more,
});

async function authorised(more: Partial<RecurrenceTerms> = {}): Promise<string> {
  const { id } = await client.createRecLocation();
  const rec = await client.createRec(recTerms(id, more));
  assert.equal((await simulator.answer(rec.id, 'authorise')).kind, 'answered');
  return rec.id;
}

test('an authorisation is made, shows its code, is approved, and ends, all in the words of the standard', async () => {
  await client.putAutopayWebhooks(hook);
  assert.deepEqual(
    (await client.getAutopayWebhooks()).map((found) => found.kind === 'found' && found.webhook.url),
    [hook, hook],
  );
  const { id, location } = await client.createRecLocation();
  const rec = await client.createRec(recTerms(id));
  assert.match(rec.id, /^RR\d{16}\w{11}$/);
  assert.equal(rec.status, 'created');
  const shown = (await client.getRec(rec.id))!;
  const decoded = decodeBrCode(client.codeOf(shown, null)!);
  assert.ok(decoded.ok);
  assert.deepEqual([decoded.code.target.kind, decoded.code.recurrenceLocation], ['recurrence', location]);
  await simulator.answer(rec.id, 'authorise');
  assert.equal((await client.getRec(rec.id))!.status, 'approved');
  assert.equal((await client.cancelRec(rec.id))!.status, 'cancelled');
  const ended = (await client.getRec(rec.id))!;
  assert.deepEqual([ended.status, ended.endedBy, ended.endCode], ['cancelled', 'USUARIO_RECEBEDOR', 'SLCR']);
  assert.equal((await client.cancelRec(rec.id))!.status, 'cancelled');
  assert.equal(await client.getRec('RR99900002202611160000000000a'), null);
});

test('paying the charge of a composite code is authorising', async () => {
  const txid = newTxid();
  const made = await client.putCob(txid, terms());
  const { id, location } = await client.createRecLocation();
  const rec = await client.createRec(recTerms(id, { firstTxid: txid }));
  const shown = (await client.getRec(rec.id, txid))!;
  const decoded = decodeBrCode(shown.brCode!);
  assert.ok(decoded.ok);
  assert.deepEqual(decoded.code.target, { kind: 'dynamic', location: made.charge.location });
  assert.equal(decoded.code.recurrenceLocation, location);
  // A PSP that shows no code: ours is the same.
  assert.equal(client.codeOf({ ...shown, brCode: null }, made.charge.location), shown.brCode);
  await simulator.pay(txid);
  assert.equal((await client.getRec(rec.id))!.status, 'approved');
});

test('a refused authorisation says so, and one that the payer ends names the payer', async () => {
  const [refused, ended] = [
    await client.createRec(recTerms((await client.createRecLocation()).id)),
    await client.createRec(recTerms((await client.createRecLocation()).id)),
  ];
  await simulator.answer(refused.id, 'refuse');
  await simulator.answer(ended.id, 'authorise');
  await simulator.answer(ended.id, 'cancel');
  const [a, b] = [(await client.getRec(refused.id))!, (await client.getRec(ended.id))!];
  assert.deepEqual([a.status, a.endCode], ['rejected', 'AP13']);
  assert.deepEqual([b.status, b.endedBy, b.endCode], ['cancelled', 'USUARIO_PAGADOR', 'SLDB']);
});

test('in doubt, an authorisation is found again by its location, and none is made twice', async () => {
  const { id } = await client.createRecLocation();
  await simulator.setFaults({ drop_after_write: 1 });
  const rec = await client.createRec(recTerms(id));
  await simulator.setFaults({});
  const again = await client.createRec(recTerms(id), { inDoubt: true });
  assert.equal(again.id, rec.id);
  // Another one for the same location is refused by the PSP, and the first is the answer.
  assert.equal((await client.createRec(recTerms(id))).id, rec.id);
});

test('a debit is made once, is paid on its day, and shows its payment without a key', async () => {
  const recId = await authorised();
  const txid = newTxid();
  const made = await client.putDebit(txid, debitTerms(recId, day('2026-11-23')));
  assert.equal(made.kind, 'made');
  assert.deepEqual(
    [made.debit.status, made.debit.attempts],
    ['active', [{ on: '2026-11-23', status: 'scheduled', code: null }]],
  );
  assert.equal(
    (await client.putDebit(txid, debitTerms(recId, day('2026-11-23')), { inDoubt: true })).kind,
    'made',
  );
  const other = debitTerms(recId, day('2026-11-23'), { amountCents: cents(1) });
  assert.equal((await client.putDebit(txid, other)).kind, 'taken');
  // One a cycle.
  await assert.rejects(client.putDebit(newTxid(), debitTerms(recId, day('2026-11-25'))), PspRefused);
  clock.set('2026-11-23T10:00:00Z');
  await simulator.tryDebits();
  const paid = (await client.getDebit(txid))!;
  assert.deepEqual([paid.status, paid.attempts[0]!.status], ['paid', 'paid']);
  const [payment] = paid.payments;
  assert.deepEqual([payment!.amountCents, payment!.key, payment!.txid], [2_501, null, txid]);
  assert.equal(payment!.paidAt.toISOString(), '2026-11-23T09:00:00.000Z');
  clock.set('2026-11-16T15:00:00Z');
});

test('a debit is withdrawn before its day, and not on it', async () => {
  const recId = await authorised();
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

test('without money a debit is tried twice a day, then on the days asked for, three at most', async () => {
  const recId = await authorised();
  const txid = newTxid();
  await client.putDebit(txid, debitTerms(recId, day('2026-11-23')));
  await simulator.setFaults({ debits: 'no_money' });
  clock.set('2026-11-23T10:00:00Z');
  await simulator.tryDebits();
  assert.equal((await client.getDebit(txid))!.attempts[0]!.status, 'scheduled');
  await assert.rejects(client.retryDebit(txid, day('2026-11-24')), PspRefused);
  clock.set('2026-11-23T23:00:00Z');
  await simulator.tryDebits();
  assert.equal((await client.getDebit(txid))!.attempts[0]!.status, 'expired');
  for (const [on, next] of [
    ['2026-11-24', '2026-11-25T00:30:00Z'],
    ['2026-11-26', '2026-11-27T00:30:00Z'],
    ['2026-11-28', '2026-11-29T00:30:00Z'],
  ] as const) {
    const asked = await client.retryDebit(txid, day(on));
    assert.deepEqual(asked.attempts.at(-1), { on, status: 'scheduled', code: null });
    clock.set(next);
    await simulator.tryDebits();
  }
  assert.equal(
    (await client.getDebit(txid))!.attempts.filter(({ status }) => status === 'expired').length,
    4,
  );
  await assert.rejects(client.retryDebit(txid, day('2026-11-30')), PspRefused);
  clock.set('2026-12-02T12:00:00Z');
  await simulator.tryDebits();
  assert.equal((await client.getDebit(txid))!.status, 'expired');
  await simulator.setFaults({});
  clock.set('2026-11-16T15:00:00Z');
});

test('a limit that is too low is a rejection with a code, a holiday moves the day, and a mute bank leaves it scheduled', async () => {
  const recId = await authorised({ from: day('2026-11-20'), until: day('2027-01-20') });
  await simulator.setFaults({ debits_moved_days: 1 });
  const [cap, mute] = [newTxid(), newTxid()];
  // The 20th is a holiday and a Friday: Monday, and a local holiday makes it Tuesday.
  const moved = await client.putDebit(cap, debitTerms(recId, day('2026-11-20')));
  assert.equal(moved.debit.attempts[0]!.on, '2026-11-24');
  await simulator.setFaults({ debits: 'cap' });
  clock.set('2026-11-24T12:00:00Z');
  await simulator.tryDebits();
  const [attempt] = (await client.getDebit(cap))!.attempts;
  assert.deepEqual([attempt!.status, attempt!.code], ['rejected', 'AM02']);
  await simulator.setFaults({ debits: 'silent' });
  await client.putDebit(mute, debitTerms(recId, day('2026-11-27')));
  clock.set('2026-11-29T12:00:00Z');
  await simulator.tryDebits();
  assert.equal((await client.getDebit(mute))!.attempts[0]!.status, 'scheduled');
  await simulator.setFaults({});
  clock.set('2026-11-16T15:00:00Z');
});

test('a retry whose answer is lost was asked for once', async () => {
  const recId = await authorised();
  const txid = newTxid();
  await client.putDebit(txid, debitTerms(recId, day('2026-11-23')));
  await simulator.setFaults({ debits: 'no_money' });
  clock.set('2026-11-24T00:00:00Z');
  await simulator.tryDebits();
  await simulator.setFaults({ drop_after_write: 1 });
  const asked = await client.retryDebit(txid, day('2026-11-26'));
  assert.equal(asked.attempts.length, 2);
  await simulator.setFaults({});
  clock.set('2026-11-16T15:00:00Z');
});

test('money of a debit that the payer’s bank takes back has a nature of its own', async () => {
  const recId = await authorised();
  const txid = newTxid();
  await client.putDebit(txid, debitTerms(recId, day('2026-11-23')));
  clock.set('2026-11-23T10:00:00Z');
  await simulator.tryDebits();
  assert.equal((await simulator.reverse(txid)).kind, 'reversed');
  const { payments } = (await client.getDebit(txid))!;
  assert.deepEqual(
    payments[0]!.refunds.map(({ nature, status }) => [nature, status]),
    [['MED_PIX_AUTOMATICO', 'returned']],
  );
  clock.set('2026-11-16T15:00:00Z');
});

test('a PSP that is away is unavailable, and personal data is in no log', async () => {
  await simulator.setFaults({ error_rate: 1 });
  await assert.rejects(client.getDebit(newTxid()), PspUnavailable);
  await simulator.setFaults({});
  assert.doesNotMatch(logged(), /52998224725|Ana Souza|12345678/);
});

test('every call, answer and notice of these tests is as the standard has it', async () => {
  await eventually('notices', async () => heard.some(({ path }) => path.endsWith('/cobr')));
  assert.deepEqual(
    heard.flatMap(({ path, body }) => checkNotice(path, body)),
    [],
  );
  assert.deepEqual([...new Set(witness.faults)], []);
  const calls = new Set(witness.seen);
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
