import { saoPauloDay } from '#core/values/day.ts';
import { type Bank, type BankContext, withBankTransaction } from '../bank.ts';
import { enqueueDebitCallback, enqueueRecCallback } from '../callbacks.ts';
import {
  type DebitRow,
  findRec,
  findRecByFirstTxid,
  listOpenDebits,
  listRecsToExpire,
  lockDebit,
  lockRec,
  type RecRow,
  type RecStatus,
  type Termination,
  updateDebit,
  updateRecStatus,
  withAttemptStatus,
} from './store.ts';

/** An action of the payer, or of the payer's bank, on an authorisation. */
export type PayerAction = 'authorise' | 'refuse' | 'cancel';

export type PayerActionResult =
  | { kind: 'done'; recId: string; status: RecStatus; firstTxid: string | null }
  | { kind: 'unknown' }
  /** The status of the authorisation does not allow the action. */
  | { kind: 'not_allowed'; status: RecStatus };

const TERMINATIONS: Record<'refuse' | 'cancel' | 'receiver', Termination> = {
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

/** Carries out an action of the payer in the bank's app. */
export const applyPayerAction = (
  bank: Bank,
  recId: string,
  action: PayerAction,
): Promise<PayerActionResult> =>
  withBankTransaction(bank, async (context): Promise<PayerActionResult> => {
    const rec = await lockRec(context.tx, recId);
    if (!rec) return { kind: 'unknown' };
    const isAllowed =
      action === 'cancel' ? ['CRIADA', 'APROVADA'].includes(rec.status) : rec.status === 'CRIADA';
    if (!isAllowed) return { kind: 'not_allowed', status: rec.status };
    if (action === 'authorise') await approve(context, rec);
    else await endRec(context, rec, action);
    const { status, first_txid } = (await findRec(context.tx, recId))!;
    return { kind: 'done', recId, status, firstTxid: first_txid };
  });

/** Approves the authorisation that a paid charge belongs to, if there is one. */
export async function approveByPayment(context: BankContext, txid: string): Promise<void> {
  const pending = await findRecByFirstTxid(context.tx, txid);
  const rec = pending && (await lockRec(context.tx, pending.id));
  if (rec?.status === 'CRIADA') await approve(context, rec);
}

async function approve(context: BankContext, rec: RecRow): Promise<void> {
  await updateRecStatus(context.tx, rec, { status: 'APROVADA', now: context.bank.clock.now() });
  await enqueueRecCallback(context, rec.id);
}

/** Ends an authorisation, and cancels its open debits. */
export async function endRec(
  context: BankContext,
  rec: RecRow,
  cause: keyof typeof TERMINATIONS,
): Promise<void> {
  const { tx, bank } = context;
  const ended = TERMINATIONS[cause];
  const status = 'rejeicao' in ended ? 'REJEITADA' : 'CANCELADA';
  await updateRecStatus(tx, rec, { status, ended, now: bank.clock.now() });
  await enqueueRecCallback(context, rec.id);
  for (const txid of await listOpenDebits(tx, rec.id))
    await cancelOpenDebit(context, (await lockDebit(tx, txid))!, ended);
}

export async function cancelOpenDebit(
  context: BankContext,
  debit: DebitRow,
  ended: Termination = TERMINATIONS.receiver,
): Promise<void> {
  const now = context.bank.clock.now();
  const attempts = debit.attempts.map((attempt) =>
    attempt.status === 'AGENDADA' ? withAttemptStatus(attempt, 'CANCELADA', now) : attempt,
  );
  const cancelled = { ...debit, status: 'CANCELADA', attempts, ended, next_try_at: null } as const;
  await updateDebit(context.tx, debit, cancelled, now);
  await enqueueDebitCallback(context, debit.txid);
}

/** Expires authorisations whose last day has passed. */
export async function expireRecs(bank: Bank): Promise<void> {
  const now = bank.clock.now();
  const today = saoPauloDay(now.getTime());
  const faults = await bank.faultSettings.current();
  for (const id of await listRecsToExpire(bank.db, today))
    await bank.db.transaction(async (tx) => {
      const rec = await lockRec(tx, id);
      if (rec?.status !== 'CRIADA' && rec?.status !== 'APROVADA') return;
      await updateRecStatus(tx, rec, { status: 'EXPIRADA', now });
      await enqueueRecCallback({ tx, bank, faults }, id);
    });
}
