import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { Pagination, pageParameters } from '#platform/http/pagination.ts';
import { type Content, listContent } from '../admin/content.ts';
import { categoryResource, StaffCategory } from '../admin/resources.ts';

export const getAdminCategories = (content: Content) =>
  endpoint({
    method: 'GET',
    url: '/admin/categories',
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCategoryForStaff',
    tag: 'Content',
    summary: 'List categories, shown or not',
    query: Type.Object({ ...pageParameters() }),
    answers: {
      200: {
        description: 'A page of categories, by slug.',
        schema: Type.Object({ data: Type.Array(StaffCategory), pagination: Pagination }),
      },
    },
    handler: (request) => listContent(content, categoryResource, request.query),
  });
