import { addDays, type Day, endOfDay, startOfDay } from '#core/day.ts';
import { HOUR_MS } from '#core/duration.ts';
import type { Bank } from '../bank.ts';
import type { BankChange } from '../bank-change.ts';
import { enqueueDebitNotice } from '../notices.ts';
import { insertPix } from '../store/pix.ts';
import { expireRecs } from './answers.ts';
import {
  attemptNow,
  type DebitAttempt,
  type DebitRow,
  findRec,
  listDueDebits,
  lockDebit,
  updateDebit,
} from './store.ts';

/** The payer's bank tries between 0 and 8 h, and once more between 18 and 21 h. */
const FIRST_HOUR = 6;
const SECOND_HOUR = 19;
/** After this nothing is tried any more, whoever asks. */
const LAST_DAY = 7;

export const firstTryAt = (on: Day): Date => new Date(startOfDay(on) + FIRST_HOUR * HOUR_MS);
const secondTryAt = (on: Day): Date => new Date(startOfDay(on) + SECOND_HOUR * HOUR_MS);

/** The payer's bank debits what is due by the sandbox's clock, each at its own hour; returns how many it tried. */
export async function tryDebits(bank: Bank): Promise<number> {
  let tried = 0;
  for (;;) {
    const due = await listDueDebits(bank.db, bank.clock.now());
    if (due.length === 0) break;
    const faults = await bank.faultSettings.current();
    for (const { txid } of due)
      await bank.db.transaction(async (tx) => {
        const debit = await lockDebit(tx, txid);
        const at = debit?.next_try_at;
        if (!debit || !at || at > bank.clock.now()) return;
        tried += 1;
        await tryOne({ tx, bank, faults }, debit, at);
      });
  }
  await expireRecs(bank);
  if (tried > 0) bank.wake();
  return tried;
}

async function tryOne(change: BankChange, debit: DebitRow, at: Date): Promise<void> {
  const { tx, faults } = change;
  const rec = (await findRec(tx, debit.rec_id))!;
  const attempt = debit.attempts.at(-1)!;
  const eveningAt = secondTryAt(attempt.dataLiquidacao);
  const givenUpAt = new Date(endOfDay(addDays(debit.attempts[0]!.dataLiquidacao, LAST_DAY)));
  const attemptsNow = (status: DebitAttempt['status'], rejeicao?: DebitAttempt['rejeicao']) =>
    debit.attempts.with(-1, attemptNow(attempt, status, at, rejeicao));
  const update = (next: Partial<DebitRow>) =>
    updateDebit(tx, debit, { ...debit, next_try_at: null, ...next }, at);

  if (attempt.status !== 'AGENDADA') {
    // Nobody asked for another attempt in time.
    await update({ status: 'EXPIRADA' });
  } else if (rec.status !== 'APROVADA') {
    const rejeicao = { codigo: 'NITX', descricao: 'A recorrência não está ativa.' };
    await update({ status: 'REJEITADA', attempts: attemptsNow('REJEITADA', rejeicao), ended: { rejeicao } });
  } else if (faults.debits === 'silent') {
    return update({});
  } else if (faults.debits === 'cap') {
    const rejeicao = { codigo: 'AM02', descricao: 'Valor acima do limite definido pelo pagador.' };
    await update({ attempts: attemptsNow('REJEITADA', rejeicao), next_try_at: givenUpAt });
  } else if (faults.debits === 'no_money' && at < eveningAt) {
    // Once more in the evening.
    return update({ next_try_at: eveningAt });
  } else if (faults.debits === 'no_money') {
    await update({ attempts: attemptsNow('EXPIRADA'), next_try_at: givenUpAt });
  } else {
    await insertPix(tx, {
      end_to_end_id: attempt.endToEndId,
      told_as: null,
      txid: debit.txid,
      key: null,
      amount_cents: debit.amount_cents,
      paid_at: at,
    });
    await update({ status: 'CONCLUIDA', attempts: attemptsNow('PAGA') });
  }
  await enqueueDebitNotice(change, debit.txid);
}
