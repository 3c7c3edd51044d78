import { type Static, Type } from 'typebox';
import type { Tx } from '#platform/database/db.ts';
import { Personal, PersonalOrNull } from '#platform/http/personal.ts';
import { Id, Timestamp } from '#platform/http/schemas.ts';
import { shown } from '#platform/http/shown.ts';
import { type Change, recordChange, rowSubject } from '#platform/privacy/trail.ts';
import { deleteLead, LEAD_STATUSES, type Lead, type LeadStatus, lockLead, updateLead } from './lead-store.ts';

export const StaffLead = Type.Object(
  {
    id: Id('lead'),
    kind: Type.String({ examples: ['partner'] }),
    status: Type.Enum([...LEAD_STATUSES]),
    // Shown from the role `content` up: those people answer leads.
    name: Personal('name', { maskedBelow: 'content', examples: ['Joana Prado'] }),
    email: PersonalOrNull('email', { maskedBelow: 'content', examples: [null] }),
    phone: PersonalOrNull('phone', { maskedBelow: 'content', examples: [null] }),
    company: PersonalOrNull('text', { maskedBelow: 'content', examples: [null] }),
    message: PersonalOrNull('text', { maskedBelow: 'content', examples: [null] }),
    note: PersonalOrNull('text', { maskedBelow: 'content', description: 'What staff wrote about it.' }),
    partner_id: Id('ptn', { description: 'Through which partner it came.' }),
    received_at: Timestamp(),
  },
  { $id: 'StaffLead' },
);

export const renderLead = (lead: Lead): Static<typeof StaffLead> => shown(StaffLead, lead);

const leadSubject = rowSubject('lead', lockLead, renderLead);

/** Changes only the fields given. Undefined when there is no such lead. */
export const changeLead = (
  tx: Tx,
  id: string,
  { status, note }: { status?: LeadStatus | undefined; note?: string | null | undefined },
  { change, ifMatch }: { change: Change; ifMatch?: string | undefined },
) =>
  recordChange(tx, change, { of: leadSubject, id, ifMatch }, async () => {
    const lead = (await lockLead(tx, id))!;
    const kept = note === undefined ? lead.note : note?.trim() || null;
    await updateLead(tx, { ...lead, status: status ?? lead.status, note: kept });
  });

/** Deletes the lead. The trail keeps that there was one, without personal data. */
export const removeLead = (tx: Tx, id: string, change: Change) =>
  recordChange(tx, change, { of: leadSubject, id }, () => deleteLead(tx, id));
