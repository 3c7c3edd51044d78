import { requireFieldRoles } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { changeProblems, ifMatchHeader } from '#platform/privacy/trail.ts';
import { type Content, changeContent } from '../admin/content.ts';
import { MERCHANT_FIELD_ROLES, MerchantChange, merchantResource, StaffMerchant } from '../admin/resources.ts';
import { NO_MERCHANT } from '../problems.ts';

export const patchAdminMerchantsSlug = (content: Content) =>
  endpoint('PATCH /admin/merchants/:slug', {
    access: { scope: 'operator', role: 'content', fields: MERCHANT_FIELD_ROLES },
    id: 'changeMerchant',
    summary: 'Change a merchant: only what is sent',
    description: 'The `plan` takes the role `finance`: it decides what is earned and paid.',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: NO_MERCHANT,
    headers: ifMatchHeader,
    body: MerchantChange,
    answers: { 200: { description: 'The merchant.', schema: StaffMerchant, etag: true } },
    problems: changeProblems,
    handler(request) {
      requireFieldRoles(request.caller, MERCHANT_FIELD_ROLES, request.body);
      return changeContent(content, merchantResource, request, request.params.slug);
    },
  });
