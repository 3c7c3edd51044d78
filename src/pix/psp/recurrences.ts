import { decodeBrCode, encodeBrCode } from '#core/br-code.ts';
import type { Day } from '#core/day.ts';
import { type Cents, toReaisText } from '#core/money.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { resourceAt } from './resource.ts';
import type { Receiver } from './translate.ts';
import { integer, record, text } from './wire-values.ts';
import { createOnce, endOnce, type InDoubt } from './write-once.ts';

/** Unknown statuses of the PSP are kept as written. */
type RecurrenceStatus = 'created' | 'approved' | 'rejected' | 'expired' | 'cancelled' | (string & {});

/** What a payer is asked to authorise: debits of a purchase, one a week. */
export type RecurrenceTerms = {
  /** The purchase, at most 35 characters. */
  contract: string;
  /** What the payer's app shows, at most 35 characters. */
  subject: string;
  payer: { cpf: string; name: string };
  from: Day;
  until: Day;
  /** The payer's own limit must allow this much. */
  leastCents: Cents;
  locationId: number;
  /** The charge whose payment authorises as well (journey 3); null: the code only authorises (journey 2). */
  firstTxid: string | null;
};

/** An authorisation at the PSP. */
export type Recurrence = {
  id: string;
  status: RecurrenceStatus;
  /** The text of the QR code; null when the answer has none. */
  brCode: string | null;
  location: string | null;
  /** Who cancelled or rejected it, and why, in the standard's codes. */
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

const REC_ID = /^[a-zA-Z0-9]{29}$/;

export function recurrenceCalls(http: PspHttp, receiver: Receiver) {
  const locationAt = (id: number) =>
    resourceAt(http, { route: '/locrec/:locationId', params: { locationId: String(id) } }, readLocation);
  const recAt = (recId: string, txid: string | null = null) =>
    resourceAt(
      http,
      { route: '/rec/:recId', params: { recId }, ...(txid !== null && { query: { txid } }) },
      readRecurrence,
    );
  return {
    /** A new address at which payers' apps read an authorisation. One whose answer is lost stays unused. */
    createRecLocation(): Promise<RecurrenceLocation> {
      const post: PspRequest = { method: 'POST', route: '/locrec', params: {} };
      // Nothing names it before the answer: another one is made, and the first stays empty.
      return createOnce(http, post, { read: readLocation, getAfterWrite: async () => null });
    },

    /**
     * Creates the authorisation, once. The PSP chooses its id, so it is found again by its location, which can have one only and whose
     * id the caller has stored before.
     */
    createRec(terms: RecurrenceTerms, doubt?: InDoubt): Promise<Recurrence> {
      const { cpf, name } = terms.payer;
      const body = writeRecurrence(terms);
      const post: PspRequest = { method: 'POST', route: '/rec', params: {}, body, secrets: [cpf, name] };
      const getAfterWrite = async (deadlineMs: number) => {
        const found = await locationAt(terms.locationId).getAfterWrite(deadlineMs);
        if (!found || found.recId === null) return null;
        return recAt(found.recId).getAfterWrite(deadlineMs);
      };
      return createOnce(http, post, { read: readRecurrence, getAfterWrite }, doubt);
    },

    /** The authorisation at a location; null: none. */
    async findRecAt(locationId: number): Promise<string | null> {
      return (await locationAt(locationId).get())?.recId ?? null;
    },

    /** null: the PSP does not have it. With the txid of the charge that belongs to it, its code pays that, too. */
    async getRec(recId: string, txid?: string | null): Promise<Recurrence | null> {
      return REC_ID.test(recId) ? recAt(recId, txid).get() : null;
    },

    /** Ends it. The payer's bank may have ended it before: that is the result then. */
    cancelRec(recId: string): Promise<Recurrence | null> {
      const isOpen = ({ status }: Recurrence) => status === 'created' || status === 'approved';
      return endOnce(http, recAt(recId), { status: 'CANCELADA' }, isOpen);
    },

    /** The PSP's code if it is valid, else our own: of the authorisation alone, or with the charge whose payment authorises. */
    codeOf({ brCode, location }: Recurrence, chargeLocation: string | null): string | null {
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

/** Without `valorRec`, which would need installments that are equal to the centavo. */
function writeRecurrence(terms: RecurrenceTerms) {
  const { contract, subject, payer, from, until, leastCents, locationId, firstTxid } = terms;
  return {
    vinculo: {
      contrato: contract,
      objeto: subject.slice(0, 35),
      devedor: { cpf: payer.cpf, nome: payer.name.slice(0, 140) },
    },
    calendario: { dataInicial: from, dataFinal: until, periodicidade: 'SEMANAL' },
    valor: { valorMinimoRecebedor: toReaisText(leastCents) },
    politicaRetentativa: 'PERMITE_3R_7D',
    loc: locationId,
    ...(firstTxid !== null && { ativacao: { dadosJornada: { txid: firstTxid } } }),
  };
}

function readLocation(body: unknown): RecurrenceLocation | null {
  const wire = record(body);
  const id = integer(wire.id);
  const location = text(wire.location);
  return id === null || location === null ? null : { id, location, recId: text(wire.idRec) };
}

function readRecurrence(body: unknown): Recurrence | null {
  const wire = record(body);
  const id = text(wire.idRec);
  const status = text(wire.status);
  if (id === null || status === null) return null;
  const { rejeicao, cancelamento } = record(wire.encerramento);
  const end = record(cancelamento ?? rejeicao);
  return {
    id,
    status: STATUSES.get(status) ?? status,
    brCode: text(record(wire.dadosQR).pixCopiaECola),
    location: text(record(wire.loc).location),
    endedBy: text(end.solicitante),
    endCode: text(end.codigo),
  };
}
