import { endpoint } from '#platform/http/endpoint.ts';
import type { Overview } from '../overview.ts';
import { SearchQuery, SearchResult } from '../schemas.ts';

export const getAdminSearch = ({ search }: Overview) =>
  endpoint('GET /admin/search', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'searchEverything',
    summary: 'Find people, purchases, payments, merchants and posts',
    description: 'By whatever somebody has at hand. A few of each kind; their own lists have more.',
    query: SearchQuery,
    answers: { 200: { description: 'What was found, by kind.', schema: SearchResult } },
    handler: async (request) => ({ data: await search(request.query.q.trim()) }),
  });
