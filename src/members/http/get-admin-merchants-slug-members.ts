import { Type } from 'typebox';
import { findSellingMerchant } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerPages, listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { type Members, renderMember } from '../members.ts';
import { NO_MERCHANT } from '../problems.ts';
import { MerchantMember } from '../schemas.ts';
import { listMembers } from '../store.ts';

export const getAdminMerchantsSlugMembers = ({ db }: Members) =>
  endpoint('GET /admin/merchants/:slug/members', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMerchantMembers',
    summary: 'List the members of a merchant',
    params: slugParams('padaria-flor-do-trigo'),
    notFound: NO_MERCHANT,
    query: Type.Object({
      ...pageParameters(),
      removed: Type.Enum(['true', 'false'], { default: 'false', description: 'Those too who were removed.' }),
    }),
    answers: listAnswer('A page of members, the oldest first.', MerchantMember),
    async handler(request, reply) {
      const merchant = await findSellingMerchant(db, request.params.slug);
      if (!merchant) throw request.notFound();
      const wanted = { merchantId: merchant.id, removed: request.query.removed === 'true' };
      return answerPages({ request, reply }, (at) => listMembers(db, wanted, at), {
        item: MerchantMember,
        render: (rows) => rows.map((row) => renderMember(db.vault, row)),
      });
    },
  });
