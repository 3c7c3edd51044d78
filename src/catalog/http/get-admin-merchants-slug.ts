import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { type Content, showContent } from '../admin/content.ts';
import { merchantResource, StaffMerchant } from '../admin/resources.ts';
import { NO_MERCHANT } from '../problems.ts';

export const getAdminMerchantsSlug = (content: Content) =>
  endpoint('GET /admin/merchants/:slug', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getMerchantForStaff',
    summary: 'Show one merchant',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: NO_MERCHANT,
    answers: { 200: { description: 'The merchant.', schema: StaffMerchant, etag: true } },
    handler: (request) => showContent(content, merchantResource, request.params.slug),
  });
