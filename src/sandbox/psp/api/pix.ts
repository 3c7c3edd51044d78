import { DAY_MS } from '#core/duration.ts';
import { parseReaisText } from '#core/money.ts';
import { newReturnId } from '../bank.ts';
import { changeBank } from '../bank-change.ts';
import { writePix } from '../dialect.ts';
import { renderRefund } from '../render.ts';
import { findPix, insertRefund, listPix, lockPix, type PixRow } from '../store/pix.ts';
import { CNPJ, CPF, isEndToEndId, isLine } from './names.ts';
import { found, PspProblem, Violations } from './problem.ts';
import type { Call, PspResponse, Routes } from './route.ts';
import { object } from './terms.ts';
import { FLAG, flag, parameters, readList, slice } from './window.ts';

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;
const SHORT_PAGE = 2;
const REFUND_WINDOW_MS = 90 * DAY_MS;

/** Money that arrived, and money sent back. */
export const pixRoutes: Routes = {
  'GET /v2/pix': list,
  'GET /v2/pix/:e2eid': get,
  'PUT /v2/pix/:e2eid/devolucao/:id': putRefund,
  'GET /v2/pix/:e2eid/devolucao/:id': getRefund,
};

async function list({ bank, query }: Call): Promise<PspResponse> {
  const { window, asked } = readList(query, 'PixConsultaInvalida', {
    txid: /^[a-zA-Z0-9]{1,35}$/,
    txIdPresente: FLAG,
    devolucaoPresente: FLAG,
    cpf: CPF,
    cnpj: CNPJ,
  });
  const faults = await bank.faultSettings.current();
  if (faults.pix_list === 'short_pages') window.size = Math.min(window.size, SHORT_PAGE);
  const filter = {
    ...window,
    txid: faults.pix_list === 'unfiltered' ? null : asked.txid,
    withTxid: flag(asked.txIdPresente),
    withRefund: flag(asked.devolucaoPresente),
  };
  // Simulated payers have no document: a filter by one finds nobody.
  const nobody = asked.cpf !== null || asked.cnpj !== null || faults.pix_list === 'empty';
  const { rows, total } = nobody ? { rows: [], total: 0 } : await listPix(bank.db, filter, slice(window));
  const parametros = parameters(query, window, total);
  if (faults.pix_list === 'short_pages') parametros.paginacao = { paginaAtual: window.page };
  return { status: 200, body: { parametros, pix: rows.map((row) => writePix(faults, row)) } };
}

async function get({ bank, params }: Call): Promise<PspResponse> {
  const faults = await bank.faultSettings.current();
  if (faults.pix_lookup === 'refused') throw new PspProblem('AcessoNegado');
  const pix = await found(params.e2eid, isEndToEndId, (id) => findPix(bank.db, id), 'PixNaoEncontrado');
  return { status: 200, body: writePix(faults, pix) };
}

async function putRefund({ bank, params, body, now }: Call): Promise<PspResponse> {
  const id = params.id!;
  const asked = object(body) ?? {};
  return changeBank(bank, async ({ tx, faults }) => {
    const pix = await found(params.e2eid, isEndToEndId, (e2eid) => lockPix(tx, e2eid), 'PixNaoEncontrado');
    const refund = {
      end_to_end_id: pix.end_to_end_id,
      id,
      return_id: newReturnId(now),
      amount_cents: checkRefund(pix, id, asked, now),
      nature: (asked.natureza as string | undefined) ?? 'ORIGINAL',
      description: (asked.descricao as string | undefined) ?? null,
      status: 'EM_PROCESSAMENTO' as const,
      requested_at: now,
      settled_at: null,
    };
    await insertRefund(tx, {
      ...refund,
      settlesAfterMs: faults.refund === 'stuck' ? null : bank.refundDelayMs,
      outcome: faults.refund === 'fails' ? 'NAO_REALIZADO' : 'DEVOLVIDO',
    });
    return { status: 201, body: renderRefund(refund) };
  });
}

function checkRefund(pix: PixRow, id: string, asked: Record<string, unknown>, now: Date): number {
  const wrong = new Violations('PixDevolucaoInvalida');
  const { valor, natureza, descricao } = asked;
  const amountCents = typeof valor === 'string' ? parseReaisText(valor) : null;
  if (!REFUND_ID.test(id)) wrong.schema('id', id);
  if (amountCents === null || amountCents === 0) wrong.schema('valor', valor);
  if (natureza !== undefined && natureza !== 'ORIGINAL' && natureza !== 'RETIRADA')
    wrong.schema('natureza', natureza);
  if (descricao !== undefined && !isLine(descricao, 0, 140)) wrong.schema('descricao', descricao);
  if (pix.refunds.some((refund) => refund.id === id))
    wrong.add('id', 'A presente requisição de devolução apresenta um {id} já utilizado.', id);
  else if (amountCents !== null && amountCents > leftToRefund(pix))
    wrong.add(
      'valor',
      'A presente requisição, em conjunto com as demais devoluções, excederia o valor do pix originário.',
      valor,
    );
  if (now.getTime() - pix.paid_at.getTime() > REFUND_WINDOW_MS)
    wrong.add('id', 'A presente requisição viola a janela de 90 dias permitida para devoluções.');
  wrong.throwIfAny();
  return amountCents!;
}

export function leftToRefund(pix: PixRow): number {
  return pix.refunds
    .filter((refund) => refund.status !== 'NAO_REALIZADO')
    .reduce((left, refund) => left - refund.amount_cents, pix.amount_cents);
}

async function getRefund({ bank, params }: Call): Promise<PspResponse> {
  const findRefund = async (e2eid: string) =>
    (await findPix(bank.db, e2eid))?.refunds.find(({ id }) => id === params.id);
  const refund = await found(params.e2eid, isEndToEndId, findRefund, 'PixDevolucaoNaoEncontrada');
  return { status: 200, body: renderRefund(refund) };
}
