import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { type Content, removeContent } from '../admin/content.ts';
import { merchantResource } from '../admin/resources.ts';
import { NO_MERCHANT } from '../problems.ts';

export const deleteAdminMerchantsSlug = (content: Content) =>
  endpoint('DELETE /admin/merchants/:slug', {
    access: { scope: 'operator', role: 'content' },
    id: 'removeMerchant',
    summary: 'Remove a merchant',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: NO_MERCHANT,
    answers: { 204: { description: 'It is gone.' } },
    handler: (request) => removeContent(content, merchantResource, request, request.params.slug),
  });
