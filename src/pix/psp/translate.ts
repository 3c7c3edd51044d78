import { decodeBrCode, encodeBrCode } from '#core/values/br-code.ts';
import { type Cents, parseReais, toReaisText } from '#core/values/money.ts';
import { isText } from '#platform/http/formats.ts';

// Parsers of single values of a PSP. A missing or invalid value becomes null or empty, and the caller decides what to do.

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Instead of a list with one element, some PSPs send the element itself. */
export function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? [value] : [];
}

/** Longer values do not fit into an index of the database. A BR Code has at most 512 characters, other values fewer. */
const MAX_LENGTH = 600;

/** Accepts only text that PostgreSQL can store. */
export const parseText = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_LENGTH && isText(value) ? value : null;

/** Parses an end-to-end id, a txid or the id of an authorisation. Accepts 64 characters, because examples of the standard exceed its limits. */
export const parseId = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-zA-Z0-9]{1,64}$/.test(value) ? value : null;

export function parseInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null;
}

/** The standard's form is '10.00'; PSPs also send '10', '10.0' and the number 10. */
export function parseAmount(value: unknown): Cents | null {
  const isDecimal = typeof value === 'string' && /^\d{1,10}(\.\d{1,2}0*)?$/.test(value);
  const amountCents = parseReais(isDecimal ? Number(value) : value);
  return amountCents !== null && amountCents >= 0 ? amountCents : null;
}

const INSTANT_PATTERN =
  /^(?<day>\d{4}-\d{2}-\d{2})[T ](?<time>\d{2}:\d{2})(?<seconds>:\d{2})?(?:[.,](?<fraction>\d{1,9}))? ?(?:Z|(?<hours>[+-]\d{2}):?(?<minutes>\d{2})?)?$/i;

/**
 * Parses RFC 3339, with or without the fraction, the zone or the T. Without a zone it is UTC, as in the examples of the standard,
 * never the zone of this machine.
 */
