import { decodeBrCode, encodeBrCode } from '#core/br-code.ts';
import { type Cents, toReaisText } from '#core/money.ts';
import { amount, endToEndIdOf, instant, integer, listOf, record, text } from './wire-values.ts';

/** Unknown values of the PSP are kept as written: new ones may come at any time. */
type Raw = string & {};

export type ChargeStatus = 'active' | 'paid' | 'removed' | 'removed_by_psp' | Raw;
export type RefundStatus = 'processing' | 'returned' | 'failed' | Raw;

export type ChargeTerms = {
  amountCents: Cents;
  /** Counted from the instant at which the PSP creates the charge. */
  expirationSeconds: number;
  /** The receiver's Pix key. */
  key: string;
  /** Shown to the payer, at most 140 characters. */
  note?: string;
};

/** A charge at the PSP. Expired ones stay `active`. */
export type Charge = {
  txid: string;
  status: ChargeStatus;
  amountCents: Cents;
  key: string;
  /** null when the PSP does not report it. */
  expirationSeconds: number | null;
  location: string | null;
  /** The text of the QR code; null when neither a code nor a location came with it. */
  brCode: string | null;
  payments: ReceivedPix[];
  /** Payments whose amount or time cannot be parsed. */
  unreadable: UnreadablePix[];
};

/** An entry without what the standard requires; the fields that could be read. */
type UnreadablePix = { endToEndId: string | null; txid: string | null };

/** A payment. The payer is not read, because we do not store it. */
export type ReceivedPix = {
  endToEndId: string;
  txid: string | null;
  amountCents: Cents;
  key: string | null;
  paidAt: Date;
  refunds: Refund[];
};

export type Refund = {
  id: string;
  amountCents: Cents;
  status: RefundStatus;
  /** ORIGINAL, or a chargeback by the payer's bank: MED_FRAUDE and the like. */
  nature: string;
  requestedAt: Date | null;
  settledAt: Date | null;
  reason: string | null;
};

export type Webhook = { url: string };

/** Name and city in a BR Code that we build. */
export type Receiver = { name: string; city: string };

const CHARGE_STATUSES = new Map<string, ChargeStatus>([
  ['ATIVA', 'active'],
  ['CONCLUIDA', 'paid'],
  ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'removed'],
  ['REMOVIDA_PELO_PSP', 'removed_by_psp'],
  // The standard's prose uses these two, its enumeration the two above.
  ['REMOVIDO_PELO_USUARIO_RECEBEDOR', 'removed'],
  ['REMOVIDO_PELO_PSP', 'removed_by_psp'],
]);

const REFUND_STATUSES = new Map<string, RefundStatus>([
  ['EM_PROCESSAMENTO', 'processing'],
  ['DEVOLVIDO', 'returned'],
  ['NAO_REALIZADO', 'failed'],
]);

export function writeTerms(terms: ChargeTerms): Record<string, unknown> {
  const { amountCents, expirationSeconds, key, note } = terms;
  if (!(amountCents > 0)) throw new RangeError(`a charge needs an amount above zero: ${amountCents}`);
  if (!Number.isInteger(expirationSeconds) || expirationSeconds < 1)
    throw new RangeError(`not a number of seconds to live: ${expirationSeconds}`);
  return {
    calendario: { expiracao: expirationSeconds },
    valor: { original: toReaisText(amountCents) },
    chave: key,
    ...(note !== undefined && { solicitacaoPagador: note.slice(0, 140) }),
  };
}

/** Whether a charge at the PSP is the requested one. PSPs write keys in upper or lower case; some leave the expiry out. */
export function isAsAsked(charge: Charge, terms: ChargeTerms): boolean {
  return (
    charge.amountCents === terms.amountCents &&
    charge.key.toLowerCase() === terms.key.toLowerCase() &&
    (charge.expirationSeconds === null || charge.expirationSeconds === terms.expirationSeconds)
  );
}

