import { decodeBrCode, encodeBrCode } from '#core/br-code.ts';
import type { Day } from '#core/day.ts';
import { type Cents, toReaisText } from '#core/money.ts';
import { getAfterWrite, getResource } from './get-resource.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import type { Receiver } from './translate.ts';
import { integer, record, text } from './wire-values.ts';
import { createOnce, endOnce, readBack } from './write-once.ts';

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

export type RecurrenceLocation = { id: number; location: string; recId: string | null };

const STATUSES = new Map<string, RecurrenceStatus>([
  ['CRIADA', 'created'],
  ['APROVADA', 'approved'],
  ['REJEITADA', 'rejected'],
  ['EXPIRADA', 'expired'],
  ['CANCELADA', 'cancelled'],
]);

const ROUTE = '/rec/:recId';
const REC_ID = /^[a-zA-Z0-9]{29}$/;

/** A new address at which payers' apps read an authorisation. One whose answer is lost stays unused. */
export async function createLocation(http: PspHttp): Promise<RecurrenceLocation> {
  const post: PspRequest = { method: 'POST', route: '/locrec', params: {} };
  // Nothing names it before the answer: another one is made, and the first stays empty.
  return createOnce(http, post, { read: readLocation, find: async () => null });
}

/**
 * Creates the authorisation, once. The PSP chooses its id, so it is found again by its location, which can have one only and whose
 * id the caller has stored before.
 */
export async function createRecurrence(
  http: PspHttp,
  terms: RecurrenceTerms,
  inDoubt: boolean,
): Promise<Recurrence> {
  const { payer, locationId } = terms;
  const post: PspRequest = {
    method: 'POST',
    route: '/rec',
    params: {},
    body: writeRecurrence(terms),
    secrets: [payer.cpf, payer.name],
  };
  const find = async (deadlineMs: number) => {
    const request = getLocation(locationId);
    const found = await getAfterWrite(http, { request, read: readLocation, deadlineMs });
    if (!found || found.recId === null) return null;
    return getAfterWrite(http, { request: get(found.recId, null), read: readRecurrence, deadlineMs });
  };
  return createOnce(http, post, { read: readRecurrence, find }, { inDoubt });
}

/** The authorisation at a location; null: none. */
export async function findRecAt(http: PspHttp, locationId: number): Promise<string | null> {
  const found = await getResource(http, {
    request: getLocation(locationId),
    read: readLocation,
    deadlineMs: http.deadline(),
  });
  return found?.recId ?? null;
}

/** With its code, which the PSP shows only for the charge that belongs to it. */
export async function findRecurrence(
  http: PspHttp,
  recId: string,
  txid: string | null = null,
): Promise<Recurrence | null> {
  if (!REC_ID.test(recId)) return null;
  return getResource(http, {
    request: get(recId, txid),
    read: readRecurrence,
    deadlineMs: http.deadline(),
  });
}

/** Ends it. The payer's bank may have ended it before: that is the result then. */
export async function cancelRecurrence(http: PspHttp, recId: string): Promise<Recurrence | null> {
  const patch: PspRequest = {
    method: 'PATCH',
    route: ROUTE,
    params: { recId },
    body: { status: 'CANCELADA' },
  };
  const isOpen = ({ status }: Recurrence) => status === 'created' || status === 'approved';
  return endOnce(http, patch, readBack(http, get(recId, null), readRecurrence), isOpen);
}

const getLocation = (locationId: number): PspRequest => ({
  method: 'GET',
  route: '/locrec/:locationId',
  params: { locationId: String(locationId) },
});

const get = (recId: string, txid: string | null): PspRequest => ({
  method: 'GET',
  route: ROUTE,
  params: { recId },
  ...(txid !== null && { query: { txid } }),
});

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

export function readRecurrence(body: unknown): Recurrence | null {
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

/** The PSP's code if it is valid, else our own: of the authorisation alone, or with the charge whose payment authorises. */
export function codeOf(
  { brCode, location }: Recurrence,
  chargeLocation: string | null,
  receiver: Receiver,
): string | null {
  if (brCode !== null && decodeBrCode(brCode).ok) return brCode;
  if (location === null) return null;
  return encodeBrCode({
    target: chargeLocation === null ? { kind: 'recurrence' } : { kind: 'dynamic', location: chargeLocation },
    ...(chargeLocation !== null && { initiation: '12' }),
    merchantName: receiver.name,
    merchantCity: receiver.city,
    recurrenceLocation: location,
  });
}
