import { DAY_MS } from '#core/duration.ts';
import { parseReaisText } from '#core/money.ts';
import type { Tx } from '#platform/database/db.ts';
import { type Bank, newReturnId } from '../bank.ts';
import { writePix } from '../dialect.ts';
import { renderRefund } from '../render.ts';
import { findPix, insertRefund, listPix, lockPix, type PixRow } from '../store/pix.ts';
import { isEndToEndId, isLine } from './names.ts';
import { PspProblem, Violations } from './problem.ts';
import type { Call, PspResponse, Route } from './route.ts';
import { object } from './terms.ts';
import { parameters, readFlag, readMatching, readWindow, slice } from './window.ts';

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;
const SHORT_PAGE = 2;
const REFUND_WINDOW_MS = 90 * DAY_MS;

/** Money that arrived, and money sent back. */
export function pixRoutes(bank: Bank): Route[] {
  const refund = '/v2/pix/:e2eid/devolucao/:id';
  return [
    { method: 'GET', url: '/v2/pix', scope: 'pix.read', handle: (call) => list(bank, call) },
    { method: 'GET', url: '/v2/pix/:e2eid', scope: 'pix.read', handle: (call) => get(bank, call) },
    { method: 'PUT', url: refund, scope: 'pix.write', handle: (call) => putRefund(bank, call) },
    { method: 'GET', url: refund, scope: 'pix.read', handle: (call) => getRefund(bank, call) },
  ];
}

async function list(bank: Bank, { query }: Call): Promise<PspResponse> {
  const filter: { txid: string | null; withTxid: boolean | null; withRefund: boolean | null } = {
    txid: null,
    withTxid: null,
    withRefund: null,
  };
  const window = readWindow(query, 'PixConsultaInvalida', (wrong) => {
    filter.txid = readMatching(query, 'txid', /^[a-zA-Z0-9]{1,35}$/, wrong);
    filter.withTxid = readFlag(query, 'txIdPresente', wrong);
    filter.withRefund = readFlag(query, 'devolucaoPresente', wrong);
    readMatching(query, 'cpf', /^\d{11}$/, wrong);
    readMatching(query, 'cnpj', /^[0-9A-Z]{14}$/, wrong);
  });
  const faults = await bank.faultSettings.current();
  if (faults.pix_list === 'short_pages') window.size = Math.min(window.size, SHORT_PAGE);
  if (faults.pix_list === 'unfiltered') filter.txid = null;
  // Simulated payers have no document: a filter by one finds nobody.
  const nobody = query.cpf !== undefined || query.cnpj !== undefined || faults.pix_list === 'empty';
  const { rows, total } = nobody
    ? { rows: [], total: 0 }
    : await listPix(bank.db, { ...window, ...filter }, slice(window));
  const parametros = parameters(query, window, total);
  if (faults.pix_list === 'short_pages') parametros.paginacao = { paginaAtual: window.page };
  return { status: 200, body: { parametros, pix: rows.map((row) => writePix(faults, row)) } };
}

async function get(bank: Bank, { params }: Call): Promise<PspResponse> {
  const faults = await bank.faultSettings.current();
  if (faults.pix_lookup === 'refused') throw new PspProblem('AcessoNegado');
  const pix = await find(bank, params);
  if (!pix) throw new PspProblem('PixNaoEncontrado');
  return { status: 200, body: writePix(faults, pix) };
}

async function find(bank: Bank, { e2eid }: Call['params']): Promise<PixRow | undefined> {
  return isEndToEndId(e2eid!) ? findPix(bank.db, e2eid!) : undefined;
}

async function putRefund(bank: Bank, { params, body, now }: Call): Promise<PspResponse> {
  const id = params.id!;
  const asked = object(body) ?? {};
  const faults = await bank.faultSettings.current();
  const refund = await bank.db.transaction(async (tx) => {
    const pix = isEndToEndId(params.e2eid!) ? await lockPix(tx, params.e2eid!) : undefined;
    if (!pix) throw new PspProblem('PixNaoEncontrado');
    const amountCents = checkRefund(pix, id, asked, now);
    return storeRefund(tx, pix, {
      id,
      amountCents,
      nature: (asked.natureza as string | undefined) ?? 'ORIGINAL',
      description: (asked.descricao as string | undefined) ?? null,
      settlesAfterMs: faults.refund === 'stuck' ? null : bank.refundDelayMs,
      outcome: faults.refund === 'fails' ? 'NAO_REALIZADO' : 'DEVOLVIDO',
      now,
    });
  });
  bank.wake();
  return { status: 201, body: renderRefund(refund) };
}

function checkRefund(pix: PixRow, id: string, asked: Record<string, unknown>, now: Date): number {
  const wrong = new Violations('devolucao');
  const { valor, natureza, descricao } = asked;
  const amountCents = typeof valor === 'string' ? parseReaisText(valor) : null;
  if (!REFUND_ID.test(id)) wrong.schema('id', id);
  if (amountCents === null || amountCents === 0) wrong.schema('valor', valor);
  if (natureza !== undefined && natureza !== 'ORIGINAL' && natureza !== 'RETIRADA')
    wrong.schema('natureza', natureza);
  if (descricao !== undefined && !isLine(descricao, 0, 140)) wrong.schema('descricao', descricao);
  if (pix.refunds.some((refund) => refund.id === id))
    wrong.add('id', () => 'A presente requisição de devolução apresenta um {id} já utilizado.', id);
  else if (amountCents !== null && amountCents > leftToRefund(pix))
    wrong.add(
      'valor',
      () =>
        'A presente requisição, em conjunto com as demais devoluções, excederia o valor do pix originário.',
      valor,
    );
  if (now.getTime() - pix.paid_at.getTime() > REFUND_WINDOW_MS)
    wrong.add('id', () => 'A presente requisição viola a janela de 90 dias permitida para devoluções.');
  wrong.throwIfAny('PixDevolucaoInvalida');
  return amountCents!;
}

export function leftToRefund(pix: PixRow): number {
  return pix.refunds
    .filter((refund) => refund.status !== 'NAO_REALIZADO')
    .reduce((left, refund) => left - refund.amount_cents, pix.amount_cents);
}

async function storeRefund(
  tx: Tx,
  pix: PixRow,
  refund: {
    id: string;
    amountCents: number;
    nature: string;
    description: string | null;
    settlesAfterMs: number | null;
    outcome: 'DEVOLVIDO' | 'NAO_REALIZADO';
    now: Date;
  },
) {
  const row = {
    end_to_end_id: pix.end_to_end_id,
    id: refund.id,
    return_id: newReturnId(refund.now),
    amount_cents: refund.amountCents,
    nature: refund.nature,
    description: refund.description,
    status: 'EM_PROCESSAMENTO' as const,
    requested_at: refund.now,
    settled_at: null,
  };
  await insertRefund(tx, { ...row, settlesAfterMs: refund.settlesAfterMs, outcome: refund.outcome });
  return row;
}

async function getRefund(bank: Bank, { params }: Call): Promise<PspResponse> {
  const pix = await find(bank, params);
  const refund = pix?.refunds.find(({ id }) => id === params.id);
  if (!refund) throw new PspProblem('PixDevolucaoNaoEncontrada');
  return { status: 200, body: renderRefund(refund) };
}
