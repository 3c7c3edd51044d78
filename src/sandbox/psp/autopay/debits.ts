import { effectiveDueDay } from '#core/calendar.ts';
import { addDays, type Day, daysBetween, parseDay, saoPauloDay } from '#core/day.ts';
import { parseReaisText } from '#core/money.ts';
import { isLine, isTxid } from '../api/names.ts';
import { found, OBJECT_AGAINST_SCHEMA, Violations } from '../api/problem.ts';
import type { Call, PspResponse, Routes } from '../api/route.ts';
import { object } from '../api/terms.ts';
import { newEndToEndId } from '../bank.ts';
import { changeBank } from '../bank-change.ts';
import { enqueueDebitNotice } from '../notices.ts';
import { listPixOf } from '../store/pix.ts';
import { cancelOpenDebit } from './answers.ts';
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
import { firstTryAt } from './tries.ts';

/** A debit is asked for so many calendar days before it is made. */
const EARLIEST_DAYS = 10;
const LATEST_DAYS = 2;
const RETRY_DAYS = 7;
const MOST_RETRIES = 3;

/** Debits of Pix Automático. */
export const debitRoutes: Routes = {
  'PUT /v2/cobr/:txid': put,
  'PATCH /v2/cobr/:txid': patch,
  'GET /v2/cobr/:txid': get,
  'POST /v2/cobr/:txid/retentativa/:data': retry,
};

async function put({ bank, params, body, now }: Call): Promise<PspResponse> {
  const asked = object(body) ?? {};
  const wrong = new Violations('CobROperacaoInvalida');
  const txid = params.txid!;
  if (!isTxid(txid)) wrong.schema('txid', txid);
  const terms = checkTerms(asked, wrong);
  const { idRec } = asked;
  if (!isLine(idRec, 29, 29)) wrong.schema('idRec', idRec);
  wrong.throwIfAny();
  return changeBank(bank, async (change) => {
    const { tx, faults } = change;
    const rec = await lockRec(tx, idRec as string);
    const due = terms.calendario.dataDeVencimento;
    const today = saoPauloDay(now.getTime());
    const ahead = daysBetween(today, due);
    if (rec?.status !== 'APROVADA')
      wrong.add('idRec', (name) => `O campo ${name} não corresponde a uma recorrência aprovada.`);
    else if (due < rec.terms.calendario.dataInicial || due > (rec.terms.calendario.dataFinal ?? due))
      wrong.add('calendario.dataDeVencimento', (name) => `O campo ${name} está fora da recorrência.`, due);
    if (ahead < LATEST_DAYS || ahead > EARLIEST_DAYS)
      wrong.add(
        'calendario.dataDeVencimento',
        (name) => `O campo ${name} deve estar entre ${LATEST_DAYS} e ${EARLIEST_DAYS} dias à frente.`,
        due,
      );
    wrong.throwIfAny();
    const first = rec!.terms.calendario.dataInicial;
    const on = addDays(terms.ajusteDiaUtil ? effectiveDueDay(due) : due, faults.debits_moved_days);
    const row: DebitRow = {
      txid,
      rec_id: rec!.id,
      status: 'ATIVA',
      cycle: Math.floor(daysBetween(first, due) / 7),
      amount_cents: parseReaisText(terms.valor.original)!,
      terms,
      attempts: [newAttempt(on, 'AGND', now)],
      ended: null,
      updates: ['CRIADA', 'ATIVA'].map((status) => ({ status, data: now.toISOString() })),
      next_try_at: firstTryAt(on),
      created_at: now,
    };
    const made = await insertDebit(tx, row);
    if (made === 'txid') wrong.add('txid', (name) => `O campo ${name} encontra-se em uso.`, txid);
    if (made === 'cycle')
      wrong.add(
        'calendario.dataDeVencimento',
        'Existe uma CobR com status diferente de REJEITADA e CANCELADA no mesmo ciclo.',
        due,
      );
    wrong.throwIfAny();
    await enqueueDebitNotice(change, txid);
    return { status: 201, body: renderDebit(row, bank.receiver, faults) };
  });
}

