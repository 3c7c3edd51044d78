import { decodeBrCode, encodeBrCode } from '#core/values/br-code.ts';
import { type Day, parseDay } from '#core/values/day.ts';
import { type Cents, toReaisText } from '#core/values/money.ts';
import { PspRefused } from './failures.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { requireTxid } from './payments.ts';
import { createOnce, createResource, endOnce, type WriteOptions } from './resource.ts';
import {
  asList,
  asRecord,
  type Charge,
  parseAmount,
  parseInteger,
  parsePixEntries,
  parseText,
  type Receiver,
  SINGLE_USE,
  type Translated,
  translateStatus,
} from './translate.ts';

/** The terms that the payer authorises: weekly debits of one purchase. */
export type RecurrenceTerms = {
  /** Identifies the purchase; at most 35 characters. */
  contract: string;
  /** Shown in the payer's app; cut to 35 characters. */
  subject: string;
  payer: { cpf: string; name: string };
  /** The first due day, and the last day of the authorisation. */
  from: Day;
  until: Day;
  /** The largest debit. The limit that the payer sets must not be lower. */
  maxDebitCents: Cents;
  locationId: number;
  /** The charge that the QR code also pays. Null: the QR code only authorises debits. (Journeys 3 and 2 of Pix Automático.) */
  firstTxid: string | null;
};

export type Recurrence = {
  id: string;
  status: Translated<typeof RECURRENCE_STATUSES>;
  /** The text of the QR code; null if the response has none. */
  brCode: string | null;
  location: string | null;
  /** Who cancelled or rejected it, and why, as codes of the standard. */
  endedBy: string | null;
  endCode: string | null;
};

type RecurrenceLocation = { id: number; location: string; recId: string | null };

const RECURRENCE_STATUSES = {
  CRIADA: 'created',
  APROVADA: 'approved',
  REJEITADA: 'rejected',
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
} as const;

const REC_ID_PATTERN = /^[a-zA-Z0-9]{29}$/;

export function createRecurrenceCalls(http: PspHttp, receiver: Receiver) {
  const buildLocationResource = (id: number) =>
    createResource(http, { route: '/locrec/:locationId', params: { locationId: String(id) } }, parseLocation);
  const buildRecResource = (recId: string, txid: string | null = null) =>
    createResource(
      http,
      { route: '/rec/:recId', params: { recId }, ...(txid !== null && { query: { txid } }) },
      parseRecurrence,
    );
  return {
    createRecLocation(): Promise<RecurrenceLocation> {
      const postRequest: PspRequest = { method: 'POST', route: '/locrec', params: {} };
      // A location whose response is lost cannot be found again: a retry creates another one, and the first stays unused.
      return createOnce(http, postRequest, { parse: parseLocation, getAfterWrite: async () => null });
    },

    /**
     * Creates the authorisation, once. The PSP chooses its id, so after a lost response it is found by its location, which has
     * only one authorisation. The caller must have stored the id of the location.
     */
    createRec(terms: RecurrenceTerms, options?: WriteOptions): Promise<Recurrence> {
      const { cpf, name } = terms.payer;
      const body = renderRecurrence(terms);
      const secrets = [cpf, name];
      const postRequest: PspRequest = { method: 'POST', route: '/rec', params: {}, body, secrets };
      const getAfterWrite = async (deadlineMs: number) => {
        const location = await buildLocationResource(terms.locationId).getAfterWrite(deadlineMs);
        if (!location || location.recId === null) return null;
        return buildRecResource(location.recId).getAfterWrite(deadlineMs);
      };
      return createOnce(http, postRequest, { parse: parseRecurrence, getAfterWrite }, options);
    },

    /** Returns the id of the authorisation at a location, or null if the location is unused. */
    async findRecIdAtLocation(locationId: number): Promise<string | null> {
      return (await buildLocationResource(locationId).get())?.recId ?? null;
    },

    /** Returns null if the PSP does not have the authorisation. With the txid of its charge, the code in the response also pays that charge. */
    async getRec(recId: string, txid?: string | null): Promise<Recurrence | null> {
      return REC_ID_PATTERN.test(recId) ? buildRecResource(recId, txid).get() : null;
    },

    /** Cancels the authorisation. The result has another status if the payer's bank has ended it before. */
    cancelRec(recId: string): Promise<Recurrence | null> {
      const isOpen = ({ status }: Recurrence) => status === 'created' || status === 'approved';
      return endOnce(http, buildRecResource(recId), { status: 'CANCELADA' }, isOpen);
    },

    /** Returns the PSP's code if it is valid, or else builds one, which also pays the charge at `chargeLocation`. */
    resolveBrCode({ brCode, location }: Recurrence, chargeLocation: string | null): string | null {
      if (brCode !== null && decodeBrCode(brCode).ok) return brCode;
      if (location === null) return null;
      return encodeBrCode({
        target:
          chargeLocation === null ? { kind: 'recurrence' } : { kind: 'dynamic', location: chargeLocation },
        ...(chargeLocation !== null && { initiation: SINGLE_USE }),
        merchantName: receiver.name,
        merchantCity: receiver.city,
        recurrenceLocation: location,
      });
    },
  };
}

/** Renders the terms as the standard requires. `valorRec` is omitted because it requires debits of exactly the same amount. */
function renderRecurrence(terms: RecurrenceTerms) {
  const { contract, subject, payer, from, until, maxDebitCents, locationId, firstTxid } = terms;
  return {
    vinculo: {
      contrato: contract,
      objeto: subject.slice(0, 35),
      devedor: { cpf: payer.cpf, nome: payer.name.slice(0, 140) },
    },
    calendario: { dataInicial: from, dataFinal: until, periodicidade: 'SEMANAL' },
    valor: { valorMinimoRecebedor: toReaisText(maxDebitCents) },
    politicaRetentativa: 'PERMITE_3R_7D',
    loc: locationId,
    ...(firstTxid !== null && { ativacao: { dadosJornada: { txid: firstTxid } } }),
  };
}

