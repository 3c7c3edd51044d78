import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertPspProblem,
  buildChargeBody,
  newTxid,
  openTestSimulator,
} from '../../../test/support/psp-simulator.ts';

const { call, clock, simulator } = await openTestSimulator();

const putCharge = (body: unknown, txid: string) => call('PUT', `/v2/cob/${txid}`, body);

test('lists are paged from 0, filtered, and ordered by creation', async () => {
  clock.set('2026-12-01T12:00:00Z');
  const cpf = '52998224725';
  const brunoChargeCount = 3;
  const txids: string[] = [];
  for (let i = 0; i < 5; i++) {
    clock.advance(1000);
    const txid = newTxid();
    await putCharge(
      buildChargeBody('7.00', i < brunoChargeCount ? { devedor: { cpf, nome: 'Bruno' } } : {}),
      txid,
    );
    txids.push(txid);
  }
  await simulator.pay(txids[0]!);
  const period = 'inicio=2026-12-01T12:00:00Z&fim=2026-12-01T13:00:00.000-00:00';
  const listCharges = async (filters: string) => (await call('GET', `/v2/cob?${period}${filters}`)).body;
  const firstPage = await listCharges('&paginacao.itensPorPagina=2');
  assert.deepEqual(firstPage.parametros, {
    inicio: '2026-12-01T12:00:00Z',
    fim: '2026-12-01T13:00:00.000-00:00',
    paginacao: { paginaAtual: 0, itensPorPagina: 2, quantidadeDePaginas: 3, quantidadeTotalDeItens: 5 },
  });
  assert.deepEqual(
    firstPage.cobs.map((charge: { txid: string }) => charge.txid),
    txids.slice(0, 2),
  );
  assert.equal(firstPage.cobs[0].pix.length, 1);
  const lastPage = await listCharges('&paginacao.itensPorPagina=2&paginacao.paginaAtual=2');
  assert.deepEqual(
    lastPage.cobs.map((charge: { txid: string }) => charge.txid),
    txids.slice(4),
  );
  const emptyPage = await listCharges('&paginacao.itensPorPagina=2&paginacao.paginaAtual=9');
  assert.deepEqual([emptyPage.cobs.length, emptyPage.parametros.paginacao.quantidadeTotalDeItens], [0, 5]);
  assert.equal((await listCharges(`&cpf=${cpf}`)).cobs.length, brunoChargeCount);
  assert.equal((await listCharges('&status=CONCLUIDA')).cobs.length, 1);
  const pageWithoutLocation = await listCharges('&locationPresente=false');
  assert.deepEqual(
    [pageWithoutLocation.cobs.length, pageWithoutLocation.parametros.locationPresente],
    [0, false],
  );
  const pixList = (await call('GET', `/v2/pix?${period}&txIdPresente=true&devolucaoPresente=false`)).body;
  const { txIdPresente, devolucaoPresente } = pixList.parametros;
  assert.deepEqual([txIdPresente, devolucaoPresente], [true, false], 'flags are returned as booleans');
});

const invalidQueries: Array<[query: string, properties: string[]]> = [
  ['', ['inicio', 'fim']],
  ['?inicio=2026-12-01&fim=2026-12-02T00:00:00Z', ['inicio']],
  ['?inicio=2026-12-02T00:00:00Z&fim=2026-12-01T00:00:00Z', ['fim']],
  [
    '?inicio=2026-12-01T00:00:00Z&fim=2026-12-02T00:00:00Z&paginacao.paginaAtual=-1',
    ['paginacao.paginaAtual'],
  ],
  [
    '?inicio=2026-12-01T00:00:00Z&fim=2026-12-02T00:00:00Z&paginacao.itensPorPagina=1001',
    ['paginacao.itensPorPagina'],
  ],
  ['?inicio=2026-12-01T00:00:00Z&fim=2026-12-02T00:00:00Z&cpf=52998224725&cnpj=12345678000195', ['cpf']],
  ['?inicio=2026-12-01T00:00:00Z&fim=2026-12-02T00:00:00Z&status=EXPIRADA', ['status']],
];
for (const [query, properties] of invalidQueries) {
  test(`400 CobConsultaInvalida: GET /cob${query}`, async () => {
    assertPspProblem(await call('GET', `/v2/cob${query}`), 400, 'CobConsultaInvalida', properties);
  });
}
