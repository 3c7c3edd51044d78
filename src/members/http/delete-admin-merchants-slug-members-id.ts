import { findSellingMerchant } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { type Members, removeMember } from '../members.ts';
import { lastOwner, NO_MEMBER } from '../problems.ts';
import { MerchantMemberParams } from '../schemas.ts';

export const deleteAdminMerchantsSlugMembersId = ({ db, clock, signIn }: Members) =>
  endpoint('DELETE /admin/merchants/:slug/members/:id', {
    access: { scope: 'operator', role: 'finance' },
    id: 'removeMerchantMember',
    summary: 'Remove a member from a merchant',
    description: 'Their sessions end at once, everywhere.',
    params: MerchantMemberParams,
    notFound: NO_MEMBER,
    answers: { 204: { description: 'They are out.' } },
    problems: [lastOwner],
    async handler(request) {
      const { slug, id } = request.params;
      const change = changeBy(request, clock.now());
      const ended = await db.transaction(async (tx) => {
        const merchant = await findSellingMerchant(tx, slug);
        return merchant && removeMember(tx, { merchantId: merchant.id, id }, change);
      });
      if (!ended) throw request.notFound();
      for (const session of ended) signIn.ended.note(session);
    },
  });
