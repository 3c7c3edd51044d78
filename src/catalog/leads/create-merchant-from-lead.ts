import type { Static } from 'typebox';
import type { Tx } from '#platform/database/db.ts';
import type { AuditContext } from '#platform/privacy/audit-trail.ts';
import { insertContent } from '../content/content.ts';
import { merchantResource, type StaffMerchant } from '../content/resources.ts';
import type { MaxPlanRate } from '../import/check-record.ts';
import { leadClosed } from '../problems.ts';
import { fold } from '../search/fold.ts';
import { changeLead } from './leads.ts';
import { type Lead, lockLead } from './store.ts';

/**
 * Creates a merchant from a partner lead and marks the lead as handled. The lead provides a missing name and slug. Of two concurrent
 * requests only one succeeds. Returns undefined if the lead does not exist.
 */
export async function createMerchantFromLead(
  tx: Tx,
  id: string,
  fields: { slug?: string; name?: string; [name: string]: unknown },
  { auditContext, maxRate }: { auditContext: AuditContext; maxRate: MaxPlanRate },
): Promise<{ merchant: Static<typeof StaffMerchant>; lead: Lead } | undefined> {
  const lead = await lockLead(tx, id);
  if (!lead) return undefined;
  if (lead.kind !== 'partner') throw leadClosed('kind');
  if (lead.status === 'handled') throw leadClosed('handled');
  const name = fields.name ?? lead.company ?? lead.name;
  const record = { ...fields, name, slug: fields.slug ?? toSlug(name) };
  const merchant = await insertContent(tx, merchantResource, record, { auditContext, maxRate });
  await changeLead(tx, id, { status: 'handled' }, { auditContext });
  return { merchant, lead };
}

const toSlug = (name: string): string =>
  fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
