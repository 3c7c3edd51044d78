import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { changeProblems, ETAG_HEADER, ifMatchHeader } from '#platform/trail.ts';
import { type Content, changeContent } from '../admin/content.ts';
import { MerchantChange, merchantResource, StaffMerchant } from '../admin/resources.ts';

export const patchAdminMerchantsSlug = (content: Content) =>
  endpoint({
    method: 'PATCH',
    url: '/admin/merchants/:slug',
    access: { scope: 'operator', role: 'content' },
    id: 'changeMerchant',
    tag: 'Content',
    summary: 'Change a merchant: only what is sent',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: 'No merchant has this slug.',
    headers: ifMatchHeader,
    body: MerchantChange,
    answers: { 200: { description: 'The merchant.', schema: StaffMerchant, headers: ETAG_HEADER } },
    problems: changeProblems,
    async handler(request, reply) {
      const change = { action: 'changeMerchant', key: request.params.slug };
      const shown = await changeContent(content, merchantResource, request, reply, change);
      if (!shown) throw request.notFound();
      return shown;
    },
  });
