import { endpoint } from '#platform/http/endpoint.ts';
import { slugParams } from '#platform/http/schemas.ts';
import { changeProblems, ifMatchHeader } from '#platform/privacy/trail.ts';
import { type Content, changeContent } from '../admin/content.ts';
import { CategoryChange, categoryResource, StaffCategory } from '../admin/resources.ts';
import { NO_CATEGORY } from '../problems.ts';

export const patchAdminCategoriesSlug = (content: Content) =>
  endpoint('PATCH /admin/categories/:slug', {
    access: { scope: 'operator', role: 'content' },
    id: 'changeCategory',
    summary: 'Change a category: only what is sent',
    params: slugParams('farmacias'),
    notFound: NO_CATEGORY,
    headers: ifMatchHeader,
    body: CategoryChange,
    answers: { 200: { description: 'The category.', schema: StaffCategory, etag: true } },
    problems: changeProblems,
    handler: (request) => changeContent(content, categoryResource, request, request.params.slug),
  });
