import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { Events } from '#events';
import type { Tx } from '#platform/db.ts';
import { newId } from '#platform/ids.ts';
import type { LeadForm } from './schemas.ts';
import { insertLead } from './store.ts';

/** The same form sent again within this time is the same lead: an impatient second click, a retry. */
export const SAME_LEAD_MS = 10 * 60_000;

/** The lead that counts, and the event of it: once for each that is stored. The event names nobody: whoever may, looks. */
export async function receiveLead(
  tx: Tx,
  partnerId: string,
  form: Static<typeof LeadForm>,
  { events, now }: { events: Events; now: Date },
) {
  const lead = {
    id: newId('lead', now),
    partnerId,
    kind: form.kind,
    name: form.name.trim(),
    email: form.email?.toLowerCase() ?? null,
    phone: form.phone ?? null,
    company: form.company?.trim() ?? null,
    message: form.message?.trim() ?? null,
    receivedAt: now,
  };
  const { id: _, receivedAt: __, ...content } = lead;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(Object.values(content)))
    .digest();
  const stored = await insertLead(tx, lead, fingerprint, new Date(now.getTime() - SAME_LEAD_MS));
  const data = { id: stored.id, kind: lead.kind, received_at: stored.received_at.toISOString() };
  if (stored.id === lead.id) await events.emit(tx, { type: 'lead.received', customerId: null, data }, now);
  return data;
}
