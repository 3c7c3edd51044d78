import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf } from '#platform/http/schemas.ts';
import type { Backoffice } from '../backoffice.ts';
import { SavedView, ViewQuery } from '../schemas.ts';
import { listViews } from '../views.ts';

export const getAdminMeViews = ({ db }: Backoffice) =>
  endpoint('GET /admin/me/views', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listSavedViews',
    summary: 'One’s own saved views of lists',
    query: ViewQuery,
    answers: { 200: { description: 'By list and name.', schema: ListOf(SavedView) } },
    handler: async ({ caller, query }) => ({ data: await listViews(db, caller.personId, query.list) }),
  });
