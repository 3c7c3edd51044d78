import { DAY_MS } from '#core/values/duration.ts';
import { parseReaisText } from '#core/values/money.ts';
import { newReturnId, withBankTransaction } from '../bank.ts';
import { renderFaultyPix, renderRefund } from '../render.ts';
import { findPix, insertRefund, listPix, lockPix, type PixRow } from '../store/pix.ts';
import {
  CNPJ_PATTERN,
  CPF_PATTERN,
  FLAG_PATTERN,
  isEndToEndId,
  isLineOfLength,
  parseFlag,
  parseListQuery,
  renderParameters,
  toLimitOffset,
} from './list-query.ts';
import {
  asObject,
  type BankRequest,
  findOrThrow,
  type JsonObject,
  PspProblem,
  type PspResponse,
  type Routes,
  Violations,
} from './protocol.ts';

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;
const SHORT_PAGE_SIZE = 2;
const REFUND_WINDOW_MS = 90 * DAY_MS;

export const pixRoutes: Routes = {
  'GET /v2/pix': getPixList,
  'GET /v2/pix/:e2eid': getPix,
  'PUT /v2/pix/:e2eid/devolucao/:id': putRefund,
  'GET /v2/pix/:e2eid/devolucao/:id': getRefund,
};

async function getPixList({ bank, query }: BankRequest): Promise<PspResponse> {
  const { range, filters } = parseListQuery(query, 'PixConsultaInvalida', {
    txid: /^[a-zA-Z0-9]{1,35}$/,
    txIdPresente: FLAG_PATTERN,
    devolucaoPresente: FLAG_PATTERN,
    cpf: CPF_PATTERN,
    cnpj: CNPJ_PATTERN,
  });
  const faults = await bank.faultSettings.getCurrent();
  if (faults.pix_list === 'short_pages') range.size = Math.min(range.size, SHORT_PAGE_SIZE);
  const pixFilter = {
    ...range,
    txid: faults.pix_list === 'unfiltered' ? null : filters.txid,
    hasTxid: parseFlag(filters.txIdPresente),
    hasRefund: parseFlag(filters.devolucaoPresente),
  };
  // Simulated payers have no CPF or CNPJ, so a filter by one matches no payment.
  const matchesNoPix = filters.cpf !== null || filters.cnpj !== null || faults.pix_list === 'empty';
  const { rows, total } = matchesNoPix
    ? { rows: [], total: 0 }
    : await listPix(bank.db, pixFilter, toLimitOffset(range));
  const parametros = renderParameters(query, range, total);
  if (faults.pix_list === 'short_pages') parametros.paginacao = { paginaAtual: range.page };
  return { status: 200, body: { parametros, pix: rows.map((row) => renderFaultyPix(faults, row)) } };
}

async function getPix({ bank, params }: BankRequest): Promise<PspResponse> {
  const faults = await bank.faultSettings.getCurrent();
  if (faults.pix_lookup === 'refused') throw new PspProblem('AcessoNegado');
  const pix = await findOrThrow(params.e2eid, isEndToEndId, (id) => findPix(bank.db, id), 'PixNaoEncontrado');
  return { status: 200, body: renderFaultyPix(faults, pix) };
}

async function putRefund({ bank, params, body, now }: BankRequest): Promise<PspResponse> {
  const id = params.id!;
  const input = asObject(body) ?? {};
  return withBankTransaction(bank, async ({ tx, faults }) => {
    const find = (e2eid: string) => lockPix(tx, e2eid);
    const pix = await findOrThrow(params.e2eid, isEndToEndId, find, 'PixNaoEncontrado');
    const refund = {
      end_to_end_id: pix.end_to_end_id,
      id,
      return_id: newReturnId(now),
      amount_cents: parseRefundCents(pix, id, input, now),
      nature: (input.natureza as string | undefined) ?? 'ORIGINAL',
      description: (input.descricao as string | undefined) ?? null,
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

/** Returns the amount of a requested refund, or throws all violations of the request. */
function parseRefundCents(pix: PixRow, id: string, input: JsonObject, now: Date): number {
  const violations = new Violations('PixDevolucaoInvalida');
  const { valor, natureza, descricao } = input;
  const amountCents = typeof valor === 'string' ? parseReaisText(valor) : null;
  if (!REFUND_ID.test(id)) violations.addInvalidField('id', id);
  if (amountCents === null || amountCents === 0) violations.addInvalidField('valor', valor);
  if (natureza !== undefined && natureza !== 'ORIGINAL' && natureza !== 'RETIRADA')
    violations.addInvalidField('natureza', natureza);
  if (descricao !== undefined && !isLineOfLength(descricao, 0, 140))
    violations.addInvalidField('descricao', descricao);
  if (pix.refunds.some((refund) => refund.id === id))
    violations.add('id', 'A presente requisição de devolução apresenta um {id} já utilizado.', id);
  else if (amountCents !== null && amountCents > computeRefundableCents(pix))
    violations.add(
      'valor',
      'A presente requisição, em conjunto com as demais devoluções, excederia o valor do pix originário.',
      valor,
    );
  if (now.getTime() - pix.paid_at.getTime() > REFUND_WINDOW_MS)
    violations.add('id', 'A presente requisição viola a janela de 90 dias permitida para devoluções.');
  violations.throwIfAny();
  return amountCents!;
}

export function computeRefundableCents(pix: PixRow): number {
  return pix.refunds
    .filter((refund) => refund.status !== 'NAO_REALIZADO')
    .reduce((remainingCents, refund) => remainingCents - refund.amount_cents, pix.amount_cents);
}

async function getRefund({ bank, params }: BankRequest): Promise<PspResponse> {
  const findRefund = async (e2eid: string) =>
    (await findPix(bank.db, e2eid))?.refunds.find(({ id }) => id === params.id);
  const refund = await findOrThrow(params.e2eid, isEndToEndId, findRefund, 'PixDevolucaoNaoEncontrada');
  return { status: 200, body: renderRefund(refund) };
}