/** null when a field that the standard requires is missing. */
export function readCharge(body: unknown, receiver: Receiver): Charge | null {
  const wire = record(body);
  const txid = text(wire.txid);
  const status = text(wire.status);
  const amountCents = amount(record(wire.valor).original);
  const key = text(wire.chave);
  if (txid === null || status === null || amountCents === null || key === null) return null;
  const location = text(wire.location) ?? text(record(wire.loc).location);
  return {
    txid,
    status: CHARGE_STATUSES.get(status) ?? status,
    amountCents,
    key,
    expirationSeconds: integer(record(wire.calendario).expiracao),
    location,
    brCode: brCodeOf(text(wire.pixCopiaECola), location, receiver),
    ...readPixEntries(listOf(wire.pix)),
  };
}

/** Parses each entry alone: an unreadable one does not hide others. Zero amounts are left out. */
export function readPixEntries(entries: unknown[]): Pick<Charge, 'payments' | 'unreadable'> {
  const payments: ReceivedPix[] = [];
  const unreadable: UnreadablePix[] = [];
  for (const entry of entries) {
    const pix = readPix(entry);
    const { endToEndId, txid } = record(entry);
    if (pix === null) unreadable.push({ endToEndId: endToEndIdOf(endToEndId), txid: text(txid) });
    else if (pix.amountCents > 0) payments.push(pix);
  }
  return { payments, unreadable };
}

/** null when one of the standard's three required fields is missing. */
export function readPix(body: unknown): ReceivedPix | null {
  const wire = record(body);
  const endToEndId = endToEndIdOf(wire.endToEndId);
  const amountCents = amount(wire.valor);
  const paidAt = instant(wire.horario);
  if (endToEndId === null || amountCents === null || paidAt === null) return null;
  return {
    endToEndId,
    txid: text(wire.txid),
    amountCents,
    key: text(wire.chave),
    paidAt,
    refunds: listOf(wire.devolucoes).flatMap((refund) => readRefund(refund) ?? []),
  };
}

/** One page. `pages` and `total` are null where the PSP does not report them; `entries` counts all, also unreadable ones. */
export type PixList = {
  pages: number | null;
  total: number | null;
  entries: number;
  payments: ReceivedPix[];
  unreadable: UnreadablePix[];
};

export function readPixList(body: unknown): PixList | null {
  const wire = record(body);
  if (!Array.isArray(body) && wire.pix === undefined && wire.parametros === undefined) return null;
  const entries = Array.isArray(body) ? body : listOf(wire.pix);
  const { quantidadeDePaginas, quantidadeTotalDeItens } = record(record(wire.parametros).paginacao);
  return {
    pages: integer(quantidadeDePaginas),
    total: integer(quantidadeTotalDeItens),
    entries: entries.length,
    ...readPixEntries(entries),
  };
}

export function readRefund(body: unknown): Refund | null {
  const wire = record(body);
  const id = text(wire.id);
  const amountCents = amount(wire.valor);
  const status = text(wire.status);
  if (id === null || amountCents === null || status === null) return null;
  const times = record(wire.horario);
  return {
    id,
    amountCents,
    status: REFUND_STATUSES.get(status) ?? status,
    nature: text(wire.natureza) ?? 'ORIGINAL',
    requestedAt: instant(times.solicitacao),
    settledAt: instant(times.liquidacao),
    reason: text(wire.motivo),
  };
}

export function readWebhook(body: unknown): Webhook | null {
  const url = text(record(body).webhookUrl);
  return url === null ? null : { url };
}

/** The PSP's code if it is valid, else one of our own for the same charge. */
function brCodeOf(given: string | null, location: string | null, receiver: Receiver): string | null {
  if (given !== null && decodeBrCode(given).ok) return given;
  // Eight characters for a scheme, which some PSPs write and the code leaves out.
  if (location === null || !/^(https?:\/\/)?[\x21-\x7e]{1,77}$/i.test(location)) return given;
  return encodeBrCode({
    target: { kind: 'dynamic', location },
    initiation: '12',
    merchantName: receiver.name,
    merchantCity: receiver.city,
  });
}
