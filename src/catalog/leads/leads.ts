import { type Static, Type } from 'typebox';
import type { Tx } from '#platform/database/db.ts';
import { project } from '#platform/http/project.ts';
import { Id, Timestamp } from '#platform/http/schemas.ts';
import { type AuditContext, rowAuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import {
  deleteLead,
  LEAD_STATUSES,
  type Lead,
  type LeadStatus,
  leadContentFields,
  lockLead,
  updateLead,
} from './store.ts';

export const StaffLead = Type.Object(
  {
    id: Id('lead'),
    kind: Type.String({ examples: ['partner'] }),
    status: Type.Enum([...LEAD_STATUSES]),
    ...leadContentFields,
    partner_id: Id('ptn', { description: 'The partner whose API key sent the lead.' }),
    received_at: Timestamp(),
  },
  { $id: 'StaffLead' },
);

export const renderLead = (lead: Lead): Static<typeof StaffLead> => project(StaffLead, lead);

const leadAuditEntity = rowAuditEntity('lead', lockLead, renderLead);

/** Changes only the given fields. Returns undefined if the lead does not exist. */
export const changeLead = (
  tx: Tx,
  id: string,
  { status, note }: { status?: LeadStatus | undefined; note?: string | null | undefined },
  { auditContext, ifMatch }: { auditContext: AuditContext; ifMatch?: string | undefined },
) =>
  withAuditedUpdate(tx, auditContext, { entity: leadAuditEntity, id, ifMatch }, async () => {
    const lead = (await lockLead(tx, id))!;
    const newNote = note === undefined ? lead.note : note?.trim() || null;
    await updateLead(tx, { ...lead, status: status ?? lead.status, note: newNote });
  });

/** Deletes the lead. The audit trail retains the fact, without personal data. */
export const removeLead = (tx: Tx, id: string, auditContext: AuditContext) =>
  withAuditedUpdate(tx, auditContext, { entity: leadAuditEntity, id }, () => deleteLead(tx, id));
