import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { type Content, showContent } from '../admin/content.ts';
import { merchantResource, StaffMerchant } from '../admin/resources.ts';

export const getAdminMerchantsSlug = (content: Content) =>
  endpoint({
    method: 'GET',
    url: '/admin/merchants/:slug',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getMerchantForStaff',
    tag: 'Content',
    summary: 'Show one merchant',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: 'No merchant has this slug.',
    answers: { 200: { description: 'The merchant.', schema: StaffMerchant, etag: true } },
    handler: (request) => showContent(content, merchantResource, request.params.slug),
  });
