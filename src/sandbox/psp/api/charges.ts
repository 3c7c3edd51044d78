import { parseReaisText } from '#core/values/money.ts';
import { createLocationAddress, newTxid } from '../bank.ts';
import { renderCharge, renderFaultyCharge } from '../render.ts';
import {
  type ChargeRow,
  type ChargeTerms,
  findCharge,
  insertCharge,
  listCharges,
  lockCharge,
  markChargeRemoved,
  updateTerms,
} from '../store/charges.ts';
import { listPixByTxids } from '../store/pix.ts';
import {
  CNPJ_PATTERN,
  CPF_PATTERN,
  FLAG_PATTERN,
  isLineOfLength,
  isPixKey,
  isTxid,
  parseFlag,
  parseListQuery,
  renderParameters,
  toLimitOffset,
} from './list-query.ts';
import {
  asObject,
  type BankRequest,
  FIELD_INVALID,
  findOrThrow,
  type JsonObject,
  OBJECT_INVALID,
  type PspResponse,
  type Routes,
  throwViolation,
  Violations,
} from './protocol.ts';

export const chargeRoutes: Routes = {
  'PUT /v2/cob/:txid': putCharge,
  'PATCH /v2/cob/:txid': patchCharge,
  'GET /v2/cob/:txid': getCharge,
  'GET /v2/cob': getChargeList,
  'POST /v2/cob': (request) => putCharge({ ...request, params: { txid: newTxid() } }),
};

async function putCharge({ bank, params, body, now }: BankRequest): Promise<PspResponse> {
  const txid = params.txid!;
  if (!isTxid(txid)) throwViolation('CobOperacaoInvalida', 'txid', FIELD_INVALID, txid);
  const terms = parseTerms(body, bank.ownsKey);
  const insertedCharge = await insertCharge(bank.db, { txid, terms, now, ...createLocationAddress(bank) });
  if (insertedCharge) return { status: 201, body: renderCharge(insertedCharge, bank.receiver) };
  const updatedCharge = await bank.db.transaction(async (tx) => {
    requireActive((await lockCharge(tx, txid))!);
    await updateTerms(tx, txid, terms);
    return (await findCharge(tx, txid))!;
  });
  return { status: 201, body: renderCharge(updatedCharge, bank.receiver) };
}

/** Removes a charge. The simulator does not support the other changes that the standard allows. */
async function patchCharge({ bank, params, body }: BankRequest): Promise<PspResponse> {
  const { status, ...changes } = asObject(body) ?? {};
  const removedCharge = await bank.db.transaction(async (tx) => {
    const charge = await findOrThrow(params.txid, isTxid, (txid) => lockCharge(tx, txid), 'CobNaoEncontrado');
    requireActive(charge);
    if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR' || Object.keys(changes).length > 0)
      throwViolation('CobOperacaoInvalida', 'status', FIELD_INVALID, status);
    await markChargeRemoved(tx, charge.txid);
    return (await findCharge(tx, charge.txid))!;
  });
  return { status: 200, body: renderCharge(removedCharge, bank.receiver) };
}

async function getCharge({ bank, params }: BankRequest): Promise<PspResponse> {
  const find = (txid: string) => findCharge(bank.db, txid);
  const charge = await findOrThrow(params.txid, isTxid, find, 'CobNaoEncontrado');
  // An active charge has no payments.
  const pix = charge.status === 'ATIVA' ? [] : await listPixByTxids(bank.db, [charge.txid]);
  return {
    status: 200,
    body: renderFaultyCharge(charge, bank.receiver, await bank.faultSettings.getCurrent(), pix),
  };
}

async function getChargeList({ bank, query }: BankRequest): Promise<PspResponse> {
  const { range, filters } = parseListQuery(query, 'CobConsultaInvalida', {
    cpf: CPF_PATTERN,
    cnpj: CNPJ_PATTERN,
    status: /^(ATIVA|CONCLUIDA|REMOVIDA_PELO_(USUARIO_RECEBEDOR|PSP))$/,
    locationPresente: FLAG_PATTERN,
  });
  const hasLocation = parseFlag(filters.locationPresente);
  const filter = { ...range, ...filters, hasLocation };
  const { rows, total } = await listCharges(bank.db, filter, toLimitOffset(range));
  const pix = await listPixByTxids(
    bank.db,
    rows.map(({ txid }) => txid),
  );
  const pixByTxid = Map.groupBy(pix, ({ txid }) => txid);
  const faults = await bank.faultSettings.getCurrent();
  const cobs = rows.map((row) =>
    renderFaultyCharge(row, bank.receiver, faults, pixByTxid.get(row.txid) ?? []),
  );
  return { status: 200, body: { parametros: renderParameters(query, range, total), cobs } };
}

function requireActive({ status }: ChargeRow): void {
  const reason = 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.';
  if (status !== 'ATIVA') throwViolation('CobOperacaoInvalida', 'status', reason, status);
}

