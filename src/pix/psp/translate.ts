import { decodeBrCode, encodeBrCode } from '#core/br-code.ts';
import type { Cpf } from '#core/cpf.ts';
import { type Cents, toReaisText } from '#core/money.ts';
import { amount, instant, integer, list, record, text } from './wire-values.ts';

/** Whatever the PSP says beyond the words we know is kept as it is written: new ones may come at any time. */
type Raw = string & {};

export type ChargeStatus = 'active' | 'paid' | 'removed' | 'removed_by_psp' | Raw;
export type RefundStatus = 'processing' | 'returned' | 'failed' | Raw;

/** What a charge asks for. */
export type ChargeTerms = {
  amountCents: Cents;
  /** Counted from the instant the PSP makes the charge. */
  expirationSeconds: number;
  /** The receiver's Pix key. */
  key: string;
  payer?: { cpf: Cpf; name: string };
  /** Shown to the payer, at most 140 characters. */
  note?: string;
  /** Further lines shown to the payer. */
  extra?: ReadonlyArray<{ name: string; value: string }>;
};

/** A charge as the PSP has it. Expired ones stay `active`: look at `expiresAt`. */
export type Charge = {
  txid: string;
  status: ChargeStatus;
  revision: number;
  amountCents: Cents;
  key: string;
  createdAt: Date;
  /** null when the PSP does not say. */
  expirationSeconds: number | null;
  expiresAt: Date;
  location: string | null;
  /** What is shown as a QR code; null when neither a code nor a location came with it. */
  brCode: string | null;
  payments: ReceivedPix[];
};

/** Money that arrived. Who paid is not ours to keep, so it is not read. */
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
  returnId: string | null;
  amountCents: Cents;
  status: RefundStatus;
  /** The payer's bank took the money back (MED); nobody here asked for it. */
  forced: boolean;
  nature: string;
  requestedAt: Date | null;
  settledAt: Date | null;
  reason: string | null;
};

export type Webhook = { url: string; createdAt: Date | null };

/** Name and city in a BR Code that we build ourselves. */
export type Receiver = { name: string; city: string };

/** The standard's default where a charge does not say. */
const DEFAULT_EXPIRATION_SECONDS = 86_400;

const CHARGE_STATUSES = new Map<string, ChargeStatus>([
  ['ATIVA', 'active'],
  ['CONCLUIDA', 'paid'],
  ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'removed'],
  ['REMOVIDA_PELO_PSP', 'removed_by_psp'],
  // The standard's own text writes these two, its enumeration the two above.
  ['REMOVIDO_PELO_USUARIO_RECEBEDOR', 'removed'],
  ['REMOVIDO_PELO_PSP', 'removed_by_psp'],
]);

const REFUND_STATUSES = new Map<string, RefundStatus>([
  ['EM_PROCESSAMENTO', 'processing'],
  ['DEVOLVIDO', 'returned'],
  ['NAO_REALIZADO', 'failed'],
]);

export const REMOVAL = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };

export function writeTerms(terms: ChargeTerms): Record<string, unknown> {
  const { amountCents, expirationSeconds, key, payer, note, extra = [] } = terms;
  if (!(amountCents > 0)) throw new RangeError(`a charge needs an amount above zero: ${amountCents}`);
  if (!Number.isInteger(expirationSeconds) || expirationSeconds < 1)
    throw new RangeError(`not a number of seconds to live: ${expirationSeconds}`);
  return {
    calendario: { expiracao: expirationSeconds },
    ...(payer && { devedor: { cpf: payer.cpf, nome: payer.name.slice(0, 200) } }),
    valor: { original: toReaisText(amountCents) },
    chave: key,
    ...(note !== undefined && { solicitacaoPagador: note.slice(0, 140) }),
    ...(extra.length > 0 && {
      infoAdicionais: extra.slice(0, 50).map(({ name, value }) => ({
        nome: name.slice(0, 50),
        valor: value.slice(0, 200),
      })),
    }),
  };
}

/** Whether a charge at the PSP is the one that was asked for. PSPs write keys in their own case; some leave the expiry out. */
export function isAsAsked(charge: Charge, terms: ChargeTerms): boolean {
  return (
    charge.amountCents === terms.amountCents &&
    charge.key.toLowerCase() === terms.key.toLowerCase() &&
    (charge.expirationSeconds === null || charge.expirationSeconds === terms.expirationSeconds)
  );
}

