import { parseCallbackEntries, parseReportedPayment, parseReportedRecId } from '../psp/index.ts';
import type { ReportedPayment } from '../tasks.ts';
import type { CallbackBody } from './callback-body.ts';

/**
 * The ids that a callback contains. `needsSweep`: it contains too many ids to look up one by one, or cannot be parsed; a sweep
 * finds everything in that case.
 */
export type ParsedCallback = {
  payments: ReportedPayment[];
  /** The PSP's ids of authorisations. */
  recIds: string[];
  needsSweep: boolean;
};

/** Longer bodies are not parsed. Parsing one of this length takes a few milliseconds. */
const MAX_PARSED_LENGTH = 512 * 1024;
const MAX_LOOKUPS = 500;

export function parseCallback({ text, isReadable }: CallbackBody): ParsedCallback {
  if (text.trim() === '') return { payments: [], recIds: [], needsSweep: false };
  const sweepOnly = { payments: [], recIds: [], needsSweep: true };
  const entries = isReadable && text.length <= MAX_PARSED_LENGTH ? parseCallbackEntries(text) : undefined;
  if (!entries) return sweepOnly;
  const payments = entries.map(parseReportedPayment).filter(hasId);
  const recIds = [...new Set(entries.flatMap((entry) => parseReportedRecId(entry) ?? []))];
  const lookupCount = payments.length + recIds.length;
  return lookupCount > MAX_LOOKUPS ? sweepOnly : { payments, recIds, needsSweep: false };
}

const hasId = ({ txid, endToEndId }: ReportedPayment): boolean => txid !== null || endToEndId !== null;
