import { endpoint } from '#platform/http/endpoint.ts';
import { readBody } from '#platform/http/file-body.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { changeProblems, ifMatchHeader } from '#platform/privacy/trail.ts';
import { type Content, setPicture } from '../admin/content.ts';
import { merchantResource, StaffMerchant } from '../admin/resources.ts';
import { imageRefused, PICTURE_TYPES } from '../media/media.ts';
import { NO_MERCHANT } from '../problems.ts';

export const putAdminMerchantsSlugLogo = (content: Content) =>
  endpoint('PUT /admin/merchants/:slug/logo', {
    access: { scope: 'operator', role: 'content' },
    id: 'setMerchantLogo',
    summary: 'Upload the logo of a merchant',
    description: 'As `POST /admin/media`, and the merchant shows it from then on.',
    params: slugParams('farmacia-sao-jocundo'),
    notFound: NO_MERCHANT,
    headers: ifMatchHeader,
    rawBody: true,
    rawTypes: PICTURE_TYPES,
    answers: { 200: { description: 'The merchant.', schema: StaffMerchant, etag: true } },
    problems: [imageRefused, ...changeProblems],
    async handler(request) {
      const picture = { bytes: await readBody(request.raw), field: 'logo_url' };
      return setPicture(content, merchantResource, request, request.params.slug, picture);
    },
  });
