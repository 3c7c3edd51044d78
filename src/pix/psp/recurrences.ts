import { decodeBrCode, encodeBrCode } from '#core/values/br-code.ts';
import type { Day } from '#core/values/day.ts';
import { type Cents, toReaisText } from '#core/values/money.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { createOnce, createResource, endOnce, type WriteOptions } from './resource.ts';
import type { Receiver } from './translate.ts';
import { asRecord, parseInteger, parseText } from './wire-values.ts';

/** Unknown statuses of the PSP are passed on unchanged. */
type RecurrenceStatus = 'created' | 'approved' | 'rejected' | 'expired' | 'cancelled' | (string & {});

/** The terms that the payer authorises: weekly debits of one purchase. */
export type RecurrenceTerms = {
  /** Identifies the purchase; at most 35 characters. */
  contract: string;
  /** Shown in the payer's app; cut to 35 characters. */
  subject: string;
  payer: { cpf: string; name: string };
  from: Day;
  until: Day;
  /** The largest debit. The limit that the payer sets must not be lower. */
  maxDebitCents: Cents;
  locationId: number;
  /** The charge that the code also pays (journey 3). Null: the code only authorises (journey 2). */
  firstTxid: string | null;
};

export type Recurrence = {
  id: string;
  status: RecurrenceStatus;
  /** The text of the QR code; null if the response has none. */
  brCode: string | null;
  location: string | null;
  /** Who cancelled or rejected it, and why, as codes of the standard. */
  endedBy: string | null;
  endCode: string | null;
};

type RecurrenceLocation = { id: number; location: string; recId: string | null };

const STATUSES = new Map<string, RecurrenceStatus>([
  ['CRIADA', 'created'],
  ['APROVADA', 'approved'],
  ['REJEITADA', 'rejected'],
  ['EXPIRADA', 'expired'],
  ['CANCELADA', 'cancelled'],
]);

const REC_ID_PATTERN = /^[a-zA-Z0-9]{29}$/;

export function createRecurrenceCalls(http: PspHttp, receiver: Receiver) {
  const locationAt = (id: number) =>
    createResource(http, { route: '/locrec/:locationId', params: { locationId: String(id) } }, parseLocation);
  const recAt = (recId: string, txid: string | null = null) =>
    createResource(
      http,
      { route: '/rec/:recId', params: { recId }, ...(txid !== null && { query: { txid } }) },
      parseRecurrence,
    );
  return {
    createRecLocation(): Promise<RecurrenceLocation> {
      const post: PspRequest = { method: 'POST', route: '/locrec', params: {} };
      // A location whose response is lost cannot be found again: a retry creates another one, and the first stays unused.
      return createOnce(http, post, { parse: parseLocation, getAfterWrite: async () => null });
    },

    /**
     * Creates the authorisation, once. The PSP chooses its id, so after a lost response it is found by its location, which has
     * only one authorisation. The caller must have stored the id of the location.
     */
    createRec(terms: RecurrenceTerms, options?: WriteOptions): Promise<Recurrence> {
      const { cpf, name } = terms.payer;
      const body = renderRecurrence(terms);
      const post: PspRequest = { method: 'POST', route: '/rec', params: {}, body, secrets: [cpf, name] };
      const getAfterWrite = async (deadlineMs: number) => {
        const location = await locationAt(terms.locationId).getAfterWrite(deadlineMs);
        if (!location || location.recId === null) return null;
        return recAt(location.recId).getAfterWrite(deadlineMs);
      };
      return createOnce(http, post, { parse: parseRecurrence, getAfterWrite }, options);
    },

    /** Returns the id of the authorisation at a location. Null: the location is unused. */
    async findRecIdAtLocation(locationId: number): Promise<string | null> {
      return (await locationAt(locationId).get())?.recId ?? null;
    },

    /** Returns null if the PSP does not have it. With the txid of its charge, the code in the response also pays that charge. */
    async getRec(recId: string, txid?: string | null): Promise<Recurrence | null> {
      return REC_ID_PATTERN.test(recId) ? recAt(recId, txid).get() : null;
    },

    /** Cancels the authorisation. The result differs if the payer's bank has ended it before. */
    cancelRec(recId: string): Promise<Recurrence | null> {
      const isOpen = ({ status }: Recurrence) => status === 'created' || status === 'approved';
      return endOnce(http, recAt(recId), { status: 'CANCELADA' }, isOpen);
    },

    /** Returns the PSP's code if it is valid, or else builds one, which also pays the charge at `chargeLocation`. */
    resolveBrCode({ brCode, location }: Recurrence, chargeLocation: string | null): string | null {
      if (brCode !== null && decodeBrCode(brCode).ok) return brCode;
      if (location === null) return null;
      return encodeBrCode({
        target:
          chargeLocation === null ? { kind: 'recurrence' } : { kind: 'dynamic', location: chargeLocation },
        ...(chargeLocation !== null && { initiation: '12' }),
        merchantName: receiver.name,
        merchantCity: receiver.city,
        recurrenceLocation: location,
      });
    },
  };
}

/** `valorRec` is omitted because it requires debits of exactly the same amount. */
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
    status: STATUSES.get(status) ?? status,
    brCode: parseText(asRecord(wire.dadosQR).pixCopiaECola),
    location: parseText(asRecord(wire.loc).location),
    endedBy: parseText(end.solicitante),
    endCode: parseText(end.codigo),
  };
}
