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
  { owner = {}, ...fields }: Static<typeof LeadMerchantForm>,
  { auditContext, maxRate }: { auditContext: AuditContext; maxRate: MaxPlanRate },
) {
  const result = await createMerchantFromLead(tx, id, fields, { auditContext, maxRate });
  if (!result) return undefined;
  const { merchant, lead } = result;
  const phone = owner.phone ?? normalizePhone(lead.phone ?? '');
  if (phone === null) {
    const message = { en: 'is required: the lead has no phone', pt: 'é necessário: o formulário não tem' };
    throw validationFailed([{ pointer: '/owner/phone', message }], describeErrorCount('body', 1));
  }
  const { id: merchantId } = (await findMerchantWithPlan(tx, merchant.slug))!;
  const ownerForm = { name: owner.name ?? lead.name, phone, role: 'owner' as const };
  return { merchant, owner: await addMember(tx, merchantId, ownerForm, auditContext) };
}
