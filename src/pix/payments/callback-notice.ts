import { instant } from '../psp/index.ts';
import type { NamedPayment } from '../tasks.ts';
import type { CallbackBody } from './callback-body.ts';

/** `needsSweep`: it is about more than is looked up one by one, or cannot be parsed. A sweep finds everything. */
export type Notice = { entries: NamedPayment[]; needsSweep: boolean };

/** Longer ones are not parsed. This takes a few milliseconds. */
const MOST_PARSED = 512 * 1024;
/** The most lookups of one notice. */
const MOST_LOOKUPS = 500;

const NAME = /^[a-zA-Z0-9]{1,64}$/;

/** `{"pix": [...]}` by the standard. PSPs also send the bare list or a single entry; anything else is possible. */
export function readNotice({ text, isWhole }: CallbackBody): Notice {
  if (text.trim() === '') return { entries: [], needsSweep: false };
  const unread = { entries: [], needsSweep: true };
  if (!isWhole || text.length > MOST_PARSED) return unread;
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return unread;
  }
  const told = Array.isArray(body) ? body : ((body as { pix?: unknown } | null)?.pix ?? body);
  const entries = (Array.isArray(told) ? told : [told]).map(readNames).filter(isNamed);
  return entries.length > MOST_LOOKUPS ? unread : { entries, needsSweep: false };
}

/** Only names are taken from a notice, and where to look for them. */
function readNames(entry: unknown): NamedPayment {
  const { txid, endToEndId, horario } = (entry ?? {}) as Record<string, unknown>;
  const name = (value: unknown) => (typeof value === 'string' && NAME.test(value) ? value : null);
  return { txid: name(txid), endToEndId: name(endToEndId), paidAt: instant(horario)?.toISOString() ?? null };
}

const isNamed = ({ txid, endToEndId }: NamedPayment): boolean => txid !== null || endToEndId !== null;
