import { instant } from '../psp/index.ts';
import type { NamedPayment } from '../tasks.ts';
import type { CallbackBody } from './callback-body.ts';

/** `needsSweep`: it is about more than is looked up one by one, or cannot be parsed. A sweep finds everything. */
export type Notice = {
  entries: NamedPayment[];
  /** Authorisations that it names. */
  recIds: string[];
  needsSweep: boolean;
};

/** Longer ones are not parsed. This takes a few milliseconds. */
const MOST_PARSED = 512 * 1024;
const MOST_LOOKUPS = 500;

const NAME = /^[a-zA-Z0-9]{1,64}$/;

export function readNotice({ text, isWhole }: CallbackBody): Notice {
  if (text.trim() === '') return { entries: [], recIds: [], needsSweep: false };
  const unread = { entries: [], recIds: [], needsSweep: true };
  const all = isWhole && text.length <= MOST_PARSED ? entriesOf(text) : undefined;
  if (!all) return unread;
  const entries = all.map(readNames).filter(isNamed);
  const recIds = [...new Set(all.flatMap(readRecId))];
  const count = entries.length + recIds.length;
  return count > MOST_LOOKUPS ? unread : { entries, recIds, needsSweep: false };
}

/**
 * `{"pix": [...]}` by the standard, `{"cobsr": [...]}` for debits, `{"recs": [...]}` for authorisations. PSPs also send the bare
 * list or a single entry; anything else is possible. Undefined: it is not JSON.
 */
export function entriesOf(text: string): unknown[] | undefined {
  try {
    const body = JSON.parse(text.replace(/^\uFEFF/, ''));
    const told = Array.isArray(body) ? body : (body?.pix ?? body?.cobsr ?? body?.recs ?? body);
    return Array.isArray(told) ? told : [told];
  } catch {
    return undefined;
  }
}

const name = (value: unknown) => (typeof value === 'string' && NAME.test(value) ? value : null);

/** Only names are taken from a notice, and where to look for them. A debit has its payment, if there is one, inside. */
function readNames(entry: unknown): NamedPayment {
  const { txid, pix, ...own } = (entry ?? {}) as Record<string, unknown>;
  const paid = ((Array.isArray(pix) ? pix[0] : pix) ?? own) as Record<string, unknown>;
  return {
    txid: name(txid),
    endToEndId: name(paid.endToEndId),
    paidAt: instant(paid.horario)?.toISOString() ?? null,
  };
}

/** A debit names its authorisation, too, but tells nothing of it. */
function readRecId(entry: unknown): string[] {
  const { idRec, txid } = (entry ?? {}) as Record<string, unknown>;
  const recId = txid === undefined ? name(idRec) : null;
  return recId === null ? [] : [recId];
}

const isNamed = ({ txid, endToEndId }: NamedPayment): boolean => txid !== null || endToEndId !== null;
