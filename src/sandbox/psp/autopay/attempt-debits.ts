import { addDays, type Day, endOfDay, startOfDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import type { Bank, BankContext } from '../bank.ts';
import { enqueueDebitCallback } from '../callbacks.ts';
import { insertPix } from '../store/pix.ts';
import { expireRecs } from './payer-actions.ts';
import {
  type DebitAttempt,
  type DebitRow,
  findRec,
  listDueDebits,
  lockDebit,
  updateDebit,
  withAttemptStatus,
} from './store.ts';

/** By the standard the payer's bank attempts a debit between 0 and 8 h, and again between 18 and 21 h. */
const FIRST_HOUR = 6;
const SECOND_HOUR = 19;
/** The standard allows no attempt later than this many days after the first. */
const RETRY_PERIOD_DAYS = 7;

export const firstAttemptAt = (day: Day): Date => new Date(startOfDay(day) + FIRST_HOUR * HOUR_MS);
const secondAttemptAt = (day: Day): Date => new Date(startOfDay(day) + SECOND_HOUR * HOUR_MS);

/** Attempts all debits that are due by the sandbox clock, in the order of their times. Returns the number of attempts. */
export async function attemptDueDebits(bank: Bank): Promise<number> {
  let attemptCount = 0;
  for (;;) {
    const due = await listDueDebits(bank.db, bank.clock.now());
    if (due.length === 0) break;
    const faults = await bank.faultSettings.current();
    for (const { txid } of due)
      await bank.db.transaction(async (tx) => {
        const debit = await lockDebit(tx, txid);
        const at = debit?.next_try_at;
        if (!debit || !at || at > bank.clock.now()) return;
        attemptCount += 1;
        await attemptDebit({ tx, bank, faults }, debit, at);
      });
  }
  await expireRecs(bank);
  if (attemptCount > 0) bank.wakeDispatcher();
  return attemptCount;
}

async function attemptDebit(context: BankContext, debit: DebitRow, at: Date): Promise<void> {
  const { tx, faults } = context;
  const rec = (await findRec(tx, debit.rec_id))!;
  const attempt = debit.attempts.at(-1)!;
  const eveningAttemptAt = secondAttemptAt(attempt.dataLiquidacao);
  const expiresAt = new Date(endOfDay(addDays(debit.attempts[0]!.dataLiquidacao, RETRY_PERIOD_DAYS)));
  const withLastAttempt = (status: DebitAttempt['status'], rejeicao?: DebitAttempt['rejeicao']) =>
    debit.attempts.with(-1, withAttemptStatus(attempt, status, at, rejeicao));
  const update = (changes: Partial<DebitRow>) =>
    updateDebit(tx, debit, { ...debit, next_try_at: null, ...changes }, at);

  if (attempt.status !== 'AGENDADA') {
    // No other attempt was requested in time.
    await update({ status: 'EXPIRADA' });
  } else if (rec.status !== 'APROVADA') {
    const rejeicao = { codigo: 'NITX', descricao: 'A recorrência não está ativa.' };
    await update({
      status: 'REJEITADA',
      attempts: withLastAttempt('REJEITADA', rejeicao),
      ended: { rejeicao },
    });
  } else if (faults.debits === 'silent') {
    return update({});
  } else if (faults.debits === 'cap') {
    const rejeicao = { codigo: 'AM02', descricao: 'Valor acima do limite definido pelo pagador.' };
    await update({ attempts: withLastAttempt('REJEITADA', rejeicao), next_try_at: expiresAt });
  } else if (faults.debits === 'no_money' && at < eveningAttemptAt) {
    // The bank attempts it again in the evening.
    return update({ next_try_at: eveningAttemptAt });
  } else if (faults.debits === 'no_money') {
    await update({ attempts: withLastAttempt('EXPIRADA'), next_try_at: expiresAt });
  } else {
    await insertPix(tx, {
      end_to_end_id: attempt.endToEndId,
      told_as: null,
      txid: debit.txid,
      key: null,
      amount_cents: debit.amount_cents,
      paid_at: at,
    });
    await update({ status: 'CONCLUIDA', attempts: withLastAttempt('PAGA') });
  }
  await enqueueDebitCallback(context, debit.txid);
}
