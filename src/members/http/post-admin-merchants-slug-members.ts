import { findSellingMerchant } from '#catalog';
import type { Tx } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { addMember, type Members } from '../members.ts';
import { lastOwner, memberExists, NO_MERCHANT } from '../problems.ts';
import { MemberForm, MerchantMember } from '../schemas.ts';

export const postAdminMerchantsSlugMembers = ({ db, clock }: Members) =>
  endpoint('POST /admin/merchants/:slug/members', {
    access: { scope: 'operator', role: 'finance' },
    id: 'addMerchantMember',
    summary: 'Add a member to a merchant',
    description:
      'The first is an owner, who adds the others. An owner sells on credit and decides for the merchant.',
    params: slugParams('padaria-flor-do-trigo'),
    notFound: NO_MERCHANT,
    headers: idempotency.header,
    body: MemberForm,
    answers: { 201: { description: 'The member.', schema: MerchantMember, headers: idempotency.replayed } },
    problems: [memberExists, lastOwner, ...idempotency.problems],
    async handler(request, reply) {
      const now = clock.now();
      const change = changeBy(request, now);
      const { slug } = request.params;
      const add = async (tx: Tx) => {
        const merchant = await findSellingMerchant(tx, slug);
        if (!merchant) throw request.notFound();
        return addMember(tx, merchant.id, request.body, change);
      };
      return createOnce(db, { request, reply, now }, add, [slug, request.body]);
    },
  });
