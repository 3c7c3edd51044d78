import type { Static } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '#core/duration.ts';
import type { EventContext } from '#events';
import { rateLimited } from '#partners';
import type { Tx } from '#platform/database/db.ts';
import { limited, takeAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { networkOf } from '#platform/http/network.ts';
import { newId } from '#platform/ids.ts';
import type { Vault } from '#platform/vault.ts';
import { insertLead } from './lead-store.ts';
import type { LeadForm } from './schemas.ts';
import type { CatalogSettings } from './settings.ts';

/** The same form sent again within this time (a double click, a retry) is the same lead. */
export const SAME_LEAD_MS = 10 * MINUTE_MS;

const TOO_MANY = {
  en: 'Too many forms came from this address.',
  pt: 'Este endereço já enviou formulários demais.',
};
const leadsAMinute = (most: number) =>
  limited({ kind: 'lead_minute', most, windowMs: MINUTE_MS }, rateLimited, TOO_MANY);
const leadsAnHour = (most: number) =>
  limited({ kind: 'lead_hour', most, windowMs: HOUR_MS }, rateLimited, TOO_MANY);

/**
 * Stores the lead and emits one event for each that is stored. The event carries no personal data: staff read the lead by its
 * id. Only stored leads count for the limits of the address, so a double click does not. Over the limit, everything rolls back.
 */
export async function receiveLead(
  tx: Tx,
  { partnerId, keyId, address }: Pick<Caller, 'partnerId' | 'keyId' | 'address'>,
  form: Static<typeof LeadForm>,
  { events, vault, leadsPerAddress: most, now }: CatalogSettings & EventContext & { vault: Vault },
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
  const stored = await insertLead(tx, lead, new Date(now.getTime() - SAME_LEAD_MS));
  const data = { id: stored.id, kind: lead.kind, received_at: stored.received_at.toISOString() };
  if (stored.id !== lead.id) return data;
  const network = networkOf(address);
  const limits = [
    {
      ...leadsAMinute(Math.floor(most / 10)),
      subject: vault.hash('key and address', `${keyId} ${network}`),
    },
    { ...leadsAnHour(most), subject: vault.hash('address', network) },
  ];
  await takeAttempts(tx, limits, now);
  await events.emit(tx, { type: 'lead.received', customerId: null, partnerId, data }, now);
  return data;
}
