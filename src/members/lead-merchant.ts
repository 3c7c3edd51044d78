import type { Static } from 'typebox';
import { findSellingMerchant, makeLeadMerchant } from '#catalog';
import type { Tx } from '#platform/database/db.ts';
import { readPhone } from '#platform/http/formats.ts';
import type { Change } from '#platform/privacy/trail.ts';
import { faultsIn, validationFailed } from '#platform/problem.ts';
import { addMember } from './members.ts';
import type { LeadMerchantForm } from './schemas.ts';

/** A partner's form becomes a merchant with its owner, in one transaction. Undefined when there is no such form. */
export async function admitLead(
  tx: Tx,
  id: string,
  { owner = {}, ...wishes }: Static<typeof LeadMerchantForm>,
  change: Change,
) {
  const made = await makeLeadMerchant(tx, id, wishes, change);
  if (!made) return undefined;
  const { merchant, lead } = made;
  const phone = owner.phone ?? readPhone(lead.phone ?? '');
  if (phone === null) {
    const message = { en: 'is needed: the form has none', pt: 'é necessário: o formulário não tem' };
    throw validationFailed([{ pointer: '/owner/phone', message }], faultsIn('body', 1));
  }
  const { id: merchantId } = (await findSellingMerchant(tx, merchant.slug))!;
  const form = { name: owner.name ?? lead.name, phone, role: 'owner' as const };
  return { merchant, owner: await addMember(tx, merchantId, form, change) };
}