const DEFAULT_EXPIRATION_SECONDS = 86_400;
const MAX_INT32 = 2 ** 31 - 1;

/**
 * Returns the terms, or throws all their violations. Unknown fields are dropped. The check digits of a CPF are not verified,
 * because most examples of the standard are invalid.
 */
function parseTerms(body: unknown, ownsKey: (key: string) => boolean): ChargeTerms {
  const violations = new Violations('CobOperacaoInvalida');
  const input = asObject(body) ?? {};
  const terms: ChargeTerms = {
    calendario: parseCalendar(input, violations),
    valor: parseAmounts(input, violations),
    chave: parseKey(input, violations, ownsKey),
    ...parseOptionalPayer(input, violations),
    ...parsePayerTexts(input, violations),
  };
  violations.throwIfAny();
  return terms;
}

function parseCalendar(input: JsonObject, violations: Violations): ChargeTerms['calendario'] {
  const calendar = asObject(input.calendario);
  if (!calendar) {
    violations.add('calendario', OBJECT_INVALID);
    return { expiracao: DEFAULT_EXPIRATION_SECONDS };
  }
  const { expiracao = DEFAULT_EXPIRATION_SECONDS } = calendar;
  if (!isInt32(expiracao)) violations.addInvalidField('calendario.expiracao', expiracao);
  else if (expiracao <= 0)
    violations.add('calendario.expiracao', (name) => `O campo ${name} é igual ou menor que zero.`, expiracao);
  return { expiracao: expiracao as number };
}

function parseAmounts(input: JsonObject, violations: Violations): ChargeTerms['valor'] {
  const { original, modalidadeAlteracao, retirada } = asObject(input.valor) ?? {};
  const cents = typeof original === 'string' ? parseReaisText(original) : null;
  // Zero is allowed if the payer chooses the amount.
  if (cents === null) violations.addInvalidField('valor.original', original);
  else if (cents === 0 && modalidadeAlteracao !== 1)
    violations.add('valor.original', (name) => `O campo ${name} é zero.`, original);
  if (modalidadeAlteracao !== undefined && modalidadeAlteracao !== 0 && modalidadeAlteracao !== 1)
    violations.addInvalidField('valor.modalidadeAlteracao', modalidadeAlteracao);
  if (retirada !== undefined)
    violations.add('valor.retirada', 'Pix Saque e Pix Troco não são oferecidos por este PSP.');
  return {
    original: String(original),
    ...(modalidadeAlteracao !== undefined && { modalidadeAlteracao: modalidadeAlteracao as number }),
  };
}

function parseKey(input: JsonObject, violations: Violations, ownsKey: (key: string) => boolean): string {
  const { chave } = input;
  if (!isPixKey(chave)) violations.addInvalidField('chave', chave);
  else if (!ownsKey(chave))
    violations.add(
      'chave',
      (name) => `O campo ${name} corresponde a uma conta que não pertence a este usuário recebedor.`,
      chave,
    );
  return String(chave);
}

function parseOptionalPayer({ devedor }: JsonObject, violations: Violations): Pick<ChargeTerms, 'devedor'> {
  if (devedor === undefined || devedor === null) return {};
  const payer = parsePayer(devedor, { maxNameLength: 200 });
  if (!payer) violations.add('devedor', OBJECT_INVALID);
  return payer ? { devedor: payer } : {};
}

type Payer = NonNullable<ChargeTerms['devedor']>;

export function parsePayer(value: unknown, { maxNameLength }: { maxNameLength: number }): Payer | null {
  const { cpf, cnpj, nome } = asObject(value) ?? {};
  if (!isLineOfLength(nome, 1, maxNameLength)) return null;
  if (cnpj === undefined && isText(cpf, CPF_PATTERN)) return { cpf, nome };
  return cpf === undefined && isText(cnpj, CNPJ_PATTERN) ? { cnpj, nome } : null;
}

function parsePayerTexts(input: JsonObject, violations: Violations) {
  const { solicitacaoPagador, infoAdicionais } = input;
  if (solicitacaoPagador !== undefined && !isLineOfLength(solicitacaoPagador, 0, 140))
    violations.addInvalidField('solicitacaoPagador', solicitacaoPagador);
  const items = infoAdicionais === undefined ? [] : infoAdicionais;
  const isValid =
    Array.isArray(items) &&
    items.length <= 50 &&
    items.every((item) => isLineOfLength(item?.nome, 1, 50) && isLineOfLength(item?.valor, 1, 200));
  if (!isValid) violations.add('infoAdicionais', OBJECT_INVALID);
  return {
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador: String(solicitacaoPagador) }),
    ...(isValid && items.length > 0 && { infoAdicionais: items.map(({ nome, valor }) => ({ nome, valor })) }),
  };
}

const isInt32 = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= MAX_INT32;

const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);
