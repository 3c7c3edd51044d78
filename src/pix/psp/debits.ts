import { type Day, parseDay } from '#core/day.ts';
import { type Cents, toReaisText } from '#core/money.ts';
import { checkedTxid } from './charges.ts';
import { PspRefused } from './failures.ts';
import { getResource } from './get-resource.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { type Charge, readPixEntries } from './translate.ts';
import { amount, listOf, record, text } from './wire-values.ts';
import { createOnce, endOnce, readBack } from './write-once.ts';

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

export type PutDebit = { kind: 'made'; debit: Debit } | { kind: 'taken'; debit: Debit };

/** `too_late`: it is debited today, or was: the PSP takes it back no more. */
export type CancelledDebit = { kind: 'ended'; debit: Debit } | { kind: 'too_late' } | { kind: 'not_found' };

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

const ROUTE = '/cobr/:txid';

/** Creates the debit, once; as `putCharge`. Its amount and day can never be changed. */
export async function putDebit(
  http: PspHttp,
  txid: string,
  terms: DebitTerms,
  inDoubt: boolean,
): Promise<PutDebit> {
  const { account } = terms;
  const put: PspRequest = {
    method: 'PUT',
    route: ROUTE,
    params: { txid: checkedTxid(txid) },
    body: {
      idRec: terms.recId,
      calendario: { dataDeVencimento: terms.dueOn },
      valor: { original: toReaisText(terms.amountCents) },
      ajusteDiaUtil: true,
      recebedor: {
        conta: account.number,
        tipoConta: account.type,
        ...(account.branch !== null && { agencia: account.branch }),
      },
      infoAdicional: terms.note.slice(0, 140),
    },
    secrets: [account.number],
  };
  const debit = await createOnce(http, put, readBack(http, get(txid), readDebit), { inDoubt });
  const isMade =
    debit.txid.toLowerCase() === txid.toLowerCase() &&
    debit.recId === terms.recId &&
    debit.amountCents === terms.amountCents &&
    (debit.dueOn === null || debit.dueOn === terms.dueOn);
  return { kind: isMade ? 'made' : 'taken', debit };
}

export async function findDebit(http: PspHttp, txid: string): Promise<Debit | null> {
  return getResource(http, { request: get(checkedTxid(txid)), read: readDebit, deadlineMs: http.deadline() });
}

/** Withdraws the debit, which is possible before the day of the first attempt. */
export async function cancelDebit(http: PspHttp, txid: string): Promise<CancelledDebit> {
  const params = { txid: checkedTxid(txid) };
  const patch: PspRequest = { method: 'PATCH', route: ROUTE, params, body: { status: 'CANCELADA' } };
  const isOpen = ({ status }: Debit) => status === 'created' || status === 'active';
  try {
    const debit = await endOnce(http, patch, readBack(http, get(txid), readDebit), isOpen);
    return debit ? { kind: 'ended', debit } : { kind: 'not_found' };
  } catch (error) {
    if (error instanceof PspRefused) return { kind: 'too_late' };
    throw error;
  }
}

/** Asks for another attempt on a later day, once. Throws `PspRefused` when the PSP allows none. */
export async function retryDebit(http: PspHttp, txid: string, on: Day): Promise<Debit> {
  const post: PspRequest = {
    method: 'POST',
    route: '/cobr/:txid/retentativa/:on',
    params: { txid: checkedTxid(txid), on },
  };
  const { find } = readBack(http, get(txid), readDebit);
  return createOnce(http, post, {
    read: readDebit,
    find: async (deadlineMs) => {
      const debit = await find(deadlineMs);
      return debit?.attempts.some((attempt) => attempt.on === on) ? debit : null;
    },
  });
}

const get = (txid: string): PspRequest => ({ method: 'GET', route: ROUTE, params: { txid } });

/** null when a field that the standard requires is missing. */
export function readDebit(body: unknown): Debit | null {
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
