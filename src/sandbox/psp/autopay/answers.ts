import { saoPauloDay } from '#core/day.ts';
import type { Tx } from '#platform/database/db.ts';
import type { Bank } from '../bank.ts';
import type { Faults } from '../faults.ts';
import { enqueueDebitNotice, enqueueRecNotice } from '../notices.ts';
import {
  type DebitRow,
  type Ended,
  findRec,
  findRecOfCharge,
  listOpenDebits,
  listRecsToExpire,
  lockDebit,
  lockRec,
  markRec,
  type RecRow,
  type RecStatus,
  updateDebit,
} from './store.ts';

/** What the payer, or the payer's bank, does about an authorisation. */
export type BankAnswer = 'authorise' | 'refuse' | 'cancel';

export type Answered =
  | { kind: 'answered'; recId: string; status: RecStatus; firstTxid: string | null }
  | { kind: 'unknown' }
  /** It is not in a state in which that can be done. */
  | { kind: 'impossible'; status: RecStatus };

const ENDINGS: Record<'refuse' | 'cancel' | 'receiver', Ended> = {
  refuse: { rejeicao: { codigo: 'AP13', descricao: 'Autorização rejeitada pelo usuário pagador.' } },
  cancel: {
    cancelamento: {
      solicitante: 'USUARIO_PAGADOR',
      codigo: 'SLDB',
      descricao: 'Cancelamento solicitado pelo usuário pagador.',
    },
  },
  receiver: {
    cancelamento: {
      solicitante: 'USUARIO_RECEBEDOR',
      codigo: 'SLCR',
      descricao: 'Cancelamento solicitado pelo usuário recebedor.',
    },
  },
};

/** The payer answers in the bank's app. */
export async function answerRec(bank: Bank, recId: string, answer: BankAnswer): Promise<Answered> {
  const faults = await bank.faultSettings.current();
  const outcome = await bank.db.transaction(async (tx): Promise<Answered> => {
    const rec = await lockRec(tx, recId);
    if (!rec) return { kind: 'unknown' };
    const isPossible =
      answer === 'cancel' ? ['CRIADA', 'APROVADA'].includes(rec.status) : rec.status === 'CRIADA';
    if (!isPossible) return { kind: 'impossible', status: rec.status };
    if (answer === 'authorise') await approve(tx, bank, faults, rec);
    else await endRec(tx, bank, faults, rec, answer);
    const { status, first_txid } = (await findRec(tx, recId))!;
    return { kind: 'answered', recId, status, firstTxid: first_txid };
  });
  bank.wake();
  return outcome;
}

/** A charge was paid: if it belongs to an authorisation, paying is authorising. */
export async function approveByPayment(tx: Tx, bank: Bank, faults: Faults, txid: string): Promise<void> {
  const found = await findRecOfCharge(tx, txid);
  const rec = found && (await lockRec(tx, found.id));
  if (rec?.status === 'CRIADA') await approve(tx, bank, faults, rec);
}

async function approve(tx: Tx, bank: Bank, faults: Faults, rec: RecRow): Promise<void> {
  await markRec(tx, rec, { status: 'APROVADA', now: bank.clock.now() });
  await enqueueRecNotice(tx, bank, faults, rec.id);
}

/** Its open debits end with it. */
export async function endRec(
  tx: Tx,
  bank: Bank,
  faults: Faults,
  rec: RecRow,
  by: keyof typeof ENDINGS,
): Promise<void> {
  const ended = ENDINGS[by];
  const status = 'rejeicao' in ended ? 'REJEITADA' : 'CANCELADA';
  await markRec(tx, rec, { status, ended, now: bank.clock.now() });
  await enqueueRecNotice(tx, bank, faults, rec.id);
  for (const txid of await listOpenDebits(tx, rec.id))
    await cancelOpenDebit(tx, bank, faults, (await lockDebit(tx, txid))!, ended);
}

export async function cancelOpenDebit(
  tx: Tx,
  bank: Bank,
  faults: Faults,
  debit: DebitRow,
  ended: Ended = ENDINGS.receiver,
): Promise<void> {
  const now = bank.clock.now();
  const attempts = debit.attempts.map((attempt) =>
    attempt.status === 'AGENDADA'
      ? {
          ...attempt,
          status: 'CANCELADA' as const,
          atualizacao: [...attempt.atualizacao, { status: 'CANCELADA', data: now.toISOString() }],
        }
      : attempt,
  );
  await updateDebit(tx, debit, { ...debit, status: 'CANCELADA', attempts, ended, next_try_at: null }, now);
  await enqueueDebitNotice(tx, bank, faults, debit.txid);
}

/** Authorisations whose last day is over. */
export async function expireRecs(bank: Bank): Promise<void> {
  const now = bank.clock.now();
  const today = saoPauloDay(now.getTime());
  const faults = await bank.faultSettings.current();
  for (const id of await listRecsToExpire(bank.db, today))
    await bank.db.transaction(async (tx) => {
      const rec = await lockRec(tx, id);
      if (rec?.status !== 'CRIADA' && rec?.status !== 'APROVADA') return;
      await markRec(tx, rec, { status: 'EXPIRADA', now });
      await enqueueRecNotice(tx, bank, faults, id);
    });
}
