import { findSellingMerchant } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { addMember, type Members } from '../members.ts';
import { lastOwner, memberExists, NO_MERCHANT } from '../problems.ts';
import { MemberForm, MerchantMember } from '../schemas.ts';

export const postAdminMerchantsSlugMembers = ({ db, clock }: Members) =>
  endpoint({
    method: 'POST',
    url: '/admin/merchants/:slug/members',
    access: { scope: 'operator', role: 'finance' },
    id: 'addMerchantMember',
    summary: 'Add a member to a merchant',
    description:
      'The first is an owner, who adds the others. An owner sells on credit and decides for the merchant.',
    params: slugParams('padaria-flor-do-trigo'),
    notFound: NO_MERCHANT,
    body: MemberForm,
    answers: { 201: { description: 'The member.', schema: MerchantMember } },
    problems: [memberExists, lastOwner],
    async handler(request) {
      const change = changeBy(request, clock.now());
      return db.transaction(async (tx) => {
        const merchant = await findSellingMerchant(tx, request.params.slug);
        if (!merchant) throw request.notFound();
        return addMember(tx, merchant.id, request.body, change);
      });
    },
  });
