import type { Deps } from '#module';
import { endpoint } from '#platform/http/endpoint.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { createAuditContext } from '#platform/privacy/audit-trail.ts';
import { MAX_VIEWS, tooManyViews, viewNamesPerson } from '../problems.ts';
import { SavedView, ViewForm, ViewParams, ViewQuery } from '../schemas.ts';
import { listViews, removeView, saveView } from '../views.ts';

export const getAdminMeViews = ({ db }: Pick<Deps, 'db' | 'clock'>) =>
  endpoint('GET /admin/me/views', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listSavedViews',
    summary: 'List saved views',
    query: ViewQuery,
    responses: {
      200: {
        description: 'The saved views of the staff user, in order of list and name.',
        schema: ListOf(SavedView),
      },
    },
    handler: async ({ caller, query }) => ({ data: await listViews(db, caller.staffUserId, query.list) }),
  });

export const postAdminMeViews = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  endpoint('POST /admin/me/views', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'saveView',
    summary: 'Save a view',
    description: `Saves the filter of a list under a name, and replaces an existing view with this name. At most ${MAX_VIEWS} per staff user.`,
    body: ViewForm,
    responses: { 201: { description: 'The view.', schema: SavedView } },
    problems: [tooManyViews, viewNamesPerson],
    handler: (request) =>
      db.transaction((tx) =>
        saveView(tx, request.caller.staffUserId, request.body, createAuditContext(request, clock.now())),
      ),
  });

export const deleteAdminMeViewsId = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  endpoint('DELETE /admin/me/views/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'removeSavedView',
    summary: 'Delete a saved view',
    params: ViewParams,
    notFound: { en: 'You have no view with this id.', pt: 'Você não tem visão com este id.' },
    responses: { 204: { description: 'The view is deleted.' } },
    async handler(request) {
      const { staffUserId } = request.caller;
      const auditContext = createAuditContext(request, clock.now());
      const isDeleted = await db.transaction((tx) =>
        removeView(tx, staffUserId, request.params.id, auditContext),
      );
      if (!isDeleted) throw request.notFound();
    },
  });