function parseLocation(body: unknown): RecurrenceLocation | null {
  const wire = asRecord(body);
  const id = parseInteger(wire.id);
  const location = parseText(wire.location);
  return id === null || location === null ? null : { id, location, recId: parseText(wire.idRec) };
}

function parseRecurrence(body: unknown): Recurrence | null {
  const wire = asRecord(body);
  const id = parseText(wire.idRec);
  const status = parseText(wire.status);
  if (id === null || status === null) return null;
  const { rejeicao, cancelamento } = asRecord(wire.encerramento);
  const end = asRecord(cancelamento ?? rejeicao);
  return {
    id,
    status: translateStatus(RECURRENCE_STATUSES, status),
    brCode: parseText(asRecord(wire.dadosQR).pixCopiaECola),
    location: parseText(asRecord(wire.loc).location),
    endedBy: parseText(end.solicitante),
    endCode: parseText(end.codigo),
  };
}

/** The account that debits are credited to. A debit contains it instead of a Pix key. */
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

export type DebitAttempt = {
  day: Day;
  status: Translated<typeof ATTEMPT_STATUSES>;
  code: string | null;
};

export type Debit = Pick<Charge, 'payments' | 'unreadablePix'> & {
  txid: string;
  recId: string;
  status: Translated<typeof DEBIT_STATUSES>;
  amountCents: Cents;
  dueOn: Day | null;
  /** In the order of their days. */
  attempts: DebitAttempt[];
};

/** `too_late`: the debit is or was due, so the PSP no longer cancels it. */
type CancelDebitResult = { kind: 'ended'; debit: Debit } | { kind: 'too_late' } | { kind: 'not_found' };

const DEBIT_STATUSES = {
  CRIADA: 'created',
  ATIVA: 'active',
  CONCLUIDA: 'paid',
  EXPIRADA: 'expired',
  REJEITADA: 'rejected',
  CANCELADA: 'cancelled',
} as const;

const ATTEMPT_STATUSES = {
  SOLICITADA: 'requested',
  AGENDADA: 'scheduled',
  PAGA: 'paid',
  CANCELADA: 'cancelled',
  REJEITADA: 'rejected',
  EXPIRADA: 'expired',
} as const;

export function createDebitCalls(http: PspHttp) {
  const buildDebitResource = (txid: string) =>
    createResource(http, { route: '/cobr/:txid', params: { txid: requireTxid(txid) } }, parseDebit);
  return {
    /** Creates the debit, once. `txid_taken`: the PSP has a debit with other terms. Its amount and day cannot be changed later. */
    async putDebit(
      txid: string,
      terms: DebitTerms,
      options?: WriteOptions,
    ): Promise<{ kind: 'created' | 'txid_taken'; debit: Debit }> {
      const resource = buildDebitResource(txid);
      const putRequest: PspRequest = {
        method: 'PUT',
        ...resource.address,
        body: renderDebit(terms),
        secrets: [terms.account.number],
      };
      const debit = await createOnce(http, putRequest, resource, options);
      const isOurs =
        debit.txid.toLowerCase() === txid.toLowerCase() &&
        debit.recId === terms.recId &&
        debit.amountCents === terms.amountCents &&
        (debit.dueOn === null || debit.dueOn === terms.dueOn);
      return { kind: isOurs ? 'created' : 'txid_taken', debit };
    },

    getDebit: async (txid: string) => buildDebitResource(txid).get(),

    /** Cancels the debit, which is only possible before the day of the first attempt. */
    async cancelDebit(txid: string): Promise<CancelDebitResult> {
      const isOpen = ({ status }: Debit) => status === 'created' || status === 'active';
      try {
        const debit = await endOnce(http, buildDebitResource(txid), { status: 'CANCELADA' }, isOpen);
        return debit ? { kind: 'ended', debit } : { kind: 'not_found' };
      } catch (error) {
        if (error instanceof PspRefused) return { kind: 'too_late' };
        throw error;
      }
    },

    /** Requests another attempt on a later day, once. Throws `PspRefused` if the PSP does not allow it. */
    async retryDebit(txid: string, day: Day): Promise<Debit> {
      const resource = buildDebitResource(txid);
      const params = { ...resource.address.params, day };
      const postRequest: PspRequest = { method: 'POST', route: '/cobr/:txid/retentativa/:day', params };
      return createOnce(http, postRequest, {
        ...resource,
        async getAfterWrite(deadlineMs) {
          const debit = await resource.getAfterWrite(deadlineMs);
          return debit?.attempts.some((attempt) => attempt.day === day) ? debit : null;
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
    status: translateStatus(DEBIT_STATUSES, status),
    amountCents,
    dueOn: parseDay(asRecord(wire.calendario).dataDeVencimento),
    attempts: asList(wire.tentativas)
      .flatMap((attempt) => parseAttempt(attempt) ?? [])
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    ...parsePixEntries(asList(wire.pix)),
  };
}

function parseAttempt(body: unknown): DebitAttempt | null {
  const wire = asRecord(body);
  const day = parseDay(wire.dataLiquidacao);
  const status = parseText(wire.status);
  if (day === null || status === null) return null;
  const code = parseText(asRecord(wire.rejeicao).codigo);
  return { day, status: translateStatus(ATTEMPT_STATUSES, status), code };
}
