import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listAnswer } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Text } from '#platform/http/schemas.ts';
import { type Content, listContent } from '../admin/content.ts';
import { categoryResource, StaffCategory } from '../admin/resources.ts';

export const getAdminCategories = (content: Content) =>
  endpoint('GET /admin/categories', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCategoryForStaff',
    summary: 'List categories, shown or not',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(
        Text(200, { description: 'What stands in the name, without regard to case and accents.' }),
      ),
    }),
    answers: listAnswer('A page of categories, by slug.', StaffCategory),
    handler: (request, reply) => listContent(content, categoryResource, { request, reply }),
  });
