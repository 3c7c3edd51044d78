import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { type Content, showContent } from '../admin/content.ts';
import { categoryResource, StaffCategory } from '../admin/resources.ts';
import { NO_CATEGORY } from '../problems.ts';

export const getAdminCategoriesSlug = (content: Content) =>
  endpoint('GET /admin/categories/:slug', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCategoryForStaff',
    summary: 'Show one category',
    params: slugParams('farmacias'),
    notFound: NO_CATEGORY,
    answers: { 200: { description: 'The category.', schema: StaffCategory, etag: true } },
    handler: (request) => showContent(content, categoryResource, request.params.slug),
  });
