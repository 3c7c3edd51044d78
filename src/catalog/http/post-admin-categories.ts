import { endpoint } from '#platform/http/endpoint.ts';
import { type Content, createContent } from '../admin/content.ts';
import { categoryResource, StaffCategory } from '../admin/resources.ts';
import { alreadyExists } from '../problems.ts';

export const postAdminCategories = (content: Content) =>
  endpoint({
    method: 'POST',
    url: '/admin/categories',
    access: { scope: 'operator', role: 'content' },
    id: 'createCategory',
    tag: 'Content',
    summary: 'Add a category',
    body: StaffCategory,
    answers: { 201: { description: 'The category.', schema: StaffCategory } },
    problems: [alreadyExists],
    handler: (request) => createContent(content, categoryResource, request, 'createCategory'),
  });
