import { type Static, Type } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import type { EventContext } from '#events';
import { rateLimited } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import { attachProblem, enforceLimits } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { toNetwork } from '#platform/http/ip-addresses.ts';
import { project } from '#platform/http/project.ts';
import { Id, Timestamp } from '#platform/http/schemas.ts';
import { newId } from '#platform/ids.ts';
import { type AuditContext, createRowAuditEntity, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import type { Vault } from '#platform/vault.ts';
import { insertContent } from '../content/content.ts';
import type { GetMaxPlanRate } from '../content/kinds.ts';
import { merchantResource, type StaffMerchant } from '../content/resources.ts';
import { leadClosed } from '../problems.ts';
import type { LeadForm } from '../schemas.ts';
import { fold } from '../search/fold.ts';
import type { CatalogSettings } from '../settings.ts';
import {
  insertLead,
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

export const leadAuditEntity = createRowAuditEntity('lead', lockLead, renderLead);

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

/** Content that is sent again within this time (by a double click or a retry) is the same lead. */
export const DUPLICATE_LEAD_WINDOW_MS = 10 * MINUTE_MS;

const TOO_MANY_LEADS = {
  en: 'Too many leads came from this IP address.',
  pt: 'Este endereço já enviou formulários demais.',
};
const newMinuteLimit = (maxAttempts: number) =>
  attachProblem({ kind: 'lead_minute', maxAttempts, windowMs: MINUTE_MS }, rateLimited, TOO_MANY_LEADS);
const newHourLimit = (maxAttempts: number) =>
  attachProblem({ kind: 'lead_hour', maxAttempts, windowMs: HOUR_MS }, rateLimited, TOO_MANY_LEADS);

/**
 * Stores the lead and emits an event, unless it is a duplicate. The event contains no personal data: staff read the lead by its
 * id. Duplicates do not count towards the limits of the IP address. Beyond a limit the whole transaction is rolled back.
 */
export async function receiveLead(
  tx: Tx,
  { partnerId, keyId, ipAddress }: Pick<Caller, 'partnerId' | 'keyId' | 'ipAddress'>,
  form: Static<typeof LeadForm>,
  { events, vault, leadsPerAddress, now }: CatalogSettings & EventContext & { vault: Vault },
) {
  const lead = {
    id: newId('lead', now),
    partnerId,
    kind: form.kind,
    content: {
      name: form.name.trim(),
      email: form.email?.toLowerCase() ?? null,
      phone: form.phone ?? null,
      company: form.company?.trim() ?? null,
      message: form.message?.trim() ?? null,
      note: null,
    },
    receivedAt: now,
  };
  const storedLead = await insertLead(tx, lead, new Date(now.getTime() - DUPLICATE_LEAD_WINDOW_MS));
  const eventData = { id: storedLead.id, kind: lead.kind, received_at: storedLead.received_at.toISOString() };
  if (storedLead.id !== lead.id) return eventData;
  const network = toNetwork(ipAddress);
  const counters = [
    {
      // A minute allows a tenth of the leads of an hour.
      ...newMinuteLimit(Math.floor(leadsPerAddress / 10)),
      subject: vault.hash('key and address', `${keyId} ${network}`),
    },
    { ...newHourLimit(leadsPerAddress), subject: vault.hash('address', network) },
  ];
  await enforceLimits(tx, counters, now);
  await events.emit(tx, { type: 'lead.received', customerId: null, partnerId, data: eventData }, now);
  return eventData;
}

/**
 * Creates a merchant from a partner lead and marks the lead as handled. The lead provides a missing name and slug. Of two concurrent
 * requests only one succeeds. Returns undefined if the lead does not exist.
 */
export async function createMerchantFromLead(
  tx: Tx,
  id: string,
  fields: { slug?: string; name?: string; [name: string]: unknown },
  { auditContext, getMaxRate }: { auditContext: AuditContext; getMaxRate: GetMaxPlanRate },
): Promise<{ merchant: Static<typeof StaffMerchant>; lead: Lead } | undefined> {
  const lead = await lockLead(tx, id);
  if (!lead) return undefined;
  if (lead.kind !== 'partner') throw leadClosed('kind');
  if (lead.status === 'handled') throw leadClosed('handled');
  const name = fields.name ?? lead.company ?? lead.name;
  const record = { ...fields, name, slug: fields.slug ?? toSlug(name) };
  const merchant = await insertContent(tx, merchantResource, record, { auditContext, getMaxRate });
  await changeLead(tx, id, { status: 'handled' }, { auditContext });
  return { merchant: merchant as Static<typeof StaffMerchant>, lead };
}

const toSlug = (name: string): string =>
  fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
