import type { Static } from 'typebox';
import type { Tx } from '#platform/database/db.ts';
import type { Change } from '#platform/privacy/trail.ts';
import { insertContent } from './admin/content.ts';
import { merchantResource, type StaffMerchant } from './admin/resources.ts';
import { type Lead, lockLead } from './lead-store.ts';
import { changeLead } from './leads.ts';
import { leadClosed } from './problems.ts';
import { fold } from './search/fold.ts';

/**
 * Creates a merchant from a partner's form and marks the form as handled. Missing fields come from the form. Of two concurrent requests
 * one creates it. Undefined when there is no such form.
 */
export async function makeLeadMerchant(
  tx: Tx,
  id: string,
  wishes: { slug?: string; name?: string; [field: string]: unknown },
  change: Change,
): Promise<{ merchant: Static<typeof StaffMerchant>; lead: Lead } | undefined> {
  const lead = await lockLead(tx, id);
  if (!lead) return undefined;
  if (lead.kind !== 'partner') throw leadClosed('kind');
  if (lead.status === 'handled') throw leadClosed('handled');
  const name = wishes.name ?? lead.company ?? lead.name;
  const record = { ...wishes, name, slug: wishes.slug ?? slugOf(name) };
  const merchant = await insertContent(tx, merchantResource, record, change);
  await changeLead(tx, id, { status: 'handled' }, { change });
  return { merchant, lead };
}

const slugOf = (name: string): string =>
  fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
