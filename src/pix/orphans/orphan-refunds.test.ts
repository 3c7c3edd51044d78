/** While the PSP may be refunding an orphan, only a response about the refund itself ends the refund. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '#core/values/duration.ts';
import { createLog } from '#platform/observability/log.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { createPixDriver } from '../../../test/pix-driver.ts';
import { openScriptedPsp, openTestClient, sendJson } from '../../../test/support/psp.ts';
import { sendOrphanRefund } from '../payments/send-refund.ts';
import type { Pix } from '../pix.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00.000Z');
const pixDriver = createPixDriver(service);

const findOrphan = async (id: string) => (await pixDriver.callStaff('GET', `/admin/pix/orphans/${id}`)).body;

/** Creates an orphan of R$ 10.00 whose refund is in progress at the PSP. */
async function createRefundingOrphan(): Promise<string> {
  await pixDriver.setPspFaults({ refund: 'stuck' });
  const { end_to_end_id: id } = await pixDriver.payCharge(await pixDriver.createForeignCharge());
  await eventually('the payment is an orphan', async () => (await findOrphan(id)).status === 'open');
  assert.equal((await pixDriver.callStaff('POST', `/admin/pix/orphans/${id}/refund`)).status, 200);
  await eventually('the refund is in progress', async () => (await findOrphan(id)).status === 'processing');
  await pixDriver.waitForJobs();
  return id;
}

type ScriptedResponse = [status: number, body: unknown];

/** Runs the refund job against a PSP with these responses for refunds, and returns the methods of its requests. */
async function runRefundJob(
  id: string,
  responses: { GET: ScriptedResponse; PUT?: ScriptedResponse },
): Promise<string[]> {
  const psp = await openScriptedPsp(({ method }, response) => {
    const [status, body] = responses[method as 'GET' | 'PUT'] ?? [500, {}];
    sendJson(response, status, body);
  });
  const { client } = openTestClient({ url: psp.url, attempts: 1 });
  const deps = { db: service.db, clock: service.clock, log: createLog('silent'), psp: () => client };
  // An error makes the job system retry, which this test does not need.
  await sendOrphanRefund({ ...deps, failpoint: () => undefined } as unknown as Pix, id).catch(
    () => undefined,
  );
  return psp.requests.filter(({ path }) => path !== '/oauth/token').map(({ method }) => method);
}

const buildError = (type: string) => ({ type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: 'Não' });
const INVALID_REFUND: ScriptedResponse = [400, buildError('PixDevolucaoInvalida')];

for (const [caseName, refusalStatus, refusalBody] of [
  ['without the scope', 403, buildError('AcessoNegado')],
  ['as an invalid request', 400, buildError('RequisicaoInvalida')],
  ['with the type of a final refusal', 400, buildError('PixDevolucaoInvalida')],
  ['by a proxy in between', 422, null],
  ['with a server error', 500, buildError('ErroInternoDoServidor')],
] as const) {
  test(`if the PSP refuses the lookup of the refund ${caseName}, the refund stays in progress`, async () => {
    const id = await createRefundingOrphan();
    const methods = await runRefundJob(id, { GET: [refusalStatus, refusalBody], PUT: INVALID_REFUND });
    assert.ok(!methods.includes('PUT'), 'the refund is not requested again');
    const { status, reason } = await findOrphan(id);
    assert.deepEqual([status, reason], ['processing', null]);
    const repeatedResponse = await pixDriver.callStaff('POST', `/admin/pix/orphans/${id}/refund`);
    assert.deepEqual([repeatedResponse.status, repeatedResponse.body.code], [409, 'orphan_closed']);
    await pixDriver.setPspFaults({});
    service.clock.advance(2 * MINUTE_MS);
    await pixDriver.runJob('pix_reconcile');
    await eventually('the orphan is refunded', async () => (await findOrphan(id)).status === 'returned');
  });
}

test('if the PSP does not have the refund and refuses it, the orphan is open again, with the reason', async () => {
  const id = await createRefundingOrphan();
  const refusal = {
    ...buildError('PixDevolucaoInvalida'),
    violacoes: [{ razao: 'Fora da janela', propriedade: 'id' }],
  };
  const methods = await runRefundJob(id, {
    GET: [404, buildError('PixDevolucaoNaoEncontrada')],
    PUT: [400, refusal],
  });
  assert.ok(methods.includes('PUT'));
  const { status, reason } = await findOrphan(id);
  assert.equal(status, 'open');
  assert.equal(reason, 'The PSP refused: PixDevolucaoInvalida (400), Não: Fora da janela');
});

test('if the PSP did not carry out the refund, the orphan is open again, with the reason', async () => {
  const id = await createRefundingOrphan();
  const refund = { id: 'x', valor: '10.00', status: 'NAO_REALIZADO', motivo: 'Conta encerrada' };
  await runRefundJob(id, { GET: [200, { ...refund, horario: { solicitacao: '2026-11-23T15:00:00Z' } }] });
  const { status, reason } = await findOrphan(id);
  assert.deepEqual([status, reason], ['open', 'Conta encerrada']);
});
