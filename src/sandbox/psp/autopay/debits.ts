import { computeEffectiveDueDay } from '#core/values/calendar.ts';
import { addDays, type Day, daysBetween, parseDay, saoPauloDay } from '#core/values/day.ts';
import { parseReaisText } from '#core/values/money.ts';
import { isLineOfLength, isTxid } from '../api/list-query.ts';
import {
  asObject,
  type BankRequest,
  findOrThrow,
  type JsonObject,
  OBJECT_INVALID,
  type PspResponse,
  type Routes,
  Violations,
} from '../api/protocol.ts';
import { newEndToEndId, withBankTransaction } from '../bank.ts';
import { enqueueDebitCallback } from '../callbacks.ts';
import { listPixByTxids } from '../store/pix.ts';
import { cancelOpenDebit, computeFirstAttemptAt, RETRY_PERIOD_DAYS } from './payer.ts';
import { renderDebit } from './render.ts';
import {
  type DebitAttempt,
  type DebitRow,
  type DebitTerms,
  findDebit,
  insertDebit,
  lockDebit,
  lockRec,
  updateDebit,
} from './store.ts';

/** A debit must be requested between MIN_LEAD_DAYS and MAX_LEAD_DAYS calendar days before its due day. */
const MAX_LEAD_DAYS = 10;
const MIN_LEAD_DAYS = 2;
const MAX_RETRIES = 3;

export const debitRoutes: Routes = {
  'PUT /v2/cobr/:txid': putDebit,
  'PATCH /v2/cobr/:txid': patchDebit,
  'GET /v2/cobr/:txid': getDebit,
  'POST /v2/cobr/:txid/retentativa/:data': postRetry,
};

async function putDebit({ bank, params, body, now }: BankRequest): Promise<PspResponse> {
  const input = asObject(body) ?? {};
  const violations = new Violations('CobROperacaoInvalida');
  const txid = params.txid!;
  if (!isTxid(txid)) violations.addInvalidField('txid', txid);
  const terms = parseTerms(input, violations);
  const { idRec } = input;
  if (!isLineOfLength(idRec, 29, 29)) violations.addInvalidField('idRec', idRec);
  violations.throwIfAny();
  return withBankTransaction(bank, async (context) => {
    const { tx, faults } = context;
    const rec = await lockRec(tx, idRec as string);
    const dueOn = terms.calendario.dataDeVencimento;
    const today = saoPauloDay(now.getTime());
    const leadDays = daysBetween(today, dueOn);
    if (rec?.status !== 'APROVADA')
      violations.add('idRec', (name) => `O campo ${name} não corresponde a uma recorrência aprovada.`);
    else if (dueOn < rec.terms.calendario.dataInicial || dueOn > (rec.terms.calendario.dataFinal ?? dueOn))
      violations.add(
        'calendario.dataDeVencimento',
        (name) => `O campo ${name} está fora da recorrência.`,
        dueOn,
      );
    if (leadDays < MIN_LEAD_DAYS || leadDays > MAX_LEAD_DAYS)
      violations.add(
        'calendario.dataDeVencimento',
        (name) => `O campo ${name} deve estar entre ${MIN_LEAD_DAYS} e ${MAX_LEAD_DAYS} dias à frente.`,
        dueOn,
      );
    violations.throwIfAny();
    const startsOn = rec!.terms.calendario.dataInicial;
    const firstAttemptDay = addDays(
      terms.ajusteDiaUtil ? computeEffectiveDueDay(dueOn) : dueOn,
      faults.debits_moved_days,
    );
    const row: DebitRow = {
      txid,
      rec_id: rec!.id,
      status: 'ATIVA',
      cycle: Math.floor(daysBetween(startsOn, dueOn) / 7),
      amount_cents: parseReaisText(terms.valor.original)!,
      terms,
      attempts: [createAttempt(firstAttemptDay, 'AGND', now)],
      ended: null,
      updates: ['CRIADA', 'ATIVA'].map((status) => ({ status, data: now.toISOString() })),
      next_try_at: computeFirstAttemptAt(firstAttemptDay),
      created_at: now,
    };
    const insertResult = await insertDebit(tx, row);
    if (insertResult === 'txid_in_use')
      violations.add('txid', (name) => `O campo ${name} encontra-se em uso.`, txid);
    if (insertResult === 'cycle_in_use')
      violations.add(
        'calendario.dataDeVencimento',
        'Existe uma CobR com status diferente de REJEITADA e CANCELADA no mesmo ciclo.',
        dueOn,
      );
    violations.throwIfAny();
    await enqueueDebitCallback(context, txid);
    return { status: 201, body: renderDebit(row, bank.receiver, faults) };
  });
}

