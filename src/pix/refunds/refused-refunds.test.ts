import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { sql } from '#platform/database/db.ts';
import { createLog } from '#platform/observability/log.ts';
import { createCommandRunner } from '../../../test/commands.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { openScriptedPsp, openTestClient, sendJson } from '../../../test/support/psp.ts';
import { createModuleEvents, readConfiguration } from '../../modules.ts';
import { sendRefund } from '../payments/send-refund.ts';
import type { Pix } from '../pix.ts';
import type { RefundRow } from '../store/payments.ts';

// Refunds that the PSP refuses, and what an operator can do about given up refunds.
const service = await openService();
service.clock.set('2026-11-23T15:00:00Z');
const pixDriver = createPixDriver(service);
const events = createModuleEvents(readConfiguration({}));
const runCommand = createCommandRunner(service);
const listGivenUp = () => runCommand('pix refunds list', '--status', 'given_up');
const retryRefund = (id: string) => runCommand('pix refunds retry', id, '--yes');

const listRefunds = (customerId: string): Promise<RefundRow[]> =>
  service.db.rows(
    sql`select * from pix_refunds where customer_id = ${customerId} order by created_at, tries`,
  );

const listStatuses = async (customerId: string) =>
  (await listRefunds(customerId)).map(({ status, amount_cents }) => `${amount_cents} ${status}`);

/** Pays 20.00 too much. The first refund fails, and the second is pending. */
async function payWithFailedRefund() {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  await pixDriver.setPspFaults({ refund: 'fails' });
  const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  await pixDriver.payCharge(charge.txid, { value: 120 });
  await eventually('a second refund waits', async () => (await listRefunds(customer.id)).length === 2);
  await pixDriver.setPspFaults({});
  const [, refund] = await listRefunds(customer.id);
  return { customer, checkout, pixId: charge.id as string, txid: charge.txid as string, refund: refund! };
}

/** Sends the refund to a PSP that has no payments, and refuses every refund with this response. */
async function sendToRefusingPsp(refund: RefundRow, status: number, body: unknown): Promise<void> {
  const psp = await openScriptedPsp(({ method }, response) =>
    method === 'PUT' ? sendJson(response, status, body) : sendJson(response, 404, {}),
  );
  const { client } = openTestClient({ url: psp.url });
  const pix = {
    db: service.db,
    clock: service.clock,
    events,
    log: createLog('silent'),
    psp: () => client,
    metrics: { refunds: { inc: () => undefined } },
    failpoint: () => undefined,
  };
  await sendRefund(pix as unknown as Pix, refund);
}

async function createGivenUpRefund() {
  const purchase = await payWithFailedRefund();
  await sendToRefusingPsp(purchase.refund, 400, INVALID_REFUND);
  assert.deepEqual(await listStatuses(purchase.customer.id), ['2000 failed', '2000 given_up']);
  return purchase;
}

const buildError = (type: string) => ({ type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: 'Não' });
const INVALID_REFUND = buildError('PixDevolucaoInvalida');

for (const [caseName, status, body] of [
  ['without the scope', 403, buildError('AcessoNegado')],
  ['for a payment it does not know yet', 404, buildError('PixNaoEncontrado')],
  ['because of another operation in progress', 409, { nome: 'documento_bloqueado', mensagem: 'Aguarde' }],
  ['because of its credentials', 400, { error: 'invalid_client', error_description: 'Não' }],
  ['with an unknown code', 422, { nome: 'operacao_em_analise', mensagem: 'Aguarde' }],
  ['without a code', 400, null],
] as const) {
  test(`a refund refused ${caseName} (${status}) is retried ten minutes later`, async () => {
    const { customer, refund } = await payWithFailedRefund();
    await sendToRefusingPsp(refund, status, body);
    const [, secondRefund, thirdRefund] = await listRefunds(customer.id);
    assert.deepEqual([secondRefund!.status, thirdRefund!.status, thirdRefund!.tries], ['failed', 'asked', 3]);
    assert.equal(thirdRefund!.due_at.getTime() - service.clock.now().getTime(), 10 * MINUTE_MS);
    assert.match(secondRefund!.reason!, new RegExp(`\\(${status}\\)`));
    assert.deepEqual(await pixDriver.listMismatches(), []);
  });
}

