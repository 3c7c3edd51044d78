import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { type Content, removeContent } from '../admin/content.ts';
import { categoryResource } from '../admin/resources.ts';
import { NO_CATEGORY, stillUsed } from '../problems.ts';

export const deleteAdminCategoriesSlug = (content: Content) =>
  endpoint('DELETE /admin/categories/:slug', {
    access: { scope: 'operator', role: 'content' },
    id: 'removeCategory',
    summary: 'Remove a category',
    params: slugParams('farmacias'),
    notFound: NO_CATEGORY,
    answers: { 204: { description: 'It is gone.' } },
    problems: [stillUsed],
    handler: (request) => removeContent(content, categoryResource, request, request.params.slug),
  });
