import { asRecord, parseId, parseInstant } from './translate.ts';

/**
 * The standard's bodies are `{"pix": [...]}`, `{"cobsr": [...]}` for debits and `{"recs": [...]}` for authorisations. PSPs also
 * send the bare list or a single entry. Returns undefined if the text is not JSON.
 */
export function parseCallbackEntries(text: string): unknown[] | undefined {
  try {
    const body = JSON.parse(text.replace(/^\uFEFF/, ''));
    const entries = Array.isArray(body) ? body : (body?.pix ?? body?.cobsr ?? body?.recs ?? body);
    return Array.isArray(entries) ? entries : [entries];
  } catch {
    return undefined;
  }
}

/** Parses only ids from an entry, and the time at which to look for the payment. The entry of a debit contains its payment. */
export function parseReportedPayment(entry: unknown) {
  const { txid, pix, ...fields } = asRecord(entry);
  const payment = asRecord((Array.isArray(pix) ? pix[0] : pix) ?? fields);
  return {
    txid: parseId(txid),
    endToEndId: parseId(payment.endToEndId),
    paidAt: parseInstant(payment.horario)?.toISOString() ?? null,
  };
}

/**
 * Returns the id of the authorisation that an entry reports; null if it reports none. The entry of a debit (with a txid) also contains
 * one, but does not report a change of the authorisation.
 */
export function parseReportedRecId(entry: unknown): string | null {
  const { idRec, txid } = asRecord(entry);
  return txid === undefined ? parseId(idRec) : null;
}

export function pickEntryIds(entry: unknown) {
  const { txid, endToEndId, idRec } = asRecord(entry);
  return { txid, endToEndId, idRec };
}
