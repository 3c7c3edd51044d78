/** An orphan whose refund the PSP may be at: only what it says of the refund itself ends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLog } from '#platform/observability/log.ts';
import { eventually, openService } from '../../../test/harness.ts';
import { json, openClient, openScript } from '../../../test/support/psp.ts';
import { openTill } from '../../../test/till.ts';
import type { Pix } from '../pix.ts';
import { sendOrphanRefund } from './send-orphan-refund.ts';

const service = await openService();
service.clock.set('2026-11-23T15:00:00.000Z');
const till = openTill(service);

const orphanOf = async (id: string) => (await till.staff('GET', `/admin/pix/orphans/${id}`)).body;

/** R$ 10.00 that came without a charge, and that the PSP is giving back. */
async function leaving(): Promise<string> {
  await till.faults({ refund: 'stuck' });
  const { end_to_end_id: id } = await till.payCode(await till.strangeCharge());
  await eventually('it is an orphan', async () => (await orphanOf(id)).status === 'open');
  assert.equal((await till.staff('POST', `/admin/pix/orphans/${id}/refund`)).status, 200);
  await eventually('the PSP is at it', async () => (await orphanOf(id)).status === 'processing');
  await till.whenIdle();
  return id;
}

/** Asks a PSP that answers reads and writes of refunds like this; answers which methods it was asked with. */
async function ask(
  id: string,
  answers: { GET: [number, unknown]; PUT?: [number, unknown] },
): Promise<string[]> {
  const script = await openScript(({ method }, response) => {
    const [status, body] = answers[method as 'GET' | 'PUT'] ?? [500, {}];
    json(response, status, body);
  });
  const { client } = openClient({ url: script.url, attempts: 1 });
  const parts = { db: service.db, clock: service.clock, log: openLog('silent'), psp: () => client };
  await sendOrphanRefund({ ...parts, crash: () => undefined } as unknown as Pix, id).catch(() => undefined);
  return script.requests.filter(({ path }) => path !== '/oauth/token').map(({ method }) => method);
}

const standard = (type: string) => ({ type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title: 'Não' });
const INVALID: [number, unknown] = [400, standard('PixDevolucaoInvalida')];

for (const [what, ...refusal] of [
  ['without the scope', 403, standard('AcessoNegado')],
  ['as a wrong request', 400, standard('RequisicaoInvalida')],
  ['in the words of a final refusal', 400, standard('PixDevolucaoInvalida')],
  ['by a proxy in between', 422, null],
  ['since it has failed itself', 500, standard('ErroInternoDoServidor')],
] as const) {
  test(`the PSP refuses to say how the refund stands, ${what}: it stays in doubt and closed`, async () => {
    const id = await leaving();
    const asked = await ask(id, { GET: [...refusal], PUT: INVALID });
    assert.ok(!asked.includes('PUT'), 'it is not asked for anew');
    const { status, reason } = await orphanOf(id);
    assert.deepEqual([status, reason], ['processing', null]);
    const again = await till.staff('POST', `/admin/pix/orphans/${id}/refund`);
    assert.deepEqual([again.status, again.body.code], [409, 'orphan_closed']);
    await till.faults({});
    service.clock.advance(120_000);
    await till.run('pix_reconcile');
    await eventually('it is back', async () => (await orphanOf(id)).status === 'returned');
  });
}

test('not known to the PSP and then refused by it: open again, with all that it said', async () => {
  const id = await leaving();
  const said = {
    ...standard('PixDevolucaoInvalida'),
    violacoes: [{ razao: 'Fora da janela', propriedade: 'id' }],
  };
  const asked = await ask(id, { GET: [404, standard('PixDevolucaoNaoEncontrada')], PUT: [400, said] });
  assert.ok(asked.includes('PUT'));
  const { status, reason } = await orphanOf(id);
  assert.equal(status, 'open');
  assert.equal(reason, 'The PSP refused: PixDevolucaoInvalida (400), Não: Fora da janela');
});

test('not carried out, as the PSP says of the refund itself: open again, with the reason', async () => {
  const id = await leaving();
  const refund = { id: 'x', valor: '10.00', status: 'NAO_REALIZADO', motivo: 'Conta encerrada' };
  await ask(id, { GET: [200, { ...refund, horario: { solicitacao: '2026-11-23T15:00:00Z' } }] });
  const { status, reason } = await orphanOf(id);
  assert.deepEqual([status, reason], ['open', 'Conta encerrada']);
});
