import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import type { Queryable } from '#platform/db.ts';
import { newId } from '#platform/ids.ts';
import type { LeadForm } from './schemas.ts';
import { insertLead } from './store.ts';

/** The same form sent again within this time is the same lead: an impatient second click, a retry. */
export const SAME_LEAD_MS = 10 * 60_000;

/** When it returns, the lead is committed (or will be with the caller's transaction). */
export async function receiveLead(
  db: Queryable,
  partnerId: string,
  form: Static<typeof LeadForm>,
  now: Date,
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
  const stored = await insertLead(db, lead, fingerprint, new Date(now.getTime() - SAME_LEAD_MS));
  return { id: stored.id, kind: lead.kind, received_at: stored.received_at.toISOString() };
}