export function parseInstant(value: unknown): Date | null {
  const groups = INSTANT_PATTERN.exec(parseText(value) ?? '')?.groups;
  if (!groups) return null;
  const { day, time, seconds = ':00', fraction = '0', hours, minutes = '00' } = groups;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const date = new Date(`${day}T${time}${seconds}.${fraction}${zone}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Translates a status of the standard. An unknown one is returned unchanged, because PSPs may add new ones at any time. */
export const translateStatus = <T extends Translations>(statuses: T, value: string): Translated<T> =>
  Object.hasOwn(statuses, value) ? statuses[value]! : value;

type Translations = Readonly<Record<string, string>>;
export type Translated<T extends Translations> = T[keyof T] | (string & {});

export type ChargeTerms = {
  amountCents: Cents;
  /** Counted from the creation of the charge at the PSP. */
  expirationSeconds: number;
  key: string;
  /** Shown to the payer, at most 140 characters. */
  note?: string;
};

export type Charge = {
  txid: string;
  status: Translated<typeof CHARGE_STATUSES>;
  amountCents: Cents;
  key: string;
  /** Null: the PSP does not report it. */
  expirationSeconds: number | null;
  location: string | null;
  /** The text of the QR code. Null: the response has neither a code nor a location. */
  brCode: string | null;
  payments: ReceivedPix[];
  unreadablePix: UnreadablePix[];
};

/** The ids of a payment without a field that the standard requires, as far as they could be parsed. */
type UnreadablePix = { endToEndId: string | null; txid: string | null };

export type ReceivedPix = NonNullable<ReturnType<typeof parsePix>>;

export type Refund = {
  id: string;
  amountCents: Cents;
  status: Translated<typeof REFUND_STATUSES>;
  /** ORIGINAL, or for a chargeback by the payer's bank a value such as MED_FRAUDE. */
  nature: string;
  requestedAt: Date | null;
  settledAt: Date | null;
  reason: string | null;
};

export type Webhook = { url: string };

export type Receiver = { name: string; city: string };

const CHARGE_STATUSES = {
  ATIVA: 'active',
  CONCLUIDA: 'paid',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'removed',
  REMOVIDA_PELO_PSP: 'removed_by_psp',
  // The prose of the standard uses these two values, its enumeration the two above.
  REMOVIDO_PELO_USUARIO_RECEBEDOR: 'removed',
  REMOVIDO_PELO_PSP: 'removed_by_psp',
} as const;

const REFUND_STATUSES = {
  EM_PROCESSAMENTO: 'processing',
  DEVOLVIDO: 'returned',
  NAO_REALIZADO: 'failed',
} as const;

export function renderTerms(terms: ChargeTerms): Record<string, unknown> {
  const { amountCents, expirationSeconds, key, note } = terms;
  if (!(amountCents > 0)) throw new RangeError(`a charge needs an amount above zero: ${amountCents}`);
  if (!Number.isInteger(expirationSeconds) || expirationSeconds < 1)
    throw new RangeError(`invalid expiration in seconds: ${expirationSeconds}`);
  return {
    calendario: { expiracao: expirationSeconds },
    valor: { original: toReaisText(amountCents) },
    chave: key,
    ...(note !== undefined && { solicitacaoPagador: note.slice(0, 140) }),
  };
}

/** Whether a charge at the PSP is the requested one. PSPs may change the case of the key, and some omit the expiry. */
export function matchesTerms(charge: Charge, terms: ChargeTerms): boolean {
  return (
    charge.amountCents === terms.amountCents &&
    charge.key.toLowerCase() === terms.key.toLowerCase() &&
    (charge.expirationSeconds === null || charge.expirationSeconds === terms.expirationSeconds)
  );
}

/** Returns null if a field that the standard requires is missing. */
export function parseCharge(body: unknown, receiver: Receiver): Charge | null {
  const wire = asRecord(body);
  const txid = parseText(wire.txid);
  const status = parseText(wire.status);
  const amountCents = parseAmount(asRecord(wire.valor).original);
  const key = parseText(wire.chave);
  if (txid === null || status === null || amountCents === null || key === null) return null;
  const location = parseText(wire.location) ?? parseText(asRecord(wire.loc).location);
  return {
    txid,
    status: translateStatus(CHARGE_STATUSES, status),
    amountCents,
    key,
    expirationSeconds: parseInteger(asRecord(wire.calendario).expiracao),
    location,
    brCode: resolveBrCode(parseText(wire.pixCopiaECola), location, receiver),
    ...parsePixEntries(asList(wire.pix)),
  };
}

/** Parses each entry separately, so that an unreadable one does not hide others. Payments of zero are left out. */
export function parsePixEntries(entries: unknown[]): Pick<Charge, 'payments' | 'unreadablePix'> {
  const payments: ReceivedPix[] = [];
  const unreadablePix: UnreadablePix[] = [];
  for (const entry of entries) {
    const pix = parsePix(entry);
    const { endToEndId, txid } = asRecord(entry);
    if (pix === null) unreadablePix.push({ endToEndId: parseId(endToEndId), txid: parseText(txid) });
    else if (pix.amountCents > 0) payments.push(pix);
  }
  return { payments, unreadablePix };
}

/** Returns null if one of the standard's three required fields is missing. The payer is not parsed, because we do not store it. */
export function parsePix(body: unknown) {
  const wire = asRecord(body);
  const endToEndId = parseId(wire.endToEndId);
  const amountCents = parseAmount(wire.valor);
  const paidAt = parseInstant(wire.horario);
  if (endToEndId === null || amountCents === null || paidAt === null) return null;
  return {
    endToEndId,
    txid: parseText(wire.txid),
    amountCents,
    key: parseText(wire.chave),
    paidAt,
    refunds: asList(wire.devolucoes).flatMap((refund) => parseRefund(refund) ?? []),
  };
}

/** One page. `pages` and `total` are null if the PSP does not report them. `entryCount` includes unreadable entries. */
export type PixList = {
  pages: number | null;
  total: number | null;
  entryCount: number;
  payments: ReceivedPix[];
  unreadablePix: UnreadablePix[];
};

export function parsePixList(body: unknown): PixList | null {
  const wire = asRecord(body);
  if (!Array.isArray(body) && wire.pix === undefined && wire.parametros === undefined) return null;
  const entries = Array.isArray(body) ? body : asList(wire.pix);
  const { quantidadeDePaginas, quantidadeTotalDeItens } = asRecord(asRecord(wire.parametros).paginacao);
  return {
    pages: parseInteger(quantidadeDePaginas),
    total: parseInteger(quantidadeTotalDeItens),
    entryCount: entries.length,
    ...parsePixEntries(entries),
  };
}

export function parseRefund(body: unknown): Refund | null {
  const wire = asRecord(body);
  const id = parseText(wire.id);
  const amountCents = parseAmount(wire.valor);
  const status = parseText(wire.status);
  if (id === null || amountCents === null || status === null) return null;
  const times = asRecord(wire.horario);
  return {
    id,
    amountCents,
    status: translateStatus(REFUND_STATUSES, status),
    nature: parseText(wire.natureza) ?? 'ORIGINAL',
    requestedAt: parseInstant(times.solicitacao),
    settledAt: parseInstant(times.liquidacao),
    reason: parseText(wire.motivo),
  };
}

export function parseWebhook(body: unknown): Webhook | null {
  const url = parseText(asRecord(body).webhookUrl);
  return url === null ? null : { url };
}

/** The point of initiation method of a BR Code that can be paid once. */
export const SINGLE_USE = '12';

/** Returns the PSP's code if it is valid, or else builds one for the same location. Without a valid location, returns the PSP's code. */
function resolveBrCode(pspCode: string | null, location: string | null, receiver: Receiver): string | null {
  if (pspCode !== null && decodeBrCode(pspCode).ok) return pspCode;
  // Some PSPs return the location with a scheme, which the code omits.
  if (location === null || !/^(https?:\/\/)?[\x21-\x7e]{1,77}$/i.test(location)) return pspCode;
  return encodeBrCode({
    target: { kind: 'dynamic', location },
    initiation: SINGLE_USE,
    merchantName: receiver.name,
    merchantCity: receiver.city,
  });
}
