import type { Static } from 'typebox';
import { createMerchantFromLead, findMerchantWithPlan, type MaxPlanRate } from '#catalog';
import type { Tx } from '#platform/database/db.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import type { AuditContext } from '#platform/privacy/audit-trail.ts';
import { describeErrorCount, validationFailed } from '#platform/problem.ts';
import { addMember } from './members.ts';
import type { LeadMerchantForm } from './schemas.ts';

/** Creates a merchant and its owner from a lead, in one transaction. Returns undefined if there is no such lead. */
export async function onboardLead(
  tx: Tx,
  id: string,
  { owner, ...fields }: Static<typeof LeadMerchantForm>,
  { auditContext, maxRate }: { auditContext: AuditContext; maxRate: MaxPlanRate },
) {
  const result = await createMerchantFromLead(tx, id, fields, { auditContext, maxRate });
  if (!result) return undefined;
  const { merchant, lead } = result;
  const { id: merchantId } = (await findMerchantWithPlan(tx, merchant.slug))!;
  const ownerForm = { ...readOwner(lead, owner), role: 'owner' as const };
  return { merchant, owner: await addMember(tx, merchantId, ownerForm, auditContext) };
}

/** The owner of the merchant: fields that the form does not have are those of the lead. */
export function readOwner(
  lead: { name: string; phone: string | null },
  owner: Static<typeof LeadMerchantForm>['owner'] = {},
) {
  const phone = owner.phone ?? normalizePhone(lead.phone ?? '');
  if (phone !== null) return { name: owner.name ?? lead.name, phone };
  const message = { en: 'is required: the lead has no phone', pt: 'é necessário: o formulário não tem' };
  throw validationFailed([{ pointer: '/owner/phone', message }], describeErrorCount('body', 1));
}
