import { type Day, parseDay } from '#core/values/day.ts';
import { type Cents, toReaisText } from '#core/values/money.ts';
import { PspRefused } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { requireTxid } from './payments.ts';
import { createOnce, createResource, endOnce, type WriteOptions } from './resource.ts';
import { type Charge, parsePixEntries } from './translate.ts';
import { asList, asRecord, parseAmount, parseText } from './wire-values.ts';

/** Unknown statuses of the PSP are passed on unchanged. */
type UnknownStatus = string & {};

type DebitStatus = 'created' | 'active' | 'paid' | 'expired' | 'rejected' | 'cancelled' | UnknownStatus;
export type AttemptStatus =
  | 'requested'
  | 'scheduled'
  | 'paid'
  | 'cancelled'
  | 'rejected'
  | 'expired'
  | UnknownStatus;

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

export type DebitAttempt = { on: Day; status: AttemptStatus; code: string | null };

export type Debit = Pick<Charge, 'payments' | 'unreadable'> & {
  txid: string;
  recId: string;
  status: DebitStatus;
  amountCents: Cents;
  dueOn: Day | null;
  /** In the order of their days. */
  attempts: DebitAttempt[];
};

/** `too_late`: the debit is or was due, so the PSP no longer withdraws it. */
type CancelledDebit = { kind: 'ended'; debit: Debit } | { kind: 'too_late' } | { kind: 'not_found' };

const DEBIT_STATUSES = new Map<string, DebitStatus>([
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

export function createDebitCalls(http: PspHttp) {
  const debitAt = (txid: string) =>
    createResource(http, { route: '/cobr/:txid', params: { txid: requireTxid(txid) } }, parseDebit);
  return {
    /** Creates the debit, once, like `putCob`. Its amount and day cannot be changed later. */
    async putDebit(
      txid: string,
      terms: DebitTerms,
      options?: WriteOptions,
    ): Promise<{ kind: 'created' | 'txid_taken'; debit: Debit }> {
      const cobr = debitAt(txid);
      const put: PspRequest = {
        method: 'PUT',
        ...cobr.address,
        body: renderDebit(terms),
        secrets: [terms.account.number],
      };
      const debit = await createOnce(http, put, cobr, options);
      const isOurs =
        debit.txid.toLowerCase() === txid.toLowerCase() &&
        debit.recId === terms.recId &&
        debit.amountCents === terms.amountCents &&
        (debit.dueOn === null || debit.dueOn === terms.dueOn);
      return { kind: isOurs ? 'created' : 'txid_taken', debit };
    },

    getDebit: async (txid: string) => debitAt(txid).get(),

    /** Withdraws the debit, which is only possible before the day of the first attempt. */
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

    /** Requests another attempt on a later day, once. Throws `PspRefused` if the PSP does not allow it. */
    async retryDebit(txid: string, on: Day): Promise<Debit> {
      const cobr = debitAt(txid);
      const params = { ...cobr.address.params, on };
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

const renderDebit = ({ recId, dueOn, amountCents, account, note }: DebitTerms) => ({
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

/** Returns null if a field that the standard requires is missing. */
function parseDebit(body: unknown): Debit | null {
  const wire = asRecord(body);
  const txid = parseText(wire.txid);
  const recId = parseText(wire.idRec);
  const status = parseText(wire.status);
  const amountCents = parseAmount(asRecord(wire.valor).original);
  if (txid === null || recId === null || status === null || amountCents === null) return null;
  return {
    txid,
    recId,
    status: DEBIT_STATUSES.get(status) ?? status,
    amountCents,
    dueOn: parseDay(asRecord(wire.calendario).dataDeVencimento),
    attempts: asList(wire.tentativas)
      .flatMap((attempt) => parseAttempt(attempt) ?? [])
      .toSorted((a, b) => (a.on < b.on ? -1 : 1)),
    ...parsePixEntries(asList(wire.pix)),
  };
}

function parseAttempt(body: unknown): DebitAttempt | null {
  const wire = asRecord(body);
  const on = parseDay(wire.dataLiquidacao);
  const status = parseText(wire.status);
  if (on === null || status === null) return null;
  const code = parseText(asRecord(wire.rejeicao).codigo);
  return { on, status: ATTEMPT_STATUSES.get(status) ?? status, code };
}
