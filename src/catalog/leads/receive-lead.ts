import type { Static } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '#core/values/duration.ts';
import type { EventContext } from '#events';
import { rateLimited } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import { limitWithProblem, recordAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { toNetwork } from '#platform/http/network.ts';
import { newId } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';
import type { LeadForm } from '../schemas.ts';
import type { CatalogSettings } from '../settings.ts';
import { insertLead } from './store.ts';

/** The same content sent again within this time (a double click, a retry) is the same lead. */
export const DUPLICATE_LEAD_WINDOW_MS = 10 * MINUTE_MS;

const TOO_MANY = {
  en: 'Too many leads came from this IP address.',
  pt: 'Este endereço já enviou formulários demais.',
};
const limitPerMinute = (maxAttempts: number) =>
  limitWithProblem({ kind: 'lead_minute', maxAttempts, windowMs: MINUTE_MS }, rateLimited, TOO_MANY);
const limitPerHour = (maxAttempts: number) =>
  limitWithProblem({ kind: 'lead_hour', maxAttempts, windowMs: HOUR_MS }, rateLimited, TOO_MANY);

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
  const stored = await insertLead(tx, lead, new Date(now.getTime() - DUPLICATE_LEAD_WINDOW_MS));
  const data = { id: stored.id, kind: lead.kind, received_at: stored.received_at.toISOString() };
  if (stored.id !== lead.id) return data;
  const network = toNetwork(ipAddress);
  const limits = [
    {
      ...limitPerMinute(Math.floor(leadsPerAddress / 10)),
      subject: vault.hash('key and address', `${keyId} ${network}`),
    },
    { ...limitPerHour(leadsPerAddress), subject: vault.hash('address', network) },
  ];
  await recordAttempts(tx, limits, now);
  await events.emit(tx, { type: 'lead.received', customerId: null, partnerId, data }, now);
  return data;
}
