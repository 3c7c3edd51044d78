import { addDays, type Day, endOfDay, startOfDay } from '#core/day.ts';
import { HOUR_MS } from '#core/duration.ts';
import type { Tx } from '#platform/database/db.ts';
import type { Bank } from '../bank.ts';
import type { Faults } from '../faults.ts';
import { enqueueDebitNotice } from '../notices.ts';
import { insertPix } from '../store/pix.ts';
import { expireRecs } from './answers.ts';
import { type DebitAttempt, type DebitRow, findRec, listDueDebits, lockDebit, updateDebit } from './store.ts';

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
        await tryOne(tx, bank, faults, debit, at);
      });
  }
  await expireRecs(bank);
  if (tried > 0) bank.wake();
  return tried;
}

async function tryOne(tx: Tx, bank: Bank, faults: Faults, debit: DebitRow, at: Date): Promise<void> {
  const rec = (await findRec(tx, debit.rec_id))!;
  const attempt = debit.attempts.at(-1)!;
  if (attempt.status !== 'AGENDADA') {
    // Nobody asked for another attempt in time.
    await updateDebit(tx, debit, { ...debit, status: 'EXPIRADA', next_try_at: null }, at);
  } else if (faults.debits === 'silent' && rec.status === 'APROVADA') {
    await updateDebit(tx, debit, { ...debit, next_try_at: null }, at);
    return;
  } else if (rec.status !== 'APROVADA') {
    const rejeicao = { codigo: 'NITX', descricao: 'A recorrência não está ativa.' };
    const attempts = withLast(debit, 'REJEITADA', at, rejeicao);
    await updateDebit(
      tx,
      debit,
      { ...debit, status: 'REJEITADA', attempts, ended: { rejeicao }, next_try_at: null },
      at,
    );
  } else if (faults.debits === 'cap') {
    const rejeicao = { codigo: 'AM02', descricao: 'Valor acima do limite definido pelo pagador.' };
    const next = {
      ...debit,
      attempts: withLast(debit, 'REJEITADA', at, rejeicao),
      next_try_at: givenUpAt(debit),
    };
    await updateDebit(tx, debit, next, at);
  } else if (faults.debits === 'no_money' && at < secondTryAt(attempt.dataLiquidacao)) {
    // Once more in the evening.
    await updateDebit(tx, debit, { ...debit, next_try_at: secondTryAt(attempt.dataLiquidacao) }, at);
    return;
  } else if (faults.debits === 'no_money') {
    const next = { ...debit, attempts: withLast(debit, 'EXPIRADA', at), next_try_at: givenUpAt(debit) };
    await updateDebit(tx, debit, next, at);
  } else {
    await insertPix(tx, {
      end_to_end_id: attempt.endToEndId,
      told_as: null,
      txid: debit.txid,
      key: null,
      amount_cents: debit.amount_cents,
      paid_at: at,
    });
    const attempts = withLast(debit, 'PAGA', at);
    await updateDebit(tx, debit, { ...debit, status: 'CONCLUIDA', attempts, next_try_at: null }, at);
  }
  await enqueueDebitNotice(tx, bank, faults, debit.txid);
}

const givenUpAt = ({ attempts }: DebitRow): Date =>
  new Date(endOfDay(addDays(attempts[0]!.dataLiquidacao, LAST_DAY)));

function withLast(
  { attempts }: DebitRow,
  status: DebitAttempt['status'],
  at: Date,
  rejeicao?: DebitAttempt['rejeicao'],
): DebitAttempt[] {
  const last = attempts.at(-1)!;
  const atualizacao = [...last.atualizacao, { status, data: at.toISOString() }];
  return [...attempts.slice(0, -1), { ...last, status, atualizacao, ...(rejeicao && { rejeicao }) }];
}
