import { type Day, parseDay } from '#core/day.ts';
import { type Cents, toReaisText } from '#core/money.ts';
import { checkedTxid } from './charges.ts';
import { PspRefused } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { resourceAt } from './resource.ts';
import { type Charge, readPixEntries } from './translate.ts';
import { amount, listOf, record, text } from './wire-values.ts';
import { createOnce, endOnce, type InDoubt } from './write-once.ts';

/** Unknown statuses of the PSP are kept as written. */
type Raw = string & {};

type DebitStatus = 'created' | 'active' | 'paid' | 'expired' | 'rejected' | 'cancelled' | Raw;
export type AttemptStatus = 'requested' | 'scheduled' | 'paid' | 'cancelled' | 'rejected' | 'expired' | Raw;

/** The account that is credited: debits name it instead of a Pix key. */
export type ReceivingAccount = {
  number: string;
  type: 'CORRENTE' | 'POUPANCA' | 'PAGAMENTO';
  branch: string | null;
};

export type DebitTerms = {
  recId: string;
  dueOn: Day;
  amountCents: Cents;
  account: ReceivingAccount;
  /** Shown to the payer, at most 140 characters. */
  note: string;
};

/** One try of the payer's bank, on one day. */
export type DebitAttempt = { on: Day; status: AttemptStatus; code: string | null };

/** A debit at the PSP (`cobr`). */
export type Debit = Pick<Charge, 'payments' | 'unreadable'> & {
  txid: string;
  recId: string;
  status: DebitStatus;
  amountCents: Cents;
  dueOn: Day | null;
  /** In the order of their days. */
  attempts: DebitAttempt[];
};

/** `too_late`: it is debited today, or was: the PSP takes it back no more. */
type CancelledDebit = { kind: 'ended'; debit: Debit } | { kind: 'too_late' } | { kind: 'not_found' };

const STATUSES = new Map<string, DebitStatus>([
  ['CRIADA', 'created'],
  ['ATIVA', 'active'],
  ['CONCLUIDA', 'paid'],
  ['EXPIRADA', 'expired'],
  ['REJEITADA', 'rejected'],
  ['CANCELADA', 'cancelled'],
]);

const ATTEMPT_STATUSES = new Map<string, AttemptStatus>([
  ['SOLICITADA', 'requested'],
  ['AGENDADA', 'scheduled'],
  ['PAGA', 'paid'],
  ['CANCELADA', 'cancelled'],
  ['REJEITADA', 'rejected'],
  ['EXPIRADA', 'expired'],
]);

export function debitCalls(http: PspHttp) {
  const debitAt = (txid: string) =>
    resourceAt(http, { route: '/cobr/:txid', params: { txid: checkedTxid(txid) } }, readDebit);
  return {
    /** Creates the debit, once; as `putCob`. Its amount and day can never be changed. */
    async putDebit(
      txid: string,
      terms: DebitTerms,
      doubt?: InDoubt,
    ): Promise<{ kind: 'made' | 'taken'; debit: Debit }> {
      const cobr = debitAt(txid);
      const put: PspRequest = {
        method: 'PUT',
        ...cobr.at,
        body: writeDebit(terms),
        secrets: [terms.account.number],
      };
      const debit = await createOnce(http, put, cobr, doubt);
      const isMade =
        debit.txid.toLowerCase() === txid.toLowerCase() &&
        debit.recId === terms.recId &&
        debit.amountCents === terms.amountCents &&
        (debit.dueOn === null || debit.dueOn === terms.dueOn);
      return { kind: isMade ? 'made' : 'taken', debit };
    },

    async getDebit(txid: string): Promise<Debit | null> {
      return debitAt(txid).get();
    },

    /** Withdraws the debit, which is possible before the day of the first attempt. */
    async cancelDebit(txid: string): Promise<CancelledDebit> {
      const isOpen = ({ status }: Debit) => status === 'created' || status === 'active';
      try {
        const debit = await endOnce(http, debitAt(txid), { status: 'CANCELADA' }, isOpen);
        return debit ? { kind: 'ended', debit } : { kind: 'not_found' };
      } catch (error) {
        if (error instanceof PspRefused) return { kind: 'too_late' };
        throw error;
      }
    },

    /** Asks for another attempt on a later day, once. Throws `PspRefused` when the PSP allows none. */
    async retryDebit(txid: string, on: Day): Promise<Debit> {
      const cobr = debitAt(txid);
      const params = { ...cobr.at.params, on };
      const post: PspRequest = { method: 'POST', route: '/cobr/:txid/retentativa/:on', params };
      return createOnce(http, post, {
        ...cobr,
        async getAfterWrite(deadlineMs) {
          const debit = await cobr.getAfterWrite(deadlineMs);
          return debit?.attempts.some((attempt) => attempt.on === on) ? debit : null;
        },
      });
    },
  };
}

const writeDebit = ({ recId, dueOn, amountCents, account, note }: DebitTerms) => ({
  idRec: recId,
  calendario: { dataDeVencimento: dueOn },
  valor: { original: toReaisText(amountCents) },
  ajusteDiaUtil: true,
  recebedor: {
    conta: account.number,
    tipoConta: account.type,
    ...(account.branch !== null && { agencia: account.branch }),
  },
  infoAdicional: note.slice(0, 140),
});

/** null when a field that the standard requires is missing. */
function readDebit(body: unknown): Debit | null {
  const wire = record(body);
  const txid = text(wire.txid);
  const recId = text(wire.idRec);
  const status = text(wire.status);
  const amountCents = amount(record(wire.valor).original);
  if (txid === null || recId === null || status === null || amountCents === null) return null;
  return {
    txid,
    recId,
    status: STATUSES.get(status) ?? status,
    amountCents,
    dueOn: parseDay(record(wire.calendario).dataDeVencimento),
    attempts: listOf(wire.tentativas)
      .flatMap((attempt) => readAttempt(attempt) ?? [])
      .toSorted((a, b) => (a.on < b.on ? -1 : 1)),
    ...readPixEntries(listOf(wire.pix)),
  };
}

function readAttempt(body: unknown): DebitAttempt | null {
  const wire = record(body);
  const on = parseDay(wire.dataLiquidacao);
  const status = text(wire.status);
  if (on === null || status === null) return null;
  const code = text(record(wire.rejeicao).codigo);
  return { on, status: ATTEMPT_STATUSES.get(status) ?? status, code };
}