/** null when what the standard requires is missing. */
export function readCharge(body: unknown, receiver: Receiver): Charge | null {
  const wire = record(body);
  const txid = text(wire.txid);
  const status = text(wire.status);
  const amountCents = amount(record(wire.valor).original);
  const key = text(wire.chave);
  const calendar = record(wire.calendario);
  const createdAt = instant(calendar.criacao);
  if (txid === null || status === null || amountCents === null || key === null || createdAt === null)
    return null;
  const expirationSeconds = integer(calendar.expiracao);
  const life = expirationSeconds ?? DEFAULT_EXPIRATION_SECONDS;
  const location = text(wire.location) ?? text(record(wire.loc).location);
  return {
    txid,
    status: CHARGE_STATUSES.get(status) ?? status,
    revision: integer(wire.revisao) ?? 0,
    amountCents,
    key,
    createdAt,
    expirationSeconds,
    expiresAt: new Date(createdAt.getTime() + life * 1000),
    location,
    brCode: brCodeOf(text(wire.pixCopiaECola), location, receiver),
    payments: list(wire.pix).flatMap((pix) => readPix(pix) ?? []),
  };
}

/** null when the standard's three required fields are not there. */
export function readPix(body: unknown): ReceivedPix | null {
  const wire = record(body);
  const endToEndId = text(wire.endToEndId);
  const amountCents = amount(wire.valor);
  const paidAt = instant(wire.horario);
  if (endToEndId === null || amountCents === null || paidAt === null) return null;
  return {
    endToEndId,
    txid: text(wire.txid),
    amountCents,
    key: text(wire.chave),
    paidAt,
    // The standard's own example shows one refund as an object instead of a list.
    refunds: (Array.isArray(wire.devolucoes) ? wire.devolucoes : [wire.devolucoes]).flatMap(
      (refund) => readRefund(refund) ?? [],
    ),
  };
}

/** `unreadable` counts entries without what the standard requires: to be told, but no reason to lose the rest. */
export type PixList = { pages: number | null; pix: ReceivedPix[]; unreadable: number };

export function readPixList(body: unknown): PixList | null {
  const wire = record(body);
  const entries = wire.pix ?? [];
  if (!Array.isArray(entries) || (wire.pix === undefined && wire.parametros === undefined)) return null;
  const pix = entries.flatMap((entry) => readPix(entry) ?? []);
  const pages = integer(record(record(wire.parametros).paginacao).quantidadeDePaginas);
  return { pages, pix, unreadable: entries.length - pix.length };
}

export function readRefund(body: unknown): Refund | null {
  const wire = record(body);
  const id = text(wire.id);
  const amountCents = amount(wire.valor);
  const status = text(wire.status);
  if (id === null || amountCents === null || status === null) return null;
  const nature = text(wire.natureza) ?? 'ORIGINAL';
  const times = record(wire.horario);
  return {
    id,
    returnId: text(wire.rtrId),
    amountCents,
    status: REFUND_STATUSES.get(status) ?? status,
    // By its beginning, so that a kind of MED yet to be invented is not taken for a refund of ours.
    forced: nature.startsWith('MED'),
    nature,
    requestedAt: instant(times.solicitacao),
    settledAt: instant(times.liquidacao),
    reason: text(wire.motivo),
  };
}

export function readWebhook(body: unknown): Webhook | null {
  const wire = record(body);
  const url = text(wire.webhookUrl);
  return url === null ? null : { url, createdAt: instant(wire.criacao) };
}

/** The code the PSP gives if a scanner could read it, else one of our own that leads to the same charge. */
function brCodeOf(given: string | null, location: string | null, receiver: Receiver): string | null {
  if (given !== null && decodeBrCode(given).ok) return given;
  // Eight characters for a scheme that some PSPs write and the code leaves out.
  if (location === null || !/^(https?:\/\/)?[\x21-\x7e]{1,77}$/i.test(location)) return given;
  return encodeBrCode({
    target: { kind: 'dynamic', location },
    initiation: '12',
    merchantName: receiver.name,
    merchantCity: receiver.city,
  });
}