function parseTerms(input: JsonObject, violations: Violations): DebitTerms {
  const { dataDeVencimento } = asObject(input.calendario) ?? {};
  const dueOn = parseDay(dataDeVencimento);
  if (dueOn === null) violations.addInvalidField('calendario.dataDeVencimento', dataDeVencimento);
  const { original } = asObject(input.valor) ?? {};
  const cents = typeof original === 'string' ? parseReaisText(original) : null;
  if (cents === null || cents === 0) violations.addInvalidField('valor.original', original);
  const { ajusteDiaUtil = true, infoAdicional } = input;
  if (typeof ajusteDiaUtil !== 'boolean') violations.addInvalidField('ajusteDiaUtil', ajusteDiaUtil);
  if (infoAdicional !== undefined && !isLineOfLength(infoAdicional, 0, 140))
    violations.addInvalidField('infoAdicional', infoAdicional);
  const { conta, tipoConta, agencia } = asObject(input.recebedor) ?? {};
  const isValidAccount =
    isLineOfLength(conta, 1, 20) &&
    ['CORRENTE', 'POUPANCA', 'PAGAMENTO'].includes(tipoConta as string) &&
    (agencia === undefined || isLineOfLength(agencia, 1, 4));
  if (!isValidAccount) violations.add('recebedor', OBJECT_INVALID);
  return {
    calendario: { dataDeVencimento: dueOn! },
    valor: { original: String(original) },
    ajusteDiaUtil: ajusteDiaUtil !== false,
    recebedor: {
      conta: String(conta),
      tipoConta: String(tipoConta),
      ...(agencia !== undefined && { agencia: String(agencia) }),
    },
    ...(infoAdicional !== undefined && { infoAdicional: String(infoAdicional) }),
  };
}

const createAttempt = (settlementDay: Day, tipo: DebitAttempt['tipo'], now: Date): DebitAttempt => ({
  dataLiquidacao: settlementDay,
  tipo,
  status: 'AGENDADA',
  endToEndId: newEndToEndId(now),
  atualizacao: [{ status: 'AGENDADA', data: now.toISOString() }],
});

async function getDebit({ bank, params }: BankRequest): Promise<PspResponse> {
  const find = (txid: string) => findDebit(bank.db, txid);
  const debit = await findOrThrow(params.txid, isTxid, find, 'CobRNaoEncontrado');
  const faults = await bank.faultSettings.getCurrent();
  const pix = await listPixByTxids(bank.db, [debit.txid]);
  return { status: 200, body: renderDebit(debit, bank.receiver, faults, pix) };
}

async function patchDebit({ bank, params, body, now }: BankRequest): Promise<PspResponse> {
  const { status } = asObject(body) ?? {};
  return withBankTransaction(bank, async (context) => {
    const { tx, faults } = context;
    const debit = await findOrThrow(params.txid, isTxid, (txid) => lockDebit(tx, txid), 'CobRNaoEncontrado');
    const firstAttemptDay = debit.attempts[0]!.dataLiquidacao;
    const violations = new Violations('CobROperacaoInvalida');
    const today = saoPauloDay(now.getTime());
    if (status !== 'CANCELADA') violations.addInvalidField('status', status);
    else if (debit.status !== 'CRIADA' && debit.status !== 'ATIVA')
      violations.add('status', 'A cobrança está encerrada.', debit.status);
    else if (today >= firstAttemptDay)
      violations.add(
        'status',
        'Não é possível cancelar uma cobrança em uma data igual ou maior que a data prevista da primeira tentativa de liquidação.',
      );
    violations.throwIfAny();
    await cancelOpenDebit(context, debit);
    const cancelledDebit = (await findDebit(tx, debit.txid))!;
    return { status: 200, body: renderDebit(cancelledDebit, bank.receiver, faults) };
  });
}

async function postRetry({ bank, params, now }: BankRequest): Promise<PspResponse> {
  const retryDay = parseDay(params.data);
  return withBankTransaction(bank, async (context) => {
    const { tx, faults } = context;
    const debit = await findOrThrow(params.txid, isTxid, (txid) => lockDebit(tx, txid), 'CobRNaoEncontrado');
    // The day is in the path, not in the body, so its name has no prefix.
    const violations = new Violations('CobROperacaoInvalida', '');
    const firstAttemptDay = debit.attempts[0]!.dataLiquidacao;
    if (retryDay === null || retryDay <= saoPauloDay(now.getTime()))
      violations.add('data', 'O parâmetro data não corresponde a uma data futura.', params.data);
    else if (
      debit.status !== 'ATIVA' ||
      retryDay > addDays(firstAttemptDay, RETRY_PERIOD_DAYS) ||
      debit.attempts.length > MAX_RETRIES
    )
      violations.add(
        'data',
        'A política configurada na recorrência não permite retentativa de cobrança.',
        retryDay,
      );
    if (debit.attempts.some(({ status }) => status === 'SOLICITADA' || status === 'AGENDADA'))
      violations.add('data', 'Existe uma tentativa com status SOLICITADA ou AGENDADA.', params.data);
    violations.throwIfAny();
    const attempts = [...debit.attempts, createAttempt(retryDay!, 'NTAG', now)];
    await updateDebit(tx, debit, { ...debit, attempts, next_try_at: computeFirstAttemptAt(retryDay!) }, now);
    await enqueueDebitCallback(context, debit.txid);
    const updatedDebit = (await findDebit(tx, debit.txid))!;
    return { status: 201, body: renderDebit(updatedDebit, bank.receiver, faults) };
  });
}