for (const [source, status, body] of [
  ['the standard', 400, INVALID_REFUND],
  ['a PSP', 400, { nome: 'valor_invalido', mensagem: 'Valor da devolução inválido' }],
] as const) {
  test(`a refund refused permanently with a code of ${source} (${status}) is given up immediately`, async () => {
    const { customer, refund } = await payWithFailedRefund();
    await sendToRefusingPsp(refund, status, body);
    assert.deepEqual(await listStatuses(customer.id), ['2000 failed', '2000 given_up']);
  });
}

test('a refund that the PSP refuses as too old becomes cashback immediately, even if it is in time by our clock', async () => {
  const { customer, refund } = await payWithFailedRefund();
  await sendToRefusingPsp(refund, 422, { nome: 'devolucao_prazo_excedido', mensagem: 'Prazo excedido' });
  assert.deepEqual(await listStatuses(customer.id), ['2000 failed', '2000 credited']);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('a refund is given up after five refused attempts', async () => {
  const { customer } = await payWithFailedRefund();
  for (let attempt = 2; attempt <= 5; attempt++)
    await sendToRefusingPsp((await listRefunds(customer.id)).at(-1)!, 403, buildError('AcessoNegado'));
  const statuses = (await listRefunds(customer.id)).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), ['failed', 'failed', 'failed', 'failed', 'given_up']);
});