function checkTerms(asked: Record<string, unknown>, wrong: Violations): DebitTerms {
  const { dataDeVencimento } = object(asked.calendario) ?? {};
  const due = parseDay(dataDeVencimento);
  if (due === null) wrong.schema('calendario.dataDeVencimento', dataDeVencimento);
  const { original } = object(asked.valor) ?? {};
  const cents = typeof original === 'string' ? parseReaisText(original) : null;
  if (cents === null || cents === 0) wrong.schema('valor.original', original);
  const { ajusteDiaUtil = true, infoAdicional } = asked;
  if (typeof ajusteDiaUtil !== 'boolean') wrong.schema('ajusteDiaUtil', ajusteDiaUtil);
  if (infoAdicional !== undefined && !isLine(infoAdicional, 0, 140))
    wrong.schema('infoAdicional', infoAdicional);
  const { conta, tipoConta, agencia } = object(asked.recebedor) ?? {};
  const isAccount =
    isLine(conta, 1, 20) &&
    ['CORRENTE', 'POUPANCA', 'PAGAMENTO'].includes(tipoConta as string) &&
    (agencia === undefined || isLine(agencia, 1, 4));
  if (!isAccount) wrong.add('recebedor', OBJECT_AGAINST_SCHEMA);
  return {
    calendario: { dataDeVencimento: due! },
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

const newAttempt = (on: Day, tipo: DebitAttempt['tipo'], now: Date): DebitAttempt => ({
  dataLiquidacao: on,
  tipo,
  status: 'AGENDADA',
  endToEndId: newEndToEndId(now),
  atualizacao: [{ status: 'AGENDADA', data: now.toISOString() }],
});

async function get({ bank, params }: Call): Promise<PspResponse> {
  const debit = await found(params.txid, isTxid, (txid) => findDebit(bank.db, txid), 'CobRNaoEncontrado');
  const faults = await bank.faultSettings.current();
  const pix = await listPixOf(bank.db, [debit.txid]);
  return { status: 200, body: renderDebit(debit, bank.receiver, faults, pix) };
}

/** Withdraws it, before the day of its first attempt. */
async function patch({ bank, params, body, now }: Call): Promise<PspResponse> {
  const { status } = object(body) ?? {};
  return changeBank(bank, async (change) => {
    const { tx, faults } = change;
    const old = await found(params.txid, isTxid, (txid) => lockDebit(tx, txid), 'CobRNaoEncontrado');
    const wrong = new Violations('CobROperacaoInvalida');
    const today = saoPauloDay(now.getTime());
    if (status !== 'CANCELADA') wrong.schema('status', status);
    else if (old.status !== 'CRIADA' && old.status !== 'ATIVA')
      wrong.add('status', 'A cobrança está encerrada.', old.status);
    else if (today >= old.attempts[0]!.dataLiquidacao)
      wrong.add(
        'status',
        'Não é possível cancelar uma cobrança em uma data igual ou maior que a data prevista da primeira tentativa de liquidação.',
      );
    wrong.throwIfAny();
    await cancelOpenDebit(change, old);
    const debit = (await findDebit(tx, old.txid))!;
    return { status: 200, body: renderDebit(debit, bank.receiver, faults) };
  });
}

async function retry({ bank, params, now }: Call): Promise<PspResponse> {
  const on = parseDay(params.data);
  return changeBank(bank, async (change) => {
    const { tx, faults } = change;
    const old = await found(params.txid, isTxid, (txid) => lockDebit(tx, txid), 'CobRNaoEncontrado');
    // The day is in the address, not in the body.
    const wrong = new Violations('CobROperacaoInvalida', '');
    const first = old.attempts[0]!.dataLiquidacao;
    if (on === null || on <= saoPauloDay(now.getTime()))
      wrong.add('data', 'O parâmetro data não corresponde a uma data futura.', params.data);
    else if (old.status !== 'ATIVA' || on > addDays(first, RETRY_DAYS) || old.attempts.length > MOST_RETRIES)
      wrong.add('data', 'A política configurada na recorrência não permite retentativa de cobrança.', on);
    if (old.attempts.some(({ status }) => status === 'SOLICITADA' || status === 'AGENDADA'))
      wrong.add('data', 'Existe uma tentativa com status SOLICITADA ou AGENDADA.', params.data);
    wrong.throwIfAny();
    const attempts = [...old.attempts, newAttempt(on!, 'NTAG', now)];
    await updateDebit(tx, old, { ...old, attempts, next_try_at: firstTryAt(on!) }, now);
    await enqueueDebitNotice(change, old.txid);
    const debit = (await findDebit(tx, old.txid))!;
    return { status: 201, body: renderDebit(debit, bank.receiver, faults) };
  });
}
