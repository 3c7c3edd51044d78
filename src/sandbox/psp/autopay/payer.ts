import { addDays, type Day, endOfDay, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { type Bank, type BankContext, withBankTransaction } from '../bank.ts';
import { enqueueDebitCallback, enqueueRecCallback } from '../callbacks.ts';
import type { Faults } from '../faults.ts';
import { insertPix } from '../store/pix.ts';
import {
  type DebitAttempt,
  type DebitRow,
  findCreatedRecByFirstTxid,
  findRec,
  listDueDebitTxids,
  listOpenDebitTxids,
  listRecIdsToExpire,
  lockDebit,
  lockRec,
  type RecRow,
  type Termination,
  updateDebit,
  updateRecStatus,
  withAttemptStatus,
} from './store.ts';

export type PayerAction = 'authorise' | 'refuse' | 'cancel';

const TERMINATIONS: Record<'refuse' | 'cancel' | 'cancel_by_receiver', Termination> = {
  refuse: { rejeicao: { codigo: 'AP13', descricao: 'Autorização rejeitada pelo usuário pagador.' } },
  cancel: {
    cancelamento: {
      solicitante: 'USUARIO_PAGADOR',
      codigo: 'SLDB',
      descricao: 'Cancelamento solicitado pelo usuário pagador.',
    },
  },
  cancel_by_receiver: {
    cancelamento: {
      solicitante: 'USUARIO_RECEBEDOR',
      codigo: 'SLCR',
      descricao: 'Cancelamento solicitado pelo usuário recebedor.',
    },
  },
};

/**
 * Carries out an action of the payer in the bank's app if the status of the authorisation allows it. Returns undefined if there
 * is no such authorisation.
 */
export const applyPayerAction = (bank: Bank, recId: string, action: PayerAction) =>
  withBankTransaction(bank, async (context) => {
    const rec = await lockRec(context.tx, recId);
    if (!rec) return undefined;
    const isActionAllowed = rec.status === 'CRIADA' || (action === 'cancel' && rec.status === 'APROVADA');
    if (!isActionAllowed) return { isDone: false, status: rec.status, firstTxid: null };
    if (action === 'authorise') await approve(context, rec);
    else await endRec(context, rec, action);
    const { status, first_txid: firstTxid } = (await findRec(context.tx, recId))!;
    return { isDone: true, status, firstTxid };
  });

export async function approveByPayment(context: BankContext, txid: string): Promise<void> {
  const pendingRec = await findCreatedRecByFirstTxid(context.tx, txid);
  const rec = pendingRec && (await lockRec(context.tx, pendingRec.id));
  if (rec?.status === 'CRIADA') await approve(context, rec);
}

async function approve(context: BankContext, rec: RecRow): Promise<void> {
  await updateRecStatus(context.tx, rec, { status: 'APROVADA', now: context.bank.clock.now() });
  await enqueueRecCallback(context, rec.id);
}

/** Ends an authorisation, and cancels its open debits. */
export async function endRec(context: BankContext, rec: RecRow, cause: keyof typeof TERMINATIONS) {
  const { tx, bank } = context;
  const termination = TERMINATIONS[cause];
  const status = 'rejeicao' in termination ? 'REJEITADA' : 'CANCELADA';
  await updateRecStatus(tx, rec, { status, termination, now: bank.clock.now() });
  await enqueueRecCallback(context, rec.id);
  for (const txid of await listOpenDebitTxids(tx, rec.id))
    await cancelOpenDebit(context, (await lockDebit(tx, txid))!, termination);
}

export async function cancelOpenDebit(
  context: BankContext,
  debit: DebitRow,
  termination: Termination = TERMINATIONS.cancel_by_receiver,
): Promise<void> {
  const now = context.bank.clock.now();
  const attempts = debit.attempts.map((attempt) =>
    attempt.status === 'AGENDADA' ? withAttemptStatus(attempt, 'CANCELADA', now) : attempt,
  );
  const endFields = { status: 'CANCELADA', ended: termination, next_try_at: null } as const;
  await updateDebit(context.tx, debit, { ...debit, ...endFields, attempts }, now);
  await enqueueDebitCallback(context, debit.txid);
}

export async function expireRecs(bank: Bank): Promise<void> {
  const now = bank.clock.now();
  const today = saoPauloDay(now.getTime());
  const faults = await bank.faultSettings.getCurrent();
  for (const id of await listRecIdsToExpire(bank.db, today))
    await bank.db.transaction(async (tx) => {
      const rec = await lockRec(tx, id);
      if (rec?.status !== 'CRIADA' && rec?.status !== 'APROVADA') return;
      await updateRecStatus(tx, rec, { status: 'EXPIRADA', now });
      await enqueueRecCallback({ tx, bank, faults }, id);
    });
}

/** By the standard the payer's bank attempts a debit between 0 and 8 h, and again between 18 and 21 h. */
const FIRST_ATTEMPT_HOUR = 6;
const SECOND_ATTEMPT_HOUR = 19;
/** The standard allows no attempt later than this many days after the first. */
export const RETRY_PERIOD_DAYS = 7;

export const computeFirstAttemptAt = (day: Day): Date =>
  new Date(startOfDay(day) + FIRST_ATTEMPT_HOUR * HOUR_MS);
const computeSecondAttemptAt = (day: Day): Date => new Date(startOfDay(day) + SECOND_ATTEMPT_HOUR * HOUR_MS);

/** Attempts all debits that are due by the sandbox clock, in the order of their times, and expires authorisations. */
export async function attemptDueDebits(bank: Bank): Promise<void> {
  let attemptCount = 0;
  for (;;) {
    const dueTxids = await listDueDebitTxids(bank.db, bank.clock.now());
    if (dueTxids.length === 0) break;
    const faults = await bank.faultSettings.getCurrent();
    for (const txid of dueTxids) if (await attemptIfDue(bank, faults, txid)) attemptCount += 1;
  }
  await expireRecs(bank);
  if (attemptCount > 0) bank.wakeDispatcher();
}

/** Attempts the debit, and returns true, unless another node has attempted it meanwhile. */
const attemptIfDue = (bank: Bank, faults: Faults, txid: string): Promise<boolean> =>
  bank.db.transaction(async (tx) => {
    const debit = await lockDebit(tx, txid);
    const dueAt = debit?.next_try_at;
    if (!debit || !dueAt || dueAt > bank.clock.now()) return false;
    await attemptDebit({ tx, bank, faults }, debit, dueAt);
    return true;
  });

async function attemptDebit(context: BankContext, debit: DebitRow, attemptedAt: Date): Promise<void> {
  const { tx, faults } = context;
  const rec = (await findRec(tx, debit.rec_id))!;
  const attempt = debit.attempts.at(-1)!;
  const eveningAttemptAt = computeSecondAttemptAt(attempt.dataLiquidacao);
  const expiresAt = new Date(endOfDay(addDays(debit.attempts[0]!.dataLiquidacao, RETRY_PERIOD_DAYS)));
  const replaceLastAttempt = (status: DebitAttempt['status'], rejeicao?: DebitAttempt['rejeicao']) =>
    debit.attempts.with(-1, withAttemptStatus(attempt, status, attemptedAt, rejeicao));
  const update = (changes: Partial<DebitRow>) =>
    updateDebit(tx, debit, { ...debit, next_try_at: null, ...changes }, attemptedAt);

  if (attempt.status !== 'AGENDADA') {
    // No other attempt was requested in time.
    await update({ status: 'EXPIRADA' });
  } else if (rec.status !== 'APROVADA') {
    const rejeicao = { codigo: 'NITX', descricao: 'A recorrência não está ativa.' };
    await update({
      status: 'REJEITADA',
      attempts: replaceLastAttempt('REJEITADA', rejeicao),
      ended: { rejeicao },
    });
  } else if (faults.debits === 'silent') {
    // The status does not change, so there is no callback.
    return update({});
  } else if (faults.debits === 'cap') {
    const rejeicao = { codigo: 'AM02', descricao: 'Valor acima do limite definido pelo pagador.' };
    await update({ attempts: replaceLastAttempt('REJEITADA', rejeicao), next_try_at: expiresAt });
  } else if (faults.debits === 'no_money' && attemptedAt < eveningAttemptAt) {
    // The bank attempts the debit again in the evening.
    return update({ next_try_at: eveningAttemptAt });
  } else if (faults.debits === 'no_money') {
    await update({ attempts: replaceLastAttempt('EXPIRADA'), next_try_at: expiresAt });
  } else {
    await insertPix(tx, {
      end_to_end_id: attempt.endToEndId,
      told_as: null,
      txid: debit.txid,
      key: null,
      amount_cents: debit.amount_cents,
      paid_at: attemptedAt,
    });
    await update({ status: 'CONCLUIDA', attempts: replaceLastAttempt('PAGA') });
  }
  await enqueueDebitCallback(context, debit.txid);
}
