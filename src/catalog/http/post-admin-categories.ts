import { endpoint } from '#platform/http/endpoint.ts';
import { idempotency } from '#platform/http/idempotency.ts';
import { type Content, createContent } from '../admin/content.ts';
import { CategoryForm, categoryResource, StaffCategory } from '../admin/resources.ts';
import { alreadyExists } from '../problems.ts';

export const postAdminCategories = (content: Content) =>
  endpoint('POST /admin/categories', {
    access: { scope: 'operator', role: 'content' },
    id: 'createCategory',
    summary: 'Add a category',
    headers: idempotency.header,
    body: CategoryForm,
    answers: { 201: { description: 'The category.', schema: StaffCategory } },
    problems: [...idempotency.problems, alreadyExists],
    handler: (request, reply) => createContent(content, categoryResource, { request, reply }),
  });