test('the operator can list and retry refunds that were given up', async () => {
  // So that the refund is the newest of the list.
  service.clock.advance(1_000);
  const { customer, refund, pixId } = await createGivenUpRefund();
  const [refundView] = (await pixDriver.getCharge(customer, pixId)).refunds;
  assert.deepEqual([refundView.value, refundView.status], [20, 'delayed']);
  assert.match(refundView.explanation, /Nossa equipe vai resolver/);
  const givenUpPath = '/admin/pix/refunds?status=given_up';
  const { body } = await pixDriver.callStaff('GET', `${givenUpPath}&limit=1`);
  const { waiting } = (await pixDriver.callStaff('GET', '/admin/today')).body;
  assert.equal(waiting.failed_refunds, body.pagination.total, 'they are counted as pending work');
  assert.deepEqual(body.data, [
    {
      id: refund.id,
      end_to_end_id: refund.end_to_end_id,
      customer_id: customer.id,
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
  assert.deepEqual((await pixDriver.callStaff('GET', `/admin/pix/refunds/${refund.id}`)).body, body.data[0]);
  const { total } = body.pagination;
  assert.ok(total > 1);
  assert.match(await listGivenUp(), new RegExp(refund.id));

  const retryResponse = await pixDriver.callStaff('POST', `/admin/pix/refunds/${refund.id}/retry`);
  assert.deepEqual(
    [retryResponse.status, retryResponse.body.asked, retryResponse.body.refund.status],
    [200, 20, 'failed'],
  );
  const repeatedResponse = await pixDriver.callStaff('POST', `/admin/pix/refunds/${refund.id}/retry`);
  assert.deepEqual([repeatedResponse.status, repeatedResponse.body.code], [409, 'refund_not_given_up']);
  await eventually('the refund is returned', async () =>
    (await listStatuses(customer.id)).includes('2000 returned'),
  );
  const finalStatuses = (await listStatuses(customer.id)).toSorted();
  assert.deepEqual(finalStatuses, ['2000 failed', '2000 failed', '2000 returned']);
  assert.equal((await pixDriver.callStaff('GET', givenUpPath)).body.pagination.total, total - 1);
  assert.doesNotMatch(await listGivenUp(), new RegExp(refund.id));
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('a refund cannot be retried if it is in progress, is unknown, or was superseded by a chargeback', async () => {
  const { refund: pendingRefund } = await payWithFailedRefund();
  await assert.rejects(retryRefund(pendingRefund.id), / is asked: only a refund that was/);
  await assert.rejects(retryRefund('unknownrefund'), /No refund of ours has this id/);

  const chargedBackPurchase = await createGivenUpRefund();
  await pixDriver.chargeBackCharge(chargedBackPurchase.txid, 20);
  await eventually(
    'the chargeback is recorded',
    async () => (await listRefunds(chargedBackPurchase.customer.id)).length === 3,
  );
  await assert.rejects(retryRefund(chargedBackPurchase.refund.id), / is overtaken: only/);
});

test('a given-up refund whose money has paid a debt is not listed, and cannot be retried', async () => {
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const installmentId = checkout.installments[0].id as string;
  const firstCharge = await pixDriver.createCharge(customer, installmentId, 'settle_partial', 60);
  await pixDriver.payCharge(firstCharge.txid);
  await pixDriver.waitForStatus(customer, firstCharge.id, 'paid');
  service.clock.advance(1_000);
  await pixDriver.setPspFaults({ refund: 'fails' });
  const secondCharge = await pixDriver.createCharge(customer, installmentId, 'settle');
  await pixDriver.payCharge(secondCharge.txid, { value: 60 });
  await eventually('a second refund waits', async () => (await listRefunds(customer.id)).length === 2);
  await pixDriver.setPspFaults({});
  const [, secondRefund] = await listRefunds(customer.id);
  const refund = secondRefund!;
  await sendToRefusingPsp(refund, 400, INVALID_REFUND);
  assert.match(await listGivenUp(), new RegExp(refund.id));
  await pixDriver.chargeBackCharge(firstCharge.txid);
  await eventually('the chargeback is recorded', async () => (await listRefunds(customer.id)).length === 3);
  assert.equal((await pixDriver.getInstallment(checkout.hash)).outstanding, 40);
  assert.doesNotMatch(await listGivenUp(), new RegExp(refund.id));
  await assert.rejects(retryRefund(refund.id), / is overtaken: only/);
  assert.deepEqual(await pixDriver.listMismatches(), []);
});

test('when two operators retry a refund concurrently, it is requested once, and recorded in the audit trail', async () => {
  const { customer, refund } = await createGivenUpRefund();
  const outcomes = await Promise.allSettled([retryRefund(refund.id), retryRefund(refund.id)]);
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await eventually('the refund is returned', async () =>
    (await listStatuses(customer.id)).includes('2000 returned'),
  );
  assert.equal((await listRefunds(customer.id)).length, 3);
  const { body } = await pixDriver.callStaff('GET', `/admin/audit-trail?subject=pix_refund:${refund.id}`);
  assert.deepEqual(
    body.data.map(({ action, after }: { action: string; after: object }) => [action, after]),
    [['retryPixRefund', { status: 'failed', stranded: 0 }]],
  );
});

test('a refund whose transaction fails and is retried is counted once', async () => {
  const countForced = async () => {
    const { text } = await pixDriver.callStaff('GET', '/metrics');
    return Number(/pix_refunds_total\{outcome="forced"\} (?<count>\d+)/.exec(text)?.groups?.count ?? 0);
  };
  const customer = await pixDriver.createCustomer();
  const checkout = await pixDriver.sell(customer);
  const charge = await pixDriver.createCharge(customer, checkout.installments[0].id, 'settle');
  await pixDriver.payCharge(charge.txid);
  await pixDriver.waitForStatus(customer, charge.id, 'paid');
  const forcedCountBefore = await countForced();
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
  await pixDriver.chargeBackCharge(charge.txid);
  await eventually('the chargeback is recorded', async () => (await listRefunds(customer.id)).length === 1);
  const commits = await service.db.row<{ last_value: number }>(sql`select last_value from test_commits`);
  await service.db.run(sql`drop trigger test_fail_once on pix_refunds`);
  assert.ok(commits!.last_value > 1, 'the transaction was retried');
  await eventually('the chargeback is counted', async () => (await countForced()) > forcedCountBefore);
  assert.equal(await countForced(), forcedCountBefore + 1);
});
