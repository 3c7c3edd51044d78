import { saoPauloDay } from '#core/day.ts';
import type { Bank } from '../bank.ts';
import { type BankChange, changeBank } from '../bank-change.ts';
import { enqueueDebitNotice, enqueueRecNotice } from '../notices.ts';
import {
  attemptNow,
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
export const answerRec = (bank: Bank, recId: string, answer: BankAnswer): Promise<Answered> =>
  changeBank(bank, async (change): Promise<Answered> => {
    const rec = await lockRec(change.tx, recId);
    if (!rec) return { kind: 'unknown' };
    const isPossible =
      answer === 'cancel' ? ['CRIADA', 'APROVADA'].includes(rec.status) : rec.status === 'CRIADA';
    if (!isPossible) return { kind: 'impossible', status: rec.status };
    if (answer === 'authorise') await approve(change, rec);
    else await endRec(change, rec, answer);
    const { status, first_txid } = (await findRec(change.tx, recId))!;
    return { kind: 'answered', recId, status, firstTxid: first_txid };
  });

/** A charge was paid: if it belongs to an authorisation, paying is authorising. */
export async function approveByPayment(change: BankChange, txid: string): Promise<void> {
  const found = await findRecOfCharge(change.tx, txid);
  const rec = found && (await lockRec(change.tx, found.id));
  if (rec?.status === 'CRIADA') await approve(change, rec);
}

async function approve(change: BankChange, rec: RecRow): Promise<void> {
  await markRec(change.tx, rec, { status: 'APROVADA', now: change.bank.clock.now() });
  await enqueueRecNotice(change, rec.id);
}

/** Its open debits end with it. */
export async function endRec(change: BankChange, rec: RecRow, by: keyof typeof ENDINGS): Promise<void> {
  const { tx, bank } = change;
  const ended = ENDINGS[by];
  const status = 'rejeicao' in ended ? 'REJEITADA' : 'CANCELADA';
  await markRec(tx, rec, { status, ended, now: bank.clock.now() });
  await enqueueRecNotice(change, rec.id);
  for (const txid of await listOpenDebits(tx, rec.id))
    await cancelOpenDebit(change, (await lockDebit(tx, txid))!, ended);
}

export async function cancelOpenDebit(
  change: BankChange,
  debit: DebitRow,
  ended: Ended = ENDINGS.receiver,
): Promise<void> {
  const now = change.bank.clock.now();
  const attempts = debit.attempts.map((attempt) =>
    attempt.status === 'AGENDADA' ? attemptNow(attempt, 'CANCELADA', now) : attempt,
  );
  const after = { ...debit, status: 'CANCELADA', attempts, ended, next_try_at: null } as const;
  await updateDebit(change.tx, debit, after, now);
  await enqueueDebitNotice(change, debit.txid);
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
      await enqueueRecNotice({ tx, bank, faults }, id);
    });
}
