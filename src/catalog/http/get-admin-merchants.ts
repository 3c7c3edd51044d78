import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { listAnswer, SORTS } from '#platform/http/listing.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Slug, Text } from '#platform/http/schemas.ts';
import { type Content, listContent } from '../admin/content.ts';
import { merchantResource, StaffMerchant } from '../admin/resources.ts';

export const getAdminMerchants = (content: Content) =>
  endpoint('GET /admin/merchants', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listMerchantForStaff',
    summary: 'List merchants, shown or not',
    query: Type.Object({
      ...pageParameters(),
      q: Type.Optional(
        Text(200, {
          description: 'How words of name, category or city begin, without regard to case and accents.',
        }),
      ),
      category: Type.Optional(Slug()),
      listed: Type.Optional(Type.Enum(['true', 'false'])),
      sort: Type.Optional(Type.Enum([...SORTS], { description: 'What comes first; by name unless sent.' })),
    }),
    answers: listAnswer('A page of merchants.', StaffMerchant),
    handler: (request, reply) => listContent(content, merchantResource, { request, reply }),
  });
