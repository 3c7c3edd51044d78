import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFault } from '#platform/command-line/command.ts';
import { sql } from '#platform/database/db.ts';
import { openLog } from '#platform/observability/log.ts';
import { Problem } from '#platform/problem.ts';
import { commandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { json, openClient, openScript } from '../../../test/support/psp.ts';
import { openTill } from '../../../test/till.ts';
import { eventsOf, readConfiguration } from '../../modules.ts';
import { syncCharge } from '../payments/sync-charge.ts';
import type { Pix } from '../pix.ts';
import type { RefundRow } from '../store/refunds.ts';
import { sendRefund } from './send-refund.ts';

// Refunds that the PSP refuses, and what an operator can do about abandoned ones.
const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const till = openTill(service);
const events = eventsOf(readConfiguration({}));
const semana = commandRunner(service);

const refundsOf = (customerId: string): Promise<RefundRow[]> =>
  service.db.rows(
    sql`select * from pix_refunds where customer_id = ${customerId} order by created_at, tries`,
  );

const statuses = async (customerId: string) =>
  (await refundsOf(customerId)).map(({ status, amount_cents }) => `${amount_cents} ${status}`);

/** 20.00 too much; the second refund waits for its retry. */
async function paidTooMuch() {
  const shopper = await till.newShopper();
  const checkout = await till.sell(shopper);
  await till.faults({ refund: 'fails' });
  const charge = await till.charge(shopper, checkout.installments[0].id, 'settle');
  await till.payCode(charge.txid, { value: 120 });
  await eventually('a second refund waits', async () => (await refundsOf(shopper.id)).length === 2);
  await till.faults({});
  const [, refund] = await refundsOf(shopper.id);
  return { shopper, checkout, pixId: charge.id as string, txid: charge.txid as string, refund: refund! };
}

/** A PSP that knows no payments, and answers every refund with that. */
async function refuse(refund: RefundRow, status: number, body: unknown): Promise<void> {
  const script = await openScript(({ method }, response) =>
    method === 'PUT' ? json(response, status, body) : json(response, 404, {}),
  );
  const { client } = openClient({ url: script.url });
  const parts = {
    db: service.db,
    clock: service.clock,
    events,
    log: openLog('silent'),
    psp: () => client,
    metrics: { refunds: { inc: () => undefined } },
    crash: () => undefined,
  };
  await sendRefund(parts as unknown as Pix, refund, syncCharge);
}

async function givenUp() {
  const of = await paidTooMuch();
  await refuse(of.refund, 400, INVALID);
  assert.deepEqual(await statuses(of.shopper.id), ['2000 failed', '2000 given_up']);
  return of;
}

const standard = (type: string) => ({ type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: 'Não' });
const INVALID = standard('PixDevolucaoInvalida');

for (const [what, status, body] of [
  ['without the scope', 403, standard('AcessoNegado')],
  ['for a payment it does not know yet', 404, standard('PixNaoEncontrado')],
  ['because something else is under way', 409, { nome: 'documento_bloqueado', mensagem: 'Aguarde' }],
  ['for its client', 400, { error: 'invalid_client', error_description: 'Não' }],
  ['with a word that is not known', 422, { nome: 'operacao_em_analise', mensagem: 'Aguarde' }],
  ['without a word', 400, null],
] as const) {
  test(`refused ${what} (${status}): tried again ten minutes later`, async () => {
    const { shopper, refund } = await paidTooMuch();
    await refuse(refund, status, body);
    const [, second, third] = await refundsOf(shopper.id);
    assert.deepEqual([second!.status, third!.status, third!.tries], ['failed', 'asked', 3]);
    assert.equal(third!.due_at.getTime() - service.clock.now().getTime(), 600_000);
    assert.match(second!.reason!, new RegExp(`\\(${status}\\)`));
    assert.deepEqual(await till.audit(), []);
  });
}

for (const [whose, status, body] of [
  ['the standard', 400, INVALID],
  ['a PSP of its own', 400, { nome: 'valor_invalido', mensagem: 'Valor da devolução inválido' }],
] as const) {
  test(`refused for good, in the words of ${whose} (${status}): given up at once`, async () => {
    const { shopper, refund } = await paidTooMuch();
    await refuse(refund, status, body);
    assert.deepEqual(await statuses(shopper.id), ['2000 failed', '2000 given_up']);
  });
}

test('refused for age in the words of a PSP, though it is in time by our clock: cashback at once', async () => {
  const { shopper, refund } = await paidTooMuch();
  await refuse(refund, 422, { nome: 'devolucao_prazo_excedido', mensagem: 'Prazo excedido' });
  assert.deepEqual(await statuses(shopper.id), ['2000 failed', '2000 credited']);
  assert.deepEqual(await till.audit(), []);
});

test('refused to the end: given up after five tries', async () => {
  const { shopper } = await paidTooMuch();
  for (let tries = 2; tries <= 5; tries++)
    await refuse((await refundsOf(shopper.id)).at(-1)!, 403, standard('AcessoNegado'));
  assert.deepEqual((await refundsOf(shopper.id)).map(({ status }) => status).toSorted(), [
    ...['failed', 'failed', 'failed', 'failed', 'given_up'],
  ]);
});

test('the operator sees what was given up, a page at a time, and can retry it', async () => {
  service.clock.advance(1_000);
  const { shopper, refund, pixId } = await givenUp();
  const [shown] = (await till.show(shopper, pixId)).refunds;
  assert.deepEqual([shown.value, shown.status], [20, 'delayed']);
  assert.match(shown.explanation, /Nossa equipe vai resolver/);
  const givenUpOnes = '/admin/pix/refunds?status=given_up';
  const { body } = await till.staff('GET', `${givenUpOnes}&limit=1`);
  const { waiting } = (await till.staff('GET', '/admin/today')).body;
  assert.equal(waiting.failed_refunds, body.pagination.total, 'and that they wait for a person');
  assert.deepEqual(body.data, [
    {
      id: refund.id,
      end_to_end_id: refund.end_to_end_id,
      customer_id: shopper.id,
      value: 20,
      tries: 2,
      status: 'given_up',
      stranded: 20,
      forced: false,
      reason: 'The PSP refused: PixDevolucaoInvalida (400), Não',
      created_at: refund.created_at.toISOString(),
      settled_at: null,
      customer_name: 'Davi Teste',
    },
  ]);
  assert.deepEqual((await till.staff('GET', `/admin/pix/refunds/${refund.id}`)).body, body.data[0]);
  const { total } = body.pagination;
  assert.ok(total > 1);
  assert.match(await semana('pix refunds'), new RegExp(refund.id));

  const retried = await till.staff('POST', `/admin/pix/refunds/${refund.id}/retry`);
  assert.deepEqual([retried.status, retried.body.asked, retried.body.refund.status], [200, 20, 'failed']);
  const again = await till.staff('POST', `/admin/pix/refunds/${refund.id}/retry`);
  assert.deepEqual([again.status, again.body.code], [409, 'refund_not_given_up']);
  await eventually('it is back', async () => (await statuses(shopper.id)).includes('2000 returned'));
  const stood = (await statuses(shopper.id)).toSorted();
  assert.deepEqual(stood, ['2000 failed', '2000 failed', '2000 returned']);
  assert.equal((await till.staff('GET', givenUpOnes)).body.pagination.total, total - 1);
  assert.doesNotMatch(await semana('pix refunds'), new RegExp(refund.id));
  assert.deepEqual(await till.audit(), []);
});

const isRefused = (told: RegExp) => (error: unknown) =>
  (error instanceof CommandFault || error instanceof Problem) && told.test(error.message);

test('not retried: a refund in progress, an unknown one, and one whose money has left another way', async () => {
  const { refund: waiting } = await paidTooMuch();
  await assert.rejects(
    semana('pix refunds', '--retry', waiting.id),
    isRefused(/ is asked: only one that was/),
  );
  await assert.rejects(semana('pix refunds', '--retry', 'nobody'), isRefused(/There is no refund nobody/));

  const byBank = await givenUp();
  await till.takeBackCode(byBank.txid, 20);
  await eventually('it is known', async () => (await refundsOf(byBank.shopper.id)).length === 3);
  await assert.rejects(semana('pix refunds', '--retry', byBank.refund.id), isRefused(/ is overtaken: only/));
});

test('a given-up refund is not listed once its money has paid something, and cannot be retried', async () => {
  const shopper = await till.newShopper();
  const checkout = await till.sell(shopper);
  const id = checkout.installments[0].id as string;
  const first = await till.charge(shopper, id, 'settle_partial', 60);
  await till.payCode(first.txid);
  await till.whenStatus(shopper, first.id, 'paid');
  service.clock.advance(1_000);
  await till.faults({ refund: 'fails' });
  const second = await till.charge(shopper, id, 'settle');
  await till.payCode(second.txid, { value: 60 });
  await eventually('a second refund waits', async () => (await refundsOf(shopper.id)).length === 2);
  await till.faults({});
  const refund = (await refundsOf(shopper.id))[1]!;
  await refuse(refund, 400, INVALID);
  assert.match(await semana('pix refunds'), new RegExp(refund.id));
  await till.takeBackCode(first.txid);
  await eventually('it is known', async () => (await refundsOf(shopper.id)).length === 3);
  assert.equal((await till.installment(checkout.hash)).outstanding, 40);
  assert.doesNotMatch(await semana('pix refunds'), new RegExp(refund.id));
  await assert.rejects(semana('pix refunds', '--retry', refund.id), isRefused(/ is overtaken: only/));
  assert.deepEqual(await till.audit(), []);
});

test('by two operators at once: it is asked for once, and the trail says by whom', async () => {
  const { shopper, refund } = await givenUp();
  const asked = await Promise.allSettled([1, 2].map(() => semana('pix refunds', '--retry', refund.id)));
  assert.deepEqual(asked.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await eventually('it is back', async () => (await statuses(shopper.id)).includes('2000 returned'));
  assert.equal((await refundsOf(shopper.id)).length, 3);
  const { body } = await till.staff('GET', `/admin/audit-trail?subject=pix_refund:${refund.id}`);
  assert.deepEqual(
    body.data.map(({ action, after }: { action: string; after: object }) => [action, after]),
    [['pix refunds --retry', { status: 'failed', stranded: 0 }]],
  );
});

test('a refund whose transaction fails and is tried again is counted once', async () => {
  const counted = async () => {
    const { text } = await till.staff('GET', '/metrics');
    return Number(text.match(/pix_refunds_total\{outcome="forced"\} (\d+)/)?.[1] ?? 0);
  };
  const shopper = await till.newShopper();
  const checkout = await till.sell(shopper);
  const charge = await till.charge(shopper, checkout.installments[0].id, 'settle');
  await till.payCode(charge.txid);
  await till.whenStatus(shopper, charge.id, 'paid');
  const before = await counted();
  // A sequence is not rolled back: the first commit fails, the others do not.
  await service.db.run(sql`create sequence test_commits`);
  await service.db.run(sql`
    create function test_fail_once() returns trigger language plpgsql as $$ begin
      if nextval('test_commits') = 1 then raise exception 'the commit fails once'; end if;
      return null;
    end $$`);
  await service.db.run(sql`
    create constraint trigger test_fail_once after insert on pix_refunds deferrable initially deferred
    for each row execute function test_fail_once()`);
  await till.takeBackCode(charge.txid);
  await eventually('it is taken back', async () => (await refundsOf(shopper.id)).length === 1);
  const tries = await service.db.row<{ last_value: number }>(sql`select last_value from test_commits`);
  await service.db.run(sql`drop trigger test_fail_once on pix_refunds`);
  assert.ok(tries!.last_value > 1, 'it was tried again');
  await eventually('it is counted', async () => (await counted()) > before);
  assert.equal(await counted(), before + 1);
});
